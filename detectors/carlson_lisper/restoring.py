"""Validation of snapshots, which may be foreign, cut off or altered.

A check takes a value and what it is called, and gives the value back, or says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import pairwise
from typing import Any

from semantics.carlson_lisper.occurrences import Time
from semantics.errors import InputError

LATEST = 2**63 - 1
"""The greatest time that an array holds, in ticks."""

SHOWN = 60
"""So many characters of a wrong value are shown."""


def damaged(what: str) -> InputError:
    """The error that says what is wrong with a snapshot."""
    return InputError(
        f"the snapshot is damaged: {what}", remedy="Restore it as it was stored, or begin anew."
    )


def require_origin(snapshot: object, origin: Mapping[str, str]) -> Mapping[str, Any]:
    """A snapshot that is one of a detector, for an expression.

    Args:
        snapshot: what is to be restored.
        origin: the members that say where it comes from.

    Raises:
        InputError: it comes from elsewhere.
    """
    if not isinstance(snapshot, Mapping):
        raise damaged(f"it is {_shown(snapshot)}, not an object with members")
    for key, value in origin.items():
        if snapshot.get(key) != value:
            raise InputError(
                f"the snapshot's {key} is {_shown(snapshot.get(key))}, not {value!r}",
                remedy="Restore it into the detector, for the expression, by the version that made it.",
            )
    return snapshot


def members(value: object, what: str, names: Collection[str]) -> Mapping[str, Any]:
    """An object with these members and no others.

    Raises:
        InputError: it is anything else.
    """
    if not isinstance(value, Mapping):
        raise damaged(f"{what} is {_shown(value)}, not an object with members")
    missing = [name for name in names if name not in value]
    if missing:
        raise damaged(f"{what} lacks {', '.join(missing)}")
    unknown = [str(name) for name in value if name not in names]
    if unknown:
        raise damaged(f"{what} has {', '.join(unknown)}, which the detector has not")
    return value


def time(value: object, what: str, latest: Time = LATEST, *, earliest: Time = -1) -> Time:
    """A time in ticks, or -1 for none.

    Raises:
        InputError: it is no whole number, or none from the earliest to the latest one.
    """
    if type(value) is not int:
        raise damaged(f"{what} is {_shown(value)}, not a whole number")
    if not earliest <= value <= latest:
        raise damaged(f"{what} is {value:,}, not from {earliest:,} to {latest:,}")
    return value


def items(value: object, what: str) -> Sequence[Any]:
    """A list.

    Raises:
        InputError: it is none.
    """
    if not isinstance(value, list):
        raise damaged(f"{what} is {_shown(value)}, not a list")
    return value


def times(value: object, what: str, latest: Time) -> list[Time]:
    """A list of strictly increasing times in ticks.

    Raises:
        InputError: it is anything else.
    """
    found = [time(one, f"a time in {what}", latest, earliest=0) for one in items(value, what)]
    for one, other in pairwise(found):
        if one >= other:
            raise damaged(f"in {what}, {other:,} comes after {one:,}")
    return found


def _shown(value: object) -> str:
    text = "missing" if value is None else repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
