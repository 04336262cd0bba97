"""The atlas as one HTML file that needs no network: systems by laws, each cell with its proof or trace."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from reports.drawing.svg import GRAPH_STYLE, graph
from reports.html import environment
from semantics.atlas.catalogue import DIMENSIONS


def atlas_page(document: str, implications: Sequence[tuple[str, str]], evidence: Mapping[str, Any]) -> str:
    """The page of an atlas (`remora/atlas/1`), with laws in numbers of which the first ones imply the second ones.

    The evidence has both sides of what is refuted and the obligations of what is proved.
    """
    data = json.loads(document)
    page = environment().get_template("atlas.html.jinja")
    implied = Markup(graph(implications, "Which laws imply which"))
    more = {"implied": implied, "graph_style": GRAPH_STYLE, "dimensions": DIMENSIONS}
    return page.render(atlas=data, embedded=_embedded(data), evidence=_embedded(evidence), **more)


def _embedded(data: Mapping[str, Any]) -> Markup:
    """Data as JSON in which nothing can be taken for markup."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))
