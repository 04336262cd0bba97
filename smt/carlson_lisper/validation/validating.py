"""Translation validation: from related states, one instant of a text yields what the proved steps yield.

The question is put for each subexpression on its own, operands first, and each is one of linear arithmetic without
quantifiers.
"""

import hashlib
import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal

from detectors.carlson_lisper.generated import GLOBALS, Generated
from detectors.carlson_lisper.protocol import event_types
from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.generated_code import defined
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up, evaluate_bound
from semantics.carlson_lisper.syntax import parse
from smt.carlson_lisper.validation.relations import Pattern, questions
from smt.carlson_lisper.validation.texts import NotUnderstood
from smt.python.paths import NotTranslated
from smt.solvers.portfolio import DEFAULT, Z3, Solver, SolverFailed

Outcome = Literal["validated", "refuted", "not validated"]

WORK = 1_000_000  # Budget of a solver for one subexpression, in its own units

LARGEST = 200
"""A pattern with more subexpressions is not validated: to say what its text does takes longer than to run it."""

TRACES, INSTANTS = 1_000, 8
"""So many traces of so many instants at most are tried to show that a text that was not validated is wrong."""


@dataclass(frozen=True)
class Validation:
    """Whether the text that was made for a pattern does what the proved steps do, and why it is not validated.

    It is refuted where there is a trace on which it detects something else.
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


def validate(detector: Generated) -> Validation:
    """Validate the text of a detector; once for each text in a process."""
    text, given = detector.made()
    return _remembered(detector.expression, text, tuple(given.items()))


@lru_cache(maxsize=1024)
def _remembered(expression: Expression, text: str, given: tuple[tuple[str, object], ...]) -> Validation:
    return validated(expression, text, dict(given), _z3())


@cache
def _z3() -> Solver:
    return Z3(strategy=DEFAULT)


def validated(expression: Expression, text: str, given: Mapping[str, object], solver: Solver) -> Validation:
    """Validate a text, given the variables with which it starts, against the proved steps of a pattern."""
    begin = time.perf_counter()
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    if len(bottom_up(expression)) > LARGEST:
        return Validation("not validated", f"it has more than {LARGEST} subexpressions", "", 0.0, sha256)
    reason = _objection(expression, text, given, solver)
    seconds = time.perf_counter() - begin
    if not reason:
        return Validation("validated", "", solver.name, seconds, sha256)
    found = _parting(expression, text, given)
    if found:
        return Validation("refuted", f"{found}; {reason}", solver.name, seconds, sha256)
    return Validation("not validated", reason, solver.name, seconds, sha256)


def _objection(expression: Expression, text: str, given: Mapping[str, object], solver: Solver) -> str:
    """Why a text is not validated; "" if it is."""
    try:
        for place, question in questions(expression, text, given):
            status = solver.check(question, rlimit=WORK).status
            if status != "unsat":
                said = "does not know within its budget" if status == "unknown" else "finds a state in which they part"
                return f"of {place} in the text and its step, the solver {said}"
    except (NotUnderstood, NotTranslated, SolverFailed) as error:
        return str(error) or "it is not understood"
    return ""


def _parting(expression: Expression, text: str, given: Mapping[str, object]) -> str:
    """A trace on which the text detects something else than Figure 2, in words; nothing if none is found."""
    numbers, names = random.Random(text), event_types(expression)
    nodes = [node for node in Pattern(expression).nodes if isinstance(node, Operation)]
    bounds = [evaluate_bound(node.bound) for node in nodes if node.bound is not None]
    gaps = sorted({1, 2, *(max(1, bound + by) for bound in bounds for by in (0, 1))})
    for _ in range(TRACES):
        now, trace = -1, []
        for _ in range(numbers.randint(1, INSTANTS)):
            now += numbers.choice(gaps)
            present = [name for name in names if numbers.random() < 0.5]
            if present:
                trace.append((now, present))
        told = "; ".join(f"{', '.join(present)} at {now}" for now, present in trace)
        due = Figure2(expression)
        try:
            function: Any = defined(text, "detector", "<a text to be validated>", GLOBALS)
            step = function(**given)
            for now, present in trace:
                wanted = due.step(now, dict.fromkeys(present))
                found = int(step(now, sum(1 << names.index(name) for name in present)))
                right = -1 if wanted is None else wanted.start
                if found != right:
                    return f"on {told}, it finds the start {found} at {now}, and {right} is right"
        except Exception as error:  # whatever a wrong text raises
            return f"on {told}, it breaks down: {type(error).__name__}: {error}"
    return ""


@dataclass(frozen=True)
class OfPattern:
    """Validation of a detector's text for a pattern."""

    detector: str
    validation: Validation
    besides: str = ""

    @property
    def holds(self) -> bool | None:
        """Whether it is right: it is validated; it is refuted; or neither."""
        return {"validated": True, "refuted": False}.get(self.validation.outcome)

    def __str__(self) -> str:
        return f"the text of {self.detector} is {self.validation}"


def decisions(text: str, detector: str) -> Iterator[OfPattern]:
    """The validation of the text that a detector has for a pattern; none for one of which no text is validated."""
    if detector == "generated":
        yield OfPattern(detector, validate(Generated(parse(text))))
