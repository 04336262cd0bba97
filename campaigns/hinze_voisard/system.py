"""Judge, relations, reductions and wrong engines of cases of profiles (`campaigns.systems.CasesOfSystem`)."""

import json
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from campaigns import histories
from campaigns.choices import weights
from campaigns.hinze_voisard import changes
from campaigns.hinze_voisard.cases import GENERATION, LIKENESSES, SHAPES, TAILS, Case, made_case
from campaigns.histories import shifted
from campaigns.judging.judgements import Shape, smaller_numbers
from campaigns.judging.verdicts import Kind, Verdict
from campaigns.mutants import mutants_in
from detectors.hinze_voisard.engine import DEFAULT_DETECTOR, ENGINES, EngineFactory, notifications
from semantics.events import Event, Interval
from semantics.hinze_voisard import profiles
from semantics.hinze_voisard.evaluation import FORM, Found, Notification, continuously, event_of
from semantics.hinze_voisard.profiles import Absent, Logical, OfClass, Paired, Profile, ProfileFile, file_text
from semantics.hinze_voisard.syntax import parse
from semantics.traces.files import read_instants
from semantics.traces.reading import Reading
from semantics.traces.rows import Partition, ReadReport


@dataclass(frozen=True)
class Meaning(histories.Defined[Notification]):
    """Meaning of a case: the announcements and withdrawals, by definition."""

    case: Case
    literal: bool = True

    def says(self) -> Iterator[Notification]:
        """The announcements and withdrawals."""
        return continuously(self.case.file, self.case.events)

    @property
    def expected(self) -> tuple[Interval, ...]:
        """The intervals of what is announced."""
        return _announced(self.said)


@dataclass(frozen=True)
class ByEngine(Meaning):
    """Meaning of a log as the usual engine has it."""

    literal: bool = False

    def says(self) -> Iterator[Notification]:
        """The announcements and withdrawals."""
        return notifications(ENGINES[DEFAULT_DETECTOR](self.case.file), self.case.events)


def _announced(said: Sequence[Notification]) -> tuple[Interval, ...]:
    return tuple(Interval(one.found.start, one.found.time) for one in said if one.kind == "announced")


def judge(case: Case, factory: EngineFactory, meaning: Meaning, *, seconds: float, relation: str = "") -> Verdict:
    """The verdict by the definition: at each time exactly what it says, in its order.

    With a relation, the case is shifted in time, or the state restored in the middle.
    """
    if meaning.refusal:
        return Verdict(None, "", (), refusal=meaning.refusal)
    expected, said = meaning.expected, list[Notification]()
    fed = _later(case) if relation == "shifted" else case
    failed = histories.broken(lambda: _run(fed, factory, said, restored=relation == "restored"), seconds, expected)
    if failed is not None:
        return failed
    if relation == "shifted":
        said = list(map(_earlier, said))
    kind, detail = _wrong(meaning.said, said, ordered=relation != "shifted")
    return Verdict(kind, detail, expected, _announced(said), literal=meaning.literal)


def _run(case: Case, factory: EngineFactory, said: list[Notification], *, restored: bool) -> None:
    if isinstance(factory, histories.OfProgram) and not restored:
        said += factory.answers(case, notification_in)
        return
    engine = factory(case.file)
    instants = [(time, list(given)) for time, given in groupby(case.events, key=attrgetter("time"))]
    for number, (time, given) in enumerate(instants):
        if restored and number == len(instants) // 2:
            state = json.loads(json.dumps(engine.snapshot()))
            engine = factory(case.file)
            engine.restore(state)
        said += engine.step(time, given)


def notification_in(row: Mapping[str, Any]) -> Notification:
    """The notification that is such plain data (`said_data`)."""
    if row["kind"] not in ("announced", "withdrawn"):
        raise ValueError(f"{row['kind']!r:.60} is neither announced nor withdrawn")
    events = tuple(map(histories.event_in, row["events"]))
    at, start, time = histories.times_in(row["at"], row["start"], row["time"])
    return Notification(at, row["kind"], Found(str(row["event"]), start, time, events))


def _wrong(
    expected: Sequence[Notification], given: Sequence[Notification], *, ordered: bool
) -> tuple[Kind | None, str]:
    """The first way in which what is said is wrong: missing, spurious, or in another order."""
    texts = [Counter(map(_key, each)) for each in (expected, given)]
    missing, spurious = texts[0] - texts[1], texts[1] - texts[0]
    for one in sorted((*expected, *given), key=attrgetter("time")):
        if missing[_key(one)]:
            return Kind.MISSING, f"{_text(one)} is not said"
        if spurious[_key(one)]:
            return Kind.SPURIOUS, f"{_text(one)} is said and is not so"
    if ordered and [*map(_key, expected)] != [*map(_key, given)]:
        return Kind.PROTOCOL, "what is said is right, but in another order"
    return None, ""


def _key(said: Notification) -> tuple[str, str]:
    """The text of a notification, and its values with their types: the text 1 is another one than the number."""
    return _text(said), repr([[*event.attributes.values()] for event in said.found.events])


def _text(said: Notification) -> str:
    events = ", ".join(map(histories.event_text, said.found.events))
    return f"at {said.time}: {said.kind} {said.found.profile} [{said.found.start}, {said.found.time}]: {events}"


SHIFT = 1000  # By so many ticks time is shifted


def _later(case: Case) -> Case:
    """A case shifted in time, with its time events."""
    classes = {
        name: one
        if isinstance(one, profiles.EventClass)
        else replace(one, at=tuple(time + SHIFT for time in one.at), since=one.since + SHIFT)
        for name, one in case.file.classes.items()
    }
    text = file_text(replace(case.file, classes=classes))
    return replace(case, text=text, events=shifted(case.events, SHIFT))


def _earlier(said: Notification) -> Notification:
    """The notification of a case of which the shifted one has this one."""
    found = said.found
    events = shifted(found.events, -SHIFT)
    found = found._replace(start=found.start - SHIFT, time=found.time - SHIFT, events=events)
    return said._replace(time=said.time - SHIFT, found=found)


def judge_relation(
    relation: str, case: Case, factory: EngineFactory, *, seconds: float, first: Verdict | None = None
) -> Verdict:
    """The verdict by a relation; a failure says which one it was."""
    return histories.by_relation(relation, judge(case, factory, Meaning(case), seconds=seconds, relation=relation))


PLAIN = {"anterior": "all", "posterior": "all", "consumption": "keep"}
"""The parameters of a binary operator that restrict nothing."""


def measure(case: Case) -> tuple[int, ...]:
    """The size of a case: operators, parameters, events, length of the text, attributes, times, numbers."""
    found = [part for one in case.file.profiles for part in profiles.parts(one.expression)]
    paired = [part for part in found if isinstance(part, Paired)]
    return (
        len(case.file.profiles),
        len(found),
        sum(getattr(part.listed, name) != plain for part in paired for name, plain in PLAIN.items())
        + sum(part.span is not None for part in paired),
        len(case.events),
        len(case.text),
        sum(len(event.attributes) for event in case.events),
        case.events[-1].time if case.events else 0,
        sum(event.time for event in case.events),
        sum(int(number) for number in re.findall(r"\d+", case.text)),
    )


def _children(part: Any) -> Sequence[Any]:
    """The profiles of a file, their expressions without their names, the operands of an operator."""
    if isinstance(part, ProfileFile):
        return part.profiles
    return () if isinstance(part, Profile) else profiles.operands(part)


def _with_children(part: Any, given: Sequence[Any]) -> Any:
    match part:
        case ProfileFile():
            return replace(part, profiles=tuple(given)) if given else None
        case Paired() if len(given) == 2:
            names = {*map(profiles.called, given)} - {""}
            listed = replace(part.listed, by_operand=part.listed.by_operand and len(names) == 2)
            return replace(part, left=given[0], right=given[1], listed=listed)
        case Absent() | profiles.Selected() if given:
            return replace(part, operand=given[0])
        case Logical() if len(given) > 1:
            return replace(part, clauses=tuple(given))
    return None


def _simpler(part: Any) -> Iterator[Any]:
    """An operand in the place of an operator, or a parameter that is plainer or smaller."""
    if isinstance(part, Profile):
        yield from (replace(part, expression=simpler) for simpler in EXPRESSIONS.smaller(part.expression))
    elif not isinstance(part, ProfileFile | OfClass):
        yield from profiles.operands(part)
    match part:
        case Paired("," | ";", _, _, span, listed):
            for name, plain in PLAIN.items():
                if getattr(listed, name) != plain:
                    yield replace(part, listed=replace(listed, **{name: plain}))  # type: ignore[arg-type]
            if span is not None:
                yield replace(part, span=None)
                yield from (replace(part, span=less) for less in smaller_numbers(span))
        case Paired("|") if part != (plain_one := Paired("|", part.left, part.right)):
            yield plain_one
        case Absent(_, span):
            yield from (replace(part, span=less) for less in smaller_numbers(span))
        case profiles.Selected(_, number) if number > 1:
            yield replace(part, place=number - 1)


EXPRESSIONS: Shape[Any] = Shape(_children, _with_children, _simpler)


def smaller_files(case: Case) -> Iterator[Case]:
    """With fewer profiles, or a simpler one."""
    return (replace(case, text=file_text(file)) for file in EXPRESSIONS.smaller(case.file))


class HinzeVoisardCases(histories.CasesOfHistories):
    """Cases of profiles and a trace (`cases.Case`); those beyond the usual sizes are lasting, or crowded."""

    NAME = "hinze_voisard"
    GENERATION = GENERATION
    CASE = Case
    ENGINES = ENGINES
    MUTANTS = mutants_in(
        Path(__file__).with_name("mutants.toml"),
        "detectors.hinze_voisard.engine",
        "ENGINES",
        "semantics.hinze_voisard.syntax",
    )
    DEFAULT_DETECTOR = DEFAULT_DETECTOR
    USUAL = LIKENESSES
    LONG = histories.long_kinds(
        lambda length: replace(LIKENESSES["plain"], unit=length, timed=0),
        lambda length: replace(LIKENESSES["long"], events=length + length // 3, least=length, most=length),
    )
    TAILS, SHAPES = TAILS, SHAPES
    by_engine = staticmethod(ByEngine)
    AUTHORITY = f"the engine {DEFAULT_DETECTOR}"
    PROFILES = weights(USUAL, LONG, TAILS, SHAPES)
    RELATIONS = ("restored", "shifted")
    REDUCTIONS = (histories.fewer_events, smaller_files, histories.plainer_events, histories.earlier_events)
    made = staticmethod(made_case)
    written = staticmethod(changes.written)
    changed = staticmethod(changes.changed)
    answer = staticmethod(changes.answer)
    made_for = staticmethod(changes.trace_for)
    meaning = staticmethod(Meaning)
    judge = staticmethod(judge)
    measure = staticmethod(measure)
    judge_relation = staticmethod(judge_relation)

    def described(self) -> str:
        """The sizes of profiles and traces."""
        events = max(one.events for one in LIKENESSES.values())
        return f"Random cases: one or two profiles, traces of up to {events} events; {histories.UNEVEN}"

    def of_log(
        self, log: str | Path, text: str, reading: Reading, report: ReadReport
    ) -> tuple[dict[Partition, Case], Collection[str]]:
        """A log as cases of profiles, one for each partition; profiles mention classes, and no event types."""
        file, events = parse(text, (reading.tick or "").replace(" ", "")), dict[Partition, list[Event]]()
        for instant in read_instants(log, reading.with_tick(file.tick, "file"), form=FORM, report=report):
            for row in instant.rows:
                events.setdefault(row.partition, []).append(event_of(row))
        text = file_text(file)
        return {key: Case(0, n, "log", text, tuple(found)) for n, (key, found) in enumerate(events.items())}, ()

    def suspects(self, case: Case) -> Iterator[tuple[Case, str]]:
        """Each profile alone, then the case; called by its constructs."""
        for one in case.file.profiles if len(case.file.profiles) > 1 else ():
            alone = replace(case, text=file_text(replace(case.file, profiles=(one,))))
            yield alone, ", ".join(sorted(alone.constructs))
        yield case, ", ".join(sorted(case.constructs))


CASES = HinzeVoisardCases()
