"""Counterexamples to claims about streams, as values: what `counterexample` defines in the schemas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reports.results.parts import Part, Record


@dataclass(frozen=True, slots=True)
class Found:
    """An instance with its interval."""

    start: int = 0
    end: int = 0
    instance: tuple[Record, ...] = ()


@dataclass(frozen=True, slots=True)
class Compared(Part):
    """One side of an equation over a trace."""

    expression: str = ""
    instances: tuple[Found, ...] = ()


@dataclass(frozen=True, slots=True)
class Moment:
    """What the operands of a step output at a time: occurrences of an instance, none where there is none."""

    time: int = 0
    left: tuple[Record, ...] = ()
    right: tuple[Record, ...] = ()


@dataclass(frozen=True, slots=True)
class Counterexample:
    """What contradicts a claim: the common definition of that name in the schemas."""

    statement: str = ""
    relation: str = "=="
    parts_of_tick: int = 1
    substitution: Mapping[str, str] = field(default_factory=dict)
    bounds: Mapping[str, int] = field(default_factory=dict)
    trace: tuple[Record, ...] = ()
    left: Compared = Compared()
    right: Compared = Compared()
    conclusion: str = ""
    bound: int | None = None
    streams: Mapping[str, tuple[Found, ...]] = field(default_factory=dict)
    summary: str = ""
    claim: str = ""
    operator: str = "step"
    ticks: int | None = None
    history: tuple[Moment, ...] = ()
    kind: str = ""
    output: tuple[Record, ...] = ()
    expected: tuple[tuple[Record, ...] | None, ...] = ()
    detail: str = ""

    @property
    def drawn(self) -> bool:
        """Whether there is more to it than a sentence."""
        return bool(self.trace or self.left or self.right or self.streams or self.history) or not self.summary
