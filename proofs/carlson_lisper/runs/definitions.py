"""Statements of the source about its definitions on small streams: what an altered definition makes false.

That is Lemma 5.1, Corollary 4.4, Theorem 5.1 and the laws with ∞, and two statements that no obligation is about: that
event types have streams as Def. 3.3 and 3.4 say, and that ≅ is an equivalence relation. All streams over a few instants
are tried, and the formulas of the definitions are evaluated on them. That no counterexample is found among these proves
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from itertools import combinations, product
from types import MappingProxyType
from typing import TypeAlias

from laws.carlson_lisper.altered.definitions import Definitions
from laws.carlson_lisper.checks.counterexamples import RestrictionCounterexample
from laws.carlson_lisper.checks.exhaustive import check_exhaustively
from laws.carlson_lisper.claims import laws
from laws.outcomes import Refutation
from proofs.carlson_lisper.runs.histories import EVENTS, span
from semantics.carlson_lisper.finite import FINITE_LOGIC, FiniteStream
from semantics.carlson_lisper.occurrences import Instance, Stream, Time
from semantics.carlson_lisper.restriction import VALID_ABSENCE, VALID_INSTANCE, valid
from semantics.formulas import Formula, Scope, interpret, rename_streams

INSTANTS = 2
"""The streams are over so many instants, with two instances for each pair of a start and an end."""

LONGER_INSTANTS = 3
"""The outputs that are valid at every time are tried over so many instants too, with one instance for each pair."""

OCCURRENCES = 2
"""The laws are evaluated on all streams over so many occurrences."""

Found: TypeAlias = tuple[Refutation, frozenset[str]]
"""A counterexample, and the parts of the claim that it contradicts."""


@cache
def _instances(instants: int = INSTANTS, events: tuple[str, ...] = EVENTS) -> tuple[Instance, ...]:
    """An instance of each event type for each pair of a start and an end."""
    spans = [(start, end) for end in range(instants) for start in range(end, -1, -1)]
    return tuple(span(event, start, end) for event in events for start, end in spans)


@cache
def _streams(instants: int = INSTANTS, events: tuple[str, ...] = EVENTS) -> tuple[Stream, ...]:
    """All streams of these, small ones first."""
    found = _instances(instants, events)
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
    for instants, events in ((INSTANTS, EVENTS), (LONGER_INSTANTS, EVENTS[:1])):
        for stream in _streams(instants, events):
            choices = [
                [
                    each
                    for each in (None, *_instances(instants, events))
                    if _valid(definitions, each, stream, time)
                ]
                for time in range(instants + 1)
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


def _of_event_types(definitions: Definitions) -> RestrictionCounterexample | None:
    """Streams of two event types in a scenario that are not as their definition says."""
    types = [
        [frozenset(span(event, time, time) for time in times) for times in _subsets(INSTANTS)]
        for event in EVENTS
    ]
    names = definitions.primitive.streams
    for chosen in product(*types):
        streams = dict(zip(names, chosen, strict=True))
        for number, condition in enumerate(definitions.primitive.conditions, start=1):
            if not _holds(condition, streams):
                statement = "the streams of event types are as the definition says"
                return RestrictionCounterexample(statement, f"condition {number}", streams, None)
    return None


def _subsets(number: int) -> Iterator[tuple[int, ...]]:
    """All sets of numbers less than the given one, small ones first."""
    for count in range(number + 1):
        yield from combinations(range(number), count)


def _equivalence(definitions: Definitions) -> RestrictionCounterexample | None:
    """Streams that show that ≅ is not reflexive or not symmetric."""

    def same(left: Stream, right: Stream) -> bool:
        streams = dict(zip(definitions.same_intervals.streams, (left, right), strict=True))
        return all(_holds(condition, streams) for condition in definitions.same_intervals.conditions)

    for left, right in product(_streams(INSTANTS, EVENTS[:1]), repeat=2):
        if left == right and not same(left, right):
            return RestrictionCounterexample("S ≅ S", "reflexive", {"S": left}, None)
        if same(left, right) and not same(right, left):
            return RestrictionCounterexample(
                "S ≅ T implies T ≅ S", "symmetric", {"S": left, "T": right}, None
            )
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

STATED: Mapping[str, Callable[[Definitions], RestrictionCounterexample | None]] = MappingProxyType(
    {"Def. 3.3, 3.4": _of_event_types, "Def. 4.3": _equivalence}
)
"""What looks for a counterexample of what the source says of a definition and no claim repeats, by definition."""


def find_definition_counterexample(claim: str, definitions: Definitions) -> Found | None:
    """Small streams that contradict a claim under some definitions, with the parts that they contradict.

    Args:
        claim: a key of `SEARCHES`.
        definitions: the definitions; nothing is found under those of the source.
    """
    return SEARCHES[claim](definitions)
