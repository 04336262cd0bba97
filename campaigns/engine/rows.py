"""The rows of a campaign: one per case, with the schema that Parquet files and Arrow batches share.

What is in a row follows from the settings and the number of the case, and from nothing else: no times, no machines.
So the rows of a campaign are the same wherever and however often it was interrupted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from typing import NamedTuple

import pyarrow as pa

from campaigns.engine.settings import Settings, maker_of, relation_of
from campaigns.judging.judgements import judge_case
from campaigns.systems import Judged, cases_of


class Row(NamedTuple):
    """One case and its judgements.

    Attributes:
        operators: the names of the operators in it, each once, in alphabetical order.
        instants: how many distinct times the trace has.
        expected: how many detections the semantics requires.
        literal: whether the case was also judged by the list of all instances.
        relation: the relation that was tried besides the meaning; "" if none.
        judgements: how many judgements there were: each detector by the meaning and by the relation, as far as it got.
        failures: the failed judgements (`campaigns.judging.verdicts.Fault`).
        refusals: the detectors that do not take the case: neither passed nor failed.
        trace: the trace of a failure in one line; None if there is none.
    """

    campaign: str
    case: int
    profile: str
    expression: str
    operators: list[str]
    instants: int
    occurrences: int
    expected: int
    vacuous: bool
    literal: bool
    relation: str
    judgements: int
    failures: list[dict[str, str]]
    refusals: list[dict[str, str]]
    trace: str | None


def _texts(*names: str) -> pa.DataType:
    """A list of records of texts."""
    return pa.list_(pa.struct([pa.field(name, pa.string(), nullable=False) for name in names]))


_TYPES = {"str": pa.string(), "int": pa.int32(), "bool": pa.bool_(), "list[str]": pa.list_(pa.string())} | {
    "failures": _texts("detector", "relation", "kind", "detail", "path"),
    "refusals": _texts("detector", "reason"),
    "case": pa.int64(),
}
"""The types of columns, by their names or by the types of the attributes of `Row`."""

_KINDS = {name: kind.__forward_arg__ for name, kind in Row.__annotations__.items()}

ROW_SCHEMA = pa.schema(
    [
        pa.field(name, _TYPES.get(name) or _TYPES[kind.removesuffix(" | None")], nullable="None" in kind)
        for name, kind in _KINDS.items()
    ]
)
"""The columns; a change of them is a change of `campaigns.engine.settings.SCHEMA`."""


def judged_rows(
    settings: Settings,
    numbers: Iterable[int],
    *,
    apart: bool = False,
    search_path: tuple[str, ...] = (),
    alive: Callable[[], None] = lambda: None,
) -> Iterator[Row]:
    """Generate and judge the cases with the given numbers, one after the other.

    The detectors are loaded by this call, not by the first row: loading may take longer than any case.

    Args:
        search_path: folders in which the detectors' modules are looked for, after the usual ones.
        alive: called now and then, at least before each detector.

    Raises:
        InputError: there is no such detector.
    """
    system = cases_of(settings.system)
    detectors = {name: system.factory(name, search_path) for name in settings.detectors}
    case_of = maker_of(settings)
    campaign, seconds = settings.campaign, settings.seconds

    def rows() -> Iterator[Row]:
        for number in numbers:
            case = case_of(number)
            relation = relation_of(settings, number)
            judged = judge_case(case, detectors, relation=relation, seconds=seconds, apart=apart, alive=alive)
            yield _row(campaign, judged)

    return rows()


def _row(campaign: str, judged: Judged) -> Row:
    case, expected, features = judged.case, judged.meaning.expected, judged.case.features
    return Row(
        campaign,
        case.number,
        case.profile,
        case.text,
        list(features.operators),
        features.instants,
        features.events,
        len(expected),
        not expected,
        judged.meaning.literal,
        judged.relation,
        judged.judgements,
        [asdict(fault) | {"kind": fault.kind.value} for fault in judged.faults],
        [{"detector": detector, "reason": reason} for detector, reason in judged.refusals],
        case.trace_text if judged.faults else None,
    )


def to_batch(rows: Iterable[Row]) -> pa.RecordBatch:
    """The rows as one Arrow record batch."""
    columns = list(zip(*rows, strict=True)) or [()] * len(ROW_SCHEMA)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, ROW_SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=ROW_SCHEMA)
