"""Patterns: what may stand for one in a call, files of them, and their trees."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

from remora.api.arguments import brief
from remora.terminal.console import is_file
from semantics.carlson_lisper.expressions import Expression, Operation
from semantics.carlson_lisper.languages import require_ground
from semantics.carlson_lisper.syntax import parse, parse_schema
from semantics.errors import ExpressionError, InputError

_NAMED = re.compile(r"([\w.-]+)\s*=\s*(.*)")

PatternLike: TypeAlias = str | Expression  # An expression, or its text


def as_pattern(given: PatternLike, tick: str | None = None, *, symbolic: bool = False) -> Expression:
    """The expression that is meant, ground unless its bounds may be symbolic, with units where a tick is stated."""
    if isinstance(given, Expression):
        if not symbolic:
            require_ground(given)
        return given
    if not isinstance(given, str):
        remedy = 'The pattern comes first, in quotes: "(a ; b)[60]".'
        raise InputError(f"{brief(given)} is no expression", remedy=remedy)
    if given.endswith((".rules", ".profile")):
        remedy = f"Detect it in a log, and compare what is printed: `remora detect {given} LOG`, or remora.derive."
        raise InputError(f"{given} is a program, no pattern", remedy=remedy)
    return parse_schema(given, tick) if symbolic else parse(given, tick)


def pattern_before(text: str, trace: str, tick: str | None) -> Expression:
    """The pattern that stands before a trace on the command line; with a tick, its bounds may have units."""
    try:
        return parse(text, tick)
    except ExpressionError:
        if is_file(text) and not is_file(trace):
            reason = "this is a file, and stands where the pattern is expected"
            raise InputError(reason, place=text, remedy=f"The pattern comes first: {trace!r} {text}") from None
        raise


def read_patterns(path: Path, tick: str | None = None) -> dict[str, Expression]:
    """The patterns of a file by name: `name = pattern`, or the pattern, which is its own name; `#` begins a comment."""
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"this cannot be read: {error}", place=str(path)) from None
    found: dict[str, Expression] = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        named, place = _NAMED.fullmatch(text), f"{path}:{number}"
        name, pattern = named.groups() if named else (text, text)
        if name in found:
            raise InputError(f"there are two patterns {name!r}", place=place, remedy="Give them names of their own.")
        try:
            found[name] = parse(pattern, tick)
        except InputError as error:
            error.place = f"{place}, {error.place}" if error.place else place
            raise
    if not found:
        raise InputError("there is no pattern in it", place=str(path), remedy="Write one a line: name = pattern.")
    return found


DEEPEST = 12  # The greatest depth of a tree that is drawn; a deeper one has its branches off the screen


class Branch(NamedTuple):
    """A line of a tree: what is drawn before a node, such as `│  └─ `, and whether it stands further up too."""

    lines: str
    node: Expression
    again: bool


def branches(expression: Expression) -> list[Branch]:
    """The lines of the tree, none where it is too deep; each distinct subexpression is drawn in full once."""
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
    """A node without its operands: an event type, or an operator with its label or bound and its name in words."""
    if not isinstance(node, Operation):
        return str(node)
    symbol = node.definition.symbol if node.bound is None else f"[{quantity(node.bound)}]"
    label = "" if node.label is None else f"[{quantity(node.label)}]"
    return f"{symbol}{label}  {node.definition.title}"
