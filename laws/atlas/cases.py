"""Cases of laws in the atlas: operands on a trace, event types first, then composite events."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, product
from operator import itemgetter
from random import Random
from string import ascii_lowercase
from typing import Literal, TypeAlias

from laws.carlson_lisper.claims import EquationClaim
from semantics.hinze_voisard.pairing import Instance, Instances, occurrence

Trace: TypeAlias = tuple[tuple[str, int], ...]
"""Event types with their times, in the order of time; times begin at 0."""

TYPES = "abc"

MOST = {1: (8, 8), 2: (7, 6), 3: (6, 5)}
"""By the number of event types: the most events of a trace, and the most ticks."""

MOST_IN_TURN = 12
"""The most events of a trace with one event at each instant, where only the order of two event types matters."""

LONGER = 4000
"""So many random traces of up to 16 events are tried beyond the bound where automata do not reach."""

Level: TypeAlias = Literal["types", "shared", "composites"]
"""Operands: event types of their own; event types of which some are the same; composite events."""

EVENT_TYPES: tuple[Level, ...] = ("types", "shared")

BOUNDS = (0, 1, 2)
"""The values of symbolic bounds, in ticks."""

POOL = ("a", "b", "c", "a | b", "a ; b", "a + b", "a ; a", "(a ; b)[1]", "b - c", "(a + b) - c")
"""Operands that are tried beside event types."""

RANDOM = 1500
"""So many random cases with operands of the pool are tried of each cell that holds for event types."""

SETS = 2500
"""So many random cases with random sets of instances as operands are tried after them."""

GREATER = 30_000
"""So many with greater sets and longer traces are tried where no solver proves what nothing refutes."""

REMAINING = 5000
"""So many of these are tried for what remains where sides differ."""


@cache
def traces(types: int) -> Sequence[Trace]:
    """The traces of so many event types within the bound `MOST`, the smallest first."""
    events, ticks = MOST[types]
    places = [(time, name) for time in range(ticks) for name in TYPES[:types]]
    found: list[Trace] = []
    for number in range(events + 1):
        all_chosen = [chosen for chosen in combinations(places, number) if not chosen or chosen[0][0] == 0]
        for chosen in sorted(all_chosen, key=lambda each: each[-1][0] if each else -1):
            found.append(tuple((name, time) for time, name in chosen))
    return found


def one_by_one(types: int) -> Iterator[Trace]:
    """The traces of at most `MOST_IN_TURN` events with one event at each instant, the shortest first."""
    for events in range(MOST_IN_TURN + 1):
        for names in product(TYPES[:types], repeat=events):
            yield tuple((name, time) for time, name in enumerate(names))


def instances(trace: Trace) -> Mapping[str, Instances]:
    """The instances of each event type, none of those that do not occur; the n-th event is the occurrence n."""
    found = defaultdict[str, set[Instance]](set)
    for number, (name, time) in enumerate(trace):
        found[name].add(occurrence(number, time))
    return defaultdict(frozenset, {name: frozenset(each) for name, each in found.items()})


@dataclass(frozen=True)
class OperandsOnTrace:
    """Operands on a trace, as expressions by variable, and the values of bounds."""

    trace: Trace
    operands: Mapping[str, str]
    bounds: Mapping[str, int]

    @property
    def given(self) -> str:
        """The operands and bounds in a line: `A = a, t = 1`."""
        return ", ".join(f"{name} = {value}" for name, value in {**self.operands, **self.bounds}.items())


def cases(law: EquationClaim, level: Level, place: int = 1) -> Iterator[OperandsOnTrace]:
    """The cases of a level, the smallest traces first; `place` is where in a list a setting selects an instance."""
    bounds = [dict(zip(law.parameters, values, strict=True)) for values in product(BOUNDS, repeat=len(law.parameters))]
    if level == "composites":
        random, listed = Random(law.id), traces(3)
        for _ in range(RANDOM):
            operands = {name: random.choice(TYPES if name in law.primitive else POOL) for name in law.variables}
            yield OperandsOnTrace(random.choice(listed), operands, random.choice(bounds))
        for _ in range(SETS):
            case = _case_of_sets(random, law, ascii_lowercase, place, range(4), 3)
            yield replace(case, bounds=random.choice(bounds))
        return
    for chosen in assignments(law, level):
        for trace in traces(len(set(chosen.values()))):
            yield from (OperandsOnTrace(trace, chosen, values) for values in bounds)


def assignments(law: EquationClaim, level: Level) -> Iterator[Mapping[str, str]]:
    """Event types for the variables of a law, all different or some the same; each partition of the variables once."""
    variables = sorted(law.variables)
    for chosen in product(TYPES[: len(variables)], repeat=len(variables)):
        seen = list(dict.fromkeys(chosen))
        if seen == list(TYPES[: len(seen)]) and (len(seen) == len(chosen)) is (level == "types"):
            yield dict(zip(variables, chosen, strict=True))


def longer_cases(law: EquationClaim, level: Level) -> Iterator[OperandsOnTrace]:
    """Random cases with event types as operands on traces beyond the bound."""
    random = Random(f"{law.id} longer")
    chosen = list(assignments(law, level))
    for _ in range(LONGER if chosen else 0):
        operands = random.choice(chosen)
        types, ticks = sorted(set(operands.values())), random.randint(3, 10)
        events = {(random.randrange(ticks), random.choice(types)) for _ in range(random.randint(4, 16))}
        trace = tuple((name, time) for time, name in sorted(events))
        yield OperandsOnTrace(trace, operands, {name: random.choice(BOUNDS) for name in law.parameters})


def greater_cases(law: EquationClaim, place: int = 1) -> Iterator[OperandsOnTrace]:
    """Random cases with greater sets of instances as operands, on longer traces."""
    random = Random(f"{law.id} greater")
    names = [f"{letter}{digit}" for letter in ascii_lowercase for digit in range(2)]
    for _ in range(GREATER):
        most, ticks = random.choice((2, 3, 5)), random.choice((3, 5, 7))
        case = _case_of_sets(random, law, names, place, range(1, most + 1), ticks)
        yield replace(case, bounds={name: random.randint(0, 3) for name in law.parameters})


def _case_of_sets(
    random: Random, law: EquationClaim, names: Iterable[str], place: int, sizes: range, ticks: int
) -> OperandsOnTrace:
    """A case whose operands are random sets of so many instances that start within so many ticks."""
    types, events = iter(names), list[tuple[str, int]]()

    def size() -> int:
        return random.randint(sizes.start, sizes.stop - 1 + (place > 1))

    def event_type() -> str:
        name, times = next(types), range(place + ticks + 1)
        events.extend((name, time) for time in random.sample(times, min(size(), len(times))))
        return name

    def instance() -> str:
        start = random.randint(place - 1, place + ticks)
        if random.random() < 0.4:
            name = next(types)
            events.append((name, start))
            return name
        end = start + place - 1 + random.randint(0, ticks)
        one, other = next(types), next(types)
        events.extend((name, time - back) for name, time in ((one, start), (other, end)) for back in range(place))
        return f"({one} + {other})"

    operands = {
        name: event_type() if name in law.primitive else " | ".join(instance() for _ in range(size())) or "a - a"
        for name in law.variables
    }
    return OperandsOnTrace(tuple(sorted(events, key=itemgetter(1))), operands, {})
