"""Benchmark patterns, by number."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from benchmarks.subjects import Pattern
from semantics.carlson_lisper.syntax import parse

PATTERNS: Mapping[str, Pattern] = MappingProxyType(
    {
        name: Pattern(name, parse(text))
        for name, text in (("i", "(B;B)[2]-(P|T)"), ("ii", "A;B"), ("iii", "(A+B)[10]"), ("iv", "A;(B;C)[5]"))
    }
)
"""By number. One bounded negation, one unbounded sequence, one bounded conjunction, one nested sequence."""


def pattern(text: str) -> Pattern:
    """The pattern with a number, or any expression; one that is in the table gets its number.

    Raises:
        InputError: the text is neither.
    """
    if text in PATTERNS:
        return PATTERNS[text]
    expression = parse(text)
    for known in PATTERNS.values():
        if known.expression == expression:
            return known
    return Pattern(str(expression), expression)
