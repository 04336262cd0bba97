"""Calls that are given up when they execute too many lines: a wrong program may go on for ever."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, ParamSpec, TypeVar

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")


class Endless(RuntimeError):
    """More lines were executed than a right program needs."""


def limited(function: Callable[_Arguments, _Result], lines: int) -> Callable[_Arguments, _Result]:
    """The function, ended by `Endless` when it and what it calls execute more lines of Python than a limit.

    Lines and not seconds, so that the same call ends in the same way on every machine. Whoever traces the thread, such
    as a debugger, does not see these lines.
    """

    def called(*arguments: _Arguments.args, **named: _Arguments.kwargs) -> _Result:
        left = lines

        def watch(frame: FrameType, event: str, _: object) -> Any:
            nonlocal left
            left -= event == "line"
            if left < 0:
                raise Endless(f"it does not end within {lines} lines")
            return watch

        before = sys.gettrace()
        sys.settrace(watch)
        try:
            return function(*arguments, **named)
        finally:
            sys.settrace(before)

    return called
