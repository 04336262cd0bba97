"""A detection that is stored when an input ends, and goes on with the next one (`remora detect --state`).

The file is JSON:

    schema        "remora/state/1"
    expression    as it is printed
    wanted        "instances" or "intervals"
    detector      which one it is
    partition_by  the column, or null
    time          of the last instant that is done; -1 if there is none
    last          what occurred then, of the types in the expression: [[partition, event], …]
    partitions    [{"partition": …, "state": …}, …]: the states of the detectors

An instant is done when a row of a later time has arrived, or when its input has ended. The next input may begin with
rows that were read before: those up to the time of the state are left out, and counted. A row of the very time of the
state that is new comes too late, for that instant was done without it.
"""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from remora.detection import Detection
from remora.files import write_text
from semantics.errors import InputError
from semantics.occurrences import Time
from semantics.trace_files import Instant, Partition

SCHEMA = "remora/state/1"

_ANEW = "Name another file with --state, or remove this one and begin anew."


class State:
    """A file with the state of a detection.

    Attributes:
        path: of the file.
        stored: what was in it; None if there was no file.
        skipped: how many rows were left out because they were read before.
    """

    def __init__(self, path: Path, question: dict[str, str | None]) -> None:
        """Read the file, if there is one.

        Args:
            path: of the file.
            question: the members `expression`, `wanted` and `partition_by`, which have to be the same.

        Raises:
            InputError: the file belongs to another detection, or is damaged.
        """
        self.path = path
        self.skipped = 0
        self._question = question
        self.stored = _read(path)
        for key, value in question.items() if self.stored is not None else ():
            found = self.stored[key]  # type: ignore[index]
            if found != value:
                raise self.error(f"the state belongs to the {key.replace('_', ' ')} {found}, not to {value}")

    @property
    def detector(self) -> str | None:
        """Which detector the state belongs to."""
        return None if self.stored is None else str(self.stored["detector"])

    def error(self, reason: str, remedy: str = _ANEW) -> InputError:
        """An error about the file."""
        return InputError(reason, place=str(self.path), remedy=remedy)

    def restore(self, detection: Detection, detector: str) -> None:
        """Bring a detection into the state, if there is one.

        Raises:
            InputError: the state belongs to another detector, or is damaged.
        """
        if self.stored is None:
            return
        if self.detector != detector:
            raise self.error(f"the state belongs to the detector {self.detector}, not to {detector}")
        try:
            for member in self.stored["partitions"]:
                detection.detector(_partition(member["partition"])).restore(member["state"])
            detection.time = self.stored["time"]
            detection.last = frozenset((_partition(key), str(event)) for key, event in self.stored["last"])
        except InputError as error:
            raise self.error(error.reason) from None
        except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError):
            raise self.error("the file is damaged: it lacks parts of a state") from None

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
        data: dict[str, Any] = {
            "schema": SCHEMA,
            **self._question,
            "detector": detector,
            "time": detection.time,
            "last": sorted(map(list, detection.last), key=repr),
            "partitions": [
                {"partition": key, "state": stepper.snapshot()}
                for key, stepper in detection.detectors.items()
            ],
        }
        write_text(self.path, json.dumps(data) + "\n")

    def messages(self, done: Time) -> list[str]:
        """What was left out, in words."""
        if not self.skipped:
            return []
        rows = "1 row" if self.skipped == 1 else f"{self.skipped:,} rows"
        return [f"left out {rows} up to time {done}, which {self.path} has seen already"]


def _read(path: Path) -> dict[str, Any] | None:
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        if path.parent.is_dir():
            return None
        raise InputError("there is no folder for it", place=str(path), remedy="Make it first.") from None
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise InputError(f"the state cannot be read: {reason}", place=str(path), remedy=_ANEW) from None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        reason = f"this is not the state of a detection ({SCHEMA}), or it is damaged"
        raise InputError(reason, place=str(path), remedy=_ANEW)
    kinds = {"expression": str, "wanted": str, "detector": str, "time": int, "last": list, "partitions": list}
    wrong = [key for key, kind in kinds.items() if type(data.get(key)) is not kind]
    if wrong or "partition_by" not in data:
        reason = f"the file is damaged: {', '.join(wrong) or 'partition_by'} is missing or wrong"
        raise InputError(reason, place=str(path), remedy=_ANEW)
    return data


def _partition(key: object) -> Partition:
    if key is None or type(key) is int or type(key) is str:
        return key
    raise ValueError("no partition")


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
