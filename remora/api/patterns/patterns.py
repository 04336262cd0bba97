"""Patterns: what may stand for one in a call, and files of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TypeAlias

from remora.api.arguments import as_arguments, brief
from remora.terminal.options import is_file
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.languages import require_ground
from semantics.carlson_lisper.syntax import parse, parse_schema
from semantics.errors import ExpressionError, InputError

_NAMED = re.compile(r"([\w.-]+)\s*=\s*(.*)")
"""A pattern with its name, in a file."""

PatternLike: TypeAlias = str | Expression
"""An expression, or its text."""

__all__ = ["PatternLike", "as_pattern", "as_schema", "parse", "pattern_before", "read_patterns"]


def as_pattern(given: PatternLike, tick: str | None = None) -> Expression:
    """The ground expression that is meant; its bounds may have units where the length of a tick is stated.

    Raises:
        InputError: the text is none, or a bound is symbolic.
    """
    if isinstance(given, Expression):
        require_ground(given)
        return given
    if isinstance(given, str) and given.endswith((".rules", ".profile")):
        raise InputError(f"{given} is a program, no pattern", remedy="Give it to remora.derive with a log.")
    with as_arguments():
        return parse(_text(given), tick)


def as_schema(given: PatternLike, tick: str | None = None) -> Expression:
    """The expression that is meant, whose bounds may be symbolic, or have units where the length of a tick is stated.

    Raises:
        InputError: the text is none.
    """
    return given if isinstance(given, Expression) else parse_schema(_text(given), tick)


def _text(given: object) -> str:
    if not isinstance(given, str):
        remedy = 'The pattern comes first, in quotes: "(a ; b)[60]".'
        raise InputError(f"{brief(given)} is no expression", remedy=remedy)
    return given


def pattern_before(text: str, trace: str, tick: str | None) -> Expression:
    """The pattern that stands before a trace on the command line; with a tick, its bounds may have units.

    Raises:
        InputError: it cannot be read; where it names a file, that the two were given the other way round.
    """
    try:
        return parse(text, tick)
    except ExpressionError:
        if is_file(text) and not is_file(trace):
            reason = "this is a file, and stands where the pattern is expected"
            raise InputError(reason, place=text, remedy=f"The pattern comes first: {trace!r} {text}") from None
        raise


def read_patterns(path: Path, tick: str | None = None) -> dict[str, Expression]:
    """The patterns of a file by name: `name = pattern`, or the pattern, which is its own name; `#` begins a comment.

    Raises:
        InputError: the file or a pattern cannot be read, two have one name, or there is none.
    """
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"this cannot be read: {error}", place=str(path)) from None
    found: dict[str, Expression] = {}
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        named = _NAMED.fullmatch(text)
        name, pattern = named.groups() if named else (text, text)
        place = f"{path}:{number}"
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
