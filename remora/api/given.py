"""Patterns on the command line, which stand before a trace."""

from __future__ import annotations

from pathlib import Path

from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse
from semantics.errors import ExpressionError, InputError


def pattern_before(text: str, trace: str) -> Expression:
    """The pattern that stands before a trace on the command line.

    Raises:
        InputError: it cannot be read; where it names a file, that the two were given the other way round.
    """
    try:
        return parse(text)
    except ExpressionError:
        if _is_file(text) and not _is_file(trace):
            raise InputError(
                "this is a file, and stands where the pattern is expected",
                place=text,
                remedy=f"The pattern comes first: {trace!r} {text}",
            ) from None
        raise


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except OSError:  # such as a name that is too long
        return False
