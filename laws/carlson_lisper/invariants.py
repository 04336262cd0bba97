"""State predicates of detectors (Def. 5.3-5.6): what each auxiliary variable remembers, as formulas.

They say what it holds at the start of time τ: of the stream `A` of the operand's output until then, of the instance `e`
or the stream `Q` that the variable holds, and of times: `until` (what ended before it counts), `since` (what ended
before it does not), `t` (the value of a time variable) and `start(⟨⟩)`. They also hold for detectors that, unlike the
source's, skip instants at which nothing of the operands ends, and over dense time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from laws.carlson_lisper.statements import parse_statement
from semantics.carlson_lisper.expressions import UNBOUNDED, Label
from semantics.formulas import And, Compare, Formula, Or, Parameter

VALUE, NEVER = Parameter("t"), Parameter("start(⟨⟩)")

LATEST_STARTED: Formula = parse_statement(
    "e ∈ A ∧ end(e) < until ∧ ∀ a ∈ A (end(a) < until ⇒ start(a) ≤ start(e))"
).formula
"""e is an instance of A that ended before `until`, with the greatest start of those."""

NOTHING_YET: Formula = parse_statement("¬∃ a ∈ A end(a) < until").formula  # No instance of A ended before `until`

_GREATEST = "∃ a ∈ A (end(a) < until ∧ start(a) = t) ∧ ∀ a ∈ A (end(a) < until ⇒ start(a) ≤ t)"
GREATEST_START: Formula = Or((parse_statement(_GREATEST).formula, And((NOTHING_YET, Compare("=", VALUE, NEVER)))))
"""t is the greatest start of the instances of A that ended before `until`, or start(⟨⟩) if there is none."""

_USEFUL = "¬∃ e' ∈ A (¬e' = e ∧ (start(e) ≤ start(e') ∧ end(e') ≤ end(e)))"
"""No other instance of A starts no earlier and ends no later (Def. 5.5)."""

_ENOUGH = "∃ e ∈ Q (start(a) ≤ start(e) ∧ end(e) ≤ end(a)) ∨ ∃ b ∈ A (end(b) < since ∧ start(a) ≤ start(b))"
CANDIDATES = And(
    (
        parse_statement(f"∀ e ∈ Q (e ∈ A ∧ end(e) < until ∧ since ≤ end(e) ∧ {_USEFUL})").formula,
        parse_statement(f"∀ a ∈ A (end(a) < until ∧ since ≤ end(a) ⇒ {_ENOUGH})").formula,
    )
)
"""Q holds the useful instances of A that ended before `until` and not before `since`.

The second part says that Q has a useful instance within each of those of A, unless one that ended before `since`
starts no earlier. Definitions 5.5 and 5.6 say only that every useful instance is in Q; that there is a useful one
within each other, on which the proof of Lemma 5.5 depends, then needs an argument about chains of instances that no
finite number of first-order steps replaces. Stated like this it is carried along by the induction, and the
definitions' half follows: a useful instance has none but itself within it.
"""


@dataclass(frozen=True)
class Variable:
    """An auxiliary variable of a step: what it remembers of those instances of an operand that ended in a window."""

    name: str
    kind: Literal["instance", "time", "set"]
    operand: int
    window: Literal["all", "before the horizon", "since the horizon"] = "all"


@dataclass(frozen=True)
class StepLemma:
    """Claim about the step of one operator in a figure (Lemmas 5.2-5.7).

    `kept` is the greatest number of instances that the step keeps (Section 5.2), ∞ where there is none; the label of a
    sequence of Figure 4 comes on top.
    """

    claim: str
    operator: str
    figure: Literal[2, 4]
    variables: tuple[Variable, ...] = ()
    kept: Label = 0


_OF_FIGURE_4 = (
    Variable("t", "time", 0),
    Variable("q", "set", 0, "since the horizon"),
    Variable("l", "instance", 0, "before the horizon"),
)

STEP_LEMMAS: Mapping[str, StepLemma] = MappingProxyType(
    {
        lemma.claim: lemma
        for lemma in (
            StepLemma("lemma:5.2", "dis", 2),
            StepLemma("lemma:5.3", "con", 2, (Variable("l", "instance", 0), Variable("r", "instance", 1)), 2),
            StepLemma("lemma:5.4", "neg", 2, (Variable("t", "time", 1),)),
            StepLemma("lemma:5.5", "seq", 2, (Variable("t", "time", 0), Variable("q", "set", 0)), kept=UNBOUNDED),
            StepLemma("lemma:5.6", "tim", 2),
            StepLemma("lemma:5.7", "seq", 4, _OF_FIGURE_4, kept=2),
        )
    }
)
"""The lemmas about steps, by id: `dis`, `con` (Def. 5.3), `neg` (Def. 5.4), `seq` (Def. 5.5), `tim`, and Def. 5.6."""
