"""Programs of rules at the command line and in Python."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from detectors.bry_eckert.catalogue import DEFAULT_DETECTOR, ENGINES
from detectors.bry_eckert.protocol import Answer
from laws.standings import Standing
from remora.systems.bry_eckert import detection
from remora.systems.bry_eckert.detection import Answers, Breaches, Detection, Running
from remora.systems.measuring import measuring
from remora.systems.protocol import BELIEVED, Deriving, FolderStream, Reasoning, differences
from remora.terminal import console
from remora.terminal.console import JsonObject, counted, emit, noting, print_error, print_note, print_warning, shown
from remora.terminal.options import Asked, Ends, Result
from semantics.atomic_files import to_json
from semantics.bry_eckert.algebra.plans import Plan
from semantics.bry_eckert.algebra.relations import derived_events
from semantics.bry_eckert.programs import Program, by_time
from semantics.bry_eckert.traces import events_of, form_of, read_log
from semantics.errors import InputError, unknown_events
from semantics.events import Event, Time, quoted
from semantics.reasons.bry_eckert import Derivations
from semantics.reasons.claims import Reasons, Shown
from semantics.traces.files import read_rows
from semantics.traces.reading import Reading
from semantics.traces.rows import Instant, Partition, ReadReport, Row
from semantics.traces.watermark import PENDING, Watermark


def _text(row: JsonObject, attributes: Mapping[str, Any]) -> str:
    values = ", ".join(f"{name} = {shown(value)}" for name, value in attributes.items())
    return f"[{row['start']}, {row['time']}]  {quoted(row['event'])}({values})"


def _printed(
    found: Answers, wanted: frozenset[str], report: ReadReport, rows: console.RowPrinter, watermark: Watermark
) -> None:
    """Print answers of wanted types as they come, and in the end how many there are and how many are withdrawn."""
    withdrawn = 0
    try:
        for (event, gone), partition in found:
            if event.type in wanted:
                withdrawn += gone
                row = detection.event_data(event, report.shown)
                marks = {**({"withdrawn": True} if gone else {}), **watermark.mark(event.time)}
                text = "  ".join((_text(row, event.attributes), *marks))
                rows.print(row | marks, text, partition)
    finally:
        rows.finish("answer", withdrawn)


def _ended(breaches: Breaches, note: str = "") -> Result:
    """The result of answers that have been printed: refuted where the log breaks an axiom."""
    for said in breaches.summary():
        print_warning(said)
    if breaches and note:
        print_note(note)
    return Result(Standing.REFUTED if breaches else None)


def read(path: Path, tick: str | None) -> Deriving:
    """A program of rules, evaluated step by step: the answers of all instants, and of timers due at the end."""
    program = detection.read_program(path, tick)
    plan, doubts = detection.safe_plan(program, detection.plan_for(program))
    engine = Detection(Running(program, plan, DEFAULT_DETECTOR))

    def derived(instants: Iterable[Instant], watermark: Watermark) -> Iterator[tuple[dict[str, Any], Partition]]:
        detection.wanted_types(program, (), *_reserved(watermark))
        for found in chain(map(engine.instant, watermark.instants(instants)), [engine.end(watermark.until)]):
            for (event, _), key in found:
                yield {**detection.event_data(event), **watermark.mark(event.time)}, key

    def warnings(report: ReadReport) -> Sequence[str]:
        return (*doubts, *engine.warnings, *engine.breaches.summary(), *unknown_events(program.read, report.events))

    return Deriving(form_of(program), program.tick, f"by the engine {DEFAULT_DETECTOR}", derived, warnings)


def _reserved(watermark: Watermark) -> Sequence[str]:
    """The member of rows that is no attribute, where it may be there."""
    return (PENDING,) if watermark.until is None else ()


def evaluate(path: str, log: str, **given: Any) -> Result:
    """Print all events that rules derive from a log, by the relational algebra over the whole log."""
    asked = Asked(**given)
    reading, out = asked.reading, asked.out
    program, report = detection.read_program(path, reading.tick), ReadReport()
    watermark = Watermark.stated(asked.until, reading.with_tick(program.tick, "program"))
    wanted = detection.wanted_types(program, asked.only, *_reserved(watermark))
    if out is not None and (asked.engine != "spark" or reading.partition_by is not None):
        remedy = "Say --engine spark, without --partition-by, or redirect the output."
        raise InputError("--out is for what Spark writes of a whole log", remedy=remedy)
    plan = detection.sampled_plan(program, asked.plan_path, log, reading, asked.sample)
    written = None if out is None else (out, wanted, watermark)
    with _evaluation(program, plan, asked.engine, asked.master, written) as evaluated:
        instants = watermark.instants(read_log(log, program, reading, report=report))
        events, breaches = detection.watched(program, instants)
        found = ((event, key) for key, some in events.items() for event in evaluated(some))
        derived = [(Answer(event), key) for event, key in found if watermark.says(event.time)]
    with noting(report, program.read, lambda _: watermark.messages("answer", report.shown)):
        if out is None:
            derived.sort(key=lambda pair: by_time(pair[0].event))
            rows = console.RowPrinter(asked.form, log, partitioned=reading.partition_by is not None)
            _printed(iter(derived), wanted, report, rows, watermark)
    return _ended(breaches)


@contextmanager
def _evaluation(
    program: Program, plan: Plan, engine: str, master: str, written: tuple[Path, frozenset[str], Watermark] | None
) -> Iterator[Callable[[list[Event]], list[Event]]]:
    """Evaluator of the events of one partition after another, in one connection or session."""
    if engine == "python":
        yield partial(derived_events, program, plan)
        return
    from detectors.bry_eckert.relational import evaluate_duckdb, evaluate_spark  # with SQLGlot

    if engine == "duckdb":
        import duckdb

        with duckdb.connect() as connection:
            yield partial(evaluate_duckdb, program, plan, connection=connection)
        return
    from cluster.session import SparkUnavailable, spark_session

    try:
        with spark_session(master) as session:
            yield partial(evaluate_spark, program, plan, session=session, written=written)
    except SparkUnavailable as error:
        raise Ends(Standing.ERROR, str(error)) from error


def _running(program: Program, plan: Plan, engine: str) -> Running:
    """The engine that is asked for, which forgets nothing where a condition is in doubt; says so."""
    plan, doubts = detection.safe_plan(program, plan)
    for doubt in doubts:
        print_warning(doubt)
    return Running(program, plan, engine)


def _engine(name: str | None, corrections: bool, lateness: int) -> str:
    """The engine that is asked for; `InputError` where there is none, or nothing comes late that is corrected."""
    if (name or DEFAULT_DETECTOR) not in ENGINES:
        remedy = f"The engines: {', '.join(ENGINES)}."
        raise InputError(f"there is no engine {name!r}", place="--detector", remedy=remedy)
    if corrections and not lateness:
        raise InputError("--corrections are for rows that come late", remedy="Say with --lateness how late.")
    return name or DEFAULT_DETECTOR


def detect(path: str, log: str, **given: Any) -> Result:
    """Print each event that rules derive from a log at the time at which it happens."""
    asked = Asked(**given)
    reading, state_path, more_path, corrections = asked.reading, asked.state_path, asked.more_path, asked.corrections
    program = detection.read_program(path, reading.tick)
    engine = _engine(asked.detector, corrections, asked.lateness)
    keeping, added, sampled, past = (one is not None for one in (asked.keep, more_path, asked.sample, asked.past))
    adding = keeping or added
    for wrong, reason, remedy in (
        (asked.lateness and reading.sort, "--lateness and --sort exclude each other", "With --sort no row is late."),
        (corrections and adding, "to answers that are corrected no rules are added", "Leave out --keep and --add."),
        (sampled and state_path, "--sample chooses a plan anew; a state has one", "Name it with --plan."),
        (adding and not state_path, "--keep and --add are about a detection that goes on", "Name it with --state."),
        (past and not more_path, "--past says what rules see that are added", "Name them with --add."),
    ):
        if wrong:
            raise InputError(reason, remedy=remedy)
    report, partition_by = ReadReport(), reading.partition_by
    plan = detection.sampled_plan(program, asked.plan_path, log, reading, asked.sample, engine)
    running = Detection(_running(program, plan, engine), asked.lateness if corrections else None)
    if state_path is not None:
        running.go_on_from(state_path, partition_by)
    if asked.keep is not None:
        running.keep(asked.keep)
    if more_path is not None:
        more = detection.read_program(more_path, program.tick or None, running.program.signatures)
        running.add(_running(more, detection.plan_for(more), engine), asked.past)
    watermark = Watermark.stated(asked.until, reading.with_tick(program.tick, "program"))
    reserved = () if state_path else _reserved(watermark)
    wanted = detection.wanted_types(running.program, asked.only, *reserved, *(("withdrawn",) if corrections else ()))
    answers = _answers(running, log, asked, report, watermark)
    with noting(report, running.program.read, lambda _: watermark.messages("answer", report.shown)):
        try:
            rows = console.RowPrinter(asked.form, log, partitioned=partition_by is not None)
            _printed(answers, wanted, report, rows, watermark)
        finally:
            if state_path is not None:
                running.store(state_path, partition_by)
    return _ended(running.breaches, BELIEVED)


def _answers(running: Detection, log: str, asked: Asked, report: ReadReport, watermark: Watermark) -> Answers:
    """The answers to what is new in a log, and corrections of them; where it ends, all timers are due that may be."""
    program, done, skipped, reading, lateness = running.program, running.now, 0, asked.reading, asked.lateness
    if running.lateness is not None:
        reading = reading.with_tick(program.tick, "program")
        rows = read_rows(log, reading, form=form_of(program), report=report)
        instants = detection.arriving(rows, lateness, report, done)
    else:
        instants = read_log(log, program, reading, lateness=lateness, report=report)
    for instant in chain(watermark.instants(instants), [None] if asked.state_path is None else []):
        if instant is not None and instant.time <= done and running.lateness is None:
            skipped += len(instant.rows)
            continue
        yield from running.end(watermark.until) if instant is None else running.instant(instant)
        for breach in running.warnings:
            print_warning(breach)
        running.warnings.clear()
    if skipped:
        print_note(f"left out {counted(skipped, 'row')} up to time {report.shown(done)}, which the state has done")


def verify(path: str, log: str, *, reading: Reading, only: tuple[str, ...]) -> Result:
    """Compare what the engine derives from a log step by step with the relational algebra over the whole log."""
    program, report = detection.read_program(path, reading.tick), ReadReport()
    wanted, plan = detection.wanted_types(program, only), detection.plan_for(program)
    running = Detection(_running(program, plan, DEFAULT_DETECTOR))
    with noting(report, program.read):
        instants = list(read_log(log, program, reading, report=report))
    events, breaches = detection.watched(program, instants)
    ran = ((one.event, key) for found in (*map(running.instant, instants), running.end()) for one, key in found)
    meant = ((event, key) for key, given in events.items() for event in derived_events(program, plan, given))
    engine, algebra = (
        [to_json({**detection.event_data(event), "partition": key}) for event, key in found if event.type in wanted]
        for found in (ran, meant)
    )
    wrong = differences(algebra, engine, "algebra")

    def show() -> None:
        rows, answers = counted(report.rows, "row"), counted(len(engine), "answer")
        emit(f"{'different' if wrong else 'same'}: {rows}, {answers} by the engine {DEFAULT_DETECTOR}\n")
        for row in wrong:
            print_error(row)

    document = {"schema": "remora/rules-verify/1", "engine": DEFAULT_DETECTOR, "rows": report.rows}
    document |= {"answers": len(engine), "differences": wrong}
    ended = _ended(breaches)
    return Result(Standing.REFUTED if wrong else ended.standing or Standing.TESTED, document, show)


def stream(
    path: str,
    folder: FolderStream,
    *,
    key: str | None,
    lateness: int,
    plan_path: Path | None,
    corrections: bool,
    only: tuple[str, ...],
    detector: str | None,
) -> Result:
    """Give the events that rules derive from the files of a folder as they come, with Spark."""
    from streaming.bry_eckert.detection import settings_of  # with Spark

    program, engine = detection.read_program(path, folder.reading.tick), _engine(detector, corrections, lateness)
    folder = replace(folder, reading=folder.reading.with_tick(program.tick, "program"))
    plan = detection.plan_for(program, plan_path)  # refused here, and not by a worker
    settings, apart = settings_of(
        program,
        lateness=lateness,
        key=key,
        only=detection.wanted_types(program, only, "kind"),
        detector=engine,
        choices="" if plan_path is None else plan_path.read_text(encoding="utf-8"),
        corrections=corrections,
    )
    if apart:
        program = replace(program, axioms=tuple(axiom for axiom in program.axioms if axiom not in apart))
        plan = detection.plan_for(program, plan_path)
    settings = replace(settings, doubtful=_running(program, plan, engine).plan.doubtful)
    for axiom in apart:
        print_warning(
            f"the axiom in line {axiom.line} is not believed: events that break it may have different keys, whose"
            " states are apart; say it of events with equal keys, or name a column with --key"
        )
    if settings.keys is not None:
        print_note("the state is kept by " + ", ".join(f"{quoted(type)}.{name}" for type, name in settings.keys))
    elif key is None:
        print_warning("no variable is common to all atoms and heads: one task keeps the whole state; see --key")
    return folder.run(settings, _streamed)


def _streamed(row: JsonObject) -> str:
    known = ("start", "time", "event", "kind", "partition")
    return _text(row, {name: value for name, value in row.items() if name not in known})


def explain(path: str, **options: Any) -> Result:
    """Explain rules: each in words, its algebra, an example in time; the plan, and what each step stores."""
    from remora.systems.bry_eckert import explaining  # with a solver

    return explaining.explain(path, **options)


def why(text: str, tick: str | None, only: Sequence[str]) -> Reasoning:
    """The derivation of each answer of rules at a time, or the nearest miss of each rule for a type."""
    program = detection.read_program(text, tick)
    detection.wanted_types(program, only)
    plan = detection.plan_for(program)

    def reasons(rows: Sequence[Row], time: Time, shown: Shown, last: Time) -> Reasons:
        history = list(events_of(rows, program))
        return Derivations(program, history, derived_events(program, plan, history), shown).at(time, only)

    return Reasoning(form_of(program), program.tick, reasons, program.read)


def bench(
    asked: tuple[str, ...], *, events: int | None, repetitions: int | None, longest: int | None, seed: int
) -> Result:
    """Measure the engines on the program of 2008, Section 2.1, in events a second of the processor's time."""
    from benchmarks.rules import measured  # with DuckDB's queries

    if asked:
        raise InputError("the benchmark of rules takes no argument", remedy=f"Leave out {' '.join(asked)}.")
    try:
        return measuring(measured(events or 200_000, longest or 1_000_000, repetitions or 3, seed), None, seed)
    except ValueError as error:
        raise Ends(Standing.DISAGREEMENT, str(error)) from None
