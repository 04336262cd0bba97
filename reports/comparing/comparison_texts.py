"""The comparison of two reports for people: in the terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from reports.comparing.changes import KINDS, Difference
from reports.comparing.comparison import ReportComparison
from reports.writing.markup import folded, one_line, prose, table

LISTED = 50
"""At most so many differences of a kind are listed; a note says how many there are beyond."""

OPEN = ("worse", "removed")
"""The kinds of differences that Markdown does not fold away."""


def threshold(comparison: ReportComparison) -> str:
    """What counts as more or less work, in a sentence."""
    return (
        f"Work has changed where a solver's own count differs by a factor of {comparison.ratio:g} and by"
        f" {comparison.least:,} units at least; seconds depend on the machine and are not compared."
    )


def comparison_text(comparison: ReportComparison) -> str:
    """For the terminal: the outcome, what may explain it, and the differences by kind, the worst first."""
    return "\n".join(_text(comparison)) + "\n"


def _text(comparison: ReportComparison) -> Iterator[str]:
    yield comparison.summary
    if comparison.circumstances:
        yield from ("", "The runs differ in:")
        for name, old, new in comparison.circumstances:
            yield f"  {name}: {one_line(old)} → {one_line(new)}"
    for kind, title in KINDS.items():
        found = [each for each in comparison.differences if each.kind == kind]
        if found:
            yield from ("", f"{title} ({len(found):,})")
            yield from (f"  {_line(difference)}" for difference in found[:LISTED])
            if len(found) > LISTED:
                yield f"  and {len(found) - LISTED:,} more; --format json lists all"
    if any(difference.kind.endswith("work") for difference in comparison.differences):
        yield from ("", threshold(comparison))


def _line(difference: Difference) -> str:
    change = " → ".join(one_line(text) for text in (difference.old, difference.new) if text)
    about = f"  ({one_line(difference.about)})" if difference.about else ""
    return f"{difference.part} {one_line(difference.name)}: {change}{about}"


def comparison_markdown(comparison: ReportComparison) -> str:
    """For a pull request: what got worse or was removed is shown at once, everything else is folded away."""
    return "\n".join(_markdown(comparison)).rstrip() + "\n"


def _markdown(comparison: ReportComparison) -> Iterator[str]:
    yield from (f"## {'❌' if comparison.worse else '✅'} {prose(comparison.summary)}", "")
    rows = [tuple(map(prose, row)) for row in comparison.circumstances]
    if rows:
        yield from ("The runs differ in what may explain differences:", "")
        yield from table(("", "before", "now"), rows)
    for kind, title in KINDS.items():
        found = [each for each in comparison.differences if each.kind == kind]
        if not found:
            continue
        lines = table(("what", "name", "before", "now", "about"), map(_row, found[:LISTED]))
        if len(found) > LISTED:
            lines += [f"{len(found) - LISTED:,} more are in the comparison as JSON.", ""]
        if kind in OPEN:
            yield from (f"### {title} ({len(found):,})", "", *lines)
        else:
            yield from folded(f"{title} ({len(found):,})", lines)
    yield from (prose(threshold(comparison)), "")


def _row(difference: Difference) -> tuple[str, ...]:
    cells = (difference.part, difference.name, difference.old, difference.new, difference.about)
    return tuple(map(prose, cells))
