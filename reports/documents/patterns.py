"""Documents about patterns, rules and profiles, and about the installation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from reports.documents.values import (
    Count,
    Document,
    Instance,
    M,
    Record,
    Row,
    Scalar,
    Side,
    Time,
    Value,
    Word,
)


class ConditionExample(Value):
    """A history that shows something of a relevance condition."""

    shows: Annotated[Literal["tight", "minimal", "unsafe"], M("`tight`.")]
    stamp: Annotated[str, M("The time stamp of the comparison; empty for the whole condition.")]
    now: Annotated[int, M("When the tuple is needed, or given up, in ticks.")]
    history: tuple[Record, ...]
    replayed: bool | None
    text: str


class Store(Value):
    relation: Annotated[str, M("The event type or materialization point.")]
    identifier: Annotated[str, M("The event identifier; empty where it has several.")]
    kept: Annotated[bool, M("Whether its tuples are stored.")]
    keys: Annotated[tuple[tuple[str, ...], ...], M("The columns by which they are looked up.")]
    why: Annotated[str, M("Why it is stored or not, in a few words.")]
    relevant: Annotated[str, M("The condition under which a tuple is kept, such as `a.s >= now - 2`.")]
    maximal: Annotated[str, M("The same with the comparisons that the others imply.")]
    decision: Annotated[str, M("Whether the condition is safe (gives up nothing that an answer needs).")]
    examples: tuple[ConditionExample, ...]
    advice: Annotated[str, M("A condition that would give a bound, in words; empty where there is one.")]
    printed: Annotated[str, M("The condition as the algorithm of 2008 is printed, with its decision.")]
    printed_example: ConditionExample | None


class Join(Value):
    operator: Annotated[str, M("`⋈`, or `▷` for an anti-semi-join within a window.")]
    left: Annotated[tuple[str, ...], M("The event identifiers of the left side.")]
    right: Annotated[tuple[str, ...], M("Those of the right side.")]
    left_streams: Annotated[bool, M("Whether the left is not stored.")]
    right_streams: Annotated[bool, M("Whether the right is not stored.")]
    streaming: Annotated[str, M("Why each side is stored or not, in a few words.")]
    suppressing: Annotated[tuple[str, ...], M("Conditions on lower bounds `lb` of time stamps of the left.")]


class MaterializationPoint(Value):
    """A materialization point of a plan, what is kept for it and how long."""

    name: str
    algebra: Annotated[str, M("Its definition in the notation of the papers.")]
    tree: Annotated[tuple[str, ...], M("Its expression as a tree, line by line; empty for a union.")]
    stores: Annotated[tuple[Store, ...], M("What is kept of each relation that it reads.")]
    joins: Annotated[tuple[Join, ...], M("What each join of the engine nodes leaves out.")]
    distances: Annotated[tuple[tuple[str, ...], ...], M("The temporal distances of the rule as a matrix.")]
    printed_distances: tuple[tuple[str, ...], ...]


class EngineCounts(Value):
    """What an engine did with a plan on a log, in exact counts."""

    plan: Annotated[str, M("The plan: as the rules are written, that of --plan.")]
    engine: Annotated[str, M("The engine: finite differencing or node objects.")]
    answers: int
    steps: Annotated[int, M("How many steps there were.")]
    stored: Annotated[int, M("The number of stored tuples after each step, added up.")]
    peak: Annotated[int, M("The greatest number of stored tuples after a step.")]
    candidates: Annotated[int, M("How many stored tuples were looked at in joins.")]
    evaluated: Annotated[int, M("How often the right side of a join was evaluated.")]
    avoided: Annotated[int, M("How often that was avoided.")]
    mean: Annotated[float, M("Stored tuples after a step, on average.")]


class JudgedEngines(Value):
    """Engines judged by random cases."""

    seed: Count
    cases: Count
    engines: tuple[str, ...]
    judgements: Annotated[Count, M("How many judgements there were, by the meaning and by relations.")]
    answers: Count
    failures: tuple[Record, ...]
    refused: Annotated[Count, M("How many cases an engine refused: neither passed nor failed.")] = 0


class ProfilePart(Value):
    part: Annotated[str, M("The part as it is written.")]
    withdraws: Annotated[str, M("Why it can take back an instance; empty where it never does.")]
    unbounded: Annotated[str, M("Why more and more is stored for it as time goes on.")]


class ExplainedProfile(Value):
    """What a profile means and how it is evaluated continuously."""

    name: str
    profile: Annotated[str, M("Its expression, with durations in ticks.")]
    words: Annotated[str, M("What it means, in words.")]
    withdraws: Annotated[str, M("That what is announced can be withdrawn; empty where it never is.")]
    bounded: Annotated[bool, M("Whether the state is bounded by what occurs within a bounded time.")]
    parts: Annotated[tuple[ProfilePart, ...], M("Its parts but for classes, operands first.")]


class DetectedOccurrence(Value):
    event: str
    time: Annotated[Time, M("When it occurs, likewise.")]
    value: Annotated[Scalar, M("Its value, any scalar; null if it has none.")]


class DetectedRow(Value):
    """A line of eval, detect and stream: an instance, in the order of end times. It carries no `schema`."""

    written: ClassVar[str] = (
        "remora eval --format jsonl, remora detect --format jsonl, remora stream --format jsonl"
    )

    start: Annotated[Time, M("The time of its first occurrence: in ticks.")]
    end: Annotated[Time, M("The time of its last occurrence, likewise.")]
    pattern: Annotated[str, M("With --patterns: the name of the pattern.")] = ""
    instance: Annotated[tuple[DetectedOccurrence, ...], M("Its occurrences in the order of time.")] = ()
    partition: Annotated[Scalar, M("With --partition-by: the value of that column.")] = None
    kind: Literal["detected", "late", "repeated", "pending", ""] = ""
    event: Annotated[str, M("Of a late or repeated row: its event type.")] = ""


class Witness(Value):
    """A trace that tells them apart, or on which the pattern occurs."""

    trace: tuple[Row, ...]
    shortest: Annotated[bool, M("Whether no trace is shorter.")]
    left: Side
    holder: Annotated[str, M("Which side has what the other one lacks.")] = ""
    right: Side | None = None


class Equiv(Document, tag="remora/equiv/1"):
    """Whether two patterns are equivalent on all traces."""

    written: ClassVar[str] = "remora equiv --format json"

    remora: str
    seed: Count
    left: str
    right: Annotated[str | None, M("The right pattern; null where one alone is asked about.")]
    holds: Annotated[bool | None, M("The answer: whether they are equivalent, included.")]
    verdict: str
    exit_status: Count
    level: Literal["meaning", "intervals", "detection", ""] = ""
    relation: Literal["equivalence", "inclusion", "emptiness", ""] = ""
    levels: Annotated[Mapping[str, bool | None], M("The answer at every level; null where undecided.")] = {}
    left_within_right: Annotated[bool | None, M("Where they are not equivalent.")] = None
    right_within_left: bool | None = None
    states: Annotated[tuple[int, ...], M("How many states the automata have.")] = ()
    steps: Annotated[Count, M("How many transitions were computed.")] = 0
    witness: Annotated[Witness | None, M("A trace that tells them apart.")] = None
    standing: Word = "unknown"
    obligations: tuple[str, ...] = ()
    decided_instants: Annotated[Count, M("Where undecided.")] = 0


class Running(Value):
    """The same totals for what runs where instances are asked for."""

    detector: str
    instances: Annotated[Count | None, M("Instances kept between two instants at most.")]
    occurrences: Annotated[Count | None, M("Occurrences that these have together.")]
    steps: Annotated[Count | None, M("Steps at one instant at most; null if there is no bound.")]


class Registers(Value):
    """What the register machine takes."""

    states: Count | None
    registers: Count | None
    exact: Annotated[bool | None, M("Whether these are all; otherwise there are more states.")]
    reason: str | None


class Validation(Value):
    outcome: Annotated[Literal["validated", "refuted", "not validated"], M("Validated; refuted by a trace.")]
    reason: str


class Choice(Value):
    wanted: Annotated[Literal["instances", "intervals", "both"], M("What is asked for: whole instances.")]
    feed: Literal["rows", "columns"]
    detector: str
    reason: str
    bounded: Annotated[bool, M("Whether its memory is bounded.")]


class GeneratedCode(Value):
    """The generated code."""

    kind: Literal["instances", "starts"]
    text: str


class Total(Value):
    """In total."""

    instances: Annotated[Count | None, M("Instances kept between two instants at most.")]
    occurrences: Annotated[Count | None, M("Occurrences that these have together.")]
    steps: Annotated[Count | None, M("Steps at one instant at most; null if there is no bound.")]


class Subexpression(Value):
    number: Count
    expression: str
    operator: Annotated[str | None, M("Its operator; null for an event type.")]
    label: Annotated[int | None, M("The label of a sequence, in ticks; null if there is none, or no bound.")]
    length: Annotated[Count | None, M("Ticks from start to end at most; null if there is no bound.")]
    instance_occurrences: Annotated[Count, M("An instance has at most so many occurrences.")]
    instances: Annotated[Count | None, M("Instances kept between two instants at most.")]
    occurrences: Annotated[Count | None, M("Occurrences that these have together.")]
    steps: Annotated[Count | None, M("Steps at one instant at most; null if there is no bound.")]


class Fault(Value):
    number: Count
    expression: str
    right: str
    causes: Annotated[tuple[str, ...], M("What makes that unbounded.")]


class Formulas(Value):
    """Formulas in the names of the symbolic bounds."""

    expression: str
    transformed: str
    bounds: Mapping[str, int]
    length: str
    instances: str
    occurrences: str
    steps: str


class Possibility(Value):
    """Whether it can occur."""

    occurs: Annotated[bool | None, M("Whether it can; null if undecided.")]
    reason: str
    decided_instants: Annotated[int, M("All traces of up to so many instants were decided.")]
    shortest: Annotated[bool | None, M("Whether no trace is shorter.")]
    trace: tuple[Row, ...] | None
    instances: Annotated[tuple[Instance, ...] | None, M("All instances on that trace.")]


class Explain(Document, tag="remora/explain/1"):
    """A pattern explained: its form, its cost, whether it can occur."""

    written: ClassVar[str] = "remora explain --format json"

    remora: str
    seed: Count
    expression: str
    bounds: Annotated[Mapping[str, int], M("The values given to symbolic bounds, in ticks.")]
    transformed: Annotated[str | None, M("The transformed form (Fig. 5) with the label of each sequence.")]
    detector: str
    running: Annotated[Running | None, M("The same totals for what runs where instances are asked for.")]
    starts: Annotated[Count | None, M("Starts kept at most where starts and ends are enough.")]
    registers: Annotated[Registers | None, M("What the register machine takes.")]
    validations: Annotated[Mapping[str, Validation], M("By detector.")]
    choices: Annotated[tuple[Choice, ...], M("Which detector is taken for what.")]
    code: GeneratedCode | None
    bounded: Annotated[bool, M("Whether all bounds are finite.")]
    length: Annotated[Count | None, M("No instance takes more ticks from its start to its end.")]
    total: Total | None
    subexpressions: Annotated[tuple[Subexpression, ...], M("Bottom-up; the last one is the whole.")]
    faults: Annotated[tuple[Fault, ...], M("The sequences without a bound.")]
    remedies: Annotated[tuple[str, ...], M("Patterns with a symbolic bound that have finite bounds.")]
    formulas: Annotated[Formulas | None, M("Formulas in the names of the symbolic bounds.")]
    possibility: Possibility | None
    exit_status: Count


class Rule(Value):
    rule: Annotated[str, M("The rule as it is printed.")]
    line: Annotated[int, M("The line where it begins, counted from 1.")]
    words: str
    algebra: Annotated[str, M("Its expression in the notation of the papers.")]
    example: Mapping[str, tuple[int, ...]] | None


class Watch(Value):
    axiom: str
    events: str
    keys: Annotated[tuple[str, ...], M("The variables for each of whose values some are remembered.")]
    relevant: Annotated[str, M("How long, in the form of a relevance condition; `true` for ever.")]
    bounded: Annotated[bool, M("Whether the memory has a bound.")]


class Rules(Document, tag="remora/rules/1"):
    """What a program of rules means and how it is evaluated."""

    written: ClassVar[str] = "remora explain PROGRAM.rules --format json"

    program: Annotated[str, M("The program as it is printed.")]
    rules: Annotated[tuple[Rule, ...], M("Its rules, in the order of the text.")]
    plan: Annotated[tuple[MaterializationPoint, ...], M("The materialization points.")]
    measured: Annotated[tuple[EngineCounts, ...], M("With --log.")]
    watch: Annotated[tuple[Watch, ...], M("What the watch over the axioms remembers.")]


class Profiles(Document, tag="remora/profiles/1"):
    """What profiles mean and how they are evaluated continuously."""

    written: ClassVar[str] = "remora explain FILE.profile --format json"

    profiles: Annotated[tuple[ExplainedProfile, ...], M("The profiles, in the order of the text.")]


class VerifiedPartition(Value):
    partition: Annotated[Any, M("The value of the partition; null where there is none.")]
    events: int
    announced: Annotated[int, M("How many occurrences were announced.")]
    withdrawn: Annotated[int, M("How many of them were withdrawn.")]
    differences: Annotated[tuple[str, ...], M("What the definition says and the engine does not.")]


class ProfilesVerify(Document, tag="remora/profiles-verify/1"):
    """What the engine says of profiles in a log, beside the definition."""

    written: ClassVar[str] = "remora verify FILE.profile LOG --format json"

    partitions: Annotated[tuple[VerifiedPartition, ...], M("The partitions of the log.")]


class RulesVerify(Document, tag="remora/rules-verify/1"):
    """What an engine derives from a log by rules, beside the algebra."""

    written: ClassVar[str] = "remora verify PROGRAM.rules LOG --format json"

    engine: str
    rows: Count
    answers: Count
    differences: Annotated[tuple[str, ...], M("Answers of one of the two alone.")]


class Completion(Document, tag="remora/completion/1"):
    """The completion of a shell."""

    written: ClassVar[str] = "remora completion --format json"

    shell: str
    script: Annotated[str, M("The script that it has to read.")]


class DoctorItem(Value):
    name: str
    state: Annotated[str, M("`ok`, `missing` or `unsupported`: a version that was never tried.")]
    required: Annotated[bool, M("Whether Remora needs it.")]
    fails: Annotated[bool, M("Whether the exit status is not 0 because of it.")]
    found: Annotated[str, M("What was found, such as a version; empty for nothing.")]
    wanted: Annotated[str, M("Which versions are wanted; empty for any.")]
    cost: Annotated[str, M("What it costs that it is so; empty for nothing.")]
    remedy: Annotated[str, M("What to do; empty for nothing.")]


class Doctor(Document, tag="remora/doctor/3"):
    """What is installed, what is missing, and what that costs."""

    written: ClassVar[str] = "remora doctor --format json"

    remora: str
    python: str
    platform: str
    exit_status: Count
    items: Annotated[tuple[DoctorItem, ...], M("Everything that was looked at.")]
