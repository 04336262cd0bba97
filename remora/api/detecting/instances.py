"""All instances of a pattern in a trace, which are made when somebody asks for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import merge
from itertools import islice
from typing import Any, Literal, get_args

from detectors.carlson_lisper.enumeration.listing import Happened, Key, Listing, Order
from detectors.carlson_lisper.protocol import instants
from remora.api.arguments import require_seed, require_whole
from remora.api.cards import Card, Shown, times_column
from remora.api.detecting.detection import Printed, in_columns, key_of
from remora.api.detecting.found import Found, FoundByPartition, pattern_for
from remora.api.detecting.traces import Trace, TraceLike, as_traces
from remora.api.patterns.patterns import PatternLike
from reports.drawing.layout import plain
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Instance, Time, found_data
from semantics.errors import InputError
from semantics.traces.rows import Partition

FIRST = 8  # So many instances are shown


@dataclass(frozen=True, repr=False)
class Instances(Shown):
    """All instances of a pattern (Def. 3.11) in the order of their ends: listed anew each time, and never all kept.

    Attributes:
        traces: by partition, or that of the partition None.
        listing: what lists and counts them; `listing.ambiguous` says whether some may come in two ways, so that they
            are told apart by being remembered, and counted by being listed.
    """

    pattern: Expression
    partition_by: str | None
    traces: dict[Partition, Trace]
    listing: Listing

    def __iter__(self) -> Iterator[Instance]:
        return (one for _, one in self.listing)

    def count(self) -> int:
        """How many there are, which is exact, and is found without a list of them."""
        return sum(number for *_, number in self.listing.counts())

    def counts(self, by: Literal["end", "partition"] = "end") -> dict[Any, int]:
        """How many there are by their end, in ticks, or by partition."""
        if by not in ("end", "partition"):
            raise InputError(f"instances are not counted by {by}", place="by", remedy="Take end or partition.")
        found: Counter[Any] = Counter()
        for key, time, number in self.listing.counts():
            found[int(time) if by == "end" else key] += number
        return dict(found)

    def top(self, number: int, by: Order = "span") -> Found[Instance] | FoundByPartition[Instance]:
        """The shortest ones, or by `recency` those that end latest, of all partitions together."""
        require_whole("number", number, 1)
        if by not in get_args(Order):
            raise InputError(f"there is no order by {by}", place="by", remedy="Take span or recency.")
        return self._found(self.listing.top(number, by), f"the first by {by}")

    def sample(self, number: int, seed: int = 0) -> Found[Instance] | FoundByPartition[Instance]:
        """So many different ones of all partitions together, each choice of so many with the same chance."""
        require_whole("number", number, 1)
        require_seed(seed)
        return self._found(self.listing.sample(number, seed), f"drawn with seed {seed}")

    def _found(self, some: list[tuple[Key, Instance]], how: str) -> Found[Instance] | FoundByPartition[Instance]:
        parts = {
            key: Found(self.pattern, trace, tuple(one for other, one in some if other == key), how)
            for key, trace in self.traces.items()
        }
        return parts[None] if self.partition_by is None else FoundByPartition(self.pattern, self.partition_by, parts)

    def rows(self) -> Iterator[dict[str, Any]]:
        """One dictionary for each, as `remora eval --format jsonl` prints them."""
        for key, one in self.listing:
            yield {**found_data(one, self.traces[key].shown), **({"partition": key} if self.partition_by else {})}

    def tables(self, size: int = 65_536) -> Iterator[Any]:
        """PyArrow tables with a row for each of so many, as of `Found.to_arrow`."""
        require_whole("size", size, 1)
        import pyarrow

        where = next(iter(self.traces.values()), Trace(()))
        waiting: list[list[Any]] = [[], [], [], []]

        def table(begin: int) -> Any:
            starts, ends, texts, keys = (column[begin : begin + size] for column in waiting)
            columns = {} if self.partition_by is None else {self.partition_by: keys}
            columns |= {"start": times_column(starts, where.clock), "end": times_column(ends, where.clock)}
            return pyarrow.table({**columns, "instance": pyarrow.array(texts, pyarrow.string())})

        for key, some in self.listing.batches(lambda one: Printed(one.time, one.text(where.shown(one.time)))):
            more: list[list[Any]] = [*in_columns(some, " "), [None if key is None else str(key)] * len(some)]
            for column, new in zip(waiting, more, strict=True):
                column += new
            whole = len(waiting[0]) // size * size
            yield from map(table, range(0, whole, size))
            for column in waiting:
                del column[:whole]
        if waiting[0]:
            yield table(0)

    def card(self) -> Card:
        """The first of them."""
        found = list(islice(self, FIRST + 1))
        more = ", and more: ask for .count()" if len(found) > FIRST else ""
        lines = (plain(f"instances of {self.pattern}{more}"), *(plain(str(one)) for one in found[:FIRST]))
        return Card("", lines=lines, notes=next(iter(self.traces.values())).notes if self.traces else ())


def instances(pattern: PatternLike, trace: TraceLike, *, partition_by: str | None = None, **options: Any) -> Instances:
    """All instances of a pattern in a trace (Def. 3.11), however many they are: to be listed, counted, or drawn from.

    Args:
        trace: a trace, what one can be made of, or the path of a file; options say how it is read (`remora.Reading`).
        partition_by: a column; each of its values has instances of its own.

    Raises:
        InputError: the pattern or the trace cannot be read.
        LimitExceeded: while they are listed: too many that end together may come in two ways.
    """
    meant = pattern_for(pattern, trace, options)
    traces = as_traces(trace, partition_by, options, meant)
    types, scale = identifiers(meant), max((each.scale for each in traces.values()), default=1)

    def log() -> Iterator[Happened]:
        def part(key: Partition) -> Iterator[Happened]:
            return (Happened(key, *each) for each in instants(traces[key].only(*types).interpretation))

        def place(happened: Happened) -> tuple[Time, str]:
            return happened.time, key_of(happened.key)

        return merge(*map(part, traces), key=place)

    return Instances(meant, partition_by, traces, Listing(meant, log, scale))
