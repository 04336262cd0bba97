"""A report with every section and with what is hard to lay out: long names, many types, large times, many instances."""

from __future__ import annotations

import copy
from typing import Any

from tests.reports.conftest import COUNTEREXAMPLE, FAILURE, PROOF_SIDE, REPORT, STEP, THEOREMS, occurrence
from tests.reports.conftest import instance as instance_of

LONG = "com.example.payments.gateway.AuthorisationDeclinedByIssuingBank"

AXIOMS = ["interval", "join-start", "join-end", "join-commutative", "join-associative", "join-idempotent"]


def failing(name: str, trace: list[Any], expected: list[Any], detected: list[Any]) -> dict[str, Any]:
    return {
        **copy.deepcopy(FAILURE),
        "kind": name,
        "trace": trace,
        "expected": expected,
        "detected": detected,
    }


def hard_timelines() -> list[dict[str, Any]]:
    """Failing cases whose drawings have little room."""
    kinds = [f"kind-{number}" for number in range(12)]
    wide = [occurrence(kinds[number % 12], number) for number in range(48)]
    large = [occurrence("ab"[number % 2], 1_700_000_000 + 997 * number) for number in range(12)]
    ties = [occurrence(kind, time) for time in (0, 1, 1_000_000) for kind in ("a", "b", "c", "d")]
    many = [[start, start + 9] for start in range(40)]
    long_names = [occurrence(LONG, 0), occurrence(f"{LONG}Again", 3), occurrence("ok", 4, "a value")]
    return [
        failing("long names", long_names, [[0, 4], [3, 4]], [[0, 3]]),
        failing("twelve event types", wide, [[0, 11], [12, 30]], [[0, 12]]),
        failing("ties", ties, [[0, 1], [1, 1], [1, 1_000_000]], [[0, 1], [0, 1], [1, 1]]),
        failing(
            "large times",
            large,
            [[1_700_000_000, 1_700_000_997], [1_700_002_991, 1_700_008_973]],
            [[1_700_000_000, 1_700_010_967]],
        ),
        failing("forty instances", [occurrence("a", time) for time in range(50)], many, many[:-1]),
    ]


def many_members() -> dict[str, Any]:
    """A counterexample whose instances have ten members, with large times."""
    members = [occurrence(f"e{number % 4}", 1_700_000_000 + 60 * number, "x") for number in range(10)]
    return {
        **copy.deepcopy(COUNTEREXAMPLE),
        "statement": "(A + B) ; (C + D) == (C + D) ; (A + B)",
        "substitution": {"A": f"({LONG} | b) ; c", "B": "b"},
        "trace": members,
        "left": {"expression": "a ; b", "instances": [instance_of(*members), instance_of(*members[3:7])]},
        "right": {"expression": f"{LONG} ; b", "instances": [instance_of(*members[3:7])]},
    }


def _campaign() -> dict[str, Any]:
    share = {"cases": 5000, "vacuous": 812, "failures": 0, "refused": 7}
    return {
        **copy.deepcopy(REPORT["campaign"]),
        "judgements": 102_345,
        "refused": 14,
        "detectors": {"figure2": {**share, "failures": 1}, "register-machine-steps": share},
        "causes": [
            {
                "detector": "figure2",
                "path": "seq > con",
                "kind": "missing detection",
                "relation": "meaning",
                "cases": 1,
                "first": 17,
            }
        ],
        "coverage": {
            "cases": 5000,
            "sampled": 630,
            "groups": [
                {"group": "pair", "behaviours": 54, "reached": 54, "cases": 5000, "never": []},
                {
                    "group": "branch",
                    "behaviours": 93,
                    "reached": 92,
                    "cases": 630,
                    "never": ["branch:seq-figure4 evict_before:not position:true"],
                },
            ],
        },
        "regressions": {"tried": 54, "failures": []},
        "texts": [
            {"detector": "figure3", "standing": "proved", "tried": 3, "refuted": 0, "detail": "3 patterns"},
            {
                "detector": "generated",
                "standing": "refuted",
                "tried": 3,
                "refuted": 1,
                "detail": "1 is wrong",
            },
        ],
        "failures": hard_timelines(),
    }


def _power() -> dict[str, Any]:
    death = {"case": 198, "kind": "wrong start", "detail": "at 26: {b@16, c@26} from 16 to 26 reported"}
    return {
        "seed": 0,
        "cases": 3000,
        "mutants": 3,
        "killed": 2,
        "median": 9,
        "worst": 199,
        "curve": [[9, 1], [199, 2]],
        "deaths": {"con-earlier": death, "seq-overlap": {**death, "case": 8}},
        "survivors": ["label-less"],
        "altered": {"con-earlier": "figure2", "seq-overlap": "figure2", "label-less": "figure2"},
    }


def throughput() -> dict[str, Any]:
    """What `remora bench --json` writes, shortened."""
    rate = {"median": 12.5, "min": 9.0, "max": 14.0}
    subject = {
        "name": "register-machine columns",
        "family": "remora",
        "reports": "starts and ends",
        "fed": "columns",
        "status": "measured",
        "detail": "",
        "rate": rate,
    }
    others = [
        {
            **subject,
            "name": "duckdb asof",
            "family": "DuckDB",
            "rate": {"median": 1.5, "min": 1.5, "max": 1.5},
        },
        {
            **subject,
            "name": "reelay monitor",
            "family": "reelay",
            "status": "absent",
            "detail": "reelay is not installed",
            "rate": None,
        },
    ]
    return {
        "schema": "remora/bench/1",
        "machine": {"system": "Linux", "processor": "two cores", "cores": 2},
        "seed": 0,
        "results": [
            {
                "pattern": "i",
                "expression": "(fail ; fail)[60] - ok",
                "density": 0.1,
                "subjects": [subject, *others],
            }
        ],
        "scaling": [
            {
                "subject": "figure2 as printed",
                "family": "remora",
                "pattern": "ii",
                "expression": "A ; B",
                "density": 0.1,
                "points": [
                    {"instants": 10_000, "nanoseconds_per_instant": 1268.9, "seconds": [0.0127]},
                    {"instants": 100_000, "nanoseconds_per_instant": 10376.2, "seconds": [1.0376]},
                ],
                "growth": 8.18,
                "stopped": "1,000,000 instants would take about 85 s",
            }
        ],
    }


def _separating_case() -> dict[str, Any]:
    reading = {
        "engine": "one",
        "query": "SELECT s, e FROM (SELECT s, e FROM a ASOF JOIN b ON a.t > b.t) AS i",
        "note": "",
    }
    run = {**reading, "standing": "run", "version": "1.2", "detail": "", "source": None}
    cited = {
        **reading,
        "engine": "two",
        "standing": "cited",
        "version": None,
        "detail": "",
        "source": "A Manual",
    }
    return {
        "id": "inner sequence",
        "title": "A sequence within a sequence",
        "about": "A comes before B.",
        "expression": "B;(A;C)",
        "trace": [occurrence(event, time) for time, event in enumerate("ABC", 1)],
        "readings": [
            {**run, "intervals": [[2, 3]], "ends": [3]},
            {**cited, "intervals": None, "ends": [], "note": "It says so."},
            {**cited, "engine": "three", "query": "", "intervals": None, "ends": None},
        ],
    }


def full_report() -> dict[str, Any]:
    """Every section, the ends of every scale: refuted, open and proved, found and not found."""
    claims = copy.deepcopy([*REPORT["claims"], *THEOREMS])
    claims[1]["counterexample"] = many_members()
    claims.append(
        {
            "id": "lemma:5.5.queue-of-the-generated-loops",
            "kind": "lemma",
            "statement": "The step keeps its invariant",
            "source": "Lemma 5.5",
            "reading": "A wrong step is found.",
            "standing": "refuted",
            "counterexample": copy.deepcopy(STEP),
        }
    )
    for claim in claims:
        for item in claim.get("obligations") or ():
            item["size"] = 4321
    near = copy.deepcopy(PROOF_SIDE["neighbours"])
    near["examples"] += [{**near["examples"][0], "id": f"law:14~{number}"} for number in range(2, 7)]
    return {
        **copy.deepcopy({**REPORT, **PROOF_SIDE}),
        "side_by_side": [_separating_case()],
        "claims": claims,
        "neighbours": near,
        "axioms": {
            "axioms": AXIOMS,
            "rows": [
                {"id": "law:14", "needs": AXIOMS, "detail": "interval: spare"},
                *PROOF_SIDE["axioms"]["rows"][1:],
            ],
        },
        "campaign": _campaign(),
        "power": _power(),
        "throughput": throughput(),
        "checks": [
            *REPORT["checks"],
            {"id": "mutant:con-earlier", "what": "a wrong detector is found: the earlier", "ok": True},
            {"id": "mutant:label-less", "what": "a wrong detector is found: one label", "ok": False},
        ],
    }
