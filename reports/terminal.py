"""Pages as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from reports.drawing.layout import Timeline
from reports.drawing.timeline import to_text
from reports.markdown import one_line
from reports.page import Block, Code, Page, Table, badge, counted
from reports.standings import in_order


def page_text(page: Page, *, whole: bool = False) -> str:
    """The verdict, what failed with drawings, and the sections; those that are folded only for a whole page."""
    return "\n".join(_lines(page, whole=whole)).rstrip() + "\n"


def _lines(page: Page, *, whole: bool) -> Iterator[str]:
    yield f"{page.symbol} {one_line(page.summary or page.meaning)}"
    yield from (f"  {page.counts[each.word]:,} {badge(each.word)}" for each in in_order(page.counts))
    yield from (f"- {one_line(text)}" for text in page.problems)
    for entry in page.failed:
        yield from ("", f"{badge(entry.standing)}  {one_line(f'{entry.name}: {entry.statement}')}")
        yield f"  {one_line(entry.message or entry.said)}"
        for block in entry.blocks:
            if isinstance(block, Timeline | Code):
                yield from _block(block)
    for section in page.sections:
        if section.folded and not whole:
            continue
        yield from ("", section.title)
        yield from (f"  {one_line(text)}" for text in section.sentences)
        for group, entries in section.groups.items():
            yield f"  {one_line(group)}: {counted(entries)}"
        for block in section.blocks:
            yield from _block(block)


def _block(block: Block) -> Iterator[str]:
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
