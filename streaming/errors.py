"""Refusals of the input, on their way from a worker of Spark to the user as the message they are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

from semantics.errors import InputError

_MARKED = re.compile(r"<<remora (\{.*?\}) remora>>")


class Refused(Exception):
    """An `InputError` in the form in which it survives being quoted by Python, Java and Python again."""

    def __init__(self, error: InputError) -> None:
        parts = {"place": error.place, "reason": error.reason, "remedy": error.remedy}
        # The JSON is ASCII on one line, and cannot contain the mark at its end.
        super().__init__(f"<<remora {json.dumps(parts).replace('>', chr(92) + 'u003e')} remora>>")


class StreamFailed(Exception):
    """Spark or the disk failed; `reason` says why in plain words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@contextmanager
def refusing() -> Iterator[None]:
    """In a worker: let an `InputError` travel."""
    try:
        yield
    except InputError as error:
        raise Refused(error) from None


def explained(error: Exception) -> InputError | StreamFailed:
    """On the driver: what an error of a query means to the user."""
    text = str(error)
    found = _MARKED.search(text)
    if found is not None:
        parts = json.loads(found[1])
        return InputError(parts["reason"], place=parts["place"], remedy=parts["remedy"])
    return StreamFailed(_innermost(text))


def _innermost(text: str) -> str:
    """The line that says what happened first: the last one of a Python traceback, or the first of all."""
    head = text.partition("=== Streaming Query ===")[0]
    lines = [line.strip() for line in head.splitlines() if line.strip()]
    errors = [line for line in lines if re.match(r"[\w.]*(Error|Exception|Interrupt)\b", line)]
    return (errors or lines or ["Spark gave no reason"])[-1 if errors else 0]
