"""Neighbours of claims: what a claim says with exactly one thing in it changed.

A neighbour is what a slip of the pen, of the encoding or of memory makes of a claim. Most are false, and every false
one has to be refuted; a checker that lets one pass would also let the slip pass. Some are true, laws of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from laws.carlson_lisper.altered.changed_formulas import changed_comparisons
from laws.carlson_lisper.altered.definitions import AlteredDefinition, altered_definitions
from laws.carlson_lisper.altered.restating import is_about, restate
from laws.carlson_lisper.claims import Claim, DerivedStream, EquationClaim, RestrictionClaim
from laws.standings import Standing
from semantics.carlson_lisper.expressions import (
    Bound,
    BoundExtremum,
    BoundParameter,
    Expression,
    Identifier,
    Operation,
    identifiers,
)
from semantics.carlson_lisper.operators import OPERATORS, Operator, Operators
from semantics.carlson_lisper.restriction import REM
from semantics.carlson_lisper.syntax import Relation
from semantics.errors import InputError
from semantics.formulas import And, Formula, implies, rename_streams

BINARY = tuple(name for name, definition in OPERATORS.items() if definition.arity == 2)

STRONGER: Mapping[Relation, Relation] = {"<=": "==", "~=": "=="}
"""The relation that takes the place of another; a weaker one would follow from the claim and say nothing."""


@dataclass(frozen=True)
class Neighbour:
    """A claim with exactly one thing changed.

    Attributes:
        id: the claim's id with a number, such as `law:14~3`.
        kind: what kind of thing was changed: operator, restriction, identifier, order, bound, relation, condition,
            hypothesis, conclusion or definition.
        claim: the changed claim, without source, since nobody has claimed it.
        altered: operators that are defined otherwise in it.
    """

    id: str
    of: str
    kind: str
    change: str
    claim: Claim
    altered: tuple[Operator, ...] = field(default=())

    @property
    def operators(self) -> Operators:
        """The operators that the changed claim speaks of."""
        if not self.altered:
            return OPERATORS
        return {**OPERATORS, **{operator.name: operator for operator in self.altered}}


_Change: TypeAlias = tuple[str, str, Claim, tuple[Operator, ...]]
"""The kind, the change in words, the claim, the altered operators."""


def neighbours(claim: Claim) -> tuple[Neighbour, ...]:
    """All neighbours of a claim, each statement once.

    Raises:
        InputError: there is none, so that nothing would be checked.
    """
    changes = _of_equation(claim) if isinstance(claim, EquationClaim) else _of_restriction(claim)
    kept: dict[object, _Change] = {_identity(claim, ()): ("", "", claim, ())}
    for change in changes:
        kept.setdefault(_identity(change[2], change[3]), change)
    found = list(kept.values())[1:]
    if not found:
        raise InputError("the claim has no neighbours", place=claim.id)
    return tuple(
        Neighbour(
            f"{claim.id}~{number}", claim.id, kind, change, _named(other, f"{claim.id}~{number}"), altered
        )
        for number, (kind, change, other, altered) in enumerate(found, start=1)
    )


def all_neighbours(claims: Iterable[Claim]) -> tuple[Neighbour, ...]:
    """The neighbours of several claims."""
    return tuple(neighbour for claim in claims for neighbour in neighbours(claim))


def _named(claim: Claim, name: str) -> Claim:
    if isinstance(claim, EquationClaim):
        return EquationClaim(name, claim.equation, claim.primitive, expected=Standing.REFUTED)
    return replace(claim, id=name, source="", reading="", note="", expected=Standing.REFUTED)


def _identity(claim: Claim, altered: tuple[Operator, ...]) -> object:
    """What a claim says, as a value: equal for claims that say the same in the same words."""
    operators = tuple(
        (operator.name, *(c.condition for c in operator.comprehensions)) for operator in altered
    )
    if isinstance(claim, EquationClaim):
        return (claim.equation, claim.primitive, operators)
    return (claim.streams, tuple(claim.derived.items()), claim.restrictions, claim.conclusions, operators)


# ------------------------------------------------------------------------------------------------------ equations


def _of_equation(claim: EquationClaim) -> Iterator[_Change]:
    equation = claim.equation
    bounds = [BoundParameter(name) for name in claim.parameters] or [BoundParameter(_unused_bound(claim))]
    for side, expression in (("left", equation.left), ("right", equation.right)):
        for kind, change, other in _changed(expression, claim.variables, bounds, None):
            left, right = (other, equation.right) if side == "left" else (equation.left, other)
            kept = claim.primitive & (identifiers(left) | identifiers(right))
            changed = replace(claim, equation=replace(equation, left=left, right=right), primitive=kept)
            yield kind, f"on the {side}, {change}", changed, ()
    if equation.relation in STRONGER:
        other_relation = STRONGER[equation.relation]
        yield (
            "relation",
            f"{equation.relation} becomes {other_relation}",
            replace(claim, equation=replace(equation, relation=other_relation)),
            (),
        )
    for name in sorted(claim.primitive):
        weaker = replace(claim, primitive=claim.primitive - {name})
        yield "condition", f"{name} need not be a primitive event type", weaker, ()


def _unused_bound(claim: EquationClaim) -> str:
    return next(name for name in ("t", "u", "v") if name not in claim.variables)


def _changed(
    node: Expression, names: tuple[str, ...], bounds: list[BoundParameter], within: Expression | None
) -> Iterator[tuple[str, str, Expression]]:
    """The kind, the change in words and the expression, for every change at or below a node."""
    place = "" if within is None else f" within {within}"
    for bound in bounds:
        yield "restriction", f"{node} becomes {node[bound]}{place}", node[bound]
    if isinstance(node, Identifier):
        for name in names:
            if name != node.name:
                yield "identifier", f"{node} becomes {name}{place}", Identifier(name)
    if not isinstance(node, Operation):
        return
    if node.bound is not None:
        (operand,) = node.operands
        yield "restriction", f"{node} becomes {operand}{place}", operand
        for changed_bound in _changed_bounds(node.bound, bounds):
            other = replace(node, bound=changed_bound)
            yield "bound", f"{node} becomes {other}{place}", other
    else:
        for operator in BINARY:
            if operator != node.operator:
                other = replace(node, operator=operator, label=None)
                yield "operator", f"{node} becomes {other}{place}", other
        other = replace(node, operands=node.operands[::-1])
        yield "order", f"{node} becomes {other}{place}", other
    for position, operand in enumerate(node.operands):
        for kind, change, changed in _changed(operand, names, bounds, node):
            operands = (*node.operands[:position], changed, *node.operands[position + 1 :])
            yield kind, change, replace(node, operands=operands)


def _changed_bounds(bound: Bound, parameters: list[BoundParameter]) -> Iterator[Bound]:
    match bound:
        case int():
            yield from (value for value in (bound - 1, bound + 1) if value >= 0)
        case BoundParameter():
            yield from (other for other in parameters if other != bound)
        case BoundExtremum(function, left, right):
            yield BoundExtremum("max" if function == "min" else "min", left, right)
            yield from (BoundExtremum(function, other, right) for other in _changed_bounds(left, parameters))
            yield from (BoundExtremum(function, left, other) for other in _changed_bounds(right, parameters))


# ----------------------------------------------------------------------------------------- claims about restrictions


def _of_restriction(claim: RestrictionClaim) -> Iterator[_Change]:
    for place, (whole, part) in enumerate(claim.restrictions):
        fewer = (*claim.restrictions[:place], *claim.restrictions[place + 1 :])
        weaker = replace(
            claim, restrictions=fewer, statement=f"{claim.statement}, without rem({whole}, {part})"
        )
        yield "hypothesis", f"rem({whole}, {part}) is not assumed", weaker, ()
        for what, conditions in _weaker_rem():
            assumed = And(tuple(rename_streams(c, {"S": whole, "S'": part}) for c in conditions))
            change = f"in the assumption rem({whole}, {part}), {what}"
            yield "hypothesis", change, _premised(claim, fewer, assumed, change), ()
    for name, formula in claim.conclusions:
        for changed in changed_comparisons(formula):
            conclusions = tuple((n, changed.formula if n == name else f) for n, f in claim.conclusions)
            change = f"in the conclusion “{name}”, {changed.what}"
            yield "conclusion", change, _restated(claim, change, conclusions=conclusions), ()
    for name, derived in claim.derived.items():
        if len(derived.operands) == 2:
            swapped = DerivedStream(derived.operator, derived.operands[::-1])
            change = f"the operands of {name} are swapped"
            yield "order", change, _restated(claim, change, derived={**claim.derived, name: swapped}), ()
        for operator in BINARY if len(derived.operands) == 2 else ():
            if operator != derived.operator:
                change = f"{name} is a {OPERATORS[operator].title}"
                other = {**claim.derived, name: DerivedStream(operator, derived.operands)}
                yield "operator", change, _restated(claim, change, derived=other), ()
    for altered in altered_definitions():
        if is_about(claim, altered):
            yield _with_definition(claim, altered)


def _weaker_rem() -> Iterator[tuple[str, tuple[Formula, ...]]]:
    """The conditions of rem without one of them, or with one comparison changed."""
    for place, condition in enumerate(REM.conditions):
        before, after = REM.conditions[:place], REM.conditions[place + 1 :]
        yield f"condition {place + 1} is dropped", (*before, *after)
        for changed in changed_comparisons(condition):
            yield f"{changed.what} in condition {place + 1}", (*before, changed.formula, *after)


def _premised(
    claim: RestrictionClaim, restrictions: tuple[tuple[str, str], ...], assumed: Formula, change: str
) -> RestrictionClaim:
    """The claim with an assumption that is no longer the source's rem: it becomes the premise of every conclusion."""
    conclusions = tuple((name, implies(assumed, formula)) for name, formula in claim.conclusions)
    return _restated(claim, change, restrictions=restrictions, conclusions=conclusions)


def _restated(claim: RestrictionClaim, change: str, **changed: Any) -> RestrictionClaim:
    """The claim with other derived streams, restrictions or conclusions; the statement says what was changed."""
    return replace(claim, statement=f"{claim.statement}; {change}", **changed)


def _with_definition(claim: RestrictionClaim, altered: AlteredDefinition) -> _Change:
    other = restate(claim, altered.definitions)
    assert isinstance(other, RestrictionClaim)
    return "definition", altered.what, _restated(other, altered.what), altered.definitions.altered_operators


# ------------------------------------------------------------------------------------------------ distinct equations


def canonical(neighbour: Neighbour) -> object:
    """A value that is equal for neighbours that say the same up to the names and the order of the sides.

    Identifiers and symbolic bounds are numbered in the order in which they occur; of the two ways to write `==` or
    `~=` the one that comes first as text is taken.
    """
    claim = neighbour.claim
    if isinstance(claim, RestrictionClaim):
        return _identity(claim, neighbour.altered)
    sides = (claim.equation.left, claim.equation.right)
    orders = (sides,) if claim.equation.relation == "<=" else (sides, sides[::-1])
    return (claim.equation.relation, min(_numbered(order, claim.primitive) for order in orders))


def _numbered(sides: Iterable[Expression], primitive: frozenset[str]) -> tuple[str, ...]:
    """The sides as text with numbers for names; a primitive identifier's number is marked."""
    numbers: dict[object, str] = {}

    def bound_text(bound: Bound) -> str:
        match bound:
            case int():
                return str(bound)
            case BoundParameter():
                return numbers.setdefault(bound, f"t{len(numbers)}")
            case BoundExtremum(function, left, right):
                return f"{function}({bound_text(left)}, {bound_text(right)})"

    def text(node: Expression) -> str:
        if isinstance(node, Operation):
            parts = [text(operand) for operand in node.operands]
            if node.bound is not None:
                parts.append(bound_text(node.bound))
            return f"{node.operator}({', '.join(parts)})"
        assert isinstance(node, Identifier)
        return numbers.setdefault(node, f"{'p' if node.name in primitive else 'X'}{len(numbers)}")

    return tuple(text(side) for side in sides)
