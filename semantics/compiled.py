"""Compilation of kernels by Numba where it is installed; the one place that knows whether it is.

A kernel is a plain function over numbers and arrays. With Numba it becomes machine code at its first call, which is
kept on disk for the next process; without, the very same function runs as Python.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, TypeVar

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])

AVAILABLE = find_spec("numba") is not None
"""Whether kernels are compiled. Numba itself is loaded only when a module with kernels is."""


def compiled(function: FunctionT) -> FunctionT:
    """A kernel in its compiled form, which other threads need not wait for; itself where Numba is missing."""
    if not AVAILABLE:
        return function
    kernel: FunctionT = import_module("numba").njit(cache=True, nogil=True)(function)
    return kernel


def callable_from_compiled(function: FunctionT) -> FunctionT:
    """The function as it is, which kernels may call from now on."""
    if AVAILABLE:
        import_module("numba.extending").register_jitable(function)
    return function


def is_compiled(module: Path, function: str) -> bool:
    """Whether machine code for a function of a module lies where Numba puts it: beside the module.

    It may still be of another version of the module or of Numba; then it is compiled again.
    """
    return any((module.parent / "__pycache__").glob(f"{module.stem}.{function}-*.nbi"))
