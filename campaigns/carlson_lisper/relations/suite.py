"""The laws as a suite of tests: each law by itself, put to a detector on instances of the law.

Both sides of a law have the same starts and ends, whatever the identifiers stand for. So a detector that reports
other ones for one side than for the other is wrong on one of them; the semantics says afterwards on which.
"""

from __future__ import annotations

from dataclasses import replace

from campaigns.carlson_lisper.cases import Case, generate
from campaigns.carlson_lisper.meaning import Meaning
from campaigns.carlson_lisper.relations.catalogue import Relation, judge_relation
from campaigns.carlson_lisper.relations.related import Related
from campaigns.carlson_lisper.relations.rewriting import equations, instance_of, other_side, telling_side
from campaigns.choices import Source, Weights
from campaigns.judging.minimise import Judge
from campaigns.judging.verdicts import Verdict
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


def law_of(by: str) -> EquationClaim | None:
    """The law with an id; None if it is none."""
    return next((law for law in equations() if law.id == by), None)


def law_case(law: EquationClaim, seed: int, number: int) -> Case:
    """A case whose expression is a side of a law, determined by law, seed and number.

    If it can be had, something is detected in it.
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


def judge_law(law: EquationClaim, case: Case, factory: AnyFactory, *, seconds: float) -> Verdict:
    """The judgement of a detector by a law; a refusal if the case is no instance of it.

    Args:
        case: a case whose expression is its `telling_side`.
    """
    return judge_relation(law_relation(law), case, factory, Source(law.id), seconds=seconds)


def wrong_side(law: EquationClaim, case: Case, by_meaning: Judge[Case]) -> tuple[Case, Verdict] | None:
    """The side of a law that is wrong by the semantics, with its judgement.

    None where neither is, which happens where a detector does not do the same every time.

    Args:
        case: a case whose expression is one side of it, and that violates it.
        by_meaning: judges a case by the semantics.
    """
    both = other_side(law, case.expression)
    for side in [case] if both is None else [case, replace(case, expression=both.right)]:
        verdict = by_meaning(side)
        if verdict.kind is not None:
            return side, verdict
    return None
