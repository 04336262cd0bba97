"""That a stream of files gives the answers that the program has over the whole log, each once, whatever comes when."""

import json
from collections import Counter
from collections.abc import Sequence
from random import Random

import pyarrow as pa
import pytest
from pyspark.sql import Row as SparkRow
from pyspark.sql.streaming.tws_tester import TwsTester

from detectors.bry_eckert.catalogue import DEFAULT_DETECTOR
from remora.bry_eckert.commands import event_data
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation
from semantics.bry_eckert.programs import Program
from semantics.events import Event
from semantics.traces.rows import Origin, Partition, Row
from streaming.bry_eckert.folder import _packed
from streaming.bry_eckert.keys import shared_keys
from streaming.bry_eckert.processor import KEYS, Processor, Settings, pending, restored_keys
from tests.semantics.bry_eckert.programs import CHAIN, ORDERS, cases

KEYED = ORDERS[: ORDERS.index("rep(")]
"""Orders and parcels, all of them by `id`."""


def settings_for(program: Program, *, lateness: int = 0, partition_by: str | None = None) -> Settings:
    keys = None if partition_by is not None else shared_keys(program)
    return Settings(
        str(program),
        "",
        DEFAULT_DETECTOR,
        frozenset(program.derived),
        lateness,
        partition_by,
        None if keys is None else tuple(keys.items()),
    )


def rows(events: Sequence[Event], partition: Partition = None) -> list[Row]:
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


def stream(settings: Settings, batches: Sequence[Sequence[Row]]) -> Counter[str]:
    """The lines of a stream, by kind and text; what is pending at its end as detected."""
    tester = TwsTester(Processor(settings))
    found: Counter[str] = Counter()
    shards = range(settings.shards)
    for batch in batches:
        packs = _packed(list(batch), settings).to_pylist()
        for shard in shards:
            given = [
                SparkRow(
                    clock=packs[shard]["clock"], keys=packs[shard]["keys"], events=packs[shard]["events"]
                )
            ]
            found.update(row.line for row in tester.test(shard, given))
    for shard in shards:
        states = tester.peekMapState(KEYS, shard)
        for key, state in restored_keys((key, *parts) for (key,), parts in states.items()):
            found.update(as_detected(row["line"]) for row in pending(state, key, settings))
    return found


def as_detected(line: str) -> str:
    return json.dumps({**json.loads(line), "kind": "detected"}, ensure_ascii=False)


def expected(events: Sequence[Event], **more: object) -> Counter[str]:
    lines = ({**event_data(event), **more, "kind": "detected"} for event in events)
    return Counter(json.dumps(line, ensure_ascii=False) for line in lines)


def disordered(events: Sequence[Event], lateness: int, random: Random) -> list[Event]:
    return sorted(events, key=lambda event: event.time + random.randint(0, lateness))


@pytest.mark.parametrize("lateness", [0, 3])
def test_random_programs_give_their_answers_in_any_micro_batches(lateness: int) -> None:
    random = Random(lateness)
    for case in cases(40):
        arrivals = rows(disordered(case.events, lateness, random))
        places = sorted(random.choices(range(len(arrivals) + 1), k=3))
        batches = [
            arrivals[a:b] for a, b in zip([0, *places], [*places, len(arrivals)], strict=True) if a < b
        ]
        found = stream(settings_for(case.program, lateness=lateness), batches)
        assert found == expected(denotation(case.program, case.events)), case.number


def log(number: int) -> list[Event]:
    random = Random(number)
    events = []
    for time in range(60):
        for type in "ABDE":
            if random.random() < 0.4:
                events.append(Event(type, time, time, {"x": random.randrange(3)}))
    return events


def test_a_program_with_a_common_variable_keeps_its_keys_apart_and_gives_the_same_answers() -> None:
    program = parse(CHAIN)
    settings = settings_for(program)
    assert dict(settings.keys or ()) == dict.fromkeys("ABCDEF", "x")
    events = log(1)
    whole = expected(denotation(program, events))
    assert whole.total() > 5
    assert stream(settings, [rows(events[:60]), rows(events[60:])]) == whole


def test_a_timer_of_a_key_is_due_when_rows_of_other_keys_move_time_on() -> None:
    settings = settings_for(parse(KEYED))
    order = Event("order", 0, 0, {"id": 1, "p": "bread", "q": 1})
    tester = TwsTester(Processor(settings))
    found = []
    for batch in ([order], [Event("other", 90, 90)]):
        packs = _packed(rows(batch), settings).to_pylist()
        for shard in range(settings.shards):
            given = [SparkRow(**{name: packs[shard][name] for name in ("clock", "keys", "events")})]
            found += [row.line for row in tester.test(shard, given)]
    assert found == ['{"start": 0, "time": 6, "event": "overdue", "id": 1, "kind": "detected"}']
    assert not any(tester.peekMapState("due", shard) for shard in range(settings.shards))


def test_each_value_of_a_column_is_a_log_of_its_own() -> None:
    program = parse(CHAIN)
    settings = settings_for(program, partition_by="shop")
    logs = {name: log(number) for number, name in enumerate(["a", None, "1"])}
    arrivals = sorted(
        (row for name, events in logs.items() for row in rows(events, name)), key=lambda row: row.time
    )
    whole: Counter[str] = Counter()
    for name, events in logs.items():
        whole += expected(denotation(program, events), partition=name)
    assert stream(settings, [arrivals[:150], arrivals[150:]]) == whole


def test_an_event_whose_time_is_done_is_late_and_changes_nothing() -> None:
    program = parse(CHAIN)
    a, b = Event("A", 1, 1, {"x": 1}), Event("B", 2, 2, {"x": 1})
    settings = settings_for(program, lateness=1)
    found = stream(settings, [rows([a]), rows([Event("E", 9, 9, {"x": 2})]), rows([b])])
    assert found == Counter(['{"start": 2, "time": 2, "event": "B", "x": 1, "kind": "late"}'])
    assert stream(settings, [rows([a]), rows([Event("E", 9, 9, {"x": 2}), b])]).total() == 1


@pytest.mark.parametrize(
    ("program", "keys"),
    [
        (KEYED, {"overdue": "id", "comp": "id", "order": "id", "shipped": "id"}),
        (ORDERS, None),  # what is collected has another id
        ("event A(x: int, y: int)\nF(y) <- a: A(x, y), b: A(z, y)", {"F": "y", "A": "y"}),
        ("event A(x: int, y: int)\nF(x) <- a: A(x, y), b: A(y, x)", None),
        ("event A(x: int, y: int)\nF(y) <- a: A(x, y), b: A(x, z)", None),  # equal answers of two keys are one
        ("event A(x: int)\nevent B(x: float)\nF(x) <- a: A(x), b: B(x)", None),
        ("event A(x: int)\nF(x) <- a: A(x)\nG(y) <- f: F(y), a: A(y)", {"F": "x", "G": "y", "A": "x"}),
    ],
)  # fmt: skip
def test_the_key_is_a_variable_of_all_atoms_and_heads(program: str, keys: dict[str, str] | None) -> None:
    found = shared_keys(parse(program))
    assert found == keys


def test_a_state_that_is_damaged_is_refused() -> None:
    from semantics.errors import InputError

    with pytest.raises(InputError, match="the state of a key is damaged"):
        list(restored_keys([("1", "[", "")]))


def test_packs_are_of_the_schema_that_is_stated() -> None:
    from streaming.bry_eckert.folder import _PACKS

    batch = _packed(rows(log(0)), settings_for(parse(CHAIN)))
    assert isinstance(batch, pa.RecordBatch)
    assert batch.schema.names == _PACKS.names
