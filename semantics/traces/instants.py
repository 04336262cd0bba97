"""Instants of a trace: rows grouped by time, in order; and what options accept in spite of the rules."""

from __future__ import annotations

import difflib
import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, fields
from heapq import heappop, heappush
from operator import itemgetter
from typing import TYPE_CHECKING, Literal, NamedTuple

from semantics.errors import InputError
from semantics.events import ANY_TRACE, Time, TraceForm, quoted
from semantics.traces.reading import SameTime
from semantics.traces.rows import Origin, Row, shown

if TYPE_CHECKING:
    from semantics.clock import Clock


class Instant(NamedTuple):
    """All rows of one time, in the order of the input."""

    time: Time
    rows: tuple[Row, ...]


@dataclass(slots=True)
class ReadReport:
    """A report of what was read, and of what options changed to accept it; kept up to date while reading.

    Attributes:
        rows: the rows that were read, each of which was yielded or is counted in `dropped`; of a scan about so many.
        dropped: the rows dropped because their event type occurs twice at one time.
        out_of_order: the rows with an earlier time than the row before them.
        late: the rows that came later than their time was waited for, and were left out.
        first_late: the place of the first of them.
        lateness: how long a time was waited for, in ticks.
        same_time: the option that decided which rows were dropped.
        events: how many rows of each event type were read.
        clock: the clock of times of day; None where times are ticks.
        rounded: how many times lay between two ticks, and were taken for the one before.
        bad: the lines or rows that could not be read and were left out.
        bad_in: whether these are counted in lines or in rows.
        first_bad: the first of them, and what was wrong with it.
        without_partition: how many rows had no value in the column that partitions the trace.
        partition_by: that column.
    """

    rows: int = 0
    dropped: int = 0
    out_of_order: int = 0
    late: int = 0
    first_late: str = ""
    lateness: Time = 0
    same_time: SameTime | None = None
    events: Counter[str] = field(default_factory=Counter)
    clock: Clock | None = None
    rounded: int = 0
    bad: list[int] = field(default_factory=list)
    bad_in: Literal["line", "row"] = "line"
    first_bad: tuple[int, str] | None = None
    without_partition: int = 0
    partition_by: str | None = None

    def begin_again(self) -> None:
        """Forget everything, because the trace is read anew."""
        fresh = ReadReport()
        for one in fields(self):
            setattr(self, one.name, getattr(fresh, one.name))

    def shown(self, time: Time) -> Time | str:
        """A time as it is printed: in ticks, or as ISO 8601 where times of day were read."""
        return time if self.clock is None else self.clock.text(time)

    def leave_out(self, origin: Origin, number: int, error: InputError) -> None:
        """Note a line or row that cannot be read."""
        self.bad_in = origin.unit
        if self.first_bad is None or number < self.first_bad[0]:
            self.first_bad = number, error.reason
        self.bad.append(number)

    def messages(self) -> list[str]:
        """Messages of what the options changed; empty when they changed nothing."""
        messages = []
        if self.first_bad:
            messages.append(
                f"left out {_rows(len(self.bad))} that cannot be read (--skip-bad), {_listed(self.bad, self.bad_in)};"
                f" the first: {self.first_bad[1]}"
            )
        if self.rounded:
            messages.append(f"rounded {_times(self.rounded)} down to whole ticks (--round)")
        if self.without_partition:
            messages.append(
                f"{_rows(self.without_partition)} without a value of {shown(self.partition_by)}:"
                " together they are a trace of their own, (none)"
            )
        if self.out_of_order:
            were = "was" if self.out_of_order == 1 else "were"
            disorder = f"{_rows(self.out_of_order)} {were} out of order"
            waited = f"waited {self.lateness:,} ticks for rows: {disorder} (--lateness)"
            messages.append(waited if self.lateness else f"sorted all rows by time: {disorder} (--sort)")
        if self.late:
            messages.append(
                f"left out {_rows(self.late)} that came more than {self.lateness:,} ticks late (--lateness),"
                f" the first at {self.first_late}"
            )
        if self.dropped:
            why = "had occurred" if self.same_time == "first" else "occurred again"
            messages.append(
                f"dropped {_rows(self.dropped)} of an event type that {why} at the same time"
                f" (--same-time {self.same_time})"
            )
        return messages


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


def _times(count: int) -> str:
    return "1 time" if count == 1 else f"{count:,} times"


LISTED = 20
"""The most stretches of rows that are listed."""


def _listed(numbers: list[int], unit: str) -> str:
    """`lines 17, 30-45, 60`, and how many more there are."""
    stretches: list[list[int]] = []
    for number in sorted(numbers):
        if stretches and number == stretches[-1][-1] + 1:
            stretches[-1][1:] = [number]
        elif len(stretches) < LISTED:
            stretches.append([number])
        else:
            break
    told = sum(some[-1] - some[0] + 1 for some in stretches)
    text = ", ".join("-".join(map(str, some)) for some in stretches)
    more = f" and {len(numbers) - told:,} more" if told < len(numbers) else ""
    return f"{unit}{'' if len(numbers) == 1 else 's'} {text}{more}"


def admissible(
    rows: Iterable[Row],
    *,
    form: TraceForm = ANY_TRACE,
    sort: bool = False,
    lateness: Time = 0,
    same_time: SameTime | None = None,
    report: ReadReport,
) -> Iterator[Instant]:
    """The instants of a trace whose rows are in time order; within each partition they are of the given form.

    An instant is yielded as soon as a later time is seen, the last one at the end.

    Args:
        rows: as they stand in the file.
        form: whether an event type may occur several times at one time.
        sort: read all rows first and sort them by time; rows of one time keep their order.
        lateness: wait for rows that come after others whose times are greater by no more than so many ticks; leave out
            those that come still later.
        same_time: of rows of one event type at one time in one partition, keep the first or the last.
        report: counts rows and what the options changed.

    Raises:
        InputError: a rule is violated and no option accepts it; names the row and the option.
    """
    report.same_time = same_time
    events = report.events
    now: Time = -1
    alone = not form.repeats or same_time is not None
    types = form.types
    group: dict[object, Row] = {}
    for row in _sorted(rows, report) if sort else _waiting(rows, lateness, report) if lateness else rows:
        time, event, _, _, partition, _, _ = row
        if time != now:
            if time < now:
                raise _out_of_order(row, next(reversed(group.values())), report)
            if group:
                yield Instant(now, tuple(group.values()))
                group = {}
            now = time
        report.rows += 1
        events[event] += 1
        key = (partition, event) if alone and (types is None or event in types) else report.rows
        if key in group:
            if same_time is None:
                raise _second(row, group[key], form, report)
            report.dropped += 1
            if same_time == "first":
                continue
            del group[key]
        group[key] = row
    if group:
        yield Instant(now, tuple(group.values()))


def _sorted(rows: Iterable[Row], report: ReadReport) -> list[Row]:
    found = list(rows)
    report.out_of_order += sum(after.time < before.time for before, after in itertools.pairwise(found))
    found.sort(key=itemgetter(0))
    return found


def _waiting(rows: Iterable[Row], lateness: Time, report: ReadReport) -> Iterator[Row]:
    """The rows in the order of time; one is yielded when a time was seen that is greater by more than the lateness."""
    report.lateness = lateness
    waiting: list[tuple[Time, int, Row]] = []
    latest: Time = -1
    for number, row in enumerate(rows):
        if row.time < latest - lateness:
            report.rows += 1
            report.events[row.event] += 1
            report.late += 1
            report.first_late = report.first_late or row.place
            continue
        report.out_of_order += row.time < latest
        latest = max(latest, row.time)
        heappush(waiting, (row.time, number, row))
        while waiting[0][0] < latest - lateness:
            yield heappop(waiting)[2]
    while waiting:
        yield heappop(waiting)[2]


def _out_of_order(row: Row, before: Row, report: ReadReport) -> InputError:
    reason = (
        f"time {report.shown(row.time)} comes after time {report.shown(before.time)} of {_seen_from(row, before)};"
        " the rows of a trace are in time order"
    )
    return row.origin.error(row.number, reason, "Read it with --sort, which sorts all rows by time first.")


def _second(row: Row, first: Row, form: TraceForm, report: ReadReport) -> InputError:
    within = "" if row.partition is None else f" in partition {shown(row.partition)}"
    reason = (
        f"{quoted(row.event)} occurs a second time at time {report.shown(row.time)}{within},"
        f" first in {_seen_from(row, first)};"
        f" occurrences of one event type have different times ({form.source})"
    )
    remedy = "Keep one of them with --same-time first or --same-time last."
    if row.partition is None:
        remedy += " If they belong to different cases, users or hosts: --partition-by COLUMN."
    return row.origin.error(row.number, reason, remedy)


def _seen_from(row: Row, other: Row) -> str:
    return f"{row.origin.unit} {other.number}" if row.origin == other.origin else other.place


def unknown_events(expression_identifiers: Iterable[str], seen: Collection[str], place: str = "the trace") -> list[str]:
    """A message for each identifier that never occurs in a trace, with the name that was probably meant.

    Where none does, one more tells which event types there are.

    Args:
        expression_identifiers: the names in the expression.
        seen: the event types in the trace, such as `ReadReport.events`.
        place: what it is called: less than the trace where it was not read to its end.
    """
    lower_case = {name.lower(): name for name in sorted(seen)}
    asked, messages = set(expression_identifiers), []
    for name in sorted(asked.difference(seen)):
        near = difflib.get_close_matches(name.lower(), lower_case, n=1)
        whole = lower_case[near[0]] if near else next((one for one in sorted(seen) if name in _parts(one)), None)
        hint = "" if whole is None else f"; did you mean {quoted(whole)}?"
        messages.append(f"{quoted(name)} never occurs in {place}{hint}")
    if asked and not seen:
        return [f"{place} has no rows"]
    if len(messages) == len(asked) and not any("did you mean" in message for message in messages):
        few = ", ".join(map(quoted, sorted(seen)[:FEW]))
        more = f", and {len(seen) - FEW:,} more" if len(seen) > FEW else ""
        messages.append(f"the event types of {place} are {few}{more}")
    return messages


FEW = 8
"""The most event types that are listed, where none of them is in the pattern."""


def _parts(name: str) -> list[str]:
    """The words of a name that is written in quotes: without them, it would be a pattern of its words."""
    found = re.split(r"\W+", name)
    return found if len(found) > 1 else []
