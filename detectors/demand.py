"""Event types that are looked up instead of walked through, where a stretch of a trace is at hand.

The left side of a sequence and the right side of a negation are only asked for their latest start before some time. If
such a side is an event type, or a disjunction of some, its instances are points in time, and the answer stands in the
trace: in the sorted times of each type, or in a bit plane of a dense block. Then only the other event types have to be
walked through, often a small part of the trace.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from detectors.programs import Part
from detectors.specialisation import Place, StartRewriting
from semantics.expressions import UNBOUNDED, Expression, Identifier, Label, Operation


@dataclass(frozen=True)
class LookedUp:
    """An operation with a side that is looked up.

    Attributes:
        part: the operation.
        names: the event types of the side.
    """

    part: Part
    names: tuple[str, ...]

    @property
    def sequence(self) -> bool:
        """Whether it is a sequence, whose left side is looked up; a negation's right side otherwise."""
        return self.part.label is not None


@dataclass(frozen=True)
class Demand:
    """How a program reads columns.

    Attributes:
        walked: the parts that are computed at every instant that is walked through.
        looked_up: the operations of these with a side that is looked up, by number.
        drivers: the event types whose times are walked through.
    """

    walked: tuple[Part, ...]
    looked_up: dict[int, LookedUp]
    drivers: tuple[str, ...]


Lookup: TypeAlias = Callable[[ast.expr], ast.expr]
"""Makes of a time the expression for the latest time of a side before it, or -1."""


def points(expression: Expression) -> tuple[str, ...]:
    """The event types of a disjunction of event types; none if the expression is anything else."""
    if isinstance(expression, Identifier):
        return (expression.name,)
    if isinstance(expression, Operation) and expression.operator == "dis":
        left, right = map(points, expression.operands)
        return tuple(dict.fromkeys([*left, *right])) if left and right else ()
    return ()


def demand(found: Sequence[Part], names: Collection[str]) -> Demand:
    """Which event types of an expression have to be walked through.

    Args:
        found: the parts of the transformed expression, bottom-up.
        names: the event types.
    """
    as_good_walked: set[int] = set()
    while True:
        wanted = _demand(found, names, as_good_walked)
        new = {
            number
            for number, operation in wanted.looked_up.items()
            if set(operation.names) <= set(wanted.drivers)
        }
        if not new:
            return wanted
        as_good_walked |= new


def _demand(found: Sequence[Part], names: Collection[str], excepted: Collection[int]) -> Demand:
    """The demand if all sides are looked up that can be, but for those of some operations."""
    numbers = {part.expression: part.number for part in found}
    looked_up: dict[int, LookedUp] = {}
    walked = {found[-1].number}
    for part in reversed(found):
        if part.number not in walked or not isinstance(part.expression, Operation):
            continue
        operands = list(part.expression.operands)
        side = {"seq": 0, "neg": 1}.get(part.expression.operator)
        allowed = side is not None and part.label != UNBOUNDED and part.number not in excepted
        if side is not None and allowed and (types := points(operands[side])):
            looked_up[part.number] = LookedUp(part, types)
            del operands[side]
        walked |= {numbers[operand] for operand in operands}
    kept = tuple(part for part in found if part.number in walked)
    drivers = {part.expression.name for part in kept if isinstance(part.expression, Identifier)}
    return Demand(kept, looked_up, tuple(name for name in names if name in drivers))


class LookupRewriting(StartRewriting):
    """A step with a side that is looked up: what it asks of the side is asked of the columns."""

    def __init__(self, place: Place, label: Label, before: Lookup) -> None:
        """Rewrite the step at a place.

        Args:
            place: where the step stands.
            label: that of a sequence, 0 otherwise.
            before: makes of a time the expression for the latest of the side's times before it, or -1.
        """
        super().__init__(place, label=label, compiled=True)
        self.before = before


class SequenceLookup(LookupRewriting):
    """A sequence whose left side is looked up: nothing is pushed, and the queue holds what came before."""

    def visit_Expr(self, node: ast.Expr) -> list[ast.stmt]:
        """No push."""
        return []

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        """The variable t stays as well."""
        if isinstance(node.body[0], ast.Expr):
            return []
        return self.generic_visit(node)

    def _latest_before(self, time: ast.expr) -> ast.expr:
        earlier = (
            ast.Name(self.place.variable("t"), ast.Load())
            if self.label == 0
            else self._call("latest_before", *self._queue(), time)
        )
        return ast.Call(ast.Name("max", ast.Load()), [self.before(time), earlier], [])


def in_columns(operation: LookedUp, names: Sequence[str]) -> Lookup:
    """Looks a side up in the sorted times of its event types, searched from where the last search ended.

    Where that was, is kept by operation and column.
    """

    def before(time: ast.expr) -> ast.expr:
        found = [
            _call("latest_point", f"c{column}", "hints", len(names) * operation.part.number + column, time)
            for column in map(names.index, operation.names)
        ]
        return found[0] if len(found) == 1 else _call("max", *found)

    return before


def in_plane(operation: LookedUp) -> Lookup:
    """Looks a side up in a bit plane that says at which instants of a block one of its event types occurs."""

    def before(time: ast.expr) -> ast.expr:
        return _call("latest_in", f"plane{operation.part.number}", time, "base")

    return before


def _call(function: str, *arguments: ast.expr | str | int) -> ast.expr:
    nodes = [
        ast.Name(argument, ast.Load())
        if isinstance(argument, str)
        else ast.Constant(argument)
        if isinstance(argument, int)
        else argument
        for argument in arguments
    ]
    return ast.Call(ast.Name(function, ast.Load()), nodes, [])


def lookup_statements(operation: LookedUp, before: Lookup) -> list[ast.stmt]:
    """The statements of an operation with a side that is looked up."""
    part = operation.part
    assert part.place is not None
    if operation.sequence:
        assert part.label is not None
        return SequenceLookup(part.place, part.label, before).statements()
    # The step of a negation keeps the greatest start of its right side so far. It may as well be told all of it at
    # once, when there is a left instance to compare with: the latest time up to now.
    now = ast.BinOp(ast.Name("now", ast.Load()), ast.Add(), ast.Constant(1))
    current = ast.Assign([ast.Name(part.place.right, ast.Store())], before(now))
    exists = ast.Compare(ast.Name(part.place.left, ast.Load()), [ast.GtE()], [ast.Constant(0)])
    nothing = ast.Assign([ast.Name(part.place.result, ast.Store())], ast.UnaryOp(ast.USub(), ast.Constant(1)))
    step = LookupRewriting(part.place, 0, before).statements()
    return [nothing, ast.If(exists, [current, *step], [])]
