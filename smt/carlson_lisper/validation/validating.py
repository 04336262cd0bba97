"""Translation validation: from related states, one instant of a text yields what the proved steps yield.

The question is put for each subexpression on its own, operands first (`value_equalities`), and each is one of
linear arithmetic without quantifiers.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Protocol

from semantics.carlson_lisper.expressions import Expression, bottom_up
from smt.carlson_lisper.validation.relations import comparison, plainly
from smt.carlson_lisper.validation.texts import NotUnderstood
from smt.carlson_lisper.validation.traces import parting
from smt.carlson_lisper.validation.value_equalities import Question, questions
from smt.execution import ExecutionFailed
from smt.solvers.solver import Answer, SolverFailed

Outcome = Literal["validated", "refuted", "not validated"]

WORK = 1_000_000
"""What a solver may spend on one subexpression, in its own units."""

LARGEST = 200
"""A pattern with more subexpressions is not validated: to say what its text does takes longer than to run it."""


class Validatable(Protocol):
    """A detector whose code was made for one pattern."""

    expression: Expression

    def made(self) -> tuple[str, Mapping[str, object]]:
        """The text that runs, and the variables that it starts with, in the order in which they are given."""


class Asked(Protocol):
    """A solver."""

    name: str

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        """Decide a text."""


@dataclass(frozen=True)
class Validation:
    """Whether the text that was made for a pattern does what the proved steps do.

    Attributes:
        outcome: `validated`; `refuted`, with a trace on which the text detects something else; or neither.
        reason: why it is not validated: what is not understood, or a state and an instant at which they part.
    """

    outcome: Outcome
    reason: str
    solver: str
    seconds: float
    sha256: str

    @property
    def holds(self) -> bool:
        """Whether it is validated."""
        return self.outcome == "validated"

    def __str__(self) -> str:
        if self.holds:
            return f"validated by {self.solver} in {1000 * self.seconds:.0f} ms"
        return f"{self.outcome}: {self.reason}"


def validate(detector: Validatable) -> Validation:
    """Validate the text of a detector, of starts or of whole instances; once for each text in a process."""
    text, given = detector.made()
    return _remembered(detector.expression, text, _Given(tuple(given), given))


class _Given:
    """The initial values of a text, equal to others by what they are."""

    def __init__(self, names: tuple[str, ...], values: Mapping[str, object]) -> None:
        self.names, self.values = names, values
        self._key = plainly(values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Given) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


@lru_cache(maxsize=1024)
def _remembered(expression: Expression, text: str, given: _Given) -> Validation:
    return validated(expression, text, given.values)


def validated(
    expression: Expression, text: str, given: Mapping[str, object], solver: Asked | None = None
) -> Validation:
    """Validate a text against the proved steps of a pattern.

    Args:
        given: the variables with which it starts, in the order in which they are given.
        solver: who is asked; Z3 if nothing else is said.
    """
    begin = time.perf_counter()
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    if len(bottom_up(expression)) > LARGEST:
        return Validation("not validated", f"it has more than {LARGEST} subexpressions", "", 0.0, sha256)
    asked = _Once() if solver is None else solver
    outcome, reason = _compared(expression, text, given, asked)
    seconds = time.perf_counter() - begin
    if outcome != "validated":
        found = parting(expression, text, given)
        if found:
            outcome, reason = "refuted", f"{found}; {reason}"
    return Validation(outcome, reason, asked.name, seconds, sha256)


def _compared(
    expression: Expression, text: str, given: Mapping[str, object], solver: Asked
) -> tuple[Outcome, str]:
    try:
        for question in questions(comparison(expression, text, given)):
            answer = solver.check(question.text, rlimit=WORK)
            if answer.status != "unsat":
                return "not validated", _shortfall(question, answer)
    except (NotUnderstood, ExecutionFailed, SolverFailed) as error:
        return "not validated", str(error)
    return "validated", ""


def _shortfall(question: Question, answer: Answer) -> str:
    if answer.status == "unknown":
        return f"the solver does not know within its budget about {question.place}"
    return question.state(answer.values)


class _Once:
    """Z3, which is asked the same question only once in a process: equal steps of all patterns ask the same."""

    def __init__(self) -> None:
        from smt.solvers.z3_solver import Z3  # which takes a while to load

        self.name = Z3.name

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        return _answer(text, rlimit, seed)


@lru_cache(maxsize=4096)
def _answer(text: str, rlimit: int, seed: int) -> Answer:
    from smt.solvers.z3_solver import DEFAULT, Z3

    return Z3(strategy=DEFAULT).check(text, rlimit=rlimit, seed=seed)
