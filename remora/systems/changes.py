"""Changes of a pattern, a file of patterns, rules or profiles: what is detected otherwise, on all logs and on one."""

import os
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast, get_args

from campaigns.changes import Changed, Difference, Direction, compared, tried
from campaigns.histories import DEFINED, Answer, CasesOfHistories, event_row
from campaigns.systems import cases_of
from laws.standings import ExitStatus, Standing, exit_status, weakest
from remora import __version__
from remora.api.arguments import require_seed, require_whole
from remora.api.claiming.data import picked
from remora.api.detecting.found import Found, detect
from remora.api.detecting.traces import reading_of
from remora.api.patterns.comparisons import Comparison, compare
from remora.api.patterns.patterns import PatternLike, as_pattern, read_patterns
from remora.systems.protocol import parsed
from remora.terminal.console import JsonObject, counted, key_text
from remora.terminal.progress import Tell, unheard
from reports.drawing.layout import Timeline, compared_bars, plain
from reports.markdown import page_markdown, page_text
from reports.page import VERDICTS, Block, Page, Section, Table
from reports.systems import event_mark
from semantics.carlson_lisper.decisions import MAX_STEPS, Level
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import occurrence_data
from semantics.errors import ExpressionError, InputError, unknown_events
from semantics.events import Time, in_ticks
from semantics.systems import System, system_of_text
from semantics.traces.files import is_at_rest
from semantics.traces.reading import Reading
from semantics.traces.rows import ReadReport

CASES = 1_000
"""So many random histories are put to both texts of rules or profiles."""

LISTED = 20  # So many detections of a log that differ are listed
DRAWN = 5  # The drawings of so many changed patterns stand open in Markdown

Kind: TypeAlias = Literal["changed", "added", "removed", "undecided", "same"]
SUFFIX = ".patterns"  # How the name of a file of patterns may end, so that one that is missing is called so
_SIDES = {"lost": ("old", "new"), "gained": ("new", "old")}


@dataclass(frozen=True)
class Part:
    """A pattern of a name, or all that a program says: whether it detects the same, in sentences and drawings."""

    name: str
    standing: Standing
    old: str | None
    new: str | None
    said: tuple[str, ...]
    drawn: tuple[Timeline, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def kind(self) -> Kind:
        """How it changed."""
        if self.old is None or self.new is None:
            return "removed" if self.new is None else "added"
        same: Kind = "undecided" if self.standing in (Standing.UNKNOWN, Standing.DISAGREEMENT) else "same"
        return "changed" if self.standing is Standing.REFUTED else same


@dataclass(frozen=True)
class OnLog:
    """What differs in a log: the counts of each kind of change, so many of the changes, and notes; or a refusal."""

    name: str
    counts: Mapping[str, int]
    listed: Sequence[JsonObject]
    notes: tuple[str, ...]
    refusal: str = ""

    @property
    def standing(self) -> Standing:
        """Refuted where something differs; unknown where one of the two has no answer."""
        differs = Standing.REFUTED if self.more or self.listed else Standing.COMPUTED
        return Standing.UNKNOWN if self.refusal else differs

    @property
    def more(self) -> int:
        """How many changes are not listed."""
        return sum(self.counts.values()) - self.counts["same"] - len(self.listed)

    @property
    def summary(self) -> str:
        """The counts in words."""
        counts = (f"{number:,} {'the ' * (kind == 'same')}{kind}" for kind, number in self.counts.items())
        return f"undecided: {self.refusal}" if self.refusal else ", ".join(counts)

    def section(self) -> Section:
        """The section of a page."""
        parted = any(row["partition"] for row in self.listed)
        rows = list[tuple[str, ...]]()
        for row in self.listed:
            texts = ((row[side] or {"text": ""})["text"] for side in ("old", "new"))
            rows.append((row["kind"], *[row["partition"]] * parted, *texts))
        said = (self.summary, *self.notes, *([f"{self.more:,} more are not listed (--limit)"] if self.more else []))
        table = Table(("", *["Partition"] * parted, "Old", "New"), tuple(rows), code=("Old", "New"))
        return Section(title=f"In {self.name}", folded=False, sentences=said, blocks=(table,) if rows else ())


@dataclass(frozen=True, repr=False)
class Change:
    """What a change of a pattern, a file of patterns, rules or profiles does.

    It is true as a condition only where detections stay the same: decided, or of rules and profiles tested.
    """

    language: str
    old: str
    new: str
    parts: tuple[Part, ...]
    on_log: OnLog | None
    about: Mapping[str, Any]

    @property
    def standing(self) -> Standing:
        """That of the weakest part; a disagreement where a log differs that was decided not to."""
        of_log = [] if self.on_log is None else [self.on_log.standing]
        return weakest([*(one.standing for one in self.parts), *of_log])

    @property
    def exit_status(self) -> ExitStatus:
        """How a command ends that asked this."""
        return exit_status([self.standing])

    def __bool__(self) -> bool:
        return self.exit_status == ExitStatus.AS_CLAIMED

    def __repr__(self) -> str:
        lines = map(str.rstrip, page_text(self.page(), whole=True).splitlines())
        return "\n".join(lines).replace("\n\n\n", "\n\n").rstrip()

    def markdown(self) -> str:
        """The change for a pull request."""
        return page_markdown(self.page())

    @property
    def summary(self) -> str:
        """The outcome in one sentence."""
        kinds = [one.kind for one in self.parts]
        if len(kinds) > 1:
            said = ", ".join(f"{kinds.count(kind):,} {kind}" for kind in dict.fromkeys(kinds))
        else:
            said = self.parts[0].said[0] if self.parts[0].kind != "changed" else "detections change"
        if self.on_log is not None and self.on_log.standing is not Standing.COMPUTED:
            said += f"; in {self.on_log.name} {self.on_log.summary}"
        return said if self.parts[0].name == "" and self.language == "patterns" else f"{self.new}: {said}"

    def page(self) -> Page:
        """The change as a page."""
        symbol, tone, _ = VERDICTS[int(self.exit_status)]
        sections, rows = list[Section](), list[tuple[str, ...]]()
        for one in [one for one in self.parts if one.old != one.new] or self.parts:
            rows.append((*([one.name] if one.name else []), one.kind, one.old or "", one.new or ""))
            if one.kind in ("changed", "undecided") or not one.name:
                where = "On all logs" if self.language == "patterns" else "On random histories"
                title = f"{one.name or where}: {one.kind}"
                folded, blocks = len(sections) >= DRAWN, cast(tuple[Block, ...], one.drawn)
                sections.append(Section(title=title, folded=folded, sentences=one.said, blocks=blocks))
        if self.language == "patterns":
            columns = (*(["Name"] if self.parts[0].name else []), "", "Old", "New")
            table = Table(columns, tuple(rows), code=("Name", "Old", "New"))
            sections.insert(0, Section(title="Patterns", folded=False, blocks=(table,)))
        sections += [] if self.on_log is None else [self.on_log.section()]
        return Page(name="remora diff", summary=self.summary, symbol=symbol, tone=tone, sections=tuple(sections))

    def data(self) -> JsonObject:
        """The change as a document, of schema `remora/diff/1`."""
        document: JsonObject = {"schema": "remora/diff/1", "remora": __version__, "exit_status": int(self.exit_status)}
        document |= {**picked(self, "standing", "summary", "language", "old", "new"), **self.about}
        names = ("name", "kind", "old", "new", "standing", "said")
        document["parts"] = [picked(one, *names) | dict(one.data) for one in self.parts]
        names = ("name", "summary", "counts", "listed", "standing", "notes")
        return document | {"log": None if self.on_log is None else picked(self.on_log, *names)}


def diff(
    old: PatternLike | os.PathLike[str],
    new: PatternLike | os.PathLike[str],
    log: str | os.PathLike[str] | None = None,
    *,
    up_to: Level = "detection",
    steps: int = MAX_STEPS,
    cases: int = CASES,
    seed: int = 0,
    limit: int = LISTED,
    tell: Tell = unheard,
    **options: Any,
) -> Change:
    """What is detected otherwise when a pattern, a file of patterns, rules or profiles are changed.

    Of patterns it is decided for all logs. Rules and profiles are put to random histories that are made for both texts,
    and are compared by their definition. With a log, which is a file that options say how to read (`remora.Reading`,
    `partition_by`), what is detected in it is compared too. Raises `InputError`.
    """
    require_whole("cases", cases, 1)
    require_seed(seed)
    reading = reading_of(options)
    if log is not None and not is_at_rest(os.fspath(log)):
        reason = "the log is read twice, and standard input or a pipe only once"
        raise InputError(reason, place=os.fspath(log), remedy="Write it to a file first.")
    texts = [one if isinstance(one, Expression) else os.fspath(one) for one in (old, new)]
    names, systems = list(map(str, texts)), [system_of_text(str(text)) for text in texts]
    if systems[0] != systems[1]:
        said = " and ".join(f"{text} is one of {system.language}" for text, system in zip(texts, systems, strict=True))
        raise InputError(f"two texts of one language are compared: {said}", remedy="Give two of the same kind.")
    system, sides = systems[0], list[Any](names)
    answers: Callable[..., _Read] = partial(_answers_of_program, system) if system.suffix else _answers_of_patterns
    if system.suffix:
        parts: tuple[Part, ...] = (_programs(system, names, reading, cases, seed, tell),)
    else:
        both = [_patterns(text, reading.tick) for text in texts]
        if ("" in both[0]) is not ("" in both[1]):
            pattern = names[0] if "" in both[0] else names[1]
            remedy = "Give two patterns, or two files of them."
            raise InputError(f"a pattern is compared with a file of patterns: {pattern}", remedy=remedy)
        pairs = {name: (both[0].get(name), both[1].get(name)) for name in {**both[0], **both[1]}}
        parts = tuple(_pattern(name, *pair, up_to, steps, seed, tell) for name, pair in pairs.items())
        differ = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]} or pairs
        sides = [{name: differ[name][side] for name in differ} for side in (0, 1)]
    found = None
    if log is not None:
        old_read, new_read = (answers(side, os.fspath(log), reading) for side in sides)
        found = _on_log(os.fspath(log), old_read, new_read, limit)
    differs = found is not None and found.standing is Standing.REFUTED
    if differs and reading.ties is None and all(one.standing.unbounded for one in parts):
        against = ("the log contradicts what was decided",)
        parts = tuple(replace(one, standing=Standing.DISAGREEMENT, said=against + one.said) for one in parts)
    about = {"level": None if system.suffix else up_to, "seed": seed}
    return Change(system.language, names[0], names[1], parts, found, about)


def _patterns(given: str | Expression, tick: str | None) -> Mapping[str, Expression]:
    """The patterns of a file by name, or a pattern by the name ""; a text that is a pattern is no name of a file."""
    try:
        return {"": as_pattern(given, tick)}
    except ExpressionError:
        path = Path(str(given))
        with suppress(OSError):  # such as a name that is too long
            if path.suffix == SUFFIX or (path.exists() and not path.is_dir()):
                return read_patterns(path, tick)
        raise


def _pattern(
    name: str, old: Expression | None, new: Expression | None, level: Level, steps: int, seed: int, tell: Tell
) -> Part:
    """A pattern compared on all logs, in both directions where it is not the same."""
    tell(name or "on all logs")
    texts = None if old is None else str(old), None if new is None else str(new)
    if old is None or new is None:
        return Part(name, Standing.REFUTED, *texts, (f"the pattern is {'added' if old is None else 'removed'}",))
    if old == new:
        return Part(name, Standing.COMPUTED, *texts, ("the pattern is the same",))
    found = compare(old, new, level, "equivalence", steps=steps, seed=seed, tell=tell)
    if found.holds:
        verdict = found.verdict.replace("equivalent for all traces: ", "", 1)
        return Part(name, found.standing or Standing.PROVED, *texts, (f"on all logs {verdict}",))
    asked: Mapping[Direction, tuple[Expression, Expression]] = {"lost": (old, new), "gained": (new, old)}
    ways = {way: compare(*pair, level, "inclusion", steps=steps, seed=seed, tell=tell) for way, pair in asked.items()}
    said, drawn, data = list[str](), list[Timeline](), dict[str, Any]()
    for way, one in ways.items():
        if one.holds is None:
            said.append(f"{way}: not decided: {one.verdict}")
        elif one.witness is None:
            said.append(f"{way}: nothing, on all logs")
        else:
            said.append(f"{way}: {_sentence(way, one)}")
            drawn.append(cast(Timeline, one.drawn(*_SIDES[way])))
            data[way] = {"said": said[-1], "trace": [occurrence_data(each) for each in one.witness.trace]}
    answers = {found.holds, *(one.holds for one in ways.values())}
    if answers == {None, True} and all(one.holds for one in ways.values()):
        return Part(name, Standing.PROVED, *texts, ("on all logs each of the two is included in the other",))
    if found.timeline is not None and not drawn:  # it is known that they differ, and not in which direction
        drawn.append(cast(Timeline, found.drawn("old", "new")))
    standing = Standing.REFUTED if False in answers else Standing.UNKNOWN
    return Part(name, standing, *texts, tuple(said), tuple(drawn), data)


def _sentence(way: str, found: Comparison) -> str:
    """What one side has on the trace that tells them apart, and what the other one has there."""
    one, other = (side.upper() for side in _SIDES[way])
    bars = cast(Timeline, found.timeline).bars
    bar = next(bar for bar in bars if bar.differs)
    if found.level != "detection":
        has = str(bar) if found.level == "meaning" else f"[{bar.start}, {bar.end}]"
        return f"{one} has {has}, and {other} has not"
    there = next((each for each in bars if each.side == "right" and each.end == bar.end), None)
    instead = "nothing that ends there" if there is None else f"starts earlier, [{there.start}, {there.end}]"
    return f"{one} detects [{bar.start}, {bar.end}], and {other} {instead}"


def _programs(system: System, paths: Sequence[str], reading: Reading, cases: int, seed: int, tell: Tell) -> Part:
    """Two programs compared by a campaign."""
    made, tick = cast(CasesOfHistories, cases_of(system.name)), (reading.tick or "").replace(" ", "")
    written = [parsed(path, lambda text: made.written(text, tick), system.language) for path in paths]
    (old, ticks), (new, others) = written
    if ticks != others:
        remedy = "State the same tick in both, and durations with units."
        raise InputError(
            f"the tick is {ticks or 'not stated'} in {paths[0]}, {others or 'not stated'} in {paths[1]}", remedy=remedy
        )
    reading.with_tick(ticks, "file")  # refuses another one
    found = tried(system.name, old, new, cases, seed, lambda number: tell(f"case {number:,} of {cases:,}"))
    among = f"among {counted(found.cases, 'case')} (seed {seed})"
    if found.refused:
        among += f"; about {found.refused:,} more the definition says nothing: {found.refusal}"
    said = [f"{way}: {_found_text(way, one)}" for way, one in found.found.items()]
    said += [f"{way}: nothing in these cases" for way in _SIDES if found.found and way not in found.found]
    if found.standing is Standing.COMPUTED:
        said = [f"the {system.language} are the same"]
    elif found.found:
        said.append(f"found {among}")
    else:
        among += f"; there are no answers in any case for {', '.join(found.silent)}" if found.silent else ""
        said = [f"{'tested' if found.standing is Standing.TESTED else 'not decided'}: no difference {among}"]
    data: JsonObject = {"cases": found.cases, "refused": found.refused}
    for text, (way, one) in zip(said, found.found.items(), strict=False):
        data[way] = {"said": text, "trace": [*map(event_row, one.case.events)]}
    apart = {one.case.trace_text: one for one in found.found.values()}  # drawn once where it shows both
    drawn = tuple(map(_drawn, apart.values()))
    return Part("", found.standing, old, new, tuple(said), drawn, data)


def _found_text(way: Direction, found: Difference) -> str:
    """What one side has on a history, and what the other one has in its place."""
    one, other = _SIDES[way]
    pairs = (each[1:] if way == "lost" else each[:0:-1] for each in compared(found.old, found.new)[0])
    has, instead = next((has, instead) for has, instead in pairs if has is not None)
    said = "has not" if instead is None else instead.text()
    small = "" if found.complete else ", on a history that could be made smaller"
    return f"{one.upper()} has {has.text()}, and {other.upper()} {said}{small}"


def _drawn(found: Difference) -> Timeline:
    bars = compared_bars(*([(one.start, one.end, one.text()) for one in some] for some in (found.old, found.new)))
    numbers = (f"old: {counted(len(found.old), 'answer')}", f"new: {counted(len(found.new), 'answer')}")
    captions = (plain(f"events: {found.case.trace_text}"), *numbers)
    events = tuple(event_mark(event_row(event)) for event in found.case.events)
    return Timeline(f"case {found.case.number}, made small", captions, ("old", "new"), events, bars)


@dataclass
class _Read:
    """The answers of a text in a log by partition, how times are shown there, and what is to be said about it."""

    answers: defaultdict[Hashable, list[Answer]]
    shown: Callable[[Time], Time | str] = in_ticks
    notes: tuple[str, ...] = ()
    refusal: str = ""


def _answers_of_patterns(patterns: Mapping[str, Expression | None], log: str, reading: Reading) -> _Read:
    said = f"here rows of a tick come one after the other (--ties {reading.ties}); on all logs they are simultaneous"
    read = _Read(defaultdict(list), notes=() if reading.ties is None else (said,))
    for name, pattern in patterns.items():
        if pattern is None:
            continue
        found = detect(pattern, log, intervals=True, **reading.stated())
        parts: Mapping[Any, Found[Any]] = {None: found} if isinstance(found, Found) else found
        for key, each in parts.items():
            read.answers[key] += [Answer(name, *interval) for interval in each.intervals]
            read.shown = each.trace.shown
            unknown = unknown_events(identifiers(pattern), each.seen or each.trace.events)
            read.notes += (*each.trace.notes, *(unknown if reading.partition_by is None else ()))
    return read


def _answers_of_program(system: System, path: str, log: str, reading: Reading) -> _Read:
    made, report = cast(CasesOfHistories, cases_of(system.name)), ReadReport()
    cases, types = parsed(path, lambda text: made.of_log(log, text, reading, report), system.language)
    read = _Read(defaultdict(list), report.shown, tuple(report.messages()))
    read.notes += tuple(unknown_events(types, report.events)) if types else ()
    for key, case in cases.items():
        meaning: Any = made.meaning(case) if len(case.events) <= DEFINED else None
        if meaning is None or meaning.refusal:
            meaning = made.by_engine(case)
        read.answers[key] += map(made.answer, meaning.said)
        read.refusal = read.refusal or meaning.refusal
    return read


def _on_log(log: str, old: _Read, new: _Read, limit: int) -> OnLog:
    keys: Sequence[Any] = list(dict.fromkeys((*old.answers, *new.answers)))
    changes = {key: compared(old.answers[key], new.answers[key]) for key in keys}
    rows = [(key, one) for key, (some, _) in changes.items() for one in some]
    rows.sort(key=lambda row: max(one.end for one in row[1][1:] if one is not None))
    kinds = Counter(one.kind for _, one in rows)
    counts = {kind: kinds[kind] for kind in get_args(Changed.__annotations__["kind"])}
    counts["same"] = sum(same for _, same in changes.values())
    notes, shown = tuple(dict.fromkeys((*old.notes, *new.notes))), new.shown if old.shown is in_ticks else old.shown

    def data(one: Answer | None) -> JsonObject | None:
        return one and {"name": one.name, "start": shown(one.start), "end": shown(one.end), "text": one.text(shown)}

    listed = [
        {
            "kind": one.kind,
            "partition": "" if keys == [None] else key_text(key),
            "old": data(one.old),
            "new": data(one.new),
        }
        for key, one in rows[:limit]
    ]
    return OnLog(log, counts, listed, notes, old.refusal or new.refusal)
