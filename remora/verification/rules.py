"""Verification of rules: plans with their conditions, exact counts, engines judged by random cases."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from random import Random
from typing import Any

from benchmarks.rules import CHAIN
from laws.bry_eckert.catalogue import everything
from laws.standings import Standing
from remora.examples import RULES
from remora.systems.bry_eckert.explaining import plan_data
from remora.systems.bry_eckert.measuring import compared, measured_data
from remora.systems.bry_eckert.programs import read_program
from remora.verification.engines import judged_engines
from semantics.bry_eckert.algebra.planning import Choice, planned, read_choices
from semantics.bry_eckert.algebra.printed_relevance import Weight
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.programs import Program
from semantics.events import Event, Time

ENGINES = ("differencing", "nodes")

SAFE = ("", "no bound", "nothing is ever needed", "safe, tight and minimal")
"""What is known of a condition of a right project: nothing is stored, there is none, or it is as it should be."""

EVENTS = 800
"""So many events, one each tick, are counted on."""

ORDERS = """\
event order(id: int, p: str, q: int)
event shipped(id: int, t: str)
"""

RULE_1 = ORDERS + "comp(id, p) <- o: order(id, p, q), s: shipped(id, t), o before s"
RULE_2 = ORDERS + "overdue(id) <- o: order(id, p, q), w: extend(o, 6h), while w: not shipped(id, t), q < 10"
"""Rules (1) and (2) of 2007, Section 2."""

SECOND_PLAN = "F: c, d / e"
"""Query Plan 2 of Figure 1 of 2008, as a choice."""


def doubts(store: Mapping[str, Any]) -> Iterator[tuple[Standing, str]]:
    """The decision on a condition of a store that is not as it should be; that a solver gave up refutes nothing."""
    decision = store["decision"]
    if decision not in SAFE:
        gave_up = decision == "not decided" or ("unknown" in decision and "not " not in decision)
        yield Standing.UNKNOWN if gave_up else Standing.REFUTED, decision


def verified_rules(cases: int, seed: int, advance: Callable[[str, int], object]) -> dict[str, Any]:
    """Plans, counts and judgements, as plain data."""
    chain = parse(CHAIN, "1h")
    plans = {
        "2008, Figure 1, query plan 1": (chain, planned(chain, {})),
        "2008, Figure 1, query plan 2": (chain, planned(chain, read_choices(SECOND_PLAN, chain))),
    }
    example = read_program(RULES)
    plans[RULES.name] = (example, planned(example, {}))
    return {
        "plans": [
            {
                "name": name,
                "program": str(program),
                "plan": plan_data(program, plan, as_printed=program == chain),
            }
            for name, (program, plan) in plans.items()
        ],
        "figures": list(map(list, figure_rows())),
        "counts": list(_counts(chain, seed)),
        "events": EVENTS,
        "cases": judged_engines("bry_eckert", ENGINES, cases, seed, advance),
    }


def _counts(chain: Program, seed: int) -> Iterator[dict[str, Any]]:
    """What engines do with the programs of both papers, on logs of points in time."""
    random = Random(seed)
    four = [
        Event("ABDE"[random.randrange(4)], time, time, {"x": random.randrange(2)}) for time in range(EVENTS)
    ]
    shop = [_order(time, random) for time in range(EVENTS)]
    plans: dict[str, dict[str, Choice]] = {
        "2008, query plan 1": {},
        "2008, query plan 2": read_choices(SECOND_PLAN, chain),
    }
    for program, choices, events in (
        (chain, plans, four),
        (parse(RULE_1, "1h"), {"2007, rule (1)": dict[str, Choice]()}, shop),
        (parse(RULE_2, "1h"), {"2007, rule (2)": dict[str, Choice]()}, shop),
    ):
        for row in compared(program, choices, events):
            yield measured_data(row)


def _order(time: Time, random: Random) -> Event:
    """An order every other tick, and in between a parcel of one of the last eight."""
    if time % 2 == 0:
        return Event("order", time, time, {"id": time // 2, "p": "muffins", "q": random.randrange(20)})
    return Event("shipped", time, time, {"id": time // 2 - random.randrange(8), "t": str(time)})


def figure_rows() -> Iterator[tuple[str, str, str]]:
    """For each line of Figures 2, 5 and 6 of 2008 the figure, the line, and the claim or the value that it is."""
    for claim in everything():
        if claim.source == "2008, Figure 2":
            yield "Figure 2", claim.statement, claim.id
    for figure, marks in (
        ("Figure 5", {"<": Weight(0, included=False), "≤": Weight(0)}),
        ("Figure 6", {"?": Weight(0, tested=True), "!": Weight(0)}),
    ):
        words = {weight: mark for mark, weight in marks.items()}
        for (one, x), (other, y) in product(marks.items(), repeat=2):
            yield figure, f"({one}, x) + ({other}, y) = ({words[x + y]}, x + y)", "Weight.__add__"
        for (one, x), (other, y) in product(marks.items(), repeat=2):
            sign = "≤" if x < y else "<"
            yield figure, f"({one}, x) < ({other}, y) ⟺ x {sign} y", "Weight.__lt__"
