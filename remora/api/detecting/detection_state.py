"""A detection that is stored when an input ends, and goes on with the next one (`remora detect --state`).

An instant is done when a row of a later time has arrived, or when its input has ended. The next input may begin with
rows that were read before: those up to the time of the state are left out, and counted. A row of the very time of the
state that is new comes too late, for that instant was done without it.
"""

from __future__ import annotations

import json
import signal
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, Literal

import msgspec

from detectors.carlson_lisper import snapshots
from remora.api.detecting.detection import Detection
from semantics.atomic_files import write_text
from semantics.carlson_lisper.occurrences import Time
from semantics.errors import InputError
from semantics.traces.instants import Instant

_WORDS: Mapping[str, Callable[[str | None], str]] = {
    "expression": lambda pattern: f"the expression {pattern}",
    "wanted": lambda wanted: "starts and ends alone (--intervals)" if wanted == "intervals" else f"whole {wanted}",
    "tick": lambda tick: f"ticks of {tick}" if tick else "ticks of no stated length",
    "partition_by": lambda column: f"a trace partitioned by {column}" if column else "a trace that is not partitioned",
}
"""Question to the stored state, by member."""

_ANEW = "Name another file with --state, or remove this one and begin anew."


class _Partition(msgspec.Struct, forbid_unknown_fields=True):
    partition: str | int | None
    state: dict[str, Any]


class _Stored(msgspec.Struct, forbid_unknown_fields=True):
    """The file."""

    schema: Literal["remora/state/1"]
    expression: str
    wanted: Literal["instances", "intervals"]
    partition_by: str | None
    tick: str | None
    detector: str
    time: Annotated[int, msgspec.Meta(ge=-1, le=snapshots.LATEST)]
    last: list[tuple[str | int | None, str]]
    partitions: list[_Partition]


class State:
    """A file with the state of a detection.

    Attributes:
        stored: what was in it; None if there was no file.
    """

    def __init__(self, path: Path, question: dict[str, str | None]) -> None:
        """Read the file, if there is one.

        Args:
            question: the members `expression`, `wanted` and `partition_by`, which have to be the same.

        Raises:
            InputError: the file belongs to another detection, or is damaged.
        """
        self.path = path
        self.skipped = 0
        self._question = question
        self.stored = _read(path)
        _require_writable(path)
        for key, value in question.items() if self.stored is not None else ():
            found = getattr(self.stored, key)
            if found != value:
                raise self.error(f"the state belongs to {_WORDS[key](found)}, not to {_WORDS[key](value)}")

    @property
    def detector(self) -> str | None:
        """Which detector the state belongs to."""
        return None if self.stored is None else self.stored.detector

    def error(self, reason: str, remedy: str = _ANEW) -> InputError:
        """An error about the file."""
        return InputError(reason, place=str(self.path), remedy=remedy)

    def restore(self, detection: Detection, detector: str) -> None:
        """Bring a detection into the state, if there is one.

        Raises:
            InputError: the state belongs to another detector, or is damaged.
        """
        stored = self.stored
        if stored is None:
            return
        if stored.detector != detector:
            raise self.error(f"the state belongs to the detector {stored.detector}, not to {detector}")
        keys = [each.partition for each in stored.partitions]
        for key in [*keys, *(key for key, _ in stored.last)]:
            if key is not None and stored.partition_by is None:
                raise self.error(f"the file is damaged: {key!r:.60} is no partition of this detection")
        for _, event in stored.last:
            if event not in detection.relevant:
                raise self.error(f"the file is damaged: {event!r:.60} in last is not an event type of the expression")
        if len(set(keys)) < len(keys):
            raise self.error("the file is damaged: a partition is there twice")
        for each in stored.partitions:
            now = each.state.get("now")
            if type(now) is int and now > stored.time:
                reason = f"a detector has done time {now:,}, later than the state's {stored.time:,}"
                raise self.error(f"the file is damaged: {reason}")
            try:
                detection.detector(each.partition).restore(each.state)
            except InputError as error:
                raise self.error(error.reason) from None
        detection.time, detection.last = stored.time, frozenset(stored.last)

    def later(self, instants: Iterable[Instant], detection: Detection) -> Iterator[Instant]:
        """The instants that are not done yet; the rows of the others are counted.

        Raises:
            InputError: there is a new row at the last instant that was done.
        """
        done, last = detection.time, detection.last
        for instant in instants:
            if instant.time > done:
                yield instant
                continue
            if instant.time == done:
                for row in instant.rows:
                    if row.event in detection.relevant and (row.partition, row.event) not in last:
                        raise InputError(
                            f"{row.event} at time {done} comes too late: {self.path} has done this instant without it",
                            place=row.place,
                            remedy="End an input between two instants, with all the rows of its last time."
                            f" To detect everything anew, remove {self.path}.",
                        )
            self.skipped += len(instant.rows)

    def write(self, detection: Detection, detector: str) -> None:
        """Replace the file, whole or not at all."""
        stored = {
            "schema": "remora/state/1",
            **self._question,
            "detector": detector,
            "time": detection.time,
            "last": sorted(detection.last, key=repr),
            "partitions": [
                {"partition": key, "state": stepper.snapshot()} for key, stepper in detection.detectors.items()
            ],
        }
        write_text(self.path, json.dumps(stored) + "\n")

    def messages(self, done: Time | str) -> list[str]:
        """Rows that were left out up to a time, in words."""
        if not self.skipped:
            return []
        rows = "1 row" if self.skipped == 1 else f"{self.skipped:,} rows"
        return [f"left out {rows} up to time {done}, which {self.path} has seen already"]


def _require_writable(path: Path) -> None:
    """Find out before anything is detected whether the state can be stored."""
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}."):
            pass
    except OSError as error:
        raise InputError(
            f"no state can be stored there: {error.strerror or error}",
            place=str(path),
            remedy="Name a file in a folder that can be written to.",
        ) from None


def _read(path: Path) -> _Stored | None:
    """Content of the file; None if there is none."""
    if path.exists() and not path.is_file():
        reason = "a state is kept in a file, and this is something else"
        raise InputError(reason, place=str(path), remedy="Name a file, or one that is to be made.")
    if not path.parent.is_dir():
        raise InputError("there is no folder for it", place=str(path), remedy="Make it first.")
    try:
        return msgspec.json.decode(path.read_bytes(), type=_Stored)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"the state cannot be read: {error.strerror}", place=str(path), remedy=_ANEW) from None
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        reason = f"this is not the state of a detection, or it is damaged: {error}"
        raise InputError(reason, place=str(path), remedy=_ANEW) from None


class Uninterrupted:
    """Signals that end the command wait while an instant is being done: it is done and printed, or neither."""

    def __init__(self) -> None:
        """Let signals through."""
        self._busy = False
        self._waiting: list[tuple[Any, int, FrameType | None]] = []

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch the signals inside the block."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        before = {number: handler for number, handler in before.items() if callable(handler)}
        try:
            for number, handler in before.items():
                signal.signal(number, self._handler(handler))
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _handler(self, handler: Any) -> Any:
        def handle(number: int, frame: FrameType | None) -> None:
            if self._busy:
                self._waiting.append((handler, number, frame))
            else:
                handler(number, frame)

        return handle

    def __enter__(self) -> None:
        """Let signals wait from here on."""
        self._busy = True

    def __exit__(self, *_: object) -> None:
        """Let those through that came."""
        self._busy = False
        if self._waiting:
            handler, number, frame = self._waiting.pop()
            handler(number, frame)
