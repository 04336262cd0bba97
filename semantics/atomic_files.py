"""Files that are written whole or not at all, beside their place first, then moved there; JSON for any reader."""

import json
import math
import os
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Literal


@contextmanager
def draft(path: Path) -> Iterator[Path]:
    """A path in the same folder to write to; it takes the place of `path` at the end of the block.

    If the block fails, what was at `path` stays, and nothing else. Until then the name begins with a dot, so that
    readers of the folder pass over it, and no other draft has it: several machines may share the folder. An OSError
    names the file, which the system does not where the disk is full.
    """
    place = path.with_name(f".{path.name[:100]}.{secrets.token_hex(8)}.tmp")
    try:
        yield place
        place.replace(path)
    except BaseException as error:
        place.unlink(missing_ok=True)
        if not isinstance(error, OSError) or error.errno is None or str(error.filename or place) != str(place):
            raise  # it is about something else
        raise OSError(error.errno, error.strerror, str(path)) from error


def write_text(path: Path, text: str, *, errors: Literal["strict", "backslashreplace"] = "strict") -> None:
    """Replace a file by a text in UTF-8, in folders made if need be: readers see the old text or the new one.

    Line feeds stay as they are; a lone surrogate, which has no UTF-8, is a UnicodeEncodeError, or escaped.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with draft(path) as place, place.open("x", encoding="utf-8", errors=errors, newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def to_json(data: Any, *, indent: int | None = None, ascii_only: bool = False) -> str:
    """JSON text; numbers that JSON does not have become their text, and with `ascii_only` characters escapes."""
    encode = _encoder(indent, ascii_only).encode
    try:
        return encode(data)
    except ValueError:
        return encode(_finite(data))


@cache
def _encoder(indent: int | None, ascii_only: bool) -> json.JSONEncoder:
    return json.JSONEncoder(ensure_ascii=ascii_only, indent=indent, allow_nan=False)


def _finite(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, Sequence) and not isinstance(data, str):
        return [_finite(value) for value in data]
    return str(data) if isinstance(data, float) and not math.isfinite(data) else data
