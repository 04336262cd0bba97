"""Logs for programs of rules: events with intervals and typed attributes, several of a type at one time."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

from semantics.bry_eckert.programs import Attribute, EventType, Program
from semantics.bry_eckert.terms import TYPES, Type
from semantics.events import Event, Time, TraceForm, Value, quoted
from semantics.traces import files
from semantics.traces.files import TraceSource
from semantics.traces.reading import USUAL, Reading
from semantics.traces.rows import Instant, ReadReport, Row, shown


def form_of(program: Program) -> TraceForm:
    """Trace form of a program: the attributes that it declares."""
    names = {name for type in program.declared.values() for name in type.types}
    types = frozenset((*program.read, *program.derived))
    return TraceForm(intervals=True, attributes=tuple(sorted(names)), types=types, source="2007, Section 2")


def read_log(
    source: TraceSource,
    program: Program,
    reading: Reading = USUAL,
    *,
    lateness: Time = 0,
    report: ReadReport | None = None,
) -> Iterator[Instant]:
    """The rows of a log by the times at which they end; raises `InputError` where one is unreadable or out of order."""
    reading = reading.with_tick(program.tick, "program")
    return files.read_instants(source, reading, form=form_of(program), lateness=lateness, report=report)


def events_of(rows: Iterable[Row], program: Program) -> Iterator[Event]:
    """The events that a program reads, as declared; `InputError` where one is not, or is of a derived type."""
    declared, derived = program.declared, frozenset(program.derived)
    for row in rows:
        if row.event in derived:
            reason = f"{quoted(row.event)} is in the log, and the program derives it"
            remedy = "Give the derived event type another name, or take these rows out of the log."
            raise row.origin.error(row.number, reason, remedy)
        type = declared.get(row.event)
        if type is not None:
            ticks = row.time - row.start
            if type.within is not None and ticks > type.within:
                reason = f"{quoted(row.event)} takes {ticks} ticks, and is declared to take at most {type.within}"
                remedy = f"Declare how long it takes at most: {replace(type, within=ticks)}"
                raise row.origin.error(row.number, reason, remedy)
            given = ((attribute, row.attributes.get(attribute.name)) for attribute in type.attributes)
            values = {one.name: _value(value, row, one) for one, value in given if value is not None}
            yield Event(row.event, row.start, row.time, values)


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


def _value(value: Value, row: Row, attribute: Attribute) -> Value:
    """A value as one of the declared type; refuses what is none, or a time that is too far from its event."""
    found, reason = _converted(value, attribute.type), ""
    if attribute.is_time and not isinstance(found, int):
        reason = f"is {shown(value)}, which is no time in whole ticks"
        remedy = "Write a number of ticks; where the times of the log are dates, that since the beginning of 1970."
    elif found is None:
        reason = f"is {shown(value)}, which is not of the declared type {attribute.type}"
        fits = attribute.type == "int" and _converted(value, "float") is not None
        remedy = f"Declare it as {'float' if fits else TYPES[value.__class__]}, or correct the log."
    elif isinstance(found, float) and not math.isfinite(found):
        reason, remedy = f"is {shown(value)}, which is no finite 64-bit float", "Leave it out, or correct the log."
    elif attribute.within is not None and (far := distance(found, row)) > attribute.within:  # type: ignore[arg-type]
        where = f"{far} ticks away from the event at [{row.start}, {row.time}]"
        reason = f"is {found}, {where}, and is declared to be within {attribute.within}"
        remedy = f"Declare how far it is at most: {replace(attribute, within=far)}"
    if reason:
        raise row.origin.error(row.number, f"{attribute.name} of {quoted(row.event)} {reason}", remedy)
    return found


def _converted(value: Value, type: Type) -> Value:
    """The value of a cell, which may be text; None where it is not of a type."""
    if type == "bool" and isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    if isinstance(value, bool) or type in ("bool", "str"):
        return value if TYPES[value.__class__] == type else None
    if type == "int" and isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 2**53 else None  # which others are beyond that
    if isinstance(value, str) and "_" in value:  # which is for programs of Python
        return None
    try:
        return int(value) if type == "int" else float(value)  # type: ignore[arg-type]  # a cell that is there
    except OverflowError:
        return math.inf
    except ValueError:
        return None
