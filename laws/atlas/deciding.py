"""Decisions of laws for event types as operands, on all traces, by automata over the order of instants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import TypeAlias

from laws.atlas.cases import TYPES, Level, OperandsOnTrace, assignments
from laws.carlson_lisper.claims import EquationClaim
from semantics.atlas.catalogue import Context, Setting
from semantics.atlas.languages import Languages
from semantics.atlas.pairs import CountingPairs
from semantics.automata import Relation
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, rebuilt
from semantics.hinze_voisard.pairing import Clock, Consumption, Listed

Decision: TypeAlias = tuple[str, tuple[OperandsOnTrace, ...]]
"""Why it is known (a key of `laws.atlas.cells.REASONS`), and cases on shortest traces by sides; none if it holds."""


def decision(law: EquationClaim, setting: Setting, level: Level) -> Decision | None:
    """A law in a setting for event types as operands, on all traces; None where automata do not reach so far."""
    why, found = "no bounds", list[OperandsOnTrace]()
    for operands in assignments(law, level):
        left, right = (of_types(side, operands) for side in (law.equation.left, law.equation.right))
        if left == right:
            continue
        try:
            known = languages(setting.clock, setting.pairing, len(set(operands.values())))
            traces = known.differences(language(known, left), language(known, right), law.equation.relation)
            why = "automata"
        except (Bounded, CountingPairs):
            return None
        found += (OperandsOnTrace(trace, operands, {}) for trace in traces)
    return why, tuple(found)


def nearby_cases(law: EquationClaim, setting: Setting, level: Level) -> Iterator[OperandsOnTrace]:
    """Trace that tells the sides apart where the same is selected, and nothing is used up event by event."""
    if isinstance(setting.pairing, Listed):
        consumptions: tuple[Consumption, ...] = ("keep", "lists")
        for consumption in consumptions:
            pairing = replace(setting.pairing, consumption=consumption)
            decided = decision(law, replace(setting, pairing=pairing), level)
            yield from decided[1] if decided is not None else ()


class Bounded(ValueError):
    """An expression with a bound, which automata over the order of instants do not know."""


@cache
def language(known: Languages, expression: Expression) -> Relation:
    """The instances `x` of an expression; the identifier `a` is the first event type, `b` the second one.

    Raises:
        Bounded: there is a bound in it.
    """
    if isinstance(expression, Identifier):
        return known.of_type(TYPES.index(expression.name) + 1)
    assert isinstance(expression, Operation)
    if expression.operator == "tim":
        raise Bounded("a bound compares distances")
    left, right = (language(known, operand) for operand in expression.operands)
    operators: Mapping[str, Callable[[Relation, Relation], Relation]] = {
        "dis": known.relations.any_of,
        "neg": known.negation,
        "seq": known.sequence,
        "con": known.conjunction,
    }
    return operators[expression.operator](left, right)


@cache
def languages(clock: Clock, pairing: Context | Listed, types: int) -> Languages:
    """The languages of a setting, which are built once."""
    return Languages(clock, pairing, types)


def of_types(expression: Expression, operands: Mapping[str, str]) -> Expression:
    """An expression over event types; a bound on an event type, which lasts no time, is left out."""

    def operation(node: Operation, parts: tuple[Expression, ...]) -> Expression:
        if node.operator == "tim" and isinstance(parts[0], Identifier):
            return parts[0]
        return Operation(node.operator, parts, node.bound)

    return rebuilt(expression, operation, lambda node: Identifier(operands[node.name]))
