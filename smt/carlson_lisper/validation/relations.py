"""The relation between the states of a text and of the proved steps, as claims about starts.

A pattern is transformed (Section 6), and the step of each of its subexpressions is translated for arbitrary starts. The
state of generated code is related to that of the steps by the names of its variables: `t7_9` is what `t7` carries for
the sequence 9, the greatest start of an instance of the left side of 9 that ended before `t7`. By the lemmas about the
steps, their own variables are greatest starts of this kind as well, so one uninterpreted function for each
subexpression says all of it.

The names `a7` and `a7_9` of a text say which of its values are expected to be the current instance of the seventh
subexpression and what it carries: where they are not, the claim about them fails.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from detectors.carlson_lisper.protocol import event_types
from detectors.carlson_lisper.source.figure2 import STEPS
from detectors.carlson_lisper.source.transformation import transform
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, bottom_up, evaluate_bound
from smt.carlson_lisper.step_terms import ABSENT, OperationTerm, made_step, step_vocabulary
from smt.carlson_lisper.validation.texts import TIME, TRUTH, NotUnderstood, TextRun, Value, occurs, program
from smt.carlson_lisper.validation.value_equalities import Claim, Comparison, Pair
from smt.python_terms import (
    Execution,
    Interpreter,
    Method,
    NotTranslated,
    Number,
    Opaque,
    Term,
    explore,
    merged,
    numeral,
)
from smt.smtlib import disjunction, parse_all, written

# --------------------------------------------------------------------------------------------------- the proved steps


@dataclass(frozen=True)
class Start(Opaque):
    """The start of an instance that is current, so that it ends now; -1 where there is none."""

    term: Term

    def attributes(self) -> Mapping[str, Any]:
        """The start, the end, and the union with another instance."""
        end = Number(("ite", ("<", self.term, "0"), numeral(-1), "time"))
        return {"start": Number(self.term), "end": end, "join": Method(self._join)}

    def _join(self, _: Execution, other: Any) -> Start:
        return Start(("ite", ("<=", self.term, _term(other)), self.term, _term(other)))


class Starts:
    """The greatest starts that were asked for: of a side, among the instances that ended before a time.

    Attributes:
        asked: by term the side and the time.
    """

    def __init__(self) -> None:
        self.asked: dict[str, tuple[str, str]] = {}

    def latest(self, side: int | str, time: str) -> str:
        """The greatest start of an instance of a subexpression that ended before a time, or -1."""
        term = f"(latest.{side} {time})"
        self.asked[term] = (str(side), time)
        return term


class _Candidates(Opaque):
    """The candidates of a sequence, by what its lemma says of them.

    The latest start before a time is that of all instances that the left side has had, whatever was pushed.
    """

    def __init__(self, side: int, starts: Starts) -> None:
        self.side, self.starts = side, starts

    def attributes(self) -> Mapping[str, Any]:
        """Pushed and found values."""
        return {"push": Method(lambda _, pushed: None), "latest_before": Method(self._latest)}

    def _latest(self, _: Execution, time: Any) -> Start:
        return Start(_read(self.starts.latest(self.side, written(_term(time)))))


def _term(value: Any) -> Term:
    match value:
        case Number(term) | Start(term):
            return term
        case int():
            return numeral(value)
    if value is ABSENT:
        return numeral(-1)
    raise NotTranslated(f"a {type(value).__name__} is no start")


def _read(text: str) -> Term:
    (term,) = parse_all(text)
    return term


@dataclass(frozen=True)
class Reference:
    """Effect of the proved steps of a pattern at an instant, by starts.

    Attributes:
        nodes: the subexpressions, bottom-up; the first has the number 1.
        definitions: the values that the steps compute, by name, operands first.
        after: the auxiliary variables at the end, by the source's name and the number of the subexpression.
    """

    nodes: tuple[Expression, ...]
    definitions: list[tuple[str, Value]] = field(default_factory=list)
    after: dict[str, Value] = field(default_factory=dict)

    @property
    def result(self) -> str:
        """The current instance of the pattern."""
        return current(len(self.nodes))


def current(number: int) -> str:
    """The current instance of a subexpression."""
    return f"current.{number}"


def numbered(expression: Expression) -> tuple[Expression, ...]:
    """The subexpressions of the transformed pattern, bottom-up, each once."""
    return bottom_up(transform(expression).expression)


def reference(expression: Expression, starts: Starts, before: Callable[[int, str], str]) -> Reference:
    """The proved steps of a pattern at the instant `time`: each subexpression's once, operands first (Figure 2).

    Args:
        before: the value of an auxiliary variable before, by the number of the subexpression and its name.

    Raises:
        NotTranslated: a step has a form that is not understood.
    """
    found = Reference(numbered(expression))
    numbers = {node: place for place, node in enumerate(found.nodes, start=1)}
    for node, place in numbers.items():
        if isinstance(node, Identifier):
            found.definitions.append((current(place), Value(f"(ite {occurs(node.name)} time (- 1))", TIME)))
            continue
        assert isinstance(node, Operation)
        operands = numbers[node.operands[0]], numbers[node.operands[-1]]
        paths, _ = explore(partial(_run, node, operands, starts, partial(before, place)))
        ways = [(path.terms, path.result) for path in paths if path.result is not None and not path.duties]
        if len(ways) < len(paths):
            raise NotTranslated("; ".join(what for path in paths for what, _ in path.duties))
        for name in ways[0][1]:
            value = Value(written(merged([(terms, after[name]) for terms, after in ways])), TIME)
            defined = f"due.{name}{place}" if name else current(place)
            found.definitions.append((defined, value))
            if name:
                found.after[f"{name}{place}"] = Value(defined, TIME)
    return found


def _run(
    node: Operation, operands: tuple[int, int], starts: Starts, before: Callable[[str], str], execution: Execution
) -> dict[str, Term]:
    """The variables of a step after it, and under "" its result."""
    interpreter = Interpreter(execution, step_vocabulary(lambda _: _Candidates(operands[0], starts)))
    bound: Any = None if node.bound is None else evaluate_bound(node.bound)
    step = made_step(interpreter, STEPS[node.operator], OperationTerm((), bound))
    variables = getattr(step.kind, "VARIABLES", {})
    for name, attribute in variables.items():
        if not isinstance(step.state[attribute], _Candidates):
            term = _read(before(name))
            step.state[attribute] = Start(term) if step.state[attribute] is ABSENT else Number(term)
    result = interpreter.method(step, "step", [Start(current(place)) for place in operands])
    after = {
        name: _term(step.state[attribute])
        for name, attribute in variables.items()
        if not isinstance(step.state[attribute], _Candidates)
    }
    return {**after, "": _term(result)}


# -------------------------------------------------------------------------------------------------------- the claims

_VARIABLE = re.compile(r"([a-z])([1-9][0-9]*)((?:_[1-9][0-9]*)*)")

_ABOUT: Mapping[tuple[str, str], int] = {("con", "l"): 0, ("con", "r"): 1, ("neg", "t"): 1, ("seq", "t"): 0}
"""The operand whose greatest start so far an auxiliary variable is (Def. 5.3 to 5.5, proved by their lemmas)."""

_BOUNDS = ("(<= (- 1) {0})", "(<= {0} time)")
"""Invariant of every current instance."""


def comparison(expression: Expression, text: str, given: Mapping[str, object]) -> Comparison:
    """Proof goal of a text.

    Args:
        given: the variables with which it starts, in the order in which they are given.

    Raises:
        NotUnderstood: the text has another form, or starts with other variables.
        NotTranslated: a step has a form that is not understood.
    """
    made = program(text)
    if made.received != ("time", "letter"):
        raise NotUnderstood("it is not the text of starts")
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
        if not isinstance(node, Operation) or (node.operator, name) not in _ABOUT:
            raise NotUnderstood(f"{name}{place} is no variable of the steps")
        return numbers[node.operands[_ABOUT[node.operator, name]]]

    def carried(term: str, sequences: str) -> str:
        """Matches that a start carries for sequences, the innermost first."""
        for number in map(int, sequences.split("_")[1:]):
            about, node = side(number, "t"), nodes[number - 1]
            if not isinstance(node, Operation) or node.operator != "seq":
                raise NotUnderstood(f"{number} is no sequence, and is to have a match")
            term = level.latest(about, term)
        return term

    steps = reference(expression, level, lambda place, name: level.latest(side(place, name), "time"))
    values = {"now": Value("last", TIME)}
    due: dict[str, Value] = {}
    for variable in made.given:
        if variable == "now":
            continue
        match = _VARIABLE.fullmatch(variable)
        if match is None:
            raise NotUnderstood(f"{variable} is no variable of the steps")
        name, place, sequences = match[1], int(match[2]), match[3]
        values[variable] = Value(carried(level.latest(side(place, name), "time"), sequences), TIME)
        due[variable] = Value(carried(steps.after[f"{name}{place}"].term, sequences), TIME)
    run = TextRun(made.body, {**values, "time": Value("time", TIME)}, event_types(expression))
    if run.raised is None:
        raise NotUnderstood("it refuses no instant that is not later than the last one")
    for variable in run.after.keys() - values.keys():
        match = _VARIABLE.fullmatch(variable)
        if (
            match is not None
            and match[1] == "a"
            and isinstance(dict(enumerate(nodes, 1)).get(int(match[2])), Operation)
        ):
            due[variable] = Value(carried(current(int(match[2])), match[3]), TIME)
    facts = [("last", "(<= (- 1) last)"), ("time", "(<= 0 time)")]
    for term, (_, until) in level.asked.items():
        between = f"(and (<= (- 1) {term}) (< {term} {until}))"
        facts.append((term, f"(ite (< {until} 0) (= {term} (- 1)) {between})"))
    refuses = Pair(Value(run.raised, TRUTH), Value("(<= time last)", TRUTH))
    claims = [Claim("the time", (refuses, Pair(run.after["now"], Value("time", TIME))))]
    definitions = dict([*steps.definitions, *run.definitions])
    disjunctions = _disjunctions(nodes)
    for place, types in disjunctions.items():  # what its step does is shown to be this, and above it is this
        definitions[f"step.{place}"] = definitions[current(place)]
        definitions[current(place)] = Value(f"(ite {disjunction(map(occurs, types))} time (- 1))", TIME)
    for place in range(1, len(nodes) + 1):
        pairs = [Pair(Value(f"step.{place}", TIME), Value(current(place), TIME))] if place in disjunctions else []
        for variable, value in due.items():
            match = _VARIABLE.fullmatch(variable)
            if match is not None and int(match[2]) == place:
                pairs.append(Pair(run.after[variable], value, match[1] == "a" and place not in disjunctions))
        if place == len(nodes):
            pairs.append(Pair(run.result, Value(steps.result, definitions[steps.result].sort)))
        if any(pair.found.sort != pair.due.sort for pair in pairs):
            raise NotUnderstood("a variable or the result is of another kind than it should be")
        stands = any(pair.stands for pair in pairs)
        own = tuple(bound.format(current(place)) for bound in _BOUNDS if stands)
        claims.append(Claim(f"a{place}", tuple(pairs), own, current(place)))
    declarations = {f"latest.{place}": "(Int) Int" for place in numbers.values()}
    declarations |= {"time": "() Int", "last": "() Int"}
    declarations |= {occurs(name): "() Bool" for name in event_types(expression)}
    return Comparison(tuple(claims), definitions, declarations, facts)


def _disjunctions(nodes: Sequence[Expression]) -> dict[int, tuple[str, ...]]:
    """The event types of each disjunction of event types: a text asks the letter for them, and not its operands."""
    found: dict[Expression, tuple[str, ...]] = {}
    for node in nodes:
        if isinstance(node, Identifier):
            found[node] = (node.name,)
        elif isinstance(node, Operation) and node.operator == "dis" and found.keys() >= set(node.operands):
            found[node] = tuple(dict.fromkeys(name for operand in node.operands for name in found[operand]))
    return {
        place: found[node] for place, node in enumerate(nodes, start=1) if node in found and isinstance(node, Operation)
    }
