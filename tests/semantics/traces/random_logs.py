"""Random logs in every format, with times of every kind, some of them with lines that cannot be read."""

import csv
import gzip
import io
import json
import random
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pyarrow
from pyarrow import parquet

START = datetime(2024, 2, 28, 23, 59, 30)

FORMATS = {
    "syslog": "%b %d %H:%M:%S",
    "american": "%m/%d/%Y %I:%M:%S %p",
    "apache": "%d/%b/%Y:%H:%M:%S %z",
    "short": "%y%m%d %H%M%S.%f",
}

_WAYS: dict[str, list[dict[str, Any]]] = {
    "ticks": [{}],
    "epoch": [{"tick": "1s", "epoch": "ms"}, {"tick": "7ms", "epoch": "ms", "round": True}],
    "decimals": [{"tick": "1ms", "epoch": "s"}, {"tick": "1s", "epoch": "s", "round": True}, {"tick": "1s"}],
    "offsets": [{"tick": "1s"}, {"tick": "1d", "zone": "Europe/Berlin", "round": True}],
    "utc": [{"tick": "3s", "round": True}, {"tick": "1d", "zone": "America/New_York", "round": True}],
    "local": [{"tick": "1s", "zone": zone} for zone in ("+01:00", "Europe/Berlin", "UTC")],
    "fractions": [{"tick": "1us", "zone": "UTC"}, {"tick": "100ms", "zone": "UTC", "round": True}],
    "commas": [{"tick": "1ms", "zone": "UTC"}],
    "days": [{"tick": "1d"}, {"tick": "1h", "zone": "UTC"}],
}

OPTIONS = _WAYS | {
    name: [
        {"tick": tick, "zone": zone, "round": tick == "1d" or name == "short", "time_format": format}
        | ({"year": 2023} if name == "syslog" else {})
        for tick, zone in (("1s", "UTC"), ("1s", "Europe/Berlin"), ("1s", "-03:30"), ("1d", None))
    ]
    for name, format in FORMATS.items()
}
"""How the times of each kind are read."""

BAD = {
    "csv": (
        *("garbage", "1,a", '5,"a"b,,', "x,a,v,anna", '"', "  ", "", '1,a,"x', "7,a,\0,anna", "9,a,\udcff,x"),
        *("1,a,b,c,d", "+1,a,x,y", " 1,a,x,y", "-0,a,x,y", "1,a,x\ry,z", "1,,x,y", ",a,x,y", "3.0,a,x,y"),
    ),
    "jsonl": (
        *("garbage", '{"time": 1}', "[]", "{}", " ", "", '{"time": "x", "event": "a"}', "\udcff", "\0"),
        *('{"time":1,"time":2,"event":"a"}', '{"time":3.0,"event":"a"}', '{"time":1,"event":null}'),
        *('{"time":1,"event":7}', '{"time":1,"event":1.5}', '{"time":true,"event":"a"}'),
        *('{"time":1,"event":"a","value":[1]}', '{"time":1,"event":"a","value":"\\u0000"}'),
        *('{"time":1,"event":"a","user":{}}', '{"time":1,"event":"a","value":"\\ud800"}'),
        *('{"time":1,"event":"a"} x', '{"time":1e3,"event":"a"}', '{"time":99999999999999999999,"event":"a"}'),
        *('{"time":1,"event":"a","start":1}', '{"time":1,"event":"a","start":0}'),
    ),
}
"""Lines that most of the time cannot be read."""


def stamp(rng: random.Random, kind: str, now: int, form: str) -> Any:
    """A time as it is written."""
    moment = START + timedelta(seconds=now)
    if kind in FORMATS:
        moment = datetime(2023, 11, 20, 2, 30) + timedelta(seconds=now * (3 * 86_400 + 3_599))
        written = moment.strftime(FORMATS[kind]) + (rng.choice(["+0200", "-0700", "Z"]) if kind == "apache" else "")
        return written.replace(" 0", "  ", 1) if kind == "syslog" and rng.random() < 0.5 else written
    if kind in ("ticks", "epoch"):
        return now if kind == "ticks" else 1_700_000_000_000 + 1000 * now
    if kind == "decimals":
        return 1_700_000_000.5 + now if form == "parquet" else f"{1_700_000_000 + now}.{rng.choice(['0', '5', '25'])}"
    if form == "parquet":
        if kind == "days":
            return moment.date()
        return moment.replace(tzinfo=UTC) if kind in ("offsets", "utc") else moment
    ahead = timezone(timedelta(hours=rng.choice([-5, 0, 2])))
    return {
        "offsets": moment.replace(tzinfo=UTC).astimezone(ahead).isoformat(),
        "utc": f"{moment.isoformat()}Z",
        "local": moment.isoformat(sep=" "),
        "fractions": moment.isoformat() + rng.choice(["", ".5", ".123456", ".250"]),
        "commas": moment.isoformat(sep=" ") + ",500",
        "days": str(moment.date()),
    }[kind]


def random_log(rng: random.Random, folder: Path, form: str, kind: str, *, bad: bool = False) -> Path:
    """A file with some rows; some are out of order, some twice, and some cannot be read where it is `bad`."""
    if form == "parquet":
        users: list[Any] = rng.choice([[1, 2, None], ["x", "yy"], ["x", 'q"\\', "ü"]])
    else:
        users = rng.choice([["anna", "ben, b.", None], ["anna", "ü", "b\\"], ["u", "v"]])
    plain = form == "parquet" or rng.random() < 0.4
    values: list[Any] = ["x", "y", None] if plain else ["x", 'say "no"', "Größe", "a,b", None]
    if form == "jsonl":
        values += [1, 2.5, -0.0, True, "line\nend", 1e22, 12345678901234567890]
    now, rows = 0, []
    for _ in range(rng.randint(0 if form == "csv" else 1, 30)):
        now += rng.choice([0, 0, 1, 1, 2, 7])
        event = rng.choice(["a", "b", "c", "other", "a.b"])
        row = {"time": stamp(rng, kind, now, form), "event": event, "value": rng.choice(values)}
        rows.append({**row, "user": rng.choice(users)})
    if rng.random() < 0.6:
        rows = list({(str(row["time"]), row["event"]): row for row in rows}.values())
    if rng.random() < 0.15:
        rng.shuffle(rows)
    path = folder / f"log.{form}"
    if form == "parquet":
        parquet.write_table(pyarrow.Table.from_pylist(rows), path, row_group_size=rng.choice([5, 1000]))
        return path
    lines = [json.dumps(row, ensure_ascii=rng.random() < 0.5) for row in rows]
    if form == "csv":
        lines = []
        for cells in [["time", "event", "value", "user"], *(row.values() for row in rows)]:
            stream, how = io.StringIO(), csv.unix_dialect if rng.random() < 0.2 else csv.excel  # one quotes all
            csv.writer(stream, how, lineterminator="").writerow(["" if cell is None else cell for cell in cells])
            lines.append(stream.getvalue())
    for _ in range(rng.randint(1, 2) if bad else 0):
        lines.insert(rng.randint(1, len(lines)), rng.choice(BAD[form]))
    ending = rng.choice(["\n", "\n", "\r\n"])
    text = ending.join(lines) + rng.choice([ending, ending, "", ending + ending])
    content, way = text.encode(errors="surrogateescape"), rng.random()
    if way < 0.2:
        content = gzip.compress(content) if way < 0.1 else pyarrow.compress(content, "zstd", asbytes=True)
    elif way < 0.25 and form == "csv":
        content = b"\xef\xbb\xbf" + content
    path.write_bytes(content)
    return path
