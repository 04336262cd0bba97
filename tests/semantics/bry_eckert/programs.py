"""Programs and histories that several tests read."""

from collections.abc import Sequence
from functools import cache
from math import isclose

from campaigns.bry_eckert.cases import PROFILES, Case, generate
from campaigns.choices import Weights
from semantics.events import Event, Value

USUAL = Weights.of({name: profile.weight for name, profile in PROFILES.items()})

ORDERS = """\
tick = 1h
event order(id: int, p: str, q: int)
event shipped(id: int, t: str)
comp(id, p)     <- o: order(id, p, q), s: shipped(id, t), o before s
overdue(id)     <- o: order(id, p, q), w: extend(o, 6h),  while w: not shipped(id, t), q < 10
overdue(id)     <- o: order(id, p, q), w: extend(o, 12h), while w: not shipped(id, t), q >= 10
rep(count(sid)) <- o: overdue(oid), w: extend_backward(o, 24h), while w: collect shipped(sid, t)
"""
"""The rules (1) to (4) of 2007, Section 2."""

CHAIN = """\
tick = 1h
event A(x: int)
event B(x: int)
event D(x: int)
event E(x: int)
F(x) <- c: C(x), d: D(x), e: E(x), c before d, {c, d} within 4h, d before e, {d, e} within 1h
C(x) <- a: A(x), b: B(x), {a, b} within 2h
"""
"""The program of 2008, Section 2.1."""


def cases(number: int, seed: int = 0) -> list[Case]:
    """The first cases of a campaign."""
    return [_case(seed, each) for each in range(number)]


@cache
def _case(seed: int, number: int) -> Case:
    return generate(seed, number, USUAL)


def same(found: Sequence[Event], expected: Sequence[Event], *, tolerance: float) -> bool:
    """Whether answers are the same, floats within a tolerance of their magnitude."""
    return len(found) == len(expected) and all(
        one[:3] == other[:3]
        and one.attributes.keys() == other.attributes.keys()
        and all(_close(value, other.attributes[name], tolerance) for name, value in one.attributes.items())
        for one, other in zip(found, expected, strict=True)
    )


def _close(one: Value, other: Value, tolerance: float) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=tolerance, abs_tol=tolerance)
    return one == other
