"""The streaming command of any system: a folder of files, its options, the results and the messages."""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from cluster.session import SparkUnavailable, spark_session
from laws.standings import ExitStatus
from remora.api.claiming.data import JsonObject
from remora.api.files import prepare_folder
from remora.terminal.console import emit, print_error, print_note, print_warning
from remora.terminal.options import NamedPath, Number, WholeNumber, log_options, no_seed_option, wants_text
from remora.terminal.progress import Waiting, waiting
from remora.terminal.results.shown import shown
from semantics.errors import InputError
from semantics.traces.reading import Reading
from streaming.errors import StreamFailed
from streaming.results import Results
from streaming.run import Job, open_checkpoint, run
from streaming.systems import SESSION_OPTIONS, FolderDetection, ResultFormat

CommandT = TypeVar("CommandT", bound=Callable[..., Any])

CHECKPOINT = ".checkpoint"
"""The folder within that of the results that says how far a detection is, where no other one is named."""

LATENESS = click.option(
    "--lateness",
    type=WholeNumber(min=0),
    default=0,
    show_default=True,
    metavar="TICKS",
    help="How much a row may come after later ones (of its key); what comes still later is reported as late.",
)


@dataclass(frozen=True)
class FolderStream:
    """A stream of files and where its results go, as the options say; the fields are the names of the options."""

    source: Path
    out: Path | None
    checkpoint: Path | None
    once: bool
    reading: Reading
    form: str | None
    files: int | None
    every: float
    master: str

    @property
    def place(self) -> Path | None:
        """The folder of the checkpoint; None where it is left to a run."""
        return self.checkpoint or (None if self.out is None else self.out / CHECKPOINT)

    def require_source(self) -> None:
        """Make sure that there is a folder to read.

        Raises:
            InputError: there is none.
        """
        if not self.source.is_dir():
            raise InputError(
                "there is no such folder",
                place=str(self.source),
                remedy="Name the folder that files come to.",
            )

    def run(self, detection: FolderDetection, text: Callable[[JsonObject], str]) -> None:
        """Carry out a detection: its results go to the folder of `--out`, or are printed.

        Args:
            text: a row for people, without its key.

        Raises:
            InputError: the folders do not fit, or a row is refused.
            SystemExit: rows break axioms.
        """
        results = None if self.out is None else Results(self.out, _form_of_files(self.form))
        if self.out is not None:
            prepare_folder(self.out)
        with tempfile.TemporaryDirectory(prefix="remora-") as temporary:
            place = self.place or Path(temporary, "checkpoint")
            job = Job(detection, self.source, place, self.reading, self.files, self.once, self.every)
            open_checkpoint(job, results)
            with waiting("stream") as wait:
                counts = _carried_out(job, results, self.master, self._printer(wait, text))
            _say(counts, self.out)
        if counts["broken"]:
            raise SystemExit(int(ExitStatus.REFUTED))

    def _printer(self, wait: Waiting, text: Callable[[JsonObject], str]) -> Callable[[str], None]:
        """What prints a line of JSON in the form that was asked for, at once."""
        if self.form == "parquet" and self.out is None:
            raise InputError("Parquet is not printed", remedy="Name a folder with --out.")
        as_text = wants_text(self.form)

        def print_line(line: str) -> None:
            if sys.stdout.isatty():
                wait.hide()
            emit(_text(json.loads(line), text) if as_text else line)
            sys.stdout.flush()

        return print_line


def folder_options(command: CommandT) -> CommandT:
    """The options of every stream; the command receives them as one `FolderStream`, named `folder`."""
    names = [field.name for field in fields(FolderStream)]

    @wraps(command)
    def gathered(**given: Any) -> Any:
        folder = FolderStream(**{name: given.pop(name) for name in names})
        if {"tick", "epoch", "zone"} & folder.reading.stated().keys():
            folder = replace(folder, reading=replace(folder.reading, several=True))
        return command(folder=folder, **given)

    decorated: Any = gathered
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    found: CommandT = decorated
    return found


_OPTIONS = [
    click.argument("source", metavar="FOLDER", type=NamedPath()),
    LATENESS,
    click.option(
        "--out", type=NamedPath(file=False), help="Write results to this folder; otherwise they are printed."
    ),
    click.option(
        "--checkpoint",
        type=NamedPath(file=False),
        help=f"Where it is noted how far the detection is.  [default: {CHECKPOINT} in the folder of --out]",
    ),
    click.option("--once", is_flag=True, help="Stop when all that is there is done."),
    log_options("sort", "same_time", "partition_by", "skip_bad"),
    no_seed_option,
    click.option(
        "--format",
        "form",
        type=click.Choice(["text", "jsonl", "json", "parquet"]),
        default=None,
        help="Text for people, JSON Lines (json is the same), or with --out also Parquet."
        " Default: text on a terminal, jsonl otherwise.",
    ),
    click.option(
        "--files",
        type=WholeNumber(min=1),
        help="At most so many files at a time, the oldest first; default: all.",
    ),
    click.option(
        "--every",
        type=Number(min=0.1),
        default=1.0,
        show_default=True,
        metavar="SECONDS",
        help="How often to look for new files.",
    ),
    click.option("--master", metavar="URL", default="local[*]", show_default=True, help="The Spark master."),
]


def _form_of_files(form: str | None) -> ResultFormat:
    if form == "text":
        raise InputError("results are not written as text", remedy="--format jsonl or --format parquet.")
    return "parquet" if form == "parquet" else "jsonl"


def _text(row: JsonObject, text: Callable[[JsonObject], str]) -> str:
    """A row for people: its key, where there are keys, its kind, and what the system says of it."""
    if "partition" not in row:
        return f"{row['kind']:8}  {text(row)}\n"
    key = "(none)" if row["partition"] is None else shown(row["partition"])
    return f"{key}  {row['kind']:8}  {text(row)}\n"


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
    given = [name for name in counts if name not in ("late", "repeated")]
    print_note(", ".join(f"{counts[name]:,} {name}" for name in given) + where)
    if counts["late"]:
        print_warning(f"{_rows(counts['late'])} came too late and so changed nothing (--lateness)")
    if counts["broken"]:
        verb = "breaks" if counts["broken"] == 1 else "break"
        print_warning(
            f"{_rows(counts['broken'])} {verb} an axiom: what is stored was dropped as the axioms allow, so answers may"
            " be missing, or wrong where something is absent"
        )
    if counts["repeated"]:
        print_note(
            f"{_rows(counts['repeated'])} repeated an event at the same time and changed nothing (--keep-one)"
        )


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"
