"""A detection that is stored when an input ends, and goes on with the next one (`remora detect --state`).

The file is JSON:

    schema        "remora/state/1"
    expression    as it is printed
    wanted        "instances" or "intervals"
    detector      which one it is
    partition_by  the column, or null
    tick          how long a tick is, where that was stated; or null
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
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from detectors.carlson_lisper import snapshots
from remora.api.detecting.detection import Detection
from semantics.atomic_files import write_text
from semantics.carlson_lisper.occurrences import Time
from semantics.errors import InputError
from semantics.traces.instants import Instant
from semantics.traces.rows import Partition

SCHEMA = "remora/state/1"

_WORDS: Mapping[str, Callable[[str | None], str]] = {
    "expression": lambda pattern: f"the expression {pattern}",
    "wanted": lambda wanted: "starts and ends alone (--intervals)" if wanted == "intervals" else f"whole {wanted}",
    "tick": lambda tick: f"ticks of {tick}" if tick else "ticks of no stated length",
    "partition_by": lambda column: f"a trace partitioned by {column}" if column else "a trace that is not partitioned",
}
"""What each member of the question says."""

_ANEW = "Name another file with --state, or remove this one and begin anew."


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
            found = self.stored.get(key)  # type: ignore[union-attr]
            if found != value:
                raise self.error(f"the state belongs to {_WORDS[key](found)}, not to {_WORDS[key](value)}")

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
            time = snapshots.time(self.stored["time"], "time")
            for member in self.stored["partitions"]:
                self._restore(snapshots.members(member, "a partition", ("partition", "state")), detection, time)
            last = frozenset(self._last(one, detection) for one in self.stored["last"])
        except InputError as error:
            raise self.error(error.reason) from None
        except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError):
            raise self.error("the file is damaged: it lacks parts of a state") from None
        detection.time, detection.last = time, last

    def _restore(self, member: Mapping[str, Any], detection: Detection, time: Time) -> None:
        """Bring the detector of a partition into its state.

        Raises:
            InputError: there is something wrong with the state, or there cannot be such a partition.
        """
        key, state = self._partition(member["partition"]), member["state"]
        if key in detection.detectors:
            raise snapshots.damaged(f"the partition {key!r} is there twice")
        if isinstance(state, dict) and type(state.get("now")) is int and state["now"] > time:
            raise snapshots.damaged(f"a detector has done time {state['now']:,}, later than the state's {time:,}")
        detection.detector(key).restore(state)

    def _last(self, member: object, detection: Detection) -> tuple[Partition, str]:
        """What occurred at the last instant.

        Raises:
            InputError: it cannot have occurred in this detection.
        """
        pair = snapshots.items(member, "a member of last")
        if len(pair) != 2 or type(pair[1]) is not str or pair[1] not in detection.relevant:
            raise snapshots.damaged(f"{pair!r:.60} in last is not a partition and an event type of the expression")
        return self._partition(pair[0]), pair[1]

    def _partition(self, key: object) -> Partition:
        """A key of a partition.

        Raises:
            InputError: it is none, or the detection has no partitions.
        """
        if key is None:
            return None
        if type(key) not in (int, str) or self._question["partition_by"] is None:
            raise snapshots.damaged(f"{key!r:.60} is no partition of this detection")
        return key  # type: ignore[return-value]

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
                {"partition": key, "state": stepper.snapshot()} for key, stepper in detection.detectors.items()
            ],
        }
        write_text(self.path, json.dumps(data) + "\n")

    def messages(self, done: Time | str) -> list[str]:
        """What was left out up to a time, in words."""
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


def _read(path: Path) -> dict[str, Any] | None:
    if path.exists() and not path.is_file():
        raise InputError(
            "a state is kept in a file, and this is something else",
            place=str(path),
            remedy="Name a file, or one that is to be made.",
        )
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
