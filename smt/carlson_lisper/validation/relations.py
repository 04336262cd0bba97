"""The relation between the states of a text and of the proved steps, as claims.

The state of generated code is related to that of the steps by the names of its variables. With whole instances each
variable is that of a step. With starts alone, `t7_9` is what `t7` carries for the sequence 9: the greatest start of an
instance of the left side of 9 that ended before `t7`. By the lemmas about the steps, their own variables are greatest
starts of this kind as well, so one uninterpreted function for each subexpression says all of it.

The names `a7` and `a7_9` of a text say which of its values are expected to be the current instance of the seventh
subexpression and what it carries: where they are not, the claim about them fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from detectors.carlson_lisper.protocol import event_types
from detectors.carlson_lisper.source.figure2 import STEPS
from detectors.carlson_lisper.source.steps import NonOccurrence
from semantics.carlson_lisper.expressions import Expression, Operation
from smt.carlson_lisper.validation.references import (
    Reference,
    Starts,
    current,
    numbered,
    reference,
)
from smt.carlson_lisper.validation.texts import (
    QUEUE,
    TIME,
    TRUTH,
    NotUnderstood,
    Program,
    TextRun,
    Value,
    occurs,
    program,
)
from smt.carlson_lisper.validation.value_equalities import Claim, Pair, PatternClaims


def comparison(expression: Expression, text: str, given: Mapping[str, object]) -> PatternClaims:
    """What has to be shown of a text.

    Args:
        given: the variables with which it starts, in the order in which they are given.

    Raises:
        NotUnderstood: the text has another form, or starts with other variables.
        ExecutionFailed: a step cannot be run on terms.
    """
    made = program(text)
    if made.received == ("time", "letter"):
        return _of_starts(expression, made, given)
    raise NotUnderstood("it is not the text of starts")


_VARIABLE = re.compile(r"([a-z])([1-9][0-9]*)((?:_[1-9][0-9]*)*)")

_ABOUT: Mapping[tuple[str, str], int] = {("con", "l"): 0, ("con", "r"): 1, ("neg", "t"): 1, ("seq", "t"): 0}
"""The operand whose greatest start so far an auxiliary variable is (Def. 5.3 to 5.5, proved by their lemmas)."""


# ------------------------------------------------------------------------------------------------------------ starts


def _of_starts(expression: Expression, made: Program, given: Mapping[str, object]) -> PatternClaims:
    if set(made.given) != set(given):
        raise NotUnderstood("it is given other variables than it has")
    if any(type(value) is not int or value != -1 for value in given.values()):
        raise NotUnderstood("a variable does not start with -1")
    if "now" not in made.given:
        raise NotUnderstood("it does not keep the time")
    level = Starts()
    nodes = numbered(expression)
    numbers = {node: place for place, node in enumerate(nodes, start=1)}
    operations = {place for node, place in numbers.items() if isinstance(node, Operation)}

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

    def carried(term: str, sequences: str) -> str:
        """What a start carries for sequences, the innermost first."""
        for number in map(int, sequences.split("_")[1:]):
            about = side(number, "t")
            if _operator(nodes[number - 1]) != "seq":
                raise NotUnderstood(f"{number} is no sequence, and is to have a match")
            term = level.latest(about, term)
        return term

    steps = reference(expression, level, lambda _, node: STEPS[node.operator](node), before)
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
        if match is not None and match[1] == "a" and int(match[2]) in operations:
            due[variable] = Value(carried(current(int(match[2])), match[3]), TIME)
    refuses = Pair(Value(run.raised, TRUTH), Value("(<= time last)", TRUTH), "whether it refuses the instant")
    now = Pair(run.after["now"], Value("time", TIME), "now")
    facts = [("last", "(<= (- 1) last)"), ("time", "(<= 0 time)")]
    for term, (_, until) in level.asked.items():
        between = f"(and (<= (- 1) {term}) (< {term} {until}))"
        facts.append((term, f"(ite (< {until} 0) (= {term} (- 1)) {between})"))
    functions = {f"latest.{place}": "(Int) Int" for place in range(1, len(nodes) + 1)}
    first = Claim("the time", (refuses, now))
    bounds = ("(<= (- 1) {0})", "(<= {0} time)")
    return _compared(expression, [first], functions, facts, steps, run, due, bounds, {})


def _plainly(value: object) -> object:
    """What an initial value is, such that equal ones are alike."""
    if isinstance(value, NonOccurrence):
        return "⟨⟩"
    if isinstance(value, int):
        return value
    kind = type(value)
    slots = [name for owner in kind.__mro__ for name in getattr(owner, "__slots__", ())]
    return (kind, *((name, repr(getattr(value, name, None))) for name in slots))


def plainly(given: Mapping[str, object]) -> tuple[tuple[str, object], ...]:
    """What initial values are, such that equal ones are alike."""
    return tuple((name, _plainly(value)) for name, value in given.items())


# -------------------------------------------------------------------------------------------------------------- both


def _operator(node: Expression) -> str:
    return node.operator if isinstance(node, Operation) else ""


def _compared(
    expression: Expression,
    first: Iterable[Claim],
    functions: Mapping[str, str],
    facts: list[tuple[str, str]],
    steps: Reference,
    run: TextRun,
    due: Mapping[str, Value],
    bounds: tuple[str, ...],
    shown: Mapping[str, str],
) -> PatternClaims:
    """The claims about each subexpression: its variables, its current instance, and at last the result."""
    definitions = dict([*steps.definitions, *run.definitions])
    sort = definitions[steps.result].sort
    names = event_types(expression)
    claims = list(first)
    for place in range(1, len(steps.nodes) + 1):
        pairs = []
        for variable, value in due.items():
            match = _VARIABLE.fullmatch(variable)
            if match is not None and int(match[2]) == place:
                pairs.append(Pair(run.after[variable], value, variable, match[1] == "a"))
        if place == len(steps.nodes):
            pairs.append(Pair(run.result, Value(steps.result, sort), "the result"))
        if any(pair.found.sort != pair.due.sort for pair in pairs):
            raise NotUnderstood("a variable or the result is of another kind than it should be")
        stands = any(pair.stands for pair in pairs)
        own = tuple(bound.format(current(place)) for bound in bounds if stands)
        claims.append(Claim(f"a{place}", tuple(pairs), own, current(place)))
    return PatternClaims(
        tuple(claims),
        definitions,
        {**functions, "time": "() Int", "last": "() Int", **{occurs(name): "() Bool" for name in names}},
        facts,
        {"time": "time", "last": "now", **{occurs(name): f"{name} occurs" for name in names}, **shown},
    )
