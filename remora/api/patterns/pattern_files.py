"""Files of patterns: a pattern a line, with a name before it or not."""

from __future__ import annotations

import re
from pathlib import Path

from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError

_NAMED = re.compile(r"([\w.-]+)\s*=\s*(.*)")


def read_patterns(path: Path, tick: str | None = None) -> dict[str, Expression]:
    """The patterns of a file by name: `name = pattern`, or the pattern, which is its own name; `#` begins a comment.

    Args:
        tick: the length of a tick, where it is stated: then bounds may have units.

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
            raise InputError(
                f"there are two patterns {name!r}", place=place, remedy="Give them names of their own."
            )
        try:
            found[name] = parse(pattern, tick)
        except InputError as error:
            error.place = f"{place}, {error.place}" if error.place else place
            raise
    if not found:
        raise InputError(
            "there is no pattern in it", place=str(path), remedy="Write one a line: name = pattern."
        )
    return found
