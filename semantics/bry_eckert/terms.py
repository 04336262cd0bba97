"""Terms and comparisons on the data of events: variables, constants, arithmetic; and aggregate functions.

A number is an int of at most 4,300 digits or a finite 64-bit float. A term without a value (a missing attribute, a
division by zero, a result that is no number) is None; a comparison with it is false.
"""

from __future__ import annotations

import json
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from semantics.errors import InputError
from semantics.events import Value

Place: TypeAlias = tuple[int, int]  # line and column in the text of a program, from 1

NOWHERE: Place = (0, 0)

Type: TypeAlias = Literal["int", "float", "str", "bool"]

NUMBERS: frozenset[Type] = frozenset(("int", "float"))

TYPES: Mapping[type, Type] = {int: "int", float: "float", str: "str", bool: "bool"}


@dataclass(frozen=True)
class Variable:
    """A variable; it takes the values of attributes."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Constant:
    """A value."""

    value: str | int | float | bool

    def __str__(self) -> str:
        return json.dumps(self.value, ensure_ascii=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Constant) and (type(self.value), self.value) == (type(other.value), other.value)

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


@dataclass(frozen=True)
class Arithmetic:
    """Two numbers with an operator."""

    operator: str
    left: Term
    right: Term

    def __str__(self) -> str:
        sides = (f"({side})" if isinstance(side, Arithmetic) else str(side) for side in (self.left, self.right))
        return f" {self.operator} ".join(sides)


Term: TypeAlias = Variable | Constant | Arithmetic


@dataclass(frozen=True)
class Comparison:
    """Two terms with `=`, `!=`, `<`, `<=`, `>` or `>=` between them, and where they were read."""

    left: Term
    operator: str
    right: Term
    place: Place = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        return f"{self.left} {self.operator} {self.right}"


_LEAST, _MOST = 1 - 10**4300, 10**4300 - 1  # the ints that there are

_Operation: TypeAlias = Callable[[float, float], float]


def _computed(exact: _Operation) -> _Operation:
    def computed(left: float, right: float) -> float:
        try:
            found = exact(left, right)
        except (OverflowError, ZeroDivisionError):  # of an int beyond the floats, and a float
            return math.nan
        return found if _LEAST <= found <= _MOST else math.nan  # of an infinity, or of NaN, neither holds

    return computed


ARITHMETIC: Mapping[str, _Operation] = {
    "+": _computed(operator.add),
    "-": _computed(operator.sub),
    "*": _computed(operator.mul),
    "/": _computed(lambda left, right: float(left) / float(right)),
}
"""The operations by sign; what has no value is NaN, with which no comparison holds but `!=`."""


def nearest(given: Any) -> float | None:
    """The 64-bit float nearest to a number, 0.0 for -0.0; None beyond them, and of None."""
    try:
        return None if given is None else float(given) + 0.0
    except OverflowError:
        return None


COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def value(term: Term, values: Mapping[Any, Value]) -> Value:
    """The value of a term under an assignment of its variables."""
    match term:
        case Variable(name):
            return values[name]
        case Constant(constant):
            return constant
        case Arithmetic(sign, left, right):
            one, other = value(left, values), value(right, values)
            if one is None or other is None:
                return None
            found = ARITHMETIC[sign](one, other)  # type: ignore[arg-type]
            return found if found == found else None


def holds(comparison: Comparison, values: Mapping[Any, Value]) -> bool:
    """Whether a comparison holds under an assignment; with a missing value it does not."""
    left, right = value(comparison.left, values), value(comparison.right, values)
    return left is not None and right is not None and COMPARISONS[comparison.operator](left, right)


def variables(term: Term | Comparison) -> Iterator[str]:
    """The names of the variables in a term or on both sides of a comparison, from the left."""
    if isinstance(term, Variable):
        yield term.name
    elif not isinstance(term, Constant):
        yield from variables(term.left)
        yield from variables(term.right)


def comparable(left: Type, right: Type) -> bool:
    """Whether values of the types can be equal."""
    return left == right or {left, right} <= NUMBERS


def type_of(term: Term, types: Mapping[str, Type]) -> Type:
    """The type of a term whose variables have types; raises `InputError` where it computes with what is no number."""
    match term:
        case Variable(name):
            return types[name]
        case Constant(given):
            return TYPES[type(given)]
        case Arithmetic(sign, left, right):
            found = {type_of(side, types) for side in (left, right)}
            if not found <= NUMBERS:
                reason = f"{term} computes with values of the types {' and '.join(sorted(found))}"
                raise InputError(reason, remedy="Arithmetic takes int and float.")
            return "int" if sign != "/" and found == {"int"} else "float"


def check(comparison: Comparison, types: Mapping[str, Type]) -> None:
    """Refuse with `InputError` a comparison of values that have no common type, or no order."""
    left, right = type_of(comparison.left, types), type_of(comparison.right, types)
    if not comparable(left, right):
        reason = f"{comparison.left} is of type {left} and {comparison.right} of type {right}: they cannot be compared"
        remedy = "Compare numbers with numbers, text with text (in quotes), truth values with truth values."
        raise InputError(reason, remedy=remedy)
    if left == "bool" and comparison.operator not in ("=", "!="):
        raise InputError(f"truth values have no order: {comparison}", remedy="Write = or !=.")


def _sum(values: Sequence[Any]) -> int | float | None:
    """The sum, of floats the nearest float to the exact sum: no order of the values changes it."""
    try:
        whole: int | float = sum(values)
        found = whole if isinstance(whole, int) else math.fsum(values)
        return found if _LEAST <= found <= _MOST else None
    except OverflowError:  # on the way: the sum itself may be within the floats
        return nearest(sum(map(Fraction, values)))


def _average(values: Sequence[Any]) -> float | None:
    whole = nearest(_sum(values))
    return None if whole is None else whole / len(values)


@dataclass(frozen=True)
class Function:
    """A function of values (`numbers` only), of their type if it has none; for `all`, equal tuples are several."""

    over: Callable[[Sequence[Any]], Value]
    numbers: bool
    type: Type | None
    all: bool = False


AGGREGATES: Mapping[str, Function] = {
    "count": Function(len, False, "int"),
    "sum": Function(_sum, True, None),
    "avg": Function(_average, True, "float"),
    "min": Function(min, False, None),
    "max": Function(max, False, None),
    "count_all": Function(len, False, "int", all=True),
    "sum_all": Function(_sum, True, None, all=True),
    "avg_all": Function(_average, True, "float", all=True),
}
"""The aggregate functions by name (γ of 2007, Section 3); those in `_all` keep equal values apart."""


def aggregate_type(function: str, type: Type) -> Type | None:
    """The type of an aggregate of values of a type; None where there is none."""
    found = AGGREGATES[function]
    return None if found.numbers and type not in NUMBERS else found.type or type
