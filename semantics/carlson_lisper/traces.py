"""Traces of this algebra: points, one of an event type at a time, each with one value (Def. 3.3, 3.4)."""

from collections import defaultdict
from dataclasses import replace
from functools import partial

from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Interpretation, Occurrence, interpretation
from semantics.carlson_lisper.ties import may_matter
from semantics.events import TraceForm
from semantics.traces.files import TraceSource, read_instants
from semantics.traces.reading import USUAL, Reading
from semantics.traces.rows import Partition, ReadReport, Row

FORM = TraceForm(intervals=False, repeats=False, attributes=("value",), source="Def. 3.4")
"""Trace form of the algebra: events are points (Def. 3.3), and those of one type have different times."""


def form_of(*patterns: Expression | None, values: bool = True) -> TraceForm:
    """Trace form for some patterns, or any (None): types that none mentions never matter; values are read or not."""
    form, stated = FORM if values else replace(FORM, attributes=()), [each for each in patterns if each is not None]
    types = frozenset[str]().union(*map(identifiers, stated))
    return replace(form, types=types, ordered=partial(may_matter, stated)) if stated else form


def occurrence_of(row: Row) -> Occurrence:
    """The triple of event type, value and time (Def. 3.3)."""
    return Occurrence(row.event, row.time, row.value)


def read_interpretation(
    source: TraceSource, reading: Reading = USUAL, *, report: ReadReport | None = None
) -> Interpretation:
    """The interpretation (Def. 3.5) that a trace describes."""
    found = read_partitions(source, replace(reading, partition_by=None), report=report)
    return found.get(None, interpretation(()))


def read_partitions(
    source: TraceSource,
    reading: Reading = USUAL,
    *,
    pattern: Expression | None = None,
    report: ReadReport | None = None,
) -> dict[Partition, Interpretation]:
    """One interpretation per value of the column that partitions the trace, in the order of their first occurrence.

    Without a column there is one, of the partition `None`. With a pattern, they have only the types that it mentions.
    """
    form = form_of(pattern)
    found: defaultdict[Partition, list[Occurrence]] = defaultdict(list)
    for instant in read_instants(source, reading, form=form, report=report):
        for row in instant.rows:
            occurrences = found[row.partition]
            if form.types is None or row.event in form.types:
                occurrences.append(occurrence_of(row))
    return {key: interpretation(occurrences) for key, occurrences in found.items()}
