"""Logs as they are on the command line and in the API: any name, times of day, rows that are left out."""

import datetime
import json
import shlex
from importlib.resources import files
from pathlib import Path
from typing import Any

import pandas  # type: ignore[import-untyped]
import pyarrow
import pytest
from pyarrow import parquet

import remora as api
from detectors.carlson_lisper.catalogue import DETECTORS
from semantics.carlson_lisper.expressions import Identifier, substitute
from semantics.carlson_lisper.syntax import parse
from semantics.events import quoted
from tests.remora.conftest import Remora, refused
from tests.remora.documents import rows

HOSTILE = ('"""+x\n', "\\'; drop table t --{0}é\u2028")
"""Names that would end a string, a comment or a line."""

LOG = '''\
when;kind;user;n
2024-03-01T10:00:00Z;add-to-cart;ann;1
2024-03-01T10:00:05Z;"x ; ""y""";ann;2
2024-03-01T10:00:05Z;"x ; ""y""";ann;2
not a time;pay.ok;ann;2
2024-03-01T11:00:20+01:00;pay.ok;ann;3
2024-03-01T10:00:21Z;pay.ok;;4
'''

STRANGE = {  # a log as somebody has it, and the first line that is said of it
    "quoted.csv": ('\ufeff"Time";"Event Name"\r\n"2024-03-01 10:00:00.250";"a"\r\n', "expected after"),
    "pandas.csv": ("ts,action\n1709287200123456789,a\n", "no column 'time'"),
    "objects.csv": ('{"time": 1, "event": "a"}\n', "it begins like JSON Lines"),
    "pipe.csv": ("2024-03-01T10:00:00Z|a\n", "no column 'time'"),
}

PAID = "('add-to-cart' ; \"pay.ok\")[20s]"
HOW = ("--time", "when", "--event", "kind", "--value", "n", "--delimiter", ";", "--tick", "1s", "--skip-bad")

FOUND = {
    "start": "2024-03-01T10:00:00Z",
    "end": "2024-03-01T10:00:20Z",
    "instance": [
        {"event": "add-to-cart", "time": "2024-03-01T10:00:00Z", "value": "1"},
        {"event": "pay.ok", "time": "2024-03-01T10:00:20Z", "value": "3"},
    ],
}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "shop.csv"
    path.write_text(LOG)
    return path


@pytest.mark.parametrize("command", ["detect", "eval"])
def test_a_log_as_it_is_gives_its_detections_with_times_of_day(remora: Remora, log: Path, command: str) -> None:
    status, out, err = remora(command, PAID, log, *HOW, "--partition-by", "user")
    assert (status, rows(out)) == (0, [{**FOUND, "partition": "ann"}])
    assert err == (
        f"note: left out 1 row that cannot be read (--skip-bad), the first at {log}:5: the time 'not a time' is neither"
        " ISO 8601 nor a number\n"
        "note: 1 row without a value of 'user': together they are a trace of their own, (none)\n"
    )
    intervals = ("--intervals",) if command == "detect" else ("--level", "intervals")
    text = remora(command, PAID, log, *HOW, *intervals, "--format", "text", "--zone", "+02:00")[1]
    assert text == "[2024-03-01T12:00:00+02:00, 2024-03-01T12:00:20+02:00]\n"


def test_a_program_reads_a_log_as_it_is(remora: Remora, tmp_path: Path) -> None:
    program, log = tmp_path / "shop.rules", tmp_path / "shop.jsonl"
    program.write_text(
        "event 'add-to-cart'(user: str)\nevent \"pay.ok\"(user: str)\n"
        '"bought it"(u) <- a: "add-to-cart"(u), p: "pay.ok"(u), a before p, {a, p} within 30s\n'
    )
    log.write_text(
        '{"at": 1709287200.5, "type": "add-to-cart", "user": "ann"}\n'
        '{"at": 1709287201, "type": 17, "user": {"x": 1}, "start": "?"}\n'
        '{"at": 1709287220.25, "type": "pay.ok", "user": "ann"}\n'
    )
    how = ("--time", "at", "--event", "type", "--epoch", "s")
    times = {"start": "2024-03-01T10:00:00.500Z", "time": "2024-03-01T10:00:20.250Z"}
    expected = {**times, "event": "bought it", "u": "ann"}
    for command, *engine in (("detect",), ("eval",), ("eval", "--engine", "duckdb")):
        assert rows(remora(command, program, log, *how, "--tick", "250ms", *engine)[1]) == [expected]
    assert "State it: --tick 1s" in refused(remora("detect", program, log, *how))
    program.write_text("tick = 1ms\n" + program.read_text())
    assert rows(remora("detect", program, log, *how)[1]) == [expected]
    assert "the program states 1ms" in refused(remora("detect", program, log, *how, "--tick", "1s"))


@pytest.mark.parametrize("name", HOSTILE)
def test_no_name_gets_out_of_generated_code_or_of_claims(name: str) -> None:
    pattern = parse("((a ; b)[9] - c) | (a + d)")
    hostile = substitute(pattern, {letter: Identifier(f"{name}{letter}") for letter in "abcd"})
    times = {"a": [1, 20, 31], "b": [3, 25], "c": [2, 30], "d": [22, 40]}
    expected = api.detect(pattern, times).intervals
    assert expected
    for detector in (*DETECTORS, "generated"):
        trace = {f"{name}{letter}": found for letter, found in times.items()}
        assert api.detect(hostile, trace, detector=detector, intervals=True).intervals == expected
    assert str(hostile).isprintable()
    left, right = (quoted(f"{name}{letter}") for letter in "ab")
    proved, refuted = api.prove(f"{left} | {right} == {right} | {left}", f"{left} ; {right} == {right} ; {left}")
    assert (proved.standing.value, refuted.standing.value) == ("agreed", "refuted")
    assert not api.equivalent(f"{left} ; {right}", f"{right} ; {left}").holds


def test_tables_and_mappings_have_times_of_day_too() -> None:
    when = pandas.to_datetime(["2024-03-01 10:00:00", "2024-03-01 10:00:20"], utc=True)
    table = pandas.DataFrame({"when": when, "kind": ["a.x", "b"], "n": [1, 2]})
    found = api.detect('("a.x" ; b)[20s]', table, time="when", event="kind", value="n", tick="1s")
    assert [(row["start"], row["end"]) for row in found.rows()] == [(FOUND["start"], FOUND["end"])]
    day = datetime.datetime(2024, 3, 1, 10, tzinfo=datetime.UTC)
    trace = api.trace({"a.x": [day], "b": [day + datetime.timedelta(seconds=20)]}, tick="1s")
    assert api.detect('("a.x" ; b)[20s]', trace).rows()[0]["end"] == FOUND["end"]
    assert "2024-03-01T10:00:00Z" in str(trace)
    with pytest.raises(api.InputError, match="about files and tables"):
        api.trace({"a": [1]}, time="when")
    with pytest.raises(api.InputError, match="--tick 1s"):
        api.detect("(a ; b)[20s]", {"a": [1]})
    with pytest.raises(api.InputError, match="--zone UTC"):
        api.trace({"a": ["2024-03-01 10:00"]}, tick="1s")


def test_a_trace_that_is_read_has_what_the_options_say(log: Path) -> None:
    how: dict[str, Any] = {"time": "when", "event": "kind", "delimiter": ";", "tick": "1s", "skip_bad": True}
    read = api.read_trace(log, **how, value="n", same_time="last")
    assert (read.tick, len(read), len(read.notes)) == ("1s", 4, 2)
    assert ["--skip-bad" in read.notes[0], "--same-time last" in read.notes[1]] == [True, True]
    assert json.dumps(api.evaluate(PAID, read).rows()[0]) == json.dumps(FOUND)
    apart = api.read_traces(log, "user", **how, same_time="last")
    assert {key: len(trace) for key, trace in apart.items()} == {"ann": 3, None: 1}


@pytest.mark.parametrize("name", STRANGE)
def test_the_command_that_is_suggested_reads_the_log(remora: Remora, tmp_path: Path, name: str) -> None:
    content, said = STRANGE[name]
    (tmp_path / name).write_text(content)
    err = refused(remora("detect", "a", tmp_path / name))
    (line,) = (line for line in err.splitlines() if line.startswith("  Try: remora "))
    status, out, _ = remora(*shlex.split(line.removeprefix("  Try: remora ")))
    assert (said in err, status, out.count("\n")) == (True, 0, 1)


def test_lengths_of_time_are_no_times(remora: Remora, tmp_path: Path) -> None:
    table = pyarrow.table({"time": [datetime.timedelta(days=1)], "event": ["a"]})
    parquet.write_table(table, tmp_path / "t.parquet")
    for tick in ([], ["--tick", "1s"]):
        assert "lengths of time" in refused(remora("detect", "a", tmp_path / "t.parquet", *tick))


def test_functions_read_several_files_patterns_of_names_and_queries(tmp_path: Path) -> None:
    one, other = tmp_path / "1.csv", tmp_path / "2.csv"
    one.write_text("time,event\n1,a\n")
    other.write_text("time,event\n3,b\n")
    query = f"SELECT * FROM read_csv('{tmp_path}/*.csv') ORDER BY time"
    logs: tuple[tuple[Any, bool], ...] = (([one, other], False), (str(tmp_path / "*.csv"), False), (query, True))
    for log, sql in logs:
        assert [(each.start, each.end) for each in api.detect("a ; b", log, sql=sql).found] == [(1, 3)]
    assert api.read_trace([one, other]).name == f"{one} and 1 file more"
    with pytest.raises(api.InputError, match="there is no option tiem") as refused:
        api.read_trace(one, tiem="when")
    assert refused.value.remedy == "Did you mean time?"


def test_all_that_stands_against_a_log_is_said_at_once_with_a_command_that_reads_it(remora: Remora, log: Path) -> None:
    log.write_text(f"{LOG}2024-03-01T10:00:01Z;add-to-cart;bob;5\n")
    found = json.loads(remora("look", log, "--format", "json")[1])
    asked = {"time": "when", "event": "kind", "delimiter": ";", "tick": "1s", "sort": True, "same_time": "first"}
    assert (found["options"], found["keys"]) == ({**asked, "skip_bad": True}, ["user"])
    assert found["events"] == {"add-to-cart": 2, 'x ; "y"': 2, "pay.ok": 2}
    counts = {"rows": 6, "bad": 1, "empty": {"user": 1}, "out_of_order": 1, "lag": 20, "same_tick": 1, "repeated": 1}
    assert {name: found[name] for name in counts} == counts
    assert (found["command"] in remora("look", log)[1], remora(*shlex.split(found["command"])[1:])[0]) == (True, 0)


def test_options_beside_a_log_are_used_and_told_and_the_command_line_goes_before_them(
    remora: Remora, log: Path
) -> None:
    assert "stored in" in remora("look", log, "--write")[2]
    _, out, err = remora("detect", PAID, log)
    assert ("--time when" in err, [row["start"] for row in rows(out)]) == (True, [FOUND["start"]])
    assert "no column 'at'" in refused(remora("detect", PAID, log, "--time", "at"))
    assert "a table for shop.csv already" in refused(remora("look", log, "--write"))
    status, _, err = remora("detect", PAID, log, "--ties", "order")
    assert (status, "--tick 1s" in err, "--same-time" in err) == (0, True, False)


@pytest.mark.parametrize("command", ["detect", "eval"])
@pytest.mark.parametrize(("text", "language"), [("deliveries.rules", "rules"), ("logistics.profile", "profiles")])
def test_an_order_within_a_tick_is_refused_for_rules_and_profiles(
    remora: Remora, log: Path, command: str, text: str, language: str
) -> None:
    status, out, err = remora(command, files("remora") / "examples" / text, log, "--ties", "order")
    assert (status, out, f"--ties is for patterns, and this is {language}" in err) == (2, "", True)
    assert "Leave it out. In rules events of one tick are simultaneous; of sequences in a profile" in err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('tmie = "at"', "remora.toml: tmie: there is no such option\n  Did you mean time?"),
        ('["*.json"]\nsort = 1', 'remora.toml: ["*.json"] sort: 1 is no value of it\n  Write true or false.'),
        ("time = ", "remora.toml: it is no TOML"),
    ],
)
def test_a_file_beside_a_log_that_states_no_option_is_refused(remora: Remora, log: Path, text: str, said: str) -> None:
    (log.parent / "remora.toml").write_text(text)
    assert said in refused(remora("detect", "a", log))
