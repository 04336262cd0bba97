"""Programs as detectors of patterns: what they take, their answers as reports, and what is compared of these."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from detectors.carlson_lisper.catalogue import WrongDetector
from detectors.carlson_lisper.protocol import Report, not_a_report
from detectors.processes import Form, Process, Program, process_of, shown
from detectors.protocol import NodeState, ProcessFailed, Snapshot
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up, evaluate_bound, identifiers, rebuilt
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Value
from semantics.errors import InputError, LimitExceeded
from semantics.events import Interval, Time


@dataclass(frozen=True)
class OfProgram:
    """Factory of detectors that are a program."""

    program: Program

    @property
    def form(self) -> Form:
        """What the program takes, and how its answers are compared."""
        return self.program.form

    def __call__(self, expression: Expression) -> WholeTraces | Instants:
        """The program for a ground expression; `LimitExceeded` where its form says that it does not take it."""
        for part in bottom_up(expression):
            if isinstance(part, Operation):
                symbol = part.definition.symbol or "[t]"
                if symbol not in self.form.operators:
                    raise LimitExceeded(f"the program does not take {symbol}")
                _require_at_most(evaluate_bound(part.bound or 0), self.form.longest, "bounds")
        form = WholeTraces if self.form.input == "cases" else Instants
        return form(self.program, expression)


def _without_label(node: Operation, operands: tuple[Expression, ...]) -> Expression:
    """An operation without its label, which means nothing (Section 6), and need not be known to a program."""
    return replace(node, operands=operands, label=None)


class _OfPattern:
    """What both forms of input have in common."""

    def __init__(self, program: Program, expression: Expression) -> None:
        self.form = program.form
        self._process: Process = process_of(program)
        plain = rebuilt(expression, _without_label, lambda node: node)
        self._pattern, self.events = str(plain), identifiers(expression)

    def _given(self, time: Time, occurrences: Mapping[str, Value]) -> list[tuple[Time, str, Value]]:
        """The rows of an instant that the pattern mentions; `LimitExceeded` where the program does not take them."""
        given = [(time, event, value) for event, value in occurrences.items() if event in self.events]
        if len(given) > 1 and not self.form.ties:
            raise LimitExceeded("the program does not take several events at one time")
        _require_at_most(time, self.form.latest, "times")
        return given

    def _read(self, answers: Iterable[Mapping[str, Any]]) -> Iterator[Report]:
        for answer in answers:
            try:
                end = answer["end"]
                if self.form.compared == "instances":
                    rows = ((event, time, value) for time, event, value in answer["instance"])
                    yield Instance(Occurrence(*row) for row in rows)
                else:
                    yield Interval(end if self.form.compared == "ends" else answer["start"], end)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                said = f"answered no detection: {shown(answer)} ({type(error).__name__}: {error})"
                raise ProcessFailed(f"the program {said}") from None


class WholeTraces(_OfPattern):
    """A program that takes whole traces (`detectors.carlson_lisper.adapters.TraceDetector`)."""

    def detect_trace(self, trace: Sequence[tuple[Time, Mapping[str, Value]]]) -> list[Report]:
        """What the program reports of a trace."""
        events = [row for time, occurrences in trace for row in self._given(time, occurrences)]
        answer = self._process.ask({"pattern": self._pattern, "events": events})
        if "refused" in answer:
            raise LimitExceeded(f"the program refuses it: {shown(answer['refused'])}")
        found = answer.get("detections")
        if not isinstance(found, list):
            raise ProcessFailed(f"the program answered no list of detections: {shown(answer)}")
        return list(self._read(found))

    reports = detect_trace


class Instants(_OfPattern):
    """A program that takes one event after the other, and is told when an instant is done."""

    def __init__(self, program: Program, expression: Expression) -> None:
        super().__init__(program, expression)
        self._case, self._begun = self._process.next_case(), 0
        self._first: list[object] = [{"case": self._case, "pattern": self._pattern}]

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Report | None:
        """What the program reports at an instant, which is one thing at most."""
        found = self.all_at(time, occurrences)
        if len(found) > 1:
            raise ProcessFailed(f"the program reports {len(found)} matches at {time}, and says that it reports one")
        return found[0] if found else None

    def all_at(self, time: Time, occurrences: Mapping[str, Value]) -> list[Report]:
        """All that the program reports at an instant."""
        rows = self._given(time, occurrences)
        if not rows:
            return []
        if not self._first and self._begun != self._process.started():
            raise ProcessFailed(f"the program was started again, and knows nothing of case {self._case}")
        events = [{"case": self._case, "time": time, "event": event, "value": value} for _, event, value in rows]
        lines = [*self._first, *events, {"case": self._case, "done": time}]
        *found, last = self._process.tell(lines, self._case, "done", fresh=bool(self._first))
        self._first, self._begun = [], self._process.started()
        if "refused" in last:
            raise LimitExceeded(f"the program refuses it: {shown(last['refused'])}")
        due = [*[("case", self._case)] * len(found), ("case", self._case), ("done", time)]
        for answer, (name, number) in zip([*found, last, last], due, strict=True):
            if repr(answer.get(name)) != repr(number):
                raise self._process.failed(self._case, f"answered {shown(answer)} at {time}")
        return list(self._read(found))

    def state(self) -> tuple[NodeState, ...]:
        """Nothing: what is stored is in the program."""
        return ()

    def reports(self, trace: Sequence[tuple[Time, Mapping[str, Value]]]) -> list[Report]:
        """All that the program reports of a trace."""
        found = [(time, report) for time, occurrences in trace for report in self.all_at(time, occurrences)]
        for time, report in found:
            if report.end != time:
                raise ProcessFailed(f"the program reports an end at {shown(report.end)} when {time} is done")
        return [report for _, report in found]


class Gathered:
    """A program that answers when it knows the whole trace, behind the form in which one is read by rows."""

    def __init__(self, factory: OfProgram, pattern: Expression) -> None:
        """Take it; `LimitExceeded` where it does not take the pattern."""
        self._detector, self._trace = factory(pattern), dict[Time, Mapping[str, Value]]()

    def step(self, time: Time, values: Mapping[str, Value]) -> None:
        """Gather what occurs at an instant."""
        self._trace[time] = dict(values)

    def rest(self) -> list[Report]:
        """What the program reports of all; `WrongDetector` where that can be no detection."""
        try:
            found = self._detector.reports(list(self._trace.items()))
        except ProcessFailed as error:
            raise WrongDetector(f"failed: {error}") from error
        for report in found:
            wrong = not_a_report(report)
            if wrong or report.end not in self._trace:
                raise WrongDetector(wrong or f"reported an end at {report.end}, where nothing occurs")
        return found

    def snapshot(self) -> Snapshot:
        """Not to be had."""
        raise InputError("the state of a program cannot be stored", remedy="Leave out --state.")

    def restore(self, snapshot: Snapshot) -> None:
        """Not to be had."""
        self.snapshot()


def _require_at_most(number: int, most: int | None, what: str) -> None:
    if most is not None and number > most:
        raise LimitExceeded(f"the program does not take {what} above {most:,}")


def compared(form: Form | None, reports: Iterable[Report]) -> tuple[Report, ...]:
    """What is compared of reports in the order of their ends."""
    found = tuple(reports)
    if form is None or form.compared in ("intervals", "instances"):
        return found
    return found[:1] if form.compared == "first" else tuple(Interval(one.end, one.end) for one in found)
