"""SMT-LIB 2 text and S-expressions, the syntax that it shares with CPC certificates: connectives, symbols, times."""

import re
from collections.abc import Iterable, Iterator
from typing import Literal

TimeSort = Literal["int", "real"]
"""The temporal domain: natural numbers (Def. 3.1), or non-negative reals for dense time."""

SORT = {"int": "Int", "real": "Real"}

LOGIC = {"int": "UFLIA", "real": "UFLRA"}

TRUE, FALSE = "true", "false"

SExpression = str | tuple["SExpression", ...]
"""An atom, as it is written but without the bars of a quoted symbol, or a list."""


def conjunction(parts: Iterable[str]) -> str:
    """The conjunction of formulas, without the ones that say nothing."""
    return _text(connective("and", parts, neutral=TRUE, absorbing=FALSE))


def disjunction(parts: Iterable[str]) -> str:
    """The disjunction of formulas, without the ones that say nothing."""
    return _text(connective("or", parts, neutral=FALSE, absorbing=TRUE))


def connective(name: str, parts: Iterable[SExpression], neutral: str, absorbing: str) -> SExpression:
    """The application of an associative connective to formulas or texts of formulas."""
    kept = [part for part in dict.fromkeys(parts) if part != neutral]
    if absorbing in kept:
        return absorbing
    if len(kept) < 2:
        return kept[0] if kept else neutral
    return (name, *kept)


def _text(connected: SExpression) -> str:
    return connected if isinstance(connected, str) else f"({' '.join(map(str, connected))})"


def negation(part: str) -> str:
    """The negation of a formula."""
    if part in (TRUE, FALSE):
        return FALSE if part == TRUE else TRUE
    return part[5:-1] if part.startswith("(not ") else f"(not {part})"


def symbol(name: str) -> str:
    """A name as an SMT-LIB symbol; names with other characters are quoted with bars."""
    plain = name.isascii() and name.replace("_", "a").isalnum() and not name[0].isdigit()
    return name if plain else f"|{name}|"


_TOKEN = re.compile(r';[^\n]*|\s+|(?P<token>[()]|\|[^|\\]*\||"(?:[^"]|"")*"|[^\s()";|]+)')


def parse_all(text: str) -> list[SExpression]:
    """The expressions of a text, in order, without comments; `ValueError` for an odd parenthesis or character."""
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
