"""Stages about rules and profiles: their plans and parts, and engines judged by random cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.rules import CHAIN
from campaigns.engine.campaign import run_locally
from campaigns.engine.settings import Settings
from detectors.hinze_voisard.engine import DEFAULT_DETECTOR
from laws.standings import Standing
from proofs.atlas.record import recorded
from remora.examples import PROFILES, RULES
from remora.systems.bry_eckert.explaining import plan_data
from remora.systems.bry_eckert.programs import read_program
from remora.systems.hinze_voisard import explained, read_profiles
from remora.verification.run import Run
from semantics.atlas.catalogue import SETTINGS
from semantics.bry_eckert.algebra.planning import planned, read_choices
from semantics.bry_eckert.checking import parse

MOST_REFUSED = 0.01
"""The share of cases that may be refused: of a case that is refused nothing is known."""

SAFE = ("", "no bound", "nothing is ever needed", "safe and tight")
"""Standings of a condition in a right project: nothing is stored, there is none, or it is as it should be."""

SECOND_PLAN = "F: c, d / e"
"""Query Plan 2 of Figure 1 of 2008, as a choice."""


def rules(run: Run) -> Mapping[str, Any]:
    """Plans of rules with their conditions, and engines judged by random cases."""
    chain, example = parse(CHAIN, "1h"), read_program(RULES)
    programs = {
        "2008, Figure 1, query plan 1": (chain, planned(chain, {})),
        "2008, Figure 1, query plan 2": (chain, planned(chain, read_choices(SECOND_PLAN, chain))),
        RULES.name: (example, planned(example, {})),
    }
    plans: list[dict[str, Any]] = [
        {"name": name, "program": str(program), "plan": plan_data(program, plan)}
        for name, (program, plan) in programs.items()
    ]
    for plan in plans:
        for point in plan["plan"]:
            for store in point["stores"]:
                for standing, said in doubts(store):
                    where = f"{store['relation']} in {point['name']} of {plan['name']}"
                    run.note(standing, f"the condition of {where} is {said}")
    return {"rules": {"plans": plans, "cases": judged_engines("bry_eckert", ("differencing", "nodes"), run)}}


def doubts(store: Mapping[str, Any]) -> Iterator[tuple[Standing, str]]:
    """The decision on a condition of a store that is not as it should be; that a solver gave up refutes nothing."""
    decision = store["decision"]
    if decision not in SAFE:
        gave_up = decision == "not decided" or ("unknown" in decision and "not " not in decision)
        yield Standing.UNKNOWN if gave_up else Standing.REFUTED, decision


def profiles(run: Run) -> Mapping[str, Any]:
    """The profiles of the source, counts of the committed atlas, and their engine judged by random cases."""
    file = read_profiles(PROFILES)
    counts: dict[str, Counter[str]] = {}
    for cell in recorded().values():
        counts.setdefault(SETTINGS[cell.setting].family, Counter())[cell.standing] += 1
    systems = Counter(setting.family for setting in SETTINGS.values())
    return {
        "profiles": {
            "profiles": [explained(file, one.name) for one in file.profiles],
            "atlas": [
                {"family": family, "systems": systems[family], "cells": dict(sorted(found.items()))}
                for family, found in counts.items()
            ],
            "cases": judged_engines("hinze_voisard", (DEFAULT_DETECTOR,), run),
        }
    }


def judged_engines(system: str, engines: Sequence[str], run: Run) -> dict[str, Any]:
    """The judgements of engines, the failures among them, and how many cases an engine refused."""
    cases = run.effort.engines
    with run.progress.stage(system, cases) as advance:
        judged = _judged(Settings(system=system, seed=run.seed, cases=cases, detectors=tuple(engines)), advance)
    wrong = problem(judged)
    if wrong is not None:
        run.note(*wrong)
    return judged


def _judged(settings: Settings, advance: Callable[[str, int], object]) -> dict[str, Any]:
    failed, refused, judgements, answers = [], 0, 0, 0
    for row in run_locally(settings, 0, settings.cases):
        advance("", row.case + 1)
        failed += [{"case": row.case, **failure} for failure in row.failures]
        refused += bool(row.refusals)
        judgements, answers = judgements + row.judgements, answers + row.expected
    return {
        "seed": settings.seed,
        "cases": settings.cases,
        "engines": list(settings.detectors),
        "judgements": judgements,
        "answers": answers,
        "failures": failed,
        "refused": refused,
    }


def problem(judged: Mapping[str, Any]) -> tuple[Standing, str] | None:
    """Problem of engines by their judgements; None for none."""
    who, cases, refused = " and ".join(judged["engines"]), judged["cases"], judged["refused"]
    if judged["failures"]:
        return Standing.REFUTED, f"{len(judged['failures'])} judgements of the engines {who} failed"
    if refused > MOST_REFUSED * cases or not judged["answers"]:
        said = f"of {cases} cases {refused} were refused, and {judged['answers']} answers expected"
        return Standing.UNKNOWN, f"too little is known of the engines {who}: {said}"
    return None
