"""`remora bench`: what was measured as a table and as a document, the same for all systems."""

from collections.abc import Iterable, Sequence

from benchmarks.timing import Row, document, standing
from remora import __version__
from remora.terminal.console import print_error, print_table
from remora.terminal.options import Result
from remora.terminal.progress import Progress


def measuring(cases: Iterable[list[Row]], total: int | None, seed: int) -> Result:
    """The result of measuring subjects case by case; the exit status says whether an answer is wrong."""
    found: list[list[Row]] = []
    with Progress() as progress, progress.stage("cases", total) as advance:
        for rows in cases:
            found.append(rows)
            advance(", ".join(rows[0].case.values()), len(found))
    rows = [row for case in found for row in case]
    return Result(standing(rows), {"remora": __version__, **document(rows, seed)}, lambda: _print(found))


def _print(found: Sequence[Sequence[Row]]) -> None:
    rows = [row for case in found for row in case]
    more = list(dict.fromkeys(name for row in rows for name in row.more))
    headings = [*dict.fromkeys(name for row in rows for name in row.case), "subject"]
    numbers = ["a second", "seconds", "of the fastest", "found", *more]
    table = [line for case in found for line in _lines(case, headings[:-1], more)]
    print_table([*headings, *numbers], table, right=numbers)
    for row in rows:
        where = f"{row.subject} on {', '.join(row.case.values())}"
        if row.status in ("wrong", "failed"):
            print_error(f"{where} is {row.status}: {row.detail}")


def _lines(case: Sequence[Row], names: Sequence[str], more: Sequence[str]) -> list[list[str]]:
    """The lines of a case; a speed is the median, beside it half the spread in percent."""
    fastest = max((row.rate for row in case), default=0)
    lines = []
    for row in case:
        line = [*(row.case.get(name, "") for name in names), row.subject]
        if row.seconds:
            half = 50 * (max(row.seconds) - min(row.seconds)) * row.rate / row.size
            seconds = row.size / row.rate
            line += [f"{row.rate:,.0f}", f"{seconds:.3g} ±{half:.0f}%", f"{row.rate / fastest:.2f}", f"{row.found:,}"]
        else:
            line += ["–" if row.status == "no query" else row.status, "", "", ""]
        lines.append([*line, *(f"{row.more[name]:,}" if name in row.more else "" for name in more)])
    return lines
