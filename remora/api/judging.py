"""Is this detector right? Stored failures, laws and random cases put to it here, without Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, cast

from campaigns.carlson_lisper.cases import Case, generate
from campaigns.carlson_lisper.relations.rewriting import equations
from campaigns.carlson_lisper.relations.suite import examine_law, judge_law, law_case
from campaigns.carlson_lisper.system import measure
from campaigns.judging.judgements import judged_by
from campaigns.judging.minimise import minimise
from campaigns.judging.regressions import own_regressions
from campaigns.judging.verdicts import BLOCKING, MEANING, TIME_LIMIT, Kind, Verdict
from laws.carlson_lisper.claims import EquationClaim
from laws.standings import Standing
from remora.api.arguments import brief, require_seed, require_whole, several
from remora.api.cards import Card, Mark, Shown, Table, standing_mark
from remora.api.makers import DetectorLike, name_of, require_callable
from remora.api.patterns import PatternLike, as_pattern
from remora.api.traces import Trace, TraceLike, as_trace
from remora.judging.campaign_data import judged_case_data
from reports.layout import Timeline
from reports.systems import failure_timeline
from semantics.carlson_lisper.expressions import Expression
from semantics.errors import InputError
from semantics.events import Interval

if TYPE_CHECKING:
    from detectors.carlson_lisper.adapters import AnyFactory

CASES = 500
"""So many random cases, by default."""

EXAMINED = 3
"""After so many failures of one part the rest of it is left out: the answer is known."""

YOURS = "your cases"
REGRESSIONS = "stored failures"
LAWS = "laws"
RANDOM = "random cases"


@dataclass(frozen=True, repr=False)
class Failure(Shown):
    """A case that a detector fails, as small as it could be made.

    Attributes:
        detector: its name.
        kind: how it failed, in words.
        detail: the failure in one sentence.
        case: the pattern and the trace.
        verdict: what had to be detected, and what was.
        found_by: what found it, in words.
    """

    detector: str
    kind: str
    detail: str
    case: Case
    verdict: Verdict
    found_by: str

    @property
    def pattern(self) -> Expression:
        """The pattern."""
        return self.case.expression

    @property
    def trace(self) -> Trace:
        """The trace."""
        return Trace(self.case.occurrences)

    @property
    def expected(self) -> tuple[Interval, ...]:
        """The starts and ends that had to be detected, in ticks."""
        return self.verdict.expected

    @property
    def detected(self) -> tuple[Interval, ...]:
        """The starts and ends that were."""
        return tuple(Interval(each.start, each.end) for each in self.verdict.detected)

    def timeline(self) -> Timeline:
        """What was expected and what was detected."""
        data = judged_case_data(self.case, self.verdict)
        return failure_timeline({**data, "detector": self.detector, "kind": self.kind})

    def card(self) -> Card:
        """The failure, drawn."""
        mark = standing_mark("refuted")
        return Card(
            "",
            Mark(mark.symbol, f"{self.detector} is wrong: {self.kind}", mark.tone),
            (self.detail,),
            blocks=(self.timeline(),),
            notes=(f"found by {self.found_by}",),
        )


@dataclass(frozen=True)
class Part:
    """One kind of cases that was put to a detector.

    Attributes:
        name: what they are.
        cases: how many were judged.
        failed: how many of them it failed.
        refused: how many it does not take.
    """

    name: str
    cases: int
    failed: int
    refused: int


@dataclass(frozen=True, repr=False)
class Judgement(Shown):
    """What came of a detector.

    It is true as a condition where some cases were judged and none was failed.

    Attributes:
        detector: its name.
        parts: what was put to it.
        failures: what it failed, the smallest cases first.
        seed: the seed of the random cases.
    """

    detector: str
    parts: tuple[Part, ...]
    failures: tuple[Failure, ...]
    seed: int

    @property
    def cases(self) -> int:
        """How many cases were judged, refused ones left out."""
        return sum(part.cases - part.refused for part in self.parts)

    @property
    def standing(self) -> Standing:
        """Refuted, tested, or unknown where not one case was taken; an error where the judges disagree."""
        if any(failure.kind == Kind.DISAGREEMENT.value for failure in self.failures):
            return Standing.DISAGREEMENT
        if self.failures:
            return Standing.REFUTED
        return Standing.TESTED if self.cases else Standing.UNKNOWN

    def __bool__(self) -> bool:
        """Whether some cases were judged and none was failed."""
        return self.standing is Standing.TESTED

    def card(self) -> Card:
        """What was put to it, and the smallest failure."""
        mark = standing_mark(self.standing.value)
        count = "1 case" if self.cases == 1 else f"{self.cases:,} cases"
        words = {
            Standing.REFUTED: f"{self.detector} is wrong",
            Standing.TESTED: f"{self.detector}: no failure among {count}, which is no proof",
            Standing.UNKNOWN: f"{self.detector}: not one case was judged",
        }.get(self.standing, f"{self.detector}: {mark.words}")
        rows = tuple(
            (part.name, f"{part.cases:,}", f"{part.failed:,}", f"{part.refused:,}") for part in self.parts
        )
        columns = ("put to it", "cases", "failed", "refused")
        lines = [f"{failure.detail} ({failure.found_by})" for failure in self.failures[:1]]
        notes = [f"{len(self.failures) - 1} more in .failures"] if len(self.failures) > 1 else []
        if any(part.failed >= EXAMINED for part in self.parts):
            notes.append(f"after {EXAMINED} failures the rest of a kind of cases was left out")
        return Card(
            "",
            Mark(mark.symbol, words, mark.tone),
            tuple(lines),
            (),
            (
                *(failure.timeline() for failure in self.failures[:1]),
                Table(columns, rows, frozenset(columns[1:])),
            ),
            notes=tuple(notes),
        )


def judge(
    detector: DetectorLike,
    *,
    on: Iterable[tuple[PatternLike, TraceLike]] = (),
    cases: int = CASES,
    laws: bool = True,
    regressions: bool = True,
    seed: int = 0,
    seconds: float = TIME_LIMIT,
) -> Judgement:
    """Put a detector to cases of your own, to everything that ever failed, to every law and to random cases.

    What it reports is compared with the semantics: starts and ends exactly (Thm 4.5), each instance with the denotation
    (Def. 3.11). A detector that ends the process ends this one; `remora gate` keeps it apart.

    Args:
        detector: a class or function that makes one for a ground expression, or a name.
        on: patterns with the traces to try them on.
        cases: how many random cases; the laws together are tried on about as many.
        laws: whether every law is tried: both sides have the same detections.
        regressions: whether the failures that are stored in the project are tried.
        seed: the seed of the random cases.
        seconds: how long the detector may take for one trace.

    Raises:
        InputError: a pattern, a trace or the detector cannot be used.
    """
    require_whole("cases", cases, 0)
    require_seed(seed)
    if not isinstance(seconds, int | float) or not seconds > 0:
        raise InputError(f"seconds={brief(seconds)} is no time for a trace", remedy="Give more than 0.")
    name = detector if isinstance(detector, str) else name_of(require_callable(detector))
    judging = _Judging(name, _factory(detector), seed, seconds)
    given = _pairs(on)
    suites: dict[str, Iterator[_Try]] = {}
    if given:
        suites[YOURS] = judging.given(given)
    if regressions:
        suites[REGRESSIONS] = judging.regressions()
    if laws and cases:
        suites[LAWS] = judging.laws(cases)
    if cases:
        suites[RANDOM] = judging.random(cases)
    parts = tuple(judging.part(title, tries) for title, tries in suites.items())
    failures = sorted(judging.failures, key=lambda failure: measure(failure.case))
    return Judgement(name, parts, tuple(failures), seed)


def _pairs(given: object) -> list[tuple[Expression, Trace]]:
    """Patterns with their traces.

    Raises:
        InputError: they are something else; says which of them.
    """
    example = '[("a ; b", {"a": [1], "b": [3]})]'
    found = []
    for number, pair in enumerate(several("on", given, example), 1):
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise InputError(
                f"on: number {number}, {brief(pair)}, is no pair of a pattern and a trace",
                remedy=f"Write on={example}.",
            )
        found.append((as_pattern(pair[0]), as_trace(pair[1])))
    return found


def _factory(detector: DetectorLike) -> AnyFactory:
    if not isinstance(detector, str):
        return cast("AnyFactory", detector)
    from campaigns.carlson_lisper.loading import any_factory

    return any_factory(detector, [str(Path.cwd())])


_Try: TypeAlias = tuple[Verdict, Callable[[], Failure]]
"""The judgement of one case, and what makes the failure small, if it is one."""


class _Judging:
    """A detector and what it failed so far."""

    def __init__(self, name: str, factory: AnyFactory, seed: int, seconds: float) -> None:
        self.name = name
        self.factory = factory
        self.seed = seed
        self.seconds = seconds
        self.failures: list[Failure] = []

    def part(self, title: str, tries: Iterable[_Try]) -> Part:
        """Go through cases until a few are failed."""
        judged = failed = refused = 0
        for verdict, examined in tries:
            judged += 1
            refused += verdict.refused
            if verdict.kind is not None:
                failed += 1
                self.failures.append(examined())
                if failed == EXAMINED or verdict.kind in BLOCKING:
                    break
        return Part(title, judged, failed, refused)

    def given(self, pairs: Iterable[tuple[Expression, Trace]]) -> Iterator[_Try]:
        """Cases of the user's own."""
        for number, (pattern, trace) in enumerate(pairs):
            case = Case(self.seed, number, "given", pattern, trace.occurrences)
            yield self._tried(case, MEANING, f"{pattern} on {trace.name or 'the trace that was given'}")

    def regressions(self) -> Iterator[_Try]:
        """Everything that ever failed."""
        for one in own_regressions():
            yield self._tried(one.case, one.relation, f"a case that {one.detector} once failed")

    def random(self, cases: int) -> Iterator[_Try]:
        """Random cases."""
        for number in range(cases):
            case = generate(self.seed, number)
            yield self._tried(case, MEANING, f"random case {number} of seed {self.seed}")

    def laws(self, cases: int) -> Iterator[_Try]:
        """Every law in turn, on about so many cases together."""
        laws = equations()
        for number in range(max(1, cases // len(laws))):
            for law in laws:
                case = law_case(law, self.seed, number)
                verdict = judge_law(law, case, self.factory, seconds=self.seconds)
                yield verdict, partial(self._violated, law, case, verdict)

    def _tried(self, case: Case, relation: str, said: str) -> _Try:
        ask = partial(judged_by, relation, factory=self.factory, seconds=self.seconds)
        verdict = ask(case)
        return verdict, partial(self._small, case, verdict, ask, said)

    def _small(self, case: Case, verdict: Verdict, ask: Callable[[Case], Verdict], said: str) -> Failure:
        if verdict.kind not in BLOCKING:
            small = minimise(case, verdict, ask)
            case, verdict = small.case, small.verdict
        return self._failure(case, verdict, said)

    def _violated(self, law: EquationClaim, case: Case, verdict: Verdict) -> Failure:
        said = f"{law.id}, {law.statement}"
        if verdict.kind in BLOCKING:
            return self._failure(case, verdict, said)
        found = examine_law(law, case, self.factory, seconds=self.seconds)
        if found is None:
            return self._failure(case, verdict, f"{said}; it did not fail again")
        if found.wrong is None:
            return self._failure(found.case, found.verdict, said)
        return self._failure(found.wrong.case, found.wrong.verdict, said)

    def _failure(self, case: Case, verdict: Verdict, said: str) -> Failure:
        assert verdict.kind is not None  # only failures are examined
        return Failure(self.name, verdict.kind.value, verdict.detail, case, verdict, said)
