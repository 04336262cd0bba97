"""Pages as short summaries, in Markdown, in which nothing of a log or a detector becomes markup, and as plain text."""

import html
import re
from collections.abc import Iterable, Iterator, Sequence

from reports.drawing.layout import Timeline
from reports.drawing.timeline import to_text
from reports.page import Block, Code, Entry, Page, Table, badge, counted, in_order

DRAWN = 5  # At most so many timelines are drawn; a note says how many there are beyond
LISTED = 20  # At most so many entries are listed that are not drawn


def page_markdown(page: Page) -> str:
    """A page as for a pull request: the verdict, what failed with drawings, and every section, folded or not."""
    return "\n".join(_page(page)).rstrip() + "\n"


def _page(page: Page) -> Iterator[str]:
    yield from (f"## {page.symbol} {prose(page.summary or page.meaning)}", "")
    rows = [(prose(badge(each.word)), f"{page.counts[each.word]:,}") for each in in_order(page.counts)]
    yield from table(("Standing", "Claims"), rows, right=("Claims",))
    if page.problems:
        yield from (*(f"- {prose(text)}" for text in page.problems), "")
    yield from _failures(list(page.failed))
    for section in page.sections:
        lines = [line for text in section.sentences for line in (prose(text), "")]
        counts = [(prose(group), prose(counted(found))) for group, found in section.groups.items()]
        lines += table(("", "How it came out"), counts)
        lines += [line for block in section.blocks for line in _block(block)]
        if section.folded:
            yield from folded(section.title, lines)
        elif lines:
            yield from (f"### {prose(section.title)}", "", *lines)
    if page.command:
        yield from ("### The same again", "", *fenced(page.command, "sh"), "")
    if page.properties:
        yield from (", ".join(prose(f"{name} {value}") for name, value in page.properties.items()) + ".", "")


def _failures(entries: Sequence[Entry]) -> Iterator[str]:
    """Failures: at most so many entries that are drawn, and so many that are not."""
    left = {True: DRAWN, False: LISTED}
    for entry in entries:
        is_drawn = any(isinstance(block, Timeline) for block in entry.blocks)
        left[is_drawn] -= 1
        if left[is_drawn] < 0:
            continue
        yield f"**{code(entry.name)}, {entry.standing}{f': {code(entry.statement)}' if entry.statement else ''}**"
        yield from ("", prose(entry.message or entry.said), "")
        for block in entry.blocks:
            if isinstance(block, Timeline | Code):
                yield from _block(block)
    more = -sum(min(number, 0) for number in left.values())
    if more:
        yield from (f"{more:,} more are in the report.", "")


def _block(block: Block) -> Iterable[str]:
    match block:
        case str():
            return (prose(block), "")
        case Table():
            columns = block.columns or ("", "")
            is_code = [name in block.code for name in columns]
            rows = [
                [code_cell(cell) if cell and code else prose(cell) for cell, code in zip(row, is_code, strict=True)]
                for row in block.rows
            ]
            return table(columns, rows, right=block.right)
        case Code():
            return (*fenced(block.text, block.language), "")
        case Timeline():
            return (*fenced(to_text(block), "text"), "")
        case _:
            return ()


def page_text(page: Page, *, whole: bool = False) -> str:
    """The verdict, what failed with drawings, and the sections; those that are folded only for a whole page."""
    return "\n".join(_text_lines(page, whole=whole)).rstrip() + "\n"


def _text_lines(page: Page, *, whole: bool) -> Iterator[str]:
    yield f"{page.symbol} {one_line(page.summary or page.meaning)}"
    yield from (f"  {page.counts[each.word]:,} {badge(each.word)}" for each in in_order(page.counts))
    yield from (f"- {one_line(text)}" for text in page.problems)
    for entry in page.failed:
        yield from ("", f"{badge(entry.standing)}  {one_line(f'{entry.name}: {entry.statement}')}")
        yield f"  {one_line(entry.message or entry.said)}"
        for block in entry.blocks:
            if isinstance(block, Timeline | Code):
                yield from _text_block(block)
    for section in page.sections:
        if section.folded and not whole:
            continue
        yield from ("", section.title)
        yield from (f"  {one_line(text)}" for text in section.sentences)
        for group, entries in section.groups.items():
            yield f"  {one_line(group)}: {counted(entries)}"
        for block in section.blocks:
            yield from _text_block(block)


def _text_block(block: Block) -> Iterator[str]:
    match block:
        case str():
            yield f"  {one_line(block)}"
        case Table():
            rows = [row for row in (block.columns, *block.rows) if row]
            widths = [max(len(one_line(cell)) for cell in column) for column in zip(*rows, strict=True)]
            for row in rows:
                cells = (one_line(cell).ljust(width) for cell, width in zip(row, widths, strict=True))
                yield f"  {'  '.join(cells)}".rstrip()
        case Code():
            yield from (f"  {one_line(line)}" for line in block.text.split("\n"))
        case Timeline():
            yield from (f"  {line}" for line in to_text(block).split("\n"))


def prose(value: object) -> str:
    """A value as running text: nothing in it is Markdown or HTML, or mentions an account."""
    text = re.sub(r"([\\`*_{}\[\]<>#|~&$])", r"\\\1", one_line(value))
    text = re.sub(r"^([-+=])|^(\d+)([.)])", r"\2\\\1\3", text)  # which would begin a list, a line or a heading
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
