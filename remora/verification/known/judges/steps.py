"""Known answers about proofs of the steps that detectors show."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from time import monotonic
from typing import Any, ClassVar

from detectors.carlson_lisper.generated.programs import GENERATED_STEPS
from detectors.carlson_lisper.source.figure2 import STEPS, Figure2, StepFactory
from detectors.carlson_lisper.source.figure4 import BOUNDED_STEPS
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, DisjunctionStep, SequenceStep, Step
from detectors.carlson_lisper.source.transformation import transform
from laws.standings import Standing
from proofs.carlson_lisper.runs.printed import find_difference_from_print
from remora.judging.step_proofs import FIGURE4, LABELLED, OWN, RECENT, Steps, prove_steps, steps_of
from remora.verification.known.answers import Checks, Row
from semantics.carlson_lisper.expressions import Identifier, Label, Operation
from semantics.carlson_lisper.occurrences import Instance
from smt.solvers.portfolio import Portfolio

checks = Checks()

OURS = GENERATED_STEPS["seq"]
"""Makes the step of sequences with an array, whose state no lemma about Figure 4 speaks of."""


class _OnlyRight(DisjunctionStep):
    __slots__ = ()

    def step(self, left: Instance, right: Instance) -> Instance:
        """What the right operand has, whatever the left one has."""
        return right


class _Lower(SequenceStep):
    __slots__ = ()

    def step(self, left: Instance, right: Instance) -> Instance:
        """Right, and t is less than Def. 5.5 says, so that of several left instances with one start all are kept."""
        found = super().step(left, right)
        if 0 <= left.start == self.latest:
            self.latest = left.start - 1
        return found


class _OwnState:
    """A right step of negations that keeps what it needs in its own way."""

    bound: Label = 0
    VARIABLES: ClassVar[Mapping[str, str]] = {}

    def __init__(self) -> None:
        """Nothing started yet."""
        self.times = [-1]

    def step(self, left: Instance, right: Instance) -> Instance:
        """The left instance, unless an instance of the right side started within it."""
        if self.times[0] < right.start:
            self.times = [right.start]
        return left if self.times[0] < left.start else NON_OCCURRENCE

    def variables(self) -> Mapping[str, object]:
        """None by the source's names."""
        return {}

    def stored(self) -> int:
        """A time, no instance."""
        return 0


class _RarelyWrong(DisjunctionStep):
    __slots__ = ()

    def step(self, left: Instance, right: Instance) -> Instance:
        """Wrong about what starts at a time that no small history reaches."""
        return right if left.start == 977 else super().step(left, right)


class _WithSteps(Figure2):
    steps: Mapping[str, Any] = {"dis": lambda _: _OnlyRight()}


class _WithFigure4(Figure2):
    steps = BOUNDED_STEPS


def _made(step: Callable[[], Step], _: Operation) -> Step:
    return step()


def _states(portfolio: Portfolio) -> Iterator[Row]:
    """Lemmas about a state that a step has, or has not; a state that the step does not have is not wrong."""
    shown: Mapping[str, StepFactory] = {
        **STEPS,
        "neg": partial(_made, _OwnState),
        "dis": partial(_made, _RarelyWrong),
    }
    found = [
        Steps(("own",), ("lemma:5.4", "lemma:5.2"), shown),
        Steps(("other",), ("lemma:5.5",), {**STEPS, "seq": partial(_made, _Lower)}),
    ]
    proofs = prove_steps(found, portfolio, seed=0, until=monotonic() + 60)
    standings = [None, Standing.UNKNOWN, Standing.REFUTED]
    yield "steps with states of their own, and with a wrong one", [one.standing for one in proofs], standings


@checks.known("proofs of steps", "a wrong step is not proved")
def _steps(portfolio: Portfolio) -> Iterator[Row]:
    known = {name: tuple(dict.fromkeys(claims)) for name, claims in OWN.items()}
    found = steps_of(dict.fromkeys(known, Figure2))
    yield "claims about our own", {n: s.claims for s in found for n in s.detectors}, known
    (theirs,) = steps_of({"theirs": _WithSteps})
    yield "steps of somebody else", (theirs.steps or {}).get("dis"), _WithSteps.steps["dis"]
    yield "what is claimed of them", theirs.claims, ("lemma:5.2",)
    (theirs,) = steps_of({"theirs": _WithFigure4})
    yield "what is claimed of labelled sequences", theirs.claims, FIGURE4
    for title, sequence, claim in (("our own", OURS, RECENT), ("another", lambda of: OURS(of), LABELLED)):
        shown = {**STEPS, "seq": sequence}
        (theirs,) = steps_of({"theirs": type("_Theirs", (Figure2,), {"steps": shown})})
        yield f"what is claimed of {title} step with an array", theirs.claims[-1], claim
    ends = Steps(("x",), ("lemma:5.2",), {**STEPS, "dis": lambda _: os._exit(0)})
    (check,) = prove_steps([ends], portfolio, seed=0, until=monotonic() + 60)
    yield "a step that ends its process", check.standing, Standing.ERROR
    for title, step, right in (("wrong", _OnlyRight, False), ("right", DisjunctionStep, True)):
        steps = Steps(("x",), ("lemma:5.2",), {**STEPS, "dis": partial(_made, step)})
        behind = Steps(("y",), ("lemma:5.2",), {**STEPS, "dis": partial(_made, _OnlyRight)})
        (check, wrong) = prove_steps([steps, behind], portfolio, seed=0, until=monotonic() + 60)
        yield f"a {title} step", check.standing is not None and check.standing.unbounded, right
        yield (
            f"a wrong step behind a {title} one",
            wrong.standing is not None and wrong.standing.unbounded,
            False,
        )
    yield from _states(portfolio)
    for title, other in (("expression", {"expression": Identifier("z")}), ("bound", {"bound": 7})):
        differs = find_difference_from_print(
            transform=lambda *of, other=other: transform(*of)._replace(**other)
        )
        yield f"a transformation with another {title}", differs is None, False
