"""Remedies name options of the command line; here they name the arguments of functions that say the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from semantics.errors import ExpressionError, InputError

ARGUMENTS = {
    "--sort": "sort=True",
    "--same-time first": 'same_time="first"',
    "--same-time last": 'same_time="last"',
    "--partition-by COLUMN": "remora.read_traces(path, COLUMN)",
    "with --partition-by": "as partition_by",
    "--intervals": "intervals=True",
    "--detector auto": 'detector="auto"',
    "--primitive": "primitive",
    "on the command line": "in the call",
}
"""What the options of the command line are here."""

MAX_SEED = 2**32 - 1
"""The greatest seed that every solver takes."""


def require_seed(seed: int) -> None:
    """Refuse a seed that a solver would choke on, which would cost a proof an engine.

    Raises:
        InputError: it is too small or too great.
    """
    if not 0 <= seed <= MAX_SEED:
        raise InputError(f"the seed {seed} is out of range", remedy=f"Give one from 0 to {MAX_SEED:,}.")


def in_python(text: str) -> str:
    """A text for a reader who calls functions."""
    for option, argument in ARGUMENTS.items():
        text = text.replace(option, argument)
    return text


@contextmanager
def as_arguments() -> Iterator[None]:
    """Let an error name the arguments of functions in the place of the options of commands."""
    try:
        yield
    except ExpressionError:  # which is about the text of an expression alone
        raise
    except InputError as error:
        error.reason, error.remedy = in_python(error.reason), in_python(error.remedy)
        error.args = (error.reason,)
        raise
