"""Translation validation: from related states, one instant of a text yields what the proved steps yield.

The question is put for each subexpression on its own, operands first (`value_equalities`), and each is one of
linear arithmetic without quantifiers.
"""

from __future__ import annotations

import copy
import hashlib
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal, Protocol

from detectors.carlson_lisper.generated import GLOBALS, Generated
from detectors.carlson_lisper.protocol import event_types
from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.generated_code import defined
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up, evaluate_bound
from semantics.carlson_lisper.syntax import parse
from smt.carlson_lisper.validation.relations import comparison, numbered
from smt.carlson_lisper.validation.texts import NotUnderstood
from smt.carlson_lisper.validation.value_equalities import questions
from smt.python_terms import NotTranslated
from smt.solvers.back_ends import DEFAULT, Z3
from smt.solvers.solver import Answer, SolverFailed

Outcome = Literal["validated", "refuted", "not validated"]

WORK = 1_000_000
"""Budget of a solver for one subexpression, in its own units."""

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
    """Validate the text of a detector; once for each text in a process."""
    text, given = detector.made()
    return _remembered(detector.expression, text, tuple(given.items()))


@lru_cache(maxsize=1024)
def _remembered(expression: Expression, text: str, given: tuple[tuple[str, object], ...]) -> Validation:
    return validated(expression, text, dict(given))


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
    asked = _z3() if solver is None else solver
    outcome, reason = _compared(expression, text, given, asked)
    seconds = time.perf_counter() - begin
    if outcome != "validated":
        found = parting(expression, text, given)
        if found:
            outcome, reason = "refuted", f"{found}; {reason}"
    return Validation(outcome, reason, asked.name, seconds, sha256)


@cache
def _z3() -> Asked:
    return Z3(strategy=DEFAULT)


def _compared(expression: Expression, text: str, given: Mapping[str, object], solver: Asked) -> tuple[Outcome, str]:
    try:
        for place, question in questions(comparison(expression, text, given)):
            status = solver.check(question, rlimit=WORK).status
            if status != "unsat":
                said = "does not know within its budget" if status == "unknown" else "finds a state in which they part"
                return "not validated", f"of {place} in the text and its step, the solver {said}"
    except (NotUnderstood, NotTranslated, SolverFailed) as error:
        return "not validated", str(error)
    return "validated", ""


# --------------------------------------------------------------------------------- traces on which a text is wrong

TRACES, INSTANTS = 1_000, 8
"""So many traces of so many instants at most are tried to show that a text that was not validated is wrong."""

Trace = Sequence[tuple[int, list[str]]]


def parting(expression: Expression, text: str, given: Mapping[str, object]) -> str:
    """A trace on which the text detects something else than Figure 2, in words; nothing if none is found."""
    names = event_types(expression)
    numbers = random.Random(text)
    gaps = _gaps(expression)
    for _ in range(TRACES):
        now, trace = -1, []
        for _ in range(numbers.randint(1, INSTANTS)):
            now += numbers.choice(gaps)
            present = [name for name in names if numbers.random() < 0.5]
            if present:
                trace.append((now, present))
        said = _apart(expression, text, given, names, trace)
        if said:
            return said
    return ""


def _gaps(expression: Expression) -> list[int]:
    bounds = [
        evaluate_bound(node.bound)
        for node in numbered(expression)
        if isinstance(node, Operation) and node.bound is not None
    ]
    return sorted({1, 2, *(max(1, bound + by) for bound in bounds for by in (0, 1))})


def _apart(expression: Expression, text: str, given: Mapping[str, object], names: Sequence[str], trace: Trace) -> str:
    due = Figure2(expression)
    told = "; ".join(f"{', '.join(present)} at {now}" for now, present in trace)
    try:
        step = _runnable(text, given, names)
        for now, present in trace:
            wanted = due.step(now, dict.fromkeys(present))
            found = step(now, present)
            right = -1 if wanted is None else wanted.start
            if found != right:
                return f"on {told}, it finds the start {found} at {now}, and {right} is right"
    except Exception as error:  # whatever a wrong text raises
        return f"on {told}, it breaks down: {type(error).__name__}: {error}"
    return ""


def _runnable(text: str, given: Mapping[str, object], names: Sequence[str]) -> Callable[[int, Sequence[str]], object]:
    """The function of a text, from a time and event types to the start that it finds."""
    values = {name: copy.deepcopy(value) for name, value in given.items()}
    function: Any = defined(text, "detector", "<a text to be validated>", GLOBALS)
    step = function(**values)
    bits = {name: 1 << place for place, name in enumerate(names)}
    return lambda now, present: int(step(now, sum(bits[name] for name in present)))


# ------------------------------------------------------------------------------------- the detectors of the catalogue

MADE: Mapping[str, Callable[[Expression], Validatable]] = {"generated": Generated}


@dataclass(frozen=True)
class OfPattern:
    """Validation of a detector's text for a pattern."""

    detector: str
    validation: Validation

    @property
    def holds(self) -> bool | None:
        """Whether it is right: it is validated; it is refuted; or neither."""
        return {"validated": True, "refuted": False}.get(self.validation.outcome)

    @property
    def besides(self) -> str:
        """Nothing."""
        return ""

    def __str__(self) -> str:
        return f"the text of {self.detector} is {self.validation}"


def decisions(text: str, detector: str) -> Iterator[OfPattern]:
    """The validation of the text that a detector has for a pattern; none for one of which no text is validated."""
    if detector in MADE:
        yield OfPattern(detector, validate(MADE[detector](parse(text))))
