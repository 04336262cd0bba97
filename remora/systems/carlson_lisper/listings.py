"""Instances of a pattern listed at the command line: all of them in a log, some of them, or how many there are."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from detectors.carlson_lisper.enumeration.listing import Happened, Key, Listing
from remora.api.detecting import detection as detecting
from remora.api.detecting.detection import ResultPrinter, key_of
from remora.api.detecting.found import by_end
from remora.terminal import console
from remora.terminal.options import Asked, Result
from semantics.atomic_files import to_json
from semantics.carlson_lisper.expressions import Expression, identifiers
from semantics.carlson_lisper.occurrences import Instance
from semantics.carlson_lisper.traces import form_of
from semantics.events import Interval
from semantics.traces.files import read_instants
from semantics.traces.reading import Reading
from semantics.traces.rows import Partition, ReadReport


def listing_of(pattern: Expression, log: str, reading: Reading, report: ReadReport) -> Listing:
    """All instances of a pattern in a log, which is read when they are asked for, and as far as they are."""
    relevant = identifiers(pattern)

    def happened() -> Iterator[Happened]:
        report.begin_again()
        for instant in read_instants(log, reading, form=form_of(pattern), report=report):
            occurring = detecting.by_partition(instant, relevant)
            for key in sorted(occurring, key=key_of):
                yield Happened(key, instant.time, occurring[key])

    return Listing(pattern, happened, reading.scale)


def wanted(listing: Listing, asked: Asked) -> list[tuple[Instance | Interval, Partition]]:
    """The first instances in an order, or some that are drawn, with their partitions."""
    pairs: list[tuple[Key, Instance]] = []
    if asked.top:
        pairs = listing.top(asked.top, asked.by)
    elif asked.sample:
        pairs = sorted(listing.sample(asked.sample, asked.seed), key=lambda pair: by_end(pair[1]))
    return [(one, key) for key, one in pairs]


def print_counts(listing: Listing, by: str, printer: ResultPrinter) -> Result:
    """Print how many instances there are: in all, or of each partition, or of each end, as soon as there is a later."""
    numbers: Iterable[tuple[Any, int]]
    if by == "end":
        ends = groupby(listing.counts(), key=lambda found: int(found[1]))
        numbers = ((printer.report.shown(tick), sum(number for *_, number in some)) for tick, some in ends)
    else:
        found: Counter[Any] = Counter() if by == "partition" else Counter({None: 0})
        for key, _, number in listing.counts():
            found[key if by == "partition" else None] += number
        numbers = found.items()
    digits = sys.get_int_max_str_digits()
    for each, number in numbers:
        named = {} if by == "all" else {by: each}
        said = "" if by == "all" else f"{console.key_text(each) if by == 'partition' else each}  "
        sys.set_int_max_str_digits(0)  # all digits are told, however many
        line = f"{said}{number:,}\n" if printer.text else f"{to_json({**named, 'count': number})}\n"
        sys.set_int_max_str_digits(digits)
        console.emit(line)
    return Result(None)
