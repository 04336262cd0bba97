"""Values of many traces in the processor's vector registers, for compiled code; needs Numba.

Compiled code may compare, add and select `Lanes` as if they were numbers. A number becomes lanes where it meets some,
and lanes become outcomes where they are tested: Numba converts them as it converts an integer to a float.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core.typeconv.castgraph import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, lower_cast, models, register_model

from detectors.carlson_lisper.fast.bits import element, in_each, loaded
from detectors.carlson_lisper.fast.planes import LINE

COMPARISONS = {
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
    operator.eq: "==",
    operator.ne: "!=",
}

ARITHMETIC: dict[Callable[[Any, Any], Any], str] = {
    operator.add: "add",
    operator.sub: "sub",
    operator.and_: "and_",
    operator.or_: "or_",
}


class Lanes(types.Type):
    """One value for each of some traces.

    Attributes:
        kind: Numba's type of one value; `boolean` for the outcome of a comparison.
        count: the number of traces.
    """

    def __init__(self, kind: Any, count: int) -> None:
        self.kind = kind
        self.count = count
        super().__init__(f"Lanes({kind}, {count})")

    @property
    def outcomes(self) -> Lanes:
        """The type of what a comparison of such lanes says."""
        return Lanes(types.boolean, self.count)

    @property
    def vector(self) -> Any:
        """The type of a register that holds them."""
        return ir.VectorType(ir.IntType(1 if self.kind == types.boolean else self.kind.bitwidth), self.count)

    def can_convert_from(self, context: Any, other: Any) -> Conversion | None:
        """A number becomes the same in each lane; a value becomes whether it is not 0."""
        becomes_outcomes = (
            self.kind == types.boolean and isinstance(other, Lanes) and other.count == self.count
        )
        is_number = isinstance(other, types.Integer | types.Boolean)
        return Conversion.promote if becomes_outcomes or is_number else None


@register_model(Lanes)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, lanes: Lanes) -> None:
        super().__init__(manager, lanes, lanes.vector)  # type: ignore[no-untyped-call]


def _number_to_lanes(context: Any, builder: Any, number_type: Any, lanes: Lanes, number: Any) -> Any:
    return in_each(builder, context.cast(builder, number, number_type, lanes.kind), lanes.vector)


def _lanes_to_outcomes(context: Any, builder: Any, known: Lanes, wanted: Lanes, lanes: Any) -> Any:
    return builder.icmp_unsigned("!=", lanes, ir.Constant(known.vector, [0] * known.count))


lower_cast(types.Integer, Lanes)(_number_to_lanes)
lower_cast(types.Boolean, Lanes)(_number_to_lanes)
lower_cast(Lanes, Lanes)(_lanes_to_outcomes)


def _among(operands: tuple[Any, ...]) -> Lanes | None:
    """The type of the lanes among some operands, which the others become."""
    return next((operand for operand in operands if isinstance(operand, Lanes)), None)


def _register(operation: Callable[[Any, Any], Any], *, compares: bool) -> None:
    class Template(AbstractTemplate):
        def generic(self, operands: tuple[Any, ...], named: Any) -> Any:
            lanes = _among(operands)
            return lanes and signature(lanes.outcomes if compares else lanes, lanes, lanes)

    infer_global(operation)(Template)

    def emit(context: Any, builder: Any, types_of: Any, operands: Any) -> Any:
        if not compares:
            return getattr(builder, ARITHMETIC[operation])(*operands)
        compare = builder.icmp_signed if types_of.args[0].kind.signed else builder.icmp_unsigned
        return compare(COMPARISONS[operation], *operands)

    lower_builtin(operation, Lanes, Lanes)(emit)


for _operation in COMPARISONS:
    _register(_operation, compares=True)
for _operation in ARITHMETIC:
    _register(_operation, compares=False)


def selection(number: type[Any]) -> Any:
    """A function `where(test, yes, no)` of lanes, or of what is the same in all, with values of a type of NumPy's."""
    kind = numba.from_dtype(number)

    @intrinsic
    def where(context: Any, test: Any, yes: Any, no: Any) -> Any:
        lanes = _among((test, yes, no))
        values = Lanes(kind, lanes.count) if lanes else kind
        outcomes = values.outcomes if lanes else types.boolean

        def generate(context: Any, builder: Any, types_of: Any, arguments: Any) -> Any:
            return builder.select(*arguments)

        return values(outcomes, values, values), generate

    return where


@intrinsic(prefer_literal=True)
def load(context: Any, array: Any, place: Any, count: Any) -> Any:
    """So many elements of a contiguous array of one dimension, from a place on."""
    if not isinstance(count, types.IntegerLiteral):
        return None
    lanes = Lanes(array.dtype, count.literal_value)

    def generate(context: Any, builder: Any, types_of: Any, arguments: Any) -> Any:
        return loaded(context, builder, array, arguments[0], arguments[1], lanes.vector)

    return lanes(array, types.intp, count), generate


def _writing(near: bool) -> Any:
    @intrinsic(prefer_literal=True)
    def write(context: Any, array: Any, place: Any, values: Any, count: Any) -> Any:
        if not isinstance(count, types.IntegerLiteral):
            return None
        lanes = Lanes(array.dtype, count.literal_value)

        def generate(context: Any, builder: Any, types_of: Any, arguments: Any) -> Any:
            pointer = element(context, builder, array, arguments[0], arguments[1], lanes.vector)
            line = min(LINE, lanes.count * lanes.kind.bitwidth // 8)
            written = builder.store(arguments[2], pointer, align=lanes.kind.bitwidth // 8 if near else line)
            if not near:
                once = builder.module.add_metadata([ir.Constant(ir.IntType(32), 1)])
                written.set_metadata("nontemporal", once)
            return context.get_dummy_value()

        return types.void(array, types.intp, lanes, count), generate

    return write


store = _writing(near=True)
"""Writes so many lanes, or a number in each, to a contiguous array of one dimension, from a place on."""

stream = _writing(near=False)
"""The same past the cache: for what is not read again soon, in an array that begins with a line of the cache."""
