"""The results of `remora bench` as tables for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.text import Text

from benchmarks.timing import Measurement, PatternTimings, Ratio, Scaling
from remora.terminal.console import output_console, print_error, print_note, print_table
from reports.sections.throughput import growth_in_words, stored_in_words

MANNERS: Mapping[str, str] = {
    "each instant": "one by one",
    "each tick": "one by one",
    "dense": "whole",
    "columns": "whole",
}
"""How a subject is fed; a tool is compared with the best of ours that is fed in the same manner."""


def print_results(comparisons: Sequence[PatternTimings], scalings: Sequence[Scaling]) -> None:
    """Print the speeds, the ratios and the growth; say what is wrong and what is missing."""
    console = output_console()
    for density in dict.fromkeys(comparison.density for comparison in comparisons):
        tables = [comparison for comparison in comparisons if comparison.density == density]
        console.print(
            f"Million instants per second at probability {density:g} per type and tick: median ± half the spread"
        )
        _print_speeds(tables)
        console.print()
        _print_ratios(tables)
    for name, expression in {c.pattern.id: str(c.pattern.expression) for c in comparisons}.items():
        if name != expression:
            console.print(f"{name:4} {expression}")
    if scalings:
        console.print()
        _print_scaling(scalings)
    for said in _problems(comparisons):
        print_error(said)
    for said in _absences(comparisons):
        print_note(said)


def _print_speeds(tables: Sequence[PatternTimings]) -> None:
    headings = ["subject", *(table.pattern.id for table in tables), "instants", "fed"]
    rows: list[list[str | Text]] = []
    for row in zip(*(table.measurements for table in tables), strict=True):
        subject = row[0].subject
        if all(one.status == "absent" for one in row):
            continue
        reports = " (ends only)" if subject.reports == "ends" else ""
        rows.append([subject.name + reports, *map(_speed, row), _lengths(row), subject.fed])
    print_table(headings, rows, right=[table.pattern.id for table in tables])


def _speed(measurement: Measurement) -> str | Text:
    if measurement.status == "no query":
        return "–"
    if measurement.status != "measured":
        return Text(measurement.status, style="bold red")
    rates = measurement.rates
    spread = (max(rates) - min(rates)) / 2 / measurement.rate
    return f"{_short(measurement.rate)} ±{100 * spread:.0f}%"


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 99.95 else f"{number:.1f}" if number >= 9.995 else f"{number:.2f}"


def _lengths(row: Sequence[Measurement]) -> str:
    lengths = sorted({one.instants for one in row if one.status == "measured"})
    return "–".join(f"{length:,}" for length in dict.fromkeys([*lengths[:1], *lengths[-1:]]))


def _print_ratios(tables: Sequence[PatternTimings]) -> None:
    """For each tool the best of ours that is fed in the same manner; ratios are paired within each repetition."""
    families = list(dict.fromkeys(ratio.family for table in tables for ratio in table.ratios()))
    rows = []
    for family in families:
        cells = []
        for table in tables:
            best = best_ratio(table, family)
            cells.append(
                "–"
                if best is None
                else f"{_short(best.median)} ({_short(min(best.values))}–{_short(max(best.values))})"
            )
        rows.append([family, *cells])
    if rows:
        output_console().print(
            "The best of ours is so many times as fast as the best of: median (least–greatest)"
        )
        print_table(["tool", *(table.pattern.id for table in tables)], rows)
        output_console().print()


def best_ratio(table: PatternTimings, family: str) -> Ratio | None:
    """The greatest ratio to a tool among those of ours that are fed in the same manner; None if there is none."""
    manner = {one.subject.name: MANNERS[one.subject.fed] for one in table.measurements}
    ratios = [
        ratio
        for ratio in table.ratios()
        if ratio.family == family and manner[ratio.subject] == manner[ratio.peer]
    ]
    return max(ratios, key=lambda ratio: ratio.median, default=None)


def _print_scaling(scalings: Sequence[Scaling]) -> None:
    first = scalings[0]
    lengths = sorted({point.instants for scaling in scalings for point in scaling.points})
    output_console().print(
        f"Nanoseconds per instant by the trace's length: {first.pattern.expression} at probability {first.density:g}"
    )
    rows = []
    for scaling in scalings:
        costs = {point.instants: point.cost for point in scaling.points}
        cells = [_short(costs[length]) if length in costs else "" for length in lengths]
        stored = stored_in_words([point.stored for point in scaling.points])
        words = growth_in_words(scaling.growth, scaling.stopped)
        rows.append([scaling.subject.name, *cells, stored, words])
    shown = [f"{length:,}" for length in lengths]
    print_table(["subject", *shown, "stored", ""], rows, right=[*shown, "stored"])


def _problems(comparisons: Iterable[PatternTimings]) -> list[str]:
    return [
        f"{one.subject.name} is {one.status} on {comparison.pattern.expression}"
        f" at probability {comparison.density:g}: {one.detail}"
        if one.status == "wrong"
        else f"{one.subject.name} broke down on {comparison.pattern.expression}: {one.detail}"
        for comparison in comparisons
        for one in comparison.measurements
        if one.status in ("wrong", "failed")
    ]


def _absences(comparisons: Iterable[PatternTimings]) -> list[str]:
    absent: dict[str, list[str]] = {}
    without: dict[tuple[str, str], list[str]] = {}
    for comparison in comparisons:
        for one in comparison.measurements:
            name = one.subject.name
            if one.status == "absent" and name not in absent.setdefault(one.detail, []):
                absent[one.detail].append(name)
            why = str(comparison.pattern.expression), one.detail
            if one.status == "no query" and name not in without.setdefault(why, []):
                without[why].append(name)
    return [
        *(f"not compared: {', '.join(names)}: {detail}" for detail, names in absent.items()),
        *(f"{said}: {detail}: {', '.join(names)}" for (said, detail), names in without.items()),
    ]
