"""Cells of the atlas: a law in a setting is proved, decided for event types, refuted by a trace, or tested.

Its cases are operands on a trace: event types first, then composite events.
"""

import tomllib
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache, wraps
from itertools import chain, combinations, count, groupby, islice, permutations, product
from operator import itemgetter, or_
from pathlib import Path
from random import Random
from string import ascii_lowercase
from typing import Any, Literal, TypeAlias

from laws.carlson_lisper.claims import EquationClaim, laws, own
from semantics.atlas.catalogue import Setting
from semantics.atlas.literal import TIES, Definitions
from semantics.carlson_lisper.expressions import BoundValues, Expression, Identifier, Operation, evaluate_bound
from semantics.carlson_lisper.syntax import parse
from semantics.hinze_voisard.pairing import Instance, Instances, occurrence
from semantics.shrinking import smallest

Trace: TypeAlias = tuple[tuple[str, int], ...]  # Event types with their times, in the order of time; times begin at 0

TYPES = "abc"

MOST = {1: (8, 8), 2: (7, 6), 3: (6, 5)}  # By the number of event types: the most events of a trace, and the most ticks

MOST_IN_TURN = 12
"""The most events of a trace with one event at each instant, where only the order of two event types matters."""

ORDERS = 200  # So many orders of the events at the instants of a trace are tried at most

FEW = (4, 3)
"""The most events of a trace on which what remains is tried in other orders of its events, and of other instances."""

LONGER = 4000  # So many random traces of up to 16 events are tried beyond the bound where automata do not reach

Level: TypeAlias = Literal["types", "shared", "composites"]
"""Operands: event types of their own; event types of which some are the same; composite events."""

EVENT_TYPES: tuple[Level, ...] = ("types", "shared")

BOUNDS = (0, 1, 2)  # The values of symbolic bounds, in ticks

POOL = ("a", "b", "c", "a | b", "a ; b", "a + b", "a ; a", "(a ; b)[1]", "b - c", "(a + b) - c")
"""Operands that are tried beside event types."""

RANDOM = 1500  # So many random cases with operands of the pool are tried of each cell that holds for event types
SETS = 2500  # So many random cases with random sets of instances as operands are tried after them
GREATER = 30_000  # So many with greater sets and longer traces are tried where no solver proves what nothing refutes
REMAINING = 5000  # So many of these are tried for what remains where sides differ


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


def orders(trace: Trace) -> Iterator[Trace]:
    """A trace with the events of each instant in every order, its own first; at most `ORDERS`."""
    instants = [list(found) for _, found in groupby(trace, key=itemgetter(1))]
    for chosen in islice(product(*map(permutations, instants)), ORDERS):
        yield tuple(chain.from_iterable(chosen))


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

    @cached_property
    def types(self) -> Mapping[str, Instances]:
        """The instances of each event type."""
        return instances(self.trace)


def _same_in_all_settings(made: Callable[..., Iterator[OperandsOnTrace]]) -> Callable[..., Iterator[OperandsOnTrace]]:
    """Cases, of which those of the law last asked for are kept."""

    @lru_cache(maxsize=8)
    def begun(*args: Hashable) -> tuple[list[OperandsOnTrace], Iterator[OperandsOnTrace]]:
        return [], made(*args)

    @wraps(made)
    def cases(*args: Hashable) -> Iterator[OperandsOnTrace]:
        found, rest = begun(*args)
        for number in count():
            if number == len(found):
                found += islice(rest, 1)
            if number == len(found):
                return
            yield found[number]

    return cases


@_same_in_all_settings
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


def reordered(cases: Iterable[OperandsOnTrace], most: int = 0) -> Iterator[OperandsOnTrace]:
    """Cases with the events of each instant in every order; those of at most so many events, if that is not 0."""
    for case in cases:
        if not most or len(case.trace) <= most:
            yield from (replace(case, trace=trace) for trace in orders(case.trace))


@_same_in_all_settings
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


@_same_in_all_settings
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


Operands: TypeAlias = Mapping[str, Instances]  # Meanings of the identifiers of an expression

Meaning: TypeAlias = Callable[[Operands, BoundValues], Instances]
"""The instances of an expression, by its operands and the values of its bounds."""


@lru_cache(maxsize=100_000)
def meaning(expression: Expression, system: Setting | Definitions) -> Meaning:
    """The meaning of an expression in a setting, or by its definitions, none of whose running code is used.

    A bound is native to a sequence or conjunction where the text has it there, `(A ; B)[t]`, and else a filter.
    """
    if isinstance(expression, Identifier):
        name = expression.name
        return lambda operands, bounds: operands[name]
    assert isinstance(expression, Operation)
    if not system.restricted:
        return _whole(expression, system)
    whole = _whole(expression, system)
    return lambda operands, bounds: system.rem(whole(operands, bounds))


def _whole(expression: Operation, system: Setting | Definitions) -> Meaning:
    """The meaning of an operation, before it is restricted."""
    binary = {"dis": or_, "con": system.conjunction, "neg": system.negation, "seq": system.sequence}
    operands_, bound = expression.operands, expression.bound
    if expression.operator != "tim":
        apply = binary[expression.operator]
        left, right = (meaning(operand, system) for operand in operands_)
        return lambda operands, bounds: apply(left(operands, bounds), right(operands, bounds))
    assert bound is not None
    (inner,) = operands_
    if system.spans == "native" and isinstance(inner, Operation) and inner.operator in ("seq", "con"):
        native: Callable[..., Instances] = binary[inner.operator]
        one, other = (meaning(each, system) for each in inner.operands)
        return lambda operands, bounds: native(
            one(operands, bounds), other(operands, bounds), evaluate_bound(bound, bounds)
        )
    of = meaning(inner, system)
    return lambda operands, bounds: system.restriction(of(operands, bounds), evaluate_bound(bound, bounds))


Standing: TypeAlias = Literal["proved", "decided", "tested", "refuted"]  # Standing of a cell, the best first

RELATIONS = ("included", "includes", "intervals", "instants")
"""Relation that may remain where two sides differ: inclusion either way, equal intervals, equal ends."""

REASONS: Mapping[str, str] = {
    why: text.format(longer=f"{LONGER:,}", composite=f"{RANDOM + SETS + GREATER:,}")
    for why, text in tomllib.loads(Path(__file__).with_name("reasons.toml").read_text("utf-8")).items()
}
"""Why a law is proved in a setting, decided for event types, or only tested."""

LAWS: tuple[EquationClaim, ...] = (*laws(), *(each for each in own() if isinstance(each, EquationClaim)))
"""The rows: the laws of the first system's source, then those of our own."""


@dataclass(frozen=True)
class Proof:
    """A proof by two solvers of a law for all operands: a key of `REASONS`, the hash of the texts, their names."""

    why: str
    obligations: str
    solvers: tuple[str, ...]


@dataclass(frozen=True)
class Cell:
    """A law in a setting, and `why` it is proved or decided, or only tested: a key of `REASONS`.

    Where it is refuted, there are the weakest operands on which it fails, the strongest relation that no case on these
    contradicts, if any, and the smallest case, which fails in every order of ties, or `by_ties` in some alone.
    """

    law: str
    setting: str
    standing: Standing
    why: str = ""
    level: Level | Literal[""] = ""
    remains: str = ""
    case: OperandsOnTrace | None = None
    by_ties: bool = False
    cases: int = 0
    proof: Proof | None = None


def replayed(law: EquationClaim, system: Setting | Definitions, case: OperandsOnTrace) -> tuple[Instances, Instances]:
    """The instances of both sides of a law on a case."""
    operands = {name: _operand(text, system)(case.types, {}) for name, text in case.operands.items()}
    left, right = (meaning(side, system) for side in (law.equation.left, law.equation.right))
    return left(operands, case.bounds), right(operands, case.bounds)


def firmly(law: EquationClaim, setting: Setting, case: OperandsOnTrace) -> bool:
    """Whether both sides of a law differ on a case in every order of ties."""
    systems = [Definitions(setting, ties) for ties in TIES]
    both = (replayed(law, each, one) for one in reordered([case]) for each in systems)
    return not any(relates(law.equation.relation, *sides) for sides in both)


@lru_cache(maxsize=100_000)
def _operand(text: str, system: Setting | Definitions) -> Meaning:
    return meaning(_parsed(text), system)


_parsed = cache(parse)


def relates(name: str, left: Instances, right: Instances) -> bool:
    """Whether a relation holds between the instances of two sides: one of `RELATIONS`, or that of an equation."""
    match name:
        case "==":
            return left == right
        case "~=":  # the latest start by each time of detection
            return {one.end: one.start for one in sorted(left)} == {one.end: one.start for one in sorted(right)}
        case "included" | "<=":
            return left <= right
        case "includes":
            return left >= right
        case "intervals" | "[=]":
            return {one[:2] for one in left} == {one[:2] for one in right}
        case _:
            return {one.end for one in left} == {one.end for one in right}


def shrunk(
    case: OperandsOnTrace, differs: Callable[[OperandsOnTrace], bool], *, simpler: bool = True
) -> OperandsOnTrace:
    """A case as small as single steps make it: fewer events, earlier times, smaller bounds, simpler operands."""
    return smallest(case, lambda found: filter(differs, _smaller(found, simpler=simpler)))


def _smaller(case: OperandsOnTrace, *, simpler: bool) -> Iterator[OperandsOnTrace]:
    for place in range(len(case.trace)):
        rest = case.trace[:place] + case.trace[place + 1 :]
        first = rest[0][1] if rest else 0
        yield replace(case, trace=tuple((name, time - first) for name, time in rest))
    for time in range(1, case.trace[-1][1] + 1 if case.trace else 1):
        if all(at != time for _, at in case.trace):
            yield replace(case, trace=tuple((name, at - (at > time)) for name, at in case.trace))
    for name, value in case.bounds.items():
        yield from (replace(case, bounds={**case.bounds, name: less}) for less in range(value))
    for name, text in case.operands.items() if simpler else ():
        for part in _parts(parse(text)):
            yield replace(case, operands={**case.operands, name: str(part)})


def _parts(expression: Expression) -> Iterator[Expression]:
    """An expression with an operand in the place of an operation."""
    if not isinstance(expression, Operation):
        return
    yield from expression.operands
    for place, operand in enumerate(expression.operands):
        for part in _parts(operand):
            operands = (*expression.operands[:place], part, *expression.operands[place + 1 :])
            yield Operation(expression.operator, operands, expression.bound)


def cell_data(cell: Cell) -> dict[str, Any]:
    """A cell as plain data."""
    data: dict[str, Any] = {"law": cell.law, "system": cell.setting, "standing": cell.standing}
    data |= {name: getattr(cell, name) for name in _TOLD if getattr(cell, name)}
    if cell.case is not None:
        data["trace"] = [list(event) for event in cell.case.trace]
        data |= {"operands": dict(cell.case.operands), "bounds": dict(cell.case.bounds)}
    if cell.proof is not None:
        data |= {"obligations": cell.proof.obligations, "solvers": list(cell.proof.solvers)}
    return data


_TOLD = ("why", "level", "remains", "by_ties", "cases")


def cell_from(data: Mapping[str, Any]) -> Cell:
    """The cell that `cell_data` has written."""
    case = proof = None
    if "trace" in data:
        trace = tuple((str(name), int(time)) for name, time in data["trace"])
        case = OperandsOnTrace(trace, data["operands"], data["bounds"])
    if "obligations" in data:
        proof = Proof(data["why"], data["obligations"], tuple(data["solvers"]))
    told = {name: data[name] for name in _TOLD if name in data}
    return Cell(data["law"], data["system"], data["standing"], case=case, proof=proof, **told)
