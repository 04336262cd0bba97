"""The results of judging detectors: outcomes of cases, checks, findings, and the result of a gate."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from campaigns.judging.verdicts import TIME_LIMIT, Kind, Verdict
from campaigns.systems import AnyCase, cases_of
from laws.standings import ExitStatus, Standing, exit_status
from semantics.systems import DEFAULT_SYSTEM


@dataclass(frozen=True)
class Request:
    """What is asked of the gate.

    Attributes:
        regressions: the folder whose regressions are tried first and that receives new ones.
        budget: how long it may take, in seconds; None where a number of cases is given.
        cases: how many cases the campaign has; None where time decides.
        master: the Spark master on which the campaign runs; None for this machine without Spark.
        logs: cases of somebody's own logs, each with a few words on where it is from.
        log_words: the options that name these logs.
    """

    detectors: tuple[str, ...]
    regressions: Path
    seed: int = 0
    budget: float | None = 120.0
    cases: int | None = None
    master: str | None = None
    search_path: tuple[str, ...] = ()
    seconds: float = TIME_LIMIT
    system: str = DEFAULT_SYSTEM
    logs: tuple[tuple[AnyCase, str], ...] = ()
    log_words: tuple[str, ...] = ()


class Outcome(NamedTuple):
    """What came of one case for one detector.

    Attributes:
        by: the relation or law by which it was judged, or `campaigns.judging.judgements.MEANING`.
        kind: how it failed; None if it did not.
        detail: the failure, or why the detector refuses, in one sentence.
        path: the operators of the smallest subexpression that fails in the same way; "" where nobody looked for them.
    """

    name: str
    number: int
    detector: str
    by: str
    kind: Kind | None
    detail: str
    refused: bool = False
    vacuous: bool = False
    path: str = ""
    verdict: Verdict | None = None


@dataclass(frozen=True)
class Check:
    """One thing that was looked at.

    Attributes:
        name: what it is about: the id of a law or lemma, a relation, the name of a set.
        detector: the detector; several names where they share what is proved; "" for none.
        standing: how it stands; None if it was not looked at.
        tried: how many cases there were, without those that the detector refused.
    """

    stage: str
    name: str
    detector: str
    standing: Standing | None
    tried: int = 0
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
    """A failure to show, as small as it could be made.

    Attributes:
        by: the relation or law that was violated, or `campaigns.judging.verdicts.MEANING`.
        verdict: what had to be detected and what was; None if it was not looked at again, or did not fail again.
        remark: how it was noticed, where that is more than `by`.
        regression: the file that keeps it; "" if there is none.
        steady: whether it fails in the same way in a process that has judged nothing before, as far as it was tried.
    """

    stage: str
    detector: str
    by: str
    kind: Kind
    detail: str
    case: AnyCase
    verdict: Verdict | None
    remark: str = ""
    regression: str = ""
    steady: bool = True

    @property
    def subject(self) -> Hashable:
        """What two findings have in common that say the same."""
        return self.detector, self.by, self.case.text, self.case.trace_text


@dataclass
class GateResult:
    """The outcome of a gate.

    Attributes:
        code: which code of Remora judged: `remora.api.provenance.checkout`; None where that is not known.
    """

    request: Request
    checks: list[Check] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    cases: int = 0
    stages: list[tuple[str, float]] = field(default_factory=list)
    seconds: float = 0.0
    code: Mapping[str, Any] | None = None

    @property
    def status(self) -> ExitStatus:
        """How the gate ends; it is green on `AS_CLAIMED` alone."""
        return exit_status(check.standing for check in self.checks if check.standing is not None)

    @property
    def not_reached(self) -> list[Check]:
        """What was not looked at."""
        return [check for check in self.checks if check.standing is None]

    def wrong(self) -> list[str]:
        """The detectors that failed something, each once."""
        return list(dict.fromkeys(check.detector for check in self.checks if check.wrong))

    def smallest_first(self) -> list[Finding]:
        """The failures, those that could be looked at first, and of these the smallest."""
        measure = cases_of(self.request.system).measure
        return sorted(self.findings, key=lambda finding: (finding.verdict is None, measure(finding.case)))

    def open(self) -> list[Check]:
        """What is inconclusive, or went wrong."""
        return [check for check in self.checks if check.open]

    def summary(self) -> str:
        """The verdict in one sentence."""
        names = ", ".join(self.request.detectors)
        match self.status:
            case ExitStatus.AS_CLAIMED:
                return f"May go in: nothing was found against {names}."
            case ExitStatus.REFUTED:
                return f"May not go in: {', '.join(self.wrong())} failed."
            case ExitStatus.DISAGREEMENT:
                return "May not go in: the judges disagree with each other about a case."
            case ExitStatus.INFRASTRUCTURE:
                return f"No answer: {self.open()[0].detail}."
            case _:
                said = next((self._opened(check) for check in self.open()), "nothing was looked at")
                return f"No answer, which is not a yes: {said}."

    @staticmethod
    def _opened(check: Check) -> str:
        subject = f"{check.name} of {check.detector}: " if check.detector else ""
        return subject + (check.detail.partition(";")[0] or "unknown")
