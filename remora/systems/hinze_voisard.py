"""Files of profiles at the command line and in Python."""

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeAlias

from detectors.hinze_voisard.engine import Engine, notifications
from laws.standings import Standing
from remora.systems.measuring import measuring
from remora.systems.protocol import Deriving, FolderStream, Reasoning, differences, parsed
from remora.terminal import console
from remora.terminal.console import RowPrinter, emit, noting, print_note, print_timeline, print_warning
from remora.terminal.options import Asked, Result
from reports.drawing.layout import Bar, Timeline
from semantics.atomic_files import to_json
from semantics.errors import InputError
from semantics.events import Event, Time, quoted
from semantics.hinze_voisard import evaluation as evaluations
from semantics.hinze_voisard.evaluation import FORM, Evaluation, Found, Notification, evaluated, said_data
from semantics.hinze_voisard.literal import SLIPS, AsPrinted
from semantics.hinze_voisard.profiles import ProfileFile, TimeClass, text, words
from semantics.hinze_voisard.syntax import parse
from semantics.reasons.hinze_voisard import Derivations
from semantics.traces import files
from semantics.traces.reading import Reading
from semantics.traces.rows import Instant, Partition, ReadReport
from semantics.traces.watermark import Watermark

INSTANTS = 100
"""So many instants of each partition are compared one by one: the definition evaluates all before each again."""

Said: TypeAlias = Iterator[tuple[Partition, Found | Notification, Mapping[str, Any]]]
"""Occurrences or notifications with their partition and how they are marked, in order."""


def read_profiles(path: str | Path, tick: str | None = None, only: Collection[str] = ()) -> ProfileFile:
    """The profiles in a file, or those of some names; `tick` is the length of a tick where it states none."""
    found = parsed(path, lambda given: parse(given, (tick or "").replace(" ", "")), "profiles")
    if not found.profiles:
        remedy = "Write for example profile P = (a ; b)[5]."
        raise InputError("no profile is stated", place=str(path), remedy=remedy)
    known = [profile.name for profile in found.profiles]
    for name in only:
        if name not in known:
            raise InputError(f"there is no profile {name}", place="--only", remedy=f"The profiles: {', '.join(known)}.")
    return found.only(only or known)


def by_partition(instants: Iterable[Instant]) -> dict[Partition, list[Event]]:
    """The events of each partition, in order of time."""
    found: dict[Partition, list[Event]] = {}
    for instant in instants:
        for row in instant.rows:
            found.setdefault(row.partition, []).append(evaluations.event_of(row))
    return found


def read(path: Path, tick: str | None) -> Deriving:
    """A file of profiles, evaluated over the closed interval of a log: occurrences are there when it has ended."""
    profiles = read_profiles(path, tick)

    def derived(instants: Iterable[Instant], watermark: Watermark) -> Iterator[tuple[dict[str, Any], Partition]]:
        said = _evaluated(profiles, instants, watermark)
        return (({**said_data(one), **marks}, partition) for partition, one, marks in said)

    return Deriving(FORM, profiles.tick, "by definition", derived)


def evaluate(path: str, log: str, **given: Any) -> Result:
    """Print all occurrences of the profiles in a log, from its first event to its last, or to a stated time."""
    asked = Asked(**given)
    for slip in asked.slips:
        print_note(f"as printed, {slip}: {SLIPS[slip]}")
    return _said(path, log, asked, partial(_evaluated, slips=asked.slips), "occurrence")


def detect(path: str, log: str, **given: Any) -> Result:
    """Print what continuous evaluation says at each time of a log: what is announced, and what is withdrawn later."""
    return _said(path, log, Asked(**given), _detected, "notification")


def _evaluated(
    profiles: ProfileFile, instants: Iterable[Instant], watermark: Watermark, slips: Collection[str] = ()
) -> Said:
    """Occurrences by definition; those are pending that the engine may still withdraw, of which as printed are none."""
    for partition, events in by_partition(watermark.instants(instants)).items():
        settled = {} if slips or watermark.until is not None else _settled(profiles, events)
        reading: Callable[..., Evaluation] = partial(AsPrinted, slips=slips) if slips else Evaluation
        for one in evaluated(profiles, events, partial(reading, until=watermark.until)):
            yield partition, one, watermark.mark(one.time, settled.get(one.profile))


def _settled(profiles: ProfileFile, events: Iterable[Event]) -> Mapping[str, Time]:
    """By profile the time before which its occurrences are final; 0 where the engine cannot count that far."""
    engine = Engine(profiles)
    if all(node.steady for _, node in engine.profiles):
        return {}
    try:
        deque(notifications(engine, events), maxlen=0)
        return engine.settled()
    except InputError:
        return dict.fromkeys((name for name, _ in engine.profiles), 0)


def _detected(profiles: ProfileFile, instants: Iterable[Instant], watermark: Watermark) -> Said:
    engines: dict[Partition, Engine] = {}
    for instant in watermark.instants(instants):
        given = by_partition([instant])
        for partition in given if instant.rows else engines:  # the end of the log is that of every partition
            if partition not in engines:
                engines[partition] = Engine(profiles)
            said = engines[partition].step(instant.time, given.get(partition, ()))
            yield from ((partition, one, {}) for one in said)


def _said(path: str, log: str, asked: Asked, say: Callable[..., Said], noun: str) -> Result:
    reading, report, times = asked.reading, ReadReport(), list[Time]()
    profiles = read_profiles(path, reading.tick, asked.only)
    watermark = Watermark.stated(asked.until, reading.with_tick(profiles.tick, "file"))
    printer = RowPrinter(asked.form, log, partitioned=reading.partition_by is not None)

    def noted() -> Iterator[Instant]:
        for instant in _instants(log, profiles, reading, report):
            times[1:] = [instant.time]
            yield instant

    def notes(place: str) -> Iterator[str]:
        yield from outside(profiles, [*times, watermark.time] if times else times, report.shown, place)
        yield from watermark.messages(noun, report.shown)

    with noting(report, more=notes):
        for partition, one, marks in say(profiles, noted(), watermark):
            row = said_data(one, report.shown)
            said = f"at {row['at']} {row['kind']}: " if "kind" in row else ""
            printer.print({**row, **marks}, "  ".join((f"{said}{_occurrence(row)}", *marks)), partition)
        printer.finish(noun)
    return Result(None)


def _instants(log: str, profiles: ProfileFile, reading: Reading, report: ReadReport) -> Iterator[Instant]:
    return files.read_instants(log, reading.with_tick(profiles.tick, "file"), form=FORM, report=report)


def _occurrence(row: console.JsonObject) -> str:
    events = ", ".join(f"{one['event']}@{one['time']}" for one in row["events"])
    return f"[{row['start']}, {row['time']}]  {row['event']}: {events}"


def outside(
    profiles: ProfileFile, times: Sequence[Time], shown: Callable[[Time], Time | str], place: str
) -> Iterator[str]:
    """Of each class whose time events all lie outside a log (of some times) that such events never occur."""
    for name in profiles.types() if times else ():
        found = profiles.classes[name]
        if isinstance(found, TimeClass) and not found.every and not found.times(min(times), max(times)):
            daily = "; for a time of each day write time(every 24h from 14h)" if isinstance(shown(0), str) else ""
            yield f"the class {name} lies outside {place}, at {shown(found.at[0])}, and never occurs in it{daily}"


def explain(path: str, *, log: str | None, reading: Reading) -> Result:
    """Explain profiles: each in words, whether what is announced can be withdrawn, and what is stored."""
    profiles = read_profiles(path, reading.tick)
    rows = [explained(profiles, one.name) for one in profiles.profiles]
    for profile, name, one, other in profiles.never_the_same():
        never = "which have none in common, so that the logical conjunction never occurs"
        print_warning(f"in {profile} {name} is an event of {one} and of {other}, {never}")

    def show() -> None:
        for row in rows:
            emit(f"{row['name']} = {row['profile']}\n  {row['words']}\n")
            emit(f"  {row['withdraws'] or 'what is announced is never withdrawn'}\n")
            emit("".join(f"    {one['part']}: {one['withdraws']}\n" for one in row["parts"] if one["withdraws"]))
            if row["bounded"]:
                emit("  the state is bounded by what occurs within the spans\n")
            unbounded = [one for one in row["parts"] if one["unbounded"]]
            emit("".join(f"  no bound for {one['part']}: {one['unbounded']}\n" for one in unbounded) + "\n")
        if log is not None:
            _draw(profiles, log, reading)

    return Result(None, {"schema": "remora/profiles/1", "profiles": rows}, show)


def explained(profiles: ProfileFile, name: str) -> dict[str, Any]:
    """A profile in words, whether what is announced can be withdrawn, and what has no bound, as plain data."""
    alone = profiles.only([name])
    (profile,), engine = alone.profiles, Engine(alone)
    rows = [
        {"part": text(part), "withdraws": node.undone, "unbounded": node.unbounded}
        for part, node in engine.parts
        if node.operands
    ]
    whole = engine.parts[-1][1]
    return {
        "name": name,
        "profile": text(profile.expression),
        "words": words(profile.expression),
        "withdraws": "" if whole.steady else "what is announced can be withdrawn",
        "bounded": not any(row["unbounded"] for row in rows),
        "parts": rows,
    }


def _draw(profiles: ProfileFile, log: str, reading: Reading) -> None:
    report = ReadReport()
    instants = list(_instants(log, profiles, reading, report))
    rows = tuple(row for instant in instants for row in instant.rows)
    with noting(report, more=partial(outside, profiles, [row.time for row in rows], report.shown)):
        for profile in profiles.profiles:
            given = _evaluated(profiles.only([profile.name]), instants, Watermark())
            found = [one for _, one, _ in given if isinstance(one, Found)]
            bars = tuple(Bar(one.start, one.time, "both", False, (), profile.name) for one in found)
            said = console.counted(len(found), "occurrence")
            print_timeline(Timeline(profile.name, (said,), ("", ""), rows, bars, compares=False))
            emit("\n")


def verify(path: str, log: str, *, reading: Reading, only: tuple[str, ...]) -> Result:
    """Compare what the engine says of profiles in a log with the definition.

    At the end of the log what stands is compared, and at its first instants everything that is announced and withdrawn.
    """
    profiles, report = read_profiles(path, reading.tick, only), ReadReport()
    events = by_partition(_instants(log, profiles, reading, report))
    found = [compared(profiles, partition, given) for partition, given in events.items()]
    wrong = [said for one in found for said in one["differences"]]

    def show() -> None:
        total = Counter[str]()
        for one in found:
            total.update({name: one[name] for name in ("events", "announced", "withdrawn")})
        announced, withdrawn = total["announced"], total["withdrawn"]
        said = f"{announced:,} announced, {withdrawn:,} withdrawn, {announced - withdrawn:,} stand at the end"
        emit(f"{'different' if wrong else 'same'}: {total['events']:,} events, {said}\n")
        for difference in wrong:
            console.print_error(difference)

    for message in report.messages():
        print_note(message)
    document = {"schema": "remora/profiles-verify/1", "partitions": found}
    return Result(Standing.REFUTED if wrong else Standing.TESTED, document, show)


def compared(profiles: ProfileFile, partition: Partition, events: Sequence[Event]) -> dict[str, Any]:
    """The engine on the events of a partition beside the definition: at its first instants, and at its end."""
    said = list(notifications(Engine(profiles), events))
    announced, withdrawn = (
        Counter(_texts(one.found for one in said if one.kind == kind)) for kind in ("announced", "withdrawn")
    )
    instants = [list(given) for _, given in groupby(events, key=attrgetter("time"))]
    first = [event for given in instants[:INSTANTS] for event in given]
    early = _texts(one for one in said if one.time <= first[-1].time)
    standing = (announced - withdrawn).elements()
    return {
        "partition": partition,
        "events": len(events),
        "announced": announced.total(),
        "withdrawn": withdrawn.total(),
        "differences": (
            *differences(_texts(evaluations.continuously(profiles, first)), early, "definition"),
            *differences(_texts(evaluated(profiles, events)), standing, "definition"),
        ),
    }


def _texts(said: Iterable[Found | Notification]) -> Iterator[str]:
    return (to_json(said_data(one)) for one in said)


def stream(path: str, folder: FolderStream, *, key: str | None, lateness: int, only: tuple[str, ...]) -> Result:
    """Evaluate profiles continuously over the files of a folder as they come, with Spark."""
    from streaming.hinze_voisard.detection import ProfileDetection  # with Spark

    profiles = read_profiles(path, folder.reading.tick, only)
    folder = replace(folder, reading=folder.reading.with_tick(profiles.tick, "file"))  # refused here, not by a worker
    if key is None:
        print_warning("without --key one task keeps the whole state")
    if any(isinstance(profiles.classes[name], TimeClass) for name in profiles.types()):
        print_warning("time events count up to the last event of each log: none comes by itself after it")
    for part, node in Engine(profiles).parts:
        if node.unbounded and node.operands:
            print_warning(f"the state of {text(part)} has no bound: {node.unbounded}")
    names = tuple(profile.name for profile in profiles.profiles)
    return folder.run(ProfileDetection(lateness, key, profiles.text, profiles.tick, names), _streamed)


def _streamed(row: console.JsonObject) -> str:
    if "events" not in row:
        return f"[{row['start']}, {row['time']}]  {quoted(row['event'])}"
    said = f" {row['says']}" if "says" in row else ""
    return f"at {row['at']}{said}: {_occurrence(row)}"


def why(text: str, tick: str | None, only: Sequence[str]) -> Reasoning:
    """The derivation of each occurrence of profiles at a time, and what their parameters took."""
    profiles = read_profiles(text, tick, only)
    told = partial(Derivations, profiles)
    return Reasoning(FORM, profiles.tick, lambda rows, *of: told([*map(evaluations.event_of, rows)], *of).reasons())


def bench(asked: tuple[str, ...], *, events: int | None, repetitions: int | None, seed: int) -> Result:
    """Measure the engine on a sequence with each setting, such as `last-all-lists`, in events a second on one core."""
    from benchmarks.profiles import SETTINGS, measured  # only here

    for name in asked:
        if name not in SETTINGS:
            raise InputError(f"there is no setting {name!r}", remedy=f"There are {', '.join(SETTINGS)}.")
    wanted = asked or SETTINGS
    return measuring(measured(wanted, events or 5_000, repetitions or 3, seed), len(wanted), seed)
