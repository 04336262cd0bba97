"""That detections on Spark are the batch answer: live and not, over folders, with all that goes wrong on the way."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from pyspark.sql import DataFrame, SparkSession

from detectors.carlson_lisper.protocol import event_types
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError
from semantics.traces.reading import Reading
from streaming.carlson_lisper.detection import detections, settings_of
from streaming.folder import SESSION_OPTIONS, Results
from streaming.run import Job, open_checkpoint, run
from tests.semantics.traces.trace_reading import written
from tests.streaming.keyed import Answer, Arrival, answer_of, expected, lines_in, put

pytestmark = [pytest.mark.spark, pytest.mark.slow]

PATTERN = parse("(a ; (b + c))[9] - (c ; a)")
PATIENCE = 300.0  # Seconds for a micro-batch to appear on a busy machine; it takes one


def random_batches(seed: int, *, keys: int, batches: int, late: int) -> list[list[Arrival]]:
    """Micro-batches of events that are disordered by up to `late` ticks and more, none of them twice."""
    random = Random(seed)
    rows = {Arrival(f"k{random.randrange(keys)}", random.randrange(120), random.choice("abcx")) for _ in range(600)}
    arrivals = sorted(sorted(rows), key=lambda event: event.time + random.randrange(2 * late))
    size = len(arrivals) // batches + 1
    return [arrivals[place : place + size] for place in range(0, len(arrivals), size)]


class Folder:
    def __init__(self, spark: SparkSession, place: Path, *, lateness: int = 0) -> None:
        self.spark = spark
        self.source, self.out = place / "in", place / "out"
        self.source.mkdir(parents=True)
        detection = settings_of(PATTERN, lateness=lateness, key="user")
        self.job = Job(detection, self.source, self.out / ".checkpoint", files=1, once=True)

    def run(self) -> Counter[str]:
        results = Results(self.out, "jsonl")
        open_checkpoint(self.job, results)
        return run(self.spark, self.job, results, print)


@pytest.fixture
def folder(spark: SparkSession, tmp_path: Path) -> Folder:
    return Folder(spark, tmp_path)


def test_a_folder_that_grows_gives_the_batch_answer_and_every_late_event(spark: SparkSession, tmp_path: Path) -> None:
    lateness = 8
    folder = Folder(spark, tmp_path, lateness=lateness)
    batches = random_batches(1, keys=4, batches=3, late=lateness + 2)
    for number, batch in enumerate(batches, 1):
        put(folder.source, number, batch, suffix="csv" if number % 2 else "jsonl")
        if number > 1:
            folder.run()
            assert answer_of(lines_in(folder.out)) == expected(PATTERN, batches[:number], lateness)
    kinds = Counter(row[1] for row in answer_of(lines_in(folder.out)))
    assert kinds["late"] > 0 and kinds["detected"] > 10


def killed(command: Sequence[str], out: Path) -> None:
    """Run until the first micro-batch is written and the second one has begun, then kill all processes of it."""
    process = subprocess.Popen(command, start_new_session=True, stderr=subprocess.PIPE)
    end = time.monotonic() + PATIENCE
    while process.poll() is None and not any(out.glob("batch=*")):
        assert time.monotonic() < end, "no micro-batch came"
        time.sleep(0.02)
    time.sleep(0.2)
    os.killpg(process.pid, signal.SIGKILL)
    _, words = process.communicate()
    assert process.returncode == -signal.SIGKILL, words


def micro_batches(checkpoint: Path, arrivals: Sequence[list[Arrival]]) -> list[list[Arrival]]:
    """The files as Spark put them into micro-batches.

    Spark notes the files of a micro-batch before the micro-batch itself. Where it is killed between the two, the
    next run takes those files together with the next ones, and what is late depends on that.
    """
    logged = sorted((checkpoint / "offsets").glob("[0-9]*"), key=lambda path: int(path.name))
    ends = [json.loads(path.read_text("utf-8").splitlines()[-1])["logOffset"] + 1 for path in logged]
    assert ends[-1] == len(arrivals)
    spans = pairwise([0, *ends])
    return [[event for file in arrivals[begin:end] for event in file] for begin, end in spans]


@pytest.mark.long
def test_a_stream_that_is_killed_gives_what_an_uninterrupted_one_gives(spark: SparkSession, tmp_path: Path) -> None:
    lateness = 4
    folder = Folder(spark, tmp_path, lateness=lateness)
    arrivals = random_batches(13, keys=4, batches=3, late=6)
    for number, batch in enumerate(arrivals):
        put(folder.source, number, batch)
    command = [sys.executable, "-m", "remora", "stream", str(PATTERN), "--key", "user", "--intervals", folder.source]
    options = ["--lateness", lateness, "--files", 1, "--once", "--out", folder.out, "--master", "local[2]"]
    killed([*map(str, [*command, *options])], folder.out)
    assert len(list(folder.out.glob("batch=*"))) < len(arrivals), "it was over before it was killed"
    folder.run()
    answer = expected(PATTERN, micro_batches(folder.job.checkpoint, arrivals), lateness)
    assert {kind for _, kind, _, _ in answer} == {"detected", "late"}
    assert answer_of(lines_in(folder.out)) == answer


def test_what_was_pending_is_replaced_by_what_became_of_it_also_in_parquet(folder: Folder, tmp_path: Path) -> None:
    by_value = settings_of(PATTERN, key="value")
    folder.job = Job(by_value, folder.source, folder.job.checkpoint, once=True)
    trace = [Occurrence("a", 3, "u"), Occurrence("b", 5, "u"), Occurrence("c", 6, "u")]
    written(tmp_path / "t.parquet", trace)
    (tmp_path / "t.parquet").rename(folder.source / "t.parquet")
    assert folder.run() == {"pending": 1, "detected": 0, "late": 0, "repeated": 0}
    assert answer_of(lines_in(folder.out)) == [("u", "detected", 3, 6)]
    (folder.source / "u.jsonl").write_text('{"value": "u", "event": "x", "time": 7}\n')
    counts = folder.run()
    assert (counts["detected"], counts["pending"]) == (1, 0)
    assert [json.loads(line)["kind"] for line in lines_in(folder.out)] == ["detected"]
    assert folder.run().total() == 0
    assert len(lines_in(folder.out)) == 1


@pytest.mark.long
def test_a_row_that_breaks_a_rule_stops_the_run_until_its_file_is_mended(folder: Folder) -> None:
    put(folder.source, 1, [Arrival("u", 1, "a"), Arrival("u", 3, "b")])
    put(folder.source, 2, [Arrival("u", -4, "c")])
    with pytest.raises(InputError) as refusal:
        folder.run()
    assert refusal.value.place == f"{folder.source}/002.csv:2"
    assert "negative" in refusal.value.reason and "ticks" in refusal.value.remedy
    put(folder.source, 2, [Arrival("u", 4, "c"), Arrival("u", 9, "x")])
    folder.run()
    assert answer_of(lines_in(folder.out)) == [("u", "detected", 1, 4)]


@pytest.mark.long
def test_a_file_without_the_column_of_the_key_is_refused_with_the_option_that_names_it(folder: Folder) -> None:
    folder.source.joinpath("1.csv").write_text("time,event,value\n1,a,\n", "utf-8")
    with pytest.raises(InputError, match="there is no column") as refusal:
        folder.run()
    assert "--key" in refusal.value.remedy


def as_frame(spark: SparkSession, events: Iterable[Arrival]) -> DataFrame:
    return spark.createDataFrame(list(events), "key string, time int, event string")


def answer(rows: Iterable[tuple[object, ...]]) -> Answer:
    return sorted((str(row[0]), str(row[1]), row[2], row[3]) for row in rows)  # type: ignore[misc]


def test_a_query_that_is_not_live_gives_the_batch_answer(spark: SparkSession) -> None:
    (events,) = random_batches(3, keys=7, batches=1, late=50)
    found = detections(as_frame(spark, events), PATTERN, key="key")
    assert found.columns == ["key", "kind", "start", "end", "event", "instance"]
    assert answer(found.collect()) == expected(PATTERN, [events], 0)


def test_a_live_stream_of_the_user_gives_the_batch_answer_once_its_time_has_moved_on(
    spark: SparkSession, tmp_path: Path
) -> None:
    lateness = 5
    batches = random_batches(4, keys=3, batches=3, late=lateness + 2)
    last = [Arrival(key, 1000, "tick") for key in sorted({event.key for batch in batches for event in batch})]
    (tmp_path / "in").mkdir()
    for number, batch in enumerate([*batches, last]):
        put(tmp_path / "in", number, batch)
    reader = spark.readStream.schema("user string, event string, time long").option("header", True)
    stream = reader.option("maxFilesPerTrigger", 1).csv(str(tmp_path / "in"))
    rows: list[tuple[object, ...]] = []
    query = (
        detections(stream, PATTERN, key="user", lateness=lateness)
        .writeStream.foreachBatch(lambda batch, _: rows.extend(batch.collect()))
        .option("checkpointLocation", str(tmp_path / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    assert event_types(PATTERN) == ("a", "b", "c")
    assert answer(rows) == expected(PATTERN, batches, lateness)


@pytest.mark.parametrize(
    ("columns", "problem"),
    [
        ("key string, time timestamp, event string", "the column 'time' is of type timestamp"),
        ("key string, time int, event int", "the column 'event' is of type int, not text"),
        ("user string, time int, event string", "there is no column 'key'"),
    ],
)
def test_unsuitable_columns_are_refused_before_anything_runs(spark: SparkSession, columns: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        detections(spark.createDataFrame([], columns), "a ; b", key="key")


def test_a_session_without_the_store_is_refused(spark: SparkSession) -> None:
    name = "spark.sql.streaming.stateStore.providerClass"
    spark.conf.unset(name)
    try:
        with pytest.raises(InputError, match="does not keep the state of streams in RocksDB"):
            detections(as_frame(spark, [Arrival("u", 1, "a")]), "a", key="key")
    finally:
        spark.conf.set(name, SESSION_OPTIONS[name])


@pytest.mark.long
def test_rows_have_times_of_day_where_the_log_has(spark: SparkSession, tmp_path: Path) -> None:
    folder = Folder(spark, tmp_path)
    detection = settings_of(parse("(a ; b)[30s]", "1s"), keep_one=True, key="user")
    reading = Reading(tick="1s", zone="+01:00", several=True)
    folder.job = Job(detection, folder.source, folder.job.checkpoint, reading, once=True)
    rows = ["10:00:00,a,u", "10:00:20.000,b,u", "10:00:20,b,u", "10:01:20,other,u"]
    (folder.source / "t.csv").write_text("time,event,user\n" + "".join(f"2024-03-01T{row}\n" for row in rows))
    assert folder.run()["detected"] == 1
    start, end = "2024-03-01T10:00:00+01:00", "2024-03-01T10:00:20+01:00"
    found = {row["kind"]: row for row in map(json.loads, lines_in(folder.out))}
    assert found["repeated"] == {"start": end, "end": end, "event": "b", "partition": "u", "kind": "repeated"}
    assert (found["detected"]["start"], found["detected"]["end"]) == (start, end)
