"""The language of rules: what is printed parses back, and every mistake gets its place, a reason and a remedy."""

import pytest

from semantics.bry_eckert.checking import parse
from semantics.errors import InputError
from tests.semantics.bry_eckert.programs import CHAIN, ORDERS, cases
from tests.tables import table

BASE = "event A(x: int, s: str) event B(x: int) event C(b: bool) event T(p: time within 3, n: int) within 2\n"

BELIEVED = """\
event "a-b"("at z": time within 3, "y z": str) within 2
event c(x: time)
axiom "a-b"("at z", "y z") unique
axiom c() unique
axiom a: "a-b"(p, "v"), c: c(x = x) => a before c, {a, p} within 3, {x, c} 1 apart
f(x) <- a: "a-b"(x, y), c: c(z), y != "x\\"y", x before z, {x, z, c} within 3, {x, a} 1 apart
"""
"""Names in quotes, times, durations and axioms."""


def test_a_program_prints_as_what_it_is() -> None:
    for program in (*map(parse, (ORDERS, CHAIN, BELIEVED)), *(case.program for case in cases(40))):
        assert parse(str(program)) == program
        assert str(parse(str(program))) == str(program)


def test_durations_have_units_and_are_ticks() -> None:
    program = parse("tick = 10s event A()\nE() <- a: A(), w: extend(a, 2min), {a, w} within 30, {a, w} 1h apart")
    timer, within, apart = program.rules[0].body[1:]
    assert [timer.duration, within.duration, apart.duration] == [12, 30, 360]  # type: ignore[union-attr]


def test_attributes_of_heads_are_named_by_declaration_then_by_themselves() -> None:
    program = parse(
        "event A(x: int) event E(key: int)\nE(x) <- a: A(x)\n"
        "F(x, n = x + 1, count(y)) <- a: A(x), while a: collect A(y)"
    )
    assert [attribute.name for attribute in program.signatures["E"].attributes] == ["key"]
    assert [attribute.name for attribute in program.signatures["F"].attributes] == ["x", "n", "count_y"]


@pytest.mark.parametrize(
    ("rules", "place", "reason", "remedy"),
    [
        *table(__file__, "mistakes"),
        (f"E(x) <- a: B(x), x < {'9' * 5000}", "line 2", "a number has 5,000 digits", "smaller"),
    ],
)
def test_a_mistake_has_its_place_a_reason_and_a_remedy(rules: str, place: str, reason: str, remedy: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(BASE + rules)
    assert caught.value.place.startswith(place)
    assert reason in caught.value.reason
    assert remedy in caught.value.remedy


def test_a_tick_of_no_length_is_refused_where_the_text_states_none() -> None:
    with pytest.raises(InputError, match="a tick of '0s' has no length"):
        parse(BASE + "E(x) <- a: B(x)", "0s")


def test_a_sign_is_written_before_any_number() -> None:
    program = parse(BASE + "E(v = -x) <- b: B(x), -x * 2 != 1 - -2, -(x + 1) - 2 >= - -1.5")
    assert list(map(str, program.rules[0].comparisons)) == ["(0 - x) * 2 != 1 - -2", "(0 - (x + 1)) - 2 >= 1.5"]
    assert parse(str(program)) == program
