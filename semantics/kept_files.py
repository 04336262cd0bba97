"""Files that are made from modules of this code and kept beside them: machine code, and parsers made from grammars."""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path


def folders(source: Path) -> tuple[Path, Path]:
    """Where is kept what is made from a module: beside it, or in the user's own folder where that cannot be written."""
    own = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
    return source.parent / "__pycache__", own / "remora" / "kernels"


@cache
def digest(*sources: Path) -> str:
    """What tells one version of some modules from another."""
    return f"{zlib.crc32(b''.join(source.read_bytes() for source in sources)):08x}"


def stored(place: Path) -> bytes | None:
    """What is in a file; None where it is damaged or missing."""
    with suppress(OSError):
        data = place.read_bytes()
        if len(data) > 4 and int.from_bytes(data[:4], "big") == zlib.crc32(data[4:]):
            return data[4:]
    return None


def store(places: Sequence[Path], data: bytes) -> None:
    """Write to the first of some files that can be written, whole or not at all."""
    from semantics.atomic_files import draft

    for place in places:
        with suppress(OSError):
            place.parent.mkdir(parents=True, exist_ok=True)
            with draft(place) as path:
                path.write_bytes(zlib.crc32(data).to_bytes(4, "big") + data)
            return
