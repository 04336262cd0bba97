"""The laws as a suite of tests: each law by itself, put to a detector on instances of the law.

Both sides of a law have the same starts and ends, whatever the identifiers stand for. So a detector that reports
other ones for one side than for the other is wrong on one of them; the semantics says afterwards on which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from campaigns.carlson_lisper.cases import Case, generate
from campaigns.carlson_lisper.judge import judge
from campaigns.carlson_lisper.meaning import Meaning
from campaigns.carlson_lisper.relations.catalogue import Relation, judge_relation
from campaigns.carlson_lisper.relations.related import Related
from campaigns.carlson_lisper.relations.rewriting import equations, instance_of, other_side, telling_side
from campaigns.choices import Source, Weights
from campaigns.judging.isolation import Lost, isolated
from campaigns.judging.minimise import Minimised, minimise
from campaigns.judging.verdicts import Kind, Verdict
from detectors.carlson_lisper.adapters import AnyFactory
from laws.carlson_lisper.claims import EquationClaim

PROFILES = Weights.of({"small": 3, "mixed": 2, "ties": 2, "dense": 2, "boundary": 1, "inversions": 1})
"""The profiles of the cases whose parts stand for the identifiers: such as are small, and often happen."""

ATTEMPTS = 8
"""So many cases are generated for one in which a side of the law is detected."""


def law_relation(law: EquationClaim) -> Relation:
    """A law as a relation between a case whose expression is one side of it, and the same with the other side."""

    def relate(case: Case, _: Source) -> Related | None:
        found = other_side(law, case.expression)
        if found is None:
            return None
        return Related(replace(case, expression=found.right), f"by {law.id}, {found.right} for {found.left}")

    return Relation(law.id, law.reading, law.source, relate)


def law_case(law: EquationClaim, seed: int, number: int) -> Case:
    """A case whose expression is a side of a law, determined by law, seed and number.

    If it can be had, something is detected in it.

    Args:
        law: the law.
        seed: any integer.
        number: the number of the case, from 0.
    """
    found: Case | None = None
    for attempt in range(number * ATTEMPTS, (number + 1) * ATTEMPTS):
        source = Source(f"{seed}:{attempt}:{law.id}")
        case = generate(seed, source.below(2**53), PROFILES)
        both = instance_of(law, case.expression, source)
        if both is None:
            continue
        left = telling_side(law) == law.equation.left
        found = replace(case, number=number, expression=both.left if left else both.right)
        if Meaning(found).expected:
            break
    if found is None:
        raise ValueError(f"both sides of {law.statement} are the same, whatever its identifiers stand for")
    return found


def judge_law(
    law: EquationClaim, case: Case, factory: AnyFactory, *, seconds: float, apart: bool = False
) -> Verdict:
    """The judgement of a detector by a law; a refusal if the case is no instance of it.

    Args:
        law: the law.
        case: a case whose expression is its `telling_side`.
        factory: makes the detector.
        seconds: how long the detector may take for one trace.
        apart: whether the detector runs in a process of its own, whose loss is a verdict as well.
    """
    work = partial(judge_relation, law_relation(law), case, factory, Source(law.id), seconds=seconds)
    verdict = isolated(work, seconds=3 * seconds) if apart else work()
    return Verdict(verdict.kind, verdict.detail, ()) if isinstance(verdict, Lost) else verdict


class LawOutcome(NamedTuple):
    """What came of one case of a law, or of another named set of cases, for one detector.

    Attributes:
        law: the id of the law, or the name of the set.
        number: the number of the case.
        detector: the name of the detector.
        kind: how it failed; None if it did not.
        detail: the failure, or why the detector refuses, in one sentence.
        refused: whether the detector does not take one of the sides.
        vacuous: whether nothing was to be detected.
    """

    law: str
    number: int
    detector: str
    kind: Kind | None
    detail: str
    refused: bool
    vacuous: bool


def law_outcomes(
    detectors: Mapping[str, AnyFactory],
    seed: int,
    positions: Iterable[int],
    *,
    seconds: float,
    apart: bool = False,
) -> Iterator[tuple[LawOutcome, ...]]:
    """Judge the cases at some positions in the sequence that takes one case of each law in turn.

    Args:
        detectors: their factories by name.
        seed: determines the cases.
        positions: position p is case p // n of law p % n, where n is the number of laws.
        seconds: how long a detector may take for one trace.
        apart: whether each detector runs in a process of its own.
    """
    laws = equations()
    for position in positions:
        number, place = divmod(position, len(laws))
        law = laws[place]
        case = law_case(law, seed, number)
        found = []
        for name, factory in detectors.items():
            verdict = judge_law(law, case, factory, seconds=seconds, apart=apart)
            vacuous = verdict.kind is None and not verdict.refused and verdict.vacuous
            said = verdict.detail or verdict.refusal
            found.append(LawOutcome(law.id, number, name, verdict.kind, said, verdict.refused, vacuous))
        yield tuple(found)


@dataclass(frozen=True)
class Violation:
    """A law that a detector violates.

    Attributes:
        law: the law.
        case: one side of it with a trace, as small as it could be made.
        verdict: the comparison: `expected` is what is detected there, `detected` what is for the other side.
        wrong: the side that is wrong by the semantics, made small once more; None if the semantics finds neither so,
            which happens where a detector does not do the same every time.
    """

    law: EquationClaim
    case: Case
    verdict: Verdict
    wrong: Minimised[Case] | None


def examine_law(
    law: EquationClaim, case: Case, factory: AnyFactory, *, seconds: float, apart: bool = False
) -> Violation | None:
    """Judge a case of a law again and make it small; None if it does not fail again.

    Args:
        law: the law.
        case: a case whose expression is its `telling_side`.
        factory: makes the detector.
        seconds: how long the detector may take for one trace.
        apart: whether the detector runs in a process of its own.
    """
    by_law: Callable[[Case], Verdict] = partial(judge_law, law, factory=factory, seconds=seconds, apart=apart)
    verdict = by_law(case)
    if verdict.kind is None:
        return None
    small = minimise(case, verdict, by_law)
    return Violation(law, small.case, small.verdict, _wrong_side(law, small.case, factory, seconds, apart))


def _wrong_side(
    law: EquationClaim, case: Case, factory: AnyFactory, seconds: float, apart: bool
) -> Minimised[Case] | None:
    def by_meaning(one: Case) -> Verdict:
        work = partial(judge, one, factory, seconds=seconds)
        verdict = isolated(work, seconds=2 * seconds) if apart else work()
        return Verdict(verdict.kind, verdict.detail, ()) if isinstance(verdict, Lost) else verdict

    both = other_side(law, case.expression)
    sides = [case] if both is None else [case, replace(case, expression=both.right)]
    for side in sides:
        verdict = by_meaning(side)
        if verdict.kind is not None:
            return minimise(side, verdict, by_meaning)
    return None
