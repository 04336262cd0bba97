"""The relation between the states of a text and of the proved steps, as claims about starts.

A pattern is transformed (Section 6), and the step of each of its subexpressions is translated for arbitrary starts. The
state of generated code is related to that of the steps by the names of its variables: `t7_9` is what `t7` carries for
the sequence 9, the greatest start of an instance of the left side of 9 that ended before `t7`. By the lemmas about the
steps, their own variables are greatest starts of this kind as well, so one uninterpreted function for each
subexpression says all of it. The names `a7` and `a7_9` say which values of a text are expected to be the current
instance of the seventh subexpression and what it carries: where they are not, the claim about them fails.

Each claim is a question of its own. Once it is proved, the values that it is about are the same, and the claims about
the subexpressions above take them for one arbitrary value. So a question is about one step, however large the pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from detectors.carlson_lisper.protocol import event_types
from detectors.carlson_lisper.source.figure2 import STEPS
from detectors.carlson_lisper.source.transformation import transform
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, bottom_up, evaluate_bound
from smt.carlson_lisper.step_terms import ABSENT, OperationTerm, made_step, step_vocabulary
from smt.carlson_lisper.validation.texts import TIME, TRUTH, NotUnderstood, TextRun, Value, instant, occurs
from smt.python.interpreter import Interpreter
from smt.python.paths import Execution, Method, NotTranslated, Number, Opaque, Term, explore, merged, numeral
from smt.smtlib import conjunction, disjunction, negation, written


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


class _Candidates(Opaque):
    """The candidates of a sequence, by what its lemma says of them.

    The latest start before a time is that of all instances that the left side has had, whatever was pushed.
    """

    def __init__(self, pattern: Pattern, side: int) -> None:
        self.pattern, self.side = pattern, side

    def attributes(self) -> Mapping[str, Any]:
        latest = Method(lambda _, time: Start(self.pattern.latest(self.side, _term(time))))
        return {"push": Method(lambda _, pushed: None), "latest_before": latest}


def _term(value: Any) -> Term:
    match value:
        case Number(term) | Start(term):
            return term
        case int():
            return numeral(value)
    if value is ABSENT:
        return numeral(-1)
    raise NotTranslated(f"a {type(value).__name__} is no start")


def current(number: int) -> str:
    """The current instance of a subexpression."""
    return f"current.{number}"


_ABOUT: Mapping[tuple[str, str], int] = {("con", "l"): 0, ("con", "r"): 1, ("neg", "t"): 1, ("seq", "t"): 0}
"""The operand whose greatest start so far an auxiliary variable is (Def. 5.3 to 5.5, proved by their lemmas)."""


class Pattern:
    """The subexpressions of a transformed pattern, bottom-up, each once; the first has the number 1."""

    def __init__(self, expression: Expression) -> None:
        self.nodes = bottom_up(transform(expression).expression)
        self.numbers = {node: place for place, node in enumerate(self.nodes, start=1)}
        self.asked: dict[str, str] = {}  # by the terms of greatest starts, the times before which they are greatest

    def latest(self, side: int, time: Term) -> Term:
        """The greatest start of an instance of a subexpression that ended before a time, or -1."""
        term: Term = (f"latest.{side}", time)
        self.asked[written(term)] = written(time)
        return term

    def operation(self, number: int) -> Operation | None:
        """The subexpression of a number, if it is an operation."""
        node = self.nodes[number - 1] if number <= len(self.nodes) else None
        return node if isinstance(node, Operation) else None

    def side(self, number: int, name: str) -> int:
        """The number of the operand whose starts a variable of a step is about."""
        node = self.operation(number)
        if node is None or (node.operator, name) not in _ABOUT:
            raise NotUnderstood(f"{name}{number} is no variable of the steps")
        return self.numbers[node.operands[_ABOUT[node.operator, name]]]

    def carried(self, term: Term, sequences: str) -> Value:
        """Matches that a start carries for sequences, the innermost first."""
        for number in map(int, sequences.split("_")[1:]):
            about, node = self.side(number, "t"), self.operation(number)
            if node is None or node.operator != "seq":
                raise NotUnderstood(f"{number} is no sequence, and is to have a match")
            term = self.latest(about, term)
        return Value(written(term), TIME)

    def disjunctions(self) -> dict[int, tuple[str, ...]]:
        """The event types of each disjunction of event types: a text asks the letter for them, not its operands."""
        found: dict[Expression, tuple[str, ...]] = {}
        for node in self.nodes:
            if isinstance(node, Identifier):
                found[node] = (node.name,)
            elif isinstance(node, Operation) and node.operator == "dis" and found.keys() >= set(node.operands):
                found[node] = tuple(dict.fromkeys(name for operand in node.operands for name in found[operand]))
        return {self.numbers[node]: names for node, names in found.items() if isinstance(node, Operation)}

    def steps(self) -> Iterator[tuple[str, Value]]:
        """What the proved steps compute at `time`, operands first (Figure 2): values by name; or `NotTranslated`."""
        for node, place in self.numbers.items():
            if isinstance(node, Identifier):
                yield current(place), Value(f"(ite {occurs(node.name)} time (- 1))", TIME)
                continue
            assert isinstance(node, Operation)
            paths, _ = explore(partial(self._run, node))
            ways = [(path.terms, path.result) for path in paths if path.result is not None and not path.duties]
            if len(ways) < len(paths):
                raise NotTranslated("; ".join(what for path in paths for what, _ in path.duties))
            for name in ways[0][1]:
                value = Value(written(merged([(terms, after[name]) for terms, after in ways])), TIME)
                yield f"due.{name}{place}" if name else current(place), value

    def _run(self, node: Operation, execution: Execution) -> dict[str, Term]:
        """The variables of a step after it, and under "" its result."""
        place, operands = self.numbers[node], [self.numbers[node.operands[at]] for at in (0, -1)]
        interpreter = Interpreter(execution, step_vocabulary(lambda _: _Candidates(self, operands[0])))
        bound: Any = None if node.bound is None else evaluate_bound(node.bound)
        step = made_step(interpreter, STEPS[node.operator], OperationTerm((), bound))
        kept = {
            name: attribute
            for name, attribute in getattr(step.kind, "VARIABLES", {}).items()
            if not isinstance(step.state[attribute], _Candidates)
        }
        for name, attribute in kept.items():
            term = self.latest(self.side(place, name), "time")
            step.state[attribute] = Start(term) if step.state[attribute] is ABSENT else Number(term)
        result = interpreter.method(step, "step", [Start(current(operand)) for operand in operands])
        return {**{name: _term(step.state[attribute]) for name, attribute in kept.items()}, "": _term(result)}


_VARIABLE = re.compile(r"([a-z])([1-9][0-9]*)((?:_[1-9][0-9]*)*)")
_SYMBOL = re.compile(r"\|[^|]*\||[^\s()]+")

_BOUNDS = ("(<= (- 1) {0})", "(<= {0} time)")  # Invariant of every current instance


class Pair(NamedTuple):
    """A value that the text computes, and that of the steps, by whose name later ones depend on it where it stands."""

    found: Value
    due: Value
    stands: bool = False


def questions(expression: Expression, text: str, given: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """The question of each claim that is no matter of course, by its place; each rests on those before it.

    A claim holds if its question has no model. Given are the variables with which the text starts, in their order.
    `NotUnderstood` where the text has another form or other variables; `NotTranslated` where a step is not understood.
    """
    body, pattern, types = instant(text, given), Pattern(expression), event_types(expression)
    definitions = dict(pattern.steps())
    values, due = {"now": Value("last", TIME), "time": Value("time", TIME)}, dict[str, tuple[int, Value]]()
    for variable in given:
        if variable == "now":
            continue
        match = _VARIABLE.fullmatch(variable)
        if match is None:
            raise NotUnderstood(f"{variable} is no variable of the steps")
        name, place = match[1], int(match[2])
        values[variable] = pattern.carried(pattern.latest(pattern.side(place, name), "time"), match[3])
        due[variable] = place, pattern.carried(f"due.{name}{place}", match[3])
    run = TextRun(body, values, types)
    if run.raised is None:
        raise NotUnderstood("it refuses no instant that is not later than the last one")
    for variable in (each for each in run.after if each not in values):
        match = _VARIABLE.fullmatch(variable)
        if match is not None and match[1] == "a" and pattern.operation(int(match[2])):
            due[variable] = int(match[2]), pattern.carried(current(int(match[2])), match[3])
    definitions |= run.definitions
    disjunctions = pattern.disjunctions()
    for place, names in disjunctions.items():  # what its step does is shown to be this, and above it is this
        definitions[f"step.{place}"] = definitions[current(place)]
        definitions[current(place)] = Value(f"(ite {disjunction(map(occurs, names))} time (- 1))", TIME)
    refuses = Pair(Value(run.raised, TRUTH), Value("(<= time last)", TRUTH))
    claims = [(0, [refuses, Pair(run.after["now"], Value("time", TIME))])]
    for place in pattern.numbers.values():
        pairs = [Pair(Value(f"step.{place}", TIME), Value(current(place), TIME))] if place in disjunctions else []
        for variable, (about, value) in due.items():
            if about == place:
                pairs.append(Pair(run.after[variable], value, variable[0] == "a" and place not in disjunctions))
        if place == len(pattern.nodes):
            pairs.append(Pair(run.result, Value(current(place), definitions[current(place)].sort)))
        if any(pair.found.sort != pair.due.sort for pair in pairs):
            raise NotUnderstood("a variable or the result is of another kind than it should be")
        claims.append((place, pairs))
    facts = [("last", "(<= (- 1) last)"), ("time", "(<= 0 time)")]  # what holds wherever a term appears, by the term
    for term, until in pattern.asked.items():
        between = f"(and (<= (- 1) {term}) (< {term} {until}))"
        facts.append((term, f"(ite (< {until} 0) (= {term} (- 1)) {between})"))
    declarations = {f"latest.{place}": "(Int) Int" for place in pattern.numbers.values()}
    declarations |= {"time": "() Int", "last": "() Int", **{occurs(name): "() Bool" for name in types}}
    same: dict[str, str] = {}  # the terms of the steps for which values of the text stand, by the names of these
    arbitrary: dict[str, str] = {}  # the declarations of the current instances of which no more need be known

    def seen(value: Value) -> Value:
        """A value as one of the steps, as far as it is known to be one."""
        return Value(_SYMBOL.sub(lambda name: same.get(name[0], name[0]), value.term), value.sort)

    for place, pairs in claims:
        bounds = [bound.format(current(place)) for bound in _BOUNDS if any(pair.stands for pair in pairs)]
        compared = dict.fromkeys((seen(pair.found), pair.due) for pair in pairs)
        apart = [f"(= {found.term} {wanted.term})" for found, wanted in compared if found != wanted]
        if apart or bounds:
            denied = f"(assert {negation(conjunction([*apart, *bounds]))})"
            named = {name: seen(value) for name, value in definitions.items() if name not in arbitrary}
            lines = [*_defined(named, denied), denied]
            question = "\n".join(lines)
            symbols = set(_SYMBOL.findall(question))
            lines += [f"(assert {fact})" for term, fact in facts if term in (question if term[0] == "(" else symbols)]
            symbols = set(_SYMBOL.findall("\n".join(lines)))
            declared = {**declarations, **arbitrary}.items()
            lines = [*(f"(declare-fun {name} {kind})" for name, kind in declared if name in symbols), *lines]
            about_place = f"a{place}" if place else "the time"
            yield about_place, "\n".join(["(set-logic QF_UFLIA)", *lines, "(check-sat)"]) + "\n"
        stand = {pair.found.term: pair.due.term for pair in pairs if pair.stands and pair.found.term in definitions}
        if stand:
            same |= stand
            arbitrary[current(place)] = f"() {definitions[current(place)].sort}"
            facts += [(current(place), bound) for bound in bounds]


def _defined(definitions: Mapping[str, Value], line: str) -> list[str]:
    found: set[str] = set()
    open_texts = [line]
    while open_texts:
        for name in _SYMBOL.findall(open_texts.pop()):
            if name in definitions and name not in found:
                found.add(name)
                open_texts.append(definitions[name].term)
    return [f"(define-fun {n} () {value.sort} {value.term})" for n, value in definitions.items() if n in found]
