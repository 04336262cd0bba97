"""Arrangements of the endpoints of two instances, read off the conditions of the definitions.

Two instances have four endpoints. In which order these come, and which of them coincide, is their *arrangement*; there
are 26. A condition that depends on the order of endpoints is true or false of an arrangement. Reading a trace instant
by instant, the arrangement becomes known piece by piece: a *class* below is what has to be remembered of the pieces so
far, two beginnings with the same completions being one class. The languages of
`semantics.carlson_lisper.languages.languages` are built from
these classes, so that they follow whatever the definition says.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, Literal, TypeAlias

from semantics.carlson_lisper.finite import FINITE_LOGIC
from semantics.carlson_lisper.languages.conditions import NotAnIntervalLanguage, require_order
from semantics.events import Interval
from semantics.formulas import Formula, Scope, interpret

BEFORE, WITHIN, AFTER = range(3)
"""The status of an instance at an instant: not begun, begun and not ended, ended."""

DEAD = -1
"""In place of a class: no completion makes the condition true."""

COMPLETE = -2
"""In place of a class: the arrangement is complete and the condition true."""

STAY = -3
"""In place of a class: the same one; nothing begins or ends at the instant."""

_Endpoint: TypeAlias = tuple[str, Literal["start", "end"]]
_History: TypeAlias = tuple[frozenset[_Endpoint], ...]
"""The endpoints so far, those of one instant together."""


def _truth(condition: Formula, history: _History) -> bool:
    """The truth of a condition in a complete arrangement, numbered instants standing for times."""
    at = {endpoint: number for number, block in enumerate(history) for endpoint in block}
    variables = {variable for variable, _ in at}
    elements = {variable: Interval(at[variable, "start"], at[variable, "end"]) for variable in variables}
    return interpret(condition, FINITE_LOGIC, Scope(elements, {}, {}))


def _moves(status: int) -> tuple[tuple[bool, bool], ...]:
    """What an instant can be to an instance: whether it belongs to the instance, and whether this ends there."""
    if status == BEFORE:
        return ((False, False), (True, False), (True, True))
    return ((True, False), (True, True)) if status == WITHIN else ((False, False),)


def _block(variable: str, status: int, active: bool, ends: bool) -> frozenset[_Endpoint]:
    found: set[_Endpoint] = set()
    if active and status == BEFORE:
        found.add((variable, "start"))
    if ends:
        found.add((variable, "end"))
    return frozenset(found)


def _next(status: int, active: bool, ends: bool) -> int:
    return AFTER if ends else WITHIN if active else status


@dataclass(frozen=True)
class JoinOption:
    """One way in which an instant can belong to the two instances of a union.

    Attributes:
        first: whether the instant belongs to the first instance.
        second: whether it belongs to the second one.
        endings: per possible choice of those that end there, the class that is reached, or `COMPLETE`, or `STAY`.
    """

    first: bool
    second: bool
    endings: tuple[tuple[bool, bool, int], ...]


@dataclass(frozen=True)
class JoinShape:
    """The arrangements of two instances s and t that satisfy the condition of { s ∪ t | …, condition }.

    Attributes:
        statuses: per class, the status of s and that of t.
        options: per class, what the next instant can be.
        initial: the class before the first instant of the union, or `DEAD`.
    """

    statuses: tuple[tuple[int, int], ...]
    options: tuple[tuple[JoinOption, ...], ...]
    initial: int


@cache
def join_shape(condition: Formula, first: str, second: str) -> JoinShape:
    """The arrangements of two instances, named by their variables, that satisfy a condition.

    Raises:
        NotAnIntervalLanguage: the condition depends on more than the order of their endpoints.
    """
    require_order(condition, {first, second})
    numbers: dict[object, int] = {}
    statuses: list[tuple[int, int]] = []
    options: list[tuple[JoinOption, ...]] = []

    def reach(history: _History, one: int, two: int) -> int:
        if one == two == AFTER:
            return COMPLETE if _truth(condition, history) else DEAD
        found: dict[tuple[bool, bool], list[tuple[bool, bool, int]]] = {}
        for (active, ends), (other_active, other_ends) in product(_moves(one), _moves(two)):
            block = _block(first, one, active, ends) | _block(second, two, other_active, other_ends)
            if block:
                after = _next(one, active, ends), _next(two, other_active, other_ends)
                target = reach((*history, block), *after)
            else:  # the first instant of a union is one at which something begins
                target = STAY if history else DEAD
            if target != DEAD:
                found.setdefault((active, other_active), []).append((ends, other_ends, target))
        choices = tuple(JoinOption(*active, tuple(endings)) for active, endings in found.items())
        if all(target == STAY for option in choices for _, _, target in option.endings):
            return DEAD
        return _number(numbers, (one, two, choices), (statuses, (one, two)), (options, choices))

    initial = reach((), BEFORE, BEFORE)
    return JoinShape(tuple(statuses), tuple(options), initial)


def _number(numbers: dict[object, int], key: object, *lists: tuple[list[Any], object]) -> int:
    """The number of a class, which is appended to the lists if it is new."""
    if key not in numbers:
        numbers[key] = len(numbers)
        for values, value in lists:
            values.append(value)
    return numbers[key]


@dataclass(frozen=True)
class WithinOption:
    """One way in which an instant of an instance s can belong to a quantified instance t.

    Attributes:
        active: whether the instant belongs to t.
        endings: per possible choice whether t ends there: the class that is reached if s goes on (or `STAY` or
            `DEAD`), and whether the body of the quantifier is true if s ends there too.
    """

    active: bool
    endings: tuple[tuple[bool, int, bool], ...]


@dataclass(frozen=True)
class WithinShape:
    """The arrangements of an instance t within an instance s for which the body of a quantifier over t is true.

    Attributes:
        statuses: per class, the status of t; s is within its interval, or about to begin.
        options: per class, what the next instant of s can be.
        settled: per class, whether the body is true from the next instant on, wherever s ends.
        at_end: per class, whether t has begun and the body is true if both end at the same later instant.
        initial: the class before the first instant of s.
    """

    statuses: tuple[int, ...]
    options: tuple[tuple[WithinOption, ...], ...]
    settled: tuple[bool, ...]
    at_end: tuple[bool, ...]
    initial: int


@cache
def within_shape(body: Formula, outer: str, inner: str) -> WithinShape:
    """The arrangements that satisfy the body of a quantifier.

    Args:
        body: what is said of the two instances.

    Raises:
        NotAnIntervalLanguage: the body depends on more than the order of endpoints, or it is true of some instance that
            is not within the interval of s, so that the interval alone does not decide.
    """
    require_order(body, {outer, inner})
    _require_within(body, outer, inner)
    numbers: dict[object, int] = {}
    statuses: list[int] = []
    options: list[tuple[WithinOption, ...]] = []
    settled: list[bool] = []
    at_end: list[bool] = []

    def reach(history: _History, status: int) -> int:
        found: dict[bool, list[tuple[bool, int, bool]]] = {}
        for active, ends in _moves(status):
            block = _block(inner, status, active, ends)
            if not history:
                block |= _block(outer, BEFORE, active=True, ends=False)
            after = _next(status, active, ends)
            last = (*history, block | _block(outer, WITHIN, active=True, ends=True))
            true_now = after == AFTER and _truth(body, last)
            target = reach((*history, block), after) if block else STAY
            found.setdefault(active, []).append((ends, target, true_now))
        choices = tuple(WithinOption(active, tuple(endings)) for active, endings in found.items())
        endings = [ending for option in choices for ending in option.endings]
        if all(target in (STAY, DEAD) and not true_now for _, target, true_now in endings):
            return DEAD
        always = (
            status == AFTER
        )  # a class that is not dead: the only instant there can be makes the body true
        together = status == WITHIN and any(ends and true_now for ends, _, true_now in endings)
        return _number(
            numbers,
            (status, choices),
            (statuses, status),
            (options, choices),
            (settled, always),
            (at_end, together),
        )

    initial = reach((), BEFORE)
    return WithinShape(tuple(statuses), tuple(options), tuple(settled), tuple(at_end), initial)


def _require_within(body: Formula, outer: str, inner: str) -> None:
    for start, end, other_start, other_end in product(range(4), repeat=4):
        if start <= end and other_start <= other_end and not start <= other_start <= other_end <= end:
            elements = {outer: Interval(start, end), inner: Interval(other_start, other_end)}
            if interpret(body, FINITE_LOGIC, Scope(elements, {}, {})):
                raise NotAnIntervalLanguage("looks at instances beyond the interval of the result")
