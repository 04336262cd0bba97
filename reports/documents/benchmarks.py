"""Documents about speed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

from reports.documents.values import Count, Document, M, Value


class Effort(Value):
    repetitions: Count
    seconds_per_timing: Annotated[float, M("A run takes so many seconds at least.")]
    most_instants: Count
    most_occurrences: Count


class Rate(Value):
    """Median, least and greatest."""

    median: float
    min: float
    max: float


class Subject(Value):
    name: str
    family: Annotated[str, M("Whose it is: `remora`, or the tool.")]
    fed: Annotated[str, M("`each instant` or `columns`.")]
    status: Annotated[str, M("`measured`, `wrong`, `absent`, `no query` or `failed`.")]
    detail: Annotated[str, M("Why there is no speed.")]
    instants: Annotated[Count, M("The length of the trace that was timed, in ticks.")]
    detections: Count
    seconds: Annotated[tuple[float, ...], M("One run, per repetition.")]
    rate: Annotated[Rate | None, M("Million instants per second.")]


class Ratio(Rate):
    """How many times as fast a detector is as the query of a tool, paired by repetition."""

    subject: str = ""
    family: str = ""
    peer: str = ""
    values: tuple[float, ...] = ()


class Result(Value):
    pattern: Annotated[str, M("Its number or text.")]
    expression: str
    density: Annotated[float, M("How probable each event type is at each tick.")]
    subjects: tuple[Subject, ...]
    ratios: tuple[Ratio, ...]


class Bench(Document, tag="remora/bench/2"):
    """Speeds of the detectors beside other tools."""

    written: ClassVar[str] = "remora bench --format json"

    remora: str
    seed: Count
    effort: Effort
    results: tuple[Result, ...]
    exit_status: Count


class Tool(Value):
    tool: str
    seconds: Annotated[tuple[float, ...], M("Of each repetition, from the start of its process to its end.")]
    peak: Annotated[int, M("The most memory of a run, in MB.")]
    detections: int
    problem: Annotated[str, M("Why there is no answer; empty for one.")]


class FilesBenchCell(Value):
    form: Literal["csv", "parquet", "jsonl"]
    density: Annotated[float, M("The share of rows of the event types that a pattern mentions.")]
    partitioned: Annotated[bool, M("Whether the log has 100,000 partitions.")]
    pattern: Annotated[str, M("The pattern, by its name in the table.")]
    tools: tuple[Tool, ...]


class FilesVerdict(Value):
    """The outcome of the run."""

    exit_status: Annotated[int, M("How the command ended: 0 measured, 1 a job has no answer or another one.")]
    summary: str


class FilesBench(Document, tag="remora/files-bench/1"):
    """How long whole jobs take from a log in a file to a file of detections, beside other tools."""

    written: ClassVar[str] = "remora bench --files --format json"

    remora: str
    seed: int
    rows: int
    repetitions: Annotated[int, M("How often each job was done.")]
    cells: Annotated[tuple[FilesBenchCell, ...], M("The logs and what was looked for.")]
    verdict: FilesVerdict


class RulesBenchRow(Value):
    engine: str
    seconds: Annotated[float, M("The median of its times, in seconds of the processor; of Spark.")]
    rate: float
    answers: int


class RulesBenchScaling(Value):
    engine: str
    events: int
    rate: Annotated[float, M("Events a second of the processor's time.")]
    stored: Annotated[int, M("How many tuples are stored at most, after every thousandth event.")]
    memory: Annotated[int, M("By how many MiB the process has grown at its peak.")]
    answers: int


class RulesBench(Document, tag="remora/rules-bench/1"):
    """How fast the engines of rules are on one program."""

    written: ClassVar[str] = "remora bench --system bry_eckert --format json"

    remora: str
    seed: int
    events: int
    rows: tuple[RulesBenchRow, ...]
    absent: Annotated[Mapping[str, str], M("Why other engines were not measured, by name.")]
    scaling: Annotated[tuple[RulesBenchScaling, ...], M("What the engines do on longer and longer logs.")]


class ProfilesBenchRow(Value):
    setting: Annotated[str, M("What is selected in the earlier and in the later list, and what is used up.")]
    rate: Annotated[float, M("Events a second that the engine takes.")]
    notifications: Annotated[int, M("How much it announces and withdraws.")]
    pairs: Annotated[int, M("How many pairs stand in the end.")]
    polars: Annotated[float | None, M("Events a second of the query in Polars; null where there is none.")]


class ProfilesBench(Document, tag="remora/profiles-bench/1"):
    """How fast the engine of profiles is on a sequence, by setting."""

    written: ClassVar[str] = "remora bench --system hinze_voisard --format json"

    remora: str
    seed: int
    events: int
    span: Annotated[int, M("How far apart the events of a pair may be, in ticks.")]
    rows: tuple[ProfilesBenchRow, ...]
