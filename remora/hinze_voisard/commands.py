"""The commands that take a file of profiles."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from typing import Any, TypeAlias

import click

from detectors.hinze_voisard.engine import Engine
from remora.api.claiming.data import to_json
from remora.api.counts import counted
from remora.hinze_voisard.bench import bench
from remora.hinze_voisard.explaining import (
    by_partition,
    chosen,
    explained,
    in_text,
    only_option,
    outside,
    read_profiles,
)
from remora.hinze_voisard.own_logs import verify
from remora.hinze_voisard.stream import stream
from remora.terminal import completion
from remora.terminal.console import emit, emit_json, print_count, print_note
from remora.terminal.options import (
    format_option,
    is_live,
    log_options,
    no_seed_option,
    rows_format_option,
    wants_text,
)
from remora.terminal.results.drawing import print_timeline
from remora.terminal.results.printing import noting
from reports.drawing.layout import Bar, Timeline
from semantics.events import Time
from semantics.hinze_voisard.evaluation import FORM, Evaluation, Found, Notification, evaluated, said_data
from semantics.hinze_voisard.literal import SLIPS
from semantics.hinze_voisard.printed import PLACES, AsPrinted
from semantics.hinze_voisard.profiles import ProfileFile
from semantics.traces import files
from semantics.traces.instants import Instant, ReadReport
from semantics.traces.reading import Reading
from semantics.traces.rows import Partition

of_log = log_options("same_time", "value", "start")
"""How a log is read: events are points, and all columns are attributes."""

Said: TypeAlias = Iterator[tuple[Partition, Found | Notification]]
"""What is said of each partition, in the order in which it is said."""

as_printed_option = click.option(
    "--as-printed",
    "slips",
    metavar="PLACE",
    type=click.Choice(PLACES),
    multiple=True,
    help="Evaluate with a place of the source as it is printed, by its name in docs/errata-profiles.md. Repeatable."
    f" PLACE is one of {', '.join(PLACES)}.",
)
"""The option for `semantics.hinze_voisard.printed.AsPrinted`."""


def _command(
    name: str, say: Callable[..., Said], what: str, help: str, *options: Callable[[Any], Any]
) -> click.Command:
    """The command that reads profiles and a log, and prints what is said of them; `say` is given its own options."""

    def run(
        profile_file: str,
        log: str,
        reading: Reading,
        only: tuple[str, ...],
        form: str | None,
        **chosen_here: Any,
    ) -> None:
        profiles, report = chosen(read_profiles(profile_file, reading.tick), only), ReadReport()
        count, times, as_text, at_once = 0, list[Time](), wants_text(form), is_live(log)
        instants = _noting(_instants(log, profiles, reading, report), times)
        with noting(report, more=partial(outside, profiles, times, report.shown)):
            for partition, said in say(profiles, instants, **chosen_here):
                count += 1
                last = {} if partition is None else {"partition": partition}
                _print({**said_data(said, report.shown), **last}, as_text=as_text)
                if at_once:
                    sys.stdout.flush()
            sys.stdout.flush()
            if as_text:
                print_count(counted(count, what))

    examples = f"  remora {name} fleet.profile log.jsonl\n  remora {name} fleet.profile log.csv --only P1"
    decorators: tuple[Callable[[Any], Any], ...] = (
        rows_format_option,
        no_seed_option,
        *options,
        only_option,
        of_log,
        click.argument("log", shell_complete=completion.files),
        click.argument("profile_file", metavar="FILE.profile"),
    )
    for decorate in decorators:
        run = decorate(run)
    return click.command(name, help=help, epilog=f"\b\nExamples:\n{examples}")(run)


def _evaluated(profiles: ProfileFile, instants: Iterable[Instant], slips: Collection[str] = ()) -> Said:
    reading = partial(AsPrinted, slips=slips) if slips else Evaluation
    for slip in slips:
        print_note(f"as printed, {slip}: {SLIPS[slip]}")
    for partition, events in by_partition(instants).items():
        yield from ((partition, one) for one in evaluated(profiles, events, reading))


def _detected(profiles: ProfileFile, instants: Iterable[Instant]) -> Said:
    engines: dict[Partition, Engine] = {}
    for instant in instants:
        for partition, events in by_partition([instant]).items():
            if partition not in engines:
                engines[partition] = Engine(profiles)
            yield from ((partition, one) for one in engines[partition].step(instant.time, events))


@click.command(
    "explain",
    epilog="\b\nExamples:\n  remora explain fleet.profile\n  remora explain fleet.profile --log log.jsonl",
)
@click.argument("profile_file", metavar="FILE.profile")
@click.option(
    "--log", metavar="LOG", shell_complete=completion.files, help="Draw what occurs in this log as well."
)
@log_options("same_time", "value", "start", "partition_by")
@no_seed_option
@format_option
def explain(profile_file: str, log: str | None, reading: Reading, form: str) -> None:
    """Explain the profiles of FILE: each in words, whether what is announced can be withdrawn, and what is stored."""
    profiles = read_profiles(profile_file, reading.tick)
    rows = [explained(profiles, one.name) for one in profiles.profiles]
    if form == "json":
        emit_json({"schema": "remora/profiles/1", "profiles": rows})
        return
    for row in rows:
        emit(f"{row['name']} = {row['profile']}\n  {row['words']}\n")
        emit(f"  {row['withdraws'] or 'what is announced is never withdrawn'}\n")
        for part in row["parts"]:
            if part["withdraws"]:
                emit(f"    {part['part']}: {part['withdraws']}\n")
        if row["bounded"]:
            emit("  the state is bounded by what occurs within the spans\n")
        for part in row["parts"]:
            if part["unbounded"]:
                emit(f"  no bound for {part['part']}: {part['unbounded']}\n")
        emit("\n")
    if log is not None:
        _draw(profiles, log, reading)


def _draw(profiles: ProfileFile, log: str, reading: Reading) -> None:
    report = ReadReport()
    instants = list(_instants(log, profiles, reading, report))
    rows = tuple(row for instant in instants for row in instant.rows)
    with noting(report, more=partial(outside, profiles, [row.time for row in rows], report.shown)):
        for profile in profiles.profiles:
            alone = ProfileFile(profiles.classes, (profile,), profiles.text)
            found = [one for _, one in _evaluated(alone, instants) if isinstance(one, Found)]
            bars = tuple(Bar(one.start, one.time, "both", False, (), profile.name) for one in found)
            said = counted(len(found), "occurrence")
            print_timeline(Timeline(profile.name, (said,), ("", ""), rows, bars, compares=False))
            emit("\n")


def _instants(log: str, profiles: ProfileFile, reading: Reading, report: ReadReport) -> Iterator[Instant]:
    return files.read_instants(log, reading.with_tick(profiles.tick, "file"), form=FORM, report=report)


def _noting(instants: Iterable[Instant], times: list[Time]) -> Iterator[Instant]:
    """The instants; the first and the last time so far are noted."""
    for instant in instants:
        times[1:] = [instant.time]
        yield instant


def _print(row: dict[str, Any], *, as_text: bool) -> None:
    if not as_text:
        emit(to_json(row) + "\n")
        return
    said = f"at {row['at']} {row['kind']}: " if "kind" in row else ""
    place = f"{row['partition']}  " if "partition" in row else ""
    emit(f"{place}{said}{in_text(row)}\n")


COMMANDS: dict[str, click.Command] = {
    "eval": _command(
        "eval",
        _evaluated,
        "occurrence",
        """Print all occurrences of the profiles of FILE in LOG, from its first event to its last.

        One JSON object a line: start, time, event (the profile) and its primitive events.
        """,
        as_printed_option,
    ),
    "detect": _command(
        "detect",
        _detected,
        "notification",
        """Print what continuous evaluation says at each time of LOG: what is announced, and what is withdrawn later.

        An occurrence is announced as early as possible. Where the last event of a list is selected, or events are used
        up, a later event can make another one right, and what was announced is withdrawn: `remora explain FILE` says
        whether that can happen, and how much is stored.
        """,
    ),
    "explain": explain,
    "bench": bench,
    "stream": stream,
    "verify": verify,
}
"""The commands that take a file of profiles."""
