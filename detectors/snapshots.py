"""The state of detectors that work with instances as plain data: stored as JSON, restored by any process."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from detectors.protocol import Json, Snapshot
from detectors.steps import NON_OCCURRENCE, Candidates, NonOccurrence
from semantics.errors import InputError
from semantics.expressions import Expression
from semantics.occurrences import Instance, Occurrence, Time

FORMAT = "remora/detector/1"
"""The version of these snapshots."""


def snapshot_of(kind: str, expression: Expression, now: Time, variables: Mapping[str, object]) -> Snapshot:
    """A snapshot.

    Args:
        kind: which detector it is.
        expression: what it detects.
        now: the time of its last step, -1 before the first.
        variables: auxiliary variables by name: times, instances and queues.
    """
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
    """The time and the variables of a snapshot; queues are filled in place.

    Args:
        snapshot: made by `snapshot_of` and perhaps stored since.
        kind: which detector wants it.
        expression: what that detects.
        variables: its variables in their initial state.

    Raises:
        InputError: the snapshot is another detector's, or damaged.
    """
    expected = {"schema": FORMAT, "detector": kind, "expression": str(expression)}
    for key, value in expected.items():
        if snapshot.get(key) != value:
            raise InputError(
                f"the snapshot's {key} is {snapshot.get(key)!r}, not {value!r}",
                remedy="Restore it into the detector, for the expression, by the version that made it.",
            )
    try:
        stored = cast(Mapping[str, Any], snapshot["variables"])
        if set(stored) != set(variables):
            raise ValueError("other variables")
        values = {name: _value(stored[name], variables[name]) for name in variables}
        return int(cast(int, snapshot["now"])), values
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"the snapshot for {expression} is damaged: {error}") from error


def _plain(value: object) -> Json:
    if isinstance(value, int):
        return value
    if isinstance(value, Instance):
        return _occurrences(value)
    return [_occurrences(instance) for instance in cast(Candidates, value).contents()]


def _occurrences(instance: Instance) -> Json:
    return [
        [occurrence.event, occurrence.time, occurrence.value] for occurrence in instance.sorted_occurrences()
    ]


def _value(stored: Any, initial: object) -> object:
    if isinstance(initial, NonOccurrence | Instance):
        return _instance(stored)
    if isinstance(initial, int):
        return int(stored)
    queue = cast(Candidates, initial)
    for member in stored:
        queue.push(_instance(member))
    return queue


def _instance(stored: Any) -> Instance:
    if not stored:
        return NON_OCCURRENCE
    return Instance(Occurrence(str(event), int(time), value) for event, time, value in stored)
