"""Rewriting of expressions: laws of the algebra as functions, and the forms that the engines want.

Each rule is a law: it takes an expression of one shape to another one with the same meaning, or to None where it does
not apply. `semantics` of both sides are equal for all relations; the catalogue of laws has one claim for each rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from semantics.bry_eckert.algebra.plans import (
    AntiSemiJoin,
    Base,
    Expression,
    Join,
    Merge,
    Plan,
    Point,
    Select,
    Timer,
    Union,
    columns_of,
    operands,
    stamps,
)
from semantics.bry_eckert.temporal import end

Rule: TypeAlias = Callable[[Expression], Expression | None]


def select_below_join_left(expression: Expression) -> Expression | None:
    """σ[c](L ⋈ R) = σ[c](L) ⋈ R where c is about L."""
    match expression:
        case Select(condition, Join(left, right)) if columns_of(condition) <= set(left.schema):
            return Join(Select(condition, left), right)
    return None


def select_below_join_right(expression: Expression) -> Expression | None:
    """σ[c](L ⋈ R) = L ⋈ σ[c](R) where c is about R."""
    match expression:
        case Select(condition, Join(left, right)) if columns_of(condition) <= set(right.schema):
            return Join(left, Select(condition, right))
    return None


def select_below_select(expression: Expression) -> Expression | None:
    """σ[c](σ[d](E)) = σ[d](σ[c](E))."""
    match expression:
        case Select(condition, Select(other, operand)):
            return Select(other, Select(condition, operand))
    return None


def select_below_timer(expression: Expression) -> Expression | None:
    """σ[c](E ⋈ X) = σ[c](E) ⋈ X where c is about E and X is the auxiliary relation of a timer."""
    match expression:
        case Select(condition, Timer(timing, operand)) if columns_of(condition) <= set(operand.schema):
            return Timer(timing, Select(condition, operand))
    return None


def select_below_absence(expression: Expression) -> Expression | None:
    """σ[c](L ▷ R) = σ[c](L) ▷ R."""
    match expression:
        case Select(condition, AntiSemiJoin(left, right, inside)):
            return AntiSemiJoin(Select(condition, left), right, inside)
    return None


def select_below_merge(expression: Expression) -> Expression | None:
    """σ[c](μ[j ← …](E)) = μ[j ← …](σ[c](E)) where c is not about j."""
    match expression:
        case Select(condition, Merge(into, merged, operand)) if not columns_of(condition) & set(
            stamps([into])
        ):
            return Merge(into, merged, Select(condition, operand))
    return None


def timer_below_join(expression: Expression) -> Expression | None:
    """(L ⋈ R) ⋈ X = (L ⋈ X) ⋈ R where the timer of X is relative to an event of L; likewise for R."""
    match expression:
        case Timer(timing, Join(left, right)):
            if end(timing.of) in left.schema:
                return Join(Timer(timing, left), right)
            return Join(left, Timer(timing, right))
    return None


def absence_below_join(expression: Expression) -> Expression | None:
    """(L ⋈ R) ▷ S = (L ▷ S) ⋈ R where the window is in L and S shares no data with R alone."""
    match expression:
        case AntiSemiJoin(Join(left, right), absent, inside):
            shared = set(absent.schema) & {*left.schema, *right.schema}
            if end(inside.window) in left.schema and shared <= set(left.schema):
                return Join(AntiSemiJoin(left, absent, inside), right)
    return None


def join_commutes(expression: Expression) -> Expression | None:
    """L ⋈ R = R ⋈ L."""
    match expression:
        case Join(left, right):
            return Join(right, left)
    return None


def join_associates(expression: Expression) -> Expression | None:
    """(A ⋈ B) ⋈ C = A ⋈ (B ⋈ C)."""
    match expression:
        case Join(Join(one, two), three):
            return Join(one, Join(two, three))
    return None


RULES: Mapping[str, Rule] = MappingProxyType(
    {
        rule.__name__: rule
        for rule in (
            select_below_join_left,
            select_below_join_right,
            select_below_select,
            select_below_timer,
            select_below_absence,
            select_below_merge,
            timer_below_join,
            absence_below_join,
            join_commutes,
            join_associates,
        )
    }
)
"""The rules by name."""

_DOWN = (
    select_below_join_left,
    select_below_join_right,
    select_below_timer,
    select_below_absence,
    select_below_merge,
    timer_below_join,
    absence_below_join,
)


def with_operands(expression: Expression, new: Iterable[Expression]) -> Expression:
    """The expression with other operands."""
    match expression:
        case Base() | Point():
            return expression
        case Join() | AntiSemiJoin():
            left, right = new
            return replace(expression, left=left, right=right)
        case _:
            (operand,) = new
            return replace(expression, operand=operand)


def pushed_down(expression: Expression) -> Expression:
    """The expression with each selection, timer and absence as deep as it goes; operands keep their order."""
    expression = with_operands(expression, map(pushed_down, operands(expression)))
    for rule in _DOWN:
        found = rule(expression)
        if found is not None:
            return pushed_down(found)
    match expression:
        case Select(_, Select()):
            # A selection that stays must not keep the one above it from going further down.
            swapped = select_below_select(expression)
            assert isinstance(swapped, Select)
            inner = pushed_down(swapped.operand)
            if inner != swapped.operand:
                return pushed_down(Select(swapped.condition, inner))
    return expression


def pushed(plan: Plan) -> Plan:
    """The plan with the expressions of all materialization points pushed down."""
    parts = (
        part if isinstance(part.expression, Union) else replace(part, expression=pushed_down(part.expression))
        for part in plan.definitions
    )
    return replace(plan, definitions=tuple(parts))
