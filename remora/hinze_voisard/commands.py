"""`remora eval` and `detect` of files of profiles."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from remora.api.cards import counted
from remora.api.data import to_json
from remora.terminal import completion
from remora.terminal.console import emit, print_note
from remora.terminal.options import log_options, no_seed_option, rows_format_option, wants_text
from semantics.errors import InputError
from semantics.events import Event
from semantics.hinze_voisard.evaluation import Found, Notification, continuously, evaluated
from semantics.hinze_voisard.profiles import ProfileFile
from semantics.hinze_voisard.syntax import parse
from semantics.hinze_voisard.system import FORM
from semantics.traces import files
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Reading
from semantics.traces.rows import Partition

of_log = log_options("same_time", "value", "start")
"""How a log is read: events are points, and all columns are attributes."""

ONLY = click.option(
    "--only",
    "only",
    metavar="PROFILE",
    multiple=True,
    help="Give occurrences of this profile alone. Repeatable.",
)


@click.command(
    "eval",
    epilog="\b\nExamples:\n  remora eval fleet.profile log.jsonl\n  remora eval fleet.profile log.csv --only P1",
)
@click.argument("profile_file", metavar="FILE.profile")
@click.argument("log", shell_complete=completion.files)
@of_log
@ONLY
@no_seed_option
@rows_format_option
def evaluate(profile_file: str, log: str, reading: Reading, only: tuple[str, ...], form: str | None) -> None:
    """Print all occurrences of the profiles of FILE in LOG, over the closed interval from its first event to its last.

    One JSON object a line: start, time, event (the profile) and its primitive events.
    """
    profiles, report = _chosen(_read(profile_file), only), ReadReport()
    count = 0
    for partition, events in _by_partition(log, reading, report).items():
        for found in evaluated(profiles, events):
            count += 1
            _print(_row(found, report, partition), form)
    _finish(form, count, "occurrence", report)


@click.command(
    "detect",
    epilog="\b\nExamples:\n  remora detect fleet.profile log.jsonl\n  remora detect fleet.profile log.csv --only P1",
)
@click.argument("profile_file", metavar="FILE.profile")
@click.argument("log", shell_complete=completion.files)
@of_log
@ONLY
@no_seed_option
@rows_format_option
def detect(profile_file: str, log: str, reading: Reading, only: tuple[str, ...], form: str | None) -> None:
    """Print what continuous evaluation says at each time of LOG: what is announced, and what is withdrawn later.

    An occurrence is announced as early as possible. Where the last event of a list is selected, or events are used up,
    a later event can make another one right, and what was announced is withdrawn. The whole interval up to each time is
    evaluated again: logs of some thousand events take long.
    """
    profiles, report = _chosen(_read(profile_file), only), ReadReport()
    count = 0
    for partition, events in _by_partition(log, reading, report).items():
        for said in continuously(profiles, events):
            count += 1
            _print(_notification(said, report, partition), form)
    _finish(form, count, "notification", report)


def _read(path: str) -> ProfileFile:
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the profiles cannot be read: {error}", place=path) from None
    try:
        return parse(text)
    except InputError as error:
        error.place = f"{path}, {error.place}" if error.place else path
        raise


def _chosen(file: ProfileFile, only: Iterable[str]) -> ProfileFile:
    wanted = list(only)
    known = [profile.name for profile in file.profiles]
    for name in wanted:
        if name not in known:
            raise InputError(
                f"there is no profile {name}",
                place="--only",
                remedy=f"The profiles: {', '.join(known) or 'none'}.",
            )
    kept = tuple(profile for profile in file.profiles if not wanted or profile.name in wanted)
    return ProfileFile(file.classes, kept, file.text)


def _by_partition(log: str, reading: Reading, report: ReadReport) -> dict[Partition, list[Event]]:
    found: dict[Partition, list[Event]] = {}
    for instant in files.read_instants(log, reading, form=FORM, report=report):
        for row in instant.rows:
            found.setdefault(row.partition, []).append(Event(row.event, row.time, row.time, row.attributes))
    return found


def _row(found: Found, report: ReadReport, partition: Partition) -> dict[str, Any]:
    time = report.shown
    events = [{"time": time(one.time), "event": one.type, **one.attributes} for one in found.events]
    row = {"start": time(found.start), "time": time(found.time), "event": found.profile, "events": events}
    return row if partition is None else {**row, "partition": partition}


def _notification(said: Notification, report: ReadReport, partition: Partition) -> dict[str, Any]:
    return {"at": report.shown(said.time), "kind": said.kind, **_row(said.found, report, partition)}


def _print(row: dict[str, Any], form: str | None) -> None:
    if not wants_text(form):
        emit(to_json(row) + "\n")
        return
    events = ", ".join(f"{one['event']}@{one['time']}" for one in row["events"])
    said = f"at {row['at']} {row['kind']}: " if "kind" in row else ""
    place = f"{row['partition']}  " if "partition" in row else ""
    emit(f"{place}{said}[{row['start']}, {row['time']}]  {row['event']}: {events}\n")


def _finish(form: str | None, count: int, what: str, report: ReadReport) -> None:
    if wants_text(form):
        print_note(counted(count, what))
    for message in report.messages():
        print_note(message)


COMMANDS: dict[str, click.Command] = {"eval": evaluate, "detect": detect}
"""The commands that take a file of profiles."""
