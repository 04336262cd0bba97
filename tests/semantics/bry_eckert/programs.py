"""Programs and histories that several tests read."""

from collections.abc import Iterable, Mapping
from functools import cache

from pytest import approx

from campaigns.bry_eckert.cases import PROFILES, Case
from campaigns.bry_eckert.system import CASES
from campaigns.systems import NO_CORPUS
from detectors.bry_eckert.relational import TOLERANCE
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation, violations
from semantics.bry_eckert.programs import Program
from semantics.errors import InputError
from semantics.events import Event, Time

CHAINED = {name: profile.weight for name, profile in PROFILES.items() if profile.rules > 1}
USUAL = {name: profile.weight for name, profile in PROFILES.items()}

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


def made(seed: int, number: int, profiles: Mapping[str, int]) -> Case:
    """The case with a number, of some profiles, each with its weight."""
    case: Case = CASES.maker(seed, profiles, NO_CORPUS, 0)(number)
    return case


def cases(number: int, seed: int = 0) -> list[Case]:
    """The first cases of a campaign."""
    return [_case(seed, each) for each in range(number)]


@cache
def _case(seed: int, number: int) -> Case:
    return made(seed, number, USUAL)


def same(found: Iterable[Event], expected: Iterable[Event]) -> bool:
    """Whether answers are the same, floats within the tolerance of relational engines of their magnitude."""
    near = (
        (*e[:3], *(approx(v, TOLERANCE, TOLERANCE) if isinstance(v, float) else v for v in e.attributes.values()))
        for e in expected
    )
    return [(*one[:3], *one.attributes.values()) for one in found] == list(near)


def seen(first: Program, more: Program, history: list[Event], after: Time) -> list[Event]:
    """What rules derive from all events and answers after a time."""
    known = [*history, *denotation(first, history)]
    return denotation(more, [event for event in known if event.time > after])


def split(number: int) -> tuple[Program, Program, list[Event]] | None:
    """A program whose last rules are added, and a history that obeys its axioms; none where they are not apart."""
    case = made(5, number, CHAINED)
    whole = case.program
    if len(whole.rules) < 2 or any(violations(whole, case.events)):
        return None
    place = len(whole.rules) // 2
    lines = str(whole).splitlines()
    body = len(lines) - len(whole.rules)
    try:
        first = parse("\n".join(lines[: body + place]) + "\n")
        more = parse("\n".join(lines[body + place :]) + "\n", "", first.signatures)
    except InputError:  # they derive the same, or the first ones read what the last ones derive
        return None
    return first, more, list(case.events)
