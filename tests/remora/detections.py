"""Traces for `remora detect`, and what it prints as values."""

import json
import random
from typing import Any

from tests.remora.documents import of_its_schema


def rows(text: str) -> list[dict[str, Any]]:
    """What is printed; detections of patterns, which have an end, are of their schema."""
    found: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    for line, row in zip(text.splitlines(), found, strict=True):
        if row.keys() & {"end", "instance"}:
            of_its_schema(line, "remora/row/1")
    return found


def spans(text: str) -> list[tuple[int, int]]:
    return [(row["start"], row["end"]) for row in rows(text)]


LARGE_PATTERN = "(a ; b)[4] - c"


def random_rows(seed: int, count: int, names: str = "abcd") -> list[tuple[int, str]]:
    source = random.Random(seed)
    time = 0
    found: list[tuple[int, str]] = []
    while len(found) < count:
        time += source.choice((1, 1, 2, 5))
        found += [(time, name) for name in names if source.random() < 0.4]
    return found[:count]


def csv_text(lines: list[tuple[int, str]]) -> str:
    return "time,event,value\n" + "".join(f"{time},{event},x{time}\n" for time, event in lines)


def intervals_of(text: str) -> list[tuple[int, int]]:
    found = rows(text)
    assert all(set(row) <= {"start", "end", "partition"} for row in found)
    return [(row["start"], row["end"]) for row in found]
