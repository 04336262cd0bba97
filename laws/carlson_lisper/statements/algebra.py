"""Equations in the abstract: what they say once the meaning of expressions is forgotten.

A *finite algebra* gives the five operators as tables over a few elements and a few bounds in their order. Equational
reasoning from a set of laws holds in every algebra in which the laws hold, so an algebra with the laws and without an
equation shows that the equation does not follow from them.

Bounds are a finite chain here. That loses nothing: the laws mention bounds through min and max alone, a monotone map
of the natural numbers onto the chain respects both, and composing a table with it gives an algebra over all natural
numbers in which the same equations hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from laws.carlson_lisper.claims import EquationClaim
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.syntax import Equation
from semantics.formulas import RELATIONS

Entry = tuple[str, tuple[int, ...]]
"""An operator and its arguments: elements, and for the temporal restriction a bound's place in the chain."""


@dataclass(frozen=True)
class Condition:
    """A relation between two bounds that is assumed: `<=`, `<` or `=`."""

    relation: str
    left: expressions.Bound
    right: expressions.Bound


def entries(elements: int, bounds: int) -> Iterator[Entry]:
    """The cells of an algebra's tables."""
    for name, definition in OPERATORS.items():
        ranges = [range(elements)] * definition.arity + [range(bounds)] * definition.bounded
        yield from ((name, arguments) for arguments in product(*ranges))


@dataclass(frozen=True)
class FiniteAlgebra:
    """Tables for the operators, and an equation that fails in them.

    Attributes:
        elements: how many elements there are, numbered from 0.
        bounds: the length of the chain of bounds.
        table: the value of each operator on each choice of arguments.
        values: the elements and bounds that make the two sides differ, by name.
        left: the value of the left side.
        right: the value of the right side.
    """

    elements: int
    bounds: int
    table: Mapping[Entry, int]
    values: Mapping[str, int]
    left: int
    right: int

    def satisfies(self, law: EquationClaim, primitive: frozenset[str] = frozenset()) -> bool:
        """Whether a law holds here for all elements and bounds, by evaluation.

        Args:
            primitive: the names in `values` that are primitive event types; a side condition allows only these.
        """
        return all(
            self.value(law.equation.left, chosen) == self.value(law.equation.right, chosen)
            for chosen in assignments(law, self.elements, self.bounds, [self.values[p] for p in primitive])
        )

    def value(self, expression: expressions.Expression, values: Mapping[str, int]) -> int:
        """The element that an expression denotes."""

        def operation(name: str, operands: Sequence[int], bound: expressions.Bound | None) -> int:
            places = () if bound is None else (place(bound, values),)
            return self.table[name, (*operands, *places)]

        return expressions.fold(expression, lambda name: values[name], operation)

    def summary(self) -> str:
        """The algebra in words."""
        chosen = ", ".join(f"{name} = {value}" for name, value in sorted(self.values.items()))
        return (
            f"an algebra of {self.elements} elements with the cited laws,"
            f" where with {chosen} the sides are {self.left} and {self.right}"
        )


def assignments(law: EquationClaim, elements: int, bounds: int, primitive: Sequence[int]) -> Iterator[dict[str, int]]:
    """All choices of elements and bounds for a law's names; names of event types range over `primitive` alone."""
    names = [*law.variables, *law.parameters]
    ranges: list[Sequence[int]] = [primitive if name in law.primitive else range(elements) for name in law.variables]
    ranges += [range(bounds)] * len(law.parameters)
    for chosen in product(*ranges):
        yield dict(zip(names, chosen, strict=True))


def place(bound: expressions.Bound, values: Mapping[str, int]) -> int:
    """The place of a bound in the chain; the number 0 is its first.

    Raises:
        ValueError: for any other number, which has no place.
    """
    match bound:
        case int():
            if bound != 0:
                raise ValueError(f"the bound {bound} has no place in a chain")
            return 0
        case expressions.BoundParameter(name):
            return values[name]
        case expressions.BoundExtremum(function, left, right):
            choose = min if function == "min" else max
            return choose(place(left, values), place(right, values))


def holds(condition: Condition, values: Mapping[str, int]) -> bool:
    """Whether a condition on bounds holds."""
    left, right = place(condition.left, values), place(condition.right, values)
    return RELATIONS[condition.relation](left, right)


# ------------------------------------------------------------------------------------------------------ infinity


def finite_bound(bound: expressions.Bound, infinite: frozenset[str]) -> expressions.Bound | None:
    """A bound when some parameters are ∞; None for ∞ itself (Section 6)."""
    match bound:
        case int():
            return bound
        case expressions.BoundParameter(name):
            return None if name in infinite else bound
        case expressions.BoundExtremum(function, left, right):
            first, second = finite_bound(left, infinite), finite_bound(right, infinite)
            if first is None or second is None:
                other = second if first is None else first
                return other if function == "min" else None
            return expressions.BoundExtremum(function, first, second)


def finite_form(expression: expressions.Expression, infinite: frozenset[str]) -> expressions.Expression:
    """An expression when some bounds are ∞: by definition A_∞ = A (Section 6)."""

    def operation(
        name: str, operands: Sequence[expressions.Expression], bound: expressions.Bound | None
    ) -> expressions.Expression:
        if bound is None:
            return expressions.Operation(name, tuple(operands))
        reduced = finite_bound(bound, infinite)
        return operands[0] if reduced is None else expressions.Operation(name, tuple(operands), reduced)

    return expressions.fold(expression, expressions.Identifier, operation)


def finite_equation(equation: Equation, infinite: frozenset[str]) -> Equation:
    """An equation when some bounds are ∞."""
    return Equation(finite_form(equation.left, infinite), finite_form(equation.right, infinite), equation.relation)


def finite_condition(condition: Condition, infinite: frozenset[str]) -> Condition | bool:
    """A condition when some bounds are ∞; a truth value where that decides it."""
    left, right = finite_bound(condition.left, infinite), finite_bound(condition.right, infinite)
    if left is not None and right is not None:
        return Condition(condition.relation, left, right)
    if left is None and right is None:
        return condition.relation != "<"
    return right is None and condition.relation != "="
