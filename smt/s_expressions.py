"""S-expressions: the syntax that SMT-LIB problems and CPC certificates share."""

from __future__ import annotations

import re
from collections.abc import Iterator

SExpression = str | tuple["SExpression", ...]
"""An atom, as it is written but without the bars of a quoted symbol, or a list."""

_TOKEN = re.compile(r';[^\n]*|\s+|(?P<token>[()]|\|[^|\\]*\||"(?:[^"]|"")*"|[^\s()";|]+)')


def parse_all(text: str) -> list[SExpression]:
    """The expressions of a text, in order; comments are left out.

    Raises:
        ValueError: parentheses do not match, or there is a character that belongs nowhere.
    """
    found: list[SExpression] = []
    open_lists: list[list[SExpression]] = []
    for token in _tokens(text):
        if token == "(":
            open_lists.append([])
            continue
        if token == ")":
            if not open_lists:
                raise ValueError("a parenthesis is closed that was not opened")
            expression: SExpression = tuple(open_lists.pop())
        else:
            expression = token[1:-1] if token.startswith("|") else token
        (open_lists[-1] if open_lists else found).append(expression)
    if open_lists:
        raise ValueError("a parenthesis is not closed")
    return found


def _tokens(text: str) -> Iterator[str]:
    position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise ValueError(f"{text[position : position + 20]!r} is no S-expression")
        position = match.end()
        if match["token"] is not None:
            yield match["token"]


def written(expression: SExpression) -> str:
    """An expression as text, which is read again as the same expression."""
    if isinstance(expression, tuple):
        return f"({' '.join(written(part) for part in expression)})"
    plain = expression and not any(sign in "()';,|\"" or not "!" <= sign <= "~" for sign in expression)
    return expression if plain else f"|{expression}|"
