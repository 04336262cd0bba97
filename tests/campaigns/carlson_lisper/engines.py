"""Evaluators of patterns for the test of engines by laws: a right one, and wrong ones that the source lets pass."""

from collections.abc import Iterable
from typing import Any

from laws.carlson_lisper.mutations import changes
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.occurrences import Instance, Occurrence, interpretation
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.syntax import parse

Rows = list[tuple[int, str, Any]]


class Engine:
    """An evaluator by definitions, some of them changed."""

    def __init__(self, operator: str = "", text: str = "") -> None:
        found = [each.definition for each in changes(operator) if each.text == text] if operator else []
        self.operators = {**OPERATORS, **{each.name: each for each in found}}

    def evaluate(self, pattern: str, rows: Rows) -> Iterable[object]:
        trace = interpretation(Occurrence(event, time, value) for time, event, value in rows)
        return denotation(parse(pattern), trace, operators=self.operators)


right = Engine()
overlapping = Engine("seq", "seq(S, T) = { s ∪ t | s ∈ S ∧ t ∈ T ∧ end(s) ≤ start(t) }")
never_absent = Engine("neg", "neg(S, T) = { s | s ∈ S }")
unbounded = Engine("tim", "tim(S, τ) = { s | s ∈ S }")
never = Engine("seq", "seq(S, T) = { s ∪ t | s ∈ S ∧ t ∈ T ∧ end(t) < start(t) }")


def instances(pattern: str, rows: Rows) -> list[Instance]:
    return [one for one in right.evaluate(pattern, rows) if isinstance(one, Instance)]


def spans(pattern: str, rows: Rows) -> Iterable[object]:
    return [(one.start, one.end) for one in instances(pattern, rows)]


def sets(pattern: str, rows: Rows) -> Iterable[object]:
    return [{(o.time, o.event) for o in one.occurrences} for one in instances(pattern, rows)]


def restricted(pattern: str, rows: Rows) -> Iterable[object]:
    """One instance for each end, the one with the greatest start; of several, any."""
    return {one.end: one for one in sorted(instances(pattern, rows), key=lambda one: one.start)}.values()


def no_negation(pattern: str, rows: Rows) -> Iterable[object]:
    if "-" in pattern:
        raise NotImplementedError("no negation")
    return spans(pattern, rows)


def breaks_later(pattern: str, rows: Rows) -> Iterable[object]:
    return spans(pattern, rows) if len(rows) < 4 else [1 / 0]


def breaks(pattern: str, rows: Rows) -> Iterable[object]:
    return [1 / 0]


def odd(pattern: str, rows: Rows) -> Iterable[object]:
    return ["x"]


def idle(pattern: str, rows: Rows) -> list[Any]:
    return []
