"""Texts of values: JSON, counted nouns, and other people's text made safe for a terminal."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

JsonObject = dict[str, Any]

_LONG_NAME = re.compile(r"\w{81,}")


def to_json(data: Mapping[str, Any], *, indent: int | None = None, ascii_only: bool = False) -> str:
    """JSON text; numbers that JSON does not have become their text, and with `ascii_only` characters escapes."""
    try:
        return json.dumps(data, ensure_ascii=ascii_only, indent=indent, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(data), ensure_ascii=ascii_only, indent=indent, allow_nan=False)


def _finite(data: Any) -> Any:
    if isinstance(data, float) and not math.isfinite(data):
        return str(data)
    if isinstance(data, Mapping):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, Sequence) and not isinstance(data, str):
        return [_finite(value) for value in data]
    return data


def counted(number: int, noun: str) -> str:
    """`no instances`, `1 instance`, `2,000 instances`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}" if number else f"no {noun}s"


def shown(value: object) -> str:
    """Text without control characters, which could drive a terminal."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in str(value))


def abridged(text: str) -> str:
    """A text with names of more than 80 characters cut short: what is said of a name must not drown in it."""
    return _LONG_NAME.sub(lambda name: f"{name[0][:40]}…{name[0][-20:]}", text)
