"""Documents about detectors judged by cases: campaigns, regressions, mutants, gates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from reports.documents.values import Count, Document, Intervals, M, Record, Row, System, Value, Word


class Share(Value):
    """Some of the cases of a campaign."""

    cases: Count
    vacuous: Annotated[Count, M("In how many of them there is nothing to detect.")]
    failures: Count
    refused: Annotated[Count, M("How many of them a detector did not take: neither passed nor failed.")]


class Compared(Value):
    """The case in which what follows from the reports on the first one is due; only by a relation or a law."""

    expression: str
    trace: tuple[Row, ...]
    said: Annotated[str, M("How it comes from the first case.")]
    system: System = ""


class Original(Value):
    """The case before it was made small."""

    expression: str
    occurrences: Annotated[Count, M("How many occurrences its trace has.")]
    detail: str = ""


class FailedCase(Value):
    """A case that a detector failed, made small where that was possible."""

    detector: str
    kind: str
    expression: str
    trace: tuple[Row, ...]
    expected: Annotated[Intervals, M("What had to be detected.")]
    detected: Intervals
    case: Annotated[Count | None, M("Its number in the campaign.")] = None
    regression: Annotated[str, M("Of a stored regression: the name of its file.")] = ""
    relation: Annotated[str, M("What was violated: `meaning`, or a relation between traces.")] = ""
    path: str = ""
    detail: str = ""
    reproduced: Annotated[bool, M("Whether it failed in the same way when it was looked at again.")] = False
    compared: Compared | None = None
    original: Annotated[Original | None, M("The case before it was made small.")] = None
    replay: Annotated[str, M("The command that judges the original case again.")] = ""
    system: System = ""


class Cause(Value):
    """What failures have in common."""

    detector: str
    relation: str
    path: str
    kind: str
    cases: Count
    first: Annotated[Count, M("The number of the first of them.")]
    detail: str = ""


class Regressions(Value):
    """What became of the stored regressions."""

    tried: Count
    failures: tuple[FailedCase, ...]


class TextCheck(Value):
    detector: str
    standing: Word
    tried: Count
    refuted: Count
    detail: Annotated[str, M("How many are validated, and why the first of the others is not.")]


class Campaign(Value):
    """What a campaign of random cases found."""

    seed: Count
    cases: Count
    failed: Annotated[Count, M("How many cases a detector failed.")]
    judgements: Annotated[Count, M("How many judgements, one or two for each case and detector.")] = 0
    vacuous: Annotated[Count, M("In how many there was nothing to detect.")] = 0
    refused: Annotated[Count, M("How many a detector did not take.")] = 0
    literal: Annotated[Count, M("How many were also judged by the list of all instances.")] = 0
    kinds: Annotated[Mapping[str, int], M("How many judgements were failed in each way.")] = {}
    judged_now: Annotated[Count, M("How many cases were judged in this run.")] = 0
    seconds: float = 0.0
    cases_per_second: Annotated[float, M("Cases in a second of this run.")] = 0.0
    spark: str = ""
    master: str = ""
    detectors: Mapping[str, Share] = {}
    relations: Annotated[Mapping[str, int], M("On how many cases each relation was tried.")] = {}
    operators: Annotated[Mapping[str, int], M("In how many cases each operator occurs.")] = {}
    profiles: Annotated[Mapping[str, Share], M("The cases by the profile that they were made with.")] = {}
    causes: Annotated[tuple[Cause, ...], M("What failures have in common, the most frequent first.")] = ()
    failures: tuple[FailedCase, ...] = ()
    regressions: Annotated[Regressions | None, M("What became of the stored regressions.")] = None
    error: Annotated[str, M("Why it did not run; then there is little else.")] = ""
    texts: tuple[TextCheck, ...] = ()


class Death(Value):
    case: Count
    kind: str
    detail: str


class Power(Value):
    """How many wrong detectors the cases of a campaign find."""

    seed: Count
    cases: Count
    mutants: Annotated[Count, M("How many wrong detectors there are.")]
    killed: Annotated[Count, M("How many of them were found.")]
    median: Annotated[Count | None, M("So many cases find half of those that are found; null if none is.")]
    worst: Annotated[Count | None, M("So many cases find all that are found; null if none is.")]
    curve: Annotated[Intervals, M("Pairs of a number of cases and how many wrong detectors these find.")]
    deaths: Annotated[Mapping[str, Death], M("By name, the first case that finds a wrong detector.")]
    survivors: Annotated[tuple[str, ...], M("The names of those that were not found.")]
    altered: Annotated[Mapping[str, str], M("By name, the detector that a wrong one was made from.")] = {}


class CampaignResult(Campaign, tag_field="schema", tag="remora/campaign-result/3"):
    """What a campaign found in this run."""

    written: ClassVar[str] = "remora campaign run --format json, remora campaign resume --format json"

    standing: Word = "unknown"


class PowerFound(Power, tag_field="schema", tag="remora/power/1"):
    """How many wrong detectors the cases of a campaign find."""

    written: ClassVar[str] = "remora campaign power --format json"


class Minimised(Value):
    """The case made small; null if that was not possible."""

    expression: str
    trace: str
    detail: str
    judgements: Annotated[Count, M("How many smaller cases were tried.")]
    complete: Annotated[bool, M("Whether nothing was left to try.")]


class Example(Value):
    case: Annotated[Count, M("Its number in the campaign.")]
    detector: str
    relation: Annotated[str, M("What was violated: `meaning`, or a relation between traces.")]
    path: str
    kind: str
    detail: str
    expression: str
    trace: str
    reproduced: Annotated[bool, M("Whether it failed in the same way when it was looked at again.")]
    minimised: Annotated[Minimised | None, M("The case made small; null if that was not possible.")]


class RegressionFailed(Value):
    regression: str
    detector: str
    relation: str
    expression: str
    trace: str
    detail: str
    kind: str | None


class RegressionsSummary(Value):
    """What became of the stored regressions."""

    tried: Count
    refused: Annotated[Count, M("How many judgements of them a detector refused.")]
    failures: tuple[RegressionFailed, ...]


class CampaignSummary(Document, tag="remora/campaign-summary/3"):
    """The results of a finished campaign; all but speed and `regressions` depend on the settings alone."""

    written: ClassVar[str] = "remora campaign show --format json, summary.json"

    campaign: Annotated[str, M("The campaign's id.")]
    settings: Record
    ok: Annotated[bool, M("Whether no detector failed, neither a case nor a stored regression.")]
    cases: Count
    vacuous: Annotated[Count, M("In how many of them there is nothing to detect.")]
    failures: Count
    refused: Annotated[Count, M("How many of them a detector did not take: neither passed nor failed.")]
    judgements: Annotated[Count, M("How many judgements, one or two for each case and detector.")]
    literal: Annotated[Count, M("How many were also judged by the list of all instances.")]
    kinds: Annotated[Mapping[str, int], M("How many judgements were failed in each way.")]
    detectors: Mapping[str, Share]
    relations: Annotated[Mapping[str, int], M("On how many cases each relation was tried.")]
    operators: Annotated[Mapping[str, Share], M("The cases in whose expressions an operator occurs.")]
    profiles: Annotated[Mapping[str, Share], M("The cases by the profile that they were made with.")]
    causes: Annotated[tuple[Cause, ...], M("What failures have in common, the most frequent first.")]
    examples: Annotated[tuple[Example, ...], M("One example of each of the first causes.")]
    regressions: Annotated[RegressionsSummary, M("What became of the stored regressions.")]
    judged_now: Annotated[Count, M("How many cases were judged in this run; the others were there before.")]
    seconds: float
    cases_per_second: Annotated[float, M("Cases in a second of this run.")]


class ReplayFailure(Value):
    detector: str
    relation: str
    kind: str
    detail: str
    path: str


class Replay(Document, tag="remora/replay/2"):
    """One case of a campaign judged again."""

    written: ClassVar[str] = "remora campaign replay --format json"

    case: Count
    seed: Count
    profile: Annotated[str, M("With which profile it was made.")]
    relation: Annotated[str, M("The relation that was tried besides; empty if none applies.")]
    ok: Annotated[bool, M("Whether no detector failed or refused it.")]
    failures: tuple[ReplayFailure, ...]
    refusals: Annotated[Mapping[str, str], M("The detectors that did not take it, with their reasons.")]
    expression: str
    trace: tuple[Row, ...]
    expected: Annotated[Intervals, M("What had to be detected.")]
    detected: Annotated[Mapping[str, Intervals], M("By detector, what was detected.")]
    system: System = ""


class Regression(Document, tag="remora/regression/1"):
    """A case that a detector once failed; it is tried first from then on."""

    written: ClassVar[str] = "regressions/*.json"

    expression: str
    trace: tuple[Row, ...]
    relation: str
    detector: str
    kind: str
    detail: str
    found: Annotated[Mapping[str, int], M("The `seed` and the `case` with which it was found.")]
    system: System = ""


class Mutant(Value):
    name: Annotated[str, M("Its name; `mutant:` before it makes it the name of a detector.")]
    description: Annotated[str, M("What is wrong, in one sentence.")]


class Mutants(Document, tag="remora/mutants/1"):
    """The wrong detectors that a campaign can be tried on."""

    written: ClassVar[str] = "remora campaign power --list --format json"

    mutants: tuple[Mutant, ...]


class Code(Value):
    """Which code of Remora judged, where it ran from a git checkout."""

    commit: Annotated[str, M("The checked-out commit, as git names it.")]
    changed: Annotated[bool, M("Whether the packages of Remora differ from that commit.")]


class GateCheck(Value):
    stage: str
    name: Annotated[str, M("What it is about: a law, a lemma, a relation, a set of cases.")]
    detector: str
    standing: Word | Literal["skipped"]
    tried: Count
    detail: str
    refused: Annotated[Count, M("How many cases the detector did not take.")] = 0
    reason: str = ""


class GateFailure(FailedCase):
    """A failure that a gate found, as small as it could be made."""

    stage: Annotated[str, M("Where it was found.")] = ""
    by: Annotated[str, M("What was violated: `meaning`, a relation or a law.")] = ""
    remark: Annotated[str, M("How it was noticed.")] = ""
    steady: Annotated[bool, M("Whether it fails likewise in a fresh process; only then it is stored.")] = (
        False
    )


class Gate(Document, tag="remora/gate/1"):
    """The outcome of a gate: may a change of a detector go in?"""

    written: ClassVar[str] = "remora gate --format json, gate.json"

    remora: str
    exit_status: Count
    green: Annotated[bool, M("Whether it may: the exit status is 0.")]
    summary: str
    detectors: Annotated[tuple[str, ...], M("The detectors that were judged.")]
    seed: Count
    budget: Annotated[float | None, M("How long it was allowed to take, in seconds.")]
    cases: Count
    seconds: float
    stages: Annotated[tuple[Record, ...], M("Each with `name` and `seconds`.")]
    checks: Annotated[tuple[GateCheck, ...], M("Everything that was looked at, and what was skipped.")]
    failures: tuple[GateFailure, ...]
    repeat: Annotated[str, M("The command that goes through the same cases again.")]
    code: Annotated[Code | None, M("Which code of Remora judged, where it ran from a git checkout.")] = None
