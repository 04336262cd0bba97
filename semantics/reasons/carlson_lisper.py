"""Derivations of detections operator by operator (Def. 3.10, 3.11), and the nearest misses where there is none.

The streams of all subexpressions are restricted early, which loses no start and no end of a detection (Thm 4.6): of
each there is at most one instance at each end, the one with the latest start, so that nothing is ever enumerated.

What is missing where no instance of E ends in some times, at T or until T, is the *nearest miss*, which is exact:

- of an event type: there is none in these times; the last one before and the first one after are named.
- `A | B`: the misses of both in these times.
- `A + B`: where one ends in these times, the miss of the other until their end; else the misses of both in them.
- `A ; B`: the miss of B in these times. If there is none, the B with the latest start in them is taken, and what is
  missing is an A that ends before this start: the miss of A until then.
- `A - B`: the miss of A in these times; else the last A in them, and of the Bs that lie within it the one that ends
  last.
- `A[t]`: the miss of A in these times; else the shortest A in them, the last of several.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import accumulate
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from semantics.carlson_lisper.expressions import Bound, Expression, Identifier, Operation, evaluate_bound, fold
from semantics.carlson_lisper.occurrences import Interpretation, Occurrence, Time
from semantics.events import Interval, in_ticks, quoted
from semantics.reasons.claims import Reason, Reasons, Shown, spanned, stamp
from semantics.traces.rows import shortened

LONGEST = 48  # characters of a subexpression before what is said of it
SAID = {"dis": "one of the two", "con": "both", "seq": "one ends before the other one starts"}
SAID["neg"] = "nothing forbidden lies within"


class Ends(NamedTuple):
    """Times in which instances end: from the first (None: from the beginning) to the last, which may be excluded."""

    first: Time | None
    last: Time
    included: bool = True


Two: TypeAlias = tuple[Interval | None, Interval | None]


class Restricted:
    """A valid restriction of a stream (Def. 3.12) by its intervals, in the order of their ends."""

    def __init__(self, intervals: Iterable[Interval]) -> None:
        self.intervals = list(intervals)
        self.at: dict[Time, Interval] = {each.end: each for each in self.intervals}
        self._ends = list(self.at)
        self._latest: list[Interval] = [*accumulate(self.intervals, lambda *two: max(two, key=itemgetter(0)))]

    def within(self, ends: Ends) -> list[Interval]:
        """The intervals that end in some times."""
        return self.intervals[slice(*self._places(ends))]

    def latest(self, ends: Ends) -> Interval | None:
        """The interval with the latest start among those that end up to the last of some times: the first one."""
        stop = self._places(ends)[1]
        return self._latest[stop - 1] if stop else None

    def beside(self, ends: Ends) -> Two:
        """The last interval that ends before some times, and the first one after them."""
        first, stop = self._places(ends)
        return self.intervals[first - 1] if first else None, next(iter(self.intervals[stop : stop + 1]), None)

    def _places(self, ends: Ends) -> tuple[int, int]:
        first = 0 if ends.first is None else bisect_left(self._ends, ends.first)
        return first, (bisect_right if ends.included else bisect_left)(self._ends, ends.last)


def parts(operator: str, operands: Sequence[Restricted], end: Time, bound: int = 0) -> Two | None:
    """The operands' instances of the one with the latest start that ends at a time, chosen as in Figure 2, if any."""
    s, t = operands[0], operands[-1]
    left, right = s.at.get(end), t.at.get(end)
    match operator:
        case "dis":
            if left is not None and (right is None or left.start > right.start):
                return left, None
            return None if right is None else (None, right)
        case "con" if left is not None and (right is None or right.start <= left.start):
            other = t.latest(Ends(None, end))
            return None if other is None else (left, other)
        case "con" | "seq":
            limit = Ends(None, end) if operator == "con" or right is None else Ends(None, right.start, False)
            other = None if right is None else s.latest(limit)
            return None if other is None else (other, right)
        case "neg":
            inside = t.latest(Ends(None, end))
            return None if left is None or (inside is not None and inside.start >= left.start) else (left, None)
        case _:
            return None if left is None or left.end - left.start > bound else (left, None)


def restricted(expression: Expression, interpretation: Interpretation) -> dict[Expression, Restricted]:
    """A valid restriction of each subexpression, of its operands restricted before (Thm 4.6)."""
    found: dict[Expression, Restricted] = {}

    def primitive(name: str) -> Restricted:
        return Restricted(Interval(time, time) for time in sorted(each.end for each in interpretation[name]))

    def operation(operator: str, operands: Sequence[Restricted], bound: Bound | None) -> Restricted:
        ended = operands if operator in ("dis", "con") else operands[-1:] if operator == "seq" else operands[:1]
        ends = sorted({each.end for stream in ended for each in stream.intervals})
        made = ([one for one in each if one] for end in ends if (each := parts(operator, operands, end, _ticks(bound))))
        return Restricted(each[0] if len(each) == 1 else each[0].join(each[1]) for each in made)

    fold(expression, primitive, operation, found)
    return found


def _ticks(bound: Bound | None) -> int:
    return 0 if bound is None else evaluate_bound(bound)


def tree(expression: Expression) -> dict[str, Any]:
    """An expression as plain data: an event type, or an operator with its bound and its operands."""
    if isinstance(expression, Identifier):
        return {"event": expression.name}
    assert isinstance(expression, Operation)
    bound = {} if expression.bound is None else {"bound": evaluate_bound(expression.bound)}
    operands = [tree(operand) for operand in expression.operands]
    return {"operator": expression.definition.symbol or "[t]", **bound, "operands": operands}


class Derivations:
    """What is found of a pattern in a trace, and why."""

    def __init__(self, pattern: Expression, trace: Interpretation, shown: Shown = in_ticks) -> None:
        self.pattern, self._shown, self._restricted = pattern, shown, restricted(pattern, trace)
        each = (occurrence for stream in trace.values() for one in stream for occurrence in one.occurrences)
        self._occurrences: dict[tuple[str, Time], Occurrence] = {(one.event, one.time): one for one in each}

    def at(self, time: Time) -> Reasons:
        """The derivation of each detection at a tick, of which there are several where rows have an order in it."""
        ends, stream = Ends(time, time), self._restricted[self.pattern]
        beside = stream.beside(ends)
        shown = ("none" if one is None else self._span(one) for one in beside)
        said = "the last detection before: {}; the next one: {}".format(*shown)
        near = {name: one and self._interval(one) for name, one in zip(("before", "after"), beside, strict=True)}
        answers = [self.instance(self.pattern, found) for found in stream.within(ends)]
        missed = [] if answers else [self.none(self.pattern, ends)]
        latest = "no instance that ends then starts later: this is what `detect` reports"
        there = any(at == time for _, at in self._occurrences)
        first = latest if answers else "" if there else f"there is no row of its event types at {self._shown(time)}"
        return Reasons(answers, missed, [each for each in (first, said) if each], {"tree": tree(self.pattern), **near})

    def instance(self, node: Expression, found: Interval, operand: int = 0) -> Reason:
        """The derivation of the instance of a subexpression in its restriction that has an interval."""
        data = {"claim": "instance", "operand": operand, **self._interval(found)}
        if isinstance(node, Identifier):
            one = self._occurrences[node.name, found.end]
            return Reason(self._text(node, found), {**data, "event": one.event, "value": one.value})
        assert isinstance(node, Operation)
        streams = [self._restricted[operand] for operand in node.operands]
        made = parts(node.operator, streams, found.end, _ticks(node.bound)) or (None, None)
        grounds = [
            self.instance(each, one, place)
            for place, (each, one) in enumerate(zip(node.operands, made, strict=False))
            if one is not None
        ]
        if node.operator == "neg":
            grounds.append(self._absent(node.operands[1], found))
        words = SAID.get(node.operator) or self._taken(node, found)
        return Reason(f"{self._label(node)}  {self._span(found)}: {words}", data, tuple(grounds))

    def none(self, node: Expression, ends: Ends, operand: int = 0) -> Reason:
        """The nearest miss of a subexpression of which no instance ends in some times."""
        which = "at" if ends.first is not None else "up to" if ends.included else "before"
        when = f"{which} {self._shown(ends.last)}"
        if isinstance(node, Operation):
            said, grounds = self._miss(node, ends)
            text = f"{self._label(node)}  none ends {when}: {said}"
        else:
            near = self._beside(node, self._restricted[node].beside(ends))
            text, grounds = f"no {self._label(node)} {when}{near}", ()
        last = {"to" if ends.included else "before": stamp(ends.last)}
        return Reason(text, {"claim": "none", "operand": operand, "from": ends.first, **last}, grounds, met=False)

    def _miss(self, node: Operation, ends: Ends) -> tuple[str, tuple[Reason, ...]]:
        """What is missing of an operation, in words, and its grounds."""
        streams = [self._restricted[operand] for operand in node.operands]
        s, t = streams[0], streams[-1]
        if node.operator in ("dis", "con"):
            found, until = [stream.within(ends) for stream in streams], ends._replace(first=None)
            grounds = tuple(
                self.instance(each, here[-1], place)
                if here
                else self.none(each, ends if node.operator == "dis" or stream.latest(ends) else until, place)
                for place, (each, stream, here) in enumerate(zip(node.operands, streams, found, strict=True))
            )
            return "one of the two is missing" if any(found) else "neither does", grounds
        if node.operator == "seq":
            here = t.within(ends)
            if not here:
                earlier = Ends(None, ends.last, included=False)
                before = s.latest(earlier)
                first = self.instance(node.operands[0], before) if before else self.none(node.operands[0], earlier)
                return "what comes last does not", (first, self.none(node.operands[1], ends, 1))
            last = max(here, key=lambda each: each.start)
            miss = self.none(node.operands[0], Ends(None, last.start, included=False))
            return f"nothing comes before {self._shown(last.start)}", (miss, self.instance(node.operands[1], last, 1))
        here = s.within(ends)
        if not here:
            return "its operand does not", (self.none(node.operands[0], ends),)
        if node.operator == "neg":
            whole, forbidden = here[-1], node.operands[1]
            inside = [each for each in t.within(Ends(whole.start, whole.end)) if each.start >= whole.start][-1]
            met = replace(self.instance(forbidden, inside, 1), met=False)
            said = f"{self._text(forbidden, inside)} lies within {self._span(whole)}"
            return said, (self.instance(node.operands[0], whole), met)
        whole = min(reversed(here), key=lambda each: each.end - each.start)
        return self._taken(node, whole), (self.instance(node.operands[0], whole),)

    def _absent(self, node: Expression, whole: Interval) -> Reason:
        """The claim that no instance of what is forbidden lies within an interval, with the nearest ones."""
        stream, ends = self._restricted[node], Ends(None, whole.end)
        near = (stream.latest(ends), stream.beside(ends)[1])
        said = f"no {self._label(node)} within {self._span(whole)}{self._beside(node, near)}"
        return Reason(said, {"claim": "none", "operand": 1, "within": [stamp(whole.start), stamp(whole.end)]})

    def _taken(self, node: Operation, found: Interval) -> str:
        return f"takes {found.end - found.start}, at most {_ticks(node.bound)}"

    def _beside(self, node: Expression, near: Two) -> str:
        said = [self._text(node, one) for one in near if one is not None]
        return f" (nearest: {', '.join(said)})" if said else " (there is none)"

    def _text(self, node: Expression, found: Interval) -> str:
        """An instance in words: an occurrence, or a subexpression and its interval."""
        if isinstance(node, Identifier):
            return self._occurrences[node.name, found.end].text(self._shown(found.end))
        return f"{self._label(node)} {self._span(found)}"

    def _label(self, node: Expression) -> str:
        return quoted(node.name) if isinstance(node, Identifier) else shortened(str(node), LONGEST)

    def _span(self, found: Interval) -> str:
        return spanned(*found, self._shown)

    def _interval(self, found: Interval) -> dict[str, Any]:
        return {"start": stamp(found.start), "end": stamp(found.end)}
