"""Shrinking: from a case to smaller ones, as long as there is one that will do."""

from collections.abc import Callable, Iterable
from typing import TypeVar

Case = TypeVar("Case")


def smallest(case: Case, smaller: Callable[[Case], Iterable[Case]]) -> Case:
    """A local minimum: of each case the first of the smaller ones that will do is taken, until a case has none."""
    less: Case | None = case
    while less is not None:
        case, less = less, next(iter(smaller(less)), None)
    return case
