"""A report with every section, and records to build others from."""

import copy
import json
from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

Change = Callable[[dict[str, Any]], object]


def place(report: Any, path: str) -> Any:
    return reduce(lambda inner, key: inner[int(key) if key.isdecimal() else key], path.split(), report)


def at(path: str, **values: object) -> Change:
    """Changes a record at a place such as `claims 0`."""
    return lambda report: place(report, path).update(values)


def instance(*occurrences: dict[str, Any]) -> dict[str, Any]:
    times = [item["time"] for item in occurrences]
    return {"start": min(times), "end": max(times), "instance": list(occurrences)}


RECORDS: dict[str, Any] = json.loads(Path(__file__).with_name("records.json").read_text("utf-8"))
REPORT, PROOF_SIDE, THEOREMS, FAILURE = (RECORDS[name] for name in ("report", "proof side", "theorems", "failure"))


@pytest.fixture
def proofs() -> dict[str, Any]:
    claims = [*REPORT["claims"], *THEOREMS]
    return copy.deepcopy({**REPORT, **PROOF_SIDE, "claims": claims})


def copied(record: dict[str, Any]) -> Any:
    return pytest.fixture(lambda: copy.deepcopy(record))


report = copied(REPORT)
step = copied(RECORDS["step"])
streams = copied(RECORDS["streams"])
counterexample = copied(RECORDS["counterexample"])
failure = copied(FAILURE)
