"""Redirection of what other code prints to standard error: standard output is for results.

A detector from outside may print at any step. What it prints is redirected in Python and below it, so that C
libraries and forked processes are heard there too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout, suppress
from io import UnsupportedOperation
from typing import Any, TypeAlias

Lifted: TypeAlias = Callable[[], AbstractContextManager[None]]
"""Makes a context in which standard output is standard output again, for what the command itself prints."""


@contextmanager
def output_aside() -> Iterator[Lifted]:
    """Have everything that is printed go to standard error; gives what makes an exception for our own results.

    Where both are one terminal it makes no difference, and nothing is done: the display of progress wants to know what
    is printed there. A stream that is not the one of the process is redirected in Python alone.
    """
    results = ours = sys.stdout
    if ours.isatty() and sys.stderr.isatty():
        yield nullcontext
        return
    ours.flush()
    with suppress(OSError, UnsupportedOperation, AttributeError, ValueError):
        if (ours.fileno(), sys.stderr.fileno()) == (1, 2):
            results = os.fdopen(os.dup(1), "w", encoding=ours.encoding, errors=ours.errors)
            os.dup2(2, 1)

    @contextmanager
    def lifted() -> Iterator[None]:
        with redirect_stdout(results):
            yield
            results.flush()

    try:
        with redirect_stdout(sys.stderr):
            yield lifted
    finally:
        if results is not ours:
            sys.stderr.flush()
            ours.flush()  # what was printed past us, and is still there, is not ours
            os.dup2(results.fileno(), 1)
            results.close()


class Aside:
    """A detector whose own printing goes to standard error, while others print results beside it."""

    def __init__(self, factory: Callable[..., Any], *given: Any) -> None:
        with redirect_stdout(sys.stderr):
            self._detector = factory(*given)

    def step(self, time: int, occurrences: Mapping[str, Any]) -> Any:
        """What it reports."""
        ours, sys.stdout = sys.stdout, sys.stderr  # in less time than a context takes
        try:
            return self._detector.step(time, occurrences)
        finally:
            sys.stdout = ours

    def __getattr__(self, name: str) -> Any:
        """The same of the detector; what is called prints aside too."""
        if name == "_detector":  # it was never made
            raise AttributeError(name)
        found = getattr(self._detector, name)

        def called(*arguments: Any, **named: Any) -> Any:
            with redirect_stdout(sys.stderr):
                return found(*arguments, **named)

        return called if callable(found) else found
