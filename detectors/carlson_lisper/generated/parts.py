"""The subexpressions of a transformed expression, each with the place of its step in a program."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from detectors.carlson_lisper.generated.carried import START, Suffix
from detectors.carlson_lisper.generated.specialisation import Place
from detectors.carlson_lisper.protocol import of_operator
from detectors.carlson_lisper.source.figure2 import StepFactory
from detectors.carlson_lisper.source.transformation import transform
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up


@dataclass(frozen=True)
class Part:
    """A subexpression of the transformed expression.

    Attributes:
        number: i, counted bottom-up from 1.
        expression: Eⁱ.
        place: its step's place; None for an event type.
        suffixes: in a program that works with starts, what the start of its current instance carries; see
            `detectors.carlson_lisper.generated.carried`.
    """

    number: int
    expression: Expression
    place: Place | None
    suffixes: tuple[Suffix, ...] = (START,)


def parts(expression: Expression, steps: Mapping[str, StepFactory]) -> tuple[Part, ...]:
    """The subexpressions of the transformed expression, bottom-up, equal ones once."""
    nodes = bottom_up(transform(expression).expression)
    number = {node: index for index, node in enumerate(nodes, start=1)}
    found = []
    for node in nodes:
        place = None
        if isinstance(node, Operation):
            operands = [f"a{number[operand]}" for operand in node.operands]
            place = Place(of_operator(steps, node)(node), number[node], operands[0], operands[-1])
        found.append(Part(number[node], node, place))
    return tuple(found)


def comment(part: Part) -> str:
    """The line above the statements of a subexpression."""
    return f"# a{part.number}: {part.expression}"


def code(statements: Sequence[ast.stmt]) -> str:
    """The text of statements."""
    return "\n".join(ast.unparse(ast.fix_missing_locations(statement)) for statement in statements)
