"""The language of rules: what is printed parses back, and every mistake gets its place, a reason and a remedy."""

import pytest

from semantics.bry_eckert.checking import parse
from semantics.errors import InputError
from tests.semantics.bry_eckert.programs import CHAIN, ORDERS, cases

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
        ("E(t) <- a: B(x), while a: not B(t)", "line 2", "the variable t in the head E(t) is bound nowhere", "outside"),
        ("E(x) <- a: A(z = x)", "line 2", "A has no attribute z", "There are s, x"),
        ("E(x) <- a: A(x = x, x = y)", "line 2, column 14", "the attribute x is named twice", "Name each"),
        ("E(x) <- a: B(x", "line 2, column 15", "ends too early", "Expected"),
        ("E(x) <- a: A(x, s = y)", "line 2, column 14", "both by position and by name", "Name all"),
        ('E(x) <- a: B("z")', "line 2", "x is of type int", "Equal are numbers"),
        ("E(x) <- a: C(x), x < true", "line 2", "truth values have no order", "Write = or !="),
        ("E(x) <- a: F(x)\nF(x) <- a: E(x)", "line 3, column 9", "are recursive: E <- F <- E", "hierarchical"),
        ("E(x) <- a: B(x), w: extend(a, 1), v: extend(w, 1)", "line 2", "v is relative to w, which", "There are a"),
        ("E(x) <- a: B(x), while w: not B(x)", "line 2", "the window w has no beginning and no end", "There are a"),
        ("E(x) <- a: B(x), a befor a", "line 2, column 20", "unexpected 'befor'", "before during"),
        ("E(x) <- while a: not B(x)", "line 2", "no event outside windows", "at least one atom"),
        ("E(count(x)) <- a: B(x)", "line 2", "the rule collects nothing", "Collect events in a window"),
        ("E(avg(s)) <- a: B(x), while a: collect A(s = s)", "line 2", "avg takes numbers", "count, min and max"),
        ("E() <- a: B(x), while a: collect A(x = z), while a: collect B(z)", "line 2", "in two windows", "two names"),
        ("E(x) <- a: B(x)\nE(x, y) <- a: B(x), b: B(y)", "line 3", "has 2 attributes", "All rules"),
        ("E(x) <- a: B(x)\nE(s) <- a: A(s = s)", "line 3", "x is of type str", "the same types"),
        ("E(x) <- a: B(x)\nE(y = x) <- a: B(x)", "line 3", "E(y = x) names others", "Name all of them"),
        ("E(time = x) <- a: B(x)", "line 2", "time is a column of every log", "another name"),
        ("E(3) <- a: B(x)", "line 2", "the attribute 3 of E(3) has no name", "E(value = 3)"),
        ("E(x) <- a: B(x), {a} within 1.5", "line 2", "no whole number of ticks", "whole numbers"),
        ("E(x) <- a: B(x), {a} within 9999999999999999999", "line 2", "is more than", "shorter"),
        (f"E(x) <- a: B(x), x < {'9' * 5000}", "line 2", "a number has 5,000 digits", "smaller"),
        ("E(x) <- a: B(x), x < 1e999", "line 2", "1e999 is no 64-bit float", "smaller"),
        ("E(x) <- a: B(x), {a} within 6hours", "line 2, column 29", "unexpected '6hours'", "duration  number"),
        ('E(x) <- a: A(s = "\\q")', "line 2, column 18", "is no text", "JSON"),
        ("E(x) <- a: A(x, s), x < 3\nF <- a: E(x)", "line 3, column 3", "unexpected '<-'", "Expected: ("),
        ("# a\nE(x) <- # b\n  a: A(x, s), # b\n  {a, b} within 5", "line 5, column 4", "called b", "There are a"),
        ("E(x) <- a: A(x, s), x > 1,\n  -x < s", "line 3, column 3", "cannot be compared", "numbers"),
        ("E(v = x + s) <-\n a: A(x, s)", "line 2, column 1", "types int and str", "int and float"),
        ("y(x) <- a: A(x, s),\n  y = 3", "line 3, column 3", "the variable y in the condition", "binds it"),
        ("E(x) <- w: A(x, s), while w: not w(x)", "line 2, column 27", "neither declared nor derived", "declare"),
        ("E(x) <- w: A(x, s),\n  w: extend(w, 5)", "line 3, column 3", "w is given twice", "its own"),
        ("E(x) <- a: B(x)\nevent G(y: int,\n  time: int)", "line 4, column 3", "a column of every log", "temporal"),
        ("E(x) <- a: A(x, s)\nevent G(y: int, y: int)", "line 3, column 17", "two attributes y", "of its own"),
        ("event B(y: int)\nE(x) <- a: B(x)", "line 2, column 7", "B is declared twice", "once"),
        ("event extend(y: int)\nE(x) <- a: B(x)", "line 2, column 7", "the name of a timer", "another name"),
        ("event G(y: integer)\nE(x) <- a: B(x)", "line 2, column 9", "there is no type integer", "bool, time"),
        ("event G(y: int within 3)\nE(x) <- a: B(x)", "line 2", "only a time is near its event", "y: time within"),
        ("event E(p: time within 3)\nE(p) <- t: T(p, n)", "line 2", "E is derived", "Leave `within` out"),
        ("event E(p: int)\nE(p / 2) <- t: T(p, n)", "line 3", "declared as int, and derived as float", "float"),
        ("E(n) <- t: T(p, n), n before t", "line 2", "called n, and no variable that is a time", "n: time"),
        ("E(n) <- t: T(p, n), while t: not T(q, m), q before p", "line 2", "called q", "There are p, t."),
        ("tick = 0s\nE(x) <- a: B(x)", "line 2, column 8", "a tick takes time", "1ms"),
        ("tick = 1s tick = 2s\nE(x) <- a: B(x)", "line 2, column 18", "stated twice", "one tick"),
        ("axiom D(x) unique\nE(x) <- a: B(x)", "line 2", "the event type D is neither declared", "event D(…)"),
        ("axiom E(x) unique\nE(x) <- a: B(x)", "line 2", "E is derived", "events that its rules read"),
        ("axiom A(u) unique\nE(x) <- a: B(x)", "line 2", "A has no attribute u", "There are s, x."),
        ("axiom a: B(t), b: B(u) => a before b\nE(x) <- a: B(x)", "line 2", "are of the type B", "unique"),
        ("axiom a: B(t), a: T(p, n) => a before a\nE(x) <- a: B(x)", "line 2", "a is given twice", "a and b"),
        ("axiom a: B(t), b: T(p, n) => a before n\nE(x) <- a: B(x)", "line 2", "no event is called n", "are a, b, p."),
        ("axiom a: A(i), b: B(t) => a before b\nE(x) <- a: B(x)", "line 2", "A(i) has 1 arguments", "in order"),
        ('axiom a: T(p, "x"), b: B(t) => a before b\nE(x) <- a: B(x)', "line 2", "be compared", "text to text"),
        ("", "", "the program has no rule", "Write one"),
    ],
)  # fmt: skip
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
