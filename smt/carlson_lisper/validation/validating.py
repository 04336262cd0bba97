"""Translation validation: from related states, one instant of a text yields what the proved steps yield.

The state of generated code is related to that of the steps by the names of its variables. With whole instances each
variable is that of a step. With starts alone, `t7_9` is what `t7` carries for the sequence 9: the greatest start of an
instance of the left side of 9 that ended before `t7`. By the lemmas about the steps, their own variables are greatest
starts of this kind as well, so one uninterpreted function for each subexpression says all of it; and the question is
one of linear arithmetic without quantifiers.
"""

from __future__ import annotations

import hashlib
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, Protocol, cast

from detectors.carlson_lisper.generated.start_programs import START_FUNCTIONS
from detectors.carlson_lisper.protocol import event_types
from detectors.carlson_lisper.source.figure2 import STEPS, Figure2
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, CandidateQueue, NonOccurrence, Step
from detectors.carlson_lisper.source.stores import RecentSequenceStep, StaticQueue
from detectors.generated_code import defined
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up, evaluate_bound
from semantics.carlson_lisper.occurrences import Instance
from smt.carlson_lisper.validation.references import (
    Instances,
    Reference,
    Starts,
    numbered,
    reference,
)
from smt.carlson_lisper.validation.texts import (
    INSTANCE,
    NONE,
    QUEUE,
    TIME,
    NotUnderstood,
    Program,
    Run,
    Value,
    occurs,
    primitive,
    program,
)
from smt.execution import ExecutionFailed
from smt.smtlib import conjunction, negation, symbol
from smt.solvers.solver import Answer, SolverFailed

Outcome = Literal["validated", "refuted", "not validated"]

WORK = 2_000_000
"""What a solver may spend on one pattern, in its own units."""

LARGEST = 100
"""A pattern with more subexpressions is not validated: to say what its text does takes longer than to run it."""


class Validatable(Protocol):
    """A detector whose code was made for one pattern."""

    expression: Expression

    def made(self) -> tuple[str, Mapping[str, object]]:
        """The text that runs, and the variables that it starts with, in the order in which they are given."""


class Asked(Protocol):
    """A solver."""

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        """Decide a text."""


@dataclass(frozen=True)
class Validation:
    """Whether the text that was made for a pattern does what the proved steps do.

    Attributes:
        outcome: `validated`; `refuted`, with a trace on which the text detects something else; or neither.
        reason: why it is not validated: what is not understood, or a state and an instant at which they part.
        solver: what proved it.
        seconds: the time that it took, when it was done.
        sha256: of the text.
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
        """In a few words."""
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
        self._key = tuple((name, _plainly(value)) for name, value in values.items())

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
        expression: a ground expression.
        text: the text of its detector.
        given: the variables with which it starts, in the order in which they are given.
        solver: who is asked; Z3 if nothing else is said.
    """
    begin = time.perf_counter()
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    if len(bottom_up(expression)) > LARGEST:
        return Validation("not validated", f"it has more than {LARGEST} subexpressions", "", 0.0, sha256)
    if solver is None:
        from smt.solvers.z3_solver import DEFAULT, Z3  # which takes a while to load

        solver = Z3(strategy=DEFAULT)
    outcome, reason = _compared(expression, text, given, solver)
    name = str(getattr(solver, "name", ""))
    seconds = time.perf_counter() - begin
    if outcome != "validated":
        found = _parting(expression, text, given)
        if found:
            outcome, reason = "refuted", f"{found}; {reason}"
    return Validation(outcome, reason, name, seconds, sha256)


def _compared(
    expression: Expression, text: str, given: Mapping[str, object], solver: Asked
) -> tuple[Outcome, str]:
    try:
        question = asked(expression, text, given)
        answer = solver.check(question.text, rlimit=WORK)
    except (NotUnderstood, ExecutionFailed, SolverFailed) as error:
        return "not validated", str(error)
    if answer.status == "unsat":
        return "validated", ""
    if answer.status == "unknown":
        return "not validated", "the solver does not know within its budget"
    return "not validated", question.state(answer.values)


# ------------------------------------------------------------------------------------------------------ the question


@dataclass(frozen=True)
class Question:
    """Whether there are related states and an instant from which a text and the steps part.

    Attributes:
        text: for a solver; if it has no model, the text is right.
        shown: constants that say what the state and the instant are, with words for them.
        compared: constants for what the text and the steps come to, with words for them.
    """

    text: str
    shown: tuple[tuple[str, str], ...]
    compared: tuple[tuple[str, str, str], ...]

    def state(self, values: Mapping[str, int | bool]) -> str:
        """A model in words."""
        known = [
            f"{word} = {values[name]}" if not isinstance(values[name], bool) else word
            for name, word in self.shown
            if name in values and values[name] is not False
        ]
        apart = [
            f"{word} becomes {values[found]} and should become {values[due]}"
            for found, due, word in self.compared
            if found in values and due in values and values[found] != values[due]
        ]
        return f"with {', '.join(known) or 'nothing'}: {'; '.join(apart) or 'an instance is another one'}"


def asked(expression: Expression, text: str, given: Mapping[str, object]) -> Question:
    """The question about a text.

    Raises:
        NotUnderstood: the text has another form, or starts with other variables.
        ExecutionFailed: a step cannot be run on terms.
    """
    made = program(text)
    if made.received == ("time", "letter"):
        return _of_starts(expression, made, given)
    if made.received == ("now", "occurrences"):
        return _of_instances(expression, made, given)
    raise NotUnderstood("it is the text of neither starts nor instances")


_VARIABLE = re.compile(r"([a-z])([1-9][0-9]*)((?:_[1-9][0-9]*)*)")


def _of_starts(expression: Expression, made: Program, given: Mapping[str, object]) -> Question:
    if set(made.given) != set(given):
        raise NotUnderstood("it is given other variables than it has")
    if any(type(value) is not int or value != -1 for value in given.values()):
        raise NotUnderstood("a variable does not start with -1")
    if "now" not in made.given:
        raise NotUnderstood("it does not keep the time")
    level = Starts()
    nodes = numbered(expression)
    numbers = {node: place for place, node in enumerate(nodes, start=1)}

    def side(place: int, name: str) -> int:
        """The number of the operand whose starts a variable of a step is about."""
        node = nodes[place - 1] if place <= len(nodes) else None
        about = _ABOUT.get((node.operator, name)) if isinstance(node, Operation) else None
        if about is None:
            raise NotUnderstood(f"{name}{place} is no variable of the steps")
        assert isinstance(node, Operation)
        return numbers[node.operands[about]]

    def before(name: str, place: int, operands: tuple[int, int]) -> Value:
        if name == "q":
            return Value(str(operands[0]), QUEUE)
        return Value(level.latest(side(place, name), "time"), TIME)

    steps = reference(expression, level, lambda _, node: STEPS[node.operator](node), before)
    given_terms: dict[str, str] = {}
    due: dict[str, str] = {}
    for variable in made.given:
        if variable == "now":
            given_terms[variable], due[variable] = "last", "time"
            continue
        match = _VARIABLE.fullmatch(variable)
        if match is None:
            raise NotUnderstood(f"{variable} is no variable of the steps")
        place = int(match[2])
        held = level.latest(side(place, match[1]), "time")
        becomes = steps.after[f"{match[1]}{place}"].term
        for carried in match[3].split("_")[1:]:
            held, becomes = (level.latest(side(int(carried), "t"), each) for each in (held, becomes))
            if not _is_sequence(nodes[int(carried) - 1]):
                raise NotUnderstood(f"{variable} carries a match of no sequence")
        given_terms[variable], due[variable] = held, becomes
    names = event_types(expression)
    values = {name: Value(term, TIME) for name, term in given_terms.items()}
    run = Run(made.body, {**values, "time": Value("time", TIME)}, names)
    facts = ["(<= (- 1) last)", "(<= 0 time)"]
    for term, (_, until) in level.asked.items():
        facts.append(f"(ite (< {until} 0) (= {term} (- 1)) (and (<= (- 1) {term}) (< {term} {until})))")
    functions = [f"(declare-fun latest.{place} (Int) Int)" for place in range(1, len(nodes) + 1)]
    return _question(expression, functions, facts, steps, run, due, values)


_ABOUT: Mapping[tuple[str, str], int] = {
    ("con", "l"): 0,
    ("con", "r"): 1,
    ("neg", "t"): 1,
    ("seq", "t"): 0,
}
"""The operand whose greatest start so far an auxiliary variable is (Def. 5.3 to 5.5, proved by their lemmas)."""


def _is_sequence(node: Expression) -> bool:
    return isinstance(node, Operation) and node.operator == "seq"


def _of_instances(expression: Expression, made: Program, given: Mapping[str, object]) -> Question:
    if made.given != ("NON_OCCURRENCE", "primitive", *given):
        raise NotUnderstood("it is given other variables than it has")

    def step(place: int, node: Operation) -> Step:
        return _proved(node, given.get(f"q{place}"))

    level = Instances()
    values: dict[str, Value] = {}
    constants: list[str] = []

    def before(name: str, place: int, _: tuple[int, int]) -> Value:
        made_step = step(place, cast(Operation, nodes[place - 1]))
        variable = f"{name}{place}"
        initial = made_step.variables()[name]
        if variable not in given or _plainly(given[variable]) != _plainly(initial):
            raise NotUnderstood(f"{variable} does not start as that of the step does")
        sort = {"q": QUEUE, "t": TIME}.get(name, INSTANCE)
        constants.append(f"(declare-fun kept.{variable} () {sort})")
        values[variable] = Value(f"kept.{variable}", sort)
        return values[variable]

    nodes = numbered(expression)
    steps = reference(expression, level, step, before)
    if set(given) != set(values):
        raise NotUnderstood("it keeps a variable that no step has")
    received = {"NON_OCCURRENCE": Value(NONE, INSTANCE), "now": Value("time", TIME)}
    run = Run(made.body, {**values, **received})
    due = {name: steps.after[name].term for name in values}
    functions = [
        "(declare-sort Instance 0)",
        "(declare-sort Queue 0)",
        f"(declare-fun {NONE} () Instance)",
        "(declare-fun start (Instance) Int)",
        "(declare-fun end (Instance) Int)",
        "(declare-fun join (Instance Instance) Instance)",
        "(declare-fun latest_before (Queue Int) Instance)",
        "(declare-fun push (Queue Instance) Queue)",
        *(f"(declare-fun {primitive(name)} () Instance)" for name in event_types(expression)),
        *constants,
    ]
    facts = [f"(= (start {NONE}) (- 1))", f"(= (end {NONE}) (- 1))", "(<= 0 time)"]
    for name in event_types(expression):
        facts += [f"(= (start {primitive(name)}) time)", f"(= (end {primitive(name)}) time)"]
    return _question(expression, functions, facts, steps, run, due, values)


def _proved(node: Operation, queue: object) -> Step:
    """The proved step of an operation, with the place for candidates that the detector has.

    Raises:
        NotUnderstood: nothing is proved of such a place.
    """
    if node.operator != "seq" or type(queue) is CandidateQueue:
        return STEPS[node.operator](node)
    if type(queue) is StaticQueue and isinstance(node.label, int):
        return RecentSequenceStep(node.label)
    raise NotUnderstood(f"the queue of {node} is a {type(queue).__name__}, which is tested and not proved")


def _plainly(value: object) -> object:
    """What an initial value is, such that equal ones are alike."""
    if isinstance(value, NonOccurrence):
        return "⟨⟩"
    if isinstance(value, int):
        return value
    kind = type(value)
    slots = [name for owner in kind.__mro__ for name in getattr(owner, "__slots__", ())]
    return (kind, *((name, repr(getattr(value, name, None))) for name in slots))


def _question(
    expression: Expression,
    functions: Sequence[str],
    facts: Sequence[str],
    steps: Reference,
    run: Run,
    due: Mapping[str, str],
    before: Mapping[str, Value],
) -> Question:
    """The text of the question, for two runs from related states."""
    names = event_types(expression)
    level_sort = next(value.sort for name, value in reversed(steps.definitions) if name == steps.result)
    lines = ["(set-logic QF_UFLIA)", "(declare-fun time () Int)", "(declare-fun last () Int)", *functions]
    lines += [f"(declare-fun {occurs(name)} () Bool)" for name in names]
    for term, value in [*steps.definitions, *run.definitions]:
        lines.append(f"(define-fun {term} () {value.sort} {value.term})")
    lines += [f"(assert {fact})" for fact in facts]
    pairs = [(run.result, Value(steps.result, level_sort), "the result")]
    pairs += [(run.after[name], Value(term, before[name].sort), name) for name, term in due.items()]
    if any(found.sort != wanted.sort for found, wanted, _ in pairs):
        raise NotUnderstood("a variable or the result is of another kind than it should be")
    compared = []
    shown = [("time", "time")]
    if run.raised is not None:
        lines.append("(declare-fun refuses () Bool)")
        lines.append(f"(assert (= refuses {run.raised}))")
        shown.append(("refuses", "it raises an exception"))
    for name, value in before.items():
        if value.sort == TIME:
            constant = symbol(f"before.{name}")
            lines += [f"(declare-fun {constant} () Int)", f"(assert (= {constant} {value.term}))"]
            shown.append((f"before.{name}", name))
    equal = []
    for place, (found, wanted, word) in enumerate(pairs):
        equal.append(f"(= {found.term} {wanted.term})")
        if found.sort == TIME:
            for kind, term in (("found", found.term), ("wanted", wanted.term)):
                lines.append(f"(declare-fun {kind}.{place} () Int)")
                lines.append(f"(assert (= {kind}.{place} {term}))")
            compared.append((f"found.{place}", f"wanted.{place}", word))
    raises = run.raised
    right = conjunction(equal)
    if raises is not None:  # it refuses an instant that is not later than the last one, and no other
        right = f"(ite (< last time) (and (not refuses) {right}) refuses)"
    lines += [f"(assert {negation(right)})", "(check-sat)"]
    shown += [(occurs(name).strip("|"), f"{name} occurs") for name in names]
    return Question("\n".join(lines) + "\n", tuple(shown), tuple(compared))


# ------------------------------------------------------------------------------------------------------- a trace

TRACES, INSTANTS = 1_000, 8
"""So many traces of so many instants at most are tried to show that a text that was not validated is wrong."""


def _parting(expression: Expression, text: str, given: Mapping[str, object]) -> str:
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


def _apart(
    expression: Expression,
    text: str,
    given: Mapping[str, object],
    names: Sequence[str],
    trace: Sequence[tuple[int, list[str]]],
) -> str:
    due = Figure2(expression)
    told = "; ".join(f"{', '.join(present)} at {now}" for now, present in trace)
    try:
        step = _runnable(text, given, names)
        for now, present in trace:
            wanted = due.step(now, dict.fromkeys(present))
            found = step(now, present)
            start = -1 if wanted is None else wanted.start
            if found != start:
                return f"on {told}, it finds the start {found} at {now}, and {start} is right"
    except Exception as error:  # whatever a wrong text raises
        return f"on {told}, it breaks down: {type(error).__name__}: {error}"
    return ""


def _runnable(
    text: str, given: Mapping[str, object], names: Sequence[str]
) -> Callable[[int, Sequence[str]], int]:
    """The function of a text, from a time and event types to the start that it finds."""
    import copy

    values = {name: copy.deepcopy(value) for name, value in given.items()}
    function: Any = defined(text, "detector", "<a text to be validated>", START_FUNCTIONS)
    if "NON_OCCURRENCE" in program(text).given:
        step = function(NON_OCCURRENCE, Instance.primitive, *values.values())
        return lambda now, present: int(step(now, dict.fromkeys(present)).start)
    step = function(**values)
    bits = {name: 1 << place for place, name in enumerate(names)}
    return lambda now, present: int(step(now, sum(bits[name] for name in present)))
