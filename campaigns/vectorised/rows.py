"""The rows of a group: one per case, as one Arrow batch that is made column by column."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa

from campaigns.vectorised.cases import PROFILE
from campaigns.vectorised.judging import GroupOutcome
from semantics.carlson_lisper.expressions import Operation, bottom_up

Column: TypeAlias = Callable[[GroupOutcome, pa.DataType], pa.Array]
"""A column of all rows, of a type."""


def to_record_batch(
    outcome: GroupOutcome, campaign: str, schema: pa.Schema, lanes: slice = slice(None)
) -> pa.RecordBatch:
    """The rows of some lanes of a group.

    Args:
        outcome: the group and what came of it.
        campaign: the campaign's id.
        schema: the columns that are wanted; see `COLUMNS`.
        lanes: consecutive lanes.

    Raises:
        KeyError: the schema has a column that is not known.
    """
    size = len(outcome.group.lanes)
    columns: Mapping[str, Column] = {**COLUMNS, "campaign": _everywhere(lambda _: campaign)}
    arrays = [columns[field.name](outcome, field.type) for field in schema]
    begin, stop, _ = lanes.indices(size)
    return pa.RecordBatch.from_arrays(arrays, schema=schema).slice(begin, stop - begin)


def _everywhere(value: Callable[[GroupOutcome], object]) -> Column:
    """A column with the same value in every row."""
    return lambda outcome, kind: _repeated(value(outcome), len(outcome.group.lanes), kind)


def _repeated(value: object, size: int, kind: pa.DataType) -> pa.Array:
    return pa.repeat(pa.scalar(value, kind), size)


def _numbers(values: Callable[[GroupOutcome], Any]) -> Column:
    """A column from an array."""
    return lambda outcome, kind: pa.array(values(outcome)).cast(kind)


def _operators(outcome: GroupOutcome) -> list[str]:
    nodes = bottom_up(outcome.group.expression)
    return sorted({node.operator for node in nodes if isinstance(node, Operation)})


def _failures(outcome: GroupOutcome, kind: pa.DataType) -> pa.Array:
    records = {
        lane: [
            {
                "detector": fault.detector,
                "relation": fault.relation,
                "kind": fault.kind.value,
                "detail": fault.detail,
                "path": fault.path,
            }
            for fault in faults
        ]
        for lane, faults in outcome.faults.items()
    }
    return _lists([], records, len(outcome.group.lanes), kind)


def _refusals(outcome: GroupOutcome, kind: pa.DataType) -> pa.Array:
    def records(refusals: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
        return [{"detector": detector, "reason": reason} for detector, reason in refusals]

    some = {lane: records(refusals) for lane, refusals in outcome.refusals.items()}
    return _lists(records(outcome.refused), some, len(outcome.group.lanes), kind)


def _traces(outcome: GroupOutcome, kind: pa.DataType) -> pa.Array:
    texts: list[str | None] = [None] * len(outcome.group.lanes)
    for lane in outcome.faults:
        texts[lane] = outcome.group.case(lane).trace_text
    return pa.array(texts, kind)


def _lists(
    every: Sequence[object], some: Mapping[int, Sequence[object]], size: int, kind: pa.DataType
) -> pa.Array:
    """A column of lists.

    Args:
        every: what the list of each row begins with.
        some: what comes after that in a few rows.
        size: how many rows there are.
        kind: the type of the column.
    """
    lengths = np.full(size, len(every))
    for row, items in some.items():
        lengths[row] += len(items)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    items = pa.array([*every, *(item for row in sorted(some) for item in some[row])], kind.value_type)
    position = np.arange(offsets[-1]) - np.repeat(offsets[:-1], lengths)
    own = position >= len(every)
    which = np.where(own, len(every) - 1 + np.cumsum(own), position)
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), items.take(pa.array(which)), type=kind)


COLUMNS: Mapping[str, Column] = MappingProxyType(
    {
        "case": _numbers(lambda outcome: outcome.group.numbers),
        "profile": _everywhere(lambda _: PROFILE),
        "expression": _everywhere(lambda outcome: str(outcome.group.expression)),
        "operators": _everywhere(_operators),
        "instants": _numbers(lambda outcome: outcome.group.instants),
        "occurrences": _numbers(lambda outcome: outcome.group.occurrences),
        "expected": _numbers(lambda outcome: outcome.expected),
        "vacuous": _numbers(lambda outcome: outcome.vacuous),
        "literal": _numbers(lambda outcome: outcome.literal),
        "relation": _everywhere(lambda _: ""),
        "judgements": _numbers(lambda outcome: outcome.judgements),
        "failures": _failures,
        "refusals": _refusals,
        "covered": _everywhere(lambda _: []),
        "trace": _traces,
    }
)
"""The columns by name, besides that of the campaign's id; see `campaigns.engine.rows.Row`."""
