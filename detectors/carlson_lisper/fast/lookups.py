"""The statements that look event types up in a stretch of a trace, and those that end the stretch.

What a start carries for a sequence whose left side is looked up, is the match that came before the stretch; the one
within the stretch is looked for when it is asked for. After the stretch, what is kept gets the matches that it would
have carried.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

from detectors.carlson_lisper.generated.carried import match_in, of_now
from detectors.carlson_lisper.generated.demand import Demand, LookedUp
from detectors.carlson_lisper.generated.specialisation import StartRewriting

Lookup: TypeAlias = Callable[[ast.expr], ast.expr]
"""Makes of a time the expression for the latest time of a side before it, or -1."""


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


def _load(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _assign(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def lookup_statements(operation: LookedUp, before: Lookup) -> list[ast.stmt]:
    """The statements of an operation with a side that is looked up."""
    part = operation.part
    place = part.place
    assert place is not None
    asked = place.right if operation.sequence else place.left
    exists = ast.Compare(_load(asked), [ast.GtE()], [ast.Constant(0)])
    nothing = [
        _assign(place.result + suffix, ast.UnaryOp(ast.USub(), ast.Constant(1))) for suffix in part.suffixes
    ]
    if operation.sequence:
        earlier = [_assign(place.result + suffix, _load(place.match + suffix)) for suffix in part.suffixes]
        names = [f"{place.result}{suffix}" for suffix in part.suffixes]
        looked_up = _later(place.result, before(_load(asked)), names)
        return [ast.If(exists, [*earlier, *looked_up], nothing)]
    # The step of a negation keeps the greatest start of its right side so far. It may as well be told all of it at
    # once, when there is a left instance to compare with: the latest time up to now.
    now = ast.BinOp(_load("now"), ast.Add(), ast.Constant(1))
    step = StartRewriting(place, part.suffixes).statements()
    return [ast.If(exists, [_assign(place.right, before(now)), *step], nothing)]


def after_lookups(
    wanted: Demand, variables: Collection[str], lookup: Callable[[LookedUp], Lookup], end: str
) -> list[ast.stmt]:
    """The statements after a stretch: what was not carried because it could be looked up there, is from now on.

    Args:
        wanted: what the program asks for.
        variables: in which starts are kept between instants.
        lookup: looks up a side in the stretch.
        end: the text of the first instant after the stretch.
    """
    statements: list[ast.stmt] = []
    for number in sorted(wanted.looked_up):  # inner sequences first: their matches carry those of outer ones
        operation = wanted.looked_up[number]
        before = lookup(operation)
        if operation.sequence:
            asking = [name for name in variables if name + match_in(number) in variables]
            for name in asking:
                statements += _later(name + match_in(number), before(_load(name)), variables)
        statements += _later(f"t{number}", before(ast.parse(end, mode="eval").body), variables)
    return statements


def _later(name: str, point: ast.expr, variables: Collection[str]) -> list[ast.stmt]:
    """A start is replaced by a point in time if that is later; the matches of a point are those of the present."""
    carried = [other.removeprefix(name) for other in variables if other.startswith(f"{name}_")]
    replaced = [_assign(name + suffix, _load(of_now(suffix))) for suffix in carried]
    is_later = ast.Compare(_load(name), [ast.Lt()], [_load("point")])
    return [_assign("point", point), ast.If(is_later, [*replaced, _assign(name, _load("point"))], [])]
