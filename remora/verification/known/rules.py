"""Known answers about rules: a relevance condition is as long as it has to be and no tick longer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from detectors.bry_eckert.bodies import Body, body_of
from detectors.bry_eckert.differencing import as_relevant
from detectors.bry_eckert.joins import Joins
from remora.verification.known.answers import Known, Row
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.distances import Distance
from semantics.bry_eckert.planning import planned
from semantics.bry_eckert.plans import Plan, Union
from semantics.bry_eckert.relevance import Relevance
from smt.bry_eckert.relevance import decided, doubtful
from smt.solvers.portfolio import Portfolio

_AB = "event A(x: int)\nevent B(x: int)\n"
CONDITIONS: Mapping[str, Mapping[str, int]] = {
    _AB + "F(x) <- a: A(x), b: B(x), a before b, {a, b} within 4": {"a.s": 4},
    _AB + "F(x) <- a: A(x), b: B(x), {a, b} within 2": {"a.s": 2, "b.s": 2},
    _AB
    + "event D(x: int)\nC(x) <- a: A(x), b: B(x), {a, b} within 2\n"
    + "F(x) <- c: C(x), d: D(x), c before d, {c, d} within 5": {"a.s": 2, "b.s": 2, "c.s": 5},
}
"""The relevance times in ticks of some programs."""


def checks(_: Portfolio) -> list[Known]:
    """The checks of this module."""
    return [Known("conditions", "a condition that gives up what is needed is not safe", _conditions)]


def _conditions() -> Iterator[Row]:
    for text, times in CONDITIONS.items():
        program = parse(text)
        plan = planned(program, {})
        found: dict[str, int] = {}
        for part in plan.definitions:
            if isinstance(part.expression, Union):
                continue
            body = body_of(part.expression, plan)
            for number in Joins(body).keys:
                kept = body.relevance(number, plan, plan.points)[1]
                about = f"{kept} in {text.splitlines()[-1]}"
                found |= {stamp: time.ticks for stamp, time in kept.times.items()}
                for change, right in ((0, "safe and tight"), (-1, "not safe"), (1, "safe, not tight")):
                    moved = Relevance({s: Distance(t.ticks + change) for s, t in kept.times.items()})
                    said = str(decided(program, plan, body, number, moved, plan.points))
                    yield f"{about}, {change} ticks longer", said[: len(right)], right
                    brief = decided(program, plan, body, number, moved, plan.points, tightness=False)
                    safe = "safe" if change >= 0 else "not safe"
                    yield f"{about}, {change} ticks longer, in short", str(brief), safe
        yield f"relevance times in {text.splitlines()[-1]}", found, dict(times)
        yield "nothing doubtful", [str(one) for one in doubtful(program, plan, as_relevant)], []
        yield "what is too short", bool(list(doubtful(program, plan, _short))), True


def _short(body: Body, number: int, plan: Plan, points: frozenset[str]) -> Relevance:
    kept = as_relevant(body, number, plan, points)
    return Relevance({stamp: Distance(time.ticks - 1) for stamp, time in kept.times.items()})
