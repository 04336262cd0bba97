"""`remora stream` for programs of rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import click

from remora.api.claiming.data import JsonObject
from remora.bry_eckert.printing import (
    AS_PRINTED,
    CORRECTIONS,
    ENGINE,
    ONLY,
    PLAN,
    require_apart,
)
from remora.bry_eckert.programs import plan_for, printed_engine, read_program, safe_engine, wanted_types
from remora.terminal.console import print_note, print_warning
from remora.terminal.results.shown import shown
from remora.terminal.streaming import FolderStream, folder_options
from semantics.bry_eckert.algebra.plans import Plan
from semantics.bry_eckert.programs import Axiom, Program
from semantics.errors import InputError
from semantics.events import quoted
from streaming.bry_eckert.detection import settings_of
from streaming.bry_eckert.keys import Keys


@click.command(
    "stream",
    epilog="\b\nExamples:\n"
    "  remora stream orders.rules incoming/ --lateness 60 --out found/\n"
    "  remora stream orders.rules incoming/ --out found/ --once\n"
    "  remora stream network.rules incoming/ --key sensor --once\n\n"
    "\b\nTime is the greatest time of any row less --lateness. An answer is given when time\n"
    "has passed it; until then it is pending. With --once the pending ones are given at\n"
    "the end, all timers due. With --out the next run goes on where this one ended or\n"
    "was killed, and every answer is in the results exactly once.",
)
@click.argument("program_file", metavar="PROGRAM.rules")
@click.option(
    "--key",
    metavar="COLUMN",
    help="Treat the rows of each value of this column as a log of their own. Without it, events are kept"
    " apart by the variable that all atoms have in common, where there is one.",
)
@PLAN
@CORRECTIONS
@ONLY
@ENGINE
@AS_PRINTED
@folder_options
def stream(
    folder: FolderStream,
    program_file: str,
    key: str | None,
    lateness: int,
    plan_path: Path | None,
    corrections: bool,
    only: tuple[str, ...],
    engine: str,
    as_printed: bool,
) -> None:
    """Give the events that PROGRAM derives from the files of FOLDER as they come, with Spark.

    Results are JSON Lines as of `remora detect`, with a `kind`: detected, withdrawn (with --corrections), pending
    (with --once), late (a row that was not taken) or broken (a row that breaks an axiom, which is named with the event
    that it contradicts).
    """
    require_apart(corrections, lateness, None, None)
    program, engine = read_program(program_file, folder.reading.tick), printed_engine(engine, as_printed)
    folder = replace(
        folder, reading=folder.reading.with_tick(program.tick, "program")
    )  # refused here, and not by a worker
    wanted = wanted_types(program, only)
    _require_no_kind(program, wanted)
    plan_for(program, plan_path)  # refused here, and not by a worker
    choices = "" if plan_path is None else plan_path.read_text(encoding="utf-8")
    settings, apart = settings_of(
        program,
        lateness=lateness,
        key=key,
        only=wanted,
        detector=engine,
        choices=choices,
        corrections=corrections,
    )
    program = replace(program, axioms=tuple(axiom for axiom in program.axioms if axiom not in apart))
    engine, doubtful = _safe(engine, program, plan_for(program, plan_path))
    settings = replace(settings, engine=engine, doubtful=doubtful)
    folder.require_source()
    keys = None if settings.keys is None else dict(settings.keys)
    _say_apart(apart, keys or {})
    _say_key(key, keys)
    folder.run(settings, _text)


def _safe(engine: str, program: Program, plan: Plan) -> tuple[str, frozenset[tuple[str, int]]]:
    """The engine that runs, and the stores of which it drops nothing; says why."""
    engine, plan, doubts = safe_engine(engine, program, plan)
    for doubt in doubts:
        print_warning(doubt)
    return engine, plan.doubtful


def _say_apart(axioms: Iterable[Axiom], keys: Keys) -> None:
    """Say which axioms are not believed, and what would help."""
    for axiom in axioms:
        places = " and ".join(f"{quoted(type)}.{keys[type]}" for type in axiom.types if type in keys)
        print_warning(
            f"the axiom in line {axiom.line} is not believed: events that break it may have different keys, whose"
            f" states are apart; say it of events with equal {places or 'keys'}, or name a column with --key"
        )


def _say_key(column: str | None, keys: Keys | None) -> None:
    if keys is not None:
        print_note(
            "the state is kept by " + ", ".join(f"{quoted(type)}.{name}" for type, name in keys.items())
        )
    elif column is None:
        print_warning(
            "no variable is common to all atoms and heads: one task keeps the whole state; see --key"
        )


def _require_no_kind(program: Program, wanted: frozenset[str]) -> None:
    for type in wanted:
        if "kind" in program.signatures[type].types:
            raise InputError(
                f"{type} has an attribute kind, and the rows of a stream have a column of this name",
                remedy="Give the attribute another name in the head of the rule.",
            )


def _text(row: JsonObject) -> str:
    known = ("start", "time", "event", "kind", "partition")
    values = ", ".join(f"{name} = {shown(value)}" for name, value in row.items() if name not in known)
    return f"[{row['start']}, {row['time']}]  {quoted(row['event'])}({values})"
