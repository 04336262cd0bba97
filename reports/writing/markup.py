"""Text in Markdown: nothing that comes from a log, a pattern or a detector becomes markup of the page around it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence


def prose(value: object) -> str:
    """A value as running text: nothing in it is Markdown or HTML, or mentions an account."""
    text = re.sub(r"([\\`*_{}\[\]<>#|~&$])", r"\\\1", one_line(value))
    text = re.sub(
        r"^([-+=])|^(\d+)([.)])", r"\2\\\1\3", text
    )  # which would begin a list, a line or a heading
    return text.replace("@", "@\u200b")


def code(value: object) -> str:
    """A value as inline code, whatever backticks and line breaks it contains."""
    text = one_line(value)
    fence = "`" * (_longest_run(text) + 1)
    space = " " if text.startswith("`") or text.endswith("`") or not text else ""
    return f"{fence}{space}{text}{space}{fence}"


def code_cell(value: object) -> str:
    """A value as inline code in a cell of a table, where a bar ends the cell even within code."""
    return code(value).replace("|", "\\|")


def fenced(text: str, language: str = "") -> list[str]:
    """Lines that show a text as it is, whatever fences it contains."""
    fence = "`" * max(3, _longest_run(text) + 1)
    return [fence + language, *map(_printable, text.rstrip("\n").split("\n")), fence]


def table(headings: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[str] = ()) -> list[str]:
    """Lines of a table, whose cells are Markdown already; none if there are no rows."""
    lines = [f"| {' | '.join(cells)} |" for cells in rows]
    if not lines:
        return []
    rules = ["---:" if heading in right else "---" for heading in headings]
    return [f"| {' | '.join(headings)} |", f"|{'|'.join(rules)}|", *lines, ""]


def folded(title: str, lines: Sequence[str]) -> Iterator[str]:
    """Lines that are shown when the title, which is plain text, is clicked on; nothing if there are none."""
    if lines:
        said = html.escape(one_line(title)).replace("@", "@\u200b")
        yield from ("<details>", f"<summary>{said}</summary>", "", *lines)
        yield from ("</details>", "")


def one_line(value: object) -> str:
    """A text without line breaks and characters that cannot be seen."""
    return " ".join(_printable(str(value)).split())


def _printable(text: str) -> str:
    return "".join(each if each.isprintable() or each.isspace() else "\ufffd" for each in text)


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
