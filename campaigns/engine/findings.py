"""The engine of the gate, the pytest plugin and `remora.judge`: detectors put to kinds of cases in a budget of time."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from itertools import chain, product
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from campaigns.engine.settings import Settings
from campaigns.engine.summary import Failure
from campaigns.judging import judgements
from campaigns.judging.isolation import Lost, OutOfTime, isolated, rounds
from campaigns.judging.judgements import Judge, Minimised, judge_case, judged_by, maker_of, minimise, relation_of
from campaigns.judging.regressions import Regression, own_regressions, store
from campaigns.judging.verdicts import BLOCKING, MEANING, TIME_LIMIT, Kind, Verdict, standing_of
from campaigns.systems import NO_CORPUS, AnyCase, Factory, cases_of
from detectors.processes import Form
from laws.standings import Standing
from semantics.events import Interval
from semantics.systems import DEFAULT_SYSTEM

OF_LOGS = "your logs"
RANDOM = "random cases"
STORED = "stored regressions"
RELATION = "relation:"  # Stands before the name of a relation in the name of its cases

EXAMINATION, AT_LEAST = 15.0, 5.0  # How long it may take to make a failure small if there is time, and in any case
AFTER_FAILURE = 5.0  # A stage with a budget goes on for so many seconds after its first failure: of other causes
EXAMINED = 5  # So many failures of a detector are made small in each stage, one of each cause

TOO_SHORT = "not one case within the budget"
AFTER_A_FAILURE = "not one case: the stage ended soon after a failure"


class Clock:
    """A budget of time that runs down; without one, there is always time."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds
        self._begin = monotonic()

    @property
    def used(self) -> float:
        """The seconds since the start."""
        return monotonic() - self._begin

    @property
    def left(self) -> float:
        """The seconds that are left; infinite without a budget."""
        return inf if self.seconds is None else max(0.0, self.seconds - self.used)

    def until(self, share: float = 1.0) -> float:
        """When so much of what is left now will be over, on the clock of `time.monotonic`."""
        return monotonic() + self.left * share


class Outcome(NamedTuple):
    """Outcome of one case, about what `Check.name` is, for one detector; the path is that of `Fault`."""

    name: str
    number: int
    detector: str
    by: str
    verdict: Verdict
    path: str = ""
    events: int = 0  # how many the case has


@dataclass(frozen=True)
class Check:
    """One thing that was looked at: the id of a law or lemma, a relation, a set of cases."""

    stage: str
    name: str
    detector: str  # several names where they share what is proved; "" for none
    standing: Standing | None  # None if it was not looked at
    tried: int = 0  # how many cases there were, without those that the detector refused
    detail: str = ""
    refused: int = 0
    reason: str = ""
    failed: int = 0

    @property
    def wrong(self) -> bool:
        """Whether the detector, or a judge, is wrong."""
        return self.standing in (Standing.REFUTED, Standing.DISAGREEMENT)

    @property
    def open(self) -> bool:
        """Whether it is inconclusive, or something broke down."""
        return self.standing in (Standing.UNKNOWN, Standing.ERROR)


@dataclass(frozen=True)
class Finding:
    """A failure to show, as small as it could be made, by the meaning or by a relation or law that was violated."""

    stage: str
    detector: str
    by: str
    kind: Kind
    detail: str
    case: AnyCase
    verdict: Verdict | None  # None if it was not looked at again, or did not fail again
    remark: str = ""  # how it was noticed, where that is more than `by`
    regression: str = ""  # the file that keeps it; "" if there is none
    steady: bool = True  # whether it fails in the same way in a process that has judged nothing before


@dataclass(frozen=True)
class Cases:
    """Numbered cases of one kind."""

    name: str
    make: Callable[[int], AnyCase]
    remark: Callable[[int], str]  # how a failure of the case with a number was noticed
    by: Callable[[int], str] = lambda number: MEANING
    relation: Callable[[int], str] | None = None  # besides the meaning, as in a campaign, which tells parts that fail
    small: bool = False  # whether they are as small as they get

    def outcomes(
        self, number: int, detectors: Mapping[str, Factory], *, seconds: float, apart: bool
    ) -> Iterator[Outcome]:
        """Put a case to each detector."""
        case = self.make(number)
        events = case.features.events
        if self.relation is None:
            by = self.by(number)
            meaning = cases_of(case.system).meaning(case) if by == MEANING else None
            for name, factory in detectors.items():
                verdict = judged_by(by, case, factory, seconds=seconds, meaning=meaning, apart=apart)
                yield Outcome(self.name, number, name, by, verdict, events=events)
            return
        relation = self.relation(number)
        judged = judge_case(case, detectors, relation=relation, seconds=seconds, apart=apart)
        faults = {(fault.detector, fault.relation): fault for fault in judged.faults}
        refused = dict(judged.refusals)  # what is refused is refused by both
        names = {MEANING: self.name} | ({relation: RELATION + relation} if relation else {})
        for detector, (by, name) in product(detectors, names.items()):
            passed = Verdict(None, "", judged.meaning.expected, refusal=refused.get(detector, ""))
            fault = faults.get((detector, by))
            verdict = passed if fault is None else Verdict(fault.kind, fault.detail, passed.expected)
            yield Outcome(name, number, detector, by, verdict, "" if fault is None else fault.path, events)


def given_cases(cases: Sequence[tuple[AnyCase, str]], name: str = "given cases") -> Cases:
    """Cases that somebody gives, each with a few words on where it is from."""
    return Cases(name, lambda number: cases[number][0], lambda number: cases[number][1])


def known_cases(known: Sequence[Regression], *, small: bool = True) -> Cases:
    """Everything that ever failed, shown as it is if `small`, and else made smaller for the detector at hand."""
    cases, relations = [one.case for one in known], [one.relation for one in known]
    remarks = [f"regression {one.name}, first failed by {one.detector}" for one in known]
    return Cases(STORED, cases.__getitem__, remarks.__getitem__, relations.__getitem__, small=small)


def law_cases(law: str, seed: int, system: str = DEFAULT_SYSTEM) -> Cases:
    """Instances of a law by its name, both sides of which have the same detections."""
    of_system = cases_of(system)
    said = f"{law}, {of_system.laws()[law]}"
    return Cases(law, lambda number: of_system.law_case(law, seed, number), lambda _: said, lambda _: law)


def random_cases(seed: int, relation: str = "", system: str = DEFAULT_SYSTEM) -> Cases:
    """Random cases of the usual sizes, judged by the semantics, or by a relation."""
    name, by = (f"{RELATION}{relation}", relation) if relation else (RANDOM, MEANING)
    of_system = cases_of(system)
    usual = {name: weight for name, weight in of_system.PROFILES.items() if name not in of_system.LONG}
    make = of_system.maker(seed, usual, NO_CORPUS, 0)
    return Cases(name, make, lambda number: f"case {number} of seed {seed}", lambda _: by)


def campaign_cases(settings: Settings) -> Cases:
    """The cases of a campaign, judged by the semantics and by a relation for each."""
    make: Any = maker_of(settings)
    return Cases(RANDOM, make, lambda number: f"case {number}", relation=lambda number: relation_of(settings, number))


@dataclass
class Engine:
    """Detectors to which cases are put, and everything that was found wrong with them: small, stored, each once.

    Those that are `apart` run in processes of their own, so that one that ends or blocks its process is found out, and
    a failure counts as steady that comes again in fresh ones.
    """

    detectors: Mapping[str, Factory]
    seconds: float = TIME_LIMIT
    clock: Clock = field(default_factory=lambda: Clock(None))  # what is left of a budget
    keep: Path | None = None  # the folder that receives new failures
    apart: bool = False
    findings: list[Finding] = field(default_factory=list)
    most: int = 0  # No case that was judged has had more events

    def __post_init__(self) -> None:
        """Give each case the time that the form of a program asks for."""
        self.seconds = max([self.seconds, *(form.seconds for form in self.forms())])

    def forms(self) -> list[Form]:
        """The forms of the detectors that are programs."""
        return [one.program.form for one in self.detectors.values() if hasattr(one, "program")]

    def add(self, finding: Finding) -> None:
        """Keep a failure, unless the same one is there."""
        subjects = [(one.detector, one.by, one.case.text, one.case.trace_text) for one in (finding, *self.findings)]
        if subjects[0] not in subjects[1:]:
            self.findings.append(finding)

    def of_campaign(self, failure: Failure) -> None:
        """Keep a failure that a campaign has looked at again."""
        (case, verdict), cause = failure.smallest, failure.cause
        steady, said = failure.reproduced or cause.kind in BLOCKING, f"case {failure.case.number}"
        base = Finding(
            "campaign", cause.detector, cause.relation, cause.kind, failure.detail, case, None, said, steady=steady
        )
        self.add(self._kept(base, case, verdict) if failure.is_kept else base)

    def put(
        self,
        stage: str,
        kinds: Sequence[Cases],
        places: Iterable[int],
        *,
        names: Sequence[str] = (),
        until: float = inf,
        stop_after: int | None = None,
        progress: Callable[[int], None] = lambda cases: None,
    ) -> list[Check]:
        """Put cases to all detectors: the places in the sequence that takes one case of each kind in turn.

        Args:
            names: what the checks are about, one for each of them and detector; by default the names of the kinds.
            until: when to stop, on the clock of `time.monotonic`.
            stop_after: after so many failures the rest is left out, and each of them is made small; None to go on for
                `AFTER_FAILURE` where there is a budget, and to make one of each cause small.
        """
        tally = Tally(stage, every=stop_after is not None)

        def work(some: Sequence[int], apart: bool) -> Iterator[tuple[Outcome, ...]]:
            for place in some:
                number, kind = divmod(place, len(kinds))
                found = kinds[kind].outcomes(number, self.detectors, seconds=self.seconds, apart=apart)
                # What was reported may be something that cannot leave its process.
                yield tuple(
                    one._replace(verdict=replace(one.verdict, detected=(), fed=None)) if self.apart else one
                    for one in found
                )

        done: Iterable[Sequence[tuple[Outcome, ...]]] = (list(work([place], False)) for place in places)
        if self.apart:
            done = rounds(work, places, until=until, seconds=self.seconds * len(self.detectors))
        of_name = {each.name: each for each in kinds}
        for rows in done:
            for outcome in tally.add(rows):
                self._examine(stage, of_name.get(outcome.name, kinds[0]), outcome)
                if self.clock.seconds is not None:
                    until = min(until, monotonic() + AFTER_FAILURE)
            self.most = max(self.most, tally.most)
            progress(tally.cases)
            if tally.failures >= (stop_after or inf) or tally.blocked or monotonic() > until:
                break
        return [tally.check(name, detector) for name in names or of_name for detector in self.detectors]

    def _ask(self, detector: str, by: str) -> Judge[AnyCase]:
        return partial(judged_by, by, factory=self.detectors[detector], seconds=self.seconds)

    def _examine(self, stage: str, cases: Cases, outcome: Outcome) -> None:
        """Keep a failure, as small as it can be made in the time that there is."""
        _, number, detector, by, verdict, *_ = outcome
        case, kind = cases.make(number), verdict.kind
        assert kind is not None  # it is a failure
        seen = None if self.apart else verdict
        base = Finding(stage, detector, by, kind, verdict.detail, case, seen, cases.remark(number))
        found = replace(base, verdict=None, steady=kind in BLOCKING)
        is_law = by != MEANING and by not in cases_of(case.system).RELATIONS
        with suppress(OutOfTime):
            if cases.small and self.apart and kind not in BLOCKING:
                again = judgements.again_and_again(case, kind, self._ask(detector, by), seconds=self.seconds)
                if again.kind is kind:
                    found = replace(base, verdict=again)
            elif cases.small or not self._is_worth_while(base, is_law):
                found = base
            elif small := self._small(detector, by, case, verdict):
                found = self._of_law(base, small) if is_law else self._kept(base, small.case, small.verdict)
        self.add(found)

    def _is_worth_while(self, base: Finding, is_law: bool) -> bool:
        """Whether there is time to make a failure small; whatever the time, one of each detector is looked at."""
        if base.kind is Kind.TIMEOUT or (base.kind in BLOCKING and (is_law or not self.apart)):
            return False  # each judgement of a smaller case may take as long
        shown = {finding.detector for finding in self.findings if finding.verdict is not None}
        return self.clock.left > 0 or base.detector not in shown

    def _of_law(self, base: Finding, found: Minimised[AnyCase]) -> Finding:
        """A law that a detector violates: shown is the side that is wrong by the semantics, if there is one."""
        system, verdict = cases_of(found.case.system), found.verdict
        assert verdict.kind is not None  # only failures are made small
        compared = system.compared(base.by, found.case)
        sides = (found.case,) if compared is None else compared[:2]
        told = "" if compared is None else sides_told(sides[0].text, sides[-1].text, verdict)
        detail, ask = told or verdict.detail, self._ask(base.detector, MEANING)
        if self.apart:
            ask = partial(judgements.afresh, ask=ask, seconds=self.seconds)
        wrong = next(((side, seen) for side in sides if (seen := ask(side)).kind is not None), None)
        one = None if wrong is None else self._small(base.detector, MEANING, *wrong)
        if wrong is None or one is None:
            return replace(base, kind=verdict.kind, detail=detail, case=found.case, verdict=verdict)
        said = f"{base.by}, {system.laws()[base.by]}, is violated on {found.case.trace_text}: {detail}"
        said += f"; by the semantics it is wrong for {wrong[0].text}" if told else ""
        return self._kept(replace(base, by=MEANING, remark=said), one.case, one.verdict)

    def _small(self, detector: str, by: str, case: AnyCase, failed: Verdict) -> Minimised[AnyCase] | None:
        if not self.apart:
            return minimise(case, failed, self._ask(detector, by))
        patience, factory = max(min(self.clock.left, EXAMINATION), AT_LEAST), self.detectors[detector]
        work = partial(judgements.made_small, by, case, failed, factory, seconds=self.seconds, longest=patience)
        # Such failures are looked at by fewer judgements, each of which may take very long.
        found = isolated(work, seconds=patience) if failed.kind in BLOCKING else work()
        if isinstance(found, Lost) or found[0].kind is not failed.kind:
            return None
        return found[1] or Minimised(case, found[0], 0, complete=False)

    def _kept(self, base: Finding, case: AnyCase, verdict: Verdict) -> Finding:
        """The finding with a small case in its place, which is stored, unless it is one of the project's own."""
        assert verdict.kind is not None  # only failures are made small
        regression = Regression(case, base.by, base.detector, verdict.kind.value, verdict.detail)
        file = ""
        if self.keep is not None and regression.name not in _own():
            store(self.keep, [regression])
            file = str(self.keep / f"{regression.name}.json")
        detail = verdict.detail or base.detail
        return replace(base, kind=verdict.kind, detail=detail, case=case, verdict=verdict, regression=file)


@cache
def _own() -> frozenset[str]:
    return frozenset(one.name for one in own_regressions())


def failed_text(kinds: Sequence[Kind], cases: int) -> str:
    """How many of some cases failed, and how many were not finished."""
    slow = sum(kind is Kind.TIMEOUT for kind in kinds)
    told = [(len(kinds) - slow, "failed"), (slow, "were not finished")]
    return " and ".join(f"{number:,} of {cases:,} cases {word}" for number, word in told if number)


def none_taken(refused: int, reason: str = "") -> str:
    """The words about a detector that refused every case."""
    return f"the detector took none of {refused:,} cases{': ' if reason else ''}{reason}"


class Tally:
    """The outcomes of a stage, counted; `every` failure is worth a closer look, or some of each detector."""

    def __init__(self, stage: str, *, every: bool = False) -> None:
        self._stage, self._every = stage, every
        self._counts = defaultdict[tuple[str, str], Counter[str]](Counter)
        self._refusals = defaultdict[tuple[str, str], Counter[str]](Counter)
        self._failed = defaultdict[tuple[str, str], list[tuple[Kind, str]]](list)
        self._causes = set[tuple[object, ...]]()
        self._asked = Counter[str]()
        self.cases = self.failures = self.most = 0
        self.blocked = False

    def add(self, rows: Sequence[Sequence[Outcome]]) -> Iterator[Outcome]:
        """Count what came of some cases; gives the failures that are worth a closer look."""
        self.cases += len(rows)
        for outcome in chain.from_iterable(rows):
            key, verdict = (outcome.name, outcome.detector), outcome.verdict
            self.most = max(self.most, outcome.events if verdict.ok else 0)
            self._counts[key].update(tried=int(not verdict.refused), vacuous=int(verdict.ok and verdict.vacuous))
            if verdict.refused:
                self._refusals[key][verdict.refusal] += 1
            if verdict.kind is None:
                continue
            self.blocked |= verdict.kind in BLOCKING
            self.failures += 1
            self._failed[key].append((verdict.kind, verdict.detail))
            cause = (*key, outcome.path, verdict.kind) if outcome.path else key
            if self._every or (cause not in self._causes and self._asked[outcome.detector] < EXAMINED):
                self._asked[outcome.detector] += 1
                yield outcome
            self._causes.add(cause)

    def check(self, name: str, detector: str) -> Check:
        """The check of the cases of a name."""
        key = name, detector
        failed, refusals = self._failed[key], self._refusals[key]
        tried, vacuous, refused = self._counts[key]["tried"], self._counts[key]["vacuous"], refusals.total()
        reason = refusals.most_common(1)[0][0] if refused else ""
        kinds = [kind for kind, _ in failed]
        standing: Standing | None = standing_of(kinds)
        said = f"in {vacuous} of them nothing was to be detected" if vacuous else ""
        if failed:
            first = next((detail for kind, detail in failed if kind is not Kind.TIMEOUT), failed[0][1])
            said = f"{failed_text(kinds, tried)}: {first}"
        elif not tried and refused:
            standing, said = ((Standing.UNKNOWN if name in (RANDOM, STORED) else None), none_taken(refused, reason))
        elif not tried and name.startswith(RELATION):
            standing, said = None, f"not one of {self.cases:,} cases has it"
        elif not tried:
            # After a failure the answer is known; before one, a law without a case is a gap.
            standing = None if self.failures else Standing.UNKNOWN
            said = AFTER_A_FAILURE if self.failures else TOO_SHORT
        return Check(self._stage, name, detector, standing, tried, said, refused, reason, len(failed))


def sides_told(left: str, right: str, verdict: Verdict) -> str:
    """Where two sides of a law first differ, the left of which reports what is expected; "" if they do not."""

    def span(interval: Interval | None) -> str:
        return "nothing" if interval is None else f"[{interval.start}, {interval.end}]"

    first = {interval.end: interval for interval in verdict.expected}
    second = {report.end: Interval(report.start, report.end) for report in verdict.detected}
    for now in sorted(first.keys() | second.keys()):
        if first.get(now) != second.get(now):
            return f"at {now} it reports {span(first.get(now))} for {left}, and {span(second.get(now))} for {right}"
    return ""
