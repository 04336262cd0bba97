"""Every change of one symbol in the steps, the queue and the transformation is caught by a proof, or is harmless.

A changed program that is still proved is listed here with the reason why it is right, and is run on concrete histories
or expressions. One that is proved and found wrong there would be a hole in a proof.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import pytest

from detectors.carlson_lisper.source import steps as steps_module
from detectors.carlson_lisper.source import transformation as rules_module
from detectors.carlson_lisper.source.figure2 import STEPS, StepFactory
from detectors.carlson_lisper.source.figure4 import BOUNDED_STEPS
from laws.carlson_lisper.invariants import STEP_LEMMAS
from laws.outcomes import Refutation
from proofs.carlson_lisper.lemmas import memory, transformation
from proofs.carlson_lisper.runs.queues import find_queue_counterexample
from proofs.carlson_lisper.runs.steps import find_step_counterexample, find_storage_counterexample
from proofs.carlson_lisper.runs.transformation import find_difference_from_print, find_transformation_counterexample
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.expressions import evaluate_bound
from tests.proofs.carlson_lisper.program_mutants import ProgramMutant, defined, limited, mutants
from tests.proofs.proving import ENOUGH, unproved

WRONG_ENOUGH = 125_000
"""The work after which a program that was found wrong on a concrete run counts as not proved.

With 24 times as much no other mutant of a step is proved.
"""


STEP_CLAIMS: Mapping[str, tuple[str, Callable[[Any], StepFactory]]] = {
    "DisjunctionStep": ("lemma:5.2", lambda step: lambda _: step()),
    "ConjunctionStep": ("lemma:5.3", lambda step: lambda _: step()),
    "NegationStep": ("lemma:5.4", lambda step: lambda _: step()),
    "SequenceStep": ("lemma:5.5", lambda step: lambda _: step()),
    "RestrictionStep": ("lemma:5.6", lambda step: lambda operation: step(evaluate_bound(operation.bound or 0))),
    "BoundedSequenceStep": ("lemma:5.7", lambda step: lambda operation: step(operation.label)),
}

RULE_OF = {"_disjunction": "dis", "_conjunction": "con", "_negation": "neg", "_sequence": "seq", "_restriction": "tim"}

MEMORY_OF: Mapping[str, str] = {
    **dict.fromkeys(STEP_CLAIMS, memory.STEPS_BOUNDED),
    "SequenceStep": memory.UNBOUNDED_QUEUE,
    "BoundedSequenceStep": memory.BOUNDED,
}
"""The claim about the storage of each step."""

LINES = 20_000
"""A transformation of a small expression that executes more lines does not end."""

IN_THE_OTHER_ORDER = " comes after `"

RIGHT: Mapping[str, tuple[str, ...]] = {
    "of two that start together either may be output (Def. 5.2)": (
        "ConjunctionStep.step: `right.start <= left.start` becomes `right.start < left.start`",
        "DisjunctionStep.step: `left.start <= right.start` becomes `left.start < right.start`",
    ),
    "of two that start together either may be remembered (Def. 5.3)": (
        "ConjunctionStep.step: `self.left.start < left.start` becomes `self.left.start <= left.start`",
        "ConjunctionStep.step: `self.right.start < right.start` becomes `self.right.start <= right.start`",
    ),
    "assigns the value that the variable has already": (
        "NegationStep.step: `self.latest < right.start` becomes `self.latest <= right.start`",
    ),
    "⟨⟩ ends before every time as it starts before every time": (
        "BoundedSequenceStep.step: `evicted.start` becomes `evicted.end`",
        "BoundedSequenceStep.step: `match.start` becomes `match.end`",
        "BoundedSequenceStep.step: `match.start` becomes `match.end` (2)",
        "BoundedSequenceStep.step: `right.start` becomes `right.end`",
        "BoundedSequenceStep.stored: `self.last.start` becomes `self.last.end`",
        "ConjunctionStep.step: `left.start` becomes `left.end` (2)",
        "ConjunctionStep.step: `right.start` becomes `right.end` (2)",
        "ConjunctionStep.step: `self.left.start` becomes `self.left.end` (2)",
        "ConjunctionStep.step: `self.right.start` becomes `self.right.end` (2)",
        "ConjunctionStep.stored: `self.left.start` becomes `self.left.end`",
        "ConjunctionStep.stored: `self.right.start` becomes `self.right.end`",
        "SequenceStep.step: `match.start` becomes `match.end`",
        "SequenceStep.step: `right.start` becomes `right.end`",
    ),
    "nothing ends before time 0, so what starts then has no match": (
        "BoundedSequenceStep.step: `0` becomes `1` (2)",
        "BoundedSequenceStep.step: `right.start >= 0` becomes `right.start > 0`",
        "SequenceStep.step: `0` becomes `1`",
        "SequenceStep.step: `right.start >= 0` becomes `right.start != 0`",
        "SequenceStep.step: `right.start >= 0` becomes `right.start > 0`",
    ),
    "nothing ends before the start of ⟨⟩, so it has no match": (
        "SequenceStep.step: `0` becomes `-1`",
        "SequenceStep.step: `if right.start >= 0` becomes `if True`",
        "SequenceStep.step: `right.start >= 0` becomes `right.start >= 0 - 1`",
    ),
    "the greatest and the least of two do not depend on their order": (
        "BoundedSequenceStep.step: `max(left.end, right.end)` becomes `max(right.end, left.end)`",
        "_disjunction: `max(left.bound, right.bound)` becomes `max(right.bound, left.bound)`",
        "_negation: `min(left.bound, limit)` becomes `min(limit, left.bound)`",
        "_restriction: `min(limit, evaluate_bound(0 if operation.bound is None else operation.bound))`"
        " becomes `min(evaluate_bound(0 if operation.bound is None else operation.bound), limit)`",
    ),
    "what ends now is not found before now, whether it is in the queue or not": (
        "BoundedSequenceStep.step: `if right.start >= 0` comes after `if self.latest < left.start`",
        "SequenceStep.step: `if right.start >= 0` comes after `if self.latest < left.start`",
    ),
    "the only operand is passed twice": (
        "RestrictionStep.step: `left` becomes `right`",
        "RestrictionStep.step: `left` becomes `right` (2)",
        "RestrictionStep.step: `left` becomes `right` (3)",
    ),
    "the loop goes on as long as there is no outcome": ("transform: `if outcome is None` becomes `if True`",),
    "no rule asks for a restriction to ∞": ("restricted: `bound == UNBOUNDED` becomes `bound > UNBOUNDED`",),
    "nothing is after ∞": ("restricted: `bound == UNBOUNDED` becomes `bound >= UNBOUNDED`",),
    "a temporal restriction has a bound and one operand": (
        "_restriction: `0` becomes `-1`",
        "_restriction: `0` becomes `-1` (2)",
        "_restriction: `0` becomes `1`",
    ),
}
"""The changed programs that are proved, by the reason why they are right; so are statements that do not interfere."""

STRICTER_THAN_NEEDED: Mapping[str, str] = {
    "NegationStep.__init__: `1` becomes `2`": "negstate says that t is -1 at first, and any time before 0 would do",
    "_sequence: `right.bound <= limit` becomes `right.bound <= limit + 1`": (
        "what is transformed under a restriction has no longer bound, or none; the proof of one rule does not know it"
    ),
    "_restriction: `operand.bound <= tighter` becomes `operand.bound <= tighter + 1`": "for the same reason",
}
"""Programs with right outputs that are not proved, and why."""


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant.

    Attributes:
        mutant: its name.
        unproved: an obligation that is not proved; "" if all are.
        wrong: what is wrong on a concrete run; "" if nothing was found.
    """

    mutant: str
    unproved: str
    wrong: str

    @property
    def expected(self) -> bool:
        """Whether it is caught and found wrong, or listed as right and neither."""
        harmless = any(self.mutant in names for names in RIGHT.values())
        harmless |= IN_THE_OTHER_ORDER in self.mutant and not self.unproved and not self.wrong
        if self.mutant in STRICTER_THAN_NEEDED:
            return bool(self.unproved) and not self.wrong
        if harmless:
            return not self.wrong and (not self.unproved or "compares for equality" in self.unproved)
        return bool(self.wrong) and (bool(self.unproved) or self.mutant.startswith("transform:"))


def _budget(wrong: object) -> int:
    return ENOUGH if wrong is None else WRONG_ENOUGH


def _unproved(claims: Iterable[str], subject: Subject, wrong: object) -> str:
    """The first obligation of the claims that is not proved, or why there are none."""
    found = (unproved(claim, "int", subject, _budget(wrong)) for claim in claims)
    try:
        return next((reason for reason in found if reason), "")
    except Exception as error:  # whatever a wrong program may raise, such as a step without its bound
        return repr(error)


def _summary(found: Refutation | None) -> str:
    return "" if found is None else found.summary()


def judge_step(owner: str, mutant: ProgramMutant) -> Outcome:
    claim, factory = STEP_CLAIMS[owner]
    lemma = STEP_LEMMAS[claim]
    running = STEPS if lemma.figure == 2 else BOUNDED_STEPS
    steps = {**running, lemma.operator: factory(mutant.define(vars(steps_module)))}
    wrong = find_step_counterexample(lemma, Subject(steps=steps)) or find_storage_counterexample(
        claim, Subject(steps=steps)
    )
    return Outcome(mutant.name, _unproved((claim, MEMORY_OF[owner]), Subject(steps=steps), wrong), _summary(wrong))


def judge_queue(mutant: ProgramMutant) -> Outcome:
    queue = mutant.define({**vars(steps_module), "bisect_right": bisect_right})
    found = find_queue_counterexample(queue)
    return Outcome(mutant.name, _unproved(("lemma:5.5.queue",), Subject(queue=queue), found), _summary(found))


def judge_rule(mutant: ProgramMutant) -> Outcome:
    names = defined(mutant.module, (*RULE_OF, "restricted"), vars(rules_module))
    rules = {operator: names[rule] for rule, operator in RULE_OF.items()}
    wrong = find_transformation_counterexample(rules) or find_difference_from_print(rules)
    claims = ("lemma:6.1", "theorem:6.1", transformation.FIGURE)
    return Outcome(mutant.name, _unproved(claims, Subject(rules=rules), wrong), _summary(wrong))


def judge_loop(mutant: ProgramMutant) -> Outcome:
    """The loop around the rules is not executed by any proof; runs alone judge it."""
    changed = limited(mutant.define(vars(rules_module)), LINES)
    return Outcome(mutant.name, "", _summary(find_difference_from_print(transform=changed)))


Judge = Callable[[ProgramMutant], Outcome]

JUDGES: Mapping[str, tuple[Any, Judge]] = {
    **{owner: (steps_module, partial(judge_step, owner)) for owner in STEP_CLAIMS},
    "CandidateQueue": (steps_module, judge_queue),
    **dict.fromkeys((*RULE_OF, "restricted"), (rules_module, judge_rule)),
    "transform": (rules_module, judge_loop),
}
"""What judges the mutants of each class and function."""


@cache
def all_mutants() -> list[tuple[ProgramMutant, Judge]]:
    return [(mutant, judge) for owner, (module, judge) in JUDGES.items() for mutant in mutants(module, owner)]


def test_mutants_of_every_kind_are_told_apart_by_their_names_and_what_is_listed_as_right_is_one() -> None:
    names = [mutant.name for mutant, _ in all_mutants()]
    assert len(set(names)) == len(names)
    assert len(names) > 450
    for change in (" becomes `", "is left out", IN_THE_OTHER_ORDER):
        assert sum(change in name for name in names) > 1
    listed = [name for group in (*RIGHT.values(), STRICTER_THAN_NEEDED) for name in group]
    assert len(set(listed)) == len(listed)
    assert set(listed) <= set(names)


@pytest.mark.long
@pytest.mark.parametrize("owner", JUDGES)
def test_every_change_of_one_symbol_is_caught_or_harmless(owner: str) -> None:
    module, judge = JUDGES[owner]
    outcomes = [judge(mutant) for mutant in mutants(module, owner)]
    assert [outcome for outcome in outcomes if not outcome.expected] == []


def test_an_outcome_that_nobody_expected_is_told() -> None:
    name = "NegationStep.step: `left` becomes `right`"
    assert Outcome(name, "lemma:5.4/output", "wrong").expected
    assert not Outcome(name, "", "wrong").expected  # a hole in the proof
    assert not Outcome(name, "", "").expected  # right, and not listed
    assert not Outcome(name, "lemma:5.4/output", "").expected  # not proved, and nothing is wrong
    assert not Outcome("_negation: `min` becomes `max`", "lemma:6.1/neg ⊆", "").expected  # listed, and no longer proved
