"""Options, printed answers and closing notes that the commands for programs of rules share."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from detectors.bry_eckert.catalogue import DEFAULT_DETECTOR, ENGINES
from laws.standings import ExitStatus
from remora.api.claiming.data import Shown, to_json
from remora.api.counts import counted
from remora.bry_eckert.breaches import Breaches
from remora.terminal.console import emit, print_count, print_note, print_warning, takes_unicode
from remora.terminal.options import NamedPath, WholeNumber, log_options
from remora.terminal.results.shown import shown
from semantics.errors import InputError
from semantics.events import Event, in_ticks, quoted
from semantics.traces.instants import ReadReport
from semantics.traces.rows import Partition

PLAN = click.option(
    "--plan",
    "plan_path",
    type=NamedPath(folder=False, exists=True),
    metavar="FILE",
    help="Join as this file says, with lines such as F: c, d / e. See docs/rules.md.",
)

SAMPLED = click.option(
    "--sample",
    type=WholeNumber(min=1),
    metavar="N",
    help="Join as it costs least on the first N events of LOG, a file, by counts of stored and looked up tuples.",
)

ENGINE = click.option(
    "--detector",
    "engine",
    type=click.Choice(list(ENGINES)),
    default=DEFAULT_DETECTOR,
    show_default=True,
    help="The engine.",
)

AS_PRINTED = click.option(
    "--as-printed",
    is_flag=True,
    help="Take the engine as its paper prints it, wrong where it differs: short for --detector ENGINE:as-printed.",
)

CORRECTIONS = click.option(
    "--corrections",
    is_flag=True,
    help="With --lateness, answers do not wait: one that a late row makes false is withdrawn, one that it makes true"
    " is given then.",
)

ONLY = click.option(
    "--only", "only", metavar="TYPE", multiple=True, help="Print answers of this type alone. Repeatable."
)

KEEP = click.option(
    "--keep",
    type=WholeNumber(min=0),
    metavar="TICKS",
    help="Keep the events and answers of so much of the past in the state, for rules that are added later.",
)

ADD = click.option(
    "--add",
    "more_path",
    type=NamedPath(folder=False, exists=True),
    metavar="MORE.rules",
    help="From now on, derive what these rules derive too, from the log and from what PROGRAM derives; the state has"
    " them from then on.",
)

PAST = click.option(
    "--past",
    type=WholeNumber(min=0),
    metavar="TICKS",
    help="Rules that are added see so much of the past; without it, all that they need.",
)


def require_apart(corrections: bool, lateness: int, keep: int | None, more: Path | None) -> None:
    """Make sure that corrections go with a lateness, and without rules that are added.

    Raises:
        InputError: they do not.
    """
    if corrections and (not lateness or keep is not None or more is not None):
        raise InputError(
            "--corrections are for rows that come late, of a detection to which no rules are added",
            remedy="Say with --lateness how late rows come, and leave out --keep and --add.",
        )


of_log = log_options("same_time")
"""How a log is read: several events of one type may end at one time."""


class EventPrinter:
    """Prints derived events, one a line, and counts them."""

    def __init__(
        self, report: ReadReport, *, text: bool, partitioned: bool, wanted: frozenset[str], flush: bool
    ) -> None:
        """Choose the form; `flush` hands every line on at once, for live streams.

        The report says how times are shown, as soon as some have been read.
        """
        self._report = report
        self.text, self.partitioned, self.wanted, self.flush = text, partitioned, wanted, flush
        self.count = self.withdrawn = 0
        self._ascii_only = not takes_unicode(sys.stdout)

    def print(self, event: Event, partition: Partition, *, withdrawn: bool = False) -> None:
        """Print an event, or that it is withdrawn, if its type is wanted."""
        if event.type not in self.wanted:
            return
        self.count += -1 if withdrawn else 1
        self.withdrawn += withdrawn
        if self.text:
            values = ", ".join(f"{name} = {shown(value)}" for name, value in event.attributes.items())
            time = self._report.shown
            line = f"[{time(event.start)}, {time(event.time)}]  {quoted(event.type)}({values})"
            line += "  withdrawn" if withdrawn else ""
            if self.partitioned:
                line = f"{'(none)' if partition is None else shown(partition)}  {line}"
        else:
            row = event_data(event, self._report.shown) | (
                {"partition": partition} if self.partitioned else {}
            )
            row |= {"withdrawn": True} if withdrawn else {}
            line = to_json(row, ascii_only=self._ascii_only)
        emit(line + "\n")
        if self.flush:
            sys.stdout.flush()

    def finish(self) -> None:
        """Say how many there were, to people."""
        sys.stdout.flush()
        if self.text:
            withdrawn = f", {self.withdrawn:,} withdrawn" if self.withdrawn else ""
            print_count(f"{counted(self.count, 'answer')}{withdrawn}")


def event_data(event: Event, time: Shown = in_ticks) -> dict[str, Any]:
    """`{"start": 3, "time": 9, "event": "overdue", "id": 42}`: a row of a log, with times as a function shows them."""
    return {"start": time(event.start), "time": time(event.time), "event": event.type, **event.attributes}


def warn(breaches: Iterable[str]) -> None:
    """Say what breaks axioms."""
    for breach in breaches:
        print_warning(breach)


def end_by(breaches: Breaches, note: str = "") -> None:
    """End with the status of what is refuted where the log breaks an axiom."""
    if breaches:
        warn(breaches.summary())
        if note:
            print_note(note)
        raise SystemExit(int(ExitStatus.REFUTED))


BELIEVED = "what is stored was dropped as the axioms allow: answers may be missing, or wrong where something is absent"
"""What a log that breaks axioms means for answers."""
