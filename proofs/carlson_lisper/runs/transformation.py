"""Section 6 on small expressions and traces: the rules, the table of Figure 5 and the detector of Figure 4 as a whole.

An expression is transformed and both are evaluated by definition, compared with `as_printed`, or detected. Each
operator is tried with each of a list of operands, on all traces of two event types over three instants and some of
three types; then a fixed number of larger expressions that are drawn from a fixed seed. That no counterexample is found
among these proves nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, combinations, cycle, product
from typing import Literal, TypeAlias

from detectors.carlson_lisper.protocol import instants, run
from detectors.carlson_lisper.source.figure2 import Figure2, StepFactory
from detectors.carlson_lisper.source.figure4 import BOUNDED_STEPS, figure4
from detectors.carlson_lisper.source.transformation import RULES, Rule, Transformed, restricted, transform
from proofs.carlson_lisper.printed.transformation import as_printed
from proofs.carlson_lisper.runs.histories import WrongRun, first, shrunk
from semantics.carlson_lisper.denotation import apply_operator, denotation
from semantics.carlson_lisper.expressions import (
    UNBOUNDED,
    Expression,
    Identifier,
    Label,
    Operation,
    bottom_up,
    evaluate_bound,
    size,
)
from semantics.carlson_lisper.occurrences import Occurrence, Stream, by_end_time, interpretation
from semantics.carlson_lisper.operators import OPERATORS, Operator
from semantics.carlson_lisper.restriction import rem
from semantics.carlson_lisper.syntax import parse

EVENTS = ("a", "b", "c")
BOUNDS = (0, 1, 2, 3)
"""The bounds of temporal restrictions, in ticks."""

LIMITS: tuple[Label, ...] = (UNBOUNDED, 0, 1, 2)
"""The restrictions τ with which an expression is transformed."""

INSTANTS = 3
"""All traces of two event types over so many instants are tried."""

SMALL = 4
"""They are tried with expressions of up to so many nodes, larger ones with some traces of three event types."""

DRAWN = 100
"""So many larger expressions are drawn."""

SEED = 1

Trace: TypeAlias = tuple[Occurrence, ...]
"""What occurs, by time."""

Transform: TypeAlias = Callable[[Expression, Label, Mapping[str, Rule]], Transformed]
"""What is examined: `detectors.carlson_lisper.source.transformation.transform`, or something in its place."""

Conclusion: TypeAlias = Literal["meaning", "bound", "label", "exception"]

CONCLUSIONS: tuple[Conclusion, ...] = ("meaning", "bound", "label", "exception")
"""What can fail: E_τ ≡ E'_τ, E' ≡ E'_τ', B ≡ B_λ for a sequence A;_λ B of E', or there is no result."""

Tried: TypeAlias = tuple[Expression, Label, Trace]
"""An expression, the restriction τ with which it is transformed, and what occurs, if that matters."""


def _wrong(
    tried: Tried,
    outcome: Transformed | None,
    conclusion: Conclusion,
    left: Stream = frozenset(),
    right: Stream = frozenset(),
    detail: str = "",
) -> WrongRun[Tried]:
    """A transformation that is wrong.

    Args:
        outcome: the result E' with the bound τ', None if there is none.
        detail: the sequence that is wrongly labelled, or what was raised.
    """
    expression, limit, trace = tried
    call = f"transform({expression}, {label_text(limit)})"
    where = f"on the trace {trace_text(trace)}"
    sides = f"{_listed(left)} against {_listed(right)}"
    if outcome is None:
        words = f"{call} raises {detail}"
    elif conclusion == "meaning":
        words = f"{where} the two differ under τ = {label_text(limit)}: {sides}"
    elif conclusion == "bound":
        words = f"{where} it is not as short as the returned bound says: {sides}"
    elif not trace:
        words = f"{detail} has no label"
    else:
        words = f"{where} the right operand of {detail} is longer than the label: {sides}"
    plain = {
        "expression": str(expression),
        "limit": _finite(limit),
        "transformed": None if outcome is None else str(outcome.expression),
        "bound": None if outcome is None else _finite(outcome.bound),
        "conclusion": conclusion,
        "trace": [occurrence._asdict() for occurrence in trace],
        "left": _plain(left),
        "right": _plain(right),
        "detail": detail,
    }
    said = words if outcome is None else f"{call} = {outcome_text(outcome)}: {words}"
    return WrongRun(tried, conclusion, said, plain)


def label_text(label: Label) -> str:
    """A label or a restriction as the source writes it."""
    return "∞" if label == UNBOUNDED else str(label)


def trace_text(trace: Trace) -> str:
    """What occurs, in words."""
    return ", ".join(map(str, trace)) or "(empty)"


def outcome_text(outcome: Transformed) -> str:
    """An expression with its bound as the source writes it."""
    return f"⟨{outcome.expression}, {label_text(outcome.bound)}⟩"


def _finite(label: Label) -> Label | None:
    return None if label == UNBOUNDED else label


def _listed(stream: Stream) -> str:
    return ", ".join(map(repr, by_end_time(stream))) or "no instance"


def _plain(stream: Stream) -> list[list[dict[str, object]]]:
    return [[occurrence._asdict() for occurrence in instance.sorted_occurrences()] for instance in by_end_time(stream)]


# ------------------------------------------------------------------------------------------- expressions and traces


OPERANDS = (
    "a",
    "b",
    "a | b",
    "a + b",
    "c + b",
    "a ; b",
    "c - a",
    "(a + b)[0]",
    "(a + b)[1]",
    "(b + c)[2]",
    "a ; (b + c)",
    "(a ; (b + c))[1]",
    "a ;[0] (b + c)",
    "(a + b)[3] - b",
)
"""Operands with which each operator is tried: of every kind, short and long, with labels that are wrong."""


@cache
def expressions() -> tuple[Expression, ...]:
    """The operands, and each operator applied to each of them or to two of them; small expressions first."""
    operands = [parse(text) for text in OPERANDS]
    found = list(operands)
    for operator in OPERATORS.values():
        for chosen in product(operands, repeat=operator.arity):
            for bound in BOUNDS if operator.bounded else (None,):
                found.append(Operation(operator.name, chosen, bound))
    return tuple(sorted(dict.fromkeys(found), key=size))


@cache
def traces(instants: int = INSTANTS) -> tuple[Trace, ...]:
    """All traces of the first two event types over the times 0, 1, 2, …, those with few occurrences first."""
    places = [Occurrence(event, time) for time in range(instants) for event in EVENTS[:2]]
    return tuple(chosen for count in range(len(places) + 1) for chosen in combinations(places, count))


@cache
def drawn_traces() -> tuple[Trace, ...]:
    """Traces of all event types with gaps, always the same ones."""
    draw = random.Random(f"traces {SEED}")
    found = []
    for _ in range(24):
        places = {(draw.choice((0, 1, 2, 3, 5)), draw.choice(EVENTS)) for _ in range(draw.randint(3, 7))}
        found.append(tuple(Occurrence(event, time) for time, event in sorted(places)))
    return tuple(found)


def drawn_expressions(number: int = DRAWN) -> Iterator[Expression]:
    """Expressions of three to five operators, always the same ones."""
    draw = random.Random(f"expressions {SEED}")
    for _ in range(number):
        yield _drawn(draw, draw.randint(3, 5))


def _drawn(draw: random.Random, operations: int) -> Expression:
    if not operations:
        return Identifier(draw.choice(EVENTS))
    operator = draw.choice(list(OPERATORS.values()))
    first = draw.randrange(operations) if operator.arity > 1 else operations - 1
    counts = (first, operations - 1 - first)[: operator.arity]
    bound = draw.choice(BOUNDS) if operator.bounded else None
    return Operation(operator.name, tuple(_drawn(draw, count) for count in counts), bound)


# --------------------------------------------------------------------------------------------------- examination


class _Meanings:
    """The meanings of expressions on a list of traces; those of subexpressions are remembered."""

    def __init__(self, tried: Iterable[Trace], operators: Mapping[str, Operator]) -> None:
        self.traces = tuple(tried)
        self.operators = operators
        self.scenarios = [interpretation(trace) for trace in self.traces]
        self.known: dict[Expression, tuple[Stream, ...]] = {}

    def __call__(self, expression: Expression) -> tuple[Stream, ...]:
        if expression not in self.known:
            for node in bottom_up(expression):
                if node not in self.known:
                    self.known[node] = tuple(self.of_node(node))
        return self.known[expression]

    def of_node(self, node: Expression) -> Iterator[Stream]:
        if not isinstance(node, Operation):
            yield from (denotation(node, scenario) for scenario in self.scenarios)
            return
        bound = None if node.bound is None else evaluate_bound(node.bound)
        operands = [self.known[operand] for operand in node.operands]
        for streams in zip(*operands, strict=True):
            yield apply_operator(self.operators[node.operator], streams, bound)

    def difference(self, left: Expression, right: Expression) -> tuple[Trace, Stream, Stream] | None:
        """The first trace on which two expressions differ, with their meanings."""
        if left == right:
            return None
        both = zip(self.traces, self(left), self(right), strict=True)
        return next((found for found in both if found[1] != found[2]), None)


@dataclass(frozen=True)
class _Subject:
    """The transformation that is examined."""

    rules: Mapping[str, Rule]
    transform: Transform
    conclusions: Collection[Conclusion]

    def failure(self, expression: Expression, limit: Label, meanings: _Meanings) -> WrongRun[Tried] | None:
        """What is wrong with the transformation of an expression, on the first trace that shows it."""
        try:
            outcome = self.transform(expression, limit, self.rules)
            nodes = bottom_up(outcome.expression)
            if not all(isinstance(node, Expression) for node in nodes):
                raise TypeError(f"{outcome.expression!r} is no expression")
            sequences = [
                (node, node.operands[1], node.label)
                for node in nodes
                if isinstance(node, Operation) and node.operator == "seq"
            ]
        except Exception as error:  # whatever a wrong rule may raise
            detail = f"{type(error).__name__}: {error}"
            return _wrong((expression, limit, ()), None, "exception", detail=detail)
        for node, _, label in sequences:
            if label is None and "label" in self.conclusions:
                return _wrong((expression, limit, ()), outcome, "label", detail=str(node))
        equal: list[tuple[Conclusion, Expression, Expression, str]] = [
            ("meaning", restricted(expression, limit), restricted(outcome.expression, limit), ""),
            ("bound", outcome.expression, restricted(outcome.expression, outcome.bound), ""),
        ]
        equal += [
            ("label", right, restricted(right, label), str(node))
            for node, right, label in sequences
            if label is not None
        ]
        for conclusion, left, right, detail in equal:
            different = meanings.difference(left, right) if conclusion in self.conclusions else None
            if different is not None:
                trace, before, after = different
                return _wrong((expression, limit, trace), outcome, conclusion, before, after, detail)
        return None


def find_transformation_counterexample(
    rules: Mapping[str, Rule] = RULES,
    operators: Mapping[str, Operator] = OPERATORS,
    *,
    transform: Transform = transform,
    limits: Sequence[Label] = LIMITS,
    conclusions: Collection[Conclusion] = CONCLUSIONS,
    largest: int | None = None,
    drawn: int = DRAWN,
) -> WrongRun[Tried] | None:
    """A smallest expression whose transformation is wrong; None if there is none among those that are tried.

    Args:
        limits: the restrictions τ with which expressions are transformed.
        conclusions: what is examined; that nothing is raised, always.
        largest: the greatest number of nodes of listed expressions, None if all of them are tried.
    """
    subject = _Subject(rules, transform, conclusions)
    every = _Meanings((*traces(), *drawn_traces()), operators)
    some = _Meanings(drawn_traces(), operators)
    chosen = [each for each in expressions() if largest is None or size(each) <= largest]
    listed = product(chosen, limits)
    further = zip(drawn_expressions(drawn), cycle(limits), strict=False)
    found = first(
        chain(listed, further), lambda tried: subject.failure(*tried, every if size(tried[0]) <= SMALL else some)
    )
    return found and shrunk(
        found, _smaller, lambda less: subject.failure(less[0], less[1], _Meanings([less[2]], operators))
    )


def _smaller(found: WrongRun[Tried]) -> Iterator[Tried]:
    """Smaller expressions, lower bounds and fewer occurrences."""
    expression, limit, trace = found.tried
    for less in sorted(_less(expression), key=size):
        yield less, limit, trace
    if limit != UNBOUNDED:
        yield expression, UNBOUNDED, trace
    for place in range(len(trace)):
        yield expression, limit, trace[:place] + trace[place + 1 :]


def _less(expression: Expression) -> Iterator[Expression]:
    """Expressions that have one operator less somewhere, or a lower bound."""
    if not isinstance(expression, Operation):
        return
    yield from expression.operands
    if expression.bound is not None and evaluate_bound(expression.bound) > 0:
        lower = evaluate_bound(expression.bound) - 1
        yield Operation(expression.operator, expression.operands, lower)
    if expression.label is not None:
        yield Operation(expression.operator, expression.operands, expression.bound)
    for place, operand in enumerate(expression.operands):
        for less in _less(operand):
            operands = (*expression.operands[:place], less, *expression.operands[place + 1 :])
            yield Operation(expression.operator, operands, expression.bound, expression.label)


# ---------------------------------------------------------------------------------------------------------- Figure 5

PrintedTried: TypeAlias = tuple[Expression, Label]
"""An expression, and the restriction τ with which it is transformed."""


def find_difference_from_print(
    rules: Mapping[str, Rule] = RULES, *, transform: Transform = transform
) -> WrongRun[PrintedTried] | None:
    """A small expression that is transformed otherwise than it is printed; None if none of those tried is."""

    def difference(tried: PrintedTried) -> WrongRun[PrintedTried] | None:
        expression, limit = tried
        printed = as_printed(expression, limit)
        try:
            ours = transform(expression, limit, rules)
            same = str(ours.expression) == str(printed.expression) and ours.bound == printed.bound
            words, told = outcome_text(ours), f"= {outcome_text(ours)}"
        except Exception as error:  # whatever a wrong rule may raise
            same, words = False, f"{type(error).__name__}: {error}"
            told = f"raises {words}"
        return None if same else _other(tried, printed, words, told)

    each = chain([Identifier("a")], expressions(), drawn_expressions())
    return first(product(each, LIMITS), difference)


def _other(tried: PrintedTried, printed: Transformed, ours: str, told: str) -> WrongRun[PrintedTried]:
    expression, limit = str(tried[0]), label_text(tried[1])
    says = outcome_text(printed)
    plain = {"expression": expression, "limit": limit, "printed": says, "ours": ours}
    said = f"transform({expression}, {limit}) {told}; Figure 5 says {says}"
    return WrongRun(tried, "print", said, plain)


# ------------------------------------------------------------------------------------------- the detector of Figure 4

DetectorTried: TypeAlias = tuple[Expression, Trace]

EVERY = 8
"""Every so many-th trace over two event types is tried, and some with three."""


def find_detector_counterexample(
    steps: Mapping[str, StepFactory] | None = None,
    detector: Callable[[Expression, Mapping[str, StepFactory]], Figure2] = figure4,
) -> WrongRun[DetectorTried] | None:
    """A smallest expression with a trace on which its detector is wrong; None if there is none among those tried."""
    tried = (*traces()[::EVERY], *drawn_traces()[:EVERY])
    chosen = (each for each in expressions() if size(each) <= SMALL or _is_sequence(each))

    def fails(each: DetectorTried) -> WrongRun[DetectorTried] | None:
        expression, trace = each
        wrong, outputs = _wrong_detector(each, lambda: detector(expression, steps or BOUNDED_STEPS))
        if not wrong:
            return None
        plain = {
            "expression": str(expression),
            "occurrences": [occurrence._asdict() for occurrence in trace],
            "outputs": [repr(instance) for instance in by_end_time(outputs)],
            "wrong": wrong,
        }
        said = f"the detector of {expression} on the trace {trace_text(trace)}: {wrong}"
        return WrongRun(each, "detector", said, plain)

    return first(product(chosen, tried), fails)


def _is_sequence(expression: Expression) -> bool:
    return isinstance(expression, Operation) and expression.operator == "seq"


def _label(expression: Expression) -> Label | None:
    return expression.label if isinstance(expression, Operation) else None


def _wrong_detector(tried: DetectorTried, make: Callable[[], Figure2]) -> tuple[str, Stream]:
    """What is wrong with a detector of an expression on a trace, in words, and what it outputs."""
    expression, trace = tried
    scenario = interpretation(trace)
    outputs: Stream = frozenset()
    try:
        made = make()
        outputs = frozenset(run(made, instants(scenario)))
        for node in made.state():
            if node.stored > node.bound:
                return f"{node.expression} keeps {node.stored} instances, more than {node.bound}", outputs
            assert isinstance(node.expression, Expression)
            if node.bound == UNBOUNDED and _label(node.expression) != UNBOUNDED:
                return f"{node.expression} has no bound on what it keeps", outputs
    except Exception as error:  # whatever a wrong detector may raise
        return f"it raises {type(error).__name__}: {error}", outputs
    meaning = denotation(expression, scenario)
    if not rem(meaning, outputs):
        shown = ", ".join(map(repr, by_end_time(outputs))) or "nothing"
        whole = ", ".join(map(repr, by_end_time(meaning))) or "no instance"
        return f"it outputs {shown}, which is no valid restriction of {whole}", outputs
    return "", outputs
