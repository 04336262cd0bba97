"""A table in Markdown."""

from __future__ import annotations

from collections.abc import Iterable


def table(headings: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in whose cells no bar ends the cell and nothing is a link."""
    headings = list(headings)
    lines = ["| " + " | ".join(headings) + " |", "|" + " --- |" * len(headings)]
    lines += ["| " + " | ".join(cell.replace("|", "\\|").replace("](", "]\\(") for cell in row) + " |" for row in rows]
    return "\n".join(lines)
