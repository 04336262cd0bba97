"""Files of profiles: read and chosen from, each profile explained, and what is said of one in text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from detectors.hinze_voisard.engine import Engine
from semantics.errors import InputError
from semantics.events import Event, Time
from semantics.hinze_voisard.evaluation import event_of
from semantics.hinze_voisard.notation import text, words
from semantics.hinze_voisard.profiles import OfClass, ProfileFile, TimeClass, parts
from semantics.hinze_voisard.syntax import parse
from semantics.traces.instants import Instant
from semantics.traces.rows import Partition


def read_profiles(path: str | Path, tick: str | None = None) -> ProfileFile:
    """The profiles in a file.

    Args:
        tick: the length of a tick where the file states none, such as `1s`.

    Raises:
        InputError: it cannot be read, or states none; names file, line and column.
    """
    try:
        given = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the profiles cannot be read: {error}", place=str(path)) from None
    try:
        found = parse(given, (tick or "").replace(" ", ""))
        if not found.profiles:
            raise InputError("no profile is stated", remedy="Write for example profile P = (a ; b)[5].")
        return found
    except InputError as error:
        error.place = f"{path}, {error.place}" if error.place else str(path)
        raise


only_option = click.option(
    "--only",
    "only",
    metavar="PROFILE",
    multiple=True,
    help="Give occurrences of this profile alone. Repeatable.",
)
"""The option for `chosen`."""


def chosen(file: ProfileFile, names: Collection[str]) -> ProfileFile:
    """The file with the profiles of some names alone, or with all where there are none.

    Raises:
        InputError: a name is none.
    """
    known = [profile.name for profile in file.profiles]
    for name in names:
        if name not in known:
            raise InputError(
                f"there is no profile {name}",
                place="--only",
                remedy=f"The profiles: {', '.join(known) or 'none'}.",
            )
    return file.only(names or known)


def by_partition(instants: Iterable[Instant]) -> dict[Partition, list[Event]]:
    """The events of each partition, in order of time."""
    found: dict[Partition, list[Event]] = {}
    for instant in instants:
        for row in instant.rows:
            found.setdefault(row.partition, []).append(event_of(row))
    return found


def in_text(row: Mapping[str, Any]) -> str:
    """The interval, the profile and the events of an occurrence."""
    events = ", ".join(f"{one['event']}@{one['time']}" for one in row["events"])
    return f"[{row['start']}, {row['time']}]  {row['event']}: {events}"


def outside(
    profiles: ProfileFile, times: Sequence[Time], shown: Callable[[Time], Time | str], place: str
) -> Iterator[str]:
    """Of each class whose time events all lie outside a log that such events of the profiles never occur.

    Args:
        times: the times of the log, the first and the last among them; empty for an empty log.
    """
    named = (part for one in profiles.profiles for part in parts(one.expression) if isinstance(part, OfClass))
    for name in dict.fromkeys(part.type for part in named):
        found = profiles.classes[name]
        if not isinstance(found, TimeClass) or found.every or not times:
            continue
        if not found.times(min(times), max(times)):
            said = f"the class {name} lies outside {place}, at {shown(found.at[0])}, and never occurs in it"
            daily = "; for a time of each day write time(every 24h from 14h)"
            yield said + (daily if isinstance(shown(0), str) else "")


def explained(profiles: ProfileFile, name: str) -> dict[str, Any]:
    """A profile in words, whether what is announced can be withdrawn, and what has no bound, as plain data."""
    (profile,) = (one for one in profiles.profiles if one.name == name)
    engine = Engine(ProfileFile(profiles.classes, (profile,), profiles.text))
    parts = [
        {"part": text(part), "withdraws": node.undone, "unbounded": node.unbounded}
        for part, node in engine.parts
        if node.operands
    ]
    whole = engine.parts[-1][1]
    return {
        "name": name,
        "profile": text(profile.expression),
        "words": words(profile.expression),
        "withdraws": "" if whole.steady else "what is announced can be withdrawn",
        "bounded": not any(part["unbounded"] for part in parts),
        "parts": parts,
    }
