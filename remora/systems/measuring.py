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
        for case in cases:
            found.append(case)
            advance(", ".join(case[0].case.values()), len(found))
    rows = [row for case in found for row in case]
    return Result(standing(rows), {"remora": __version__, **document(rows, seed)}, lambda: _print(rows, found))


def _print(rows: Sequence[Row], found: Sequence[Sequence[Row]]) -> None:
    more = list(dict.fromkeys(name for row in rows for name in row.more))
    names = list(dict.fromkeys(name for row in rows for name in row.case))
    numbers = ["a second", "seconds", "of the fastest", "found", *more]
    table = []
    for case in found:
        fastest = max((row.rate for row in case), default=0)
        for row in case:
            line = [*(row.case.get(name, "") for name in names), row.subject, *_figures(row, fastest)]
            table.append([*line, *(f"{row.more[name]:,}" if name in row.more else "" for name in more)])
    print_table([*names, "subject", *numbers], table, right=numbers)
    for row in rows:
        where = f"{row.subject} on {', '.join(row.case.values())}"
        if row.status in ("wrong", "failed"):
            print_error(f"{where} is {row.status}: {row.detail}")


def _figures(row: Row, fastest: float) -> list[str]:
    """Speed, the median with half the spread in percent beside it, share of the fastest, and how many were found."""
    if not row.seconds:
        return ["–" if row.status == "no query" else row.status, "", "", ""]
    half = 50 * (max(row.seconds) - min(row.seconds)) * row.rate / row.size
    seconds = f"{row.size / row.rate:.3g} ±{half:.0f}%"
    return [f"{row.rate:,.0f}", seconds, f"{row.rate / fastest:.2f}", f"{row.found:,}"]
