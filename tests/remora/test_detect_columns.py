"""`remora detect` on files: by columns the same as instant by instant, whatever the log and the options are."""

import random
import re
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow
import pytest
from pyarrow import parquet

from remora.terminal.options import reading_words
from semantics.traces.reading import Reading
from tests.remora.conftest import Remora, refused
from tests.remora.documents import rows as rows_of
from tests.semantics.traces.random_logs import OPTIONS, random_log

PATTERNS = (
    "a ; b",
    "(a + b)[6] - c",
    "((a | c) ; (b + c))[20]",
    "(a ; (b ; c)[9]) | (c - (a ; a))",
    "a + (b - (c ; c)[4])",
)


@pytest.fixture(autouse=True)
def _small_logs_by_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remora.systems.carlson_lisper.face.SMALL", 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "kind"), [("csv", "offsets"), ("jsonl", "ticks"), ("jsonl", "apache"), ("parquet", "ticks")]
)
def test_columns_and_steps_have_the_same_answer(
    remora: Remora, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, kind: str
) -> None:
    rng = random.Random(f"{form} {kind}")
    several = tmp_path / "patterns"
    several.write_text("\n".join(PATTERNS))
    for bad in (False, form != "parquet"):
        log = random_log(rng, tmp_path, form, kind, bad=bad)
        kept: dict[str, Any] = {} if bad else {"sort": True, **rng.choice([{"same_time": "last"}, {"ties": "order"}])}
        reading = Reading(**rng.choice(OPTIONS[kind]), **kept)
        way = rng.choice([(), ("--intervals",), ("--format", "text"), ("--partition-by", "user")])
        which = rng.choice([(rng.choice(PATTERNS),), ("--patterns", several)])
        asked = ("detect", *which, log, *reading_words(reading), *way)
        code, out, err = remora(*asked, "--engine", "steps")
        found = code, out, err.replace(" --engine steps", "")  # which is in the command that is suggested
        assert code in (0, 2)
        code, out, err = remora(*asked, "--engine", "duckdb")
        assert (code, out, err.replace(" --engine duckdb", "")) == found
        with monkeypatch.context() as patch:
            if found[0] == 0 and not bad:
                by_rows = "remora.systems.carlson_lisper.face._Run.by_rows"
                patch.setattr(by_rows, lambda *_, **__: pytest.fail("it was read by rows"))
            assert remora(*asked) == found


@pytest.mark.parametrize("pattern", PATTERNS)
def test_in_the_order_of_rows_detections_are_those_by_definition(remora: Remora, tmp_path: Path, pattern: str) -> None:
    log, rng, found = tmp_path / "log.csv", random.Random(pattern), set()
    rows = [f"1{rng.randrange(10)},{number},{rng.choice('abc')},{rng.choice('uv')}\n" for number in range(10, 70)]
    asked = (pattern, log, "--partition-by", "user", "--ties", "order")
    for tiebreak in ((), ("--tiebreak", "number")):
        rows = sorted(sorted(rows, reverse=bool(tiebreak)), key=lambda row: row[:2])
        log.write_text("".join(["time,number,event,user\n", *rows]))
        printed = [remora("eval", *asked, *tiebreak, "--restricted", "--level", "intervals")]
        printed += [remora("detect", *asked, *tiebreak, "--intervals", "--engine", one) for one in ("columns", "steps")]
        found |= {tuple(sorted(out.splitlines())) for _, out, _ in printed}
    assert len(found) == 1 and all(found)


@pytest.mark.parametrize(
    ("pattern", "simultaneous", "in_order"),
    [("a ; b", True, True), ("b - a", True, False), ("a + b", False, True), ("b | (a ; b)", False, False)],
)
def test_a_tie_is_noted_where_it_may_matter(
    remora: Remora, tmp_path: Path, pattern: str, simultaneous: bool, in_order: bool
) -> None:
    log = tmp_path / "log.csv"
    log.write_text("time,event,user\n0,a,u\n0,b,v\n1,a,u\n1,a,u\n1,c,u\n2,a,u\n2,b,u\n")
    for ties, noted in (("--same-time", "first"), simultaneous), (("--ties", "order"), in_order):
        for engine in ("columns", "steps"):
            options = ("--partition-by", "user", "--engine", engine, *ties)
            err = remora("detect", pattern, log, *options)[2]
            assert ("rows share the time 2, and perhaps later ones" in err, "rows share" in err) == (noted, noted)


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_engines_write_the_same_time_of_day_in_summers_of_later_centuries(
    remora: Remora, tmp_path: Path, form: str
) -> None:
    log = tmp_path / "log.csv"
    log.write_text("time,event\n4434343200,a\n4447569600,b\n")  # noon of 9 July and of 9 December 2110
    for engine in ("columns", "steps"):
        asked = ("a ; b", log, "--tick", "1s", "--epoch", "s", "--zone", "Europe/Berlin", "--intervals")
        out = remora("detect", *asked, "--engine", engine, "--format", form)[1]
        assert re.findall(r"2110[^\s,\"]+", out) == ["2110-07-09T12:00:00+02:00", "2110-12-09T13:00:00+01:00"]
    assert remora("eval", *asked[:-1], "--level", "intervals", "--format", form)[1] == out


TABLES: list[dict[str, list[Any]]] = [
    {"time": [1, None, 5], "event": ["a", "b", "b"]},
    {"time": [1.0, 2.0, 5.0], "event": ["a", "b", "b"]},
    {"time": [1, 2, 5], "event": ["a", "b", "c"], "value": [[1], [2], [3]]},
    {"time": [1, 2, 5], "event": ["a", "b", "c"], "value": ["x", "\0", ""]},
    {"time": [1, 2, 5], "event": ["a", "b", "c"], "value": [b"x", b"y", None]},
    {"time": [1, 2, 5], "event": ["a", "b", "c"], "value": [0.5, 1e300, None]},
    {"when": [1, 2, 5], "event": ["a", "b", "c"]},
]


@pytest.mark.parametrize(
    "content",
    [
        "40,a,x\n3,b,x\n", "50.0,a,x\n", f"{10**19},a,x\n", "50,a b,x\n", "50,a\n51,a,x,y\n", '50,"a",x\n51,b,"no"""\n',
        '50,a,"x\n51,b,y\n', "\n\n50,a,x\n  \n51,b,y\n", "50,a,Größe\n51,b,x\n", f"50,a,{'x' * 140_000}\n", *TABLES,
    ],
    ids=range(17),
)  # fmt: skip
def test_what_is_unusual_is_said_as_by_steps(remora: Remora, tmp_path: Path, content: Any) -> None:
    path = tmp_path / ("t.csv" if isinstance(content, str) else "t.parquet")
    if isinstance(content, str):
        before = "".join(f"{time},{'abc'[time * time % 3]},x{time}\n" for time in range(30))
        path.write_bytes(f"time,event,value\n{before}{content}60,a,x\n61,b,x\n".encode())
    else:
        parquet.write_table(pyarrow.table(content), path)
    status, out, err = remora("detect", "(a ; b)[4] - c", path, "--engine", "columns")
    steps = remora("detect", "(a ; b)[4] - c", path, "--engine", "steps")
    assert (status, out, err.replace("--engine columns", "--engine steps")) == steps
    assert status in (0, 2)


def test_a_table_has_the_rows_of_each_instance(remora: Remora, logins: Path, tmp_path: Path) -> None:
    for name, read in (("found.csv", pl.read_csv), ("found.parquet", pl.read_parquet)):
        out = tmp_path / name
        assert remora("detect", "fail ; ok", logins, "--partition-by", "user", "--out", out) == (0, "", "")
        found: Any = read(out)
        assert found.columns == ["user", "start", "end", "instance", "rows"]
        assert found.row(0)[:4] == ("b", 3, 9, "fail(root)@3 ok(x)@9")
        assert found.row(0)[4] in ("1 3", [1, 3])
    steps = tmp_path / "steps.parquet"
    remora("detect", "fail ; ok", logins, "--partition-by", "user", "--out", steps, "--engine", "steps")
    assert pl.read_parquet(steps).drop("rows").equals(found.drop("rows"))
    logins.write_text("time,event\n1,a\nx,a\n")
    assert refused(remora("detect", "a", logins, "--out", tmp_path / "none.csv"))
    assert not (tmp_path / "none.csv").exists()


@pytest.mark.parametrize("engine", ["columns", "steps", "duckdb"])
def test_detections_are_counted_and_limited(remora: Remora, logins: Path, tmp_path: Path, engine: str) -> None:
    several = tmp_path / "several"
    several.write_text("failing = fail\nok\nfail | nothing\n")
    options = ("--engine", engine)
    assert rows_of(remora("detect", "fail", logins, "--count", *options)[1]) == [{"count": 4}]
    counted = remora("detect", "--patterns", several, logins, "--count", "--format", "text", *options)[1]
    assert counted == "failing  4\nok  2\nfail | nothing  4\n"
    whole = rows_of(remora("detect", "fail", logins, *options)[1])
    assert rows_of(remora("detect", "fail", logins, "--limit", "3", *options)[1]) == whole[:3]
