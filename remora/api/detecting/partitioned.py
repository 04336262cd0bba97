"""Findings in a trace whose rows are of many users, hosts or cases: one for each partition."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic

from remora.api.cards import Card, Table
from remora.api.detecting.found import Found, FoundT
from remora.api.detecting.traces import Trace
from remora.api.frames import Tabular
from remora.terminal.texts import counted
from reports.drawing.layout import plain
from semantics.carlson_lisper.expressions import Expression
from semantics.traces.rows import Partition

if TYPE_CHECKING:
    from remora.api.detecting.plotting import Drawing

LISTED = 20
"""So many partitions are listed, those with the most."""


@dataclass(frozen=True, repr=False)
class FoundByPartition(Tabular, Mapping[Partition, Found[FoundT]], Generic[FoundT]):
    """What was found by value of a column: a mapping from the value to what was found in the rows that have it.

    Attributes:
        pattern: what was looked for.
        partition_by: the column.
        found: by value, in the order in which they come first; also where nothing was found.
    """

    pattern: Expression
    partition_by: str
    found: Mapping[Partition, Found[FoundT]]

    def __getitem__(self, key: Partition) -> Found[FoundT]:
        """What was found in the rows with a value."""
        return self.found[key]

    def __iter__(self) -> Iterator[Partition]:
        """The values, in the order in which they come first."""
        return iter(self.found)

    def __len__(self) -> int:
        """How many values there are."""
        return len(self.found)

    @property
    def total(self) -> int:
        """How many were found in all of them together."""
        total = getattr(self.found, "total", None)
        return sum(map(len, self.found.values())) if total is None else total

    def rows(self) -> list[dict[str, Any]]:
        """One dictionary for each, with its `partition`, one partition after the other."""
        return [{"partition": key, **row} for key, each in self.items() for row in each.rows()]

    def to_arrow(self) -> Any:
        """A PyArrow table with a row for each: a column of partitions, named as theirs, then as `Found.to_arrow`."""
        import pyarrow

        if hasattr(self.found, "to_arrow"):
            return self.found.to_arrow()
        tables = [
            each.to_arrow().add_column(
                0, self.partition_by, pyarrow.array([None if key is None else str(key)] * len(each), "string")
            )
            for key, each in self.items()
            if len(each)
        ]
        if tables:
            return pyarrow.concat_tables(tables)
        nothing = next(iter(self.values()), Found[FoundT](self.pattern, Trace(()), (), "")).to_arrow()
        return nothing.add_column(0, self.partition_by, pyarrow.array([], "string"))

    def plot(self) -> Drawing:
        """A drawing of how many were found by which time in all partitions, and of the first ones in that with most."""
        from remora.api.detecting.plotting import Drawing, detections_over_time, stacked

        nothing: Found[FoundT] = Found(self.pattern, Trace(()), (), "")
        most = max(self.values(), key=len, default=nothing)
        occurrences = sorted((one for each in self.values() for one in each.trace), key=lambda one: one.time)
        ends = sorted(one.end for each in self.values() for one in each)
        whole = replace(most.trace, occurrences=tuple(occurrences))
        over_time = detections_over_time(plain(self.pattern), ends, whole)
        return Drawing(self._counted(), stacked(over_time, most.timeline(between=True)))

    def _counted(self) -> str:
        return f"{counted(self.total, 'detection')} in {counted(len(self), 'partition')} by {self.partition_by}"

    def card(self) -> Card:
        """How many there are by partition."""
        most = sorted(self, key=lambda key: (-len(self[key]), str(key)))
        rows = tuple(("(none)" if key is None else str(key), f"{len(self[key]):,}") for key in most[:LISTED])
        notes = dict.fromkeys(note for each in self.values() for note in each.trace.notes)
        if len(most) > LISTED:
            notes[f"listed: the {LISTED} with the most"] = None
        return Card(
            plain(self.pattern),
            lines=(self._counted(),),
            blocks=(Table((self.partition_by, "detections"), rows, frozenset({"detections"})),),
            notes=tuple(notes),
        )
