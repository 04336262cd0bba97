"""The watermark of a log: up to when it is complete; what lies beyond is pending, or is not said."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from semantics.errors import InputError
from semantics.events import Time
from semantics.traces.reading import Reading
from semantics.traces.rows import Instant, ReadReport
from semantics.traces.times import NUMBER, times_of

PENDING = "pending"  # The member, true, of what rows that may still come can change


def time_of(given: object, reading: Reading, option: str) -> Time:
    """The time of an option that is written as those of the log; `InputError` if it is none."""
    if reading.tick is not None and reading.time_format is None and NUMBER.fullmatch(str(given)):
        reading = replace(reading, epoch=reading.epoch or "ticks")  # as the first row of the log has to tell
    try:
        return times_of(reading, ReadReport())(given)
    except InputError as error:
        raise InputError(error.reason, place=option, remedy=error.remedy) from None


class Watermark:
    """The time up to which a log is complete: that of its last row, or one that is stated, where its end is."""

    def __init__(self, until: Time | None = None) -> None:
        self.until = until  # the stated time, beyond which nothing is said; None where a log may go on
        self.time: Time = -1  # up to which the log has been read; -1 before it has been
        self.pending = self._cut = 0  # how many of the answers that were marked can still change

    @classmethod
    def stated(cls, until: object, reading: Reading) -> "Watermark":
        """The watermark at a time that is written as those of the log, or without one; `InputError` if it is none."""
        return cls(None if until is None else time_of(until, reading, "--until"))

    def instants(self, instants: Iterable[Instant]) -> Iterator[Instant]:
        """The instants of a log up to the stated time, at which there is one without rows if the log has none."""
        for instant in instants:
            if self.until is None or instant.time <= self.until:
                self.time = max(self.time, instant.time)
                yield instant
            else:
                yield from self._last()
                self._cut += len(instant.rows)
        yield from self._last()

    def _last(self) -> Iterator[Instant]:
        if self.until is not None and self.time < self.until:
            self.time = self.until
            yield Instant(self.until, ())

    def says(self, time: Time) -> bool:
        """Whether anything is said of a time."""
        return self.until is None or time <= self.until

    def mark(self, time: Time, settled: Time | None = None) -> dict[str, Any]:
        """The member of an answer at a time that can still change, if it can: one that is not before `settled`.

        Without `settled` that is one beyond the last row.
        """
        if self.until is not None or time < (self.time + 1 if settled is None else settled):
            return {}
        self.pending += 1
        return {PENDING: True}

    def messages(self, noun: str, shown: Callable[[Time], Time | str]) -> Iterator[str]:
        """Messages of the rows that were left out, and of how many answers, which have a name, are pending."""
        if self._cut:
            many = f"{self._cut:,} {'row' if self._cut == 1 else 'rows'}"
            yield f"left out {many} after {shown(self.time)} (--until)"
        if self.pending:
            many = f"{self.pending:,} {noun} is" if self.pending == 1 else f"{self.pending:,} {noun}s are"
            yield (
                f"{many} pending, as rows may follow the last one, at {shown(self.time)};"
                " --until TIME says up to when the log is complete"
            )
