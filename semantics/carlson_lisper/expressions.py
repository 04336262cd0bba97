"""Event expressions: identifiers and the five operators applied to expressions (Def. 3.6).

`fold` is the one traversal. It keeps its own stack, so depth is no concern, and it visits equal subexpressions once, in
bottom-up order (the numbering E¹ … Eᵐ of Section 5).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import index
from typing import Literal, SupportsIndex, TypeAlias, TypeVar

from semantics.carlson_lisper.operators import OPERATORS, Operator
from semantics.errors import InputError


@dataclass(frozen=True, slots=True)
class BoundParameter:
    """A bound that stands for any natural number, such as `t` in `A[t]`; only in conjectures and laws."""

    name: str


@dataclass(frozen=True, slots=True)
class BoundExtremum:
    """The smaller or the greater of two bounds, such as `min(t, u)`; only in conjectures and laws."""

    function: Literal["min", "max"]
    left: Bound
    right: Bound


Bound: TypeAlias = int | BoundParameter | BoundExtremum  # The bound of a temporal restriction, in ticks
BoundValues: TypeAlias = Mapping[str, int]  # Values of symbolic bounds by name, in ticks
UNBOUNDED = math.inf  # The label ∞ of a sequence whose right operand has no known greatest length (Section 6)
Label: TypeAlias = int | float  # A label of a sequence: a number of ticks, or `UNBOUNDED`
Place: TypeAlias = tuple[int, ...]  # A part of an expression: the numbers of operands on the way to it, from 0


class Expression:
    """An event expression; combine with `|`, `+`, `-`, `.then(…)` and `[bound]`, an integer >= 0 in ticks.

    `a - b` is the negation: an instance of a without any instance of b within its interval. The text parses back.
    """

    __slots__ = ()

    __iter__ = None  # by `[bound]` alone Python would try 0, 1, 2 and so on, for ever

    def __or__(self, other: Expression) -> Expression:
        return Operation("dis", (self, _operand(other)))

    def __add__(self, other: Expression) -> Expression:
        return Operation("con", (self, _operand(other)))

    def __sub__(self, other: Expression) -> Expression:
        return Operation("neg", (self, _operand(other)))

    def then(self, other: Expression) -> Expression:
        """The sequence."""
        return Operation("seq", (self, _operand(other)))

    def __getitem__(self, bound: Bound) -> Expression:
        return Operation("tim", (self,), _bound(bound))

    def __str__(self) -> str:
        from semantics.carlson_lisper.syntax import to_text

        return to_text(self)

    def __repr__(self) -> str:
        return f"<{self}>"


def _operand(given: object) -> Expression:
    if isinstance(given, Expression):
        return given
    raise InputError(f"{given!r} is no expression", remedy="Make one of a text with parse(...).")


def _bound(given: object) -> Bound:
    if isinstance(given, BoundParameter | BoundExtremum):
        return given
    if isinstance(given, SupportsIndex) and not isinstance(given, bool) and index(given) >= 0:
        return index(given)
    raise InputError(f"the bound {given!r} is no integer >= 0", remedy="A bound is a number of ticks, as in a[60].")


@dataclass(frozen=True, slots=True, repr=False)
class Identifier(Expression):
    """A name: a primitive event type, or in a law an arbitrary expression."""

    name: str

    __str__ = Expression.__str__


@dataclass(frozen=True, slots=True, repr=False)
class Operation(Expression):
    """An operator, by its name in `OPERATORS`, applied to expressions.

    A temporal restriction has a bound in ticks; a sequence may have the label of Section 6, which means nothing.
    """

    operator: str
    operands: tuple[Expression, ...]
    bound: Bound | None = None
    label: Label | None = None
    _hash: int = field(init=False, compare=False)  # a traversal looks every subexpression up

    __str__ = Expression.__str__

    def __post_init__(self) -> None:
        parts = (self.operator, self.operands, self.bound, self.label)
        object.__setattr__(self, "_hash", hash(parts))

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[Operation], tuple[object, ...]]:
        # without the hash, which another process computes differently
        return (Operation, (self.operator, self.operands, self.bound, self.label))

    @property
    def definition(self) -> Operator:
        """The operator's definition."""
        return OPERATORS[self.operator]


ResultT = TypeVar("ResultT")


@lru_cache(maxsize=256)
def bottom_up(expression: Expression) -> tuple[Expression, ...]:
    """The distinct subexpressions, operands before operations; the last one is the expression itself."""
    order: dict[Expression, None] = {}
    stack: list[tuple[Expression, bool]] = [(expression, False)]
    while stack:
        node, operands_done = stack.pop()
        if node in order:
            continue
        if operands_done or not isinstance(node, Operation):
            order[node] = None
        else:
            stack.append((node, True))
            stack.extend((operand, False) for operand in reversed(node.operands))
    return tuple(order)


def fold(
    expression: Expression,
    identifier: Callable[[str], ResultT],
    operation: Callable[[str, Sequence[ResultT], Bound | None], ResultT],
    known: dict[Expression, ResultT] | None = None,
) -> ResultT:
    """Compute a value for an expression from values for its parts; those that are found are added to those known."""
    results = {} if known is None else known
    for node in () if expression in results else bottom_up(expression):
        if node in results:
            continue
        if isinstance(node, Operation):
            operands = [results[operand] for operand in node.operands]
            results[node] = operation(node.operator, operands, node.bound)
        elif isinstance(node, Identifier):
            results[node] = identifier(node.name)
    return results[expression]


def identifiers(expression: Expression) -> frozenset[str]:
    """The names that occur in an expression."""
    return frozenset(node.name for node in bottom_up(expression) if isinstance(node, Identifier))


def size(expression: Expression) -> int:
    """The number of nodes of the expression as written, equal subexpressions counted each time."""
    return fold(expression, lambda _: 1, lambda _, operands, __: 1 + sum(operands))


def places(expression: Expression, most: float = math.inf) -> list[tuple[Place, Expression]]:
    """The places of an expression and the parts there, outer ones first, until there are more than so many."""
    found: list[tuple[Place, Expression]] = [((), expression)]
    for place, part in found:  # grows while it is gone through
        if len(found) > most:
            break
        if isinstance(part, Operation):
            found += [((*place, number), operand) for number, operand in enumerate(part.operands)]
    return found


def put_at(expression: Expression, place: Place, part: Expression) -> Expression:
    """The expression with another part at a place."""
    around = [expression]
    for number in place:
        assert isinstance(expression, Operation)  # only operations have parts
        expression = expression.operands[number]
        around.append(expression)
    for number, above in zip(reversed(place), around[-2::-1], strict=True):
        assert isinstance(above, Operation)
        part = replace(above, operands=(*above.operands[:number], part, *above.operands[number + 1 :]))
    return part


def rebuilt(
    expression: Expression,
    operation: Callable[[Operation, tuple[Expression, ...]], Expression],
    identifier: Callable[[Identifier], Expression] = lambda node: node,
) -> Expression:
    """The expression made anew bottom-up: each operation from itself and its operands as they became."""
    results: dict[Expression, Expression] = {}
    for node in bottom_up(expression):
        if isinstance(node, Operation):
            results[node] = operation(node, tuple(results[operand] for operand in node.operands))
        elif isinstance(node, Identifier):
            results[node] = identifier(node)
    return results[expression]


def replaced(
    expression: Expression,
    identifier: Callable[[Identifier], Expression] = lambda node: node,
    bound: Callable[[Bound], Bound] = lambda given: given,
) -> Expression:
    """The expression with others in the place of its identifiers and bounds; labels stay as they are."""

    def operation(node: Operation, operands: tuple[Expression, ...]) -> Expression:
        return Operation(node.operator, operands, None if node.bound is None else bound(node.bound), node.label)

    return rebuilt(expression, operation, identifier)


def substitute(expression: Expression, replacement: Mapping[str, Expression]) -> Expression:
    """The expression with identifiers replaced by expressions."""
    return replaced(expression, lambda node: replacement.get(node.name, node))


def with_bounds(expression: Expression, values: BoundValues) -> Expression:
    """The expression with every symbolic bound evaluated."""
    return replaced(expression, bound=lambda bound: evaluate_bound(bound, values))


def evaluate_bound(bound: Bound, values: BoundValues | None = None) -> int:
    """The bound in ticks; KeyError if it mentions a parameter without a value."""
    match bound:
        case BoundParameter(name):
            return (values or {})[name]
        case BoundExtremum(function, left, right):
            choose = min if function == "min" else max
            return choose(evaluate_bound(left, values), evaluate_bound(right, values))
        case number:
            return number


def bound_parameters(expression: Expression) -> frozenset[str]:
    """The names of the symbolic bounds in an expression."""
    return frozenset(part.name for part in bounds_in(expression) if isinstance(part, BoundParameter))


def numeric_bounds(expression: Expression) -> frozenset[int]:
    """The bounds in an expression, and parts of symbolic ones, that are numbers of ticks."""
    return frozenset(part for part in bounds_in(expression) if isinstance(part, int))


def bounds_in(expression: Expression) -> Iterator[Bound]:
    """Each bound with the parts of which it is the smaller or the greater one."""
    for node in bottom_up(expression):
        pending = [node.bound] if isinstance(node, Operation) and node.bound is not None else []
        while pending:
            bound = pending.pop()
            yield bound
            if isinstance(bound, BoundExtremum):
                pending += [bound.left, bound.right]
