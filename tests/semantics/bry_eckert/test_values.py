"""Contradictions between values: what is called contradictory holds of no values, and then nothing is stored."""

from itertools import product
from random import Random
from typing import Any

import pytest

from detectors.bry_eckert.differencing import Differencing
from detectors.bry_eckert.node_engine import Nodes
from detectors.bry_eckert.protocol import answers
from semantics.bry_eckert.algebra.planning import planned
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation
from semantics.bry_eckert.terms import COMPARISONS, Comparison, Type, holds
from semantics.bry_eckert.values import contradictory
from semantics.errors import ExpressionError
from semantics.events import Event

TYPES: dict[str, Type] = {"x": "int", "y": "int", "f": "float", "s": "str"}
SIDES = ["x", "y", "x + 1", "y - 2", "x * y", "f", "2.5", "1"]
PROGRAM = "event A(x: int, y: int, f: float, s: str) event B(u: int)\nG(u) <- a: F(u), b: B(u), a before b\nF(u) <- "


def test_what_is_contradictory_holds_of_no_values() -> None:
    values: list[dict[str, Any]] = [
        dict(zip(TYPES, (*each, ""), strict=True)) for each in product(range(-1, 4), range(-1, 4), (1.0, 1.5, 3.0))
    ]
    (rule,) = parse(
        f"event A(x: int, y: int, f: float, s: str)\nF(x) <- a: A(x, y, f, s), {' < x, '.join(SIDES)} < x"
    ).rules
    terms, random, found = [one.left for one in rule.comparisons], Random(0), 0
    for _ in range(300):
        sides = [random.choice(terms) for _ in range(8)]
        given = [Comparison(sides[n], random.choice([*COMPARISONS]), sides[n + 1]) for n in range(0, 8, 2)]
        possible = any(all(holds(one, each) for one in given) for each in values)
        found += (is_contradictory := contradictory(given, TYPES))
        assert not (is_contradictory and possible), list(map(str, given))
    assert found > 50


@pytest.mark.parametrize(
    "text",
    [
        "x < y, y < x", "x < f, f <= y, y < x + 1", "x > 3, x < 4", 's = "a", s = "b"', "x * y > 2, x * y < 2",
        "x <= y, y <= x, x != y", "f < f", "{a, b} 5 apart, {a, b} within 3", "{a, b} within 3, {a, b} 5 apart",
    ],
)  # fmt: skip
def test_of_a_rule_that_never_answers_nothing_is_stored_nor_of_what_reads_it(text: str) -> None:
    program = parse(f"{PROGRAM}a: A(x, y, f, s), b: B(u), {text}")
    log = [
        Event(*one, {"x": t % 3, "y": t % 2, "f": 1.5, "s": "a", "u": t})
        for t in range(20)
        for one in [("AB"[t % 2], t, t)]
    ]
    for make in (Differencing, Nodes):
        engine = make(program, planned(program, {}))
        assert list(answers(engine, log)) == denotation(program, log) == []
        assert engine.stored == 0


@pytest.mark.parametrize(
    ("rules", "reason"),
    [
        ("F(x) <- a: A(x), {a} 5 apart", "not apart from itself"),
        ("F(x) <- a: A(x), b: A(x), {a, a, b} 5 apart", "not apart from itself"),
        ("F(x) <- " + ", ".join(f"a{n}: A(x)" for n in range(21)), "more than 16 events"),
        ("F(x) <- a: A(x)" + ", x > 3" * 100, "more than 100 parts"),
        (f"F(v = x{' + x' * 240}) <- a: A(x)", "100 operators deep"),
        (f"F(v = {'-' * 5000}x) <- a: A(x)", "100 operators deep"),
        (f"F(x) <- a: A(x), w: extend(a, {'9' * 5000}s)", "5,000 digits"),
        ("".join(f"F{n}(x) <- a: {f'F{n - 1}' if n else 'A'}(x)\n" for n in range(80)), "one after the other"),
        ("".join(f"F{n}(x) <- a: {f'F{n + 1}' if n < 79 else 'A'}(x)\n" for n in range(80)), "one after the other"),
    ],
    ids=range(9),
)
def test_what_is_too_large_is_refused_with_its_place_and_a_remedy(rules: str, reason: str) -> None:
    with pytest.raises(ExpressionError, match=reason) as caught:
        parse("event A(x: int)\n" + rules)
    assert caught.value.remedy and caught.value.place.startswith("line")
