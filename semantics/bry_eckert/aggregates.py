"""Aggregate functions over the values of a group, with equal values taken once or as often as they are collected."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from semantics.bry_eckert.terms import NUMBERS, Type, nearest
from semantics.events import Value


def _sum(values: Sequence[Any]) -> int | float:
    """The sum, of floats the nearest float to the exact sum: no order of the values changes it."""
    whole: int | float = sum(values)
    if isinstance(whole, int):
        return whole
    try:
        return math.fsum(values)
    except OverflowError:  # which a sum of floats one by one does not raise
        return whole


def _average(values: Sequence[Any]) -> float:
    return nearest(_sum(values)) / len(values)


@dataclass(frozen=True)
class Function:
    """An aggregate function.

    Attributes:
        over: the value of at least one value.
        numbers: whether it takes numbers only.
        type: the type of its value; None for that of what it aggregates.
        all: whether equal values count as often as they are collected: then it is over the tuples of the join, as in
            a query of SQL; otherwise over those of the projection that the source prints, where equal ones are one.
    """

    over: Callable[[Sequence[Any]], Value]
    numbers: bool
    type: Type | None
    all: bool = False


AGGREGATES: Mapping[str, Function] = MappingProxyType(
    {
        "count": Function(len, False, "int"),
        "sum": Function(_sum, True, None),
        "avg": Function(_average, True, "float"),
        "min": Function(min, False, None),
        "max": Function(max, False, None),
        "count_all": Function(len, False, "int", all=True),
        "sum_all": Function(_sum, True, None, all=True),
        "avg_all": Function(_average, True, "float", all=True),
    }
)
"""The aggregate functions by name (γ of 2007, Section 3); those in `_all` keep equal values apart."""


def type_of(function: str, type: Type) -> Type | None:
    """The type of an aggregate of values of a type; None where there is none."""
    found = AGGREGATES[function]
    if found.numbers and type not in NUMBERS:
        return None
    return found.type or type
