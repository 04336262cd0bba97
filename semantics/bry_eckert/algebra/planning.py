"""Plans of a program: laws by which expressions are rewritten, orders of joins, materialization points.

The catalogue of laws has one claim for each rewriting. A choice of an order is written as text, one line for each rule
that is not joined as it is written:

    F: c, d / e

The atoms c and d of the rule for F are joined first; their join is a materialization point (`/`), which e is joined
with (Query Plan 2 of 2008, Figure 1). Of several rules for one event type, the first is `F#1`. All plans of a program
derive the same: joins commute and associate, selections and projections may be done as soon as their columns are there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice, zip_longest
from math import inf
from types import MappingProxyType
from typing import TypeAlias

from semantics.bry_eckert import terms
from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.translation import (
    base,
    believed_of,
    expression_of,
    fresh,
    plan_of,
    rule_names,
    unified,
)
from semantics.bry_eckert.programs import Aggregate, Program, Rule
from semantics.bry_eckert.temporal import Column, end
from semantics.bry_eckert.terms import Variable
from semantics.errors import InputError

Rewriting: TypeAlias = Callable[[plans.Expression], plans.Expression | None]
"""A law: an expression of one shape as another one with the same meaning; None where it does not apply."""


def select_below_join_left(expression: plans.Expression) -> plans.Expression | None:
    """σ[c](L ⋈ R) = σ[c](L) ⋈ R where c is about L."""
    match expression:
        case plans.Select(condition, plans.Join(left, right)) if plans.columns_of(condition) <= set(left.schema):
            return plans.Join(plans.Select(condition, left), right)
    return None


def select_below_join_right(expression: plans.Expression) -> plans.Expression | None:
    """σ[c](L ⋈ R) = L ⋈ σ[c](R) where c is about R."""
    match expression:
        case plans.Select(condition, plans.Join(left, right)) if plans.columns_of(condition) <= set(right.schema):
            return plans.Join(left, plans.Select(condition, right))
    return None


def select_below_select(expression: plans.Expression) -> plans.Expression | None:
    """σ[c](σ[d](E)) = σ[d](σ[c](E))."""
    match expression:
        case plans.Select(condition, plans.Select(other, operand)):
            return plans.Select(other, plans.Select(condition, operand))
    return None


def select_below_timer(expression: plans.Expression) -> plans.Expression | None:
    """σ[c](E ⋈ X) = σ[c](E) ⋈ X where c is about E and X is the auxiliary relation of a timer."""
    match expression:
        case plans.Select(condition, plans.Timer(timing, operand)) if plans.columns_of(condition) <= set(
            operand.schema
        ):
            return plans.Timer(timing, plans.Select(condition, operand))
    return None


def select_below_absence(expression: plans.Expression) -> plans.Expression | None:
    """σ[c](L ▷ R) = σ[c](L) ▷ R."""
    match expression:
        case plans.Select(condition, plans.AntiSemiJoin(left, right, inside)):
            return plans.AntiSemiJoin(plans.Select(condition, left), right, inside)
    return None


def select_below_merge(expression: plans.Expression) -> plans.Expression | None:
    """σ[c](μ[j ← …](E)) = μ[j ← …](σ[c](E)) where c is not about j."""
    match expression:
        case plans.Select(condition, plans.Merge(into, merged, operand)) if not plans.columns_of(condition) & set(
            plans.stamps([into])
        ):
            return plans.Merge(into, merged, plans.Select(condition, operand))
    return None


def timer_below_join(expression: plans.Expression) -> plans.Expression | None:
    """(L ⋈ R) ⋈ X = (L ⋈ X) ⋈ R where the timer of X is relative to an event of L; likewise for R."""
    match expression:
        case plans.Timer(timing, plans.Join(left, right)):
            if end(timing.of) in left.schema:
                return plans.Join(plans.Timer(timing, left), right)
            return plans.Join(left, plans.Timer(timing, right))
    return None


def absence_below_join(expression: plans.Expression) -> plans.Expression | None:
    """(L ⋈ R) ▷ S = (L ▷ S) ⋈ R where the window is in L and S shares no data with R alone."""
    match expression:
        case plans.AntiSemiJoin(plans.Join(left, right), absent, inside):
            shared = set(absent.schema) & {*left.schema, *right.schema}
            if end(inside.right) in left.schema and shared <= set(left.schema):
                return plans.Join(plans.AntiSemiJoin(left, absent, inside), right)
    return None


def join_commutes(expression: plans.Expression) -> plans.Expression | None:
    """L ⋈ R = R ⋈ L."""
    match expression:
        case plans.Join(left, right):
            return plans.Join(right, left)
    return None


def join_associates(expression: plans.Expression) -> plans.Expression | None:
    """(A ⋈ B) ⋈ C = A ⋈ (B ⋈ C)."""
    match expression:
        case plans.Join(plans.Join(one, two), three):
            return plans.Join(one, plans.Join(two, three))
    return None


REWRITINGS: Mapping[str, Rewriting] = MappingProxyType(
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
"""The laws by name."""

_DOWN = (
    select_below_join_left,
    select_below_join_right,
    select_below_timer,
    select_below_absence,
    select_below_merge,
    timer_below_join,
    absence_below_join,
)


def with_operands(expression: plans.Expression, new: Iterable[plans.Expression]) -> plans.Expression:
    """The expression with other operands."""
    match expression:
        case plans.Base() | plans.Point():
            return expression
        case plans.Join() | plans.AntiSemiJoin():
            left, right = new
            return replace(expression, left=left, right=right)
        case _:
            (operand,) = new
            return replace(expression, operand=operand)


def pushed_down(expression: plans.Expression) -> plans.Expression:
    """The expression with each selection, timer and absence as deep as it goes; operands keep their order."""
    expression = with_operands(expression, map(pushed_down, plans.operands(expression)))
    for rule in _DOWN:
        found = rule(expression)
        if found is not None:
            return pushed_down(found)
    match expression:
        case plans.Select(_, plans.Select()):
            # A selection that stays must not keep the one above it from going further down.
            swapped = select_below_select(expression)
            assert isinstance(swapped, plans.Select)
            inner = pushed_down(swapped.operand)
            if inner != swapped.operand:
                return pushed_down(plans.Select(swapped.condition, inner))
    return expression


def pushed(plan: plans.Plan) -> plans.Plan:
    """The plan with the expressions of all materialization points pushed down."""
    parts = (
        part if isinstance(part.expression, plans.Union) else replace(part, expression=pushed_down(part.expression))
        for part in plan.definitions
    )
    return replace(plan, definitions=tuple(parts))


MOST_ORDERS = 24
"""Limit of the orders of a rule's atoms that are tried."""


@dataclass(frozen=True)
class Choice:
    """How the atoms of a rule are joined.

    Attributes:
        groups: the event identifiers in the order of the joins; after each group but the last one, what is joined so
            far is a materialization point.
    """

    groups: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        return " / ".join(", ".join(group) for group in self.groups)


def read_choices(text: str, program: Program) -> dict[str, Choice]:
    """The choices that a text states.

    Raises:
        InputError: a line names no rule, or other identifiers than those of the rule's atoms.
    """
    rules, found = rule_names(program), dict[str, Choice]()
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("  #")[0].strip()
        if not line or line.startswith("#"):
            continue
        name, colon, groups = line.partition(":")
        rule = rules.get(name.strip())
        if not colon or rule is None:
            remedy = f"Write for example F: c, d / e. The rules: {', '.join(rules)}."
            raise InputError(f"{name.strip()!r} is no rule", place=f"line {number}", remedy=remedy)
        choice = Choice(tuple(tuple(map(str.strip, group.split(","))) for group in groups.split("/")))
        atoms = [atom.identifier for atom in rule.atoms]
        if sorted(name for group in choice.groups for name in group) != sorted(atoms):
            reason, remedy = f"{choice} does not join each atom once", f"The atoms: {', '.join(atoms)}."
            raise InputError(reason, place=f"line {number}", remedy=remedy)
        found[name.strip()] = choice
    return found


def planned(program: Program, choices: Mapping[str, Choice]) -> plans.Plan:
    """The plan of a program with some choices; other rules are joined as they are written."""
    program = unified(program)
    rules = rule_names(program)
    definitions: list[plans.Definition] = []
    for part in plan_of(program).definitions:
        if part.name in choices:
            definitions += _split(part, rules[part.name], choices[part.name], program)
        else:
            definitions.append(part)
    return pushed(plans.Plan(tuple(definitions), **believed_of(program)))


def _split(part: plans.Definition, rule: Rule, choice: Choice, program: Program) -> Iterator[plans.Definition]:
    """The materialization points of a rule."""
    atoms = {atom.identifier: atom for atom in rule.atoms}
    joined: plans.Expression | None = None
    for number, group in enumerate(choice.groups, 1):
        bases: list[plans.Expression] = [base(atoms[name]) for name in group]
        joined = reduce(plans.Join, bases if joined is None else [joined, *bases])
        if number < len(choice.groups):
            later = [atoms[name] for after in choice.groups[number:] for name in after]
            name = fresh(f"{part.name}/{number}", program)
            kept = _kept(joined, rule, {variable for atom in later for variable in atom.variables})
            yield plans.Definition(name, kept)
            joined = plans.Point(name, kept.schema)
    yield replace(part, expression=expression_of(rule, program, joined))


def _kept(joined: plans.Expression, rule: Rule, later: set[str]) -> plans.Project:
    """Join with its conditions applied, without columns that nothing above needs."""
    conditions: Sequence[plans.Condition] = (*rule.temporal, *rule.comparisons)
    for condition in conditions:
        if plans.columns_of(condition) <= set(joined.schema):
            joined = plans.Select(condition, joined)
    needed: set[Column] = set(later)
    for term in rule.head.terms:
        needed |= {term.variable} if isinstance(term, Aggregate) else set(terms.variables(term))
    for condition in conditions:
        needed |= plans.columns_of(condition)
    for window in (*rule.absences, *rule.collections):
        needed |= set(window.atom.variables)
    columns = tuple((name, Variable(name)) for name in plans.data_of(joined.schema) if name in needed)
    return plans.Project(columns, joined)


def candidates(rule: Rule) -> Iterator[Choice]:
    """Ways to join the atoms of a rule: in each order, with and without a materialization point after each join.

    Where the order allows it, an atom shares a variable with those before it. Of many orders, those that are tried
    begin with all atoms in turn.
    """
    variables = {atom.identifier: frozenset(atom.variables) for atom in rule.atoms}
    for order in islice(_orders(variables, ()), MOST_ORDERS):
        yield Choice((order,))
        if len(order) > 2:
            yield Choice((order[:2], *((name,) for name in order[2:])))


def _orders(variables: Mapping[str, frozenset[str]], first: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The orders that begin with some atoms and join no two parts without a shared variable where others do."""
    left = [name for name in variables if name not in first]
    if not left:
        yield first
        return
    bound = frozenset[str]().union(*(variables[name] for name in first))
    joined = [name for name in left if variables[name] & bound] or left
    for each in zip_longest(*(_orders(variables, (*first, name)) for name in joined)):
        yield from filter(None, each)


def chosen(program: Program, cost: Callable[[plans.Plan, float], float]) -> dict[str, Choice]:
    """For each rule the choice with the least cost, one rule after the other; what is as written stays out of it."""
    found: dict[str, Choice] = {}
    least = cost(planned(program, found), inf)
    for name, rule in rule_names(unified(program)).items():
        for choice in candidates(rule) if len(rule.atoms) > 1 else ():
            expected = cost(planned(program, {**found, name: choice}), least)
            if expected < least:
                least, found[name] = expected, choice
    return found
