"""An expression as a tree, from the top down: the same for people as its text is for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from semantics.carlson_lisper.expressions import Expression, Operation

DEEPEST = 12
"""The greatest depth of a tree that is drawn; a deeper one has its branches off the screen."""


class Branch(NamedTuple):
    """A line of a tree.

    Attributes:
        lines: what is drawn before the node, such as `│  └─ `.
        node: the subexpression.
        again: whether it stands further up too, and so is not drawn with what it is made of.
    """

    lines: str
    node: Expression
    again: bool


def branches(expression: Expression) -> list[Branch]:
    """The lines of the tree; each distinct subexpression is drawn in full once. None where it is too deep."""
    seen: set[Expression] = set()

    def below(node: Expression, first: str, rest: str) -> Iterator[Branch]:
        again = node in seen
        yield Branch(first, node, again)
        seen.add(node)
        operands = node.operands if isinstance(node, Operation) and not again else ()
        if operands and len(rest) == 3 * DEEPEST:
            raise RecursionError
        for number, operand in enumerate(operands, 1):
            last = number == len(operands)
            yield from below(operand, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))

    try:
        return list(below(expression, "", ""))
    except RecursionError:
        return []


def node_text(node: Expression, quantity: Callable[[object], str]) -> str:
    """A node alone: an event type, or an operator with its label or bound and its name in words.

    Args:
        node: an expression, whose operands are left out.
        quantity: the text of a label or a bound.
    """
    if not isinstance(node, Operation):
        return str(node)
    symbol = node.definition.symbol if node.bound is None else f"[{quantity(node.bound)}]"
    label = "" if node.label is None else f"[{quantity(node.label)}]"
    return f"{symbol}{label}  {node.definition.title}"
