"""That a stream of files gives the answers that the program has over the whole log, each once, whatever comes when."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from random import Random

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from pyspark.sql.streaming.tws_tester import TwsTester

from remora.systems.bry_eckert.detection import event_data
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation, violations
from semantics.bry_eckert.programs import Program
from semantics.errors import InputError
from semantics.events import Event
from semantics.traces.rows import Row
from streaming.bry_eckert.detection import Settings, _row, detections, settings_of, shared_keys, within_key
from streaming.keyed import KEYS, Processor, packed, packs_of
from tests.semantics.bry_eckert.programs import CHAIN, ORDERS, cases
from tests.streaming import keyed
from tests.streaming.keyed import in_batches, rows

TYPES = "event A(x: int)\nevent B(x: int)\n"

KEYED = ORDERS[: ORDERS.index("rep(")]  # Orders and parcels, all of them by `id`


def settings_for(program: Program, *, lateness: int = 0, partition_by: str | None = None) -> Settings:
    return settings_of(program, lateness=lateness, key=partition_by)[0]


def stream(settings: Settings, batches: Sequence[Sequence[Row]]) -> Counter[str]:
    """The lines of a stream, by kind and text; what is pending at its end as detected."""
    lines, rest = keyed.stream(settings, batches)
    return Counter([*lines, *(line.replace('"kind": "pending"', '"kind": "detected"') for line in rest)])


def expected(events: Sequence[Event], **more: object) -> Counter[str]:
    lines = ({**event_data(event), **more, "kind": "detected"} for event in events)
    return Counter(json.dumps(line, ensure_ascii=False) for line in lines)


def disordered(events: Sequence[Event], lateness: int, random: Random) -> list[Event]:
    return sorted(events, key=lambda event: event.time + random.randint(0, lateness))


@pytest.mark.slow
@pytest.mark.parametrize("lateness", [0, 3])
def test_random_programs_give_their_answers_in_any_micro_batches(lateness: int) -> None:
    random = Random(lateness)
    for case in cases(15):
        if any(violations(case.program, case.events)):
            continue
        arrivals = rows(disordered(case.events, lateness, random))
        found = stream(settings_for(case.program, lateness=lateness), in_batches(arrivals, random))
        assert found == expected(denotation(case.program, case.events)), case.number


@pytest.mark.parametrize(("until", "due"), [(None, ("pending", 600)), (600, ("detected", 600)), (599, None)])
def test_what_is_due_until_a_stated_time_is_final_and_nothing_is_said_of_later(
    until: int | None, due: tuple[str, int] | None
) -> None:
    program = parse(f"{TYPES}stuck(x) <- a: A(x), w: extend(a, 600), while w: not B(x)\n")
    _, rest = keyed.stream(settings_for(program), [rows([Event("A", 0, 0, {"x": 1})])], until=until)
    assert [(line["kind"], line["time"]) for line in map(json.loads, rest)] == ([due] if due else [])


def test_what_is_left_of_corrected_answers_is_what_the_program_gives_and_none_waits() -> None:
    """Micro-batches of a row each: what is in the same one is never given and withdrawn."""
    random, withdrawn = Random(5), 0
    made = [case for case in cases(6) if not any(violations(case.program, case.events))]
    points = tuple(Event(random.choice("AB"), n, n, {"x": random.randrange(2)}) for n in range(120))
    text = f"{TYPES}F(x) <- a: A(x), w: extend(a, 3), while w: not B(x)\n"
    made.append(replace(made[0], text=text, events=points))
    for case in made:
        settings = settings_of(case.program, lateness=6, corrections=True)[0]
        arrivals = rows(disordered(case.events, 6, random))
        lines, rest = keyed.stream(settings, [[row] for row in arrivals])
        left: Counter[str] = Counter(rest)
        for line in lines:
            gone = '"kind": "withdrawn"' in line
            withdrawn += gone
            left[line.replace('"withdrawn"' if gone else '"detected"', '"pending"')] += -1 if gone else 1
            assert min(left.values()) >= 0
        whole = expected(denotation(case.program, case.events))
        wanted = Counter({line.replace('"detected"', '"pending"'): n for line, n in whole.items()})
        assert +left == wanted, case.number
        at_once = [line for line in keyed.stream(settings, [arrivals])[0] if "withdrawn" in line]
        assert not at_once
    assert withdrawn > 3


def test_with_corrections_an_answer_does_not_wait_and_what_is_settled_leaves_the_state() -> None:
    settings = settings_of(parse(f"{TYPES}F(x) <- a: A(x), w: extend(a, 3), while w: not B(x)"), lateness=4)[0]
    settings = replace(settings, corrections=True)
    tester = TwsTester(Processor(settings))
    batches = [rows([Event("A", time, time, {"x": x})]) for x, time in ((1, 1), (2, 5), (3, 40))]
    found = [row.line for row in keyed.detected(tester, settings, batches[:2])]
    assert found == ['{"start": 1, "time": 4, "event": "F", "x": 1, "kind": "detected"}']
    assert len(list(keyed.detected(tester, settings, batches[2:]))) == 1
    keys = [key for shard in range(settings.shards) for key in tester.peekMapState(KEYS, shard)]
    assert keys == [("3",)]


def log(number: int) -> list[Event]:
    random = Random(number)
    events = []
    for time in range(60):
        for type in "ABDE":
            if random.random() < 0.4:
                events.append(Event(type, time, time, {"x": random.randrange(3)}))
    return events


def test_a_timer_of_a_key_is_due_when_rows_of_other_keys_move_time_on() -> None:
    settings = settings_for(parse(KEYED))
    order = Event("order", 0, 0, {"id": 1, "p": "bread", "q": 1})
    tester = TwsTester(Processor(settings))
    batches = [rows([order]), rows([Event("other", 90, 90)])]
    found = [row.line for row in keyed.detected(tester, settings, batches)]
    assert found == ['{"start": 0, "time": 6, "event": "overdue", "id": 1, "kind": "detected"}']
    assert not any(tester.peekMapState("due", shard) for shard in range(settings.shards))


def test_each_value_of_a_column_is_a_log_of_its_own() -> None:
    program = parse(CHAIN)
    settings = settings_for(program, partition_by="shop")
    logs = {name: log(number) for number, name in enumerate(["a", None, "1"])}
    arrivals = sorted((row for name, events in logs.items() for row in rows(events, name)), key=lambda row: row.time)
    whole: Counter[str] = Counter()
    for name, events in logs.items():
        whole += expected(denotation(program, events), partition=name)
    assert stream(settings, [arrivals[:150], arrivals[150:]]) == whole


PARCELS = """\
event S(i: int, t: int)
event D(t: int)
axiom D(t) unique
axiom s: S(t = t), d: D(t = t) => s before d
F(t) <- s: S(i, t), d: D(t)
"""


def test_a_row_that_breaks_an_axiom_is_told_with_the_axiom_wherever_the_batches_end() -> None:
    settings = settings_for(parse(PARCELS))
    assert dict(settings.keys or ()) == {"S": "t", "D": "t", "F": "t"}
    log = [
        Event("S", 1, 1, {"i": 1, "t": 1}),
        Event("D", 2, 2, {"t": 1}),
        Event("D", 3, 3, {"t": 2}),
        Event("D", 4, 4, {"t": 1}),
    ]
    broken = {"t": 1, "axiom": "axiom D(t) unique", "earlier": "D(t = 1) [2, 2]", "kind": "broken"}
    wanted = [
        {"start": 1, "time": 2, "event": "F", "t": 1, "kind": "detected"},
        {"start": 4, "time": 4, "event": "D", **broken},
    ]
    for place in range(1, len(log)):
        found = stream(settings, [rows(log[:place]), rows(log[place:])])
        assert sorted(found) == [json.dumps(row) for row in wanted]


def test_an_axiom_about_events_of_several_keys_does_not_fit_them() -> None:
    program = parse(PARCELS + "axiom S(i) unique\naxiom s: S(t = 3), d: D(t = 4) => s before d\n")
    keys = shared_keys(program)
    assert [within_key(axiom, keys or {}) for axiom in program.axioms] == [True, True, False, False]
    other = "event A(x: int, y: int)\naxiom A({}) unique\nF(x, y) <- a: A(x, y), b: A(x, y)"
    for key in "xy":
        assert (shared_keys(parse(other.format(key))) or {})["A"] == key


@pytest.mark.parametrize(
    ("program", "keys"),
    [
        (CHAIN, dict.fromkeys("ABCDEF", "x")),
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


FRAME = pa.table(
    {
        "time": [3, 3, 5, 6],
        "event": ["A", "B", "Z", "A"],
        "start": [None, 1, 5, 6],
        "x": [1, 2, None, None],
        "other": ["a", "b", "c", "d"],
    }
)


def test_rows_of_a_frame_are_packed_as_rows_of_a_file_are() -> None:
    settings = settings_for(parse(CHAIN))
    (batch,) = FRAME.to_batches()
    (found,) = packs_of([batch], settings, partial(_row, settings))
    events = [Event("A", 3, 3, {"x": 1}), Event("B", 1, 3, {"x": 2}), Event("Z", 5, 5), Event("A", 6, 6)]
    assert found.to_pylist() == packed(rows(events), settings).to_pylist()


@pytest.mark.parametrize("column", ["time", "start", "event"])
def test_a_row_of_a_frame_that_is_none_is_refused(column: str) -> None:
    bad = {"time": -1, "start": 9, "event": None}
    row = {"time": 3, "event": "A", "start": 3, "x": 1, column: bad[column]}
    with pytest.raises(Exception, match="a row has time"):
        settings = settings_for(parse(CHAIN))
        list(packs_of([pa.RecordBatch.from_pylist([row])], settings, partial(_row, settings)))


@pytest.mark.spark
@pytest.mark.slow
def test_a_frame_gives_the_answers_of_the_whole_log_by_spark(spark: SparkSession) -> None:
    program, events = parse(CHAIN), log(7)
    wanted = denotation(program, events)
    values = [(e.time, e.type, e.attributes["x"]) for e in events]
    frame = spark.createDataFrame(values, "time long, event string, x long")
    found = detections(frame, settings_for(program)).select("event", "start", "time").collect()
    with pytest.raises(InputError, match="there is no column 'time'"):
        detections(frame.drop("time"), settings_for(program))
    assert len(wanted) > 5
    assert sorted(map(tuple, found)) == sorted((e.type, e.start, e.time) for e in wanted)
