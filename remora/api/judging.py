"""Judgement of a detector in this process, without Spark: stored failures, laws and random cases put to it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.protocol_check import require_protocol
from campaigns.carlson_lisper.rewriting import equations
from campaigns.carlson_lisper.system import measure
from campaigns.engine import findings
from campaigns.engine.findings import RANDOM, Cases, Engine
from campaigns.judging.regressions import own_regressions
from campaigns.judging.verdicts import TIME_LIMIT, Kind, Verdict, standing_of
from laws.standings import Standing
from remora.api.arguments import brief, require_seed, require_whole, several
from remora.api.campaigning import judged_case_data
from remora.api.cards import Card, Shown
from remora.api.detecting.detection import DetectorLike, named_factory
from remora.api.detecting.traces import Trace, TraceLike, as_trace
from remora.api.patterns.patterns import PatternLike, as_pattern
from reports.drawing.layout import Timeline
from reports.page import Table, standing
from reports.systems import failure_timeline
from semantics.carlson_lisper.expressions import Expression
from semantics.errors import InputError
from semantics.events import Interval
from semantics.systems import DEFAULT_SYSTEM

CASES = 500  # So many random cases, by default
EXAMINED = 3  # After so many failures of one part the rest of it is left out: the answer is known


@dataclass(frozen=True, repr=False)
class Failure(Shown):
    """A case that a detector fails, as small as it could be made, and what found it, in words."""

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
        """Expected and detected instances."""
        data = judged_case_data(self.case, self.verdict)
        return failure_timeline({**data, "detector": self.detector, "kind": self.kind})

    def card(self) -> Card:
        """The failure, drawn."""
        reached = standing_of([Kind(self.kind)])
        words = "is not finished" if reached is Standing.UNKNOWN else f"is wrong: {self.kind}"
        mark = standing(reached.value)._replace(word=f"{self.detector} {words}")
        return Card("", mark, (self.detail,), blocks=(self.timeline(),), notes=(f"found by {self.found_by}",))


@dataclass(frozen=True)
class Part:
    """One kind of cases that was put to a detector; `refused` is how many of them it does not take."""

    name: str
    cases: int
    failed: int
    refused: int


@dataclass(frozen=True, repr=False)
class Judgement(Shown):
    """Judgement of a detector, true as a condition where some cases were judged and none was failed.

    Its `parts` are what was put to it, its `failures` what it failed, the smallest cases first.
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
        """Refuted, tested, or unknown where no case was taken or one not finished; a disagreement of the judges."""
        reached = standing_of(Kind(failure.kind) for failure in self.failures)
        return Standing.UNKNOWN if reached is Standing.TESTED and not self.cases else reached

    def __bool__(self) -> bool:
        return self.standing is Standing.TESTED

    def card(self) -> Card:
        """Cases that were put to it, and the smallest failure."""
        mark, smallest = standing(self.standing.value), self.failures[:1]
        words = {
            Standing.REFUTED: "wrong",
            Standing.TESTED: f"no failure among {self.cases:,} cases, which is no proof",
            Standing.UNKNOWN: "not finished" if self.failures else "not one case was judged",
        }.get(self.standing, mark.word)
        rows = tuple((part.name, f"{part.cases:,}", f"{part.failed:,}", f"{part.refused:,}") for part in self.parts)
        columns = ("put to it", "cases", "failed", "refused")
        notes = [f"{len(self.failures) - 1} more in .failures"] if len(self.failures) > 1 else []
        if any(part.failed >= EXAMINED for part in self.parts):
            notes.append(f"after {EXAMINED} failures the rest of a kind of cases was left out")
        return Card(
            "",
            mark._replace(word=f"{self.detector}: {words}"),
            tuple(f"{failure.detail} ({failure.found_by})" for failure in smallest),
            blocks=(*(failure.timeline() for failure in smallest), Table(columns, rows, columns[1:])),
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
        seconds: how long the detector may take for one trace.

    Raises:
        InputError: a pattern, a trace or the detector cannot be used.
    """
    require_whole("cases", cases, 0)
    require_seed(seed)
    if not isinstance(seconds, int | float) or not seconds > 0:
        raise InputError(f"seconds={brief(seconds)} is no time for a trace", remedy="Give more than 0.")
    if isinstance(detector, str):
        from campaigns.carlson_lisper.loading import any_factory

        name, factory = detector, any_factory(detector, [str(Path.cwd())])
        require_protocol({name: factory})
    else:
        name, factory = named_factory(detector)
    engine = Engine({name: factory}, seconds=seconds)
    given, stored = _given(on, seed), own_regressions(DEFAULT_SYSTEM) if regressions else []
    of_laws = [findings.law_cases(law.id, seed) for law in equations()] if laws and cases else []
    kinds: dict[str, tuple[Sequence[Cases], int]] = {
        "your cases": ([findings.given_cases(given)], len(given)),
        "stored failures": ([findings.known_cases(stored, small=False)], len(stored)),
        "laws": (of_laws, max(len(of_laws), cases // max(1, len(of_laws)) * len(of_laws))),
        RANDOM: ([findings.random_cases(seed)], cases),
    }
    parts, failures = [], []
    for title, (some, number) in kinds.items():
        if number:
            checks = engine.put(title, some, range(number), stop_after=EXAMINED)
            refused, failed = sum(check.refused for check in checks), sum(check.failed for check in checks)
            parts.append(Part(title, sum(check.tried for check in checks) + refused, failed, refused))
    for found in sorted(engine.findings, key=lambda finding: measure(finding.case)):
        kind, verdict = found.kind.value, found.verdict or Verdict(found.kind, found.detail, ())
        failures.append(Failure(found.detector, kind, found.detail, found.case, verdict, found.remark))
    return Judgement(name, tuple(parts), tuple(failures), seed)


def _given(given: object, seed: int) -> list[tuple[Case, str]]:
    """Cases of patterns with their traces, and what each is."""
    example = '[("a ; b", {"a": [1], "b": [3]})]'
    found = []
    for number, pair in enumerate(several("on", given, example), 1):
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            reason = f"on: number {number}, {brief(pair)}, is no pair of a pattern and a trace"
            raise InputError(reason, remedy=f"Write on={example}.")
        pattern, trace = as_pattern(pair[0]), as_trace(pair[1], {})
        told = f"{pattern} on {trace.name or 'the trace that was given'}"
        found.append((Case(seed, number, "given", pattern, tuple(trace.occurrences)), told))
    return found
