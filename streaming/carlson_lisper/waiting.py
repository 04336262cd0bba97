"""The events of one key that may still be joined by others of their instant: order of time within a lateness.

Time is that of the events, in ticks; no clock is looked at. An instant is complete when an event of the same key with a
time that is greater by more than the lateness has been seen. What arrives for an instant that is done is late: it is
reported and changes nothing. So the occurrences of at most `lateness + 1` ticks wait at any time, between two calls.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import Enum

from detectors.carlson_lisper import restoring
from semantics.carlson_lisper.occurrences import Occurrence, Time, Value
from semantics.errors import InputError

Instant = tuple[Time, Mapping[str, Value]]
"""A time with the values of the events that occur then, by event type."""


class Fate(Enum):
    """What becomes of an event on its arrival."""

    WAITS = "waiting"
    LATE = "late"
    REPEATED = "repeated"


@dataclass
class Waiting:
    """The events of one key that wait for their instant to be complete.

    Attributes:
        time: the greatest time seen, of an event of any type; -1 before the first.
        done: the instants up to this time are done; -1 before the first.
        at: what waits, by time.
    """

    time: Time = -1
    done: Time = -1
    at: dict[Time, dict[str, Value]] = field(default_factory=dict)
    _new: set[tuple[Time, str]] = field(default_factory=set)

    def see(self, time: Time) -> None:
        """Note the time of an event, also of one that the pattern does not mention."""
        if time > self.time:
            self.time = time

    def add(self, event: str, time: Time, value: Value = None) -> Fate:
        """Let an event that the pattern mentions wait, unless it is late.

        Of several of one type at one time (Def. 3.4 allows one), one is kept: that of an earlier micro-batch, and
        within one, where arrival has no order, that with the least value.
        """
        self.see(time)
        if time <= self.done:
            return Fate.LATE
        occurring = self.at.setdefault(time, {})
        if event in occurring:
            if (time, event) in self._new:
                both = (Occurrence(event, time, value), Occurrence(event, time, occurring[event]))
                occurring[event] = min(both, key=Occurrence.sort_key).value
            return Fate.REPEATED
        occurring[event] = value
        self._new.add((time, event))
        return Fate.WAITS

    def release(self, lateness: Time) -> list[Instant]:
        """Take out what is complete, in order of time; it is done then. Ends the micro-batch."""
        return self._release(self.time - lateness - 1)

    def release_all(self) -> list[Instant]:
        """Take out everything, in order of time, as at the end of a trace."""
        return self._release(self.time)

    def _release(self, until: Time) -> list[Instant]:
        self._new.clear()
        self.done = max(self.done, until)
        times = sorted(time for time in self.at if time <= self.done)
        return [(time, self.at.pop(time)) for time in times]

    def to_json(self) -> str:
        """What waits, as JSON: `[[time, {event: value, …}], …]` in order of time."""
        return json.dumps(sorted(self.at.items()), separators=(",", ":")) if self.at else "[]"

    @classmethod
    def from_json(cls, time: Time, done: Time, text: str, events: Collection[str]) -> Waiting:
        """What waits, from what was stored.

        Args:
            time: the greatest time seen.
            done: the instants up to this time are done.
            text: as `to_json` gives it.
            events: the event types of the pattern.

        Raises:
            InputError: it is damaged, or another pattern's.
        """
        restoring.time(done, "done", restoring.time(time, "time"))
        waiting = cls(time, done)
        if text == "[]":
            return waiting
        try:
            stored = json.loads(text)
        except ValueError:
            raise restoring.damaged("what waits is not JSON") from None
        for pair in restoring.items(stored, "what waits"):
            when, occurring = _pair(pair)
            waiting.at[restoring.time(when, "a time that waits", time, earliest=done + 1)] = occurring
            for event in occurring:
                if event not in events:
                    raise restoring.damaged(f"the event {event!r:.60} waits, which is not in the expression")
        return waiting


def _pair(member: object) -> tuple[object, dict[str, Value]]:
    pair = restoring.items(member, "an instant that waits")
    if len(pair) != 2 or not isinstance(pair[1], dict):
        raise restoring.damaged(f"an instant that waits is {member!r:.60}")
    return pair[0], pair[1]


def second_occurrence(event: str, time: Time, key: object) -> InputError:
    """The error about an event type that occurs twice at one time, which Def. 3.4 forbids."""
    return InputError(
        f"{event} occurs a second time at time {time};"
        " occurrences of one event type have different times (Def. 3.4)",
        place=f"key {key}",
        remedy="Keep one of them, and have the others reported: --keep-one, or keep_one=True.",
    )
