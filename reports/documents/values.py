"""Base of all documents, and values that several of them have: traces, instances, counterexamples.

Times of events are in ticks; `seconds` are wall-clock seconds, which depend on the machine; counts of work
(`rlimit`) are a solver's own, and those of different solvers cannot be compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from msgspec import Meta, Struct


def M(description: str) -> Meta:  # noqa: N802 - reads like a mark beside a field
    """What a field says."""
    return Meta(description=description)


Count: TypeAlias = Annotated[int, Meta(ge=0)]
Scalar: TypeAlias = str | int | float | bool | None
Time: TypeAlias = Annotated[int, Meta(ge=0)] | str
"""Ticks, or ISO 8601 where times of day were read."""

Intervals: TypeAlias = tuple[tuple[int, int], ...]
Row: TypeAlias = Mapping[str, Scalar]
"""An event of a trace: `event`, `time` when it ends, `start` where it takes time, and its attributes."""

Record: TypeAlias = Mapping[str, Any]
System: TypeAlias = Annotated[str, M("The system that it is of, where that is not the usual one.")]
Word: TypeAlias = Literal[
    "certified", "kernel-checked", "agreed", "proved", "computed", "tested", "unknown", "refuted",
    "disagreement", "error",
]  # fmt: skip
"""The standing of a claim."""


class Value(Struct, frozen=True, kw_only=True):
    """A part of a document. Whoever reads one ignores fields that he does not know."""


class Document(Value, tag_field="schema", tag=""):
    """A document that a command writes; its key `schema` says which, and in which version."""

    written: ClassVar[str] = ""


class Occurrence(Value):
    """An occurrence of an event."""

    event: str
    time: Annotated[Count, M("When it occurs, in ticks.")]
    value: Annotated[Scalar, M("Its value, any scalar; null if it has none.")] = None


class Instance(Value):
    """An instance of an expression."""

    start: Annotated[Count, M("The time of its first occurrence, in ticks.")]
    end: Annotated[Count, M("The time of its last occurrence, in ticks.")]
    instance: Annotated[tuple[Occurrence, ...], M("Its occurrences in the order of time.")]


class Side(Value):
    """One side of a comparison over a trace."""

    expression: str
    instances: Annotated[tuple[Instance, ...], M("All its instances over the trace, by end time.")]


class Moment(Value):
    """Outputs of the operands of a step at a time: occurrences of an instance, null where there is none."""

    time: int
    left: tuple[Occurrence, ...] | None = None
    right: tuple[Occurrence, ...] | None = None


class Counterexample(Value):
    """Contradiction of a claim, of one of four kinds.

    A `trace`, on which the two sides of an equation differ; `streams`, which satisfy what a claim assumes and not what
    it concludes; a `history`, after which a step of a detector is wrong; or a sentence alone.
    """

    system: System = ""
    statement: str = ""
    relation: Annotated[str, M("`==` the same meaning, `<=` inclusion, `~=` the same detections.")] = "=="
    parts_of_tick: Annotated[int, M("So many units of time are a tick; 1 but for dense time.")] = 1
    substitution: Annotated[Mapping[str, str], M("The expression that was put for each identifier.")] = {}
    bounds: Annotated[Mapping[str, int], M("The value of each symbolic bound, in units of time.")] = {}
    trace: tuple[Occurrence, ...] = ()
    left: Annotated[Side | None, M("The left side over the trace.")] = None
    right: Annotated[Side | None, M("The right side over the trace.")] = None
    conclusion: str = ""
    bound: Annotated[Count | None, M("The bound τ in ticks; null if there is none.")] = None
    streams: Mapping[str, tuple[Instance, ...]] = {}
    summary: str = ""
    claim: Annotated[str, M("The lemma about the step.")] = ""
    operator: Annotated[str, M("The operator whose step it is.")] = "step"
    ticks: Annotated[Count | None, M("The bound of a temporal restriction, in ticks.")] = None
    history: Annotated[tuple[Moment, ...], M("What the operands output, instant by instant.")] = ()
    kind: str = ""
    output: Annotated[tuple[Occurrence, ...] | None, M("What the step output: an instance, or null.")] = None
    expected: Annotated[tuple[tuple[Occurrence, ...] | None, ...], M("What would have been valid.")] = ()
    detail: str = ""
