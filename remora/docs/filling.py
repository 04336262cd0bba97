"""Pages of which the prose stands in a file, with comments where the records come in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import resources


def filled(name: str, parts: Mapping[str, str | Iterable[str]]) -> str:
    """A page with each `<!-- part -->` replaced by a text, or by lines."""
    text = resources.files("remora.docs").joinpath(f"{name}.md").read_text("utf-8")
    for part, found in parts.items():
        shown = found if isinstance(found, str) else "\n".join(found).rstrip()
        text = text.replace(f"<!-- {part} -->", shown)
    return text


def table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    """A table in Markdown, in whose cells no bar ends the cell and nothing is a link."""
    headings = list(headings)
    yield "| " + " | ".join(headings) + " |"
    yield "|" + " --- |" * len(headings)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|").replace("](", "]\\(") for cell in row) + " |"
    yield ""
