"""Cases of a text and a history of events, as systems have them whose engines take all events of a time in a step."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

from campaigns.choices import Long, Source, Weights, is_long
from campaigns.imports import MUTANT, crash_text, harvested, imported
from campaigns.judging.isolation import TimeUp, time_limit
from campaigns.judging.minimise import smaller_numbers, without_runs
from campaigns.judging.verdicts import TIME_LIMIT, Kind, Verdict
from campaigns.mutants import Mutant
from campaigns.systems import AnyCase, CasesOfSystem, Factory, Features
from semantics.errors import InputError, LimitExceeded
from semantics.events import Event, Interval, Time


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


class CasesOfHistories(CasesOfSystem):
    """Cases of systems whose engines take all events of a time in a step; USUAL and LONG say what they are like."""

    NAME: ClassVar[str]
    CASE: ClassVar[type[HistoryCase]]
    ENGINES: ClassVar[Mapping[str, Factory]]
    MUTANTS: ClassVar[Mapping[str, Mutant]]
    USUAL: ClassVar[Mapping[str, Any]]
    RELATED: ClassVar[Callable[..., Verdict]]
    LONG: Mapping[str, Long[Any]]
    constants = staticmethod(harvested)

    def made(self, source: Source, seed: int, number: int, profile: str, like: Any, /) -> AnyCase:
        """A case like what a profile says, whose name it gets."""
        raise NotImplementedError

    def maker(
        self, seed: int, profiles: Mapping[str, int], corpus: Any, real: int, constants: Sequence[int] = ()
    ) -> Callable[[int], AnyCase]:
        """The function from numbers to the cases of a campaign."""
        usual, beyond = (
            Weights.of({name: profiles[name] for name in kinds if profiles.get(name)})
            for kinds in (self.USUAL, self.LONG)
        )

        def case(number: int) -> AnyCase:
            text = f"{self.NAME}:{seed}:{number}"
            if is_long(text, len(usual.choices), len(beyond.choices)):
                source = Source(f"{text}:beyond")
                profile = source.weighted(beyond)
                return self.made(source, seed, number, profile, self.LONG[profile].profile(source, constants))
            source = Source(text)
            profile = source.weighted(usual)
            return self.made(source, seed, number, profile, self.USUAL[profile])

        return case

    def telling(self) -> Mapping[str, Mutant]:
        """The wrong engines, without those that only a relation finds, as their stored state is wrong."""
        return {name: mutant for name, mutant in self.MUTANTS.items() if not mutant.of_state}

    def judge_relation(
        self, relation: str, case: Any, factory: Factory, *, seconds: float, first: Verdict | None
    ) -> Verdict:
        """The verdict by a relation, which needs none by the meaning."""
        return self.RELATED(relation, case, factory, seconds=seconds)

    def factory(self, name: str, search_path: Sequence[str]) -> Factory:
        """An engine of the catalogue, a mutant, or `package.module:object`, called as those of the catalogue are."""
        if name in self.ENGINES:
            return self.ENGINES[name]
        if name.startswith(MUTANT):
            if name.removeprefix(MUTANT) not in self.MUTANTS:
                raise InputError(f"there is no {name}", remedy=f"There are {', '.join(self.MUTANTS)}.")
            return self.MUTANTS[name.removeprefix(MUTANT)].make()
        return imported(name, search_path, list(self.ENGINES))

    def case_to_json(self, case: HistoryCase) -> dict[str, Any]:
        """The text and the history."""
        trace = [
            {"start": event.start, "time": event.time, "event": event.type, **event.attributes} for event in case.events
        ]
        return {"expression": case.text, "trace": trace}

    def case_from_json(self, record: Mapping[str, Any], seed: int, number: int, profile: str) -> HistoryCase:
        """The case that was plain data."""
        events = (
            Event(
                str(row["event"]),
                int(row.get("start", row["time"])),
                int(row["time"]),
                {name: value for name, value in row.items() if name not in ("event", "start", "time")},
            )
            for row in record["trace"]
        )
        return self.CASE(seed, number, profile, str(record["expression"]), tuple(events))


def weights(*kinds: Mapping[str, Any]) -> Mapping[str, int]:
    """How often each kind of case is used, by its name."""
    return MappingProxyType({name: kind.weight for some in kinds for name, kind in some.items()})


def by_relation(relation: str, verdict: Verdict) -> Verdict:
    """A verdict on a changed case, or on an engine that was fed otherwise; a failure says by which relation."""
    if verdict.kind in (Kind.MISSING, Kind.SPURIOUS):
        return replace(verdict, kind=Kind.RELATION, detail=f"{relation}: {verdict.detail}")
    return verdict


class Defined(Generic[Said]):
    """Answer of a definition about a case, within the limits of time and memory of a detector."""

    def says(self) -> Iterable[Said]:
        """The answers, in their order."""
        raise NotImplementedError

    @cached_property
    def _found(self) -> tuple[tuple[Said, ...], str]:
        try:
            with time_limit(TIME_LIMIT):
                return tuple(self.says()), ""
        except TimeUp:
            return (), f"the definition does not end within {TIME_LIMIT:g} seconds"
        except MemoryError:
            return (), "the definition needs more memory than it may have"
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
    try:
        with time_limit(seconds):
            run()
    except TimeUp:
        return Verdict(Kind.TIMEOUT, f"not finished after {seconds:g} seconds", expected)
    except MemoryError:
        return Verdict(Kind.MEMORY, "it asked for more memory than it may have", expected)
    except LimitExceeded as error:
        return Verdict(None, "", expected, refusal=error.reason)
    except (Exception, SystemExit) as error:  # whatever an engine raises is a result of the campaign
        return Verdict(Kind.CRASH, crash_text(error), expected)
    return None


def fewer_events(case: CaseT) -> Iterator[CaseT]:
    """Without a run of events, or one."""
    yield from (replace(case, events=fewer) for fewer in without_runs(case.events))


def plainer_events(case: CaseT) -> Iterator[CaseT]:
    """With an event that takes no time, or carries less."""
    for place, event in enumerate(case.events):
        if event.start < event.time:
            yield _replaced(case, place, event._replace(start=event.time))
        for name in event.attributes:
            fewer = {key: value for key, value in event.attributes.items() if key != name}
            yield _replaced(case, place, event._replace(attributes=fewer))


def _replaced(case: CaseT, place: int, event: Event) -> CaseT:
    return replace(case, events=(*case.events[:place], event, *case.events[place + 1 :]))


def earlier_events(case: CaseT) -> Iterator[CaseT]:
    """With everything from some event on earlier, by a part of the gap before it."""
    times = sorted({0, *(event.time for event in case.events)})
    for before, after in pairwise(times):
        for gap in smaller_numbers(after - before):
            less = after - before - gap
            yield replace(
                case,
                events=tuple(
                    event
                    if event.time < after
                    else event._replace(start=max(0, event.start - less), time=event.time - less)
                    for event in case.events
                ),
            )


def shifted(events: Iterable[Event], ticks: Time) -> tuple[Event, ...]:
    """Events so many ticks later."""
    return tuple(one._replace(start=one.start + ticks, time=one.time + ticks) for one in events)
