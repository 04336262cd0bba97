"""Engines of a system judged by random cases, for a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from campaigns.engine.campaign import run_locally
from campaigns.engine.settings import Settings
from laws.standings import Standing

MOST_REFUSED = 0.01
"""The share of cases that may be refused: of a case that is refused nothing is known."""


def judged_engines(
    system: str, engines: Sequence[str], cases: int, seed: int, advance: Callable[[str, int], object]
) -> dict[str, Any]:
    """The judgements, the failures among them, and how many cases an engine refused, as plain data."""
    settings = Settings(system=system, seed=seed, cases=cases, detectors=tuple(engines))
    failed, refused, judgements, answers = [], 0, 0, 0
    for row in run_locally(settings, 0, cases):
        advance("", row.case + 1)
        failed += [{"case": row.case, **failure} for failure in row.failures]
        refused += bool(row.refusals)
        judgements, answers = judgements + row.judgements, answers + row.expected
    return {
        "seed": seed,
        "cases": cases,
        "engines": list(engines),
        "judgements": judgements,
        "answers": answers,
        "failures": failed,
        "refused": refused,
    }


def problem(judged: Mapping[str, Any]) -> tuple[Standing, str] | None:
    """What is wrong with engines by their judgements; None for nothing."""
    who, cases, refused = " and ".join(judged["engines"]), judged["cases"], judged["refused"]
    if judged["failures"]:
        return Standing.REFUTED, f"{len(judged['failures'])} judgements of the engines {who} failed"
    if refused > MOST_REFUSED * cases or not judged["answers"]:
        said = f"of {cases} cases {refused} were refused, and {judged['answers']} answers expected"
        return Standing.UNKNOWN, f"too little is known of the engines {who}: {said}"
    return None
