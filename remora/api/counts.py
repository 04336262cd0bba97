"""Numbers of things, in words."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """`no instances`, `1 instance`, `2,000 instances`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}" if number else f"no {noun}s"
