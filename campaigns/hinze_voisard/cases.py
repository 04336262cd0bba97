"""Cases: one or two profiles and a trace, both determined by a seed and a number.

Profiles have all operators, selections, consumptions and spans over few classes that overlap. Traces have ties, bursts
and gaps.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Literal, TypeVar, get_args

from campaigns.choices import Source, kinds_in
from campaigns.histories import TABLES, HistoryCase, after_many, alike, is_many, uneven, with_values
from semantics.events import Event, Time, Value
from semantics.hinze_voisard import profiles
from semantics.hinze_voisard.pairing import Consumption, Listed, Selection
from semantics.hinze_voisard.profiles import EventClass, Logical, OfClass, Paired, Part, Profile, ProfileFile, TimeClass
from semantics.hinze_voisard.syntax import parse

GENERATION = 3  # The version of the generation; it goes up when the same two numbers yield another case


def classes_for(number: Value, text: Value) -> Mapping[str, EventClass | TimeClass]:
    """The classes of the profiles: with a number that the content of an event has, and a beginning of texts."""
    return parse(
        f"""
        class a   = event(name = "a")
        class b   = event(name = "b")
        class ab  = event(name in ["a", "b"])
        class sub = ab(k >= {number}, s != "{text}*")
        class k   = event(k = {number})
        class t   = time(every 3 from 1)
        class u   = time(4, 5, 9)
        """
    ).classes


def wider_classes(unit: Time) -> Mapping[str, EventClass | TimeClass]:
    """Classes with each sign, of classes of classes, of odd names and values, and times in a unit."""
    return parse(TABLES["classes"].format(*(number * unit for number in range(10)))).classes


TIMES = ("t", "u", "w")
MORE_CONTENT = [*(each for each in wider_classes(1) if each not in TIMES), "a", "b", "ab", "top", "from1", "low"]
ODD_VALUES: tuple[Value, ...] = (0, 1, 2, True, False, 1.0, 0.5, "1", "true", -1, 2**64 + 1)
VALUES: Mapping[str, tuple[Value, ...]] = MappingProxyType({"int": (0, 1, 2), "str": ("u", "v", "vw"), "float": ()})
CLASSES = classes_for(VALUES["int"][1], VALUES["str"][1])

SELECTIONS: tuple[Selection, ...] = ("first", "first", "last", "last", "last", "all", "all", "all", 2)
MORE_SELECTIONS: tuple[Selection, ...] = ("first", "last", "all", 2, 3, 3, 4)
CONSUMPTIONS: tuple[Consumption, ...] = get_args(Consumption)
SPANS: tuple[Time | None, ...] = (None, None, None, None, 0, 1, 2, 3, 5, 8, 13)
UNITS: tuple[Time | None, ...] = (None, None, 0, 1, 1, 1, 2)  # The spans where the unit is more than a tick, in units

NAMES = ("x", "y", "z")
TYPES = ("a", "b", "a", "b", "c")
ODD_TYPES = (*TYPES, *TYPES, *TABLES["names"][:4])
FAR = 2**32  # So many ticks longer than usual are some negations, where the unit is one: their ends are counted
LATE = 320  # So many times with events come before the others in some cases
CONTENT = ("a", "b", "a", "b", "a", "b", "ab", "sub", "k")


@dataclass(frozen=True)
class Likeness:
    """Profile of cases, and how often it is used: the greatest depth, number of events and ticks between two of them.

    Percentages of classes of time events, logical operators, negations and selections, pairs with a last later one. All
    durations, and most times, are multiples of a unit of ticks; a selection counts `least` to `most` occurrences.
    """

    weight: int
    depth: int = 2
    events: int = 14
    gap: int = 2
    timed: int = 12
    logical: int = 8
    absent: int = 16
    last: int = 25
    unit: int = 1
    least: int = 1
    most: int = 3
    more: int = 0  # so many more profiles and clauses at most, with classes, values and durations of any kind


LIKENESSES, TAILS, SHAPES = kinds_in(Path(__file__).with_name("profiles.toml"), Likeness)

_parsed = lru_cache(maxsize=64)(parse)
"""The judges, the reductions and the engines ask for the profiles of one case many times, one after the other."""


@dataclass(frozen=True)
class Case(HistoryCase):
    """Profiles and a trace."""

    system: str = field(default="hinze_voisard", compare=False)

    @property
    def file(self) -> ProfileFile:
        """The profiles."""
        return _parsed(self.text)

    @property
    def constructs(self) -> frozenset[str]:
        """The operators, selections and consumptions of the profiles."""
        return frozenset(
            name for one in self.file.profiles for part in profiles.parts(one.expression) for name in _constructs(part)
        )


def _constructs(part: Part) -> Iterator[str]:
    match part:
        case Paired(operator, _, _, span, listed):
            yield {"|": "or", ",": "and", ";": "then"}[operator]
            if operator == "|":
                yield f"of each {listed.anterior}"
            else:
                yield from (listed.consumption, f"earlier {listed.anterior}", f"later {listed.posterior}")
                yield "by operand" if listed.by_operand else "by position"
                yield "any span" if span is None else "span"
        case OfClass(name):
            yield "time event" if name in TIMES else "event"
        case Logical(conjunction):
            yield "all clauses" if conjunction else "some clause"
        case _:
            yield type(part).__name__.lower()


ChoiceT = TypeVar("ChoiceT")


def made_case(source: Source, seed: int, number: int, profile: str, likeness: Likeness) -> Case:
    """A case that is like something, whose name it gets."""
    likeness = replace(likeness, unit=source.one(TABLES["scales"])) if likeness.more else likeness
    late = likeness.more and is_many(number)
    likeness = replace(likeness, depth=1, events=8, unit=1, absent=0, logical=0) if late else likeness
    writer = _Writer(source, likeness)
    made = tuple(Profile(f"P{number}", writer.part()) for number in range(1 + source.chance(20) + writer.more()))
    classes, trace = wider_classes(likeness.unit) if likeness.more else CLASSES, tuple(writer.trace())
    if late:
        trace = after_many(source, trace, [Event(type, 0, 0, {}) for type in "accc"], 1, LATE)
    if profile in TAILS:
        other = alike(source, VALUES)
        classes = classes_for(*(other(VALUES[type][1]) for type in ("int", "str")))
        named = (one._replace(type="A") if one.type == "c" else one for one in trace)
        trace = tuple(with_values(one, other) for one in named)
        if is_many(number):  # the definition looks at all of them again at each time
            trace = after_many(source, trace[:8], [Event("c", 0, 0, {})], 1_000)
        else:
            trace = uneven(source, trace)
    return Case(seed, number, profile, profiles.file_text(ProfileFile(classes, made)), trace)


class _Writer:
    """Writes random profiles and traces."""

    def __init__(self, source: Source, likeness: Likeness) -> None:
        self._source, self._likeness = source, likeness
        self._selections = MORE_SELECTIONS if likeness.more else SELECTIONS

    def _one(self, among: Sequence[ChoiceT]) -> ChoiceT:
        return among[self._source.below(len(among))]

    def more(self) -> int:
        return self._source.below(self._likeness.more + 1) if self._likeness.more else 0

    def part(self) -> Part:
        return self._part(self._likeness.depth, named=False)

    def _part(self, depth: int, *, named: bool) -> Part:
        source, likeness = self._source, self._likeness
        if not depth or source.chance(12 + 20 * likeness.more if depth < likeness.depth else 0):
            timed = source.chance(likeness.timed)
            name = self._one(NAMES) if named and source.chance(60) else ""
            if likeness.more:
                return OfClass(self._one(TIMES if timed else MORE_CONTENT), name)
            return OfClass(self._one(TIMES[:2] if timed else CONTENT), name)
        if source.chance(likeness.logical):
            clauses = tuple(self._part(depth - 1, named=True) for _ in range(2 + source.chance(20)))
            clauses += tuple(self._part(0, named=True) for _ in range(self.more()))
            return Logical(source.chance(70), clauses)
        if source.chance(likeness.absent if likeness.unit == 1 or not likeness.more else 0):
            operand = self._part(depth - 1, named=False)
            if source.chance(50):
                return profiles.Absent(operand, source.below(5) * likeness.unit + FAR * bool(self.more()))
            return profiles.Selected(operand, source.between(likeness.least, likeness.most))
        operators: tuple[Literal["|", ",", ";"], ...] = ("|", ",", ",", ",", ";", ";", ";")
        operator = self._one(operators)
        left = self._part(depth - 1, named=named)
        right = self._part(0 if likeness.more and source.chance(75) else depth - 1, named=named)
        if left == right and isinstance(left, OfClass) and source.chance(80):
            right = OfClass("b" if left.type == "a" else "a", left.name)
        if operator == "|" and self._likeness.depth > 1:
            each = self._one(self._selections) if source.chance(40) else "all"
            return Paired(operator, left, right, listed=Listed(each, each, "keep"))
        operator = ";" if operator == "|" else operator
        by_operand = isinstance(left, OfClass) and isinstance(right, OfClass) and source.chance(30)
        by_operand = by_operand and profiles.called(left) != profiles.called(right)
        last: Selection = "last" if source.chance(likeness.last) else self._one(self._selections)
        listed = Listed(self._one(self._selections), last, self._one(CONSUMPTIONS), by_operand)
        return Paired(operator, left, right, self._span(), listed)

    def _span(self) -> Time | None:
        if self._likeness.unit == 1:
            return self._one(SPANS)
        units = self._one(UNITS)
        return None if units is None else units * self._likeness.unit

    def trace(self) -> Iterator[Event]:
        source, time = self._source, self._source.below(4)
        for _ in range(source.between(self._likeness.events // 3, self._likeness.events)):
            ticks = source.between(0, self._likeness.gap) if source.chance(60) else source.below(2)
            time += ticks * self._likeness.unit + (self._likeness.unit > 1 and source.chance(20))
            values: dict[str, Value] = {}
            if source.chance(40):
                values["k"] = source.between(0, 2)
            if source.chance(25):
                values["s"] = self._one(("u", "v", "vw"))
            if self._likeness.more:
                values |= {name: self._one(ODD_VALUES) for name in ("k", "n", "a b") if source.chance(60)}
            yield Event(self._one(ODD_TYPES if self._likeness.more else TYPES), time, time, values)
