"""Lemmas 5.2-5.7: the step functions that run, translated for arbitrary instances.

For each lemma the step of the running detector, made by its own factory, is translated for every input and state at
once (`smt.python_terms`). The obligations are the induction over time that the source carries out: the initial state
satisfies the predicate of Section 5 (`initial`), a step preserves it (`state`), and the output is valid (`output`);
then the outputs form a valid restriction by Lemma 5.1. Two more make the code's own assumptions explicit: only
instances are joined and a queue is used as its contract says (`use`), and where neither operand ends, neither does the
result, so that a detector may skip such times (`between`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from detectors.carlson_lisper.source.figure2 import STEPS, StepFactory
from detectors.carlson_lisper.source.figure4 import BOUNDED_STEPS
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE
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
from proofs.carlson_lisper.lemmas.queue import KeptSet, SymbolicQueue
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.expressions import UNBOUNDED, Identifier, Label
from semantics.carlson_lisper.operators import OPERATORS, Operator
from semantics.carlson_lisper.restriction import REM, VALID_ABSENCE, VALID_INSTANCE
from semantics.formulas import And, End, ForAll, Formula, Or, Parameter, StreamView, rename_streams
from smt.carlson_lisper.obligations import Writer
from smt.carlson_lisper.step_terms import (
    ABSENT,
    OperationTerm,
    SymbolicInstance,
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

RUNNING: Mapping[int, Mapping[str, StepFactory]] = {2: STEPS, 4: BOUNDED_STEPS}
"""The steps that run, by the figure that they are from."""

UNIQUE_ENDS = REM.conditions[2]
"""No two instances of S' have the same end (Def. 3.12, third condition)."""

Streams: TypeAlias = dict[str, StreamView[str, str]]
Goal: TypeAlias = Callable[[Writer, Streams], str]


@dataclass(frozen=True)
class DefinedStream:
    """A stream given by what it means to belong."""

    logic: SymbolicLogic
    belongs: Callable[[str], str]
    hint: str = "x"

    def member(self, element: str) -> str:
        """Membership."""
        return self.belongs(element)

    def some(self, body: Callable[[str], str]) -> str:
        """Existence of an instance that satisfies the body."""
        variable = self.logic.fresh(self.hint)
        return f"(exists (({variable} Instance)) {conjunction((self.belongs(variable), body(variable)))})"

    def each(self, body: Callable[[str], str]) -> str:
        """The body for every instance."""
        variable = self.logic.fresh(self.hint)
        inner = disjunction((negation(self.belongs(variable)), body(variable)))
        return f"(forall (({variable} Instance)) {inner})"


@dataclass(frozen=True)
class _Outcome:
    """The result and the state after a step: ⟨⟩ is None, a set is a function from an instance to a formula."""

    result: str | None
    state: Mapping[str, Any]


def obligations(claim: str, time: TimeSort, subject: Subject) -> list[Obligation]:
    """The obligations of a lemma about a step, whose id is a key of `laws.carlson_lisper.invariants.STEP_LEMMAS`.

    Raises:
        NotTranslated: the step has a form that is not understood.
    """
    lemma = STEP_LEMMAS[claim]
    factory = (subject.steps or RUNNING[lemma.figure])[lemma.operator]
    proof = StepProof(lemma, factory, time, subject.operators)
    made, _ = explore(proof.run_initial)
    if all(path.result is None for path in made):
        raise NotTranslated(f"the step cannot be made: {made[0].duties[0][0]}")
    initial = [proof.initial()] if lemma.variables else []
    return [*initial, *proof.stepwise(), proof.between()]


class StepProof:
    """Writes the obligations of one lemma."""

    def __init__(
        self, lemma: StepLemma, factory: StepFactory, time: TimeSort, operators: Mapping[str, Operator]
    ) -> None:
        self.lemma = lemma
        self.factory = factory
        self.time: TimeSort = time
        self.operator = operators[lemma.operator]
        self.operators = operators
        self.arity = self.operator.arity

    # ------------------------------------------------------------------------------------------------ execution

    def make(self, execution: Execution, label: Label | None = None) -> tuple[Interpreter, Made]:
        """A fresh step from the factory that the detector uses, with an arbitrary bound or label."""
        operands = tuple(Identifier(name) for name in ("A", "B")[: self.arity])
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

    def run_step(
        self, execution: Execution, then: Callable[[Interpreter, Made], object] = lambda _, __: None
    ) -> _Outcome:
        """A step from an arbitrary state on arbitrary current instances; what is to be done with it then."""
        interpreter, step = self.make(execution)
        for variable in self.lemma.variables:
            attribute = attribute_of(step, variable)
            step.state[attribute] = self.arbitrary(variable, step.state.get(attribute), execution)
        given = dict(step.state)
        current = [_possible(name, execution) for name in CURRENT[: self.arity]]
        result = interpreter.method(step, "step", [current[0], current[-1]])
        changeable = {attribute_of(step, variable) for variable in self.lemma.variables}
        for attribute, value in step.state.items():
            if attribute not in changeable and (attribute not in given or value is not given[attribute]):
                raise NotTranslated(f"the step changes {attribute!r}, of which no invariant speaks")
        then(interpreter, step)
        return _Outcome(_term(result), self.read(step))

    def arbitrary(self, variable: Variable, held: object, execution: Execution) -> object:
        """An arbitrary value of an auxiliary variable, in place of the one that it has initially."""
        name = _state(variable)
        if variable.kind == "instance":
            return _possible(name, execution)
        if variable.kind == "time":
            return Number(name)
        if not isinstance(held, SymbolicQueue):
            raise NotTranslated(f"{variable.name} is a {type(held).__name__}, of which no contract is known")
        return SymbolicQueue(name, execution)

    def read(self, step: Made) -> dict[str, Any]:
        """The auxiliary variables of a step."""
        return {
            variable.name: _value(variable, step.state.get(attribute_of(step, variable)))
            for variable in self.lemma.variables
        }

    # ---------------------------------------------------------------------------------------------- obligations

    def writer(self) -> tuple[Writer, Streams, list[str]]:
        """A writer, the operands' outputs, and what is assumed of them: no two end together."""
        writer = Writer(self.time, self.operators)
        streams: Streams = {name: writer.stream(name) for name in OUTPUTS[: self.arity]}
        assumptions = [
            writer.formula(rename_streams(UNIQUE_ENDS, {"S'": name}), streams) for name in OUTPUTS[: self.arity]
        ]
        if self.takes_ticks:
            writer.declare(TICKS, SORT[self.time])
            assumptions.append(f"(<= 0 {TICKS})")
        if self.lemma.figure == 4:
            assumptions.append(writer.formula(_NO_LONGER, {"S": streams[OUTPUTS[1]]}, {"τ": TICKS}))
        return writer, streams, assumptions

    @property
    def takes_ticks(self) -> bool:
        """Whether the step is made with a number of ticks."""
        return self.operator.bounded or self.lemma.figure == 4

    def initial(self) -> Obligation:
        """The state of a fresh step is right at a time before which nothing ends."""
        writer, streams, assumptions = self.writer()
        writer.declare(NOW, SORT[self.time])
        writer.declare(HORIZON, SORT[self.time])
        assumptions.append(f"(<= {HORIZON} {NOW})")
        for stream in streams:
            nothing = rename_streams(_NOTHING_BEFORE, {"A": stream})
            assumptions.append(writer.formula(nothing, streams, {"τ": NOW}))
        goals = []
        for path in explore(self.run_initial)[0]:
            for variable in self.lemma.variables:
                value = None if path.result is None else path.result.state[variable.name]
                holds = FALSE if path.result is None else self.holds(writer, streams, variable, value, NOW, HORIZON)
                goals.append(_implied(path.condition, holds))
        words = "the state that a step is made with"
        return self.part(writer, "initial", words, assumptions, conjunction(goals))

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
            goal = conjunction(formula for _, formula in duties)
            found.append(self.after_step("use", words, constants, constantly(goal)))
        every = disjunction(conjunction(path.conditions) for path in paths)
        found.append(
            self.after_step("paths", "every way through the step is one of these", constants, constantly(every))
        )
        return _numbered(found)

    def state_goal(self, variable: Variable, value: Any, horizon: str, condition: str, predicate: Formula) -> Goal:
        """Under a condition, a variable's new value is what it has to be at the start of the next time."""

        def goal(writer: Writer, streams: Streams) -> str:
            return _implied(condition, self.holds(writer, streams, variable, value, NEXT, horizon, predicate))

        return goal

    def output_goal(self, value: str | None, condition: str, predicate: Formula) -> Goal:
        """Under a condition, the output is valid, or a part of that."""
        instances = {} if value is None else {"e": value}

        def goal(writer: Writer, streams: Streams) -> str:
            scope = {"S": self.result(writer, streams)}
            return _implied(condition, writer.formula(predicate, scope, {"τ": NOW}, instances))

        return goal

    def outcomes(self, paths: list[Path[_Outcome]], variable: Variable | None) -> dict[tuple[Any, str], str]:
        """The values that a variable, or the output, can get and the horizon then, with the condition for it."""
        found: dict[tuple[Any, str], list[tuple[str, ...]]] = {}
        for path in paths:
            if path.result is None:
                continue  # that this path is not taken is part of `use`
            if variable is None:
                key: tuple[Any, str] = (path.result.result, "")
            else:
                windowed = variable.window != "all"
                key = (path.result.state[variable.name], self.next_horizon(path) if windowed else HORIZON)
            found.setdefault(key, []).append((*path.conditions, *path.facts))
        return {key: disjunction(map(conjunction, _merged(ways))) for key, ways in found.items()}

    def after_step(self, direction: str, words: str, constants: Mapping[str, str], goal: Goal) -> Obligation:
        """One conclusion about a step at time `now`."""
        writer, streams, assumptions = self.writer()
        sort = SORT[self.time]
        writer.declare(NOW, sort)
        assumptions.append(f"(<= 0 {NOW})")
        for name, stream in zip(CURRENT, streams, strict=False):
            self.possible(writer, name)
            assumptions.append(self.valid(writer, name, streams[stream], NOW))
        for variable in self.lemma.variables:
            assumptions.append(self.holds_before(writer, streams, variable))
        if self.uses_horizon:
            writer.declare(HORIZON, sort)
            assumptions.append(f"(<= {HORIZON} (- {NOW} {TICKS}))")
        for name, constant_sort in constants.items():
            writer.declare(name, constant_sort)
        if direction.startswith("state"):
            writer.declare(NEXT, sort)
            assumptions.append(f"(< {NOW} {NEXT})")
            between = {"now": NOW, "next": NEXT}
            for stream in streams:
                nothing = rename_streams(_NOTHING_BETWEEN, {"A": stream})
                assumptions.append(writer.formula(nothing, streams, between))
        return self.part(writer, direction, words, assumptions, goal(writer, streams))

    def between(self) -> Obligation:
        """Where no instance of an operand ends, none of the result does."""
        writer, streams, assumptions = self.writer()
        writer.declare(NOW, SORT[self.time])
        absent = [writer.formula(VALID_ABSENCE, {"S": stream}, {"τ": NOW}) for stream in streams.values()]
        result = self.result(writer, streams)
        goal = writer.formula(VALID_ABSENCE, {"S": result}, {"τ": NOW})
        words = "where no instance of an operand ends, none of the result does"
        return self.part(writer, "between", words, [*assumptions, *absent], goal)

    def part(self, writer: Writer, direction: str, words: str, assumptions: Sequence[str], goal: str) -> Obligation:
        """An obligation of the lemma."""
        return writer.obligation(self.lemma.claim, direction, words, [*assumptions, negation(goal)])

    # ------------------------------------------------------------------------------------------ formulas of a part

    def result(self, writer: Writer, streams: Streams) -> StreamView[str, str]:
        """The operator's value on the operands' outputs."""
        bound = TICKS if self.operator.bounded else None
        return writer.apply(self.operator.name, list(streams.values()), bound)

    @property
    def uses_horizon(self) -> bool:
        """Whether some variable speaks only of what ended before, or since, the horizon of Def. 5.6."""
        return any(variable.window != "all" for variable in self.lemma.variables)

    def next_horizon(self, path: Path[_Outcome]) -> str:
        """What the horizon of Def. 5.6 becomes: it moves when something occurs."""
        moved = any(f"{name}.occurs" in path.conditions for name in CURRENT)
        return f"(- {NOW} {TICKS})" if moved else HORIZON

    def holds_before(self, writer: Writer, streams: Streams, variable: Variable) -> str:
        """Declare an auxiliary variable and state what it holds at the start of `now`."""
        name = _state(variable)
        value: Any
        match variable.kind:
            case "instance":
                self.possible(writer, name)
                stream, times = self.scope(streams, variable, NOW, HORIZON)
                present = writer.formula(LATEST_STARTED, stream, times, {"e": name})
                absent = writer.formula(NOTHING_YET, stream, times)
                return _cases(name, present, absent)
            case "time":
                writer.declare(name, SORT[self.time])
                value = name
            case "set":
                writer.stream(name)
                value = KeptSet(name)
        return self.holds(writer, streams, variable, value, NOW, HORIZON)

    def scope(
        self, streams: Streams, variable: Variable, until: str, horizon: str
    ) -> tuple[dict[str, object], dict[str, str]]:
        """The names in the state predicate of a variable: the stream it is about, and times."""
        stream = streams[OUTPUTS[variable.operand]]
        times = {"until": until, "since": "0", NEVER.name: written(numeral(NON_OCCURRENCE.start))}
        if variable.window == "before the horizon":
            times["until"] = horizon
        elif variable.window == "since the horizon":
            times["since"] = horizon
        return {"A": stream}, times

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
        scope, times = self.scope(streams, variable, until, horizon)
        match variable.kind:
            case "instance":
                instances = {} if value is None else {"e": value}
                whole = NOTHING_YET if value is None else LATEST_STARTED
                return writer.formula(predicate or whole, scope, times, instances)
            case "time":
                return writer.formula(predicate or GREATEST_START, scope, {**times, "t": value})
            case "set":
                held = DefinedStream(writer.logic, value, "q")
                return writer.formula(predicate or CANDIDATES, {**scope, "Q": held}, times)

    def possible(self, writer: Writer, name: str) -> None:
        """Declare an instance that may be ⟨⟩."""
        writer.declare(name, "Instance")
        writer.declare(f"{name}.occurs", "Bool")

    def valid(self, writer: Writer, name: str, stream: object, now: str) -> str:
        """An operand's current instance is valid at a time (Def. 5.2)."""
        return _cases(name, self.valid_value(writer, name, stream, now), self.valid_value(writer, None, stream, now))

    def valid_value(self, writer: Writer, value: str | None, stream: object, now: str) -> str:
        """valid(e, S, τ) for an instance, or for ⟨⟩."""
        if value is None:
            return writer.formula(VALID_ABSENCE, {"S": stream}, {"τ": now})
        return writer.formula(VALID_INSTANCE, {"S": stream}, {"τ": now}, {"e": value})


_AT = Parameter("τ")
_NOTHING_BEFORE: Formula = ForAll("a", "A", _AT <= End("a"))
_NOTHING_BETWEEN: Formula = ForAll("a", "A", Or((End("a") <= Parameter("now"), Parameter("next") <= End("a"))))
_NO_LONGER: Formula = ForAll("s", "S", OPERATORS["tim"].comprehensions[0].condition)


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


def constantly(goal: str) -> Goal:
    """A conclusion that does not depend on the streams."""
    return lambda _writer, _streams: goal


def _implied(condition: str, conclusion: str) -> str:
    return disjunction((negation(condition), conclusion))


def _numbered(parts: list[Obligation]) -> list[Obligation]:
    """Parts of the same name get numbers, in the order in which the paths were found."""
    names = [part.direction for part in parts]
    seen: Counter[str] = Counter()
    numbered = []
    for part in parts:
        seen[part.direction] += 1
        several = names.count(part.direction) > 1
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


def attribute_of(step: Made, variable: Variable) -> str:
    """The attribute in which a step keeps an auxiliary variable."""
    variables = getattr(step.kind, "VARIABLES", {})
    if variable.name not in variables:
        raise NotTranslated(f"the step has no variable {variable.name}")
    return str(variables[variable.name])


def _term(value: object) -> str | None:
    """An instance as a term, the non-occurrence as None."""
    found = instance_or_none(value)
    return None if found is None else found.text


def _value(variable: Variable, value: Any) -> Any:
    match variable.kind, value:
        case "instance", _:
            return _term(value)
        case "time", Number():
            return value.text
        case "time", int():
            return written(numeral(value))
        case "set", SymbolicQueue():
            return value.kept
    raise NotTranslated(f"{variable.name} became a {type(value).__name__}")
