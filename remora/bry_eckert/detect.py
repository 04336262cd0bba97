"""`remora detect` for programs of rules."""

from __future__ import annotations

from pathlib import Path

import click

from detectors.bry_eckert.catalogue import FORGETTING
from remora.api.counts import counted
from remora.bry_eckert.corrections import CorrectedDetection, arriving
from remora.bry_eckert.detection import Detection, Running, StateFile, later
from remora.bry_eckert.measuring import sampled_plan
from remora.bry_eckert.printing import (
    ADD,
    AS_PRINTED,
    BELIEVED,
    CORRECTIONS,
    ENGINE,
    KEEP,
    ONLY,
    PAST,
    PLAN,
    SAMPLED,
    EventPrinter,
    end_by,
    of_log,
    require_apart,
    warn,
)
from remora.bry_eckert.programs import plan_for, printed_engine, read_program, safe_engine, wanted_types
from remora.terminal import completion
from remora.terminal.console import print_note, print_warning
from remora.terminal.options import (
    WholeNumber,
    is_live,
    no_seed_option,
    rows_format_option,
    state_option,
    wants_text,
)
from remora.terminal.results.printing import noting
from semantics.bry_eckert.algebra.plans import Plan
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.traces import form_of, read_log
from semantics.errors import InputError
from semantics.traces.files import read_rows
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Reading


@click.command(
    "detect",
    epilog="\b\nExamples:\n"
    "  remora detect orders.rules orders.jsonl\n"
    "  remora detect orders.rules log.csv --partition-by shop --only overdue\n"
    "  remora detect orders.rules log.jsonl.gz --time '@timestamp' --event type --zone UTC\n"
    "  remora detect orders.rules today.jsonl --state seen.json\n"
    "  remora detect orders.rules more.jsonl --state seen.json --add returns.rules --past 24\n"
    "  tail -f log.jsonl | remora detect orders.rules - --format jsonl\n\n"
    "\b\nWith --state a detection goes on where the last input ended: timers that were\n"
    "pending then are due when time goes on. Without it, they are all due at the end.",
)
@click.argument("program_file", metavar="PROGRAM.rules")
@click.argument("log", shell_complete=completion.files)
@ENGINE
@AS_PRINTED
@state_option
@click.option(
    "--lateness",
    type=WholeNumber(min=0),
    default=0,
    show_default=True,
    metavar="TICKS",
    help="How much a row may come after later ones: answers wait so long. What comes still later is left out and"
    " counted.",
)
@CORRECTIONS
@KEEP
@ADD
@PAST
@of_log
@PLAN
@SAMPLED
@ONLY
@no_seed_option
@rows_format_option
def detect(
    program_file: str,
    log: str,
    engine: str,
    as_printed: bool,
    state_path: Path | None,
    lateness: int,
    corrections: bool,
    keep: int | None,
    more_path: Path | None,
    past: int | None,
    reading: Reading,
    plan_path: Path | None,
    sample: int | None,
    only: tuple[str, ...],
    form: str | None,
) -> None:
    """Print each event that PROGRAM derives from LOG at the time at which it happens.

    LOG is CSV, JSON Lines or Parquet with the columns time and event, perhaps start, and attributes; or - for
    standard input. An answer is printed as soon as its instant is complete, that is when a row of a later time is
    read; with --lateness, of a time that is later by more than that.
    """
    program, engine = read_program(program_file, reading.tick), printed_engine(engine, as_printed)
    if lateness and reading.sort:
        raise InputError(
            "--lateness and --sort exclude each other",
            remedy="With --sort no row is late: all are read before the first answer.",
        )
    require_apart(corrections, lateness, keep, more_path)
    if sample is not None and state_path is not None:
        raise InputError(
            "--sample chooses a plan anew, and a state goes on with the plan that it has",
            remedy="Name the plan with --plan; `remora explain --log` says which one costs least.",
        )
    report = ReadReport()
    running = _running(program, sampled_plan(program, plan_path, log, reading, sample, engine), engine)
    detection = Detection(running)
    settled = lateness if corrections else None
    state = None if state_path is None else StateFile(state_path, running, reading.partition_by, settled)
    if state is None and (keep is not None or more_path is not None):
        raise InputError(
            "--keep and --add are about a detection that goes on",
            remedy="Name the file of its state with --state.",
        )
    if past is not None and more_path is None:
        raise InputError("--past says what rules see that are added", remedy="Name their file with --add.")
    if state is not None and not corrections:
        state.restore(detection)
    if keep is not None:
        detection.keep(keep)
    if more_path is not None:
        more = read_program(more_path, program.tick or None, detection.program.signatures)
        detection.add(_running(more, plan_for(more), engine), past)
    program, wanted = detection.program, wanted_types(detection.program, only)
    printer = EventPrinter(
        report,
        text=wants_text(form),
        partitioned=reading.partition_by is not None,
        wanted=wanted,
        flush=is_live(log),
    )
    if corrections:
        _corrected(CorrectedDetection(running, lateness), log, lateness, reading, printer, report, state)
        return
    instants = read_log(log, program, reading, lateness=lateness, report=report)
    skipped = [0]

    def left_out(rows: int) -> None:
        skipped[0] += rows

    with noting(report, program.read):
        try:
            for instant in later(instants, detection, left_out):
                for event, partition in detection.instant(instant):
                    printer.print(event, partition)
                warn(detection.warnings)
                detection.warnings.clear()
            if state is None:
                for event, partition in detection.until(None):
                    printer.print(event, partition)
        finally:
            printer.finish()
            if state is not None:
                state.write(detection)
        if skipped[0]:
            print_note(
                f"left out {counted(skipped[0], 'row')} up to time {report.shown(detection.now)}, which the state"
                " has done"
            )
    end_by(detection.breaches, BELIEVED if running.engine in FORGETTING else "")


def _corrected(
    detection: CorrectedDetection,
    log: str,
    lateness: int,
    reading: Reading,
    printer: EventPrinter,
    report: ReadReport,
    state: StateFile | None,
) -> None:
    """Print answers at once, and corrections of them."""
    running = detection.running
    if state is not None:
        state.restore(detection)
    for type in printer.wanted:
        if "withdrawn" in running.program.signatures[type].types:
            raise InputError(
                f"{type} has an attribute withdrawn, and the lines of corrections have one of this name",
                remedy="Give the attribute another name in the head of the rule.",
            )
    rows = read_rows(
        log, reading.with_tick(running.program.tick, "program"), form=form_of(running.program), report=report
    )
    with noting(report, running.program.read):
        try:
            for instant in arriving(rows, lateness, report, detection.now):
                for answer, partition in detection.instant(instant):
                    printer.print(answer.event, partition, withdrawn=answer.withdrawn)
            if state is None:
                for answer, partition in detection.end():
                    printer.print(answer.event, partition, withdrawn=answer.withdrawn)
            warn(detection.warnings)
        finally:
            printer.finish()
            if state is not None:
                state.write(detection)
    end_by(detection.breaches, BELIEVED if running.engine in FORGETTING else "")


def _running(program: Program, plan: Plan, engine: str) -> Running:
    """The engine that is asked for, which forgets nothing where a condition is in doubt; says so."""
    engine, plan, doubts = safe_engine(engine, program, plan)
    for doubt in doubts:
        print_warning(doubt)
    return Running(program, plan, engine)
