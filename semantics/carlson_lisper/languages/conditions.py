"""Conditions of definitions by what they depend on: the order of endpoints, or the length of one instance.

The decision procedures read the operators' definitions, and can do so where each comparison is of one of these two
kinds. Anything else is refused here, by name, so that an altered definition is never decided by its old meaning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from semantics import formulas
from semantics.carlson_lisper.finite import FINITE_LOGIC
from semantics.carlson_lisper.operators import BOUND_NAME
from semantics.errors import InputError
from semantics.events import Interval


class NotAnIntervalLanguage(InputError):
    """A definition under which what spans an interval is not decided by what the interval contains, or may not be."""

    def __init__(self, what: str) -> None:
        """Say in what way, as the end of a sentence that begins with "the definition of an operator"."""
        super().__init__(f"the definition of an operator {what}, which the decision procedures do not cover")

    def __reduce__(self) -> tuple[type[NotAnIntervalLanguage], tuple[str]]:
        """Pickle with what it is built from."""
        what = self.reason.removeprefix("the definition of an operator ")
        return (type(self), (what.removesuffix(", which the decision procedures do not cover"),))


def coefficients(comparison: formulas.Compare) -> dict[formulas.Term, int]:
    """How often each endpoint and parameter counts in the left side minus the right side of a comparison."""
    total: Counter[formulas.Term] = Counter()
    pending = [(comparison.left, 1), (comparison.right, -1)]
    while pending:
        term, sign = pending.pop()
        if isinstance(term, formulas.Difference):
            pending += [(term.left, sign), (term.right, -sign)]
        else:
            total[term] += sign
    return {term: factor for term, factor in total.items() if factor}


def comparisons(formula: formulas.Formula) -> Iterator[formulas.Compare]:
    """The comparisons in a formula without quantifiers.

    Raises:
        NotAnIntervalLanguage: the formula contains something else.
    """
    for part in formulas.subformulas(formula):
        match part:
            case formulas.Compare():
                yield part
            case formulas.Exists() | formulas.ForAll():
                raise NotAnIntervalLanguage("has a quantifier within a union or within another quantifier")
            case formulas.Same() | formulas.In():
                raise NotAnIntervalLanguage("looks at more of instances than their starts and ends")


def require_order(formula: formulas.Formula, variables: set[str]) -> None:
    """Make sure that a formula depends on the order of the variables' endpoints and on nothing else.

    Raises:
        NotAnIntervalLanguage: it does not.
    """
    for comparison in comparisons(formula):
        total = coefficients(comparison)
        endpoints = [term for term in total if isinstance(term, formulas.Start | formulas.End)]
        if len(endpoints) < len(total) or sorted(total.values()) not in ([], [-1, 1]):
            raise NotAnIntervalLanguage("restricts distances between two instances")
        if any(endpoint.variable not in variables for endpoint in endpoints):
            raise NotAnIntervalLanguage("compares an instance that is not in scope")


@dataclass(frozen=True)
class LengthTest:
    """A comparison whose truth depends on the length of one instance alone.

    Attributes:
        comparison: the comparison.
        variable: the instance.
        factor: how often the bound τ counts in it.
    """

    comparison: formulas.Compare
    variable: str
    factor: int

    def holds(self, length: int, bound: int | None) -> bool:
        """Whether it is true of an instance of this length (end minus start, in ticks) under the bound τ."""
        parameters = {} if bound is None else {BOUND_NAME: bound}
        scope = formulas.Scope({self.variable: Interval(0, length)}, {}, parameters)
        return formulas.interpret(self.comparison, FINITE_LOGIC, scope)

    def constant_from(self, bound: int | None) -> int:
        """A length, in ticks, from which on the truth value does not change any more."""
        return abs(self.factor) * (bound or 0) + 1


@lru_cache(maxsize=1024)
def turning_point(test: LengthTest, bound: int | None) -> tuple[bool, int | None]:
    """The truth of length 0, and the first length with the other one; of an order, which changes once at most.

    The length is None where the truth never changes.
    """
    at_first = test.holds(0, bound)
    never = test.constant_from(bound) + 1
    low, high = 1, never
    while low < high:
        middle = (low + high) // 2
        if test.holds(middle, bound) == at_first:
            low = middle + 1
        else:
            high = middle
    return at_first, None if low == never else low


def length_test(comparison: formulas.Compare, variable: str) -> LengthTest:
    """Read a comparison as one about the length of an instance.

    Raises:
        NotAnIntervalLanguage: it depends on something else, such as absolute times.
    """
    total = coefficients(comparison)
    factor = total.pop(formulas.Parameter(BOUND_NAME), 0)
    if total.keys() - {formulas.Start(variable), formulas.End(variable)}:
        raise NotAnIntervalLanguage("compares instances or parameters that are not in scope")
    if sum(total.values()):
        raise NotAnIntervalLanguage("depends on absolute times")
    return LengthTest(comparison, variable, factor)
