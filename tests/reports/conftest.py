"""A report with every section, and records to build others from."""

import copy
from collections.abc import Callable
from functools import reduce
from typing import Any

import pytest

Change = Callable[[dict[str, Any]], object]


def place(report: Any, path: str) -> Any:
    return reduce(lambda inner, key: inner[int(key) if key.isdecimal() else key], path.split(), report)


def at(path: str, **values: object) -> Change:
    """Changes a record at a place such as `claims 0`."""
    return lambda report: place(report, path).update(values)


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

ANSWERS = [
    {"solver": "z3 5.4.0", "strategy": "eager", "status": "unsat", "seconds": 0.004, "rlimit": 7706, "reason": ""},
    {
        "solver": "cvc5 1.4.2",
        "strategy": "full",
        "status": "unknown",
        "seconds": 0.01,
        "rlimit": 3125,
        "reason": "spent",
    },
]


def obligation(claim: str, part: str, time: str = "int", **more: Any) -> dict[str, Any]:
    said = {
        "direction": part,
        "standing": "proved",
        "solver": "z3 5.4.0",
        "seconds": 0.014,
        "rlimit": 7706,
        "time": time,
    }
    said |= {"reason": "", "hypotheses": "satisfiable", "sha256": "fedcba9876543210" * 4}
    return {"id": f"{claim}/{part}", **said, "answers": copy.deepcopy(ANSWERS), **more}


REPORT: dict[str, Any] = {
    "schema": "remora/report/1",
    "remora": "0.1.0",
    "command": "remora verify --quick",
    "started": "2026-11-21T08:00:00+00:00",
    "seconds": 61.2,
    "seed": 0,
    "verdict": {
        "exit_status": 1, "summary": "One claim is refuted.", "counts": {"refuted": 1, "proved": 40},
        "problems": ["law:2 is refuted"],
    },
    "environment": {"python": "3.11.7", "cores": 2, "packages": {"z3-solver": "5.4.0"}},
    "definitions": [{"name": "seq", "symbol": ";", "title": "sequence", "text": "seq(S, T)", "source": "Def. 3.10"}],
    "claims": [
        {
            "id": "law:14", "kind": "law", "statement": "(A + B) - C == ((A - C) + B) - C",
            "source": "Theorem 4.3", "reading": "Checking early changes nothing.", "condition": "none",
            "standing": "proved",
            "obligations": [obligation("law:14", "ltr", direction="⊆", reason="no reason", answers=ANSWERS[:1])],
            "tests": [
                {
                    "method": "exhaustive", "standing": "tested", "cases": 2097152, "seconds": 0.2,
                    "bound": "all streams over 3 occurrences",
                },
            ],
            "counterexample": None,
        },
        {"id": "law:2", "statement": "A ; B == B ; A", "standing": "refuted", "counterexample": COUNTEREXAMPLE},
    ],
    "canaries": [
        {
            "id": "canary:1", "statement": "A ; B == B ; A", "reading": "Order matters.",
            "expected": "refuted", "standing": "refuted", "ok": True, "seconds": 0.02,
            "counterexample": COUNTEREXAMPLE,
        },
    ],
    "checks": [{"id": "vacuous", "what": "equal sides are vacuous", "ok": True, "detail": "A == A"}],
    "detection": [
        {
            "expression": "(fail ; fail)[60] - ok", "trace": "examples/logins.csv", "events": 120,
            "detections": 7, "agree": True, "detector": "figure2", "seconds": 0.01,
        },
    ],
    "campaign": {
        "seed": 0, "cases": 5000, "failed": 1, "vacuous": 812, "seconds": 12.0, "failures": [FAILURE],
    },
    "stages": [{"name": "laws", "seconds": 1.2, "detail": "72 obligations"}],
    "warnings": ["one solver only"],
}  # fmt: skip

STEP: dict[str, Any] = {
    "claim": "lemma:5.3",
    "operator": "con",
    "ticks": None,
    "history": [{"time": 0, "left": [A], "right": None}, {"time": 1, "left": None, "right": [B]}],
    "kind": "output",
    "output": [B],
    "expected": [[A, B]],
    "detail": "",
}

STREAMS: dict[str, Any] = {
    "statement": "rem(S, T) implies T = S",
    "conclusion": "T is S",
    "bound": 2,
    "streams": {"S": [instance(A, B), instance(B)], "T": [instance(B)], "U": []},
}

THEOREMS: list[dict[str, Any]] = [
    {
        "id": "lemma:5.1", "kind": "lemma",
        "statement": "valid(e_τ, S, τ) for all τ implies rem(S, {e_0, …})", "source": "Lemma 5.1",
        "reading": "Outputs that are right form a restriction.", "standing": "agreed",
        "reason": "two engines", "note": "Printed otherwise.", "scheme": "The three conditions.",
        "rests_on": [], "trusts": ["Python's lists"], "not_in_dense_time": "", "dense_time": "agreed",
        "obligations": [
            obligation("lemma:5.1", "base", certificate={"sha256": "ab" * 32, "checked": True, "detail": "by ethos"}),
            obligation("lemma:5.1", "base over dense time", "real"),
        ],
    },
    {
        "id": "lemma:5.3", "kind": "lemma", "statement": "The conjunction is right", "source": "Lemma 5.3",
        "reading": "The step that runs is right.", "standing": "certified",
        "scheme": "Induction over the times.", "rests_on": ["lemma:5.1", "theorem:4.6"],
        "trusts": ["finitely many instances end", "the loop"], "not_in_dense_time": "It counts ticks.",
        "dense_time": "does not carry over",
        "obligations": [obligation("lemma:5.3", f"step {number}") for number in range(6)],
    },
    {"id": "theorem:4.6.con", "kind": "theorem", "statement": "rem is kept", "standing": "agreed"},
]  # fmt: skip

PROOF_SIDE: dict[str, Any] = {
    "claims": THEOREMS,
    "errata": [
        {
            "id": "theorem-4.5-less", "place": "Theorem 4.5, proof", "kind": "false as printed",
            "origin": "scan or print", "printed": "start(t) < start(t')",
            "problem": "Def. 3.12 gives at most.", "reading": "start(t) ≤ start(t')", "as_claimed": True,
            "evidence": [
                {
                    "check": "claim", "about": "both restrictions", "expected": "fails",
                    "found": "false of S = {p@0}", "as_claimed": True,
                },
            ],
        },
        {
            "id": "six", "place": "Section 1", "kind": "confirmed", "origin": "print",
            "printed": "six occurrences", "problem": "A count.", "reading": "", "as_claimed": True,
            "evidence": [
                {"check": "count", "about": "A + B", "expected": "6", "found": "6", "as_claimed": True},
            ],
        },
    ],
    "wordings": [{"place": "Section 5", "printed": "the the main loop", "reading": "the main loop"}],
    "record": {"same": False, "differences": ["law:3 was recorded as unknown"]},
    "solvers": {
        "rows": [{"solver": "z3 5.4.0", "proofs": 579, "asked": 580, "seconds": 12.5}],
        "disagreements": [{"id": "law:9", "detail": "z3 has a proof, cvc5 a model"}],
    },
}  # fmt: skip


@pytest.fixture
def proofs() -> dict[str, Any]:
    """The same with the sections of the proof side."""
    claims = [*REPORT["claims"], *THEOREMS]
    return copy.deepcopy({**REPORT, **PROOF_SIDE, "claims": claims})


def copied(record: dict[str, Any]) -> Any:
    return pytest.fixture(lambda: copy.deepcopy(record))


report = copied(REPORT)
step = copied(STEP)
streams = copied(STREAMS)
counterexample = copied(COUNTEREXAMPLE)
failure = copied(FAILURE)
