"""Processor instructions for bits of words, vectors and memory; needs Numba."""

from __future__ import annotations

import inspect
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


def in_each(builder: Any, number: Any, vector: Any) -> Any:
    """A vector with a number in each element."""
    empty = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(empty, number, ir.Constant(ir.IntType(32), 0))
    every = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
    return builder.shuffle_vector(first, empty, every)


def element(context: Any, builder: Any, array_type: Any, array: Any, place: Any, wanted: Any) -> Any:
    """A pointer to what lies at a place of a contiguous array, as something of a type."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [place]), wanted.as_pointer())


def loaded(context: Any, builder: Any, array_type: Any, array: Any, place: Any, vector: Any) -> Any:
    """The elements of a contiguous array from a place on, as many as are in a vector."""
    pointer = element(context, builder, array_type, array, place, vector)
    return builder.load(pointer, align=array_type.dtype.bitwidth // 8)


@intrinsic
def occurring(context: Any, letters: Any, place: Any, mask: Any) -> Any:
    """A bit for each of the 64 letters from a place on: whether it has one of the bits of a mask."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, place, mask = arguments
        letter = ir.IntType(letters.dtype.bitwidth)
        vector = ir.VectorType(letter, 64)
        word = loaded(context, builder, letters, array, place, vector)
        every = in_each(builder, mask if letter.width == 64 else builder.trunc(mask, letter), vector)
        found = builder.icmp_unsigned("!=", builder.and_(word, every), ir.Constant(vector, [0] * 64))
        return builder.bitcast(found, ir.IntType(64))

    return types.uint64(letters, types.int64, types.uint64), generate


@intrinsic
def earlier(context: Any, column: Any, place: Any, time: Any) -> Any:
    """How many of the eight times from a place on are before a time."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, place, time = arguments
        vector = ir.VectorType(ir.IntType(64), 8)
        times = loaded(context, builder, column, array, place, vector)
        before = builder.icmp_signed("<", times, in_each(builder, time, vector))
        return builder.zext(builder.ctpop(builder.bitcast(before, ir.IntType(8))), ir.IntType(64))

    return types.int64(column, types.int64, types.int64), generate


@intrinsic
def prefetch(context: Any, column: Any, place: Any) -> Any:
    """Bring an element of an array nearer, which may lie behind its end."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array, place = arguments
        byte, number = ir.IntType(8), ir.IntType(32)
        name = "llvm.prefetch.p0"
        function = builder.module.globals.get(name) or ir.Function(
            builder.module, ir.FunctionType(ir.VoidType(), [byte.as_pointer(), number, number, number]), name
        )
        reading, keeping, data = ir.Constant(number, 0), ir.Constant(number, 3), ir.Constant(number, 1)
        builder.call(
            function, [element(context, builder, column, array, place, byte), reading, keeping, data]
        )
        return context.get_dummy_value()

    return types.void(column, types.int64), generate


def replace(function: Callable[..., Any], instruction: Callable[..., Any]) -> None:
    """Let compiled code use an instruction where it calls a function."""
    # Numba wants the same signature twice, which annotations would make two.
    calls: dict[int, Callable[..., Any]] = {
        1: lambda one: lambda one: instruction(one),
        2: lambda one, two: lambda one, two: instruction(one, two),
        3: lambda one, two, three: lambda one, two, three: instruction(one, two, three),
    }
    overload(function)(calls[len(inspect.signature(function).parameters)])
