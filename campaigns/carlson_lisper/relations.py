"""Metamorphic relations: what the detections on two related cases have to do with each other, by the algebra alone.

A judge that does not depend on the interval semantics: it compares a detector with itself on another case, and cannot
see one that is wrong on both in the same way. All choices are made by a `Source`.

The relations `shifted`, `renamed` and `snapshot` ask for more than Def. 3.12: which of several instances with the same
start and end is reported must not depend on the time, on names, or on whether the detector was stored in between.
"""

import json
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

from campaigns.carlson_lisper.cases import Case, generate
from campaigns.carlson_lisper.judge import Meaning, observe, spanned
from campaigns.carlson_lisper.rewriting import Rewritten, instance_of, other_side, rewritten, telling_side
from campaigns.choices import Source, Weights
from campaigns.judging.isolation import Failed
from campaigns.judging.verdicts import TIME_LIMIT, Kind, Verdict
from detectors.carlson_lisper.adapters import AnyFactory
from detectors.carlson_lisper.protocol import Report
from detectors.carlson_lisper.source.transformation import transform
from detectors.protocol import NodeState
from laws.carlson_lisper.claims import EquationClaim
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.expressions import Identifier, Operation, bottom_up, evaluate_bound, identifiers
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Time, Value
from semantics.errors import LimitExceeded
from semantics.events import Interval


@dataclass(frozen=True)
class Image:
    """Where detections come again: so many ticks later, under other names of types, up to a time if there is one."""

    shift: Time = 0
    names: Mapping[str, str] = field(default_factory=dict)
    until: Time | None = None


@dataclass(frozen=True)
class Related:
    """A case that is related to another, and how it was made, in a few words."""

    case: Case
    said: str
    images: tuple[Image, ...] = (Image(),)  # where the detections come again: these, and nothing else, are due
    instances: bool = False  # whether each instance must be the image of one, not only its start and end
    reaching_back: Time | None = None  # detections may be added that end later than this time and start no later


Relate: TypeAlias = Callable[[Case, Source], Related | None]
"""A metamorphic relation: the related case, with what is due in it; None where the relation does not apply."""


def by_law(case: Case, source: Source) -> Related | None:
    """A part of the expression rewritten by a law has the same starts and ends (Thms 4.1-4.4, 4.6, Cor. 4.4)."""
    return _rewritten(case, rewritten(case.expression, source))


def _rewritten(case: Case, found: Rewritten | None) -> Related | None:
    if found is None:
        return None
    return Related(replace(case, expression=found.right), f"by {found.law}, {found.right} for {found.left}")


def transformed(case: Case, _: Source) -> Related | None:
    """The transformed expression of Section 6 has the same starts and ends (Thm 6.1); None if it is the same."""
    expression = transform(case.expression).expression
    if expression == case.expression:
        return None
    return Related(replace(case, expression=expression), f"{expression} for {case.expression}")


# How much later a trace is put; 0 stands for putting its first occurrence at time 0
SHIFTS = Weights((0, 1, 2, 7, 1000, 2**31 - 1, 2**32, 2**53, 2**53 + 1, 2**62, 2**64, 10**30, 10**30))


def shifted(case: Case, source: Source) -> Related | None:
    """The trace at another time: times are only compared and subtracted (Def. 3.10)."""
    if not case.occurrences:
        return None
    shift = source.weighted(SHIFTS) or -case.occurrences[0].time or 1
    later = replace(case, occurrences=_later(case.occurrences, shift))
    return Related(later, f"all times {shift:+,}", (Image(shift),), instances=True)


GAPS = Weights((1, 2, 7, 1000, 2**31, 2**40))  # A trace is repeated so many ticks after its end, if no bound says more


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
    if place and longest != expressions.UNBOUNDED:
        ticks = int(longest) + 1
    elif place:
        parts = (part for part in bottom_up(case.expression) if isinstance(part, Operation))
        ticks = 1 + max((evaluate_bound(part.bound or 0) for part in parts), default=0)
    else:
        ticks = source.weighted(GAPS)
    shift = last - first + ticks
    again = replace(case, occurrences=case.occurrences + _later(case.occurrences, shift))
    said, back = f"the trace again {shift:,} ticks later", None if ticks > longest else last
    return Related(again, said, (Image(), Image(shift)), reaching_back=back)


def prefix(case: Case, source: Source) -> Related | None:
    """The trace up to an instant: instances are only compared with those of the same end (Def. 3.12)."""
    times = sorted({occurrence.time for occurrence in case.occurrences})
    if len(times) < 2:
        return None
    until = times[source.below(len(times) - 1)]
    kept = tuple(occurrence for occurrence in case.occurrences if occurrence.time <= until)
    return Related(replace(case, occurrences=kept), f"the trace up to {until:,}", (Image(until=until),))


ALPHABETS = Weights(
    (
        tuple("zyxwvuts"),
        ("A", "a", "_", "B", "b", "__", "C", "c"),
        ("e10", "e9", "e1", "e2", "e02", "e", "E", "e11"),
        ("now", "class", "None", "time", "left", "if", "self", "q1"),
        ("a_rather_long_name_of_an_event", "fail", "a_rather_long_name_of_an_event_2", *"hgbdc"),
    )
)  # Some that a program or a generator of code could have taken for itself


def renamed(case: Case, source: Source) -> Related | None:
    """Other names for all event types, in another order: names only tell types apart (Def. 3.5, 3.11)."""
    old = sorted(case.types)
    alphabet = source.weighted(ALPHABETS)
    new = [alphabet[n % len(alphabet)] + "_x" * (n // len(alphabet)) for n in range(len(old))]
    for last in range(len(new) - 1, 0, -1):  # another order, by the choices of Fisher and Yates
        other = source.below(last + 1)
        new[last], new[other] = new[other], new[last]
    if sorted(new) == new:
        new.reverse()
    names = dict(zip(old, new, strict=True))
    said = f"renamed, {', '.join(f'{before} to {after}' for before, after in names.items())}"
    return Related(case.renamed(names), said, (Image(names=names),), instances=True)


LONGEST_RUN = 40  # A run of irrelevant occurrences at neighbouring ticks has fewer than so many


def irrelevant(case: Case, source: Source) -> Related:
    """Occurrences of types that the expression does not mention, added or taken away (Def. 3.11)."""
    types, present = identifiers(case.expression), case.types
    kept = tuple(occurrence for occurrence in case.occurrences if occurrence.event in types)
    if len(kept) < len(case.occurrences) and source.chance(30):
        return Related(replace(case, occurrences=kept), "without what the expression does not mention")
    longer = "n" * (1 + max(map(len, present)))
    names = sorted({"A", "_", "m", "zz", *(name + "_" for name in types), longer} - present)  # before, between, after
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
    said = f"with {', '.join(map(str, more[:6]))}{', …' * (len(more) > 6)} added"
    return Related(replace(case, occurrences=_in_order((*case.occurrences, *more))), said)


RESTORED = Weights((1, 1, 3, 1000))  # How often another detector takes over, if the trace has so many instants
CROWDS = Weights((4, 5, 8, 17, 40))  # How many instances more wait before a snapshot that is taken where much is stored


def resumed(case: Case, source: Source) -> Related | None:
    """Another detector goes on in mid-stream: at any instants, those of the case, or while many instances wait."""
    times = sorted({occurrence.time for occurrence in case.occurrences})
    if case.restored is None and len(times) > 1 and source.chance(50):
        return _crowded(case, source, times)
    if case.restored is None:
        after = {source.below(len(times)) for _ in range(min(source.weighted(RESTORED), len(times)))}
    else:
        after = {place for tick in case.restored if (place := bisect_left(times, tick)) < len(times)}
    if not after:
        return None
    said = f"a snapshot restored after {', '.join(map(str, sorted(after)))} of {len(times)} instants"
    return Related(replace(case, restored=tuple(times[place] for place in sorted(after))), said, instances=True)


def _crowded(case: Case, source: Source, times: Sequence[Time]) -> Related:
    """The sequence `x ; E` in the place of E, with x of no other type, while many x wait for it; then a snapshot."""
    name = "x" * (1 + max(map(len, case.types)))
    place, crowd = source.below(len(times) - 1), source.weighted(CROWDS)
    last = times[place]
    early = [occurrence for occurrence in case.occurrences if occurrence.time <= last]
    late = _later(case.occurrences[len(early) :], crowd)
    waiting = {max(0, times[0] - 1), *times[: place + 1], *range(last + 1, last + crowd + 1)}
    crowded = replace(
        case,
        expression=Operation("seq", (Identifier(name), case.expression)),
        occurrences=_in_order([*early, *late, *(Occurrence(name, time) for time in waiting)]),
        restored=(late[0].time,),
    )
    return Related(crowded, f"{crowded.expression}, a snapshot restored after tick {last + crowd}", instances=True)


class _Resumed:
    """A detector whose state a fresh one takes over as JSON before given instants; the one stored reports the same."""

    def __init__(self, factory: AnyFactory, restored: Sequence[Time], expression: expressions.Expression) -> None:
        self._factory, self._restored, self._expression = factory, restored, expression
        self._detector: Any = factory(expression)
        if not (hasattr(self._detector, "snapshot") and hasattr(self._detector, "restore")):
            raise LimitExceeded("it does not store its state between two instants")
        self._stored: Any = None

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Any:
        if time in self._restored:
            self._stored, self._detector = self._detector, self._factory(self._expression)
            self._detector.restore(json.loads(json.dumps(self._stored.snapshot())))
        report = self._detector.step(time, occurrences)
        if self._stored is not None:
            other = self._stored.step(time, occurrences)
            if other != report:
                said = f"at {time}: {other or 'nothing'} reported by the one that was stored"
                raise Failed(Kind.RELATION, f"{said}, {report or 'nothing'} by the one that goes on from there")
        return report

    def state(self) -> tuple[NodeState, ...]:
        return ()


def _later(occurrences: Iterable[Occurrence], ticks: Time) -> tuple[Occurrence, ...]:
    return tuple(Occurrence(event, time + ticks, value) for event, time, value in occurrences)


def _in_order(occurrences: Iterable[Occurrence]) -> tuple[Occurrence, ...]:
    return tuple(sorted(occurrences, key=lambda occurrence: (occurrence.time, occurrence.event)))


RELATIONS: Mapping[str, Relate] = MappingProxyType(
    {
        "law": by_law,
        "transformed": transformed,
        "shifted": shifted,
        "gap": gap,
        "renamed": renamed,
        "irrelevant": irrelevant,
        "snapshot": resumed,
        "prefix": prefix,
    }
)


def choices(case: Case) -> Source:
    """The choices that a relation makes for a case."""
    return Source(f"{case.seed}:{case.number}:relation")


def judge_relation(
    relate: Relate,
    case: Case,
    factory: AnyFactory,
    source: Source,
    *,
    seconds: float = TIME_LIMIT,
    reports: Mapping[Time, Report] | None = None,
    name: str = "the relation",
) -> Verdict:
    """Run a fresh detector on a case and another one on the related case, and compare.

    The verdict's `expected` is what is due in the related case and `detected` what was reported there; it is a refusal
    where the relation does not apply. What the detector reports on the case itself need not be asked if it is known.
    """
    found = relate(case, source)
    if found is None:
        return Verdict(None, "", (), refusal=f"{name} does not apply")
    restored = found.case.restored
    undisturbed = case if restored is None else replace(found.case, restored=case.restored)
    if reports is None or undisturbed != case:
        first = observe(undisturbed, factory, seconds, watched=False)
        if first.failure is not None:
            return Verdict(first.failure[0], f"on the case itself, {first.failure[1]}", ())
        if first.refusal:
            return Verdict(None, "", (), refusal=first.refusal)
        reports = first.reports
    due = _due(found, reports)
    expected = tuple(Interval(report.start, report.end) for _, report in sorted(due.items()))
    restoring = factory if restored is None else partial(_Resumed, factory, restored)
    second = observe(found.case, restoring, seconds, watched=False)
    if second.refusal:
        return Verdict(None, "", expected, refusal=second.refusal)
    detected = tuple(second.reports.values())
    differs = _difference(found, due, second.reports)
    failure = second.failure or (differs and (Kind.RELATION, differs))
    if not failure:
        return Verdict(None, "", expected, detected)
    fed = None if restored is None else found.case
    return Verdict(failure[0], f"{found.said}: {failure[1]}", expected, detected, fed=fed)


def _due(found: Related, reports: Mapping[Time, Report]) -> dict[Time, Report]:
    due: dict[Time, Report] = {}
    for image in found.images:
        for now, report in reports.items():
            if image.until is None or now <= image.until:
                shift, names = image.shift, image.names
                due[now + shift] = Interval(report.start + shift, report.end + shift)
                if found.instances and isinstance(report, Instance):
                    due[now + shift] = Instance(
                        Occurrence(names.get(event, event), time + shift, value)
                        for event, time, value in report.occurrences
                    )
    return due


def _difference(found: Related, due: Mapping[Time, Report], reports: Mapping[Time, Report]) -> str:
    """The first instant at which something else than what is due is reported, in one sentence; "" if there is none."""
    for now in sorted(due.keys() | reports.keys()):
        wanted, report = due.get(now), reports.get(now)
        back = found.reaching_back
        if wanted is None and report is not None and back is not None and report.start <= back < report.end == now:
            continue
        spans = [None if each is None else (each.start, each.end) for each in (wanted, report)]
        if spans[0] != spans[1] or (found.instances and report != wanted and isinstance(wanted, Instance)):
            return f"at {now}: {spanned(report)} reported, {spanned(wanted)} due"
    return ""


def law_relation(law: EquationClaim) -> Relate:
    """A law as a relation between a case whose expression is one side of it, and the same with the other side."""
    return lambda case, _: _rewritten(case, other_side(law, case.expression))


# The profiles of the cases whose parts stand for the identifiers: such as are small, and often happen
LAW_PROFILES = Weights.of({"small": 3, "mixed": 4, "boundary": 1, "inversions": 1})
ATTEMPTS = 8  # So many cases are generated for one in which a side of the law is detected


def law_case(law: EquationClaim, seed: int, number: int) -> Case:
    """A case whose expression is the `telling_side` of a law, and in which something is detected if it can be had."""
    found: Case | None = None
    left = telling_side(law) == law.equation.left
    for attempt in range(number * ATTEMPTS, (number + 1) * ATTEMPTS):
        source = Source(f"{seed}:{attempt}:{law.id}")
        case = generate(seed, source.below(2**53), LAW_PROFILES)
        both = instance_of(law, case.expression, source)
        if both is not None:
            found = replace(case, number=number, expression=both.left if left else both.right)
            if Meaning(found).expected:
                break
    if found is None:
        raise ValueError(f"both sides of {law.statement} are the same, whatever its identifiers stand for")
    return found
