"""`remora detect` on files that are read by columns: the same detections as row by row."""

import csv
import io
import json
import random
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from tests.remora.conftest import Remora

PATTERNS = (
    "a ; b",
    "(a + b)[6] - c",
    "((a | c) ; (b + c))[20]",
    "(a ; (b ; c)[9]) | (c - (a ; a))",
    "a + (b - (c ; c)[4])",
)

FORMS = ("csv", "csv.gz", "jsonl", "parquet")


@pytest.fixture(autouse=True)
def by_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small files are read by columns as well, a few rows at a time."""
    monkeypatch.setattr("remora.commands.detect._worth_while", lambda: 0)
    monkeypatch.setattr("semantics.traces.text_columns.BLOCK", 100)
    monkeypatch.setattr("semantics.traces.arrow_columns.BATCH_ROWS", 7)
    monkeypatch.setattr("remora.terminal.results.detected_lines.PIECE", 20)
    monkeypatch.setattr("detectors.carlson_lisper.blocks.LEAST", 5)
    monkeypatch.setattr("detectors.carlson_lisper.blocks.WORTH_WHILE", 0)
    monkeypatch.setattr("detectors.carlson_lisper.blocks.ENTRIES", 20)


def written(rows: Sequence[Mapping[str, Any]], form: str, path: Path, rng: random.Random) -> Path:
    """A file with some rows, the cells of CSV quoted here and there."""
    path = path / f"log.{form}"
    if form == "parquet":
        parquet.write_table(pyarrow.Table.from_pylist([dict(row) for row in rows]), path)
        return path
    if form == "jsonl":
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    else:
        stream = io.StringIO()
        ending = rng.choice(["\n", "\r\n"])
        plain, quoted = (
            csv.writer(stream, quoting=how, lineterminator=ending)
            for how in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL)
        )
        rng.choice([plain, quoted]).writerow(rows[0])
        for row in rows:
            rng.choice([plain, plain, quoted]).writerow(
                ["" if cell is None else cell for cell in row.values()]
            )
        text = stream.getvalue()
    data = text.encode()
    if form == "csv.gz":
        data = pyarrow.compress(data, "gzip", asbytes=True)
    path.write_bytes(data)
    return path


def random_log(rng: random.Random, form: str, times: str, *, clean: bool) -> Sequence[Mapping[str, Any]]:
    """Rows with types, some of which no pattern mentions, values of several kinds, and users, of whom one is missing.

    One that is not clean has an event type twice at one time, or a name of a user with quotes.
    """
    users: list[Any] = (
        rng.choice([[1, 2, None], ["x", "yy"]]) if form == "parquet" else [None, "anna", "ben, b.", "ü"]
    )
    if form != "parquet" and not clean:
        users.append('c "c"')
    values: list[Any] = ["x", 'say "no"', "Größe", "a,b", None]
    if form == "jsonl":
        values += [1, 2.50, -0.0, True, "line\nend", "tab\t"]
    now, seen, rows = 0, set[tuple[int, str, object]](), []
    for _ in range(rng.randint(1, 60)):
        now += rng.choice([0, 0, 1, 1, 2, 7])
        event, user = rng.choice(["a", "b", "c", "other", "a.b"]), rng.choice(users)
        key = (now, event, None if clean else user)
        if key in seen:
            continue
        seen.add(key)
        rows.append(
            {"time": stamp(now, times, rng, form), "event": event, "value": rng.choice(values), "user": user}
        )
    if form == "parquet":
        kind: list[Any] = rng.choice([["x", None, 'q"'], [1, 2, 3], [0.5, None]])
        rows = [{**row, "value": rng.choice(kind)} for row in rows]
    return rows


def stamp(now: int, times: str, rng: random.Random, form: str) -> Any:
    """A time as it is written."""
    moment = datetime(2024, 2, 28, 23, 59, 30, tzinfo=UTC) + timedelta(seconds=now)
    match times:
        case "ticks":
            return now
        case "epoch":
            return 1_700_000_000_000 + 1000 * now
        case "zone":
            ahead = timezone(timedelta(hours=rng.choice([-5, 0, 2])))
            return moment if form == "parquet" else moment.astimezone(ahead).isoformat()
        case _:
            naive = moment.replace(tzinfo=None)
            return naive if form == "parquet" else naive.isoformat(sep=rng.choice([" ", "T"]))


OPTIONS = {
    "ticks": (),
    "epoch": ("--tick", "1s", "--epoch", "ms"),
    "zone": ("--tick", "1s"),
    "naive": ("--tick", "500ms", "--zone", "+01:00"),
    "changing": ("--tick", "1s", "--zone", "Europe/Berlin"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("times", OPTIONS)
@pytest.mark.parametrize("clean", [False, True])
def test_columns_and_rows_have_the_same_answer(
    remora: Remora, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, times: str, clean: bool
) -> None:
    rng = random.Random(f"{form} {times} {clean}")
    log = written(random_log(rng, form, times, clean=clean), form, tmp_path, rng)
    several = tmp_path / "patterns"
    several.write_text("\n".join(PATTERNS))
    ways = [(), ("--intervals",), ("--format", "text"), ("--partition-by", "user")]
    for options in rng.sample(ways, 3):
        which = rng.choice([(rng.choice(PATTERNS),), ("--patterns", several)])
        asked = ("detect", *which, log, *OPTIONS[times], *options)
        found = remora(*asked)
        with monkeypatch.context() as patch:
            patch.setattr("remora.commands.detect._by_columns", lambda *_: (-1, False))
            assert found == remora(*asked)
        with monkeypatch.context() as patch:
            patch.setattr(
                "remora.commands.detect._by_rows", lambda *_, **__: pytest.fail("it was read by rows")
            )
            assert not clean or found == remora(*asked)


def dirty_line(row: Mapping[str, Any], form: str, times: str, rng: random.Random) -> str:
    """A line for a row as one log writes it, and another one does not."""
    row = dict(row)
    if times == "ticks" and rng.random() < 0.3:
        row["time"] = float(row["time"])
    elif times == "naive" and rng.random() < 0.3:
        row["time"] = row["time"].removesuffix(":00").replace(".", rng.choice([".", ","]))
    if form == "jsonl":
        row["extra"] = rng.choice(
            [None, {"a": [1, {"b": 'c "d"\n'}], "": {}}, [[], [2.5, "ü"]], {"k": {"k": True}}]
        )
        if rng.random() < 0.2:
            row = dict(rng.sample(list(row.items()), len(row)))
        return json.dumps(row, ensure_ascii=rng.random() < 0.7)
    stream = io.StringIO()
    plain, quoted = (
        csv.writer(stream, quoting=how, lineterminator="") for how in (csv.QUOTE_MINIMAL, csv.QUOTE_ALL)
    )
    rng.choice([plain, quoted]).writerow(["" if cell is None else cell for cell in row.values()])
    return stream.getvalue()


BAD = {
    "csv": [
        "garbage", "1,a", '5,"a"b,,', "x,a,v,anna", '"', "  ", "", '1,a,"x', "7,a,\0,anna", "9,a,\udcff,x",
    ],
    "jsonl": ["garbage", '{"time": 1}', "[]", "{}", " ", "", '{"time": "x", "event": "a"}', "\udcff", "\0"],
}  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("form", BAD)
@pytest.mark.parametrize("times", ["ticks", "naive", "epoch", "zone"])
def test_a_row_that_the_kernel_does_not_take_costs_no_more_than_itself(
    remora: Remora, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, times: str, seed: int
) -> None:
    rng = random.Random(f"{form} {times} {seed}")
    rows = random_log(rng, form, times, clean=True)
    names = {"c": 'c "c"', "other": rng.choice(["other", 'o"'])}
    rows = [{**row, "event": names.get(row["event"], row["event"])} for row in rows]
    users = ['c "c"', "anna", None, *([2, 2.0, "2", True] if form == "jsonl" else [])]
    rows = [row if rng.random() < 0.8 else {**row, "user": rng.choice(users)} for row in rows]
    lines = [dirty_line(row, form, times, rng) for row in rows]
    bad = [rng.choice(BAD[form]) if rng.random() < 0.15 else None for _ in lines]
    first = 1 if form == "jsonl" else 2
    for place in range(len(lines) - 1, first, -1):
        if (line := bad[place]) is not None:
            lines.insert(place, line)
    headless = form == "csv" and rng.random() < 0.3
    text = "\n".join([",".join(rows[0])] * (form == "csv" and not headless) + lines) + "\n"
    names_of = ("--header", ",".join(rows[0])) if headless else ()
    path = tmp_path / f"log.{form}"
    path.write_bytes(text.encode(errors="surrogateescape"))
    opens = text.count('"') % 2 or '\n"\n' in text or '1,a,"x' in text
    pattern = rng.choice(PATTERNS).replace("c", '"c \\"c\\""')
    for options in (("--skip-bad",), ("--skip-bad", "--partition-by", "user"), ()):
        asked = ("detect", pattern, path, *OPTIONS[times], "--same-time", "last", *names_of, *options)
        found = remora(*asked)
        with monkeypatch.context() as patch:
            patch.setattr("remora.commands.detect._by_columns", lambda *_: (-1, False))
            assert found == remora(*asked)
        with monkeypatch.context() as patch:
            patch.setattr(
                "remora.commands.detect._by_rows", lambda *_, **__: pytest.fail("it was read by rows")
            )
            assert not options or (form == "csv" and opens) or found == remora(*asked)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("which", ["first", "last"])
@pytest.mark.parametrize("by", [(), ("--partition-by", "user")])
def test_rows_are_sorted_and_one_of_several_is_kept_as_by_rows(
    remora: Remora,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    form: str,
    which: str,
    by: tuple[str, ...],
) -> None:
    rng = random.Random(f"{form} {which} {by}")
    times = rng.choice(list(OPTIONS))
    rows = [row for _ in range(3) for row in random_log(rng, form, times, clean=True)]
    rng.shuffle(rows)
    in_order = sorted(rows, key=lambda row: str(row["time"]).replace("T", " ").zfill(40))
    for log, options in ((rows, ("--sort", "--same-time", which)), (in_order, ("--same-time", which))):
        if times == "zone" and log is in_order:
            continue  # the texts of several zones have another order
        if form == "parquet":  # whose columns have one type
            log = [{**row, "user": str(row["user"]), "value": str(row["value"])} for row in log]
        path = written(log, form, tmp_path, rng)
        asked = ("detect", rng.choice(PATTERNS), path, *OPTIONS[times], *options, *by)
        found = remora(*asked)
        with monkeypatch.context() as patch:
            patch.setattr("remora.commands.detect._by_columns", lambda *_: (-1, False))
            assert found == remora(*asked)
        with monkeypatch.context() as patch:
            patch.setattr(
                "remora.commands.detect._by_rows", lambda *_, **__: pytest.fail("it was read by rows")
            )
            assert found == remora(*asked)
        assert "--sort" not in options or "out of order" in found[2]


@pytest.mark.parametrize("options", [(), ("--intervals",)])
def test_where_too_many_rows_would_be_kept_another_detector_goes_on(
    remora: Remora, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...]
) -> None:
    rng = random.Random(7)
    events = ["a", *(rng.choice("bbbc") for _ in range(80)), "a", "b"]
    rows = [{"time": now, "event": event, "value": now} for now, event in enumerate(events)]
    log = written(rows, "csv", tmp_path, rng)
    found = remora("detect", "a ; (b - c)", log, *options)
    assert found[1].count("\n") > 50
    monkeypatch.setattr("detectors.carlson_lisper.blocks.MOST_KEPT", 20)
    assert found == remora("detect", "a ; (b - c)", log, *options)
