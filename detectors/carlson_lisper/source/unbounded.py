"""Reasons for unbounded memory: the sequence that is at fault, and what would bound it.

A sequence needs to keep one instance of its left side per possible start of its right side, so it is at fault when
its right side may take arbitrarily long (label ∞, Section 6). Two restrictions help: one on the right side of every
such sequence, or one on the whole expression, which the transformation moves inwards to all sequences.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from detectors.carlson_lisper.source.bounds import PartBounds, Resources, made_of
from semantics.carlson_lisper.expressions import UNBOUNDED, Bound, Expression, Operation, rebuilt


@dataclass(frozen=True)
class Fault:
    """A sequence that keeps arbitrarily many instances.

    Attributes:
        sequence: the sequence, labelled ∞.
        right: its right side, whose instances may take arbitrarily long.
        causes: the conjunctions and sequences in the right side that take that long.
    """

    sequence: PartBounds
    right: PartBounds
    causes: tuple[PartBounds, ...]


def faults(bounds: Resources) -> tuple[Fault, ...]:
    """The sequences that are at fault if the bounds of a ground expression are infinite, bottom-up; none if not."""
    known = {part.expression: part for part in bounds.parts}
    found = []
    for part in bounds.parts:
        if isinstance(part.expression, Operation) and part.instances == UNBOUNDED:
            right = known[part.expression.operands[1]]
            causes = dict.fromkeys(known[cause] for cause in _causes(right.expression, known))
            found.append(Fault(part, right, tuple(causes)))
    return tuple(found)


def _causes(expression: Expression, known: Mapping[Expression, PartBounds]) -> Iterator[Expression]:
    """The outermost operations in an expression whose instances take long because they join others."""
    pending = [expression]
    while pending:
        node = pending.pop()
        if isinstance(node, Operation) and known[node].length == UNBOUNDED:
            results = made_of(node.definition)
            if all(len(parts) == 1 for parts in results):  # instances of an operand, as they are
                pending.extend(node.operands[parts[0]] for parts in reversed(results))
            else:
                yield node


def restricted_right_sides(bounds: Resources, bound: Bound) -> Expression:
    """The expression without labels, with a restriction on the right side of every sequence that is at fault.

    It means something else: instances with longer right sides are gone.

    Args:
        bounds: those of the expression.
        bound: the restriction, in ticks.
    """
    at_fault = {fault.sequence.expression for fault in faults(bounds)}

    def operation(node: Operation, operands: tuple[Expression, ...]) -> Expression:
        if node in at_fault:
            operands = (operands[0], operands[1][bound])
        return Operation(node.operator, operands, node.bound)

    return rebuilt(bounds.expression, operation)
