"""Related cases: those whose detections follow from the detections of another case.

The semantics is not asked what there is to detect. So these cases may have traces of any length, and a mistake in the
interval semantics does not hide here. All choices are made by a `Source`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.given import given
from campaigns.carlson_lisper.relations.resuming import Resumed
from campaigns.carlson_lisper.relations.rewriting import Rewritten, instance, rewritten
from campaigns.carlson_lisper.relations.turning_back import TurnedBack
from campaigns.carlson_lisper.relations.twins import with_a_twin
from campaigns.choices import Source, Weights
from detectors.carlson_lisper.adapters import AnyFactory
from detectors.carlson_lisper.source.transformation import transform
from semantics.carlson_lisper.expressions import (
    UNBOUNDED,
    Expression,
    Identifier,
    Operation,
    bottom_up,
    evaluate_bound,
    identifiers,
    substitute,
)
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Time


@dataclass(frozen=True)
class Image:
    """Where the detections on a case come again in a related case.

    Attributes:
        shift: so many ticks later.
        names: under other names of event types; types that are not mentioned keep theirs.
        until: those that end later do not come again; None if all do.
    """

    shift: Time = 0
    names: Mapping[str, str] = field(default_factory=dict)
    until: Time | None = None

    def of(self, found: Instance) -> Instance:
        """The image of an instance."""
        return Instance(
            Occurrence(self.names.get(event, event), time + self.shift, value)
            for event, time, value in found.occurrences
        )


def _as_it_is(factory: AnyFactory) -> AnyFactory:
    return factory


@dataclass(frozen=True)
class Related:
    """A case that is related to another, and how.

    Attributes:
        said: how it was made, in a few words.
        images: where the detections come again: all of them, and nothing else, are due in the related case.
        before: the case whose detections these are; None for the case that was started from.
        instances: whether each instance must be the image of one, not only its start and end.
        reaching_back: where detections may be added: those that end later than this time and start no later; None
            where there must be none.
        altered: how the detector is handled in the related case.
        restored: the ticks before which snapshots are restored; None where that is no part of the relation.
    """

    case: Case
    said: str
    images: tuple[Image, ...] = (Image(),)
    before: Case | None = None
    instances: bool = False
    reaching_back: Time | None = None
    altered: Callable[[AnyFactory], AnyFactory] = _as_it_is
    restored: tuple[Time, ...] | None = None


# ------------------------------------------------------------------------------------------------- expressions


def by_law(case: Case, source: Source) -> Related | None:
    """A part of the expression rewritten by a law."""
    return _by(rewritten(case.expression, source), case)


def by_instance(case: Case, source: Source) -> Related | None:
    """The two sides of a law for parts of the expression."""
    return _by(instance(case.expression, source), case)


def _by(found: Rewritten | None, case: Case) -> Related | None:
    if found is None:
        return None
    before = None if found.left == case.expression else replace(case, expression=found.left)
    said = f"by {found.law}, {found.right} for {found.left}"
    return Related(replace(case, expression=found.right), said, before=before)


def transformed(case: Case, _: Source) -> Related | None:
    """The transformed expression of Section 6; None if it is the same."""
    expression = transform(case.expression).expression
    if expression == case.expression:
        return None
    return Related(replace(case, expression=expression), f"{expression} for {case.expression}")


# ------------------------------------------------------------------------------------------------------- times

SHIFTS = Weights((0, 1, 2, 7, 1000, 2**31 - 1, 2**32, 2**53, 2**53 + 1, 2**62))
"""How much later a trace is put; 0 stands for putting its first occurrence at time 0."""


def shifted(case: Case, source: Source) -> Related | None:
    """The trace at another time: after a gap, or without the one before it."""
    if not case.occurrences:
        return None
    shift = source.weighted(SHIFTS) or -case.occurrences[0].time or 1
    return Related(
        replace(case, occurrences=_later(case.occurrences, shift)),
        f"all times {shift:+,}",
        images=(Image(shift=shift),),
        instances=True,
    )


GAPS = Weights((1, 2, 7, 1000, 2**31, 2**40))
"""How many ticks after its end a trace is repeated, where the expression says nothing."""


def gap(case: Case, source: Source) -> Related | None:
    """The trace, then after a gap the same trace again.

    Whether an instance spans two times depends on what occurs between them only. So what was detected is detected
    again in the copy; anything else that ends there starts before the gap, and only if the gap is not too long for it.
    """
    if not case.occurrences:
        return None
    first, last = case.occurrences[0].time, case.occurrences[-1].time
    longest = transform(case.expression).bound
    place = source.below(4)
    if place and longest != UNBOUNDED:
        ticks = int(longest) + 1
    elif place:
        ticks = 1 + max(_bounds(case.expression), default=0)
    else:
        ticks = source.weighted(GAPS)
    shift = last - first + ticks
    return Related(
        replace(case, occurrences=case.occurrences + _later(case.occurrences, shift)),
        f"the trace again {shift:,} ticks later",
        images=(Image(), Image(shift=shift)),
        reaching_back=None if ticks > longest else last,
    )


def _bounds(expression: Expression) -> list[int]:
    parts = (part for part in bottom_up(expression) if isinstance(part, Operation))
    return [evaluate_bound(part.bound) for part in parts if part.bound is not None]


def prefix(case: Case, source: Source) -> Related | None:
    """The trace up to one of its instants."""
    times = sorted({occurrence.time for occurrence in case.occurrences})
    if len(times) < 2:
        return None
    until = times[source.below(len(times) - 1)]
    kept = tuple(occurrence for occurrence in case.occurrences if occurrence.time <= until)
    return Related(
        replace(case, occurrences=kept), f"the trace up to {until:,}", images=(Image(until=until),)
    )


# ------------------------------------------------------------------------------------------------------- names

ALPHABETS = Weights(
    (
        ("z", "y", "x", "w", "v", "u", "t", "s"),
        ("A", "a", "_", "B", "b", "__", "C", "c"),
        ("e10", "e9", "e1", "e2", "e02", "e", "E", "e11"),
        ("now", "class", "None", "time", "left", "if", "self", "q1"),
        (
            "a_rather_long_name_of_an_event",
            "fail",
            "a_rather_long_name_of_an_event_2",
            "h",
            "g",
            "b",
            "d",
            "c",
        ),
    )
)
"""Names for event types; some that a program or a generator of code could have taken for itself."""


def renamed(case: Case, source: Source) -> Related | None:
    """Other names for all event types, in another alphabetical order."""
    old = sorted(identifiers(case.expression) | {occurrence.event for occurrence in case.occurrences})
    alphabet = source.weighted(ALPHABETS)
    new = [alphabet[n % len(alphabet)] + "_x" * (n // len(alphabet)) for n in range(len(old))]
    for last in range(len(new) - 1, 0, -1):  # another order, by the choices of Fisher and Yates
        other = source.below(last + 1)
        new[last], new[other] = new[other], new[last]
    if sorted(new) == new:
        new.reverse()
    names = dict(zip(old, new, strict=True))
    expression = substitute(case.expression, {name: Identifier(other) for name, other in names.items()})
    occurrences = [Occurrence(names[event], time, value) for event, time, value in case.occurrences]
    return Related(
        replace(case, expression=expression, occurrences=_in_order(occurrences)),
        f"renamed, {', '.join(f'{before} to {after}' for before, after in names.items())}",
        images=(Image(names=names),),
        instances=True,
    )


def irrelevant(case: Case, source: Source) -> Related:
    """Occurrences of event types that the expression does not mention: added, or taken away."""
    types = identifiers(case.expression)
    kept = tuple(occurrence for occurrence in case.occurrences if occurrence.event in types)
    if len(kept) < len(case.occurrences) and source.chance(30):
        return Related(replace(case, occurrences=kept), "without what the expression does not mention")
    present = types | {occurrence.event for occurrence in case.occurrences}
    longer = "n" * (1 + max(map(len, present)))
    names = sorted({*_OTHERS, *(name + "_" for name in types), longer} - present)
    times = [occurrence.time for occurrence in case.occurrences] or [0]
    added = set[tuple[Time, str]]()
    for _ in range(source.between(1, 6)):
        near = times[source.below(len(times))] + source.between(-1, 1)
        time = (near, near, source.between(times[0], times[-1]), times[-1] + source.below(100), 0)
        added.add((max(0, time[source.below(5)]), names[source.below(len(names))]))
    if source.chance(30):
        begin, name = times[source.below(len(times))], names[source.below(len(names))]
        added.update((begin + tick, name) for tick in range(1, 1 + source.below(LONGEST_RUN)))
    more = [Occurrence(name, time, 1 if source.chance(20) else None) for time, name in sorted(added)]
    said = (
        f"with {', '.join(map(str, more[:6]))}{f' and {len(more) - 6} more' if len(more) > 6 else ''} added"
    )
    return Related(replace(case, occurrences=_in_order((*case.occurrences, *more))), said)


LONGEST_RUN = 40
"""A run of irrelevant occurrences at neighbouring ticks has fewer than so many."""

_OTHERS = ("A", "_", "m", "zz")
"""Event types that come before, between and after those of cases by name."""


# ---------------------------------------------------------------------------------------- the same trace again


def beside(case: Case, source: Source) -> Related | None:
    """The same trace, while another detector gets one in which the same happens in another order."""
    instants = list(given(case))
    if not instants:
        return None
    turn = (1 + source.below(3)) % len(instants)
    happening = [occurrences for _, occurrences in instants]
    turned = happening[turn:] + happening[:turn]
    other = [(time, occurrences) for (time, _), occurrences in zip(instants, turned, strict=True)]
    return Related(
        case,
        f"beside another one that is fed what happens {turn} of {len(instants)} instants later",
        instances=True,
        altered=lambda factory: lambda expression: with_a_twin(factory, expression, other),
    )


BACK = Weights((0, 0, 1, 7, 2**40))
"""So many ticks before the last instant a step is asked for."""


def turned_back(case: Case, source: Source) -> Related | None:
    """The same trace, and then a step at a time that is not later than the last one."""
    if not case.occurrences:
        return None
    last = case.occurrences[-1].time
    back = max(0, last - source.weighted(BACK))
    return Related(
        case,
        f"then a step at {back:,}, with a snapshot restored before it and without",
        instances=True,
        altered=lambda factory: lambda expression: TurnedBack(factory, expression, last, back),
    )


RESTORED = Weights((1, 1, 3))
"""How often a detector's place is taken by another one."""


def resumed(case: Case, source: Source) -> Related | None:
    """The same trace; in mid-stream, once or up to three times, another detector goes on from the state of the one.

    The places are those that the case has, if it has any.
    """
    times = sorted({occurrence.time for occurrence in case.occurrences})
    if case.restored is None:
        after = {source.below(len(times)) for _ in range(source.weighted(RESTORED))} if times else set()
    else:
        after = {place for tick in case.restored if (place := bisect_left(times, tick)) < len(times)}
    if not after:
        return None
    return Related(
        case,
        f"a snapshot restored after {', '.join(map(str, sorted(after)))} of {len(times)} instants",
        instances=True,
        altered=lambda factory: lambda expression: Resumed(factory, expression, after.__contains__),
        restored=tuple(times[place] for place in sorted(after)),
    )


# ---------------------------------------------------------------------------------------------------- occurrences


def _later(occurrences: Iterable[Occurrence], ticks: Time) -> tuple[Occurrence, ...]:
    return tuple(Occurrence(event, time + ticks, value) for event, time, value in occurrences)


def _in_order(occurrences: Iterable[Occurrence]) -> tuple[Occurrence, ...]:
    return tuple(sorted(occurrences, key=lambda occurrence: (occurrence.time, occurrence.event)))
