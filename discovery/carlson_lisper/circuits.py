"""Circuits: truth values as functions of two streams, so that an operator over a pool is made once and used often.

What a circuit computes with are bits, in an integer of any length or in an array of words: each bit is a case.
"""

from collections.abc import Callable, Iterable
from functools import reduce
from operator import and_, or_
from typing import Any, Generic, TypeAlias, TypeVar

from semantics.formulas import RELATIONS

StreamT = TypeVar("StreamT")  # What says in which cases a stream has each instance

Circuit: TypeAlias = Callable[[StreamT, StreamT], Any]  # The cases, given the streams S and T
Truth: TypeAlias = Circuit[StreamT] | bool


class Circuits(Generic[StreamT]):
    """The Boolean algebra of circuits, with `everything` as the bits of all cases; times are integers."""

    def __init__(self, everything: Any) -> None:
        self.everything = everything

    def subtract(self, left: int, right: int) -> int:
        return left - right

    def compare(self, relation: str, left: int, right: int) -> Truth[StreamT]:
        return RELATIONS[relation](left, right)

    def constant(self, value: bool) -> Truth[StreamT]:
        return value

    def every(self, parts: Iterable[Truth[StreamT]]) -> Truth[StreamT]:
        return _joined(parts, True, and_)

    def either(self, parts: Iterable[Truth[StreamT]]) -> Truth[StreamT]:
        return _joined(parts, False, or_)

    def negate(self, part: Truth[StreamT]) -> Truth[StreamT]:
        if isinstance(part, bool):
            return not part
        return lambda left, right: self.everything ^ part(left, right)

    def name(self, hint: str, part: Truth[StreamT]) -> Truth[StreamT]:
        return part

    def function(self, part: Truth[StreamT]) -> Circuit[StreamT]:
        """A truth value as a circuit."""
        if isinstance(part, bool):
            return lambda left, right: self.everything if part else self.everything ^ self.everything
        return part


def _joined(parts: Iterable[Truth[StreamT]], neutral: bool, join: Callable[[Any, Any], Any]) -> Truth[StreamT]:
    some = list[Circuit[StreamT]]()
    for part in parts:
        if not isinstance(part, bool):
            some.append(part)
        elif part is not neutral:
            return part
    if len(some) <= 1:
        return some[0] if some else neutral
    return lambda left, right: reduce(join, (part(left, right) for part in some))
