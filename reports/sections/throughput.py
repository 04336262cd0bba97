"""Throughput of the detectors beside other tools, as `remora bench` measured it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reports.drawing.plots import Range, decades, range_plot
from reports.results.parts import Record

OURS = "remora"
"""The family of this project's detectors."""

FLAT = 1.5
"""Up to so much dearer than in a tenth of the trace is an instant that costs the same."""


@dataclass(frozen=True, slots=True)
class ThroughputRow:
    """One pattern at one density of events.

    Attributes:
        density: the probability of each event type at each tick.
        rows: what was measured, the fastest first: records of `remora bench` with a rate.
        others: the records without one, and those whose answer is wrong.
    """

    expression: str
    density: float
    rows: tuple[Record, ...]
    others: tuple[Record, ...]

    @property
    def plot(self) -> str:
        """A row for each subject as an SVG element, with the median and the range of its rates."""
        ranges = [
            Range(
                f"{row['name']} ({row['family']})",
                float(row["rate"]["min"]),
                float(row["rate"]["median"]),
                float(row["rate"]["max"]),
                0 if row["family"] == OURS else 1,
            )
            for row in self.rows
        ]
        axis = decades("million instants per second", (x for row in ranges for x in (row.low, row.high)))
        fastest = f"; the fastest is {ranges[0].name}" if ranges else ""
        return range_plot(
            f"Throughput of {self.expression}", f"{len(ranges)} subjects{fastest}.", axis, ranges
        )


def comparisons(bench: Record) -> list[ThroughputRow]:
    """The comparisons of a document of `remora bench --json`."""
    return [_comparison(record) for record in bench.get("results", ())]


@dataclass(frozen=True, slots=True)
class Growth:
    """How the cost of an instant grows with the length of the trace, for one subject.

    Attributes:
        costs: nanoseconds for an instant, by the length of the trace in instants.
        growth: how many times the cost at the greatest length is that at the one before, or None.
        stopped: why longer traces were not tried, or "".
        stored: how many starts or instances were kept after each trace; None where that is not known.
    """

    subject: str
    costs: Mapping[int, float]
    growth: float | None
    stopped: str
    stored: Sequence[int | None]

    @property
    def verdict(self) -> str:
        """In words."""
        return growth_in_words(self.growth, self.stopped)

    @property
    def memory(self) -> str:
        """What is stored, in words."""
        return stored_in_words(self.stored)


def growth_in_words(growth: float | None, stopped: str) -> str:
    """Whether an instant costs the same in a longer trace, and why longer ones were not tried."""
    said = "" if growth is None else "flat" if growth <= FLAT else f"grows {growth:.1f} times"
    return "; ".join(part for part in (said, stopped) if part)


def stored_in_words(stored: Sequence[int | None]) -> str:
    """How many starts are kept after the shortest and after the longest trace, or one number for both."""
    known = [number for number in stored if number is not None]
    if not known:
        return ""
    least, most = known[0], known[-1]
    return f"{most:,}" if least == most else f"{least:,} to {most:,}"


def growths(bench: Record) -> list[Growth]:
    """The costs by length of a document of `remora bench --json`."""
    return [
        Growth(
            record["subject"],
            {point["instants"]: point["nanoseconds_per_instant"] for point in record["points"]},
            record["growth"],
            record["stopped"] or "",
            [point.get("stored") for point in record["points"]],
        )
        for record in bench.get("scaling", ())
    ]


def wrong_subjects(bench: Record) -> list[str]:
    """The names of the subjects whose answer is wrong or that broke down, each once."""
    rows = (row for one in comparisons(bench) for row in one.others)
    return list(dict.fromkeys(row["name"] for row in rows if row["status"] in ("wrong", "failed")))


def _comparison(record: Record) -> ThroughputRow:
    subjects = record["subjects"]
    measured = [row for row in subjects if row["rate"] and row["status"] == "measured"]
    return ThroughputRow(
        record["expression"],
        record["density"],
        tuple(sorted(measured, key=lambda row: -float(row["rate"]["median"]))),
        tuple(row for row in subjects if row not in measured),
    )
