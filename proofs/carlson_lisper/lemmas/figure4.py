"""Steps of Figure 4 by the sequence that they run for: the last part of the argument of Section 6.

Lemma 5.7 is about the step that is made for a label τ ∈ 𝒯, and assumes that no instance of the right operand is longer.
Theorem 6.1 says that this is so for the labels of a transformed expression. What is left is executed here: for the
label ∞ the step of Figure 2 is made, of which Lemma 5.5 assumes nothing, and for all other operators those of Figure 2.
"""

from __future__ import annotations

from typing import Any, cast

from detectors.carlson_lisper.source.figure2 import STEPS, StepFactory
from detectors.carlson_lisper.source.steps import Step
from proofs.carlson_lisper.lemmas.steps import RUNNING
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.expressions import Identifier, Operation
from smt.carlson_lisper.obligations import Writer
from smt.execution import Execution, SymbolicTime, explore
from smt.obligations import Obligation
from smt.smtlib import FALSE, SORT, TRUE, TimeSort, conjunction, disjunction, negation

CLAIM = "memory:6.figure4"

LABEL = "label"


def obligations(time: TimeSort, subject: Subject) -> list[Obligation]:
    """The choice of a step for an arbitrary label τ ∈ 𝒯 ∪ {∞}, and for the other operators."""
    chosen = subject.steps or RUNNING[4]
    found = [_without_bound(chosen["seq"], time)]
    for operator, factory in STEPS.items():
        if operator != "seq":
            same = TRUE if chosen.get(operator) is factory else FALSE
            words = f"the step for {operator} is that of Figure 2"
            found.append(Writer(time).obligation(CLAIM, operator, words, [negation(same)]))
    return found


def _without_bound(factory: StepFactory, time: TimeSort) -> Obligation:
    """For the label ∞ the step is that of Figure 2, and for every other label it is not."""
    operands = (Identifier("A"), Identifier("B"))
    unbounded = type(STEPS["seq"](Operation("seq", operands)))

    def made(execution: Execution) -> Step:
        label = SymbolicTime(LABEL, execution, f"{LABEL}.infinite", natural=True)
        return factory(Operation("seq", operands, label=cast(Any, label)))

    writer = Writer(time)
    writer.declare(LABEL, SORT[time])
    writer.declare(f"{LABEL}.infinite", "Bool")
    goals = []
    for path in explore(made)[0]:
        infinite = f"{LABEL}.infinite"
        right = FALSE
        if path.result is not None:
            right = infinite if type(path.result) is unbounded else negation(infinite)
        goals.append(disjunction((negation(path.condition), right)))
    words = "a sequence whose label is ∞ gets the step of Figure 2, and no other sequence does"
    assumptions = [f"(<= 0 {LABEL})", negation(conjunction(goals))]
    return writer.obligation(CLAIM, "seq", words, assumptions)
