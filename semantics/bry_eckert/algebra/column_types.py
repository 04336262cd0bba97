"""Types of the columns of expressions, as event types declare or derive them."""

from __future__ import annotations

from collections.abc import Mapping

from semantics.bry_eckert.aggregates import type_of as type_of_aggregate
from semantics.bry_eckert.algebra.plans import (
    AntiSemiJoin,
    Base,
    Expression,
    Group,
    Join,
    Plan,
    Point,
    Project,
    Union,
    operands,
)
from semantics.bry_eckert.programs import EventType
from semantics.bry_eckert.terms import Type, Variable, type_of


def column_types(
    expression: Expression | Union, plan: Plan, signatures: Mapping[str, EventType]
) -> dict[str, Type]:
    """The types of the data of an expression; where equal values of two types join, that of the left."""
    match expression:
        case Base(_, relation, arguments):
            types = signatures[relation].types
            return {
                term.name: types[name] for name, term in reversed(arguments) if isinstance(term, Variable)
            }
        case Point(name):
            return column_types(plan.by_name[name].expression, plan, signatures)
        case Union(relations):
            return column_types(plan.by_name[relations[0]].expression, plan, signatures)
        case Join(left, right):
            return column_types(right, plan, signatures) | column_types(left, plan, signatures)
        case AntiSemiJoin(left, _, _):
            return column_types(left, plan, signatures)
        case Project(columns, operand):
            inner = column_types(operand, plan, signatures)
            return {name: type_of(term, inner) for name, term in columns}
        case Group(_, _, keys, aggregates, operand):
            inner = column_types(operand, plan, signatures)
            found = {name: type_of(term, inner) for name, term in keys}
            for name, aggregate in aggregates:
                type = type_of_aggregate(aggregate.function, inner[aggregate.variable])
                assert type is not None  # the program is checked
                found[name] = type
            return found
        case _:
            (operand,) = operands(expression)
            return column_types(operand, plan, signatures)
