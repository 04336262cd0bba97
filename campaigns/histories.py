"""Cases of a text and a history of events, as systems have them whose engines take all events of a time in a step."""

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, cast

from campaigns.choices import Long, Source, Weights, mixed
from campaigns.imports import harvested, named
from campaigns.judging.isolation import TimeUp, ended, time_limit
from campaigns.judging.judgements import smaller_by, smaller_numbers, without_runs
from campaigns.judging.verdicts import TIME_LIMIT, Kind, Verdict
from campaigns.logs import time_for
from campaigns.mutants import Mutant
from campaigns.systems import AnyCase, CasesOfSystem, Factory, Features
from detectors.processes import Form, Program, process_of, program, shown
from detectors.protocol import ProcessFailed, is_program
from semantics.errors import InputError, LimitExceeded
from semantics.events import Event, Interval, Time, Value, in_ticks
from semantics.systems import system_of

DEFINED = 2_500  # A log with more events is compared with the usual engine; one with fewer, with the definition first


@dataclass(frozen=True)
class HistoryCase:
    """Case of a text, which says what is to be detected, and a history in the order of time."""

    seed: int
    number: int
    profile: str
    text: str
    events: tuple[Event, ...]
    system: str = field(default="", compare=False)
    fed_text: str = field(default="", compare=False)

    @property
    def trace_text(self) -> str:
        """The history in one line."""
        return "  ".join(map(event_text, self.events))

    @property
    def constructs(self) -> frozenset[str]:
        """The names of the constructs of what is to be detected."""
        raise NotImplementedError

    @property
    def features(self) -> Features:
        """Its constructs, and the size of its history."""
        times = {event.time for event in self.events}
        return Features(tuple(sorted(self.constructs)), len(times), len(self.events))


CaseT = TypeVar("CaseT", bound=HistoryCase)

Said = TypeVar("Said")


def event_text(event: Event) -> str:
    """`B(x = 1)[3, 9]`."""
    values = ", ".join(f"{name} = {value}" for name, value in event.attributes.items())
    interval = f"[{event.start}, {event.time}]" if event.start < event.time else f"[{event.time}]"
    return f"{event.type}({values}){interval}"


class Answer(NamedTuple):
    """Answer of a text: by whose name, from when to when, with what attributes, said when, and of which events."""

    name: str
    start: Time
    end: Time
    said: str = ""
    at: Time | None = None
    events: tuple[tuple[str, Time], ...] = ()

    @property
    def place(self) -> tuple[object, ...]:
        """What stays when an answer moves: all but its start and its events."""
        return self.name, self.end, self.said, self.at

    def text(self, shown: Callable[[Time], object] = in_ticks) -> str:
        """The answer in one line, with times as they are shown."""
        when = "" if self.at is None else f" {self.said} at {shown(self.at)}"
        events = ", ".join(f"{said}@{shown(time)}" for said, time in self.events)
        name = self.name if self.at is not None else f"{self.name}{self.said}"
        return f"{name}[{shown(self.start)}, {shown(self.end)}]{when}{f': {events}' if events else ''}"


def values_text(event: Event) -> str:
    """The attributes of an event, by name, so that different values have different texts."""
    values = (f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in sorted(event.attributes.items()))
    return f"({', '.join(values)})" if event.attributes else ""


class CasesOfHistories(CasesOfSystem):
    """Cases of systems whose engines take all events of a time in a step; USUAL to SHAPES say what they are like."""

    NAME: ClassVar[str]
    CASE: ClassVar[type[HistoryCase]]
    ENGINES: ClassVar[Mapping[str, Factory]]
    MUTANTS: ClassVar[Mapping[str, Mutant]]
    USUAL: ClassVar[Mapping[str, Any]]
    made: ClassVar[Callable[..., AnyCase]]  # of a source, a seed, a number, and a profile by name and as it is
    LONG: Mapping[str, Long[Any]]
    TAILS: ClassVar[Mapping[str, Any]]
    SHAPES: ClassVar[Mapping[str, Any]]
    by_engine: ClassVar[Callable[..., Any]]  # the meaning of a case as the usual engine has it
    written: ClassVar[Callable[..., tuple[str, str]]]  # of a text and a tick: as it is printed, and its tick
    changed: ClassVar[Callable[..., Any]]  # of texts: the names of what may differ, and texts that suffice for these
    answer: ClassVar[Callable[..., Answer]]  # of what the meaning of a case says
    made_for: ClassVar[Callable[..., tuple[Event, ...]]]  # of a source and texts: a history for the first of them
    admits: ClassVar[Callable[..., bool]] = staticmethod(lambda texts, events: True)  # whether texts take a history
    constants = staticmethod(harvested)

    def maker(
        self, seed: int, profiles: Mapping[str, int], corpus: Any, real: int, constants: Sequence[int] = ()
    ) -> Callable[[int], AnyCase]:
        """The function from numbers to the cases of a campaign."""
        chosen = mixed(f"{self.NAME}:{seed}", profiles, (self.USUAL, self.LONG, self.TAILS, self.SHAPES))

        def case(number: int) -> AnyCase:
            source, profile, like = chosen(number, constants)
            return self.made(source, seed, number, profile, like)

        return case

    def telling(self) -> Mapping[str, Mutant]:
        """The wrong engines, without those that only a relation finds, as their stored state is wrong."""
        return {name: mutant for name, mutant in self.MUTANTS.items() if not mutant.of_state}

    def factory(self, name: str, search_path: Sequence[str]) -> Factory:
        """An engine of the catalogue, a mutant, a program, or `package.module:object`, called as the engines are."""
        if is_program(name):
            language, of_name = system_of(self.NAME).language, program(name, search_path)
            if of_name.form != Form(command=of_name.form.command, seconds=of_name.form.seconds):
                remedy = "Of a form, they know `command` and `seconds`."
                raise InputError(f"the form declares what says nothing of {language}", place=name, remedy=remedy)
            return OfProgram(of_name, language)
        found = named(name, self.ENGINES, lambda: self.MUTANTS, search_path)
        return found.make() if isinstance(found, Mutant) else found

    def beside(self, case: HistoryCase, factory: Factory, seconds: float, *, defined: bool = True) -> Verdict:
        """The verdict over a whole log by the definition, or beside the usual engine where that takes too long."""
        meaning = self.meaning(case) if defined and len(case.events) <= DEFINED else self.by_engine(case)
        meaning = self.by_engine(case) if meaning.refusal else meaning
        return self.judge(case, factory, seconds=time_for(case, seconds), meaning=meaning)

    def part(self, case: HistoryCase, first: int, last: int) -> HistoryCase:
        """The case with some events alone."""
        return replace(case, events=case.events[first:last])

    def case_to_json(self, case: HistoryCase) -> dict[str, Any]:
        """The text and the history."""
        return {"expression": case.text, "trace": [*map(event_row, case.events)]}

    def case_from_json(self, record: Mapping[str, Any], seed: int, number: int, profile: str) -> HistoryCase:
        """The case that was plain data."""
        events = tuple(map(event_in, record["trace"]))
        return self.CASE(seed, number, profile, str(record["expression"]), events)


def long_kinds(lasting: Callable[[int], Any], crowded: Callable[[int], Any]) -> Mapping[str, Long[Any]]:
    """The kinds of cases beyond the usual sizes, by what a length makes of them: long durations, or histories."""
    return MappingProxyType(
        {
            "lasting": Long(2, lasting, 14, 300, 10**15, Weights((-1, 0, 0, 0, 1))),
            "crowded": Long(1, crowded, 16, 60, 160, Weights((0, 1, 10))),
        }
    )


def event_row(event: Event) -> dict[str, Any]:
    """An event as plain data."""
    return {"start": event.start, "time": event.time, "event": event.type, **event.attributes}


def event_in(row: Mapping[str, Any]) -> Event:
    """The event that is such plain data; one without a start is a point."""
    values = {name: value for name, value in row.items() if name not in ("event", "start", "time")}
    start, time = times_in(row.get("start", row["time"]), row["time"])
    return Event(str(row["event"]), start, time, values)


def times_in(*times: object) -> tuple[Time, ...]:
    """What are times as they are: whole numbers of ticks; `ValueError` where they are none."""
    if wrong := [time for time in times if type(time) is not int]:
        raise ValueError(f"{wrong[0]!r:.60} is no time, which is a whole number of ticks")
    return cast(tuple[Time, ...], times)


@dataclass(frozen=True)
class OfProgram:
    """Engine that is a program, asked for all its answers to a case at once."""

    program: Program
    language: str  # what the text is called: rules, or profiles

    def __call__(self, *given: Any) -> Any:
        """No engine that takes steps."""
        raise LimitExceeded("a program keeps its state and its plan to itself")

    def answers(self, case: HistoryCase, read: Callable[[Mapping[str, Any]], Said]) -> list[Said]:
        """The answers of the program to a case, each as it is read."""
        answer = process_of(self.program).ask({self.language: case.text, "events": [*map(event_row, case.events)]})
        if "refused" in answer:
            raise LimitExceeded(f"the program refuses it: {shown(answer['refused'])}")
        try:
            return [read(row) for row in answer["answers"]]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            said = f"the program answered what is no answer: {shown(answer)} ({type(error).__name__}: {error})"
            raise ProcessFailed(said) from None


def by_relation(relation: str, verdict: Verdict) -> Verdict:
    """A verdict on a changed case, or on an engine that was fed otherwise; a failure says by which relation."""
    if verdict.kind in (Kind.MISSING, Kind.SPURIOUS):
        return replace(verdict, kind=Kind.RELATION, detail=f"{relation}: {verdict.detail}")
    return verdict


class Defined(Generic[Said]):
    """Answer of a definition, or else of the usual engine, about a case, within the limits of a detector."""

    case: HistoryCase
    literal: bool

    def says(self) -> Iterable[Said]:
        """The answers, in their order."""
        raise NotImplementedError

    @cached_property
    def _found(self) -> tuple[tuple[Said, ...], str]:
        seconds = TIME_LIMIT if self.literal else time_for(self.case, TIME_LIMIT)
        try:
            with time_limit(seconds):
                return tuple(self.says()), ""
        except (TimeUp, MemoryError):
            return (), f"the definition takes more than {seconds:g} seconds, or more memory than it may have"
        except LimitExceeded as error:
            return (), f"the definition says nothing: {error.reason}"

    @property
    def said(self) -> tuple[Said, ...]:
        """The answers, in their order; none where there is a refusal."""
        return self._found[0]

    @property
    def refusal(self) -> str:
        """Why it says nothing; "" if it does."""
        return self._found[1]


def broken(run: Callable[[], object], seconds: float, expected: tuple[Interval, ...]) -> Verdict | None:
    """The verdict on an engine that does not come to an end as it should; None if it does."""
    kind, said = ended(run, seconds)
    if not said:
        return None
    return Verdict(kind, said, expected) if kind else Verdict(None, "", expected, refusal=said)


fewer_events = smaller_by("events", without_runs)


def plainer_events(case: CaseT) -> Iterator[CaseT]:
    """With an event that takes no time, or carries less."""
    for place, event in enumerate(case.events):
        plainer = [event._replace(start=event.time)] if event.start < event.time else []
        for name in event.attributes:
            fewer = {key: value for key, value in event.attributes.items() if key != name}
            plainer.append(event._replace(attributes=fewer))
        for one in plainer:
            yield replace(case, events=(*case.events[:place], one, *case.events[place + 1 :]))


def earlier_events(case: CaseT) -> Iterator[CaseT]:
    """With everything from some event on earlier, by a part of the gap before it."""
    times = sorted({0, *(event.time for event in case.events)})
    for before, after in pairwise(times):
        for gap in smaller_numbers(after - before):
            less = after - before - gap
            moved = (
                each if each.time < after else each._replace(start=max(0, each.start - less), time=each.time - less)
                for each in case.events
            )
            yield replace(case, events=tuple(moved))


def shifted(events: Iterable[Event], ticks: Time) -> tuple[Event, ...]:
    """Events so many ticks later."""
    return tuple(one._replace(start=one.start + ticks, time=one.time + ticks) for one in events)


def numbers_in(texts: Iterable[str]) -> Sequence[int]:
    """The numbers in texts, but for their quoted parts, of up to 15 digits; 1 if there is none; ascending."""
    found = {int(digits) for text in texts for digits in re.findall(r'"[^"]*"|\b(\d{1,15})\b', text) if digits}
    return sorted(found) or [1]


def near_values(value: Value) -> Iterator[Value]:
    """A value of a text and those around it; of a text with wildcards some that it matches."""
    if isinstance(value, str):
        yield from dict.fromkeys((value.replace("*", "").replace("?", "u"), value.replace("*", "v").replace("?", "v")))
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield from (value - 1, value, value + 1)
    else:
        yield from (True, False)


def at_bounds(source: Source, events: Sequence[Event], numbers: Sequence[int], *, lengths: bool) -> tuple[Event, ...]:
    """A history with some events exactly, or nearly, as many ticks after another one as a number says, or so long.

    It may be the difference of two numbers, which is what one duration leaves of another.
    """
    found = list(events)
    for _ in range(source.below(5) if len(found) > 1 else 0):
        place = source.between(1, len(found) - 1)
        less = source.one(numbers) if source.chance(25) else 0
        earlier, gap = found[source.below(place)], max(0, abs(source.one(numbers) - less) + source.between(-1, 1))
        if lengths and source.chance(25):
            found[place] = found[place]._replace(start=max(0, found[place].time - gap))
            continue
        ticks = (earlier.time if source.chance(70) else earlier.start) + gap - found[place].time
        later = (one._replace(start=max(0, one.start + ticks), time=one.time + ticks) for one in found[place:])
        found = sorted([*found[:place], *later], key=attrgetter("time"))
    return tuple(found)


TABLES: Mapping[str, Any] = MappingProxyType(tomllib.loads(Path(__file__).with_name("tails.toml").read_text("utf-8")))
"""The tails of what occurs and of what is asked: values, names, scales of durations, and classes."""

UNEVEN = (
    "in some kinds values that are alike, ten and more events at a time, long times without any, thousands of events;"
    " in some more parts than usual, odd names, and durations beyond 2^32 ticks"
)
"""The tails of what occurs and of what is asked, in words."""

CROWD = (10, 14)  # So many events come to an instant
IDLE = (10_000, 70_000, 10**6, 3 * 10**9, 2**53)  # For so many ticks nothing happens
MANY, TURN, FROM = 5_600, 200, 190  # So many events are added where the number, divided by the turn, leaves as much


def alike(source: Source, usual: Mapping[Any, Sequence[Value]], table: str = "alike") -> Callable[[Value], Value]:
    """The function from the usual values of each type to others that are alike, in their order; the rest stays."""
    others = {type: source.one(known) for type, known in TABLES[table].items()}
    found = {(type, value): other for type in others for value, other in zip(usual[type], others[type], strict=False)}
    return lambda value: found.get((value.__class__.__name__, value), value)


def with_values(event: Event, changed: Callable[[Value], Value]) -> Event:
    """An event with other values."""
    return event._replace(attributes={name: changed(value) for name, value in event.attributes.items()})


def uneven(source: Source, events: Sequence[Event], idle: Sequence[Time] = IDLE) -> tuple[Event, ...]:
    """A history with many events at one time, mostly, and mostly with a long time in which nothing happens."""
    found = list(events)
    if events and source.chance(75):
        time = source.one(events).time
        for _ in range(source.between(*CROWD)):
            event = source.one(events)
            same = [one.attributes for one in events if one.type == event.type]
            values = {name: source.one(same).get(name, value) for name, value in event.attributes.items()}
            found.append(Event(event.type, time, time, values))
    found.sort(key=attrgetter("time"))
    if events and source.chance(75):
        place, ticks = source.below(len(found)), source.one(idle)
        later = found[place].time
        found = [*(one for one in found if one.time < later), *shifted((o for o in found if o.time >= later), ticks)]
    return tuple(found)


def is_many(number: int) -> bool:
    """Whether the case of the tails with a number has thousands of events, which takes longer than others."""
    return number % TURN >= FROM


def after_many(
    source: Source, events: Sequence[Event], like: Sequence[Event], at_once: int, number: int = MANY
) -> tuple[Event, ...]:
    """A history after thousands of events that are like some, so many of them at a time."""
    many = (source.one(like) for _ in range(number))
    first = [Event(one.type, n // at_once, n // at_once, one.attributes) for n, one in enumerate(many)]
    return (*first, *shifted(events, first[-1].time + 1))
