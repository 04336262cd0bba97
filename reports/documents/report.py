"""Documents of a verification: `remora/report/1`, and the comparison of two of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from msgspec import field

from reports.documents.campaigns import Campaign, Code
from reports.documents.patterns import ExplainedProfile, JudgedEngines, MaterializationPoint
from reports.documents.proofs import Claim, Definition
from reports.documents.values import Count, Document, M, Occurrence, Record, Value


class Environment(Value):
    """With what it was run."""

    python: str = ""
    platform: str = ""
    cores: Count = 0
    java: Annotated[str, M("The version of Java and where it is from.")] = ""
    packages: Annotated[Mapping[str, str], M("Versions of the packages that matter.")] = {}


class CommittedRecord(Value):
    """Whether the obligations are those of the committed record of proofs."""

    same: bool
    differences: tuple[str, ...]


class Evidence(Value):
    check: str
    about: str
    expected: str
    found: str
    as_claimed: Annotated[bool, M("Whether both are the same.")]


class Erratum(Value):
    id: str
    place: Annotated[str, M("Where it stands in the source.")]
    kind: str
    origin: Annotated[str, M("Whether a sign may have been lost when the source was read from paper.")]
    printed: str
    problem: str
    reading: Annotated[str, M("What makes it right; empty for what is right already.")]
    as_claimed: Annotated[bool, M("Whether all its evidence came out as it must.")]
    evidence: tuple[Evidence, ...]


class Wording(Value):
    place: str
    printed: str
    reading: str


class SolverShare(Value):
    solver: Annotated[str, M("The solver and its version.")]
    proofs: Count
    asked: Count
    seconds: float


class Disagreement(Value):
    id: str
    detail: str


class Solvers(Value):
    """What each solver was asked."""

    rows: tuple[SolverShare, ...]
    disagreements: Annotated[tuple[Disagreement, ...], M("Where two contradict each other.")]


class Check(Value):
    id: str
    ok: Annotated[bool, M("Whether it came out as it must.")]
    what: str = ""
    detail: str = ""


class Span(Value):
    begin: Annotated[str, M("The first time of the span.")] = field(name="from")
    to: str
    detections: Count


class KeyShare(Value):
    key: str
    detections: int


class FirstDetection(Value):
    begins: str
    ends: str
    instance: tuple[Occurrence, ...]
    trace: Annotated[
        tuple[Occurrence, ...], M("The occurrences in its interval of the event types of the pattern.")
    ]
    key: str = ""


class Detection(Value):
    expression: str
    trace: str
    events: Count
    detections: Count
    agree: Annotated[bool, M("Whether they are those of the meaning.")]
    detector: str = ""
    seconds: float = 0.0
    compared: Annotated[str, M("The part of the trace whose detections are compared with the meaning.")] = ""
    over_time: Annotated[tuple[Span, ...] | None, M("Of logs of the user: detections by spans of time.")] = (
        None
    )
    partitions: Annotated[Count, M("In how many partitions something is detected.")] = 0
    by_key: Annotated[tuple[KeyShare, ...], M("The partitions with the most detections.")] = ()
    first: Annotated[tuple[FirstDetection, ...], M("The first detections.")] = ()


class PatternVerified(Detection, tag_field="schema", tag="remora/pattern-verify/1"):
    """What is detected of a pattern in a log, compared with its meaning."""

    written: ClassVar[str] = "remora verify PATTERN LOG --format json"


class RulesPlan(Value):
    name: str
    program: str
    plan: Annotated[tuple[MaterializationPoint, ...], M("The materialization points.")]


class RulesFound(Value):
    """The second system: plans of rules, what engines store, and engines judged by random cases."""

    plans: Annotated[tuple[RulesPlan, ...], M("Programs with their plans.")]
    cases: JudgedEngines


class AtlasCounts(Value):
    family: Annotated[str, M("Whose settings they are.")]
    systems: Annotated[Count, M("How many settings there are.")]
    cells: Mapping[str, int]


class ProfilesFound(Value):
    """The third system: profiles of its source, the atlas, and the engine judged by random cases."""

    profiles: Annotated[tuple[ExplainedProfile, ...], M("The profiles of the source.")]
    atlas: Annotated[tuple[AtlasCounts, ...], M("How many cells of the committed atlas have which standing.")]
    cases: JudgedEngines


class Stage(Value):
    name: str
    seconds: float
    detail: str


class Verdict(Value):
    """The outcome of the whole run."""

    exit_status: Count
    summary: str
    counts: Annotated[Mapping[str, int], M("How many claims have which standing.")] = {}
    problems: tuple[str, ...] = ()


class Report(Document, tag="remora/report/1"):
    """Everything that a verification found; what a run left out is missing."""

    written: ClassVar[str] = "remora verify --format json, remora report --format json, report.json"

    remora: str
    seed: Count
    claims: tuple[Claim, ...]
    verdict: Annotated[Verdict, M("The outcome of the whole run.")]
    code: Annotated[Code | None, M("Which code was verified, where it ran from a git checkout.")] = None
    command: Annotated[str, M("The command that wrote it, and writes it again.")] = ""
    started: Annotated[str, M("When it began, in ISO 8601.")] = ""
    environment: Environment | None = None
    definitions: Annotated[tuple[Definition, ...], M("The operators as they are defined.")] = ()
    canaries: Annotated[tuple[Claim, ...], M("False claims, which must be refuted.")] = ()
    record: Annotated[CommittedRecord | None, M("Whether the obligations are those on record.")] = None
    errata: Annotated[tuple[Erratum, ...], M("What is wrong in the source or was in doubt.")] = ()
    wordings: Annotated[tuple[Wording, ...], M("Slips of language in the source.")] = ()
    solvers: Annotated[Solvers | None, M("What each solver was asked.")] = None
    checks: Annotated[tuple[Check, ...], M("Every checker was given something wrong.")] = ()
    detection: Annotated[tuple[Detection, ...], M("Patterns detected on traces.")] = ()
    rules: Annotated[RulesFound | None, M("The second system: plans of rules, what engines store.")] = None
    profiles: Annotated[ProfilesFound | None, M("The third system: the profiles of its source.")] = None
    campaign: Campaign | None = None
    power: Annotated[Record | None, M("How many wrong detectors are found, as in `remora/power/1`.")] = None
    throughput: Annotated[Record | None, M("Speeds beside other tools.")] = None
    seconds: float = 0.0
    stages: tuple[Stage, ...] = ()
    warnings: tuple[str, ...] = ()


class Circumstance(Value):
    name: str
    old: str
    new: str


class Difference(Value):
    kind: Literal["worse", "removed", "more work", "added", "better", "less work"]
    part: Annotated[str, M("The section of the report.")]
    name: str
    old: Annotated[str, M("How it was; empty for what was added.")]
    new: Annotated[str, M("How it is; empty for what was removed.")]
    about: Annotated[str, M("What it is, or by how much.")]


class Comparison(Document, tag="remora/comparison/1"):
    """What changed from one report to another."""

    written: ClassVar[str] = "remora report --compare --format json"

    exit_status: Count
    summary: str
    ratio: Annotated[float, M("Work has changed where it differs by this factor…")]
    least: Annotated[Count, M("…and by so many units of the solver's own count.")]
    circumstances: tuple[Circumstance, ...]
    differences: Annotated[tuple[Difference, ...], M("What changed, the worst first.")]
