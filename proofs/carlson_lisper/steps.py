"""Lemmas 5.2-5.7 as obligations: the step functions that run, translated for arbitrary instances.

For each lemma the step of the running detector, made by its own factory, is translated for every input and state: the
initial state satisfies the predicate of Section 5 (`initial`), a step preserves it (`state`), the output is valid
(`output`), unions and the queue are used as their contracts say (`use`), and where neither operand ends, neither does
the result, so that a detector may skip such times (`between`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from detectors.carlson_lisper.source.figure2 import BOUNDED_STEPS, STEPS, StepFactory
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE
from detectors.carlson_lisper.source.transformation import RULES, Rule
from laws.carlson_lisper import invariants
from laws.carlson_lisper.invariants import CANDIDATES, GREATEST_START, LATEST_STARTED, NOTHING_YET, StepLemma, Variable
from semantics.carlson_lisper.expressions import UNBOUNDED, Identifier, Label
from semantics.carlson_lisper.operators import OPERATORS, Operators
from semantics.carlson_lisper.restriction import REM, VALID_ABSENCE, VALID_INSTANCE
from semantics.formulas import And, End, ForAll, Formula, Or, Parameter, StreamView, renamed
from smt.carlson_lisper.obligations import SymbolicLogic, Writer, stream_symbol
from smt.carlson_lisper.step_terms import ABSENT, OperationTerm, SymbolicInstance, made_step, step_vocabulary
from smt.obligations import Obligation
from smt.python.interpreter import Interpreter
from smt.python.paths import Execution, Made, Method, NotTranslated, Number, Opaque, Path, Raised, explore, numeral
from smt.smtlib import FALSE, SORT, TimeSort, conjunction, disjunction, negation, written

OUTPUTS, CURRENT = ("A(j)", "A(k)"), ("a_j", "a_k")
"""The streams that the operands have output (Def. 5.1), and their current instances."""

NOW, NEXT, HORIZON, TICKS = "now", "next", "horizon", "ticks"

_AT = Parameter("τ")
_UNIQUE_ENDS = REM.conditions[2]
_NOTHING_BEFORE: Formula = ForAll("a", "A", _AT <= End("a"))
_NOTHING_BETWEEN: Formula = ForAll("a", "A", Or((End("a") <= Parameter("now"), Parameter("next") <= End("a"))))
_NO_LONGER: Formula = ForAll("s", "S", OPERATORS["tim"].comprehensions[0].condition)


@dataclass(frozen=True)
class Subject:
    """What is proved: the definitions and the code, by default those that run (steps of Figures 2 and 4)."""

    operators: Operators = field(default_factory=lambda: OPERATORS)
    steps: Mapping[str, StepFactory] | None = None
    rules: Mapping[str, Rule] = field(default_factory=lambda: RULES)

    def step(self, lemma: StepLemma) -> StepFactory:
        """What makes the step that a lemma is about."""
        return (self.steps or (BOUNDED_STEPS if lemma.figure == 4 else STEPS))[lemma.operator]


@dataclass(frozen=True)
class KeptSet:
    """The set of instances in a queue: an arbitrary one, or what `push` and `evict_before` made of it.

    `name` is the predicate of the set at the beginning, "" for the empty one; a change is `("push", instance)` or
    `("evict", time)`.
    """

    name: str
    changes: tuple[tuple[str, str], ...] = ()

    def __call__(self, element: str) -> str:
        """Whether an instance is kept."""
        belongs = f"({stream_symbol(self.name)} {element})" if self.name else FALSE
        for change, term in self.changes:
            if change == "push":
                belongs = disjunction((belongs, f"(= {element} {term})"))
            else:
                belongs = conjunction((belongs, f"(<= {term} (end {element}))"))
        return belongs

    def each(self, *conclusions: str) -> str:
        """One of the conclusions holds of every instance `x` that is kept."""
        return f"(forall ((x Instance)) {disjunction((negation(self('x')), *conclusions))})"


@dataclass(frozen=True)
class _KeptStream:
    """The instances in a queue as a stream of a formula."""

    logic: SymbolicLogic
    member: KeptSet

    def some(self, body: Callable[[str], str]) -> str:
        variable = self.logic.fresh("q")
        return f"(exists (({variable} Instance)) {conjunction((self.member(variable), body(variable)))})"

    def each(self, body: Callable[[str], str]) -> str:
        variable = self.logic.fresh("q")
        inner = disjunction((negation(self.member(variable)), body(variable)))
        return f"(forall (({variable} Instance)) {inner})"


class SymbolicQueue(Opaque):
    """A queue of which nothing is known but its contract, which the kernel proves of `CandidateQueue`."""

    def __init__(self, name: str) -> None:
        """The queue whose set is an arbitrary predicate, or empty."""
        self.kept = KeptSet(name)

    def attributes(self) -> Mapping[str, Any]:
        """The methods of the contract."""
        methods = {"push": self._push, "latest_before": self._latest, "evict_before": self._evict}
        return {name: Method(method) for name, method in methods.items()}

    def _push(self, execution: Execution, instance: Any) -> None:
        if not isinstance(instance, SymbolicInstance):
            execution.require("only instances are kept", FALSE)
            return
        pushed = instance.text
        later = conjunction((f"(< (start x) (start {pushed}))", f"(< (end x) (end {pushed}))"))
        execution.require("what is pushed starts and ends later than all that is kept", self.kept.each(later))
        self.kept = KeptSet(self.kept.name, (*self.kept.changes, ("push", pushed)))

    def _latest(self, execution: Execution, time: Any) -> Opaque:
        """The instance with the greatest start among those that end before the time, or ⟨⟩."""
        at, name = _time(time), execution.constant("found", "Instance")
        if not execution.decide(execution.constant("present", "Bool")):
            execution.facts.append(self.kept.each(f"(<= {at} (end x))"))
            return ABSENT
        greatest = self.kept.each(f"(<= {at} (end x))", f"(<= (start x) (start {name}))")
        execution.facts.append(conjunction((self.kept(name), f"(< (end {name}) {at})", greatest)))
        return SymbolicInstance(name)

    def _evict(self, execution: Execution, time: Any) -> Opaque:
        """Forget the instances that end before the time; what `latest_before` finds."""
        found = self._latest(execution, time)
        self.kept = KeptSet(self.kept.name, (*self.kept.changes, ("evict", _time(time))))
        return found


def _time(value: Any) -> str:
    if isinstance(value, Number) and value.infinite == FALSE:
        return value.text
    if type(value) is int:
        return written(numeral(value))
    raise NotTranslated(f"a {type(value).__name__} is no time")


_Outcome: TypeAlias = tuple[str | None, Mapping[str, Any]]
"""The result of a step, ⟨⟩ as None, and the values of its auxiliary variables after it."""


def _made(
    lemma: StepLemma, factory: StepFactory, run: Execution, label: Label | None = None
) -> tuple[Interpreter, Made]:
    """A fresh step from the factory that the detector uses, with an arbitrary bound or label."""
    operator, ticks = OPERATORS[lemma.operator], Number(TICKS)
    operands = tuple(map(Identifier, ("A", "B")[: operator.arity]))
    bound = ticks if operator.bounded else None
    operation = OperationTerm(operands, bound, ticks if lemma.figure == 4 else label)
    interpreter = Interpreter(run, step_vocabulary(lambda _: SymbolicQueue("")))
    try:
        return interpreter, made_step(interpreter, factory, operation)
    except Raised:
        if operation.label is None and lemma.operator == "seq":  # labelled ones alone have steps
            return _made(lemma, factory, run, UNBOUNDED)
        raise


def _stepped(lemma: StepLemma, factory: StepFactory, execution: Execution) -> _Outcome:
    """A step from an arbitrary state on arbitrary current instances."""

    def possible(name: str) -> Opaque:
        return SymbolicInstance(name) if execution.decide(f"{name}.occurs") else ABSENT

    interpreter, step = _made(lemma, factory, execution)
    attributes = _attributes(lemma, step)
    for variable, attribute in zip(lemma.variables, attributes, strict=True):
        name, initial = f"{variable.name}_i", step.state.get(attribute)
        match variable.kind:
            case "instance":
                step.state[attribute] = possible(name)
            case "time":
                step.state[attribute] = Number(name)
            case "set" if isinstance(initial, SymbolicQueue):
                step.state[attribute] = SymbolicQueue(name)
            case _:
                raise NotTranslated(f"{variable.name} is a {type(initial).__name__}, of which no contract is known")
    given = dict(step.state)
    current = [possible(name) for name in CURRENT[: OPERATORS[lemma.operator].arity]]
    result = interpreter.method(step, "step", [current[0], current[-1]])
    for attribute, value in step.state.items():
        if attribute not in attributes and (attribute not in given or value is not given[attribute]):
            raise NotTranslated(f"the step changes {attribute!r}, of which no invariant speaks")
    return _instance(result), _variables(lemma, step)


def _attributes(lemma: StepLemma, step: Made) -> list[str]:
    kept: Mapping[str, str] = getattr(step.kind, "VARIABLES", {})
    for variable in lemma.variables:
        if variable.name not in kept:
            raise NotTranslated(f"the step has no variable {variable.name}")
    return [kept[variable.name] for variable in lemma.variables]


def _variables(lemma: StepLemma, step: Made) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    for variable, attribute in zip(lemma.variables, _attributes(lemma, step), strict=True):
        match variable.kind, step.state.get(attribute):
            case "instance", value:
                found[variable.name] = _instance(value)
            case "time", value:
                found[variable.name] = _time(value)
            case "set", SymbolicQueue() as queue:
                found[variable.name] = queue.kept
            case _, value:
                raise NotTranslated(f"{variable.name} became a {type(value).__name__}")
    return found


def _instance(value: Any) -> str | None:
    if value is ABSENT:
        return None
    if isinstance(value, SymbolicInstance):
        return value.text
    raise NotTranslated(f"a {type(value).__name__} is neither an instance nor ⟨⟩")


def _outcomes(paths: list[Path[_Outcome]], variable: Variable | None) -> dict[tuple[Any, str], str]:
    """The values that a variable, or the output, can get and the horizon then, with the condition for it."""
    found: dict[tuple[Any, str], list[tuple[str, ...]]] = {}
    for path in paths:
        if path.result is None:
            continue  # that this path is not taken is part of `use`
        key: tuple[Any, str] = (path.result[0], "")
        if variable is not None:
            moved = variable.window != "all" and any(f"{name}.occurs" in path.conditions for name in CURRENT)
            key = (path.result[1][variable.name], f"(- {NOW} {TICKS})" if moved else HORIZON)
        found.setdefault(key, []).append((*path.conditions, *path.facts))
    return {key: disjunction(map(conjunction, _merged(ways))) for key, ways in found.items()}


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


def step_obligations(claim: str, time: TimeSort, subject: Subject) -> list[Obligation]:
    """The obligations of a lemma about a step (`STEP_LEMMAS`); `NotTranslated` if a form is not understood.

    Paths with the same outcome share an obligation; `paths` says that there are no others.
    """
    lemma = invariants.STEP_LEMMAS[claim]
    factory = subject.step(lemma)
    made, _ = explore(lambda execution: _variables(lemma, _made(lemma, factory, execution)[1]))
    if all(path.result is None for path in made):
        raise NotTranslated(f"the step cannot be made: {made[0].duties[0][0]}")
    paths, constants = explore(lambda execution: _stepped(lemma, factory, execution))

    plain = _Part(lemma, time, subject, NOW).after_step(constants)
    found: list[tuple[str, str, _Part, str]] = []
    for variable in lemma.variables:
        for (value, horizon), condition in _outcomes(paths, variable).items():
            for aspect, predicate in _predicates(variable, value):
                part = _Part(lemma, time, subject, NOW).after_step(constants, next_too=True)
                goal = _implied(condition, part.holds(variable, value, NEXT, horizon, predicate))
                found.append((f"state {variable.name}{aspect}", f"{variable.name} becomes {value}", part, goal))
    for (value, _), condition in _outcomes(paths, None).items():
        for predicate in _conjuncts(VALID_ABSENCE if value is None else VALID_INSTANCE):
            part = _Part(lemma, time, subject, NOW).after_step(constants)
            goal = _implied(condition, part.at_now(predicate, part.result(), value))
            found.append(("output", f"the output is {value or '⟨⟩'}", part, goal))
    duties = [duty for path in paths for duty in path.duties]
    if duties:
        words = "; ".join(dict.fromkeys(what for what, _ in duties))
        found.append(("use", words, plain, conjunction(formula for _, formula in duties)))
    every = disjunction(conjunction(path.conditions) for path in paths)
    found.append(("paths", "every way through the step is one of these", plain, every))
    counts, seen, numbered = Counter(direction for direction, *_ in found), Counter[str](), []
    for direction, words, part, goal in found:  # parts of the same name get numbers
        seen[direction] += 1
        name = f"{direction} {seen[direction]}" if counts[direction] > 1 else direction
        numbered.append(part.written(name, words, goal))
    between = _Part(lemma, time, subject, NOW)
    between.assumptions += [between.at_now(VALID_ABSENCE, stream) for stream in between.streams.values()]
    goal = between.at_now(VALID_ABSENCE, between.result())
    numbered.append(between.written("between", "where no instance of an operand ends, none of the result does", goal))
    if not lemma.variables:
        return numbered
    initial = _Part(lemma, time, subject, NOW, HORIZON)
    initial.assumptions.append(f"(<= {HORIZON} {NOW})")
    initial.assume_of_each(_NOTHING_BEFORE, τ=NOW)
    goals = []
    for path in made:
        for variable in lemma.variables:
            state = path.result
            holds = FALSE if state is None else initial.holds(variable, state[variable.name], NOW, HORIZON)
            goals.append(_implied(path.condition, holds))
    return [initial.written("initial", "the state that a step is made with", conjunction(goals)), *numbered]


class _Part:
    """An obligation of a lemma that is being written: the operands' outputs and times, and what is assumed of them."""

    def __init__(self, lemma: StepLemma, time: TimeSort, subject: Subject, *times: str) -> None:
        """The assumptions of every obligation: no two instances of an operand end together."""
        self.lemma, self.sort = lemma, SORT[time]
        self.operator = subject.operators[lemma.operator]
        self.writer = Writer(time, subject.operators)
        self.streams: dict[str, StreamView[str, str]] = {
            name: self.writer.stream(name) for name in OUTPUTS[: self.operator.arity]
        }
        self.assumptions: list[str] = []
        self.assume_of_each(_UNIQUE_ENDS, "S'")
        if self.operator.bounded or lemma.figure == 4:
            self.writer.declare(TICKS, self.sort)
            self.assumptions.append(f"(<= 0 {TICKS})")
        if lemma.figure == 4:
            self.assumptions.append(self.writer.formula(_NO_LONGER, {"S": self.streams[OUTPUTS[1]]}, {"τ": TICKS}))
        for each in times:
            self.writer.declare(each, self.sort)

    def assume_of_each(self, formula: Formula, of: str = "A", **times: str) -> None:
        for name in self.streams:
            self.assumptions.append(self.writer.formula(renamed(formula, streams={of: name}), self.streams, times))

    def after_step(self, constants: Mapping[str, str], *, next_too: bool = False) -> _Part:
        """Assume what is known at a step at time `now`; with `next`, that nothing ends between the two."""
        self.assumptions.append(f"(<= 0 {NOW})")
        for name, stream in zip(CURRENT, self.streams.values(), strict=False):
            self.declare_possible(name)
            present = self.at_now(VALID_INSTANCE, stream, name)
            self.assumptions.append(_cases(name, present, self.at_now(VALID_ABSENCE, stream)))
        self.assumptions += map(self.holds_before, self.lemma.variables)
        if any(variable.window != "all" for variable in self.lemma.variables):
            self.writer.declare(HORIZON, self.sort)
            self.assumptions.append(f"(<= {HORIZON} (- {NOW} {TICKS}))")
        for name, sort in constants.items():
            self.writer.declare(name, sort)
        if next_too:
            self.writer.declare(NEXT, self.sort)
            self.assumptions.append(f"(< {NOW} {NEXT})")
            self.assume_of_each(_NOTHING_BETWEEN, now=NOW, next=NEXT)
        return self

    def written(self, direction: str, words: str, goal: str) -> Obligation:
        return self.writer.obligation(self.lemma.claim, direction, words, [*self.assumptions, negation(goal)])

    def result(self) -> StreamView[str, str]:
        bound = TICKS if self.operator.bounded else None
        return self.writer.apply(self.operator.name, list(self.streams.values()), bound)

    def at_now(self, formula: Formula, stream: StreamView[str, str], instance: str | None = None) -> str:
        """A formula about a stream S, and an instance e, at the time of the step."""
        return self.writer.formula(formula, {"S": stream}, {"τ": NOW}, {} if instance is None else {"e": instance})

    def declare_possible(self, name: str) -> None:
        self.writer.declare(name, "Instance")
        self.writer.declare(f"{name}.occurs", "Bool")

    def holds_before(self, variable: Variable) -> str:
        """Declare an auxiliary variable and state what it holds at the start of `now`."""
        name = f"{variable.name}_i"
        match variable.kind:
            case "instance":
                self.declare_possible(name)
                present, absent = (self.holds(variable, one, NOW, HORIZON) for one in (name, None))
                return _cases(name, present, absent)
            case "time":
                self.writer.declare(name, self.sort)
                return self.holds(variable, name, NOW, HORIZON)
            case "set":
                self.writer.stream(name)
                return self.holds(variable, KeptSet(name), NOW, HORIZON)

    def holds(self, variable: Variable, value: Any, until: str, horizon: str, predicate: Formula | None = None) -> str:
        """The state predicate for a value of an auxiliary variable, or a part of it."""
        scope: dict[str, object] = {"A": self.streams[OUTPUTS[variable.operand]]}
        before = variable.window == "before the horizon"
        since = horizon if variable.window == "since the horizon" else "0"
        never = written(numeral(NON_OCCURRENCE.start))
        times = {"until": horizon if before else until, "since": since, invariants.NEVER.name: never}
        match variable.kind:
            case "instance":
                whole = NOTHING_YET if value is None else LATEST_STARTED
                return self.writer.formula(predicate or whole, scope, times, {} if value is None else {"e": value})
            case "time":
                return self.writer.formula(predicate or GREATEST_START, scope, {**times, "t": value})
            case "set":
                scope["Q"] = _KeptStream(self.writer.logic, value)
                return self.writer.formula(predicate or CANDIDATES, scope, times)


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


def _implied(condition: str, conclusion: str) -> str:
    return disjunction((negation(condition), conclusion))


def _cases(name: str, present: str, absent: str) -> str:
    occurs = f"{name}.occurs"
    return conjunction((f"(=> {occurs} {present})", f"(=> (not {occurs}) {absent})"))
