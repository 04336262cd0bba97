"""Engines of a system judged by random cases, for a report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from campaigns.engine.campaign import run_locally
from campaigns.engine.settings import Settings


def judged_engines(
    system: str, engines: Sequence[str], cases: int, seed: int, advance: Callable[[str, int], object]
) -> dict[str, Any]:
    """The judgements and the failures among them, as plain data."""
    settings = Settings(system=system, seed=seed, cases=cases, detectors=tuple(engines))
    failed, judgements, answers = [], 0, 0
    for row in run_locally(settings, 0, cases):
        advance("", row.case + 1)
        failed += [{"case": row.case, **failure} for failure in row.failures]
        judgements, answers = judgements + row.judgements, answers + row.expected
    return {
        "seed": seed,
        "cases": cases,
        "engines": list(engines),
        "judgements": judgements,
        "answers": answers,
        "failures": failed,
    }
