"""Known answers about conditions of rules: what is said of events is neither more nor less than a log can show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from detectors.bry_eckert.bodies import body_of
from detectors.bry_eckert.differencing import as_relevant
from remora.verification.known.answers import Checks, Row
from remora.verification.known.judges.rules import _short
from semantics.bry_eckert.algebra.planning import planned
from semantics.bry_eckert.checking import parse
from smt.bry_eckert.relevance import decided, of_plan

_DATED = "event S(t: int)\nevent D(t: int)\naxiom s: S(t = 1), d: D(t = u) => {s, d} within 2\n"
_AB = "event A(x: int, n: str)\nevent B(x: int)\n"
_LONG = _AB + "C(x) <- a: A(x = x), b: B(x), {a, b} within 3\nC(x) <- a: A(x = x), b: B(x), {a, b} within 2\n"
_NEEDED: Mapping[str, str] = {
    "a text that comes before another": _AB + 'F(x) <- a: A(x, n), b: B(x), n < "m", {a, b} within 4',
    "a quotient": _AB + "F(x) <- a: A(x = x), b: B(x), x / 2 > 3, {a, b} within 4",
    "an axiom about one value": _DATED + "F(t) <- s: S(t), d: D(t), {s, d} within 4",
    "an event type of two rules": _LONG + "F(x) <- c: C(x), b: B(x), b during c",
}
"""Rules in which a tuple is needed where it is given up a tick earlier, by what they speak of."""

_TWICE = "event S(t: int)\nevent D(t: int, u: int)\naxiom D({}) unique\nF(t) <- s: S(t), d: D(t, u)"
"""A rule with an event type that is unique by some attributes."""

checks = Checks()


@checks.known("conditions of rules", "a condition is safe by what axioms and rules say, and by no more")
def _conditions() -> Iterator[Row]:
    for title, text in _NEEDED.items():
        program = parse(text)
        plan = planned(program, {})
        for kept, safe in ((as_relevant, True), (_short, False)):
            found = {one.holds for one in of_plan(program, plan, kept)}
            yield f"{'kept as long as needed' if safe else 'given up earlier'}, with {title}", found, {safe}
    programs = {names: parse(_TWICE.format(names)) for names in ("t", "t, u")}
    plan = planned(programs["t"], {})
    (part,) = plan.definitions
    body = body_of(part.expression, plan)  # type: ignore[arg-type]  # no union
    kept_until = body.relevance(0, plan, plan.points)[1]
    for names, program in programs.items():
        bare = replace(plan, axioms=planned(program, {}).axioms)
        verdict = decided(program, bare, body, 0, kept_until, plan.points, tightness=False)
        yield f"{kept_until}, where D({names}) is unique", verdict.safe, names == "t"
        found = {one.holds for one in of_plan(program, planned(program, {}), as_relevant)}
        yield f"what is kept where D({names}) is unique", found, {True}
