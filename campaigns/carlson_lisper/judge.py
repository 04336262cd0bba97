"""Judge of a detector: its reports on one case against the semantics.

The intervals that any valid restriction reports come from the interval semantics (Thm 4.5, Cor. 4.4), and whether an
instance exists from the membership in the denotation (Def. 3.11); where all instances can be listed, the restriction
policy itself (Def. 3.12) is evaluated as well, so that the two levels also judge each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, TypeAlias, cast

from campaigns.carlson_lisper.cases import MAX_INSTANTS, Case
from campaigns.imports import crash_text
from campaigns.judging.isolation import Deadline, Failed, TimeUp, ended
from campaigns.judging.verdicts import TIME_LIMIT, Kind, Verdict
from detectors.carlson_lisper.adapters import AnyDetector, AnyFactory, TraceDetector
from detectors.carlson_lisper.catalogue import Spans
from detectors.carlson_lisper.programs import Instants, compared
from detectors.carlson_lisper.protocol import Detector, Report as Report, is_time, not_a_report
from detectors.processes import Form
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.intervals import Intervals
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Stream, Time, Value, by_end_time
from semantics.carlson_lisper.restriction import rem, restriction
from semantics.errors import LimitExceeded
from semantics.events import Interval

LITERAL_OCCURRENCES = 8  # Traces with at most so many occurrences have their instances listed as well…
LITERAL_CANDIDATES = 60  # …if no operator has more candidate instances than this
ALL_CANDIDATES = 2_000  # So many candidates an operator may have where all instances are compared


@dataclass
class Meaning:
    """Meaning of a case by the semantics on its two levels, evaluated when they are asked for."""

    case: Case

    @cached_property
    def trace(self) -> Interpretation:
        """The trace as an interpretation."""
        return self.case.trace

    @cached_property
    def expected(self) -> tuple[Interval, ...]:
        """The intervals that any valid restriction reports, by end (Thm 4.5, Cor. 4.4)."""
        return tuple(self.members.restricted())

    @cached_property
    def members(self) -> Intervals:
        """The instances of the expression (Def. 3.11), asked one by one."""
        return Intervals(self.case.expression, self.trace)

    @cached_property
    def instances(self) -> Stream | None:
        """All instances of the expression (Def. 3.11); None if the case is too large to list them."""
        if len(self.case.occurrences) <= LITERAL_OCCURRENCES:
            with suppress(LimitExceeded):
                return denotation(self.case.expression, self.trace, limit=LITERAL_CANDIDATES)
        return None

    @property
    def literal(self) -> bool:
        """Whether all instances can be listed."""
        return self.instances is not None

    @cached_property
    def contradiction(self) -> str:
        """How the policy of Def. 3.12, applied to the list of instances, contradicts `expected`; "" if not."""
        if self.instances is None:
            return ""
        spans = sorted((instance.end, instance.start) for instance in restriction(self.instances))
        due = [(end, start) for start, end in self.expected]
        return "" if spans == due else f"restricted by Def. 3.12, the (end, start) are {spans}"


LONG_SECONDS = 2.0  # For a trace with more instants than the usual cases have; a slower detector is refused


def judge(case: Case, factory: AnyFactory, *, seconds: float = TIME_LIMIT, meaning: Meaning | None = None) -> Verdict:
    """Run a fresh detector over the case's trace and compare what it reports with the semantics."""
    meaning = meaning or Meaning(case)
    form: Form | None = getattr(factory, "form", None)
    if form is not None and form.matches == "all":
        return _judge_all(meaning, factory, form, seconds)
    expected = tuple(Interval(each.start, each.end) for each in compared(form, meaning.expected))
    observed = observe(case, factory, seconds)
    if observed.failure is not None:
        return Verdict(*observed.failure, expected, tuple(observed.reports.values()))
    if observed.refusal:
        return Verdict(None, "", expected, refusal=observed.refusal)
    detected = compared(form, observed.reports.values())
    failure = _wrong_interval(expected, {report.end: report for report in detected} if form else observed.reports)
    try:
        failure = failure or wrong_instance(meaning, detected) or observed.excess or observed.breach
    except LimitExceeded as error:  # starts and ends are right, but whether the instances exist is not known
        failure = observed.excess or observed.breach
        if failure is None:
            return Verdict(None, "", expected, refusal=f"an instance cannot be checked: {error.reason}")
    policy = form is None or form.compared in ("intervals", "instances")
    disagreement = _literally(meaning, observed.reports, failure and failure[0]) if policy else None
    failure = disagreement or failure or odd_occurrence(case, detected)
    kind, detail = failure or (None, "")
    return Verdict(kind, detail, expected, detected, meaning.literal)


def _judge_all(meaning: Meaning, factory: Any, form: Form, seconds: float) -> Verdict:
    """The verdict on a program that reports all instances, by Def. 3.11 as it is written."""
    case, found, expected = meaning.case, list[Report](), meaning.expected
    try:
        due: Iterable[Report] = by_end_time(denotation(case.expression, meaning.trace, limit=ALL_CANDIDATES))
    except LimitExceeded as error:
        return Verdict(None, "", expected, refusal=f"its instances are too many to be listed: {error.reason}")
    kind, said = ended(lambda: found.extend(factory(case.expression).reports(list(given(case)))), seconds)
    if kind is not None or said:
        return Verdict(kind, said if kind else "", expected, tuple(found), refusal="" if kind else said)
    wrong = next(filter(None, map(not_a_report, found)), "")
    if wrong:
        return Verdict(Kind.NOT_AN_INSTANCE, wrong, expected)
    if form.compared != "instances":
        due = [Interval(each.start, each.end) for each in due]
    wanted, told = (Counter(compared(form, sorted(some, key=_by_end))) for some in (due, found))
    if form.compared != "instances":  # several instances have the same start and end
        wanted, told = Counter(set(wanted)), Counter(set(told))
    for missing, spurious in ((wanted - told, False), (told - wanted, True)):
        for report in sorted(missing, key=_by_end):
            said = f"at {report.end}: {spanned(report)} " + ("reported, not due" if spurious else "due, not reported")
            return Verdict(Kind.SPURIOUS if spurious else Kind.MISSING, said, expected, tuple(found), literal=True)
    return Verdict(None, "", expected, tuple(found), literal=True)


def _by_end(report: Report) -> tuple[Time, Time]:
    return report.end, report.start


_Failure: TypeAlias = tuple[Kind, str]


@dataclass
class Observation:
    """Observation of a detector: its reports by instant, its refusal or failure, what it stored or changed."""

    reports: dict[Time, Report] = field(default_factory=dict)
    refusal: str = ""
    failure: _Failure | None = None
    excess: _Failure | None = None
    breach: _Failure | None = None


def observe(case: Case, factory: AnyFactory, seconds: float, *, watched: bool = True) -> Observation:
    """Run a fresh detector over a case's trace; whatever it does is in the result, `watched` also what it stores."""
    observation = Observation()
    instants = case.features.instants if len(case.occurrences) > MAX_INSTANTS else 0
    long = instants > MAX_INSTANTS
    seconds = min(seconds, LONG_SECONDS) if long else seconds

    def work() -> None:
        try:
            detector: Any = factory(case.expression)
            if isinstance(detector, Instants):
                detector = _Beside(detector, cast(Instants, factory(case.expression)))
            _run(case, detector, observation, Deadline(seconds), watched)
        except LimitExceeded as error:
            if observation.reports:  # too late to refuse
                raise Failed(Kind.CRASH, crash_text(error)) from error
            raise

    kind, said = ended(work, seconds)
    if kind is Kind.TIMEOUT and long:
        kind, said = None, f"{said} with a trace of {instants:,} instants, which it need not be fast enough for"
    if kind is not None:
        observation.failure = kind, said
    elif said:
        observation.refusal = said
    return observation


def _run(case: Case, detector: AnyDetector, observation: Observation, deadline: Deadline, watched: bool) -> None:
    if _takes_traces(cast(Hashable, type(detector))):
        trace = list(given(case))
        _take(cast(TraceDetector, detector).detect_trace(trace), observation)
        if trace != list(given(case)):
            observation.breach = Kind.PROTOCOL, f"the trace was changed, {_ARGUMENT}"
        return
    detector = cast("Detector | Spans", detector)
    for now, occurrences in given(case):
        kept = occurrences.copy()
        report = detector.step(now, occurrences)
        if report is not None:
            wrong = not_a_report(report)
            if wrong:
                observation.failure = Kind.NOT_AN_INSTANCE, f"at {now}: {wrong}"
                return
            observation.reports[now] = report
        if occurrences != kept and observation.breach is None:
            observation.breach = Kind.PROTOCOL, f"at {now}: the mapping of events was changed, {_ARGUMENT}"
        if watched and observation.excess is None:
            for node in detector.state():
                if node.stored > node.bound:
                    said = f"{node.stored} instances stored for {node.expression}, at most {node.bound} allowed"
                    observation.excess = Kind.STORAGE, f"at {now}: {said}"
        if deadline.left <= 0:
            raise TimeUp


class _Beside:
    """A program with another case open beside the one that is judged, which is to know nothing of that."""

    def __init__(self, detector: Instants, other: Instants) -> None:
        types = sorted(detector.events)
        self._detector, self._other, self.state = detector, other, detector.state
        self._occurrences = dict.fromkeys(types if detector.form.ties else types[:1])

    def step(self, time: Time, occurrences: dict[str, Value]) -> Report | None:
        self._other.all_at(time, self._occurrences)
        return self._detector.step(time, occurrences)


_ARGUMENT = "which is the caller's"


@cache
def _takes_traces(kind: type[AnyDetector]) -> bool:
    """Whether a class is a `TraceDetector`, which takes Python as long to find out as some steps."""
    return issubclass(kind, TraceDetector)


def _take(found: Iterable[object], observation: Observation) -> None:
    last = -1
    for report in found:
        wrong = not_a_report(report)
        if wrong:
            observation.failure = Kind.NOT_AN_INSTANCE, wrong
            return
        assert isinstance(report, Report)
        if report.end <= last:
            said = f"at {report.end}: {spanned(report)} reported after one that ends at {last}"
            observation.failure = Kind.SPURIOUS, said
            return
        last = report.end
        observation.reports[last] = report


_SPREAD = 0x9E3779B97F4A7C15  # 2⁶⁴ by the golden ratio: its multiples are spread well over their upper bits


def given(case: Case) -> Iterator[tuple[Time, dict[str, Value]]]:
    """The instants of a case, what occurs at each turned round by some places, and in half of all cases backwards."""
    for time, occurrences in case.instants():
        if len(occurrences) > 1:
            spread = time * _SPREAD >> 40 & 0xFFFFFF
            items = list(occurrences.items())
            if spread & 1 == 0:
                items.reverse()
            place = (spread >> 1) % len(items)
            occurrences = dict(items[place:] + items[:place])
        yield time, occurrences


def _wrong_interval(expected: tuple[Interval, ...], reports: Mapping[Time, Report]) -> _Failure | None:
    due = {end: start for start, end in expected}
    for now in sorted(due.keys() | reports.keys()):
        report = reports.get(now)
        if report is None:
            return Kind.MISSING, f"at {now}: nothing reported, an instance from {due[now]} expected"
        if report.end != now:
            return Kind.WRONG_END, f"at {now}: {spanned(report)} reported, which ends at another time"
        if now not in due:
            return Kind.SPURIOUS, f"at {now}: {spanned(report)} reported, nothing expected"
        if report.start != due[now]:
            return Kind.WRONG_START, f"at {now}: {spanned(report)} reported, one from {due[now]} expected"
    return None


def wrong_instance(meaning: Meaning, detected: tuple[Report, ...]) -> _Failure | None:
    """The first reported instance that is none of the expression."""
    for instance in detected:
        if isinstance(instance, Instance) and instance not in meaning.members:
            return Kind.NOT_AN_INSTANCE, f"at {instance.end}: {instance} is not an instance of the expression"
    return None


def odd_occurrence(case: Case, detected: tuple[Report, ...]) -> _Failure | None:
    """An occurrence at what only equals a time, or with what only equals its value, as 1 does true, and 0.0 -0.0."""
    instances = [report for report in detected if isinstance(report, Instance)]
    given = {each: repr(each.value) for each in case.occurrences} if instances else {}
    for instance in instances:
        for each in instance.occurrences:
            if repr(each.value) != given[each]:
                said = f"at {instance.end}: {each!r} in {instance}, where its value is {given[each]}"
                return Kind.NOT_AN_INSTANCE, said
            if not is_time(each.time):
                said = f"at {instance.end}: an occurrence at {each.time!r:.60} in {instance}; a time is an int"
                return Kind.NOT_AN_INSTANCE, said
    return None


def spanned(report: Report | None) -> str:
    """A report in words, with its start and end."""
    if report is None:
        return "nothing"
    span = f"from {report.start} to {report.end}"
    return f"{report!r} {span}" if isinstance(report, Instance) else f"one {span}"


def _literally(meaning: Meaning, reports: Mapping[Time, Report], kind: Kind | None) -> _Failure | None:
    """How the case contradicts Def. 3.11 and 3.12 as they are written, where it is small enough for that."""
    if meaning.instances is None:
        return None
    if meaning.contradiction:
        return Kind.DISAGREEMENT, meaning.contradiction
    # The policy speaks of a set of instances, not of the instants at which they were reported.
    instances = {now: report for now, report in reports.items() if isinstance(report, Instance)}
    if len(instances) == len(reports) and all(i.end == now for now, i in instances.items()):
        valid = rem(meaning.instances, frozenset(instances.values()))
        if valid != (kind in (None, Kind.STORAGE, Kind.PROTOCOL)):
            return Kind.DISAGREEMENT, f"rem is {valid} of what was judged: {kind or 'correct'}"
    return None
