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

from semantics.carlson_lisper.expressions import UNBOUNDED, Label
from semantics.formulas import And, Compare, End, Exists, ForAll, Formula, In, Not, Or, Parameter, Same, Start, implies

UNTIL, SINCE, VALUE, NEVER = Parameter("until"), Parameter("since"), Parameter("t"), Parameter("start(⟨⟩)")

LATEST_STARTED: Formula = And(
    (In("e", "A"), End("e") < UNTIL, ForAll("a", "A", implies(End("a") < UNTIL, Start("a") <= Start("e"))))
)
"""e is an instance of A that ended before `until`, with the greatest start of those."""

NOTHING_YET: Formula = Not(Exists("a", "A", End("a") < UNTIL))  # No instance of A ended before `until`

GREATEST_START: Formula = Or(
    (
        And(
            (
                Exists("a", "A", And((End("a") < UNTIL, Compare("=", Start("a"), VALUE)))),
                ForAll("a", "A", implies(End("a") < UNTIL, Start("a") <= VALUE)),
            )
        ),
        And((NOTHING_YET, Compare("=", VALUE, NEVER))),
    )
)
"""t is the greatest start of the instances of A that ended before `until`, or start(⟨⟩) if there is none."""


def _within(inner: str, outer: str) -> Formula:
    return And((Start(outer) <= Start(inner), End(inner) <= End(outer)))


def _useful(variable: str) -> Formula:
    """No other instance of A starts no earlier and ends no later (Def. 5.5)."""
    other = variable + "'"
    return Not(Exists(other, "A", And((Not(Same(other, variable)), _within(other, variable)))))


CANDIDATES: And = And(
    (
        ForAll("e", "Q", And((In("e", "A"), End("e") < UNTIL, SINCE <= End("e"), _useful("e")))),
        ForAll(
            "a",
            "A",
            implies(
                And((End("a") < UNTIL, SINCE <= End("a"))),
                Or(
                    (
                        Exists("e", "Q", _within("e", "a")),
                        Exists("b", "A", And((End("b") < SINCE, Start("a") <= Start("b")))),
                    )
                ),
            ),
        ),
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
