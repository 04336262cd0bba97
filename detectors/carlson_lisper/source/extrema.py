"""The smaller and the greater of two formulas, simplified by rules that are cheap.

SymPy's own `Min` and `Max` compare all arguments with each other by general means, which takes minutes for the bounds
of a pattern with ten names. Bounds are natural numbers, names, ∞ and extrema of these; for them three rules do.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Any

import sympy

Formula = Any
"""A SymPy expression."""


def _extremum(
    kind: Formula, dual: Formula, least: Formula, choose: Callable[..., int], *parts: Formula
) -> Formula:
    """The extremum of formulas.

    Args:
        least: the neutral element.
    """
    found: dict[Formula, None] = {}
    for part in map(sympy.sympify, parts):
        found.update(dict.fromkeys(part.args if isinstance(part, kind) else (part,)))
    numbers = [part for part in found if part.is_number]
    if numbers:
        number = reduce(choose, numbers)
        if number == (sympy.S.Zero if kind is sympy.Min else sympy.oo):
            return number
        found = dict.fromkeys(part for part in found if not part.is_number)
        if number != least or not found:
            found[number] = None
    kept = [part for part in found if not (isinstance(part, dual) and _absorbed(part, found, choose))]
    return kept[0] if len(kept) == 1 else kind(*kept, evaluate=False)


def _absorbed(part: Formula, others: dict[Formula, None], choose: Callable[..., int]) -> bool:
    """Whether an argument changes nothing, as in min(t, max(t, u)) or min(3, max(5, u))."""
    if any(inner in others for inner in part.args):
        return True
    numbers = [other for other in (*part.args, *others) if other.is_number]
    return len(numbers) == 2 and choose(numbers[0], numbers[1]) == numbers[1]


smaller: Callable[..., Formula] = partial(_extremum, sympy.Min, sympy.Max, sympy.oo, min)
"""The smaller of formulas."""

greater: Callable[..., Formula] = partial(_extremum, sympy.Max, sympy.Min, sympy.S.Zero, max)
"""The greater of formulas."""
