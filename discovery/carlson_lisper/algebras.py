"""Finite algebras: an equation that fails in one in which others hold does not follow from these.

The elements of an algebra stand for expressions. It has a table for each operator, and for each of two bounds t <= u;
some of its elements, one at least, stand for event types. The solver looks for one; that it is one is evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeVar

import z3

from discovery.carlson_lisper.fingerprints import BINARY
from discovery.carlson_lisper.table import Law, number_of
from discovery.carlson_lisper.universes import BOUNDS
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.expressions import Bound
from semantics.errors import EnginesDisagree

MOST = 4  # Elements of the greatest algebras that are looked for
BUDGET = 20_000_000  # Units of work of z3 for each number of elements

_ElementT = TypeVar("_ElementT")


@dataclass(frozen=True)
class Algebra:
    """An algebra of the elements 0, 1, ….

    The table of an operator has the value of i and j in row i and column j, that of a bound a single row.
    """

    tables: Mapping[str, tuple[tuple[int, ...], ...]]
    primitive: frozenset[int]

    @property
    def elements(self) -> range:
        """Its elements."""
        return range(len(self.tables[BOUNDS[0]][0]))

    def satisfies(self, law: Law) -> bool:
        """Whether a law holds for all elements, and all bounds."""

        def apply(name: str, operands: Sequence[int]) -> int:
            return self.tables[name][operands[0] if len(operands) > 1 else 0][operands[-1]]

        instances = _instances(law, self.elements, apply)
        return all(left == right for values, left, right in instances if values <= self.primitive)


def algebra_without(law: Law, others: Sequence[Law], most: int = MOST) -> Algebra | None:
    """A smallest algebra in which some laws hold and one does not; None if the solver finds none.

    Raises:
        EnginesDisagree: what the solver found is none, by its tables.
    """
    for count in range(2, most + 1):
        context = z3.Context()
        sort, elements = z3.EnumSort("Element", [str(number) for number in range(count)], context)
        function = {name: z3.Function(name, *[sort] * (3 if name in BINARY else 2)) for name in (*BINARY, *BOUNDS)}
        primitive = z3.Function("primitive", sort, z3.BoolSort(context))

        def apply(name: str, operands: Sequence[Any]) -> Any:
            return function[name](*operands)  # noqa: B023

        def holding(law: Law) -> Iterator[Any]:
            for values, left, right in _instances(law, elements, apply):  # noqa: B023
                yield z3.Or(left == right, *(z3.Not(primitive(each)) for each in values))  # noqa: B023

        solver = z3.Solver(ctx=context)
        solver.set("rlimit", BUDGET)
        solver.add(z3.Or([primitive(each) for each in elements]), z3.Not(z3.And(list(holding(law)))))
        solver.add([each for other in others for each in holding(other)])
        if solver.check() == z3.sat:
            model = solver.model()

            def value(name: str, *operands: Any) -> int:
                return int(str(model.eval(apply(name, operands), model_completion=True)))  # noqa: B023

            tables = {
                name: tuple(tuple(value(name, one, two) for two in elements) for one in elements) for name in BINARY
            }
            tables |= {name: (tuple(value(name, one) for one in elements),) for name in BOUNDS}
            events = [
                n for n, each in enumerate(elements) if z3.is_true(model.eval(primitive(each), model_completion=True))
            ]
            found = Algebra(tables, frozenset(events))
            if found.satisfies(law) or not all(map(found.satisfies, others)):
                raise EnginesDisagree(f"the algebra that z3 found without {law.id} is none: {found}")
            return found
    return None


def _instances(
    law: Law, elements: Sequence[_ElementT], apply: Callable[[str, Sequence[_ElementT]], _ElementT]
) -> Iterator[tuple[frozenset[_ElementT], _ElementT, _ElementT]]:
    """The sides of a law for all elements and bounds, with what is put for its event types."""
    for bounds in law.orders(len(BOUNDS)):

        def operation(name: str, operands: Sequence[_ElementT], bound: Bound | None) -> _ElementT:
            return apply(name if bound is None else BOUNDS[number_of(bound, bounds)], operands)  # noqa: B023

        for chosen in product(elements, repeat=len(law.variables)):
            values = dict(zip(law.variables, chosen, strict=True))
            left, right = (expressions.fold(side, values.__getitem__, operation) for side in (law.left, law.right))
            yield frozenset(values[name] for name in law.primitive), left, right
