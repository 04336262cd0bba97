"""Snapshots: the state of a detector as plain data, stored as JSON and restored by any process.

What is restored may have been altered, cut off or made elsewhere: each member is looked at, and what no detector for
the expression can have stored is refused, with what is wrong.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar, cast

from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, Candidates, NonOccurrence
from detectors.protocol import Json, Snapshot
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Time
from semantics.errors import InputError

FORMAT = "remora/detector/1"  # The version of snapshots of detectors that work with instances
LATEST = 2**63 - 1  # The greatest time that an array holds, in ticks
SHOWN = 60  # So many characters of a wrong value are shown


PartT = TypeVar("PartT")


def damaged(what: str) -> InputError:
    """The error that says what is wrong with a snapshot."""
    return InputError(f"the snapshot is damaged: {what}", remedy="Restore it as it was stored, or begin anew.")


def require_origin(snapshot: object, origin: Mapping[str, str]) -> Mapping[str, Any]:
    """A snapshot whose members say that it comes from an origin; `InputError` where it comes from elsewhere."""
    if not isinstance(snapshot, Mapping):
        raise damaged(f"it is {_shown(snapshot)}, not an object with members")
    for key, value in origin.items():
        if snapshot.get(key) != value:
            remedy = "Restore it into the detector, for the expression, by the version that made it."
            raise InputError(f"the snapshot's {key} is {_shown(snapshot.get(key))}, not {value!r}", remedy=remedy)
    return snapshot


def typed(value: object, kind: type[PartT], what: str) -> PartT:
    """A part of a snapshot as a value of a type that `msgspec` knows; `InputError` where it is of another type."""
    import msgspec  # which detection without a state does without

    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise damaged(f"{what} is wrong: {error}") from None


def members(value: object, what: str, names: Collection[str]) -> Mapping[str, Any]:
    """An object with these members and no others; `InputError` where it is anything else."""
    if not isinstance(value, Mapping):
        raise damaged(f"{what} is {_shown(value)}, not an object with members")
    if value.keys() != set(names):
        missing, more = [name for name in names if name not in value], [each for each in value if each not in names]
        raise damaged(f"{what} lacks {', '.join(missing)}" if missing else f"{what} has {_shown(more)} besides")
    return value


def time(value: object, what: str, latest: Time = LATEST, *, earliest: Time = -1) -> Time:
    """A time in ticks from the earliest to the latest one, -1 for none; `InputError` where it is no such number."""
    if type(value) is not int:
        raise damaged(f"{what} is {_shown(value)}, not a whole number")
    if not earliest <= value <= latest:
        raise damaged(f"{what} is {value:,}, not from {earliest:,} to {latest:,}")
    return value


def _shown(value: object) -> str:
    text = "missing" if value is None else repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def snapshot_of(kind: str, expression: Expression, now: Time, variables: Mapping[str, object]) -> Snapshot:
    """A snapshot with auxiliary variables by name: times, instances and queues."""
    return {
        "schema": FORMAT,
        "detector": kind,
        "expression": str(expression),
        "now": now,
        "variables": {name: _plain(value) for name, value in variables.items()},
    }


def restored(
    snapshot: Snapshot, kind: str, expression: Expression, variables: Mapping[str, object]
) -> tuple[Time, dict[str, object]]:
    """The time and variables of a snapshot, given the latter in their initial state; queues are filled in place.

    `InputError` where it is another detector's, or no detector for the expression can have been in the state.
    """
    origin = {"schema": FORMAT, "detector": kind, "expression": str(expression)}
    found = members(require_origin(snapshot, origin), "it", (*origin, "now", "variables"))
    now = time(found["now"], "now")
    stored = members(found["variables"], "variables", variables)
    events = identifiers(expression)
    values = {name: _value(stored[name], name, variables[name], now, events) for name in variables}
    for name in values:
        if name.startswith("q"):
            _require_consistent(values, name[1:])
    return now, values


def _require_consistent(values: Mapping[str, object], number: str) -> None:
    """Make sure that t is the start of the last of the instances that a sequence remembered, l before those of q."""
    last = values.get(f"l{number}", NON_OCCURRENCE)
    remembered = [last, *cast(Candidates, values[f"q{number}"]).contents()]
    starts = [instance.start for instance in cast(Sequence[Instance], remembered)]
    if len(starts) > 1 and starts[0] >= starts[1]:
        raise damaged(f"l{number} does not start before what is in q{number}")
    if values[f"t{number}"] != starts[-1]:
        raise damaged(f"the latest start that was remembered is {starts[-1]}, but t{number} is another one")


def _plain(value: object) -> Json:
    if isinstance(value, int):
        return value
    if isinstance(value, Instance):
        return _occurrences(value)
    return [_occurrences(instance) for instance in cast(Candidates, value).contents()]


def _occurrences(instance: Instance) -> Json:
    return [[occurrence.event, occurrence.time, occurrence.value] for occurrence in instance.sorted_occurrences()]


def _value(stored: object, name: str, initial: object, now: Time, events: Collection[str]) -> object:
    """The value of a variable with this initial value; a queue is filled."""
    if isinstance(initial, NonOccurrence | Instance):
        return _instance(stored, name, now, events) if stored else NON_OCCURRENCE
    if isinstance(initial, int):
        return time(stored, name, now)
    queue = cast(Candidates, initial)
    listed = typed(stored, list[Any], name)
    before: Instance = NON_OCCURRENCE
    for member in listed:
        instance = _instance(member, f"an instance in {name}", now, events)
        if instance.start <= before.start or instance.end <= before.end:
            raise damaged(f"{name} is not in order: {instance!r} comes after {before!r}")
        queue.push(instance)
        before = instance
    if len(queue) != len(listed):
        raise damaged(f"{name} has {len(listed):,} instances, of which {len(queue):,} find room")
    return queue


def _instance(stored: object, name: str, now: Time, events: Collection[str]) -> Instance:
    occurrences = [
        Occurrence(event, time(when, f"the time of {event} in {name}", now, earliest=0), value)
        for event, when, value in typed(stored, list[tuple[str, int, str | int | float | bool | None]], name)
    ]
    for unknown in {occurrence.event for occurrence in occurrences}.difference(events):
        raise damaged(f"{name} has the event {unknown!r:.60}, which is not in the expression")
    if not occurrences or len({(each.event, each.time) for each in occurrences}) != len(occurrences):
        raise damaged(f"{name} has {'an event twice at one time' if occurrences else 'no occurrence'}")
    return Instance(occurrences)
