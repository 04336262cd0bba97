"""Traces on which expressions with large bounds are likely to differ: few occurrences, times that the bounds suggest.

Automata count ticks, so bounds of thousands make them large. But what bounds tell apart are gaps about as long as a
bound, or as what one bound leaves of another. A trace of a few occurrences with such gaps is evaluated at once, and
whatever it shows is real; that nothing is found says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up, evaluate_bound
from semantics.carlson_lisper.occurrences import Occurrence

TRIES = 1500
"""How many traces are tried; about half a second of work."""

MOST_OCCURRENCES = 6

WORK = 300_000
"""So many operations are evaluated at most in trying traces, unless the fewest tries take more."""

FEWEST_TRIES = 20

Trace = tuple[Occurrence, ...]


def tries_of(expressions: Iterable[Expression]) -> int:
    """How many traces are tried for expressions: fewer for great ones, of which each try takes longer."""
    size = sum(len(bottom_up(expression)) for expression in expressions)
    return max(FEWEST_TRIES, min(TRIES, WORK // size))


def bounds_of(expressions: Iterable[Expression]) -> list[int]:
    """The distinct bounds in ground expressions, in ticks, ascending."""
    return sorted(
        {
            evaluate_bound(node.bound)
            for expression in expressions
            for node in bottom_up(expression)
            if isinstance(node, Operation) and node.bound is not None
        }
    )


def guessed_trace(
    names: Sequence[str],
    bounds: Sequence[int],
    differs: Callable[[Trace], bool],
    *,
    tries: int = TRIES,
    seed: int = 0,
) -> Trace | None:
    """A trace, from time 0, on which something differs; made smaller while it still does. None: none was found.

    Args:
        bounds: the bounds that matter, in ticks.
        differs: whether a trace shows the difference.
    """
    random = Random(seed)
    lengths = [0, *bounds]
    gaps = {abs(one - two) + near for one in lengths for two in lengths for near in (-1, 0, 1, 2)}
    usual = sorted(gap for gap in gaps if gap >= 0)
    for _ in range(tries):
        time, found = 0, set[tuple[int, str]]()
        for _ in range(random.randint(1, MOST_OCCURRENCES)):
            found.add((time, random.choice(names)))
            time += random.choice((0, 1, 1, *random.choices(usual, k=3)))
        trace = _from_zero(found)
        if differs(trace):
            return _smaller(trace, usual, differs)
    return None


def _from_zero(pairs: Iterable[tuple[int, str]]) -> Trace:
    chosen = sorted(pairs)
    first = chosen[0][0]
    return tuple(Occurrence(name, time - first) for time, name in chosen)


def _smaller(trace: Trace, gaps: Sequence[int], differs: Callable[[Trace], bool]) -> Trace:
    """Leave out occurrences and shorten gaps as long as the trace still shows the difference."""

    def simpler(trace: Trace) -> Iterable[Trace]:
        pairs = [(occurrence.time, occurrence.event) for occurrence in trace]
        if len(pairs) > 1:
            for place in range(len(pairs)):
                yield _from_zero([*pairs[:place], *pairs[place + 1 :]])
        for place in range(1, len(pairs)):
            gap = pairs[place][0] - pairs[place - 1][0]
            less = {gap - (1 << power) for power in range(gap.bit_length())}
            for shorter in sorted({*(other for other in gaps if other < gap), gap // 2, *less} - {gap}):
                moved = [(time - gap + shorter, name) for time, name in pairs[place:]]
                if len({*pairs[:place], *moved}) == len(pairs):
                    yield _from_zero([*pairs[:place], *moved])

    while True:
        better = next((other for other in simpler(trace) if differs(other)), None)
        if better is None:
            return trace
        trace = better
