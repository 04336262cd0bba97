"""What a stream by keys gives for rows in micro-batches, without Spark."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pyspark.sql import Row as SparkRow
from pyspark.sql.streaming.tws_tester import TwsTester

from semantics.events import Event
from semantics.traces.rows import Origin, Partition, Row
from streaming.keyed import KEYS, KeyedDetection, Processor, packed, pending, restored_keys


def rows(events: Sequence[Event], partition: Partition = None) -> list[Row]:
    """Events as rows of a log."""
    return [
        Row(
            time=event.time,
            event=event.type,
            start=event.start,
            attributes=event.attributes,
            partition=partition,
            origin=Origin("a log"),
            number=number,
        )
        for number, event in enumerate(events)
    ]


def given(batch: Sequence[Row], detection: KeyedDetection[Any]) -> Iterator[tuple[int, list[SparkRow]]]:
    """The shards with what Spark hands to each of them."""
    for shard, pack in enumerate(packed(batch, detection).to_pylist()):
        yield shard, [SparkRow(**{name: pack[name] for name in ("clock", "keys", "events")})]


def detected(tester: TwsTester, detection: KeyedDetection[Any], batches: Sequence[Sequence[Row]]) -> Iterator[Any]:
    """The rows of a stream, as they come."""
    for batch in batches:
        for shard, packs in given(batch, detection):
            yield from tester.test(shard, packs)


def stream(
    detection: KeyedDetection[Any], batches: Sequence[Sequence[Row]], make: Callable[[Any], Processor] = Processor
) -> tuple[list[str], list[str]]:
    """The lines of a stream, and those pending at its end."""
    tester = TwsTester(make(detection))
    lines = [row.line for row in detected(tester, detection, batches)]
    rest = Counter[str]()
    for shard in range(detection.shards):
        states = tester.peekMapState(KEYS, shard)
        for key, state in restored_keys((key, *parts) for (key,), parts in states.items()):
            rest.update(row["line"] for row in pending(state, key, detection))
    return lines, list(rest.elements())
