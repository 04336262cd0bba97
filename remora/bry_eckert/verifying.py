"""Verification of rules: plans with their conditions, exact counts, engines judged by random cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from benchmarks.rules import CHAIN
from laws.standings import Standing
from remora.bry_eckert.measuring import compared, measured_data
from remora.bry_eckert.programs import read_program
from remora.bry_eckert.storing import plan_data
from remora.examples import RULES
from remora.judging.engines import judged_engines
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.planning import planned, read_choices
from semantics.bry_eckert.programs import Program
from semantics.events import Event

ENGINES = ("differencing", "nodes")
"""The engines that are judged."""

SAFE = ("", "no bound", "safe, tight and minimal")
"""What is known of a condition of a right project: nothing is stored, there is none, or it is as it should be."""

EVENTS = 800
"""So many events, one each tick, of four types and with two values of the attribute, are counted on."""

SECOND_PLAN = "F: c, d / e"
"""Query Plan 2 of Figure 1 of 2008, as a choice."""


def standing_of(decision: str) -> Standing:
    """How well a condition stands by what is known of it; that a solver gave up refutes nothing."""
    if decision in SAFE:
        return Standing.PROVED
    gave_up = decision == "not decided" or decision.startswith("safe, tightness unknown")
    return Standing.UNKNOWN if gave_up else Standing.REFUTED


def verified_rules(cases: int, seed: int, advance: Callable[[str, int], object]) -> dict[str, Any]:
    """Plans, counts and judgements, as plain data.

    Args:
        cases: how many random cases the engines are judged by.
        seed: the seed of the log that is counted on, and of the cases.
        advance: is told what is done and how many cases are done.
    """
    chain = parse(CHAIN, "1h")
    plans = {
        "2008, Figure 1, query plan 1": (chain, planned(chain, {})),
        "2008, Figure 1, query plan 2": (chain, planned(chain, read_choices(SECOND_PLAN, chain))),
    }
    example = read_program(RULES)
    plans[RULES.name] = (example, planned(example, {}))
    return {
        "plans": [
            {"name": name, "program": str(program), "plan": plan_data(program, plan)}
            for name, (program, plan) in plans.items()
        ],
        "counts": list(_counts(chain, seed)),
        "events": EVENTS,
        "cases": judged_engines("bry_eckert", ENGINES, cases, seed, advance),
    }


def _counts(program: Program, seed: int) -> Iterator[dict[str, Any]]:
    random = Random(seed)
    events = [
        Event("ABDE"[random.randrange(4)], time, time, {"x": random.randrange(2)}) for time in range(EVENTS)
    ]
    choices = {"query plan 1": {}, "query plan 2": read_choices(SECOND_PLAN, program)}
    for row in compared(program, choices, events):
        yield measured_data(row)
