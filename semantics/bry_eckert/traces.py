"""Logs for programs of rules: events with intervals and typed attributes, several of a type at one time.

An event type that the program does not read is passed over. A value that is not of its declared type is refused: what
a program compares, it declares.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from semantics.bry_eckert.programs import Attribute, EventType, Program
from semantics.bry_eckert.terms import Type
from semantics.events import Event, Time, TraceForm, Value, quoted
from semantics.traces import files
from semantics.traces.files import TraceSource
from semantics.traces.instants import Instant, ReadReport
from semantics.traces.reading import USUAL, Reading
from semantics.traces.rows import Row, shown

FORM = TraceForm(source="2007, Section 2")
"""Trace form of logs in general: rows in the order of time."""


def form_of(program: Program) -> TraceForm:
    """Trace form of a program: the attributes that it declares."""
    names = {name for type in program.declared.values() for name in type.types}
    types = frozenset((*program.read, *program.derived))
    return TraceForm(intervals=True, attributes=tuple(sorted(names)), types=types, source=FORM.source)


def read_log(
    source: TraceSource,
    program: Program,
    reading: Reading = USUAL,
    *,
    lateness: Time = 0,
    report: ReadReport | None = None,
) -> Iterator[Instant]:
    """The rows of a log by the times at which they end.

    Raises:
        InputError: a row cannot be read, or is out of order.
    """
    form = form_of(program)
    reading = reading.with_tick(program.tick, "program")
    return files.read_instants(source, reading, form=form, lateness=lateness, report=report)


def events_of(rows: Iterable[Row], program: Program) -> Iterator[Event]:
    """The events that a program reads, with the values of the attributes that it declares.

    Raises:
        InputError: a value is not of its type, or the program itself derives events of this type.
    """
    declared, derived = program.declared, frozenset(program.derived)
    for row in rows:
        if row.event in derived:
            raise row.origin.error(
                row.number,
                f"{quoted(row.event)} is in the log, and the program derives it",
                "Give the derived event type another name, or take these rows out of the log.",
            )
        type = declared.get(row.event)
        if type is not None:
            if type.within is not None and row.time - row.start > type.within:
                raise row.origin.error(
                    row.number,
                    f"{quoted(row.event)} takes {row.time - row.start} ticks,"
                    f" and is declared to take at most {type.within}",
                    f"Declare how long it takes at most: {replace(type, within=row.time - row.start)}",
                )
            yield Event(row.event, row.start, row.time, _typed(row, type))


def distance(ticks: int, event: Row | Event) -> int:
    """How far a time among its data is from an event: before its start, or after its end; at most 0 within."""
    return max(event.start - ticks, ticks - event.time)


def as_declared(event: Event, type: EventType) -> bool:
    """Whether an event takes no longer, and its times are no farther from it, than is declared."""
    return (type.within is None or event.time - event.start <= type.within) and all(
        each.within is None
        or (value := event.attributes.get(each.name)) is None
        or distance(value, event) <= each.within  # type: ignore[arg-type]  # a time is an int
        for each in type.attributes
        if each.is_time
    )


def _typed(row: Row, type: EventType) -> Mapping[str, Value]:
    found: dict[str, Value] = {}
    for attribute in type.attributes:
        value = row.attributes.get(attribute.name)
        if value is not None:
            convert = _time if attribute.is_time else _value
            found[attribute.name] = convert(value, row, attribute)
    return found


def _time(value: Value, row: Row, attribute: Attribute) -> int:
    """The ticks of a time; refuses one that is farther from its event than declared."""
    ticks = _CONVERSIONS["int"](value)
    if not isinstance(ticks, int):
        raise row.origin.error(
            row.number,
            f"{attribute.name} of {quoted(row.event)} is {shown(value)}, which is no time in whole ticks",
            "Write a number of ticks; where the times of the log are dates, that since the beginning of 1970.",
        )
    far = distance(ticks, row)
    if attribute.within is not None and far > attribute.within:
        raise row.origin.error(
            row.number,
            f"{attribute.name} of {quoted(row.event)} is {ticks}, {far} ticks away from the event at"
            f" [{row.start}, {row.time}], and is declared to be within {attribute.within}",
            f"Declare how far it is at most: {replace(attribute, within=far)}",
        )
    return ticks


def _value(value: Value, row: Row, attribute: Attribute) -> Value:
    found = _CONVERSIONS[attribute.type](value)
    if found is None:
        kinds: dict[object, Type] = {bool: "bool", int: "int", float: "float", str: "str"}
        raise row.origin.error(
            row.number,
            f"{attribute.name} of {quoted(row.event)} is {shown(value)}, which is not of the declared type"
            f" {attribute.type}",
            f"Declare it as {kinds[value.__class__]}, or correct the log.",
        )
    if isinstance(found, float) and not math.isfinite(found):
        raise row.origin.error(
            row.number,
            f"{attribute.name} of {quoted(row.event)} is {shown(value)}, which is no finite 64-bit float",
            "Leave the attribute out, or correct the log.",
        )
    return found


def _int(value: Value) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    try:
        return int(value)  # type: ignore[arg-type]  # a cell that is there
    except ValueError:
        return None


def _float(value: Value) -> float | None:
    if isinstance(value, bool):
        return None
    try:
        return float(value)  # type: ignore[arg-type]  # a cell that is there
    except OverflowError:
        return math.inf
    except ValueError:
        return None


def _bool(value: Value) -> bool | None:
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    return value if isinstance(value, bool) else None


_CONVERSIONS: Mapping[Type, Callable[[Value], Value]] = {
    "int": _int,
    "float": _float,
    "str": lambda value: value if isinstance(value, str) else None,
    "bool": _bool,
}
"""By type the value of a cell; None where it is not of that type."""
