"""Arguments of functions: what may be given for them; remedies name them in the place of options of commands."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from operator import index
from typing import Any, SupportsIndex

from remora.terminal.options import MAX_SEED
from semantics.errors import ExpressionError, InputError

ARGUMENTS = {
    "--partition-by COLUMN": "remora.read_traces(path, COLUMN)",
    "with --partition-by": "as partition_by",
    "--intervals": "intervals=True",
    "--detector auto": 'detector="auto"',
    "--primitive": "primitive",
    "--level intervals": "intervals=True",
    "`remora detect`": "`remora.detect`",
    "`remora prove`": "`remora.prove`",
    "`remora campaign run`": "`remora.campaign`",
    "--bound": "bounds",
    "on the command line": "in the call",
}
"""What the options of the command line are here."""

_VALUED = re.compile(
    r"--(time|event|value|start|delimiter|header|tick|epoch|zone|same-time)(?: ('[^']*'|[\w/+:.,]*\w))?"
)
_FLAG = re.compile(r"--(sort|round|skip-bad)\b")

BRIEF = 60
"""Something longer than so many characters is not repeated in an error."""


def brief(given: object) -> str:
    """What was given, for a sentence: itself, or what it is where it takes more than a few words."""
    text = repr(given)
    return text if len(text) <= BRIEF and "\n" not in text else f"a {type(given).__name__}"


def require_whole(name: str, given: object, least: int) -> None:
    """Refuse what is no whole number, or too small a one.

    Raises:
        InputError: it is that; names the argument.
    """
    if isinstance(given, bool) or not isinstance(given, SupportsIndex):
        raise InputError(f"{name}={brief(given)} is no whole number", remedy=f"Give {least} or more.")
    if index(given) < least:
        raise InputError(f"{name}={given} is less than {least}", remedy=f"Give {least} or more.")


def require_seed(seed: object) -> None:
    """Refuse a seed that a solver would choke on, which would cost a proof an engine.

    Raises:
        InputError: it is no whole number, too small or too great.
    """
    if isinstance(seed, bool) or not isinstance(seed, SupportsIndex) or not 0 <= index(seed) <= MAX_SEED:
        raise InputError(
            f"the seed {brief(seed)} is out of range", remedy=f"Give a whole number from 0 to {MAX_SEED:,}."
        )


def require_path(given: object) -> None:
    """Refuse what names no file.

    Raises:
        InputError: it is neither a text nor a path.
    """
    if not isinstance(given, str | os.PathLike):
        raise InputError(f"{brief(given)} is no path", remedy="Give the path of a file or folder in quotes.")


def several(name: str, given: object, example: str) -> tuple[Any, ...]:
    """What was given where several may be: one path or text is one of them, not its letters.

    Raises:
        InputError: it is neither one nor several.
    """
    if isinstance(given, str | os.PathLike):
        return (given,)
    if not isinstance(given, Iterable):
        raise InputError(f"{name}={brief(given)} is no list", remedy=f"Write {name}={example}.")
    return tuple(given)


def in_python(text: str) -> str:
    """A text for a reader who calls functions."""
    for option, argument in ARGUMENTS.items():
        text = text.replace(option, argument)
    text = _FLAG.sub(lambda found: f"{found[1].replace('-', '_')}=True", text)
    return _VALUED.sub(_argument, text)


def _argument(option: re.Match[str]) -> str:
    name, value = option[1].replace("-", "_"), option[2]
    if value is None:
        return name
    return f"{name}={value if value.isupper() and value != 'UTC' else json.dumps(value.strip(chr(39)))}"


@contextmanager
def as_arguments() -> Iterator[None]:
    """Let an error name the arguments of functions in the place of the options of commands."""
    try:
        yield
    except ExpressionError as error:  # whose reason is about the text of an expression alone
        error.remedy = in_python(error.remedy)
        raise
    except InputError as error:
        error.reason, error.remedy = in_python(error.reason), in_python(error.remedy)
        error.place = in_python(error.place)
        error.args = (error.reason,)
        raise
