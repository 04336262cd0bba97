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
    "--intervals": "intervals=True",
    "--detector auto": 'detector="auto"',
    "--primitive": "primitive",
    "on the command line": "in the call",
}
"""What the options of the command line are here."""


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
