"""Lemmas 5.2-5.7 as obligations: the step functions that run, translated for arbitrary instances.

For each lemma the step of the running detector, made by its own factory, is translated for every input and state at
once (`smt.python_terms`). The obligations are base and step of the source's induction over time: the initial state
satisfies the predicate of Section 5 (`initial`), a step preserves it (`state`), and the output is valid (`output`).
Two more make the code's own assumptions explicit: only instances are joined and a queue is used as its contract says
(`use`), and where neither operand ends, neither does the result, so that a detector may skip such times (`between`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from detectors.carlson_lisper.source.figure2 import STEPS, StepFactory
from detectors.carlson_lisper.source.figure4 import BOUNDED_STEPS
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE
from detectors.carlson_lisper.source.transformation import RULES, Rule
from laws.carlson_lisper.invariants import (
    CANDIDATES,
    GREATEST_START,
    LATEST_STARTED,
    NEVER,
    NOTHING_YET,
    STEP_LEMMAS,
    StepLemma,
    Variable,
)
from semantics.carlson_lisper.expressions import UNBOUNDED, Identifier, Label
from semantics.carlson_lisper.operators import OPERATORS, Operator, Operators
from semantics.carlson_lisper.restriction import REM, VALID_ABSENCE, VALID_INSTANCE
from semantics.formulas import And, End, ForAll, Formula, Or, Parameter, StreamView, renamed
from smt.carlson_lisper.obligations import Writer
from smt.carlson_lisper.step_terms import (
    ABSENT,
    KeptSet,
    OperationTerm,
    SymbolicInstance,
    SymbolicQueue,
    instance_or_none,
    made_step,
    vocabulary,
)
from smt.carlson_lisper.symbolic import SymbolicLogic
from smt.obligations import Obligation
from smt.python_terms import Execution, Interpreter, Made, NotTranslated, Number, Path, Raised, explore, numeral
from smt.s_expressions import written
from smt.smtlib import FALSE, SORT, TimeSort, conjunction, disjunction, negation

OUTPUTS = ("A(j)", "A(k)")
"""The streams that the operands have output (Def. 5.1)."""

CURRENT = ("a_j", "a_k")
"""The current instances of the operands."""

NOW, NEXT, HORIZON, TICKS = "now", "next", "horizon", "ticks"

Streams: TypeAlias = dict[str, StreamView[str, str]]
Goal: TypeAlias = Callable[[Writer, Streams], str]

_AT = Parameter("τ")
_UNIQUE_ENDS = REM.conditions[2]
_NOTHING_BEFORE: Formula = ForAll("a", "A", _AT <= End("a"))
_NOTHING_BETWEEN: Formula = ForAll("a", "A", Or((End("a") <= Parameter("now"), Parameter("next") <= End("a"))))
_NO_LONGER: Formula = ForAll("s", "S", OPERATORS["tim"].comprehensions[0].condition)


@dataclass(frozen=True)
class Subject:
    """What is proved: the definitions and the code, by default those that run.

    Attributes:
        steps: the steps of a detector, or None for those of Figures 2 and 4.
    """

    operators: Operators = field(default_factory=lambda: OPERATORS)
    steps: Mapping[str, StepFactory] | None = None
    rules: Mapping[str, Rule] = field(default_factory=lambda: RULES)

    def step(self, lemma: StepLemma) -> StepFactory:
        """What makes the step that a lemma is about."""
        return (self.steps or (BOUNDED_STEPS if lemma.figure == 4 else STEPS))[lemma.operator]


@dataclass(frozen=True)
class _DefinedStream:
    """A stream given by what it means to belong."""

    logic: SymbolicLogic
    belongs: Callable[[str], str]

    def member(self, element: str) -> str:
        return self.belongs(element)

    def some(self, body: Callable[[str], str]) -> str:
        variable = self.logic.fresh("q")
        return f"(exists (({variable} Instance)) {conjunction((self.belongs(variable), body(variable)))})"

    def each(self, body: Callable[[str], str]) -> str:
        variable = self.logic.fresh("q")
        inner = disjunction((negation(self.belongs(variable)), body(variable)))
        return f"(forall (({variable} Instance)) {inner})"


@dataclass(frozen=True)
class _Outcome:
    """The result and the state after a step: ⟨⟩ is None, a set is a function from an instance to a formula."""

    result: str | None
    state: Mapping[str, Any]


def step_obligations(claim: str, time: TimeSort, subject: Subject) -> list[Obligation]:
    """The obligations of a lemma about a step, whose id is a key of `laws.carlson_lisper.invariants.STEP_LEMMAS`.

    Raises:
        NotTranslated: the step has a form that is not understood.
    """
    proof = _StepProof(STEP_LEMMAS[claim], time, subject)
    made, _ = explore(proof.run_initial)
    if all(path.result is None for path in made):
        raise NotTranslated(f"the step cannot be made: {made[0].duties[0][0]}")
    initial = [proof.initial(made)] if proof.lemma.variables else []
    return [*initial, *proof.stepwise(), proof.between()]


class _StepProof:
    """Writes the obligations of one lemma."""

    def __init__(self, lemma: StepLemma, time: TimeSort, subject: Subject) -> None:
        self.lemma = lemma
        self.factory = subject.step(lemma)
        self.time: TimeSort = time
        self.operators = subject.operators
        self.operator: Operator = subject.operators[lemma.operator]
        self.outputs = OUTPUTS[: self.operator.arity]
        self.has_horizon = any(variable.window != "all" for variable in lemma.variables)

    # ------------------------------------------------------------------------------------------------ execution

    def make(self, execution: Execution, label: Label | None = None) -> tuple[Interpreter, Made]:
        """A fresh step from the factory that the detector uses, with an arbitrary bound or label."""
        operands = tuple(Identifier(name) for name in ("A", "B")[: self.operator.arity])
        ticks = Number(TICKS)
        bound = ticks if self.operator.bounded else None
        operation = OperationTerm(operands, bound, ticks if self.lemma.figure == 4 else label)
        interpreter = Interpreter(execution, vocabulary(lambda running: SymbolicQueue("", running)))
        try:
            return interpreter, made_step(interpreter, self.factory, operation)
        except Raised:
            if operation.label is None and self.lemma.operator == "seq":  # labelled ones alone have steps
                return self.make(execution, UNBOUNDED)
            raise

    def run_initial(self, execution: Execution) -> _Outcome:
        """The state of a fresh step."""
        return _Outcome(None, self.read(self.make(execution)[1]))

    def run_step(self, execution: Execution) -> _Outcome:
        """A step from an arbitrary state on arbitrary current instances."""
        interpreter, step = self.make(execution)
        for variable in self.lemma.variables:
            attribute = _attribute_of(step, variable)
            step.state[attribute] = _arbitrary(variable, step.state.get(attribute), execution)
        given = dict(step.state)
        current = [_possible(name, execution) for name in CURRENT[: self.operator.arity]]
        result = interpreter.method(step, "step", [current[0], current[-1]])
        changeable = {_attribute_of(step, variable) for variable in self.lemma.variables}
        for attribute, value in step.state.items():
            if attribute not in changeable and (attribute not in given or value is not given[attribute]):
                raise NotTranslated(f"the step changes {attribute!r}, of which no invariant speaks")
        return _Outcome(instance_or_none(result), self.read(step))

    def read(self, step: Made) -> dict[str, Any]:
        """The auxiliary variables of a step."""
        return {
            variable.name: _value(variable, step.state.get(_attribute_of(step, variable)))
            for variable in self.lemma.variables
        }

    # ---------------------------------------------------------------------------------------------- obligations

    def writer(self, *times: str) -> tuple[Writer, Streams, list[str]]:
        """A writer, the operands' outputs, and what is assumed of them: no two end together."""
        writer = Writer(self.time, self.operators)
        streams: Streams = {name: writer.stream(name) for name in self.outputs}
        assumptions = [self.about(writer, _UNIQUE_ENDS, name, streams, of="S'") for name in streams]
        if self.operator.bounded or self.lemma.figure == 4:
            writer.declare(TICKS, SORT[self.time])
            assumptions.append(f"(<= 0 {TICKS})")
        if self.lemma.figure == 4:
            assumptions.append(writer.formula(_NO_LONGER, {"S": streams[OUTPUTS[1]]}, {"τ": TICKS}))
        for each in times:
            writer.declare(each, SORT[self.time])
        return writer, streams, assumptions

    def about(
        self, writer: Writer, formula: Formula, stream: str, streams: Streams, of: str = "A", **times: str
    ) -> str:
        """A formula about one of the operands' outputs."""
        return writer.formula(renamed(formula, streams={of: stream}), streams, times)

    def initial(self, made: Sequence[Path[_Outcome]]) -> Obligation:
        """The state of a fresh step is right at a time before which nothing ends."""
        writer, streams, assumptions = self.writer(NOW, HORIZON)
        assumptions.append(f"(<= {HORIZON} {NOW})")
        assumptions += [self.about(writer, _NOTHING_BEFORE, each, streams, τ=NOW) for each in streams]
        goals = []
        for path in made:
            for variable in self.lemma.variables:
                value = None if path.result is None else path.result.state[variable.name]
                holds = FALSE if path.result is None else self.holds(writer, streams, variable, value, NOW, HORIZON)
                goals.append(_implied(path.condition, holds))
        return self.part(writer, "initial", "the state that a step is made with", assumptions, conjunction(goals))

    def stepwise(self) -> list[Obligation]:
        """A step preserves the state, its output is valid, and it uses instances and queues as they may be used.

        Paths with the same outcome share an obligation; `paths` says that there are no others.
        """
        paths, constants = explore(self.run_step)
        found = [
            self.after_step(
                f"state {variable.name}{aspect}",
                f"{variable.name} becomes {value}",
                constants,
                self.state_goal(variable, value, horizon, condition, predicate),
            )
            for variable in self.lemma.variables
            for (value, horizon), condition in self.outcomes(paths, variable).items()
            for aspect, predicate in _predicates(variable, value)
        ]
        found += [
            self.after_step(
                "output", f"the output is {value or '⟨⟩'}", constants, self.output_goal(value, condition, predicate)
            )
            for (value, _), condition in self.outcomes(paths, None).items()
            for predicate in _conjuncts(VALID_ABSENCE if value is None else VALID_INSTANCE)
        ]
        duties = [duty for path in paths for duty in path.duties]
        if duties:
            words = "; ".join(dict.fromkeys(what for what, _ in duties))
            established = conjunction(formula for _, formula in duties)
            found.append(self.after_step("use", words, constants, lambda *_: established))
        every = disjunction(conjunction(path.conditions) for path in paths)
        words = "every way through the step is one of these"
        return _numbered([*found, self.after_step("paths", words, constants, lambda *_: every)])

    def state_goal(self, variable: Variable, value: Any, horizon: str, condition: str, predicate: Formula) -> Goal:
        """Under a condition, a variable's new value is what it has to be at the start of the next time."""
        return lambda writer, streams: _implied(
            condition, self.holds(writer, streams, variable, value, NEXT, horizon, predicate)
        )

    def output_goal(self, value: str | None, condition: str, predicate: Formula) -> Goal:
        """Under a condition, the output is valid, or a part of that."""
        instances = {} if value is None else {"e": value}
        return lambda writer, streams: _implied(
            condition, writer.formula(predicate, {"S": self.result(writer, streams)}, {"τ": NOW}, instances)
        )

    def outcomes(self, paths: list[Path[_Outcome]], variable: Variable | None) -> dict[tuple[Any, str], str]:
        """The values that a variable, or the output, can get and the horizon then, with the condition for it."""
        found: dict[tuple[Any, str], list[tuple[str, ...]]] = {}
        for path in paths:
            if path.result is None:
                continue  # that this path is not taken is part of `use`
            if variable is None:
                key: tuple[Any, str] = (path.result.result, "")
            else:
                moved = variable.window != "all" and any(f"{name}.occurs" in path.conditions for name in CURRENT)
                key = (path.result.state[variable.name], f"(- {NOW} {TICKS})" if moved else HORIZON)
            found.setdefault(key, []).append((*path.conditions, *path.facts))
        return {key: disjunction(map(conjunction, _merged(ways))) for key, ways in found.items()}

    def after_step(self, direction: str, words: str, constants: Mapping[str, str], goal: Goal) -> Obligation:
        """One conclusion about a step at time `now`."""
        writer, streams, assumptions = self.writer(NOW)
        assumptions.append(f"(<= 0 {NOW})")
        for name, stream in zip(CURRENT, streams.values(), strict=False):
            self.possible(writer, name)
            present = writer.formula(VALID_INSTANCE, {"S": stream}, {"τ": NOW}, {"e": name})
            assumptions.append(_cases(name, present, writer.formula(VALID_ABSENCE, {"S": stream}, {"τ": NOW})))
        assumptions += [self.holds_before(writer, streams, variable) for variable in self.lemma.variables]
        if self.has_horizon:
            writer.declare(HORIZON, SORT[self.time])
            assumptions.append(f"(<= {HORIZON} (- {NOW} {TICKS}))")
        for name, sort in constants.items():
            writer.declare(name, sort)
        if direction.startswith("state"):
            writer.declare(NEXT, SORT[self.time])
            assumptions.append(f"(< {NOW} {NEXT})")
            assumptions += [self.about(writer, _NOTHING_BETWEEN, each, streams, now=NOW, next=NEXT) for each in streams]
        return self.part(writer, direction, words, assumptions, goal(writer, streams))

    def between(self) -> Obligation:
        """Where no instance of an operand ends, none of the result does."""
        writer, streams, assumptions = self.writer(NOW)
        absent = [writer.formula(VALID_ABSENCE, {"S": stream}, {"τ": NOW}) for stream in streams.values()]
        goal = writer.formula(VALID_ABSENCE, {"S": self.result(writer, streams)}, {"τ": NOW})
        words = "where no instance of an operand ends, none of the result does"
        return self.part(writer, "between", words, [*assumptions, *absent], goal)

    def part(self, writer: Writer, direction: str, words: str, assumptions: Sequence[str], goal: str) -> Obligation:
        """An obligation of the lemma."""
        return writer.obligation(self.lemma.claim, direction, words, [*assumptions, negation(goal)])

    # ------------------------------------------------------------------------------------------ formulas of a part

    def result(self, writer: Writer, streams: Streams) -> StreamView[str, str]:
        """The operator's value on the operands' outputs."""
        return writer.apply(self.operator.name, list(streams.values()), TICKS if self.operator.bounded else None)

    def possible(self, writer: Writer, name: str) -> None:
        """Declare an instance that may be ⟨⟩."""
        writer.declare(name, "Instance")
        writer.declare(f"{name}.occurs", "Bool")

    def holds_before(self, writer: Writer, streams: Streams, variable: Variable) -> str:
        """Declare an auxiliary variable and state what it holds at the start of `now`."""
        name = _state(variable)
        if variable.kind == "instance":
            self.possible(writer, name)
            present, absent = (self.holds(writer, streams, variable, one, NOW, HORIZON) for one in (name, None))
            return _cases(name, present, absent)
        if variable.kind == "time":
            writer.declare(name, SORT[self.time])
        else:
            writer.stream(name)
        value = name if variable.kind == "time" else KeptSet(name)
        return self.holds(writer, streams, variable, value, NOW, HORIZON)

    def holds(
        self,
        writer: Writer,
        streams: Streams,
        variable: Variable,
        value: Any,
        until: str,
        horizon: str,
        predicate: Formula | None = None,
    ) -> str:
        """The state predicate for a value of an auxiliary variable, or a part of it."""
        scope: dict[str, object] = {"A": streams[OUTPUTS[variable.operand]]}
        before = variable.window == "before the horizon"
        since = horizon if variable.window == "since the horizon" else "0"
        never = written(numeral(NON_OCCURRENCE.start))
        times = {"until": horizon if before else until, "since": since, NEVER.name: never}
        match variable.kind:
            case "instance":
                whole = NOTHING_YET if value is None else LATEST_STARTED
                return writer.formula(predicate or whole, scope, times, {} if value is None else {"e": value})
            case "time":
                return writer.formula(predicate or GREATEST_START, scope, {**times, "t": value})
            case "set":
                return writer.formula(
                    predicate or CANDIDATES, {**scope, "Q": _DefinedStream(writer.logic, value)}, times
                )


def _predicates(variable: Variable, value: object) -> list[tuple[str, Formula]]:
    """The parts of a variable's state predicate; each is an obligation of its own, which costs solvers less."""
    if variable.kind == "set":
        useful, enough = CANDIDATES.parts
        return [*((" holds useful ones", part) for part in _conjuncts(useful)), (" holds enough", enough)]
    if variable.kind == "instance":
        return [("", part) for part in _conjuncts(NOTHING_YET if value is None else LATEST_STARTED)]
    return [("", GREATEST_START)]


def _conjuncts(formula: Formula) -> list[Formula]:
    """Formulas that hold together if and only if this one does."""
    match formula:
        case And(parts) if parts:
            return [conjunct for part in parts for conjunct in _conjuncts(part)]
        case ForAll(variable, stream, body):
            return [ForAll(variable, stream, conjunct) for conjunct in _conjuncts(body)]
        case _:
            return [formula]


def _merged(ways: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The same condition as a disjunction of fewer ways: where only one answer differs, it does not matter."""
    known = dict.fromkeys(ways)
    for way in ways:
        for position, literal in enumerate(way):
            other = (*way[:position], negation(literal), *way[position + 1 :])
            if other in known and way in known:
                merged = (*way[:position], *way[position + 1 :])
                return _merged([merged if each == way else each for each in known if each != other])
    return list(known)


def _implied(condition: str, conclusion: str) -> str:
    return disjunction((negation(condition), conclusion))


def _numbered(parts: list[Obligation]) -> list[Obligation]:
    """Parts of the same name get numbers, in the order in which the paths were found."""
    counts = Counter(part.direction for part in parts)
    seen: Counter[str] = Counter()
    numbered = []
    for part in parts:
        seen[part.direction] += 1
        several = counts[part.direction] > 1
        numbered.append(part.renamed(f"{part.direction} {seen[part.direction]}") if several else part)
    return numbered


def _cases(name: str, present: str, absent: str) -> str:
    occurs = f"{name}.occurs"
    return conjunction((f"(=> {occurs} {present})", f"(=> (not {occurs}) {absent})"))


def _state(variable: Variable) -> str:
    return f"{variable.name}_i"


def _possible(name: str, execution: Execution) -> object:
    """An arbitrary instance, or the non-occurrence itself."""
    return SymbolicInstance(name) if execution.decide(f"{name}.occurs") else ABSENT


def _arbitrary(variable: Variable, initial: object, execution: Execution) -> object:
    """An arbitrary value of an auxiliary variable, in place of the one that it has initially."""
    name = _state(variable)
    if variable.kind == "instance":
        return _possible(name, execution)
    if variable.kind == "time":
        return Number(name)
    if not isinstance(initial, SymbolicQueue):
        raise NotTranslated(f"{variable.name} is a {type(initial).__name__}, of which no contract is known")
    return SymbolicQueue(name, execution)


def _attribute_of(step: Made, variable: Variable) -> str:
    """The attribute in which a step keeps an auxiliary variable."""
    variables = getattr(step.kind, "VARIABLES", {})
    if variable.name not in variables:
        raise NotTranslated(f"the step has no variable {variable.name}")
    return str(variables[variable.name])


def _value(variable: Variable, value: Any) -> Any:
    match variable.kind, value:
        case "instance", _:
            return instance_or_none(value)
        case "time", Number():
            return value.text
        case "time", int():
            return written(numeral(value))
        case "set", SymbolicQueue():
            return value.kept
    raise NotTranslated(f"{variable.name} became a {type(value).__name__}")
