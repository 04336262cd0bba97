"""A report with every section, and records to build others from."""

from __future__ import annotations

import copy
from typing import Any

import pytest


def occurrence(event: str, time: int, value: str | None = None) -> dict[str, Any]:
    return {"event": event, "time": time, "value": value}


def instance(*occurrences: dict[str, Any]) -> dict[str, Any]:
    times = [item["time"] for item in occurrences]
    return {"start": min(times), "end": max(times), "instance": list(occurrences)}


A, B = occurrence("a", 0), occurrence("b", 1)

COUNTEREXAMPLE: dict[str, Any] = {
    "statement": "A ; B == B ; A",
    "substitution": {"A": "a", "B": "b"},
    "bounds": {"t": 1},
    "trace": [A, B],
    "left": {"expression": "a ; b", "instances": [instance(A, B)]},
    "right": {"expression": "b ; a", "instances": []},
    "relation": "==",
}

FAILURE: dict[str, Any] = {
    "case": 17,
    "detector": "figure2",
    "kind": "missing detection",
    "expression": "a ; b",
    "trace": [occurrence("a", 1), occurrence("b", 3)],
    "expected": [[1, 3]],
    "detected": [],
    "original": {"expression": "(a ; b) | c", "occurrences": 9},
    "replay": "remora campaign replay results 17",
}

REPORT: dict[str, Any] = {
    "schema": "remora/report/1",
    "remora": "0.1.0",
    "command": "remora verify --quick",
    "started": "2026-11-21T08:00:00+00:00",
    "seconds": 61.2,
    "seed": 0,
    "verdict": {
        "exit_status": 1,
        "summary": "One claim is refuted.",
        "counts": {"refuted": 1, "proved": 40},
        "problems": ["law:2 is refuted"],
    },
    "environment": {"python": "3.11.7", "cores": 2, "packages": {"z3-solver": "5.4.0"}},
    "definitions": [
        {"name": "seq", "symbol": ";", "title": "sequence", "text": "seq(S, T) = …", "source": "Def. 3.10"}
    ],
    "claims": [
        {
            "id": "law:14",
            "kind": "law",
            "statement": "(A + B) - C == ((A - C) + B) - C",
            "source": "Theorem 4.3",
            "reading": "Checking early changes nothing.",
            "condition": "none",
            "standing": "proved",
            "obligations": [
                {
                    "id": "law:14/ltr",
                    "direction": "⊆",
                    "standing": "proved",
                    "solver": "z3 5.4.0",
                    "seconds": 0.01,
                    "rlimit": 12345,
                    "reason": "no reason",
                    "hypotheses": "satisfiable",
                    "sha256": "0123456789abcdef" * 4,
                }
            ],
            "tests": [
                {
                    "method": "exhaustive",
                    "standing": "tested",
                    "cases": 2097152,
                    "bound": "all streams over 3 occurrences",
                    "seconds": 0.2,
                }
            ],
            "counterexample": None,
        },
        {
            "id": "law:2",
            "statement": "A ; B == B ; A",
            "standing": "refuted",
            "counterexample": COUNTEREXAMPLE,
        },
    ],
    "canaries": [
        {
            "id": "canary:1",
            "statement": "A ; B == B ; A",
            "reading": "Order matters.",
            "expected": "refuted",
            "standing": "refuted",
            "ok": True,
            "seconds": 0.02,
            "counterexample": COUNTEREXAMPLE,
        }
    ],
    "checks": [{"id": "vacuous", "what": "equal sides are vacuous", "ok": True, "detail": "A == A"}],
    "detection": [
        {
            "expression": "(fail ; fail)[60] - ok",
            "trace": "examples/logins.csv",
            "events": 120,
            "detections": 7,
            "agree": True,
            "detector": "figure2",
            "seconds": 0.01,
        }
    ],
    "campaign": {
        "seed": 0,
        "cases": 5000,
        "detector": "figure2",
        "failed": 1,
        "vacuous": 812,
        "crashed": 0,
        "seconds": 12.0,
        "cases_per_second": 800,
        "spark": "4.3.0",
        "master": "local[2,4]",
        "operators": {"seq": 4000},
        "failures": [FAILURE],
    },
    "stages": [{"name": "laws", "seconds": 1.2, "detail": "72 obligations"}],
    "warnings": ["one solver only"],
}


@pytest.fixture
def report() -> dict[str, Any]:
    return copy.deepcopy(REPORT)


@pytest.fixture
def counterexample() -> dict[str, Any]:
    return copy.deepcopy(COUNTEREXAMPLE)


@pytest.fixture
def failure() -> dict[str, Any]:
    return copy.deepcopy(FAILURE)
