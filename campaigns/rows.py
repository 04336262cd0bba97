"""The rows of a campaign: one per case, with the schema that Parquet files and Arrow batches share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import perf_counter_ns
from typing import NamedTuple

import pyarrow as pa

from campaigns.cases import Case, generate
from campaigns.isolation import judge_isolated
from campaigns.judge import Verdict, judge
from campaigns.loading import any_factory
from campaigns.profiles import profile_weights
from campaigns.settings import Settings
from semantics.expressions import Operation, bottom_up

ROW_SCHEMA = pa.schema(
    [
        pa.field("campaign", pa.string(), nullable=False),
        pa.field("case", pa.int64(), nullable=False),
        pa.field("detector", pa.string(), nullable=False),
        pa.field("profile", pa.string(), nullable=False),
        pa.field("expression", pa.string(), nullable=False),
        pa.field("operators", pa.list_(pa.string()), nullable=False),
        pa.field("instants", pa.int32(), nullable=False),
        pa.field("occurrences", pa.int32(), nullable=False),
        pa.field("expected", pa.int32(), nullable=False),
        pa.field("detections", pa.int32(), nullable=False),
        pa.field("vacuous", pa.bool_(), nullable=False),
        pa.field("literal", pa.bool_(), nullable=False),
        pa.field("refused", pa.string()),
        pa.field("kind", pa.string()),
        pa.field("detail", pa.string()),
        pa.field("trace", pa.string()),
        pa.field("microseconds", pa.int64(), nullable=False),
    ]
)
"""The columns; a change of them is a change of `campaigns.settings.SCHEMA`."""

SPARK_SCHEMA = ", ".join(
    f"`{field.name}` {sql}"
    for field, sql in zip(
        ROW_SCHEMA,
        (
            *("string", "bigint", "string", "string", "string", "array<string>"),
            *("int", "int", "int", "int", "boolean", "boolean", "string", "string", "string", "string"),
            "bigint",
        ),
        strict=True,
    )
)
"""The same columns as Spark writes them."""


class Row(NamedTuple):
    """One case and its judgement.

    Attributes:
        campaign: the campaign's id.
        case: the case's number.
        detector: the detector's name.
        profile: the profile that the case was generated with.
        expression: the text of the expression.
        operators: the names of the operators in it, each once, in alphabetical order.
        instants: how many distinct times the trace has.
        occurrences: how many occurrences the trace has.
        expected: how many detections the semantics requires.
        detections: how many instances, or intervals, the detector reported.
        vacuous: whether there was nothing to detect.
        literal: whether the case was also judged by the list of all instances.
        refused: why the detector did not take the case, in one sentence; None if it did.
        kind: how the detector failed (`campaigns.judge.Kind`); None if it did not.
        detail: the failure in one sentence; None if there is none.
        trace: the trace of a failure in one line; None if there is none.
        microseconds: how long generation and judgement took.
    """

    campaign: str
    case: int
    detector: str
    profile: str
    expression: str
    operators: list[str]
    instants: int
    occurrences: int
    expected: int
    detections: int
    vacuous: bool
    literal: bool
    refused: str | None
    kind: str | None
    detail: str | None
    trace: str | None
    microseconds: int


def judged_rows(
    settings: Settings, numbers: Iterable[int], *, isolated: bool = False, search_path: tuple[str, ...] = ()
) -> Iterator[Row]:
    """Generate and judge the cases with the given numbers, one after the other.

    The detector is loaded by this call, not by the first row: loading may take longer than any case.

    Args:
        settings: the campaign's settings.
        numbers: the numbers of cases.
        isolated: whether each case is judged in a process of its own.
        search_path: folders in which the detector's module is looked for, after the usual ones.

    Raises:
        InputError: there is no such detector.
    """
    factory = any_factory(settings.detector, search_path)
    profiles = profile_weights(settings.profiles)
    campaign, seed, seconds = settings.campaign, settings.seed, settings.seconds
    judge_one = judge_isolated if isolated else judge

    def rows() -> Iterator[Row]:
        for number in numbers:
            begin = perf_counter_ns()
            case = generate(seed, number, profiles)
            verdict = judge_one(case, factory, seconds=seconds)
            yield _row(campaign, settings.detector, case, verdict, (perf_counter_ns() - begin) // 1000)

    return rows()


def _row(campaign: str, detector: str, case: Case, verdict: Verdict, microseconds: int) -> Row:
    nodes = bottom_up(case.expression)
    failed = verdict.kind is not None
    return Row(
        campaign,
        case.number,
        detector,
        case.profile,
        str(case.expression),
        sorted({node.operator for node in nodes if isinstance(node, Operation)}),
        len({occurrence.time for occurrence in case.occurrences}),
        len(case.occurrences),
        len(verdict.expected),
        len(verdict.detected),
        verdict.vacuous,
        verdict.literal,
        verdict.refusal or None,
        verdict.kind.value if verdict.kind is not None else None,
        verdict.detail if failed else None,
        case.trace_text if failed else None,
        microseconds,
    )


def to_batch(rows: Iterable[Row]) -> pa.RecordBatch:
    """The rows as one Arrow record batch."""
    columns = list(zip(*rows, strict=True)) or [()] * len(ROW_SCHEMA)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, ROW_SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=ROW_SCHEMA)
