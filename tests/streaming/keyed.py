"""What a stream by keys gives for events in micro-batches, without Spark, and what it has to give by definition."""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st
from pyspark.sql import Row as SparkRow
from pyspark.sql.streaming.tws_tester import TwsTester

from detectors.carlson_lisper.protocol import event_types, instants, run
from detectors.carlson_lisper.source.figure2 import Figure2
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.events import Event
from semantics.traces.rows import Origin, Partition, Row
from streaming.keyed import KEYS, KeyedDetection, Processor, packed, pending, restored_keys


def rows(events: Sequence[Event], partition: Partition = None) -> list[Row]:
    given = enumerate(events)
    return [Row(e.time, e.type, e.start, e.attributes, partition, Origin("a log"), number) for number, e in given]


def detected(tester: TwsTester, detection: KeyedDetection[Any], batches: Sequence[Sequence[Row]]) -> Iterator[Any]:
    for batch in batches:
        for shard, pack in enumerate(packed(batch, detection).to_pylist()):
            packs = [SparkRow(**{name: pack[name] for name in ("clock", "keys", "events")})]
            yield from tester.test(shard, packs)


def stream(
    detection: KeyedDetection[Any],
    batches: Sequence[Sequence[Row]],
    make: Callable[[Any], Processor] = Processor,
    until: int | None = None,
) -> tuple[list[str], list[str]]:
    """The lines of a stream, and those pending at its end; final ones, where it is complete up to a time."""
    tester = TwsTester(make(detection))
    lines = [row.line for row in detected(tester, detection, batches)]
    rest = Counter[str]()
    for shard in range(detection.shards):
        states = tester.peekMapState(KEYS, shard)
        for key, state in restored_keys((key, *parts) for (key,), parts in states.items()):
            rest.update(row["line"] for row in pending(state, key, detection, until))
    return lines, list(rest.elements())


def in_batches(arrivals: Sequence[Row], random: Random) -> list[Sequence[Row]]:
    places = sorted(random.choices(range(len(arrivals) + 1), k=3))
    batches = [arrivals[a:b] for a, b in zip([0, *places], [*places, len(arrivals)], strict=True)]
    return [batch for batch in batches if batch]


class Arrival(NamedTuple):
    key: str
    time: int
    event: str


Batches = Sequence[Sequence[Arrival]]

Answer = list[tuple[str, str, int, int]]  # Key, kind, start and end of each row, sorted


def expected(pattern: Expression, batches: Batches, lateness: int) -> Answer:
    """What a stream detects in all, at its end, and which events are late.

    An event is late when, before its micro-batch, one of its key was later by more than the lateness; the others of a
    key are a trace, of which the source's own detector says what there is.
    """
    names = event_types(pattern)
    rows: Answer = []
    for key in {event.key for batch in batches for event in batch}:
        greatest, kept = -1, set()
        for batch in batches:
            mine = [event for event in batch if event.key == key]
            for event in mine:
                if event.event in names:
                    if greatest > event.time + lateness:
                        rows.append((key, "late", event.time, event.time))
                    else:
                        kept.add(event)
            greatest = max([greatest, *(event.time for event in mine)])
        trace = interpretation(Occurrence(event.event, event.time) for event in kept)
        found = run(Figure2(pattern), instants(trace))
        rows += [(key, "detected", one.start, one.end) for one in found]
    return sorted(rows)


def answer_of(lines: Iterable[str]) -> Answer:
    """The rows of lines, what is pending as detected."""
    kinds, found = {"pending": "detected"}, map(json.loads, lines)
    return sorted((row["partition"], kinds.get(row["kind"], row["kind"]), row["start"], row["end"]) for row in found)


def lines_in(folder: Path) -> list[str]:
    return [line for path in folder.glob("*/*.jsonl") for line in path.read_text("utf-8").splitlines()]


def put(folder: Path, number: int, batch: Iterable[Arrival], *, suffix: str = "csv") -> None:
    """Let a file appear in a folder, as one that is later than those with smaller numbers."""
    draft = folder.parent / f"draft.{suffix}"
    if suffix == "csv":
        lines = ["user,event,time", *(f"{event.key},{event.event},{event.time}" for event in batch)]
    else:
        lines = [json.dumps({"user": event.key, "event": event.event, "time": event.time}) for event in batch]
    draft.write_text("\n".join(lines) + "\n")
    os.utime(draft, (1_000_000 + number, 1_000_000 + number))
    draft.replace(folder / f"{number:03}.{suffix}")


def events() -> st.SearchStrategy[list[Arrival]]:
    """Events of two keys in any order, none of them twice; `x` is in no pattern."""
    one = st.builds(Arrival, st.sampled_from("uv"), st.integers(0, 25), st.sampled_from("abcx"))
    return st.lists(one, max_size=25, unique=True)


@st.composite
def cut(draw: st.DrawFn, arrivals: list[Arrival]) -> Batches:
    cuts = sorted(draw(st.lists(st.integers(0, len(arrivals)), max_size=5)))
    return [arrivals[lo:hi] for lo, hi in zip([0, *cuts], [*cuts, len(arrivals)], strict=True)]


@st.composite
def disordered(draw: st.DrawFn, lateness: int) -> list[Arrival]:
    """Events in an order in which none comes after one that is later by more than the lateness."""
    delays = st.integers(0, lateness)
    delayed = [(event.time + draw(delays), number, event) for number, event in enumerate(draw(events()))]
    return [event for _, _, event in sorted(delayed)]
