"""Instants of a trace: rows grouped by time, in order; and what options accept in spite of the rules."""

from __future__ import annotations

import difflib
import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from semantics.events import ANY_TRACE, Time, TraceForm, quoted
from semantics.traces.reading import SameTime
from semantics.traces.rows import Row, shown

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
        dropped: the rows dropped because their event type occurs twice at one time, as `same_time` decided.
        out_of_order: the rows with an earlier time than the row before them.
        late: the rows that came later than their time was waited for (`lateness`, in ticks), and were left out.
        events: how many rows of each event type were read.
        clock: the clock of times of day; None where times are ticks.
        rounded: how many times lay between two ticks, and were taken for the one before.
        bad: how many lines or rows could not be read and were left out; the first of them with what was wrong.
        without_partition: how many rows had no value in the column that partitions the trace.
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
    bad: int = 0
    first_bad: str = ""
    without_partition: int = 0
    partition_by: str | None = None

    def begin_again(self) -> None:
        """Forget everything, because the trace is read anew."""
        self.__init__()  # type: ignore[misc]

    def shown(self, time: Time) -> Time | str:
        """A time as it is printed: in ticks, or as ISO 8601 where times of day were read."""
        return time if self.clock is None else self.clock.text(time)

    def messages(self) -> list[str]:
        """Messages of what the options changed; empty when they changed nothing."""
        again = "had occurred" if self.same_time == "first" else "occurred again"
        late = f"that came more than {self.lateness:,} ticks late (--lateness), the first at {self.first_late}"
        none = f"without a value of {shown(self.partition_by)}: together they are a trace of their own, (none)"
        counts = (
            (self.bad, "left out ", f"that cannot be read (--skip-bad), the first at {self.first_bad}"),
            (self.rounded, "rounded the times of ", "down to whole ticks (--round)"),
            (self.without_partition, "", none),
            (self.out_of_order, "sorted ", f"out of order (--{'lateness' if self.lateness else 'sort'})"),
            (self.late, "left out ", late),
            (self.dropped, "dropped ", f"of a type that {again} at the same time (--same-time {self.same_time})"),
        )
        return [f"{done}{count:,} row{'s' * (count != 1)} {why}" for count, done, why in counts if count]


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
        sort: read all rows first and sort them by time; rows of one time keep their order.
        lateness: wait for rows that come after others whose times are greater by no more than so many ticks; leave out
            those that come still later.
        same_time: of rows of one event type at one time in one partition, keep the first or the last.

    Raises:
        InputError: a rule is violated and no option accepts it; names the row and the option.
    """
    report.same_time = same_time
    now: Time = -1
    events, types, alone = report.events, form.types, not form.repeats or same_time is not None
    group: dict[object, Row] = {}
    if sort:
        rows = list(rows)
        report.out_of_order += sum(after.time < before.time for before, after in itertools.pairwise(rows))
        rows.sort(key=itemgetter(0))
    for row in _waiting(rows, lateness, report) if lateness and not sort else rows:
        time, event, _, _, partition, origin, number = row
        if time != now:
            if time < now:
                before = next(reversed(group.values()))
                reason = f"time {report.shown(time)} comes after time {report.shown(now)} of {before.place};"
                reason += " the rows of a trace are in time order"
                raise origin.error(number, reason, "Read it with --sort, which sorts all rows by time first.")
            if group:
                yield Instant(now, tuple(group.values()))
                group = {}
            now = time
        report.rows += 1
        events[event] += 1
        key = (partition, event) if alone and (types is None or event in types) else report.rows
        if key in group:
            if same_time is None:
                within = "" if partition is None else f" in partition {shown(partition)}"
                reason = f"{quoted(event)} occurs a second time at time {report.shown(time)}{within}, first in"
                reason += f" {group[key].place}; occurrences of one event type have different times ({form.source})"
                remedy = "Keep one with --same-time first or --same-time last; or if they belong to different cases,"
                raise origin.error(number, reason, f"{remedy} users or hosts: --partition-by COLUMN.")
            report.dropped += 1
            if same_time == "first":
                continue
            del group[key]
        group[key] = row
    if group:
        yield Instant(now, tuple(group.values()))


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


FEW = 8  # event types are listed where none of them is in the pattern


def unknown_events(expression_identifiers: Iterable[str], seen: Collection[str], place: str = "the trace") -> list[str]:
    """A message for each identifier that never occurs in a trace, with the name that was probably meant.

    Where none does, one more tells which event types there are. The place is less than the trace where that was not
    read to its end.
    """
    asked, messages, close = set(expression_identifiers), [], False
    meant = {part: name for name in sorted(seen) for part in re.split(r"\W+", name)}
    meant |= {name.lower(): name for name in sorted(seen)}
    for name in sorted(asked.difference(seen)):
        near = difflib.get_close_matches(name.lower(), meant, n=1)
        close = close or bool(near)
        hint = f"; did you mean {quoted(meant[near[0]])}?" if near else ""
        messages.append(f"{quoted(name)} never occurs in {place}{hint}")
    if asked and not seen:
        return [f"{place} has no rows"]
    if len(messages) == len(asked) and not close:
        few = ", ".join(map(quoted, sorted(seen)[:FEW]))
        more = f", and {len(seen) - FEW:,} more" if len(seen) > FEW else ""
        messages.append(f"the event types of {place} are {few}{more}")
    return messages
