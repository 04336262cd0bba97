"""`remora stream` for profiles."""

from __future__ import annotations

from dataclasses import replace

import click

from detectors.hinze_voisard.engine import Engine
from remora.api.claiming.data import JsonObject
from remora.hinze_voisard.explaining import chosen, in_text, only_option, read_profiles
from remora.terminal.console import print_warning
from remora.terminal.streaming import FolderStream, folder_options
from semantics.events import quoted
from semantics.hinze_voisard.notation import text
from semantics.hinze_voisard.profiles import OfClass, TimeClass
from streaming.hinze_voisard.detection import ProfileDetection


@click.command(
    "stream",
    epilog="\b\nExamples:\n"
    "  remora stream fleet.profile incoming/ --key truck --lateness 5 --out found/\n"
    "  remora stream fleet.profile incoming/ --key truck --once\n\n"
    "\b\nTime is the greatest time of any row less --lateness. What is said at a time is\n"
    "given when time has passed it; until then it is pending. With --once what is\n"
    "pending is given too, at the end. With --out the next run goes on where this one\n"
    "ended or was killed, and every notification is in the results exactly once.",
)
@click.argument("profile_file", metavar="FILE.profile")
@click.option(
    "--key",
    metavar="COLUMN",
    help="Treat the rows of each value of this column as a log of their own, with an interval of their own.",
)
@only_option
@folder_options
def stream(
    folder: FolderStream, profile_file: str, key: str | None, lateness: int, only: tuple[str, ...]
) -> None:
    """Evaluate the profiles of FILE continuously over the files of FOLDER as they come, with Spark.

    Results are JSON Lines as of `remora detect`, with a `kind`: announced, withdrawn, pending (with --once; `says` what
    it would be) or late (a row that was not taken).
    """
    profiles = chosen(read_profiles(profile_file, folder.reading.tick), only)
    folder = replace(
        folder, reading=folder.reading.with_tick(profiles.tick, "file")
    )  # refused here, and not by a worker
    folder.require_source()
    parts = Engine(profiles).parts
    types = {part.type for part, _ in parts if isinstance(part, OfClass)}
    if key is None:
        print_warning("without --key one task keeps the whole state")
    used = [one for name, one in profiles.classes.items() if name in types]
    if any(isinstance(one, TimeClass) for one in used):
        print_warning("time events count up to the last event of each log: none comes by itself after it")
    for part, node in parts:
        if node.unbounded and node.operands:
            print_warning(f"the state of {text(part)} has no bound: {node.unbounded}")
    names = tuple(profile.name for profile in profiles.profiles)
    folder.run(ProfileDetection(lateness, key, profiles.text, profiles.tick, names), _text)


def _text(row: JsonObject) -> str:
    """What is said of an occurrence, or the event that was not taken."""
    if "events" not in row:
        return f"[{row['start']}, {row['time']}]  {quoted(row['event'])}"
    said = f" {row['says']}" if "says" in row else ""
    return f"at {row['at']}{said}: {in_text(row)}"
