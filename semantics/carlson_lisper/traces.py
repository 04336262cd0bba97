"""Traces of this algebra: points, one of an event type at a time, each with one value (Def. 3.3, 3.4)."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Interpretation, Occurrence, interpretation
from semantics.events import TraceForm
from semantics.traces import files
from semantics.traces.files import TraceSource
from semantics.traces.instants import Instant, ReadReport
from semantics.traces.reading import USUAL, Reading
from semantics.traces.rows import Partition, Row

FORM = TraceForm(intervals=False, repeats=False, attributes=("value",), source="Def. 3.4")
"""Trace form of the algebra: events are points (Def. 3.3), and those of one type have different times."""


def form_of(pattern: Expression | None, *, values: bool = True) -> TraceForm:
    """Trace form for one pattern: types that it does not mention never matter.

    Without values, these are not read.
    """
    form = FORM if values else replace(FORM, attributes=())
    return form if pattern is None else replace(form, types=frozenset(identifiers(pattern)))


def read_instants(
    source: TraceSource,
    reading: Reading = USUAL,
    *,
    pattern: Expression | None = None,
    values: bool = True,
    report: ReadReport | None = None,
) -> Iterator[Instant]:
    """The instants of a trace that keep Def. 3.4.

    Args:
        source: a path, `-` for standard input, or a stream.
        reading: how it is read, and what is accepted.
        pattern: what is looked for; where there is one, only the event types that it mentions have to keep Def. 3.4.
        values: whether the values of occurrences are read.
        report: is told what was read.

    Raises:
        InputError: as `semantics.traces.files.read_instants`.
    """
    return files.read_instants(source, reading, form=form_of(pattern, values=values), report=report)


def occurrence_of(row: Row) -> Occurrence:
    """The triple of event type, value and time (Def. 3.3)."""
    return Occurrence(row.event, row.time, row.value)


def read_interpretation(
    source: TraceSource, reading: Reading = USUAL, *, report: ReadReport | None = None
) -> Interpretation:
    """The interpretation (Def. 3.5) that a trace describes; arguments as for `read_instants`.

    Raises:
        InputError: as `read_instants`.
    """
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

    Without a column there is one interpretation, of the partition `None`. With a pattern, only the event types that it
    mentions are in the interpretations.

    Raises:
        InputError: as `read_instants`.
    """
    types = form_of(pattern).types
    found: defaultdict[Partition, list[Occurrence]] = defaultdict(list)
    for instant in read_instants(source, reading, pattern=pattern, report=report):
        for row in instant.rows:
            occurrences = found[row.partition]
            if types is None or row.event in types:
                occurrences.append(occurrence_of(row))
    return {key: interpretation(occurrences) for key, occurrences in found.items()}
