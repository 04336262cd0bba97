"""Compiled formulas on finite streams: read once and then asked many times.

`semantics.carlson_lisper.finite` interprets a formula anew for every candidate. Here truth values are functions of the
candidate: the formula is interpreted once, by the same `interpret`, and yields a function that is an order of magnitude
faster. An element is the name of a slot in an environment, and a quantifier fills a slot of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import count
from operator import itemgetter
from typing import Any

from semantics.carlson_lisper.operators import BOUND_NAME, Comprehension
from semantics.formulas import RELATIONS, Formula, Scope, interpret, quantified_streams

Environment = dict[str, Any]
"""What the slots hold by name: instances or intervals, streams of them, and the bound."""

Test = Callable[[Environment], bool]
Time = Callable[[Environment], int]


class _StagedLogic:
    """Truth values and times are functions of an environment, elements are names of its slots."""

    def start(self, element: str) -> Time:
        return lambda environment: environment[element].start

    def end(self, element: str) -> Time:
        return lambda environment: environment[element].end

    def join(self, left: str, right: str) -> str:
        raise TypeError("a condition speaks of instances that are given, not of their unions")

    def subtract(self, left: Time, right: Time) -> Time:
        return lambda environment: left(environment) - right(environment)

    def compare(self, relation: str, left: Time, right: Time) -> Test:
        holds = RELATIONS[relation]
        return lambda environment: holds(left(environment), right(environment))

    def same(self, left: str, right: str) -> Test:
        return lambda environment: environment[left] == environment[right]

    def every(self, parts: Iterable[Test]) -> Test:
        tests = tuple(parts)
        if not tests:
            return lambda _: True
        if len(tests) == 2:
            first, second = tests
            return lambda environment: first(environment) and second(environment)
        return lambda environment: all(test(environment) for test in tests)

    def either(self, parts: Iterable[Test]) -> Test:
        tests = tuple(parts)
        return lambda environment: any(test(environment) for test in tests)

    def negate(self, part: Test) -> Test:
        return lambda environment: not part(environment)


class _StagedStream:
    """A stream of the environment, over which a quantifier runs through a slot of its own."""

    def __init__(self, name: str, slots: Iterator[int]) -> None:
        self.name = name
        self.slots = slots

    def member(self, element: str) -> Test:
        return lambda environment: environment[element] in environment[self.name]

    def some(self, body: Callable[[str], Test]) -> Test:
        return self._run(body, wanted=True)

    def each(self, body: Callable[[str], Test]) -> Test:
        return self._run(body, wanted=False)

    def _run(self, body: Callable[[str], Test], *, wanted: bool) -> Test:
        name, slot = self.name, f"#{next(self.slots)}"
        test = body(slot)

        def search(environment: Environment) -> bool:
            for element in environment[name]:
                environment[slot] = element
                if test(environment) is wanted:
                    return wanted
            return not wanted

        return search


_LOGIC = _StagedLogic()


def staged(
    formula: Formula, *, elements: Iterable[str] = (), streams: Iterable[str] = (), times: Iterable[str] = ()
) -> Test:
    """A function that tells whether a formula holds in an environment.

    Args:
        elements: the names of instances or intervals that no quantifier binds.
        streams: the names of streams.
        times: the names of times.
    """
    slots = count()
    scope = Scope(
        {name: name for name in elements},
        {name: _StagedStream(name, slots) for name in streams},
        {name: itemgetter(name) for name in times},
    )
    return interpret(formula, _LOGIC, scope)


@cache
def staged_condition(comprehension: Comprehension) -> Test:
    """A function that tells whether the condition of a comprehension holds in an environment.

    The environment has to hold the range variables, the streams that the condition quantifies over and the bound τ, by
    the names that they have in the definition.
    """
    condition = comprehension.condition
    ranged = (variable for variable, _ in comprehension.ranges)
    return staged(condition, elements=ranged, streams=quantified_streams(condition), times=(BOUND_NAME,))
