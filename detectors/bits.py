"""What the processor has instructions for, and Python has not: bits of words, 64 letters at once; needs Numba."""

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


@intrinsic
def occurring(context: Any, letters: Any, place: Any, mask: Any) -> Any:
    """A bit for each of the 64 letters from a place on: whether it has one of the bits of a mask."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, place, mask = arguments
        letter = ir.IntType(letters.dtype.bitwidth)
        vector = ir.VectorType(letter, 64)
        data = context.make_array(letters)(context, builder, array).data
        word = builder.load(builder.bitcast(builder.gep(data, [place]), vector.as_pointer()))
        word.align = letters.dtype.bitwidth // 8
        wanted = mask if letter.width == 64 else builder.trunc(mask, letter)
        one = builder.insert_element(
            ir.Constant(vector, ir.Undefined), wanted, ir.Constant(ir.IntType(32), 0)
        )
        each = ir.Constant(ir.VectorType(ir.IntType(32), 64), [0] * 64)
        every = builder.shuffle_vector(one, one, each)
        found = builder.icmp_unsigned("!=", builder.and_(word, every), ir.Constant(vector, [0] * 64))
        return builder.bitcast(found, ir.IntType(64))

    return types.uint64(letters, types.int64, types.uint64), generate


def replace(function: Callable[[Any], int], instruction: Any) -> None:
    """Let compiled code use an instruction where it calls a function of one argument called `bits`."""
    # Numba wants the same signature twice, which annotations would make two.
    overload(function)(lambda bits: lambda bits: instruction(bits))


def replace_search(function: Callable[[Any, int, Any], Any], instruction: Callable[..., Any]) -> None:
    """Let compiled code use instructions where it calls a function of `letters`, `place` and `mask`."""
    overload(function)(
        lambda letters, place, mask: lambda letters, place, mask: instruction(letters, place, mask)
    )
