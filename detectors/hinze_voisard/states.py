"""States as plain data: lists that begin with a word for what they are, and occurrences with their events."""

from __future__ import annotations

from typing import Any

from detectors.hinze_voisard.lists import Occurrence
from semantics.events import Event

_KINDS: dict[str, type[Any]] = {"list": list, "tuple": tuple, "set": set, "dict": dict}


def plain(value: Any) -> Any:
    """Lists, tuples, sets, dictionaries and occurrences as plain data."""
    if isinstance(value, Occurrence):
        event = value.event
        return ["occurrence", *value.place, event.type, event.time, dict(event.attributes)]
    name = type(value).__name__
    if name not in _KINDS:
        return value
    return [name, *map(plain, value.items() if name == "dict" else value)]


def unplain(data: Any, known: dict[tuple[int, int], Occurrence]) -> Any:
    """What was plain data; each occurrence is one object, by its place in `known`.

    Raises:
        KeyError, TypeError, ValueError: it is not of that form.
    """
    if not isinstance(data, list):
        return data
    name, *rest = data
    if name != "occurrence":
        return _KINDS[name](unplain(one, known) for one in rest)
    rank, number, type_, time, attributes = rest
    place = int(rank), int(number)
    if place not in known:
        known[place] = Occurrence(Event(str(type_), time, time, attributes), place)
    return known[place]
