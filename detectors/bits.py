"""The number of the lowest and of the highest bit of a word, as instructions of the processor; needs Numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload


@intrinsic
def lowest(context: Any, bits: Any) -> Any:
    """The number of the lowest bit that is set; there must be one."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


@intrinsic
def highest(context: Any, bits: Any) -> Any:
    """The number of the highest bit that is set; there must be one."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.uint64), generate


def replace(function: Callable[[Any], int], instruction: Any) -> None:
    """Let compiled code use an instruction where it calls a function of one argument called `bits`."""
    # Numba wants the same signature twice, which annotations would make two.
    overload(function)(lambda bits: lambda bits: instruction(bits))
