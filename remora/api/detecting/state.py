"""A detection that is stored when an input ends, and goes on with the next one (`remora detect --state`).

An instant is done when a row of a later time has arrived, or when its input has ended. The next input may begin with
rows that were read before: those up to the time of the state are left out, and counted. A row of the very time of the
state that is new comes too late, for that instant was done without it.
"""

import json
import signal
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, Literal

import msgspec

from detectors.carlson_lisper import snapshots
from remora.api.detecting.detection import Detection
from semantics.atomic_files import write_text
from semantics.errors import InputError
from semantics.events import Moment
from semantics.traces.rows import Instant, Row


class _Partition(msgspec.Struct, forbid_unknown_fields=True):
    partition: str | int | None
    state: dict[str, Any]


class _Stored(msgspec.Struct, forbid_unknown_fields=True):
    schema: Literal["remora/state/1"]
    expression: str
    wanted: Literal["instances", "intervals"]
    partition_by: str | None
    tick: str | None
    detector: str
    time: Annotated[int, msgspec.Meta(ge=-1, le=snapshots.LATEST)]
    last: list[tuple[str | int | None, str]]
    partitions: list[_Partition]
    ties: str | None = None


class State:
    """A file with the state of a detection; `skipped` rows were left out, because they were done before."""

    def __init__(self, path: Path, question: dict[str, str | None], scale: int = 1) -> None:
        """Read the file, if there is one; its members in the question have to be the same; so is the finer clock."""
        self.path, self._question, self._scale, self.skipped = path, question, scale, 0
        self.stored = self._read()
        try:  # before anything is detected that could not be stored
            with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}."):
                pass
        except OSError as error:
            reason = f"no state can be stored there: {error.strerror or error}"
            raise self.error(reason, "Name a file in a folder that can be written to.") from None
        for key, value in question.items() if self.stored is not None else ():
            found = getattr(self.stored, key)
            if found != value:
                raise self.error(f"the state belongs to the {key} {found or 'none'}, not to {value or 'none'}")

    def _read(self) -> _Stored | None:
        if self.path.exists() and not self.path.is_file():
            raise self.error("a state is kept in a file, and this is something else")
        try:
            return msgspec.json.decode(self.path.read_bytes(), type=_Stored)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self.error(f"the state cannot be read: {error.strerror}") from None
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
            raise self.error(f"this is not the state of a detection, or it is damaged: {error}") from None

    def error(
        self, reason: str, remedy: str = "Name another file with --state, or remove this one and begin anew."
    ) -> InputError:
        """An error about the file."""
        return InputError(reason, place=str(self.path), remedy=remedy)

    def restore(self, detection: Detection, detector: str) -> None:
        """Bring a detection into the state, if there is one."""
        stored = self.stored
        if stored is None:
            return
        if stored.detector != detector:
            raise self.error(f"the state belongs to the detector {stored.detector}, not to {detector}")
        keys, damage = [each.partition for each in stored.partitions], ""
        for key, event in [*((key, None) for key in keys), *stored.last]:
            if key is not None and stored.partition_by is None:
                damage = f"{key!r:.60} is no partition of this detection"
            elif event is not None and event not in detection.relevant:
                damage = f"{event!r:.60} in last is not an event type of the expression"
        if damage or len(set(keys)) < len(keys):
            raise self.error(f"the file is damaged: {damage or 'a partition is there twice'}")
        for each in stored.partitions:
            now = each.state.get("now")
            if type(now) is int and now // self._scale > stored.time:
                reason = f"a detector has done time {now:,}, later than the state's {stored.time:,}"
                raise self.error(f"the file is damaged: {reason}")
            try:
                detection.detectors[each.partition].restore(each.state)
            except InputError as error:
                raise self.error(error.reason) from None
        detection.time, detection.last = stored.time, stored.last

    def later(self, instants: Iterable[Instant], detection: Detection) -> Iterator[Instant]:
        """The instants that are not done yet; the rows of the others are counted."""
        done, last = detection.time, Counter(detection.last)
        places = Counter(partition for partition, _ in detection.last)
        for instant in instants:
            if instant.time > done:
                yield instant
                continue
            new = list[Row]()  # with ties, a row that comes after those of its tick that are done
            for row in instant.rows if instant.time == done else ():
                last[row.partition, row.event] -= 1
                if row.event not in detection.relevant or last[row.partition, row.event] >= 0:
                    continue
                if isinstance(row.time, Moment) and row.time.place >= places[row.partition]:
                    new.append(row)
                else:
                    reason = f"{row.event} at time {done} comes too late: {self.path} has done this instant without it"
                    remedy = "End an input between two instants, with all the rows of its last time."
                    raise InputError(reason, place=row.place, remedy=f"{remedy} Or remove {self.path}.")
            if new:
                yield Instant(instant.time, tuple(new))
            self.skipped += len(instant.rows) - len(new)

    def write(self, detection: Detection, detector: str) -> None:
        """Replace the file, whole or not at all."""
        partitions = [{"partition": key, "state": one.snapshot()} for key, one in detection.detectors.items()]
        about = {"schema": "remora/state/1", **self._question, "detector": detector, "time": detection.time}
        stored = {**about, "last": sorted(detection.last, key=repr), "partitions": partitions}
        write_text(self.path, json.dumps(stored) + "\n")


@contextmanager
def signals_watched() -> Iterator[Callable[[], AbstractContextManager[None]]]:
    """Watch signals that end the command: within what is yielded, which does an instant, they wait until it is done."""
    in_main = threading.current_thread() is threading.main_thread()
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM) if in_main}
    before: dict[int, Any] = {number: handler for number, handler in handlers.items() if callable(handler)}
    busy, waiting = False, list[tuple[int, FrameType | None]]()

    def handle(number: int, frame: FrameType | None) -> None:
        if busy:
            waiting.append((number, frame))
        else:
            before[number](number, frame)

    @contextmanager
    def whole() -> Iterator[None]:
        nonlocal busy
        busy = True
        try:
            yield
        finally:
            busy = False
            if waiting:
                number, frame = waiting.pop()
                before[number](number, frame)

    try:
        for number in before:
            signal.signal(number, handle)
        yield whole
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
