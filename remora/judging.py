"""Detectors on random cases in this process: what a campaign does on Spark for one of them, smaller and for all."""

from __future__ import annotations

from campaigns.cases import generate
from campaigns.judge import judge
from campaigns.loading import any_factory
from campaigns.settings import Settings
from detectors import compiled
from remora.data import JsonObject

COMPILED = "-compiled"
"""Detectors of this kind take a second or more for every new expression; their loops are judged as Python runs them."""


def judged_here(name: str) -> bool:
    """Whether a detector of the catalogues is judged here: not the campaign's, and none that compiles."""
    return name != Settings(seed=0, cases=1).detector and not name.endswith(COMPILED)


def judged(name: str, seed: int, cases: int) -> JsonObject:
    """The first cases of a seed, put to a detector.

    Returns:
        How many cases there were, failed, were refused as beyond the detector's limits, and had nothing to detect;
        and the number, kind and detail of the first failure.
    """
    factory = any_factory(name)
    failed = refused = vacuous = 0
    first: JsonObject | None = None
    for number in range(cases):
        verdict = judge(generate(seed, number), factory)
        refused += verdict.refused
        vacuous += verdict.vacuous
        if not verdict.ok and not verdict.refused:
            failed += 1
            if first is None and verdict.kind is not None:
                first = {"case": number, "kind": verdict.kind.value, "detail": verdict.detail}
    return {
        "detector": name,
        "compiler": compiled.AVAILABLE,
        "cases": cases,
        "failed": failed,
        "refused": refused,
        "vacuous": vacuous,
        "first_failure": first,
    }
