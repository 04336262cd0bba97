"""Cases: an expression and a trace to detect it in, determined by two numbers on every machine.

The expression and a witness for it grow together: occurrences that make it happen, and bounds that are a tick around
what the witness spans. Echoes of the witness and noise come on top; in most cases not where they would undo it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import ClassVar, TypeAlias

from campaigns.carlson_lisper.profiles import DEFAULT_PROFILES, PROFILES, Profile
from campaigns.choices import Source, Weights
from campaigns.systems import Features
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, identifiers, substitute
from semantics.carlson_lisper.occurrences import Interpretation, Occurrence, Time, Value, interpretation
from semantics.carlson_lisper.syntax import MAX_BOUND, parse

GENERATION = 8  # The version of the generation; it goes up when the same two numbers yield another case
EVENTS = "abcdefgh"  # The event types by name; a case uses the first few of them
MAX_INSTANTS = 300  # No usual trace has more distinct times
EMPTY = 1000  # Share of empty traces: one of so many


@dataclass(frozen=True)
class Case:
    """One case of a campaign; `restored` are the ticks before which a snapshot is restored, None if they follow."""

    seed: int
    number: int
    profile: str
    expression: Expression
    occurrences: tuple[Occurrence, ...]
    restored: tuple[Time, ...] | None = None

    system: ClassVar[str] = "carlson_lisper"

    @property
    def text(self) -> str:
        """The expression as text."""
        return str(self.expression)

    @property
    def fed_text(self) -> str:
        """Where snapshots are restored, on a line of its own; "" where that follows from the rest."""
        if self.restored is None:
            return ""
        said = [f"a snapshot restored before tick {tick}" for tick in self.restored]
        return "\n" + "; ".join([*said, f"{'the rest ' if said else ''}instant by instant"])

    @property
    def types(self) -> frozenset[str]:
        """The event types of the expression and of the trace."""
        return identifiers(self.expression) | {each.event for each in self.occurrences}

    def renamed(self, names: Mapping[str, str]) -> Case:
        """The case with other names for event types, of which several may get the same."""
        expression = substitute(self.expression, {name: Identifier(other) for name, other in names.items()})
        moved = [each._replace(event=names.get(each.event, each.event)) for each in self.occurrences]
        moved.sort(key=Occurrence.sort_key)
        kept = {(o.time, o.event): o for o in reversed(moved)}  # of several, the first one
        return replace(self, expression=expression, occurrences=tuple(kept.values())[::-1])

    @property
    def features(self) -> Features:
        """The features that the row of the case counts."""
        nodes = expressions.bottom_up(self.expression)
        operators = sorted({node.operator for node in nodes if isinstance(node, Operation)})
        return Features(tuple(operators), len({each.time for each in self.occurrences}), len(self.occurrences))

    @property
    def trace(self) -> Interpretation:
        """The trace as an interpretation."""
        return interpretation(self.occurrences)

    def instants(self) -> Iterator[tuple[Time, dict[str, Value]]]:
        """The instants with what occurs at them, in order of time: the input of a detector."""
        for time, group in groupby(self.occurrences, key=attrgetter("time")):
            yield time, {occurrence.event: occurrence.value for occurrence in group}

    @property
    def trace_text(self) -> str:
        """The occurrences in one line, such as `a@0 b(7)@3`."""
        return " ".join(map(str, self.occurrences))

    def __str__(self) -> str:
        return f"{self.expression}  in  {self.trace_text}"


def generate(seed: int, number: int, profiles: Weights[str] = DEFAULT_PROFILES) -> Case:
    """The case with a number in the campaign with a seed."""
    source = Source(f"{seed}:{number}")
    profile = source.weighted(profiles)
    return grown_case(seed, number, profile, PROFILES[profile], source)


def grown_case(seed: int, number: int, name: str, profile: Profile, source: Source) -> Case:
    """The case with a number, of a profile that goes by a name, by the choices of a source."""
    expression, occurrences = _Growth(source, profile).case()
    return Case(seed, number, name, expression, occurrences)


def _first_event(expression: Expression) -> str:
    while isinstance(expression, Operation):
        expression = expression.operands[0]
    assert isinstance(expression, Identifier)
    return expression.name


_Grown: TypeAlias = tuple[Expression, Time, Time]  # An expression, with the start and the end of a witness for it


class _Growth:
    def __init__(self, source: Source, profile: Profile) -> None:
        self.source, self.profile = source, profile
        self.types = source.between(*profile.types)
        self.names = profile.names or EVENTS
        self.unused = list(self.names[: self.types])
        self.planted: set[tuple[Time, str]] = set()
        self.quiet: list[tuple[Time, Time, Expression]] = []
        self.grown: list[tuple[int, Operation]] = []
        self.steady = ""

    def case(self) -> tuple[Expression, tuple[Occurrence, ...]]:
        source, profile = self.source, self.profile
        depth = source.between(*profile.depth)
        begin = source.weighted(profile.starts)
        if profile.expressions.choices:
            expression = parse(source.weighted(profile.expressions))
            start, end = self.plant(expression, begin)
        else:
            expression, start, end = self.grow(depth, begin)
        witness = frozenset(self.planted)
        self.fill(expression, start, end)
        for _ in range(source.weighted(profile.relapses)):
            end = self.relapse(witness, end)
        for _ in range(source.weighted(profile.echoes)):
            end = self.echo(start, end)
        self.noise(end)
        self.burst(end)
        self.stretch(end)
        if source.chance(profile.spared):
            self.spare(witness)
        return expression, self.occurrences()

    def grow(self, depth: int, time: Time, *, plant: bool = True, level: int = 0) -> _Grown:
        """An expression whose witness starts at the time or later; without `plant`, that sets bounds alone."""
        if self.grown and self.source.chance(self.profile.repeated):
            known = [operation for grown, operation in self.grown if grown <= depth]
            if known:
                return self.again(known, time, plant=plant)
        expression, start, end = self.new(depth, time, plant=plant, level=level)
        if isinstance(expression, Operation):
            self.grown.append((depth, expression))
        return expression, start, end

    def again(self, known: Sequence[Operation], time: Time, *, plant: bool) -> _Grown:
        """A subexpression that is there already, or the same with another bound and what tells the two apart."""
        bounded = [one for one in known if one.operator == "tim" and isinstance(one.operands[0], Operation)]
        if not bounded or self.source.chance(30):
            same = self.source.one(known)
            return same, *(self.plant(same, time) if plant else (time, time))
        nearly = self.source.one(bounded)
        (operand,), bound = nearly.operands, expressions.evaluate_bound(nearly.bound or 0)
        start, end = self.plant(operand, time) if plant else (time, time)
        other = end - start  # an instance that only the new bound allows is to be detected
        if other <= bound:  # or one that only the old bound allows is not
            other = other - 1 if end > start else bound + 1
        return Operation("tim", (operand,), min(other, MAX_BOUND)), start, end

    def new(self, depth: int, time: Time, *, plant: bool, level: int) -> _Grown:
        source, profile = self.source, self.profile
        if depth <= 0 or (level and source.chance(profile.leaves)):
            leaf = self.leaf()
            if plant:
                self.plant(leaf, time)
            return leaf, time, time
        operator = source.weighted(profile.operators[min(level, len(profile.operators) - 1)])
        if operator == "tim":
            inner, start, end = self.grow(depth - 1, time, plant=plant, level=level + 1)
            bound = min(max(0, end - start + source.weighted(profile.slack)), MAX_BOUND)
            return Operation("tim", (inner,), bound), start, end
        least, greatest = profile.second_depth
        other = min(greatest, source.between(min(least, depth - 1), depth - 1))
        if operator == "dis":
            return self.inversion(depth - 1, other, time, plant=plant, level=level + 1)
        if operator == "neg" and depth > 1 and source.chance(profile.enclosing):
            return self.enclosing(depth - 1, other, time, plant=plant, level=level + 1)
        first, second = depth - 1, other
        if operator != "neg" and source.chance(50):
            first, second = second, first
        left, start, end = self.grow(first, time, plant=plant, level=level + 1)
        if operator == "seq":
            begin = end + 1 + source.weighted(profile.gaps)
            right, _, last = self.grow(second, begin, plant=plant, level=level + 1)
            if plant and source.chance(profile.overlaps):
                self.plant(right, source.between(start, end))
            return Operation("seq", (left, right)), start, last
        if operator == "con":
            begin = source.between(start, end) if source.chance(50) else end + source.weighted(profile.gaps)
            right, begin, last = self.grow(second, begin, plant=plant, level=level + 1)
            return Operation("con", (left, right)), start, max(end, last)
        near = (start - 2, start - 1, start, end, end + 1)
        begin = source.between(start, end) if source.chance(50) else near[source.below(len(near))]
        blocked = plant and source.chance(profile.blocked)
        right, _, _ = self.grow(second, max(0, begin), plant=blocked, level=level + 1)
        if not blocked:
            right = self.apart(right, left)
        self.quiet.append((start, end, right))
        return Operation("neg", (left, right)), start, end

    def plant(self, expression: Expression, time: Time) -> tuple[Time, Time]:
        """Lets an expression happen from the time on, if its bounds allow; returns where that starts and ends."""
        source = self.source
        if isinstance(expression, Identifier):
            self.planted.add((time, expression.name))
            return time, time
        assert isinstance(expression, Operation)  # there is nothing else
        if expression.operator == "dis":
            return self.plant(expression.operands[source.below(2)], time)
        start, end = self.plant(expression.operands[0], time)
        if expression.operator == "seq":
            _, last = self.plant(expression.operands[1], end + 1 + source.weighted(self.profile.gaps))
            return start, last
        if expression.operator == "con":
            begin, last = self.plant(expression.operands[1], source.between(max(0, start - 2), end + 2))
            return min(start, begin), max(end, last)
        if expression.operator == "neg" and source.chance(self.profile.blocked):
            self.plant(expression.operands[1], source.between(max(0, start - 1), end + 1))
        return start, end

    def leaf(self) -> Expression:
        types = self.source.weighted(self.profile.alternatives)
        parts: list[Expression] = [Identifier(self.event()) for _ in range(types)]
        while len(parts) > 1:  # in pairs, so that any of many is as deep as the others
            parts = [*parts[2:], Operation("dis", (parts[0], parts[1]))]
        return parts[0]

    def event(self) -> str:
        source = self.source
        if self.unused and source.chance(self.profile.distinct):
            return self.unused.pop(source.below(len(self.unused)))
        return self.names[source.below(self.types)]

    def apart(self, expression: Expression, other: Expression) -> Expression:
        """The expression, mostly with other event types than another one has: what forbids it need not happen."""
        taken = identifiers(other)
        free = [name for name in self.names[: self.types + 1] if name not in taken]
        if not free or not self.source.chance(80 if isinstance(expression, Identifier) else 60):
            return expression
        common = sorted(identifiers(expression) & taken)
        return substitute(expression, {name: Identifier(free[self.source.below(len(free))]) for name in common})

    def inversion(self, depth: int, other: int, time: Time, *, plant: bool, level: int) -> _Grown:
        """A disjunction, often with a short instance within a long one: the subtle part of Section 5."""
        source = self.source
        long, start, end = self.grow(depth, time, plant=plant, level=level)
        begin = source.between(start, end) if source.chance(70) else end + source.weighted(self.profile.gaps)
        short, _, _ = self.grow(other, begin, plant=plant and source.chance(80), level=level)
        operands = (long, short) if source.chance(50) else (short, long)
        return Operation("dis", operands), start, end

    def enclosing(self, depth: int, other: int, time: Time, *, plant: bool, level: int) -> _Grown:
        """A negation whose left operand goes on when the right one, which begins within or before it, has ended."""
        source, profile = self.source, self.profile
        blocked = plant and source.chance(profile.blocked)
        first, start, end = self.grow(min(depth - 1, 1), time, plant=plant, level=level)
        begin = max(0, start - 1) if source.chance(40) else end + 1 + source.weighted(profile.gaps)
        right, _, last = self.grow(max(1, other), begin, plant=blocked, level=level)
        second, _, end = self.grow(depth - 1, max(end, last) + source.below(3), plant=plant, level=level)
        if not blocked:
            right = self.apart(right, first + second)
        self.quiet.append((start, end, right))
        left = Operation("seq" if source.chance(70) else "con", (first, second))
        return Operation("neg", (left, right)), start, end

    def echo(self, start: Time, end: Time) -> Time:
        """Repeats the witness later, nearly; returns the end of the repetition."""
        source = self.source
        shift = end - start + source.weighted(self.profile.gaps) + source.weighted(self.profile.pauses)
        for time, name in sorted(item for item in self.planted if item[0] <= end):
            kind = source.below(8)
            if kind:
                self.planted.add((time + shift + (kind == 1), name))
        return end + shift + 1

    def relapse(self, witness: frozenset[tuple[Time, str]], end: Time) -> Time:
        """Repeats the witness exactly, but with what it must not contain; returns the end of the repetition."""
        times = [time for time, _ in witness]
        shift = end + 2 - min(times)
        self.planted.update((time + shift, name) for time, name in witness)
        for first, last, forbidden in self.quiet:
            self.plant(forbidden, self.source.between(first, last) + shift)
        return max(times) + shift

    def noise(self, end: Time) -> None:
        """Adds occurrences at, just beside and after those that are there."""
        source, profile = self.source, self.profile
        times = sorted({time for time, _ in self.planted}) or [0]
        last = max(end, times[-1])
        for _ in range(source.between(*profile.noise)):
            place = source.below(100)
            if place < profile.ties:
                time = times[source.below(len(times))]
            elif place < 75:
                time = max(0, times[source.below(len(times))] + (1 if source.chance(50) else -1))
            else:
                time = last = last + 1 + source.weighted(profile.gaps)
            self.planted.add((time, self.names[source.below(self.types + (place % 8 == 0))]))

    def burst(self, end: Time) -> None:
        """Adds bursts: something at each of a few neighbouring ticks, most of it at the same ones, then a pause."""
        source, profile = self.source, self.profile
        time = end
        for _ in range(source.weighted(profile.bursts)):
            time += 1 + source.weighted(profile.pauses)
            for _ in range(source.between(2, 5)):
                names = (self.names[source.below(self.types)] for _ in range(source.between(1, self.types)))
                self.planted.update((time, name) for name in names)
                time += 1

    def stretch(self, end: Time) -> None:
        """Adds a stretch in which each event type occurs at random, each with a density of its own."""
        source, profile = self.source, self.profile
        ticks = source.weighted(profile.stretch)
        if ticks:
            for name in self.names[: self.types]:
                density = 100 if name == self.steady else source.weighted(profile.density)
                self.planted.update((end + tick, name) for tick in range(1, ticks + 1) if source.chance(density))

    def spare(self, witness: frozenset[tuple[Time, str]]) -> None:
        """Takes back what would only undo the witness: occurrences within it of what it must not contain."""
        for start, end, forbidden in self.quiet:
            names = identifiers(forbidden)
            self.planted -= {
                (time, name) for time, name in self.planted - witness if start <= time <= end and name in names
            }

    def fill(self, expression: Expression, start: Time, end: Time) -> None:
        """Lets one event type, mostly the leftmost, occur at every tick from one to another, and just before."""
        if self.source.chance(self.profile.filled) and end - start < self.profile.instants:
            often = self.source.chance(70)
            name = _first_event(expression) if often else self.names[self.source.below(self.types)]
            self.planted.update((time, name) for time in range(max(0, start - 1), end + 1))
            self.steady = name

    def occurrences(self) -> tuple[Occurrence, ...]:
        """The trace in order, cut to its greatest number of instants, with values in some cases."""
        source, profile = self.source, self.profile
        found = sorted(self.planted) if source.below(EMPTY) else []
        times = {time: None for time, _ in found}
        if len(times) > profile.instants:
            last = list(times)[profile.instants - 1]
            found = [item for item in found if item[0] <= last]
        if source.chance(profile.values):
            values = profile.valued if profile.valued.choices else _VALUES
            return tuple(Occurrence(name, time, source.weighted(values)) for time, name in found)
        return tuple(Occurrence(name, time) for time, name in found)


_VALUES: Weights[Value] = Weights((None, None, None, "x", "", " x ", 0, 7, -1, 2**53 + 1, 2.5, True, False))
