"""Files of profiles: read, and each profile explained."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from detectors.hinze_voisard.engine import Engine
from semantics.errors import InputError
from semantics.hinze_voisard.notation import text, words
from semantics.hinze_voisard.profiles import ProfileFile
from semantics.hinze_voisard.syntax import parse


def read_profiles(path: str | Path, tick: str | None = None) -> ProfileFile:
    """The profiles in a file.

    Args:
        path: the file.
        tick: the length of a tick where the file states none, such as `1s`.

    Raises:
        InputError: it cannot be read, or states none; names file, line and column.
    """
    try:
        given = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the profiles cannot be read: {error}", place=str(path)) from None
    try:
        return parse(given, (tick or "").replace(" ", ""))
    except InputError as error:
        error.place = f"{path}, {error.place}" if error.place else str(path)
        raise


def explained(profiles: ProfileFile, name: str) -> dict[str, Any]:
    """A profile in words, whether what is announced can be withdrawn, and what has no bound, as plain data."""
    (profile,) = (one for one in profiles.profiles if one.name == name)
    engine = Engine(ProfileFile(profiles.classes, (profile,), profiles.text))
    parts = [
        {"part": text(part), "withdraws": node.undone, "unbounded": node.unbounded}
        for part, node in engine.parts
        if node.operands
    ]
    whole = engine.parts[-1][1]
    return {
        "name": name,
        "profile": text(profile.expression),
        "words": words(profile.expression),
        "withdraws": "" if whole.steady else "what is announced can be withdrawn",
        "bounded": not any(part["unbounded"] for part in parts),
        "parts": parts,
    }
