"""Places in the text of a program: line and column, both counted from 1."""

from __future__ import annotations

import re
from typing import TypeAlias

Place: TypeAlias = tuple[int, int]
"""Line and column."""

NOWHERE: Place = (0, 0)
"""The place of what was not read."""

_QUOTED_OR_COMMENT = re.compile(r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*""")


def place_of(text: str, begin: Place, name: str) -> Place:
    """Where a name stands first from a place on, outside comments; that place where it is nowhere or empty."""
    lines = _QUOTED_OR_COMMENT.sub(_without_comment, text).splitlines()
    first, column = max(1, begin[0]), max(1, begin[1])
    for number, line in enumerate(lines[first - 1 :] if name else (), first):
        from_here = column - 1 if number == first else 0
        found = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)").search(line, from_here)
        if found:
            return number, found.start() + 1
    return first, column


def _without_comment(found: re.Match[str]) -> str:
    return " " * len(found[0]) if found[0].startswith("#") else found[0]
