"""Resource bounds as formulas in the bounds of an expression, computed with SymPy.

An expression whose bounds are symbolic is brought into one form that is right for all their values: where Figure 5 asks
whether a restriction τ is tighter than what is known of an operand, the restriction is put there and the smaller of
the two is known afterwards. So the form may have restrictions that Figure 5 leaves out for certain values, which
take a step each, and subexpressions that for certain values are equal and then computed once. The labels are those of
Figure 5 for all values; a formula never gives less than `detectors.carlson_lisper.source.bounds` gives for the
same values.

SymPy is imported here and nowhere else, because that takes half a second.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from types import MappingProxyType
from typing import Any, cast

import sympy

from detectors.carlson_lisper.source.bounds import Resources, resources_of, search_steps
from detectors.carlson_lisper.source.transformation import RULES, Rule, Transformed, Work, restricted, transform
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.expressions import UNBOUNDED, BoundParameter, Expression, Label, Operation, rebuilt
from semantics.carlson_lisper.syntax import to_text

Formula = Any  # A SymPy expression


def smaller(*parts: Formula) -> Formula:
    """The smaller of formulas; a number of Python where it is one, since equal expressions are taken for each other."""
    return _plain(sympy.Min(*parts))


def greater(*parts: Formula) -> Formula:
    """The greater of formulas, likewise."""
    return _plain(sympy.Max(*parts))


def _plain(formula: Formula) -> Formula:
    if formula == UNBOUNDED:
        return UNBOUNDED
    return int(formula) if formula.is_Integer else formula


class _Probes(sympy.Function):  # type: ignore[misc]
    """⌈log₂(n + 1)⌉, exact where n is a number: logarithms of floating point are not, from 2³¹ on."""

    @classmethod
    def eval(cls, number: Formula) -> Formula | None:
        """The value for a number, nothing for a formula."""
        if number.is_Integer:
            return sympy.Integer(search_steps(int(number)))
        return sympy.oo if number == sympy.oo else None


def search_formula(count: Formula) -> Formula:
    """`bounds.search_steps` as a formula."""
    return _Probes(sympy.sympify(count))


@dataclass(frozen=True)
class Cost:
    """What detecting an expression takes at most, as formulas in the names of its bounds."""

    transformed: str  # the form that was counted, as text; its labels and bounds may be formulas
    bounds: Resources  # the formulas by subexpression and in total; some are Python's numbers


def cost(expression: Expression) -> Cost:
    """The resource bounds of an expression whose bounds may be symbolic."""
    formulas = _with_formulas(expression)
    transformed = transform(formulas, UNBOUNDED, SYMBOLIC_RULES).expression
    return Cost(expression_text(transformed), resources_of(transformed, smaller, greater, search_formula))


def with_names(expression: Expression) -> tuple[Expression, dict[str, int]]:
    """A ground expression with a name, no event type of it, for each number in it, and the values of these names."""
    taken = expressions.identifiers(expression)
    names = (name for number in count() for name in (f"{letter}{number or ''}" for letter in "tuvw"))
    given: dict[int, str] = {}

    def operation(node: Operation, operands: tuple[Expression, ...]) -> Expression:
        bound = node.bound
        if bound is not None:
            number = expressions.evaluate_bound(bound)
            if number not in given:
                given[number] = next(name for name in names if name not in taken)
            bound = BoundParameter(given[number])
        return Operation(node.operator, operands, bound, node.label)

    return rebuilt(expression, operation), {name: number for number, name in given.items()}


def formula_text(formula: Formula) -> str:
    """A formula as people write it: `4*min(t, u) + ceil(log2(t + 2))`, or `inf`."""
    shown = sympy.sympify(formula)
    if shown == sympy.oo:
        return "inf"
    for kind, written in _WRITTEN:
        shown = shown.replace(kind, written)
    return str(shown)


def _named(name: str) -> Callable[..., Formula]:
    return lambda *parts: sympy.Function(name)(*sorted(parts, key=str))


_WRITTEN: tuple[tuple[type[Formula], Callable[..., Formula]], ...] = (
    (sympy.Min, _named("min")),
    (sympy.Max, _named("max")),
    (_Probes, lambda number: sympy.Function("ceil")(sympy.Function("log2")(number + 1))),
)
"""How functions are written."""


def _disjunction(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], limit
    return Transformed(left.expression | right.expression, greater(left.bound, right.bound))


def _negation(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = yield operation.operands[1], smaller(left.bound, limit)
    return Transformed(left.expression - right.expression, left.bound)


def _sequence(operation: Operation, limit: Label) -> Work:
    left = yield operation.operands[0], limit
    right = _restricted((yield operation.operands[1], limit), limit)
    labelled = Operation("seq", (left.expression, right.expression), label=right.bound)
    return Transformed(labelled, UNBOUNDED)


def _restriction(operation: Operation, limit: Label) -> Work:
    tighter = smaller(operation.bound, limit)
    return _restricted((yield operation.operands[0], tighter), tighter)


def _restricted(operand: Transformed, limit: Label) -> Transformed:
    """The operand, with the restriction unless it is known to change nothing."""
    bound = smaller(operand.bound, limit)
    if bound == operand.bound:
        return operand
    return Transformed(restricted(operand.expression, bound), bound)


SYMBOLIC_RULES: Mapping[str, Rule] = MappingProxyType(
    {"dis": _disjunction, "con": RULES["con"], "neg": _negation, "seq": _sequence, "tim": _restriction}
)
"""The rules of Figure 5 without questions about sizes; compared with those of `transformation` by tests."""


def _with_formulas(expression: Expression) -> Expression:
    """The expression with SymPy's formulas for its bounds."""

    def operation(node: Operation, operands: tuple[Expression, ...]) -> Expression:
        return Operation(node.operator, operands, None if node.bound is None else _formula(node.bound))

    return rebuilt(expression, operation)


def _formula(bound: expressions.Bound) -> Formula:
    match bound:
        case BoundParameter(name):
            return sympy.Symbol(name, integer=True, nonnegative=True)
        case expressions.BoundExtremum(function, left, right):
            choose = smaller if function == "min" else greater
            return choose(_formula(left), _formula(right))
        case number:
            return number


def expression_text(expression: Expression) -> str:
    """The text of an expression whose bounds and labels may be formulas."""

    def operation(node: Operation, operands: tuple[Expression, ...]) -> Expression:
        bound = node.bound
        if isinstance(bound, sympy.Basic):
            bound = BoundParameter(formula_text(bound))
        label = None if node.label is None else formula_text(node.label)
        return Operation(node.operator, operands, bound, cast("Label | None", label))

    return to_text(rebuilt(expression, operation))
