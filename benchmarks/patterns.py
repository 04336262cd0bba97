"""Patterns of the benchmarks: by number, with the queries that somebody writes by hand for them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from semantics.carlson_lisper.syntax import parse


@dataclass(frozen=True)
class Pattern:
    """A pattern, and which query the peers have for it.

    Attributes:
        shape: the query, by the name of its form; "" for none.
        types: the event types of the query, by the letters in it.
        bound: in ticks; 0 for none.
    """

    text: str
    shape: str = ""
    types: Mapping[str, str] = field(default_factory=dict)
    bound: int = 0


def _alike(names: str) -> dict[str, str]:
    return {name: name for name in names}


PATTERNS: Mapping[str, Pattern] = {
    "i": Pattern("(B;B)[2]-(P|T)", "near repetition", _alike("BPT"), 2),
    "ii": Pattern("A;B", "sequence", _alike("AB")),
    "iii": Pattern("(A+B)[10]", "conjunction", _alike("AB"), 10),
    "iv": Pattern("A;(B;C)[5]", "nested", _alike("ABC"), 5),
}
"""One bounded negation, one unbounded sequence, one bounded conjunction, one nested sequence."""

MANY = "abcdefghij"

HUNDRED = tuple(Pattern(f"({a};{b})[50]", "sequence", {"A": a, "B": b}, 50) for a in MANY for b in MANY)
"""A bounded sequence for each pair of ten event types."""


def pattern(text: str) -> Pattern:
    """The pattern with a number, or any expression; one that is in the table gets its number.

    Raises:
        InputError: the text is neither.
    """
    if text in PATTERNS:
        return PATTERNS[text]
    expression = parse(text)
    known = (each for each in PATTERNS.values() if parse(each.text) == expression)
    return next(known, Pattern(str(expression)))
