"""`remora stream`: detect in a folder of trace files that grows, with Spark, one detection per key."""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import click

from cluster.session import SparkUnavailable, spark_session
from detectors.carlson_lisper.catalogue import DETECTORS
from detectors.carlson_lisper.named import AUTO, OF_INTERVALS
from laws.standings import ExitStatus
from remora.api.data import JsonObject
from remora.api.files import prepare_folder
from remora.terminal import completion
from remora.terminal.console import emit, print_error, print_note, print_warning
from remora.terminal.options import NamedPath, Number, WholeNumber, no_seed_option, wants_text
from remora.terminal.printing import shown
from remora.terminal.progress import Waiting, waiting
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.errors import InputError
from semantics.traces.files import Format
from streaming.carlson_lisper.detection import SESSION_OPTIONS, settings_of
from streaming.carlson_lisper.finders import is_bounded
from streaming.carlson_lisper.run import Job, open_checkpoint, run
from streaming.errors import StreamFailed
from streaming.results import ResultFormat, Results

CHECKPOINT = ".checkpoint"
"""The folder within that of the results that says how far a detection is, where no other one is named."""


@click.command(
    epilog="\b\nExamples:\n"
    "  remora stream '(fail ; ok)[30]' logs/ --key user --lateness 5 --out found/\n"
    "  remora stream '(fail ; ok)[30]' logs/ --key user --once --out found/\n"
    "  remora stream 'a ; b' logs/ --key host --intervals --once\n\n"
    "\b\nA file is read once, when it appears: write it elsewhere and move it in. An\n"
    "instant is done when a row of the same key has come that is later by more than\n"
    "--lateness; until then a detection that ends then is pending. With --once the\n"
    "pending ones are given too, at the end; a later run replaces them by what has\n"
    "become of them. With --out the next run goes on where this one ended or was\n"
    "killed, and every row is in the results exactly once.",
)
@click.argument("expression")
@click.argument("source", metavar="FOLDER", type=NamedPath())
@click.option("--key", required=True, metavar="COLUMN", help="The column whose values have a trace each.")
@click.option(
    "--lateness",
    type=WholeNumber(min=0),
    default=0,
    show_default=True,
    metavar="TICKS",
    help="How much a row may come after later ones of its key; what comes still later is reported as late.",
)
@click.option(
    "--out",
    type=NamedPath(file=False),
    help="Write results to this folder; otherwise they are printed.",
)
@click.option(
    "--checkpoint",
    type=NamedPath(file=False),
    help=f"Where it is noted how far the detection is.  [default: {CHECKPOINT} in the folder of --out]",
)
@click.option("--once", is_flag=True, help="Stop when all that is there is done.")
@click.option("--intervals", is_flag=True, help="Only starts and ends, without the occurrences: faster.")
@click.option(
    "--keep-one",
    is_flag=True,
    help="Accept an event type that occurs twice at one time of a key; report all but one of them as repeated.",
)
@click.option(
    "--detector",
    default=AUTO,
    show_default=True,
    metavar="NAME",
    shell_complete=completion.detectors_of_traces,
    help=f"auto, one of {', '.join(DETECTORS)}, or with --intervals also {', '.join(OF_INTERVALS)}.",
)
@click.option(
    "--input-format",
    type=click.Choice(["csv", "jsonl", "parquet"]),
    help="Format of the files, where their names and first bytes do not tell.",
)
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
    "--files",
    type=WholeNumber(min=1),
    help="At most so many files at a time, the oldest first; default: all.",
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
def stream(
    expression: str,
    source: Path,
    key: str,
    lateness: int,
    out: Path | None,
    checkpoint: Path | None,
    once: bool,
    intervals: bool,
    keep_one: bool,
    detector: str,
    input_format: Format | None,
    form: str | None,
    files: int | None,
    every: float,
    master: str,
) -> None:
    """Detect EXPRESSION in the trace files of FOLDER as they come, a detection per key, with Spark.

    Results are JSON Lines as of `remora detect`, with the key as `partition` and a `kind`: detected, pending
    (with --once), late or repeated (a row that was not taken).
    """
    settings = settings_of(
        expression, lateness=lateness, detector=detector, instances=not intervals, keep_one=keep_one
    )
    if not source.is_dir():
        raise InputError(
            "there is no such folder", place=str(source), remedy="Name the folder that files come to."
        )
    if not key:
        raise InputError("--key is empty", remedy="Name the column whose values have a trace each.")
    if not is_bounded(settings.detector, settings.expression, instances=settings.instances):
        print_warning("the state of a key may grow without a bound: see remora explain; or use --intervals")
    results = None if out is None else Results(out, _form_of_files(form))
    if out is not None:
        prepare_folder(out)
        checkpoint = checkpoint or out / CHECKPOINT
    with tempfile.TemporaryDirectory(prefix="remora-") as temporary:
        place = checkpoint or Path(temporary, "checkpoint")
        job = Job(settings, source, key, place, input_format, files, once, every)
        open_checkpoint(job, results)
        with waiting("stream") as wait:
            counts = _carried_out(job, results, master, _printer(form, out, wait))
        _say(counts, out)


def _form_of_files(form: str | None) -> ResultFormat:
    if form == "text":
        raise InputError("results are not written as text", remedy="--format jsonl or --format parquet.")
    return "parquet" if form == "parquet" else "jsonl"


def _printer(form: str | None, out: Path | None, wait: Waiting) -> Callable[[str], None]:
    """What prints a line of JSON in the form that was asked for, at once."""
    if form == "parquet" and out is None:
        raise InputError("Parquet is not printed", remedy="Name a folder with --out.")
    as_text = wants_text(form)

    def print_line(line: str) -> None:
        if sys.stdout.isatty():
            wait.hide()
        emit(_text(json.loads(line)) if as_text else line)
        sys.stdout.flush()

    return print_line


def _text(row: JsonObject) -> str:
    """A row for people: key, kind, start and end, and the occurrences or the event."""
    key = "(none)" if row["partition"] is None else shown(row["partition"])
    occurrences = [Occurrence(**occurrence) for occurrence in row.get("instance", ())]
    parts = [f"{key}  {row['kind']:8}  [{row['start']}, {row['end']}]"]
    parts += [row["event"]] if "event" in row else map(shown, occurrences)
    return "  ".join(parts) + "\n"


def _carried_out(
    job: Job, results: Results | None, master: str, print_line: Callable[[str], None]
) -> Counter[str]:
    try:
        with spark_session(master, options=SESSION_OPTIONS) as session:
            # One task for each processor; a checkpoint keeps the number that it was begun with.
            parts = session.sparkContext.defaultParallelism
            session.conf.set("spark.sql.shuffle.partitions", str(parts))
            return run(session, job, results, print_line)
    except ValueError as error:
        if isinstance(error, InputError):
            raise
        raise InputError(str(error)) from None  # a master that Spark does not know
    except (StreamFailed, SparkUnavailable) as error:
        print_error(error.reason)
        raise SystemExit(int(ExitStatus.INFRASTRUCTURE)) from error


def _say(counts: Counter[str], out: Path | None) -> None:
    where = "" if out is None else f" in {out}"
    print_note(f"{counts['detected']:,} detected, {counts['pending']:,} pending{where}")
    if counts["late"]:
        print_warning(f"{_rows(counts['late'])} came too late and so changed nothing (--lateness)")
    if counts["repeated"]:
        print_note(
            f"{_rows(counts['repeated'])} repeated an event at the same time and changed nothing (--keep-one)"
        )


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"
