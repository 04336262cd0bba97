"""The protocol of a system's face: what each command does with a text of its language, and a folder that grows."""

from __future__ import annotations

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from laws.standings import Standing
from remora.api.arguments import prepare_folder
from remora.terminal.console import JsonObject, counted, emit, key_text, print_note, print_warning, wants_text
from remora.terminal.options import Ends, Result
from remora.terminal.progress import Progress
from semantics.errors import InputError
from semantics.events import Time, TraceForm
from semantics.reasons.claims import Reasons, Shown
from semantics.traces.reading import Reading
from semantics.traces.rows import Instant, Partition, ReadReport, Row
from semantics.traces.watermark import Watermark

if TYPE_CHECKING:  # which bring Spark
    from streaming.folder import Results
    from streaming.keyed import KeyedDetection
    from streaming.run import Job

CHECKPOINT = ".checkpoint"  # The folder within that of the results that says how far a detection is, if none is named
BELIEVED = "what is stored was dropped as the axioms allow: answers may be missing, or wrong where something is absent"


@dataclass(frozen=True)
class Deriving:
    """A program that derives events from a log, which are rows with `start` and `time` in ticks, by time."""

    form: TraceForm  # what it requires of the log
    tick: str  # how long a tick is by the program; "" where it does not say
    how: str  # by what it is evaluated, in words
    derived: Callable[[Iterable[Instant], Watermark], Iterator[tuple[dict[str, Any], Partition]]]
    warnings: Callable[[ReadReport], Sequence[str]] = lambda report: ()  # when all has been read


@dataclass(frozen=True)
class Reasoning:
    """A text of a system that gives the reasons of what is found, or not, in rows at a time, complete up to another."""

    form: TraceForm
    tick: str  # as of `Deriving`
    reasons: Callable[[Sequence[Row], Time, Shown, Time], Reasons]
    asked: Collection[str] = ()  # event types that the log should have


class Face(Protocol):
    """A module whose functions carry out commands, with the text, what else a command takes, and options by name.

    `read` gives the program in a file; its arguments are the path and the length of a tick where the file has none. So
    does `why` for reasons; it takes the only types of answers that matter, too.
    """

    evaluate: Callable[..., Result]
    detect: Callable[..., Result]
    explain: Callable[..., Result]
    stream: Callable[..., Result]
    verify: Callable[..., Result]
    bench: Callable[..., Result]
    read: Callable[[Path, str | None], Deriving]
    why: Callable[[str, str | None, Sequence[str]], Reasoning]


ParsedT = TypeVar("ParsedT")


def parsed(path: str | Path, parse: Callable[[str], ParsedT], what: str) -> ParsedT:
    """What is parsed of the text of a file; an error names the file, and what cannot be read."""
    try:
        return parse(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the {what} cannot be read: {error}", place=str(path)) from None
    except InputError as error:
        error.place = f"{path}, {error.place}" if error.place else str(path)
        raise


def differences(meant: Iterable[str], ran: Iterable[str], meaning: str) -> list[str]:
    """Difference between the meaning of a text and the engine that ran, either way."""
    one, other = Counter(meant), Counter(ran)
    return [
        *(f"by the {meaning} alone: {said}" for said in (one - other).elements()),
        *(f"by the engine alone: {said}" for said in (other - one).elements()),
    ]


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
    until: str | None
    master: str

    def run(self, detection: KeyedDetection[Any], text: Callable[[JsonObject], str]) -> Result:
        """Carry out a detection: its results go to the folder of `--out`, or are printed, for people as `text` says."""
        from streaming.folder import Results
        from streaming.run import Job, open_checkpoint

        if not self.source.is_dir():
            remedy = "Name the folder that files come to."
            raise InputError("there is no such folder", place=str(self.source), remedy=remedy)
        if self.until is not None and not self.once:
            raise InputError("--until says how far what is there is complete", remedy="Add --once.")
        until = Watermark.stated(self.until, self.reading).until
        results, usual, out = None, None, self.out
        if out is None and self.form == "parquet":
            raise InputError("Parquet is not printed", remedy="Name a folder with --out.")
        if out is not None and self.form == "text":
            raise InputError("results are not written as text", remedy="--format jsonl or --format parquet.")
        if out is not None:
            results, usual = Results(out, "parquet" if self.form == "parquet" else "jsonl"), out / CHECKPOINT
            prepare_folder(out)
        with tempfile.TemporaryDirectory(prefix="remora-") as temporary:
            place = self.checkpoint or usual or Path(temporary, "checkpoint")
            job = Job(detection, self.source, place, self.reading, self.files, self.once, self.every, until)
            open_checkpoint(job, results)
            with Progress() as progress, progress.stage("stream", None):
                counts = self._carried_out(job, results, progress, text)
        where = "" if out is None else f" in {out}"
        given = [f"{counts[name]:,} {name}" for name in counts if name not in ("late", "repeated")]
        print_note(", ".join(given) + where)
        late, broken, repeated = (counted(counts[name], "row") for name in ("late", "broken", "repeated"))
        if counts["late"]:
            print_warning(f"{late} came too late and so changed nothing (--lateness)")
        if counts["broken"]:
            print_warning(f"broken axioms: {broken}; {BELIEVED}")
        if counts["repeated"]:
            print_note(f"{repeated} repeated an event at the same time and changed nothing (--keep-one)")
        return Result(Standing.REFUTED if counts["broken"] else None)

    def _carried_out(
        self, job: Job, results: Results | None, progress: Progress, text: Callable[[JsonObject], str]
    ) -> Counter[str]:
        from cluster.session import SparkUnavailable, spark_session
        from streaming.folder import SESSION_OPTIONS, StreamFailed
        from streaming.run import run

        as_text = wants_text(self.form)

        def print_line(line: str) -> None:
            if sys.stdout.isatty():
                progress.hide()
            emit(_text(json.loads(line), text) if as_text else line)
            sys.stdout.flush()

        try:
            with spark_session(self.master, options=SESSION_OPTIONS) as session:
                # One task for each processor; a checkpoint keeps the number that it was begun with.
                parts = session.sparkContext.defaultParallelism
                session.conf.set("spark.sql.shuffle.partitions", str(parts))
                return run(session, job, results, print_line)
        except ValueError as error:
            if isinstance(error, InputError):
                raise
            raise InputError(str(error)) from None  # a master that Spark does not know
        except (StreamFailed, SparkUnavailable) as error:
            raise Ends(Standing.ERROR, str(error)) from error


def _text(row: JsonObject, text: Callable[[JsonObject], str]) -> str:
    key = f"{key_text(row['partition'])}  " if "partition" in row else ""
    return f"{key}{row['kind']:8}  {text(row)}\n"
