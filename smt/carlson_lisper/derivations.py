"""The source's chains, checked step by step in two ways: whether a step is true, and whether it follows as cited."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from laws.carlson_lisper.derivations import Citation, Computation, Derivation, Link, Step, law
from laws.carlson_lisper.statements.formula_syntax import parse_set
from semantics.carlson_lisper.syntax import Equation
from smt.carlson_lisper.entailment import Entailment, Question, decide
from smt.carlson_lisper.instance_queries import SameSet, prove_goal, same_meaning
from smt.solvers.solver import Solver

Truth = Literal["proved", "not proved"]


@dataclass(frozen=True)
class LinkResult:
    """What is known of an equation between two lines of a chain.

    Attributes:
        truth: whether it holds for all streams under the chain's assumptions.
        entailment: whether it follows from what is cited by equational reasoning; that of the first case, with or
            without bounds that are ∞, in which it does not.
        superfluous: the cited laws without which it follows as well, one at a time.
    """

    truth: Truth
    entailment: Entailment
    superfluous: tuple[int, ...]


@dataclass(frozen=True)
class StepResult:
    """What is known of a step: as it is meant, and as the source prints it (None for a step that it does not print)."""

    step: Step
    meant: LinkResult
    as_printed: LinkResult | None

    @property
    def sound(self) -> bool:
        """Whether the step as meant is true and follows from what is cited, and all of it is needed."""
        return (
            self.meant.truth == "proved"
            and self.meant.entailment.status == "follows"
            and not self.meant.superfluous
        )

    @property
    def printed_sound(self) -> bool:
        """Whether the same can be said of the step as printed."""
        return self.as_printed is not None and replace(self, meant=self.as_printed).sound


def questions(
    derivation: Derivation, equation: Equation, citation: Citation, *, printed_assumptions: bool = False
) -> list[Question]:
    """What a citation claims of an equation, once per choice of the bounds that are ∞.

    Args:
        printed_assumptions: use the assumptions as printed.
    """
    assumed = derivation.printed_assumptions if printed_assumptions else derivation.assumptions
    return [
        Question(
            case.equation(equation),
            tuple(map(law, citation.laws)),
            tuple(map(case.equation, assumed)) if citation.assumptions else (),
            case.conditions,
            derivation.primitive,
        )
        for case in derivation.cases()
    ]


def follows(asked: Iterable[Question], solver: Solver) -> Entailment:
    """The answer to all questions: that they follow, or the first answer that is another."""
    answer = Entailment("follows", "no case")
    for question in dict.fromkeys(asked):
        answer = decide(question, solver)
        if answer.status != "follows":
            break
    return answer


def is_true(derivation: Derivation, equation: Equation, solver: Solver) -> bool:
    """Whether an equation holds for all streams under a chain's assumptions, whichever bounds are ∞."""
    cases = dict.fromkeys(
        (case.equation(equation), tuple(map(case.equation, derivation.assumptions)), case.conditions)
        for case in derivation.cases()
    )
    return all(
        case.left == case.right
        or prove_goal(
            same_meaning(case),
            solver,
            [same_meaning(assumption) for assumption in assumed],
            conditions=conditions,
            primitive=derivation.primitive,
        ).status
        == "unsat"
        for case, assumed, conditions in cases
    )


def check_link(derivation: Derivation, link: Link, solver: Solver, *, printed: bool = False) -> LinkResult:
    """Check an equation in both ways."""
    entailment = follows(
        questions(derivation, link.equation, link.citation, printed_assumptions=printed), solver
    )
    superfluous = []
    if entailment.status == "follows" and len(link.citation.laws) > 1:
        for number in link.citation.laws:
            others = tuple(other for other in link.citation.laws if other != number)
            fewer = replace(link.citation, laws=others)
            if follows(questions(derivation, link.equation, fewer), solver).status == "follows":
                superfluous.append(number)
    truth: Truth = "proved" if is_true(derivation, link.equation, solver) else "not proved"
    return LinkResult(truth, entailment, tuple(superfluous))


def check_derivation(
    derivation: Derivation, solver: Solver, *, only: int | None = None
) -> tuple[StepResult, ...]:
    """Check every step of a chain, or only the one at a position, from 0."""
    results = []
    for step in derivation.steps if only is None else derivation.steps[only : only + 1]:
        meant = check_link(derivation, step.meant, solver)
        as_printed = None
        if step.as_printed is not None:
            same = step.as_printed == step.meant and (
                not step.meant.citation.assumptions
                or derivation.assumptions == derivation.printed_assumptions
            )
            as_printed = meant if same else check_link(derivation, step.as_printed, solver, printed=True)
        results.append(StepResult(step, meant, as_printed))
    return tuple(results)


# --------------------------------------------------------------------------------------------------- computations


@dataclass(frozen=True)
class ComputationResult:
    """What is known of a proof by definition.

    Attributes:
        lines: for each line after the first, whether it is the same set as the line before, for all streams.
        proves_law: whether first and last line are the sides of the law that it is said to prove here.
    """

    computation: Computation
    lines: tuple[Truth, ...]
    proves_law: bool


def check_computation(computation: Computation, solver: Solver) -> ComputationResult:
    """Check every line of a proof by definition."""
    lines: list[Truth] = []
    for before, after in computation.pairs():
        goal = SameSet(parse_set(before), parse_set(after))
        answer = prove_goal(goal, solver, primitive=computation.primitive)
        lines.append("proved" if answer.status == "unsat" else "not proved")
    proves_law = computation.law is None or computation.proves(computation.law)
    return ComputationResult(computation, tuple(lines), proves_law)
