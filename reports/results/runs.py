"""Results of detectors on logs and in campaigns, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from reports.results.parts import Part, Record


@dataclass(frozen=True, slots=True)
class Span:
    """A span of time, and how many detections end in it; its start is `from` in the document."""

    begin: str = ""
    to: str = ""
    detections: int = 0


@dataclass(frozen=True, slots=True)
class KeyShare:
    """How many detections a partition has."""

    key: str = ""
    detections: int = 0


@dataclass(frozen=True, slots=True)
class Detection:
    """A pattern detected on a trace, and compared with its meaning; `over_time` is None but for the reader's logs."""

    expression: str = ""
    trace: str = ""
    events: int = 0
    detections: int = 0
    agree: bool = False
    detector: str = ""
    seconds: float = 0
    compared: str = ""
    over_time: tuple[Span, ...] | None = None
    partitions: int = 0
    by_key: tuple[KeyShare, ...] = ()
    first: tuple[Record, ...] = ()


@dataclass(frozen=True, slots=True)
class Share:
    """Some of the cases of a campaign."""

    cases: int = 0
    vacuous: int = 0
    failures: int = 0
    refused: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    """Behaviours of one kind, and how many of them the cases met."""

    group: str = ""
    reached: int = 0
    behaviours: int = 0
    cases: int = 0
    never: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Coverage(Part):
    """Which behaviours the cases met."""

    cases: int = 0
    sampled: int = 0
    groups: tuple[Group, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cause:
    """What failures have in common."""

    detector: str = ""
    relation: str = ""
    path: str = ""
    kind: str = ""
    cases: int = 0
    first: int = 0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Compared(Part):
    """The case in which what follows from the reports on the first one is due; only by a relation or a law."""

    expression: str = ""
    trace: tuple[Record, ...] = ()
    said: str = ""
    system: str = ""


@dataclass(frozen=True, slots=True)
class Original(Part):
    """A failing case before it was made small."""

    expression: str = ""
    occurrences: int = 0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class FailedCase:
    """A case that a detector failed, by its number or the name of the stored `regression`."""

    case: int | None = None
    regression: str = ""
    detector: str = ""
    relation: str = ""
    path: str = ""
    kind: str = ""
    detail: str = ""
    reproduced: bool = False
    expression: str = ""
    trace: tuple[Record, ...] = ()
    expected: tuple[tuple[int, int], ...] = ()
    detected: tuple[tuple[int, int], ...] = ()
    compared: Compared = Compared()
    original: Original = Original()
    replay: str = ""
    system: str = ""


@dataclass(frozen=True, slots=True)
class Regressions(Part):
    """Stored cases that were tried again."""

    tried: int = 0
    failures: tuple[FailedCase, ...] = ()


@dataclass(frozen=True, slots=True)
class TextCheck:
    """Whether the texts that a generated detector has for patterns do what the proved steps do."""

    detector: str = ""
    standing: str = ""
    tried: int = 0
    refuted: int = 0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Campaign(Part):
    """What a campaign of random cases found; `error` says why there was none."""

    seed: int = 0
    cases: int = 0
    judgements: int = 0
    failed: int = 0
    vacuous: int = 0
    refused: int = 0
    literal: int = 0
    kinds: Mapping[str, int] = field(default_factory=dict)
    judged_now: int = 0
    seconds: float = 0
    cases_per_second: float = 0
    spark: str = ""
    master: str = ""
    detectors: Mapping[str, Share] = field(default_factory=dict)
    relations: Mapping[str, int] = field(default_factory=dict)
    operators: Mapping[str, int] = field(default_factory=dict)
    profiles: Mapping[str, Share] = field(default_factory=dict)
    coverage: Coverage = Coverage()
    causes: tuple[Cause, ...] = ()
    failures: tuple[FailedCase, ...] = ()
    regressions: Regressions = Regressions()
    texts: tuple[TextCheck, ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True)
class Death:
    """The first case that finds a wrong detector."""

    case: int = 0
    kind: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Power(Part):
    """How many wrong detectors the cases of a campaign find."""

    seed: int = 0
    cases: int = 0
    mutants: int = 0
    killed: int = 0
    median: int | None = None
    worst: int | None = None
    curve: tuple[tuple[int, int], ...] = ()
    deaths: Mapping[str, Death] = field(default_factory=dict)
    survivors: tuple[str, ...] = ()
    altered: Mapping[str, str] = field(default_factory=dict)
