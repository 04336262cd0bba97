"""`remora stream`: detection in a folder of files that grows, with Spark, by key."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from remora.systems.folders import CHECKPOINT, FolderStream
from remora.systems.protocol import face_for
from remora.terminal import completion
from remora.terminal.ending import Result, ends
from remora.terminal.options import (
    CORRECTIONS,
    ONLY,
    PATTERNS,
    PLAN,
    RULES,
    NamedPath,
    Number,
    WholeNumber,
    log_options,
    no_seed_option,
    of,
)
from semantics.traces.reading import Reading


@click.command(
    epilog="\b\nExamples:\n"
    "  remora stream '(fail ; ok)[30]' logs/ --key user --lateness 5 --out found/\n"
    "  remora stream 'a ; b' logs/ --key host --intervals --once\n"
    "  remora stream orders.rules incoming/ --lateness 60 --out found/\n"
    "  remora stream network.rules incoming/ --key sensor --once\n"
    "  remora stream fleet.profile incoming/ --key truck --lateness 5 --out found/\n\n"
    "\b\nA file is read once, when it appears: write it elsewhere and move it in. An\n"
    "instant is done when a row (of the same key, with a pattern) has come that is\n"
    "later by more than --lateness; until then what is found is pending. With --once\n"
    "the pending ones are given too, at the end. With --out the next run goes on where\n"
    "this one ended or was killed, and every row is in the results exactly once."
)
@click.argument("pattern")
@click.argument("source", metavar="FOLDER", type=NamedPath())
@click.option(
    "--key",
    metavar="COLUMN",
    help="Treat the rows of each value of this column as a log of their own; a pattern needs one. Without it, events of"
    " rules are kept apart by the variable that all atoms have in common, where there is one.",
)
@click.option(
    "--lateness",
    type=WholeNumber(min=0),
    default=0,
    show_default=True,
    metavar="TICKS",
    help="How much a row may come after later ones (of its key); what comes still later is reported as late.",
)
@click.option("--out", type=NamedPath(file=False), help="Write results to this folder; otherwise they are printed.")
@click.option(
    "--checkpoint",
    type=NamedPath(file=False),
    help=f"Where it is noted how far the detection is.  [default: {CHECKPOINT} in the folder of --out]",
)
@click.option("--once", is_flag=True, help="Stop when all that is there is done.")
@of(
    PATTERNS,
    click.option("--intervals", is_flag=True, help="Only starts and ends, without the occurrences: faster."),
    click.option(
        "--keep-one",
        is_flag=True,
        help="Accept an event type that occurs twice at one time of a key; report all but one as repeated.",
    ),
)
@of(
    PATTERNS + RULES,
    click.option(
        "--detector",
        metavar="NAME",
        shell_complete=completion.detectors_of_traces,
        help="The detector or engine, as of `remora detect`.",
    ),
)
@of(RULES, PLAN, CORRECTIONS)
@ONLY
@log_options("sort", "same_time", "partition_by", "skip_bad")
@no_seed_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "jsonl", "json", "parquet"]),
    default=None,
    help="Text for people, JSON Lines (json is the same), or with --out also Parquet."
    " Default: text on a terminal, jsonl otherwise.",
)
@click.option(
    "--files", type=WholeNumber(min=1), help="At most so many files at a time, the oldest first; default: all."
)
@click.option(
    "--every",
    type=Number(min=0.1),
    default=1.0,
    show_default=True,
    metavar="SECONDS",
    help="How often to look for new files.",
)
@click.option("--master", metavar="URL", default="local[*]", show_default=True, help="The Spark master.")
@ends
def stream(
    pattern: str,
    source: Path,
    out: Path | None,
    checkpoint: Path | None,
    once: bool,
    reading: Reading,
    form: str | None,
    files: int | None,
    every: float,
    master: str,
    **given: Any,
) -> Result:
    """Detect PATTERN in the files of FOLDER as they come, with Spark.

    Results are JSON Lines as of `remora detect`, with the key as `partition` and a `kind`: detected (announced, for
    profiles), withdrawn, pending (with --once), late or repeated (a row that was not taken), or broken (a row that
    breaks an axiom of the rules).
    """
    if {"tick", "epoch", "zone"} & reading.stated().keys():
        reading = replace(reading, several=True)
    folder = FolderStream(source, out, checkpoint, once, reading, form, files, every, master)
    face, options = face_for(pattern, given)
    return face.stream(pattern, folder, **options)
