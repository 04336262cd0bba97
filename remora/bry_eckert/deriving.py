"""Derivation by rules in Python, for `remora.derive`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from detectors.bry_eckert.catalogue import DEFAULT_DETECTOR
from remora.bry_eckert.detection import Detection, Running
from remora.bry_eckert.printing import event_data
from remora.bry_eckert.programs import plan_for, read_program, safe_engine
from semantics.bry_eckert.traces import form_of
from semantics.traces.instants import Instant, ReadReport, unknown_events
from semantics.traces.rows import Partition


class Rules:
    """A program of rules, evaluated step by step (`remora.api.derivation.Deriving`)."""

    def __init__(self, path: Path, tick: str | None) -> None:
        """Read the program, and decide whether its engine may forget by its conditions."""
        self._program = read_program(path, tick)
        plan = plan_for(self._program)
        engine, plan, self._doubts = safe_engine(DEFAULT_DETECTOR, self._program, plan)
        self._detection = Detection(Running(self._program, plan, engine))
        self.form, self.tick = form_of(self._program), self._program.tick
        self.how = f"by the engine {engine}"

    def derived(self, instants: Iterable[Instant]) -> Iterator[tuple[dict[str, Any], Partition]]:
        """The answers of all instants, and of the timers that are due when the log has ended."""
        for instant in instants:
            yield from _rows(self._detection.instant(instant))
        yield from _rows(self._detection.until(None))

    def warnings(self, report: ReadReport) -> Sequence[str]:
        """Conditions that are in doubt, axioms that the log breaks, and event types that it does not have."""
        broken = (*self._detection.warnings, *self._detection.breaches.summary())
        return (*self._doubts, *broken, *unknown_events(self._program.read, report.events))


def _rows(answers: Iterable[Any]) -> Iterator[tuple[dict[str, Any], Partition]]:
    return ((event_data(event), partition) for event, partition in answers)
