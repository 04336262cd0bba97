"""The atlas as one HTML file that needs no network: systems by laws, each cell with its proof or trace."""

from __future__ import annotations

import json
from collections.abc import Sequence

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from reports.html import TEMPLATES
from semantics.settings.catalogue import DIMENSIONS


def atlas_page(document: str, implications: Sequence[tuple[str, str]]) -> str:
    """The page.

    Args:
        document: the atlas (`remora/atlas/1`).
        implications: pairs of laws of which the second stands wherever the first does.
    """
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    data = json.loads(document)
    embedded = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    safe = embedded.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    return environment.get_template("atlas.html.jinja").render(
        atlas=data, embedded=Markup(safe), implications=implications, dimensions=DIMENSIONS
    )
