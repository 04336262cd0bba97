"""`remora verify` for profiles: the engine on a log of one's own beside the definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from operator import attrgetter

import click

from detectors.hinze_voisard.engine import Engine, notifications
from laws.standings import ExitStatus
from remora.api.claiming.data import to_json
from remora.hinze_voisard.explaining import by_partition, chosen, only_option, read_profiles
from remora.terminal import completion
from remora.terminal.console import emit, emit_json, print_error, print_note
from remora.terminal.options import format_option, log_options, no_seed_option
from semantics.events import Event
from semantics.hinze_voisard.evaluation import FORM, Found, Notification, continuously, evaluated, said_data
from semantics.hinze_voisard.profiles import ProfileFile
from semantics.traces import files
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Reading
from semantics.traces.rows import Partition

INSTANTS = 100
"""So many instants of each partition are compared one by one: the definition evaluates all before each again."""


@dataclass(frozen=True)
class Compared:
    """What the engine says of a partition, and where the definition says something else.

    Attributes:
        partition: its value; None where there is none.
        differences: what the definition says and the engine does not, or the other way round.
    """

    partition: Partition
    events: int
    announced: int
    withdrawn: int
    differences: tuple[str, ...]


def compared(profiles: ProfileFile, partition: Partition, events: Sequence[Event]) -> Compared:
    """The engine on the events of a partition beside the definition: at its first instants, and at its end."""
    said = list(notifications(Engine(profiles), events))
    kinds = Counter(one.kind for one in said)
    instants = [list(given) for _, given in groupby(events, key=attrgetter("time"))]
    first = [event for given in instants[:INSTANTS] for event in given]
    until = first[-1].time
    found = [
        *_differences(continuously(profiles, first), (one for one in said if one.time <= until)),
        *_differences(evaluated(profiles, events), _standing(said)),
    ]
    return Compared(partition, len(events), kinds["announced"], kinds["withdrawn"], tuple(found))


def _standing(said: Sequence[Notification]) -> Iterator[Found]:
    """What was announced and not withdrawn."""
    more = Counter[str]()
    for one in reversed(said):
        text = to_json(said_data(one.found))
        if one.kind == "withdrawn":
            more[text] += 1
        elif more[text]:
            more[text] -= 1
        else:
            yield one.found


def _differences(
    expected: Sequence[Found] | Iterator[Notification], given: Iterator[Found | Notification]
) -> Iterator[str]:
    meant, ran = (Counter(to_json(said_data(one)) for one in each) for each in (expected, given))
    yield from (f"by the definition alone: {text}" for text in (meant - ran).elements())
    yield from (f"by the engine alone: {text}" for text in (ran - meant).elements())


@click.command(
    "verify",
    epilog="\b\nExamples:\n"
    "  remora verify fleet.profile log.jsonl\n"
    "  remora verify fleet.profile log.csv --partition-by truck\n"
    "  remora verify --log log.jsonl fleet.profile\n\n"
    "\b\nExit status: 0 the same, 1 they differ, 2 bad input.",
)
@click.argument("profile_file", metavar="FILE.profile")
@click.argument("log", required=False, shell_complete=completion.files)
@click.option(
    "--log", "named", metavar="LOG", shell_complete=completion.files, help="The log, where it is said first."
)
@log_options("same_time", "value", "start")
@only_option
@no_seed_option
@format_option
def verify(
    profile_file: str, log: str | None, named: str | None, reading: Reading, only: tuple[str, ...], form: str
) -> None:
    """Compare what the engine says of the profiles of FILE in LOG with the definition.

    At the end of the log what stands is compared, and at its first instants everything that is announced and withdrawn.
    """
    if (log is None) == (named is None):
        raise click.UsageError("Name one log: remora verify FILE.profile LOG")
    profiles, report = chosen(read_profiles(profile_file, reading.tick), only), ReadReport()
    events = by_partition(
        files.read_instants(
            log or named or "", reading.with_tick(profiles.tick, "file"), form=FORM, report=report
        )
    )
    found = [compared(profiles, partition, given) for partition, given in events.items()]
    differences = [text for one in found for text in one.differences]
    if form == "json":
        emit_json({"schema": "remora/profiles-verify/1", "partitions": [asdict(one) for one in found]})
    else:
        announced, withdrawn = (
            sum(getattr(one, name) for one in found) for name in ("announced", "withdrawn")
        )
        emit(
            f"{'different' if differences else 'same'}: {sum(one.events for one in found):,} events,"
            f" {announced:,} announced, {withdrawn:,} withdrawn, {announced - withdrawn:,} stand at the end\n"
        )
        for text in differences:
            print_error(text)
    for message in report.messages():
        print_note(message)
    raise SystemExit(int(ExitStatus.REFUTED if differences else ExitStatus.AS_CLAIMED))
