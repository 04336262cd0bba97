"""Claims about what is found in a log at a time, or is not: trees, in which each has its grounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from semantics.events import Moment, Time, in_ticks

Shown: TypeAlias = Callable[[Time], Time | str]
"""How times are shown to people."""


@dataclass(frozen=True)
class Reason:
    """A claim in words and as data, what it rests on, and whether it is as that which it is a ground of wants it."""

    said: str
    data: Mapping[str, Any]
    parts: tuple[Reason, ...] = ()
    met: bool = True

    def as_data(self) -> dict[str, Any]:
        """The claim with its grounds as plain data; times are in ticks."""
        return {**self.data, "met": self.met, "said": self.said, "parts": [part.as_data() for part in self.parts]}

    def lines(self, first: str = "", rest: str = "") -> Iterator[str]:
        """The tree, drawn; the lines of the parts begin with `rest`."""
        yield f"{first}{'✓' if self.met else '✗'} {self.said}"
        for part in self.parts:
            last = part is self.parts[-1]
            yield from part.lines(rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))


@dataclass(frozen=True)
class Reasons:
    """What is found at a time, each with its derivation; or else what is missing for each thing that may be found."""

    answers: Sequence[Reason]
    missed: Sequence[Reason]
    said: Sequence[str] = ()  # what else is known, in words
    data: Mapping[str, Any] = field(default_factory=dict)


def stamp(time: Time) -> int | list[int]:
    """A time as data: its tick, with the place in it of a row that comes before or after others of the same tick."""
    return [int(time), time.place] if isinstance(time, Moment) else int(time)


def spanned(start: Time, end: Time, shown: Shown = in_ticks) -> str:
    """An interval in words."""
    return f"[{shown(start)}, {shown(end)}]"
