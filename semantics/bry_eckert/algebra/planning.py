"""Plans of a program: laws by which expressions are rewritten, orders of joins, materialization points.

The catalogue of laws has one claim for each rewriting. A choice of an order is written as text, one line for each rule
that is not joined as it is written:

    F: c, d / e

The atoms c and d of the rule for F are joined first; their join is a materialization point (`/`), which e is joined
with (Query Plan 2 of 2008, Figure 1). Of several rules for one event type, the first is `F#1`. All plans of a program
derive the same: joins commute and associate, selections and projections may be done as soon as their columns are there.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice, zip_longest
from math import inf

from semantics.bry_eckert import terms
from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.plans import AntiSemiJoin, Expression, Join, Merge, Select, Timer, columns_of
from semantics.bry_eckert.algebra.translation import base, expression_of, fresh, plan_of, rule_names, unified
from semantics.bry_eckert.programs import Aggregate, Program, Rule
from semantics.bry_eckert.temporal import Column, end
from semantics.bry_eckert.terms import Variable
from semantics.errors import InputError


def rewritings(expression: Expression) -> Iterator[tuple[str, Expression]]:
    """The laws that apply to an expression by name, each with what it is by that law; the meaning is the same."""
    match expression:
        case Select(condition, Join(left, right)):
            if columns_of(condition) <= set(left.schema):
                yield "select_below_join_left", Join(Select(condition, left), right)
            if columns_of(condition) <= set(right.schema):
                yield "select_below_join_right", Join(left, Select(condition, right))
        case Select(condition, Select(other, operand)):
            yield "select_below_select", Select(other, Select(condition, operand))
        case Select(condition, Timer(timing, operand)):
            if columns_of(condition) <= set(operand.schema):
                yield "select_below_timer", Timer(timing, Select(condition, operand))
        case Select(condition, AntiSemiJoin(left, right, inside)):
            yield "select_below_absence", AntiSemiJoin(Select(condition, left), right, inside)
        case Select(condition, Merge(into, merged, operand)):
            if columns_of(condition).isdisjoint(plans.stamps([into])):
                yield "select_below_merge", Merge(into, merged, Select(condition, operand))
        case Timer(timing, Join(left, right)):
            if end(timing.of) in left.schema:
                yield "timer_below_join", Join(Timer(timing, left), right)
            else:
                yield "timer_below_join", Join(left, Timer(timing, right))
        case AntiSemiJoin(Join(left, right), absent, inside):  # the window is in L, and S shares no data with R alone
            shared = set(absent.schema) & {*left.schema, *right.schema}
            if end(inside.right) in left.schema and shared <= set(left.schema):
                yield "absence_below_join", Join(AntiSemiJoin(left, absent, inside), right)
        case Join(left, right):
            yield "join_commutes", Join(right, left)
            if isinstance(left, Join):
                yield "join_associates", Join(left.left, Join(left.right, right))


def with_operands(expression: Expression, new: Iterable[Expression]) -> Expression:
    """The expression with other operands."""
    match expression:
        case plans.Base() | plans.Point():
            return expression
        case Join() | AntiSemiJoin():
            left, right = new
            return replace(expression, left=left, right=right)
        case _:
            (operand,) = new
            return replace(expression, operand=operand)


def pushed_down(expression: Expression) -> Expression:
    """The expression with each selection, timer and absence as deep as it goes; operands keep their order."""
    expression = with_operands(expression, map(pushed_down, plans.operands(expression)))
    for name, found in () if isinstance(expression, Join) else rewritings(expression):
        if name != "select_below_select":
            return pushed_down(found)
        # A selection that stays must not keep the one above it from going further down.
        assert isinstance(found, Select)
        inner = pushed_down(found.operand)
        if inner != found.operand:
            return pushed_down(Select(found.condition, inner))
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
    """Event identifiers in the order of joins; a group but the last one ends in a materialization point."""

    groups: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        return " / ".join(", ".join(group) for group in self.groups)


def read_choices(text: str, program: Program) -> dict[str, Choice]:
    """The choices that a text states; raises `InputError` for a line without a rule, or not with all its atoms."""
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
    rules, plan = rule_names(program), plan_of(program)
    definitions: list[plans.Definition] = []
    for part in plan.definitions:
        if part.name in choices:
            definitions += _split(part, rules[part.name], choices[part.name], program)
        else:
            definitions.append(part)
    return pushed(replace(plan, definitions=tuple(definitions)))


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
    """Ways to join the atoms of a rule: in each order, with and without a materialization point after each join."""
    variables = {atom.identifier: frozenset(atom.variables) for atom in rule.atoms}
    for order in islice(_orders(variables, ()), MOST_ORDERS):
        yield Choice((order,))
        if len(order) > 2:
            yield Choice((order[:2], *((name,) for name in order[2:])))


def _orders(variables: Mapping[str, frozenset[str]], first: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The orders that begin with some atoms, and go on with an atom that shares a variable where there is one.

    Those that begin with different atoms take turns.
    """
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
