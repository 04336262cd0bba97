"""An expression as a tree, from the top down: the same for people as its text is for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up

DEEPEST = 12
"""The greatest depth of a tree that is drawn; a deeper one has its branches off the screen."""


@dataclass(frozen=True)
class Branch:
    """A line of a tree.

    Attributes:
        lines: what is drawn before the node, such as `│  └─ `.
        node: the subexpression.
        again: whether it stands further up too, and so is not drawn with what it is made of.
    """

    lines: str
    node: Expression
    again: bool = False


def depth(expression: Expression) -> int:
    """How many operators lie upon each other at most."""
    found: dict[Expression, int] = {}
    for node in bottom_up(expression):
        operands = node.operands if isinstance(node, Operation) else ()
        found[node] = max((found[operand] + 1 for operand in operands), default=0)
    return found[expression]


def branches(expression: Expression) -> Iterator[Branch]:
    """The lines of the tree; each distinct subexpression is drawn in full once."""
    seen: set[Expression] = set()

    def below(node: Expression, first: str, rest: str) -> Iterator[Branch]:
        yield Branch(first, node, again=node in seen)
        if node in seen:
            return
        seen.add(node)
        operands = node.operands if isinstance(node, Operation) else ()
        for number, operand in enumerate(operands, 1):
            last = number == len(operands)
            yield from below(operand, rest + ("└─ " if last else "├─ "), rest + ("   " if last else "│  "))

    yield from below(expression, "", "")


def node_text(node: Expression, quantity: Callable[[object], str]) -> str:
    """A node alone: an event type, or an operator with its label or bound and its name in words.

    Args:
        node: an expression, whose operands are left out.
        quantity: the text of a label or a bound.
    """
    if not isinstance(node, Operation):
        return str(node)
    symbol = node.definition.symbol
    if node.bound is not None:
        symbol = f"[{quantity(node.bound)}]"
    if node.label is not None:
        symbol += f"[{quantity(node.label)}]"
    return f"{symbol}  {node.definition.title}"
