"""Lemma 5.1, Corollary 4.4, Theorem 5.1 and the laws with ∞ on small streams: what an altered definition makes false.

All streams of up to a few instances over two instants are tried, and the formulas of the definitions are evaluated on
them. That no counterexample is found among these proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from itertools import combinations, product
from types import MappingProxyType
from typing import TypeAlias

from laws.claims import laws
from laws.counterexamples import RestrictionCounterexample
from laws.definitions import Definitions
from laws.exhaustive import check_exhaustively
from proofs.histories import EVENTS, span
from semantics.finite import FINITE_LOGIC, FiniteStream
from semantics.formulas import Formula, Scope, interpret, rename_streams
from semantics.occurrences import Instance, Stream, Time
from semantics.restriction import VALID_ABSENCE, VALID_INSTANCE, valid
from smt.prove import Refutation

INSTANTS = 2
"""The streams are over so many instants."""

OCCURRENCES = 2
"""The laws are evaluated on all streams over so many occurrences."""

Found: TypeAlias = tuple[Refutation, frozenset[str]]
"""A counterexample, and the parts of the claim that it contradicts."""


@cache
def _instances() -> tuple[Instance, ...]:
    """Two instances for each pair of a start and an end."""
    spans = [(start, end) for end in range(INSTANTS) for start in range(end, -1, -1)]
    return tuple(span(event, start, end) for event in EVENTS for start, end in spans)


@cache
def _streams() -> tuple[Stream, ...]:
    """All streams of these, small ones first."""
    found = _instances()
    return tuple(
        frozenset(chosen) for count in range(len(found) + 1) for chosen in combinations(found, count)
    )


def _holds(
    formula: Formula,
    streams: Mapping[str, Stream],
    times: Mapping[str, Time] | None = None,
    instances: Mapping[str, Instance] | None = None,
) -> bool:
    finite = {name: FiniteStream(stream) for name, stream in streams.items()}
    return interpret(formula, FINITE_LOGIC, Scope(instances or {}, finite, times or {}))


def _valid(definitions: Definitions, instance: Instance | None, stream: Stream, time: Time) -> bool:
    if instance is None:
        return _holds(definitions.valid_absence, {"S": stream}, {"τ": time})
    return _holds(definitions.valid_instance, {"S": stream}, {"τ": time}, {"e": instance})


def validity(definitions: Definitions) -> Callable[[Instance | None, Stream, Time], bool]:
    """The definition of a valid output, as a function of an instance or None, a stream and a time in ticks."""
    altered = (definitions.valid_instance, definitions.valid_absence) != (VALID_INSTANCE, VALID_ABSENCE)
    return partial(_valid, definitions) if altered else valid


def _outputs(definitions: Definitions) -> Iterator[tuple[Stream, tuple[Instance | None, ...]]]:
    """Streams with outputs that are valid at every time."""
    for stream in _streams():
        choices = [
            [each for each in (None, *_instances()) if _valid(definitions, each, stream, time)]
            for time in range(INSTANTS + 1)
        ]
        for chosen in product(*choices):
            yield stream, chosen


def _valid_outputs(definitions: Definitions) -> Found | None:
    """Outputs that are valid at every time and form no valid restriction."""
    statement = "valid(e_τ, S, τ) for all τ implies rem(S, {e_0, e_1, …} - {⟨⟩})"
    for stream, chosen in _outputs(definitions):
        output = frozenset(each for each in chosen if each is not None)
        for number, condition in enumerate(definitions.rem.conditions, start=1):
            if not _holds(condition, {"S": stream, "S'": output}):
                return _found(statement, f"condition {number}", {"S": stream, "S'": output})
        if not all(_valid(definitions, each, output, time) for time, each in enumerate(chosen)):
            return _found(statement, "own stream", {"S": stream, "S'": output})
    return None


def _same_detections(definitions: Definitions) -> Found | None:
    """Two valid restrictions of a stream with different starts and ends."""
    names = {"S": "T", "T": "T'"}
    for stream in _streams():
        restrictions = [
            part
            for part in _streams()
            if all(_holds(each, {"S": stream, "S'": part}) for each in definitions.rem.conditions)
        ]
        for one, other in product(restrictions, repeat=2):
            parts = zip(("T within T'", "T' within T"), definitions.same_intervals.conditions, strict=True)
            for part, condition in parts:
                if not _holds(rename_streams(condition, names), {"T": one, "T'": other}):
                    statement = "rem(⟦A⟧, T) and rem(⟦A⟧, T') imply T ≅ T'"
                    return _found(statement, part, {"A": stream, "T": one, "T'": other})
    return None


def _event_types(definitions: Definitions) -> Found | None:
    """A stream of an event type that is no valid restriction of itself."""
    occurrences = [span(EVENTS[0], time, time) for time in range(INSTANTS + 1)]
    for count in range(len(occurrences) + 1):
        stream = frozenset(occurrences[:count])
        for number, condition in enumerate(definitions.rem.conditions, start=1):
            if not _holds(condition, {"S": stream, "S'": stream}):
                return _found("rem(P, P)", f"primitive condition {number}", {"P": stream})
    return None


def _laws(definitions: Definitions) -> Found | None:
    """A law with bounds that is false on small streams."""
    for law in laws():
        if law.parameters:
            outcome = check_exhaustively(law, definitions.operators, largest=OCCURRENCES)
            if outcome.counterexample is not None:
                name = law.id.replace(":", " ")
                return outcome.counterexample, frozenset({f"{name} ⊆", f"{name} ⊇"})
    return None


def _found(statement: str, conclusion: str, streams: Mapping[str, Stream]) -> Found:
    return RestrictionCounterexample(statement, conclusion, streams, None), frozenset({conclusion})


SEARCHES: Mapping[str, Callable[[Definitions], Found | None]] = MappingProxyType(
    {
        "lemma:5.1": _valid_outputs,
        "corollary:4.4": _same_detections,
        "theorem:5.1": _event_types,
        "theorem:4.4.infinite": _laws,
    }
)
"""What looks for a counterexample, by claim."""


def find_definition_counterexample(claim: str, definitions: Definitions) -> Found | None:
    """Small streams that contradict a claim under some definitions, with the parts that they contradict.

    Args:
        claim: a key of `SEARCHES`.
        definitions: the definitions; nothing is found under those of the source.
    """
    return SEARCHES[claim](definitions)
