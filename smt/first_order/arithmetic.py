"""Arithmetic for provers that have none: of what a problem uses of the numbers, some truths as axioms.

They are SMT-LIB formulas, so that a solver can be asked whether they are true of the numbers. A total order, sums,
differences and the numerals that occur are described, and that there is no integer between one and the next. That is
not all that is true: nothing is said of products beside small multiples, and no induction is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, pairwise

NUMBERS = ("Int", "Real")

_ORDER = (
    "(forall ((x {s}) (y {s})) (or (<= x y) (<= y x)))",
    "(forall ((x {s}) (y {s})) (=> (<= x y) (<= y x) (= x y)))",
    "(forall ((x {s}) (y {s}) (z {s})) (=> (<= x y) (<= y z) (<= x z)))",
)

_SUMS = (
    "(forall ((x {s}) (y {s})) (= (+ x y) (+ y x)))",
    "(forall ((x {s}) (y {s}) (z {s})) (= (+ (+ x y) z) (+ x (+ y z))))",
    "(forall ((x {s})) (= (+ x {zero}) x))",
    "(forall ((x {s}) (y {s}) (z {s})) (= (<= (+ x z) (+ y z)) (<= x y)))",
    "(forall ((x {s}) (y {s})) (= (+ (- x y) y) x))",
)

_DISCRETE = "(forall ((x Int) (y Int)) (or (<= y x) (<= (+ x 1) y)))"


@dataclass
class Used:
    """What a problem uses of one sort of numbers.

    Attributes:
        sort: the sort.
        numerals: the numbers that it names.
        calculates: whether it has sums, differences or products.
        quantifies: whether it says something of all numbers, or of some.
    """

    sort: str
    numerals: set[int] = field(default_factory=set)
    calculates: bool = False
    quantifies: bool = False

    @property
    def exact(self) -> bool:
        """Whether a model of the problem and the order alone can be made one of the numbers.

        A countable total order can be embedded in the real numbers so that numerals are where they belong. So
        nothing is lost where the numbers are real, and are compared and no more.
        """
        return self.sort == "Real" and not self.calculates and not self.quantifies

    def truths(self) -> Iterator[str]:
        """What the problem is told of these numbers, as SMT-LIB formulas."""
        told = list(_ORDER)
        numerals = sorted(self.numerals | ({0, 1} if self.calculates else set()))
        if self.calculates:
            told += [*_SUMS, *([_DISCRETE] if self.sort == "Int" else [])]
        yield from (each.format(s=self.sort, zero=self.written(0)) for each in told)
        for one, other in pairwise(numerals):
            yield f"(< {self.written(one)} {self.written(other)})"
        for one, other in combinations_with_replacement(numerals if self.calculates else (), 2):
            if one + other in numerals:
                yield f"(= (+ {self.written(one)} {self.written(other)}) {self.written(one + other)})"

    def written(self, value: int) -> str:
        """A number as SMT-LIB writes it."""
        digits = f"{abs(value)}{'.0' if self.sort == 'Real' else ''}"
        return f"(- {digits})" if value < 0 else digits
