"""Detection of a pattern in a keyed stream: each key is a trace of its own, as with `remora detect --partition-by`.

An instant is done when an event of its key has come that is later by more than the lateness, or at the end of a stream
that is not live. Detections and pending ones together are the batch answer about all that came.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from pyspark.sql import Column, DataFrame, SparkSession, functions as f
from pyspark.sql.types import DataType, IntegralType, StringType, StructField

from detectors.carlson_lisper.catalogue import AUTO, DETECTORS, OF_INTERVALS, Made, Stepper, by_name
from detectors.carlson_lisper.protocol import Report
from detectors.protocol import Snapshot
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Time
from semantics.carlson_lisper.syntax import parse
from semantics.carlson_lisper.traces import form_of
from semantics.errors import InputError
from semantics.events import Event
from semantics.traces.files import read_rows
from semantics.traces.reading import Reading
from semantics.traces.rows import Origin, Row, event_of, value_of
from semantics.traces.times import ticks_of
from streaming.keyed import LATE, PACKS, PENDING, KeyedDetection, Stepped, packs_of, require_columns

VALUE = "value"  # The column of values, where no other one is named

DETECTED, REPEATED = "detected", "repeated"

_ORIGIN = Origin("a row of the stream")


@dataclass(frozen=True)
class PatternDetection(KeyedDetection[Report]):
    """The detection of a pattern by keys; see `detections`."""

    expression: str
    detector: str
    instances: bool
    lateness: Time
    keep_one: bool
    partition_by: str | None
    live: bool = True

    kinds = (DETECTED, LATE, REPEATED, PENDING)
    own_time = True
    end = "end"
    columns = (StructField("instance", StringType()),)

    def question(self) -> dict[str, object]:
        return {
            "expression": self.expression,
            "wanted": "instances" if self.instances else "intervals",
            "detector": self.detector,
        }

    def rows(self, path: str, reading: Reading) -> Iterator[Row]:
        reading = replace(reading, partition_by=self.partition_by)
        return read_rows(path, reading, form=form_of(parse(self.expression)))

    def events(self, row: Row) -> Iterable[Event]:
        return (Event(row.event, row.start, row.time, {} if row.value is None else {VALUE: row.value}),)

    def taken(self, waiting: list[Event], events: Iterable[Event], done: Time, key: str) -> Iterator[Mapping[str, Any]]:
        """Let events that the pattern mentions wait; `InputError` for two of a type at one time (Def. 3.4).

        If one is to be kept, it is that of an earlier micro-batch, and within one, that with the least value.
        """
        there = {(event.time, event.type) for event in waiting}
        mentioned = (event for event in events if event.type in _types(self.expression))
        for event in sorted(mentioned, key=_sort_key):
            place = event.time, event.type
            if event.time <= done:
                yield self.late(event, key)
            elif place not in there:
                there.add(place)
                waiting.append(event)
            elif self.keep_one:
                yield self.late(event, key, REPEATED)
            else:
                raise InputError(
                    f"{event.type} occurs a second time at time {event.time};"
                    " occurrences of one event type have different times (Def. 3.4)",
                    place=f"key {json.loads(key)}",
                    remedy="Keep one of them, and have the others reported: --keep-one, or keep_one=True.",
                )

    def step(self, engine: str, ready: Sequence[Event], until: Time | None) -> Stepped[Report]:
        if not ready:
            return Stepped([], engine, None)
        found, initial = _detector(self.detector, self.expression, self.instances)
        found.restore(json.loads(engine) if engine else initial)
        reports = [
            found.step(time, {event.type: event.attributes.get(VALUE) for event in events})
            for time, events in groupby(ready, key=attrgetter("time"))
        ]
        said = [report for report in reports if report is not None]
        return Stepped(said, json.dumps(found.snapshot(), separators=(",", ":")), None)

    def row(self, said: Report, key: str, *, pending: bool) -> Mapping[str, Any]:
        line: dict[str, Any] = {"start": said.start, "end": said.end}
        if isinstance(said, Instance):
            line["instance"] = [occurrence._asdict() for occurrence in said.sorted_occurrences()]
        instance = json.dumps(line["instance"]) if "instance" in line else None
        return self.row_of(line, key, PENDING if pending else DETECTED, instance=instance)

    def late(self, event: Event, key: str, kind: str = LATE) -> Mapping[str, Any]:
        data = {"start": event.time, "end": event.time, "event": event.type}
        return self.row_of(data, key, kind, instance=None)

    def key_column(self) -> Column:
        return _text_of_key().alias("partition")

    @property
    def is_bounded(self) -> bool:
        """Whether the state of the detector is known not to grow with its input."""
        return _made(self.detector, parse(self.expression), self.instances).bounded


@lru_cache(maxsize=8)
def _detector(name: str, expression: str, instances: bool) -> tuple[Stepper, Snapshot]:
    """A detector and its initial state; made once in a process, since code may be generated for it."""
    made = _made(name, parse(expression), instances).maker()
    # Through JSON once, so that the initial state has the form of every later one.
    return made, json.loads(json.dumps(made.snapshot()))


def _made(name: str, expression: Expression, instances: bool) -> Made:
    """How a detector is made, by its name or `auto`; `InputError` if there is none or it does not do this."""
    made = by_name(name, expression, "instances" if instances else "intervals")
    if made is None:
        known = ", ".join((AUTO, *DETECTORS, *OF_INTERVALS))
        raise InputError(f"there is no detector {name!r} for streams", remedy=f"Known: {known}.")
    return made


@lru_cache(maxsize=8)
def _types(expression: str) -> frozenset[str]:
    return frozenset(identifiers(parse(expression)))


def _sort_key(event: Event) -> tuple[Time, str, str]:
    return Occurrence(event.type, event.time, event.attributes.get(VALUE)).sort_key()


def _text_of_key() -> Column:
    return f.get_json_object(f.concat(f.lit('{"key": '), f.col("key"), f.lit("}")), "$.key")


def detections(
    stream: DataFrame,
    expression: Expression | str,
    *,
    key: str,
    time: str = "time",
    event: str = "event",
    value: str | None = None,
    lateness: Time = 0,
    detector: str = AUTO,
    instances: bool = False,
    keep_one: bool = False,
) -> DataFrame:
    """The detections in each key's events, and the events of the pattern that were not taken.

    The columns are `key`, as in the stream; `kind`: `detected`, or `late` or `repeated` for an event; `start` (the
    latest, Def. 3.12) and `end` in ticks; `event`, the type of an event that was not taken; and `instance`: the
    occurrences as JSON, `[{"event": …, "time": …, "value": …}, …]`, where asked for. An event is late when it comes, in
    a later micro-batch, after events of its key that are later by more than `lateness` ticks.

    Args:
        key: the column whose values have a trace each, of a type that text stands for; null is a value.
        time: the column of times: integers >= 0 in ticks.
        event: the column of event types. A type that the pattern does not mention moves the key's time on.
        value: the column of values; where none is named, `value` if it is there. Only instances show values.
        instances: whether whole instances are wanted; starts and ends alone are found faster, with a smaller state.
        keep_one: whether an event type may occur twice at one time of a key: one of them is kept, the others are
            rows of the kind `repeated`. Otherwise this ends the query with an error.

    Raises:
        InputError: the expression, a name or a type of a column, the detector or the session is not suitable. A row
            that breaks a rule of traces ends the query with the same error; see `streaming.folder.explained`.
    """
    detection = settings_of(
        expression, lateness=lateness, detector=detector, instances=instances, keep_one=keep_one, key=key
    )
    if value is None and VALUE in stream.columns:
        value = VALUE
    values = [value] if value is not None and instances else []
    kinds = {key: DataType, time: IntegralType, event: StringType, **dict.fromkeys(values, DataType)}
    require_columns(stream, kinds)
    rows = stream.select(
        f.col(f"`{key}`").cast("string").alias("key"),
        f.col(f"`{time}`").cast("long").alias("time"),
        f.col(f"`{event}`").alias("event"),
        *(f.col(f"`{name}`").alias(VALUE) for name in values),
    )
    packs = rows.mapInArrow(partial(packs_of, detection=detection, row=_row_of), PACKS)
    found = replace(detection, live=stream.isStreaming).detected(packs)
    return detection.table(found, _text_of_key().cast(stream.schema[key].dataType).alias("key"))


def settings_of(
    expression: Expression | str,
    *,
    lateness: Time = 0,
    detector: str = AUTO,
    instances: bool = False,
    keep_one: bool = False,
    key: str = "key",
) -> PatternDetection:
    """The settings of a detection; `InputError` where one is not suitable. See `detections`."""
    pattern = parse(expression) if isinstance(expression, str) else expression
    if type(lateness) is not int or lateness < 0:
        raise InputError(f"the lateness {lateness!r} is not an integer >= 0", remedy="Give it in ticks.")
    name = _made(detector, pattern, instances).name
    return PatternDetection(str(pattern), name, instances, lateness, keep_one, key)


def pending(session: SparkSession, checkpoint: str | Path, settings: PatternDetection) -> DataFrame | None:
    """Rows as of `detections`, of the kind `pending`, that instants which are not done would give if nothing more came.

    The key is text. None if no micro-batch has been finished. The checkpoint, which is not changed, is of a query with
    one detection that has stopped.
    """
    rows = settings.pending(session, Path(checkpoint))
    return None if rows is None else settings.table(rows, _text_of_key().alias("key"))


def _row_of(cells: Mapping[str, Any], number: int) -> Row:
    """A row of the stream; `InputError` if it breaks a rule of traces."""
    try:
        time, event, value = ticks_of(cells["time"]), event_of(cells["event"]), value_of(cells.get(VALUE))
    except InputError as error:
        raise _ORIGIN.at(0, error) from None
    return Row(time, event, time, {VALUE: value}, cells["key"], _ORIGIN, number)
