"""Text of other people's files, made safe for a terminal."""

from __future__ import annotations


def shown(value: object) -> str:
    """Text without control characters, which could drive a terminal."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in str(value))
