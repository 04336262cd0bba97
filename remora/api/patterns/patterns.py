"""Patterns: what may stand for one in a call, and what an expression looks like."""

from __future__ import annotations

from typing import TypeAlias

from remora.api.arguments import as_arguments, brief
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse, parse_schema
from semantics.errors import InputError

PatternLike: TypeAlias = str | Expression
"""An expression, or its text."""

__all__ = ["PatternLike", "as_pattern", "as_schema", "parse"]


def as_pattern(given: PatternLike, tick: str | None = None) -> Expression:
    """The ground expression that is meant; its bounds may have units where the length of a tick is stated.

    Raises:
        InputError: the text is none, or a bound is symbolic.
    """
    if isinstance(given, Expression):
        from semantics.carlson_lisper.languages import require_ground

        require_ground(given)
        return given
    _require_text(given)
    if given.endswith((".rules", ".profile")):
        raise InputError(f"{given} is a program, no pattern", remedy="Give it to remora.derive with a log.")
    with as_arguments():
        return parse(given, tick)


def as_schema(given: PatternLike, tick: str | None = None) -> Expression:
    """The expression that is meant, whose bounds may be symbolic, or have units where the length of a tick is stated.

    Raises:
        InputError: the text is none.
    """
    if isinstance(given, Expression):
        return given
    _require_text(given)
    return parse_schema(given, tick)


def _require_text(given: object) -> None:
    if not isinstance(given, str):
        raise InputError(
            f"{brief(given)} is no expression", remedy='The pattern comes first, in quotes: "(a ; b)[60]".'
        )
