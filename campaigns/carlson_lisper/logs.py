"""Long logs put to a detector beside the proved detector."""

from bisect import bisect_left, bisect_right
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from campaigns import logs
from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.judge import Meaning, given, judge, odd_occurrence, wrong_instance
from campaigns.carlson_lisper.profiles import LONGEST
from campaigns.judging.isolation import Failed, ended
from campaigns.judging.verdicts import Kind, Verdict
from detectors.carlson_lisper import programs
from detectors.carlson_lisper.adapters import AnyFactory, TraceDetector
from detectors.carlson_lisper.protocol import Report, not_a_report
from detectors.carlson_lisper.source.figure2 import figure4
from detectors.processes import Form
from semantics.carlson_lisper.expressions import identifiers
from semantics.carlson_lisper.occurrences import Instance, Time
from semantics.carlson_lisper.syntax import parse
from semantics.carlson_lisper.traces import read_partitions
from semantics.errors import LimitExceeded
from semantics.traces.reading import Reading
from semantics.traces.rows import Partition, ReadReport

OTHERS, LOOKED_AT = 1_000, 200  # So many instances unlike those of the proved detector, of so long a part, are checked
DEFINED = LONGEST  # A log with more distinct times is compared with the proved detector, not with the semantics


def of_log(
    log: str | Path, text: str, reading: Reading, report: ReadReport
) -> tuple[dict[Partition, Case], frozenset[str]]:
    """A log as cases of a pattern, one for each partition; its event types."""
    pattern = parse(text, reading.tick)
    found = read_partitions(log, reading, pattern=pattern, report=report)
    cases = ((key, tuple(scenario.occurrences())) for key, scenario in found.items())
    return {key: Case(0, n, "log", pattern, rows) for n, (key, rows) in enumerate(cases)}, identifiers(pattern)


def beside(case: Case, factory: AnyFactory, seconds: float, *, defined: bool = True) -> Verdict:
    """The verdict over a log by the semantics, or beside the proved detector where the log or the time is long."""
    if defined and case.features.instants <= DEFINED:
        verdict = judge(case, factory, seconds=logs.time_for(case, seconds))
        if not verdict.refused:
            return replace(verdict, literal=True)
    return compared(case, factory, seconds)


def compared(case: Case, factory: AnyFactory, seconds: float) -> Verdict:
    """The verdict on a fresh detector beside the proved one, up to the first difference."""
    now: Time = 0
    form: Form | None = getattr(factory, "form", None)
    others = 0

    def work() -> None:
        nonlocal now, others
        if form is not None and form.matches == "all":
            raise LimitExceeded("all instances of a long log are not compared")
        detector: Any = factory(case.expression)
        proved = figure4(case.expression)
        whole = isinstance(detector, TraceDetector)
        found = {report.end: report for report in detector.detect_trace(list(given(case)))} if whole else {}
        for now, occurrences in given(case):
            due, report = proved.step(now, dict(occurrences)), found.pop(now, None)
            report = report if whole else detector.step(now, occurrences)
            _compare(*(compared_of(form, one) for one in (due, report)))
            if form is not None and form.compared == "first" and due is not None:
                return
            if isinstance(report, Instance) and others < OTHERS and _texts(report) != _texts(due):
                others += 1
                _require_instance(case, report)
        if found:
            now = min(found)
            raise Failed(Kind.WRONG_END, "a report ends where nothing occurs")

    kind, said = ended(work, logs.time_for(case, seconds))
    if kind is None:
        return Verdict(None, "", (), refusal=said)
    said = f"the whole log was not finished, up to {now:,}" if kind is Kind.TIMEOUT else f"at {now}: {said}"
    return Verdict(kind, said, ())


def compared_of(form: Form | None, report: Any) -> Any:
    """What is compared of what is reported at an instant."""
    return next(iter(programs.compared(form, [report])), None) if isinstance(report, Report) else report


def _texts(report: Report | None) -> list[str]:
    return sorted(map(repr, report.occurrences)) if isinstance(report, Instance) else []


def _require_instance(case: Case, report: Instance) -> None:
    """Raise `Failed` where what is reported is no instance; only what occurs between its start and its end matters."""
    first = bisect_left(case.occurrences, report.start, key=attrgetter("time"))
    rows = case.occurrences[first : bisect_right(case.occurrences, report.end, key=attrgetter("time"))]
    part = replace(case, occurrences=rows)
    if len(rows) <= LOOKED_AT and (
        wrong := wrong_instance(Meaning(part), (report,)) or odd_occurrence(part, (report,))
    ):
        raise Failed(*wrong)


def _compare(due: Report | None, report: Any) -> None:
    if report is not None and (wrong := not_a_report(report)):
        raise Failed(Kind.NOT_AN_INSTANCE, wrong)
    said = None if report is None else (report.start, report.end)
    wanted = None if due is None else (due.start, due.end)
    if said != wanted:
        kind = Kind.MISSING if said is None else Kind.SPURIOUS if wanted is None else Kind.WRONG_START
        raise Failed(kind, f"{said or 'nothing'} is reported, and {wanted or 'nothing'} by the proved detector")
