"""All instances of patterns: what an instant costs that updates them, what it costs to count them, and to list one.

The step of a detector that reports one instance for each end stands beside. The answers are checked: the greatest start
of the instances that end at an instant is that which the detector reports, and they are as many as are counted.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import itemgetter

from benchmarks.throughput import Pattern, Trace, random_trace
from benchmarks.timing import Row, Status, in_turns
from detectors.carlson_lisper.enumeration.listing import Happened, Listing
from detectors.carlson_lisper.protocol import event_types
from detectors.carlson_lisper.source.figure2 import figure4
from semantics.carlson_lisper.syntax import parse

LISTED = 1_000_000  # So many instances are listed


def measured(
    patterns: Sequence[Pattern], densities: Sequence[float], instants: int, repetitions: int, seed: int
) -> Iterator[list[Row]]:
    """Each pattern at each density: instants a second, and for `list` instances a second."""
    for density in densities:
        for asked in patterns:
            trace = random_trace(event_types(parse(asked.text)), density, instants, seed)
            yield _rows({"pattern": asked.text, "density": f"{density:g}"}, asked, trace, repetitions)


def _rows(case: dict[str, str], asked: Pattern, trace: Trace, repetitions: int) -> list[Row]:
    pattern = parse(asked.text)
    names = event_types(pattern)
    log = [
        Happened(None, at, {name: None for bit, name in enumerate(names) if letter >> bit & 1})
        for at, letter in trace.occurring(names)
    ]
    listing = Listing(pattern, lambda: log)

    def steps() -> list[int]:
        step = figure4(pattern).step
        return [found.start for _, at, values in log if (found := step(at, values)) is not None]

    def update() -> list[int]:
        return [node.starts[-1] for *_, node in listing.ended()]

    def count() -> list[int]:
        return list(map(itemgetter(2), listing.counts()))

    def listed() -> list[int]:
        found = 0
        for *_, node in listing.ended():
            for some in listing.members(node):
                found += len(some)
                if found >= LISTED:
                    return [found]
        return [found]

    runs = {"figure4": steps, "update": update, "count": count, "list": listed}
    found, seconds = in_turns(runs, repetitions, time.process_time)
    total = sum(found["count"])
    agree = found["figure4"] == found["update"] and found["list"][0] in (total, max(LISTED, found["list"][0]))
    status: Status = "measured" if agree else "wrong"
    numbers = {name: len(each) for name, each in found.items()} | {"count": total, "list": found["list"][0]}
    row = Row(case, "", status=status, detail="" if agree else "they do not agree")
    sizes = dict.fromkeys(runs, trace.instants) | {"list": max(1, numbers["list"])}
    timed = {name: seconds[name] if agree else () for name in runs}
    return [replace(row, subject=name, size=sizes[name], found=numbers[name], seconds=timed[name]) for name in runs]
