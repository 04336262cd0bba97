"""The language of rules: what is printed parses back, and every mistake gets its place, a reason and a remedy."""

import pytest

from semantics.bry_eckert.checking import parse
from semantics.errors import InputError
from tests.semantics.bry_eckert.programs import CHAIN, ORDERS, cases

BASE = "event A(x: int, s: str) event B(x: int) event C(b: bool)\n"


BELIEVED = """\
event "a-b"("at z": time within 3, "y z": str) within 2
event c(x: time)
axiom "a-b"("at z", "y z") unique
axiom c() unique
axiom a: "a-b"(p, "v"), c: c(x = x) => a before c, {a, p} within 3, {x, c} 1 apart
f(x) <- a: "a-b"(x, y), c: c(z), y != "x\\"y", x before z, {x, z, c} within 3, {x, a} 1 apart
"""
"""Names in quotes, times, durations and axioms."""


@pytest.mark.parametrize("text", [ORDERS, CHAIN, BELIEVED])
def test_the_programs_of_the_papers_print_as_what_they_are(text: str) -> None:
    program = parse(text)
    assert parse(str(program)) == program


def test_a_random_program_prints_as_what_it_is() -> None:
    for case in cases(40):
        program = case.program
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
        ("E(y) <- a: A(x, s)", "line 2", "the variable y in the head E(y) is bound nowhere outside", "An atom outside"),
        ("E(t) <- a: B(x), while a: not B(t)", "line 2", "bound nowhere outside `not`", "An atom outside"),
        ("E(x) <- a: A(x)", "line 2", "A(x) has 1 arguments", "name those that matter"),
        ("E(x) <- a: A(z = x)", "line 2", "A has no attribute z", "There are s, x"),
        ("E(x) <- a: A(x = x, x = y)", "line 2, column 14", "the attribute x is named twice", "Name each"),
        ("E(x) <- a: A(x, s = y)", "line 2, column 14", "both by position and by name", "Name all"),
        ('E(x) <- a: B("z")', "line 2", "x is of type int", "Equal are numbers"),
        ("E(x) <- a: A(x, s), s < 3", "line 2", "they cannot be compared", "Compare numbers"),
        ("E(x) <- a: C(x), x < true", "line 2", "truth values have no order", "Write = or !="),
        ("E(x) <- a: E(x)", "line 2", "the rules are recursive: E <- E", "hierarchical"),
        (
            "E(x) <- a: F(x)\nF(x) <- a: E(x)",
            "line 3, column 9",
            "the rules are recursive: E <- F <- E",
            "hierarchical",
        ),
        ("E(x) <- a: D(x)", "line 2", "the event type D is neither declared nor derived", "declare it"),
        (
            "E(x) <- a: B(x), w: extend(a, 1), v: extend(w, 1)",
            "line 2",
            "a timer of the timer w",
            "relative to an event",
        ),
        ("E(x) <- a: B(x), w: extend(b, 1)", "line 2", "which no event has", "There are a"),
        ("E(x) <- a: B(x), while w: not B(x)", "line 2", "the window w has no beginning and no end", "There are a"),
        ("E(x) <- a: B(x), a before b", "line 2", "no event or timer is called b", "There are a"),
        ("E(x) <- a: B(x), a befor a", "line 2, column 20", "unexpected 'befor'", "before during"),
        ("E(x) <- a: B(x), a: B(y)", "line 2", "the identifier a is given twice", "its own identifier"),
        ("E(x) <- while a: not B(x)", "line 2", "no event outside windows", "at least one atom"),
        ("E(count(x)) <- a: B(x)", "line 2", "the rule collects nothing", "Collect events in a window"),
        ("E(avg(s)) <- a: B(x), while a: collect A(s = s)", "line 2", "avg takes numbers", "count, min and max"),
        (
            "E(x) <- a: B(x), while a: collect A(x = z), while a: collect B(z)",
            "line 2",
            "collected in two windows",
            "two names",
        ),
        ("E(x) <- a: B(x)\nE(x, y) <- a: B(x), b: B(y)", "line 3", "has 2 attributes", "All rules"),
        ("E(x) <- a: B(x)\nE(s) <- a: A(s = s)", "line 3", "x is of type str", "the same types"),
        ("E(3) <- a: B(x)", "line 2", "the attribute 3 of E(3) has no name", "E(value = 3)"),
        ("E(x) <- a: B(x), {a} within 1.5", "line 2", "no whole number of ticks", "whole numbers"),
        ("E(x) <- a: B(x), {a} within 6hours", "line 2, column 29", "unexpected '6hours'", "duration  number"),
        ("E(x) <- a: B(x", "line 2, column 15", "ends too early", "Expected"),
        ('E(x) <- a: A(s = "x)', "line 2, column 18", "unexpected '\"x)'", "string"),
        ("E(x) <- a: A(x, s), x < 3\nF <- a: E(x)", "line 3, column 3", "unexpected '<-'", "Expected: ("),
        (
            "# x, a and b\nE(x) <- # b\n  a: A(x, s), # b\n  {a, b} within 5",
            "line 5, column 4",
            "called b",
            "There are a",
        ),
        ("E(x) <- a: A(x, s), x > 1,\n  -x < s", "line 3, column 3", "cannot be compared", "numbers"),
        ("E(v = x + s) <-\n a: A(x, s)", "line 2, column 1", "types int and str", "int and float"),
        ("y(x) <- a: A(x, s),\n  y = 3", "line 3, column 3", "the variable y in the condition", "binds it"),
        ("E(x) <- A: A(x, s, 3)", "line 2, column 9", "has 3 arguments", "one for each"),
        ("E(x) <- w: A(x, s), while w: not w(x)", "line 2, column 27", "neither declared nor derived", "declare"),
        ("E(x) <- w: A(x, s),\n  w: extend(w, 5)", "line 3, column 3", "w is given twice", "its own"),
        ("E(x) <- a: A(x, s)\nevent G(y: int,\n  time: int)", "line 4, column 3", "a column of every log", "temporal"),
        ("E(x) <- a: A(x, s)\nevent G(y: int, y: int)", "line 3, column 17", "two attributes y", "of its own"),
        ("event B(y: int)\nE(x) <- a: B(x)", "line 2, column 7", "B is declared twice", "once"),
        ("event extend(y: int)\nE(x) <- a: B(x)", "line 2, column 7", "the name of a timer", "another name"),
        ("event G(y: integer)\nE(x) <- a: B(x)", "line 2, column 9", "there is no type integer", "int, float"),
        ("tick = 0s\nE(x) <- a: B(x)", "line 2, column 8", "a tick takes time", "1ms"),
        ("", "", "the program has no rule", "Write one"),
    ],
)  # fmt: skip
def test_a_mistake_has_its_place_a_reason_and_a_remedy(rules: str, place: str, reason: str, remedy: str) -> None:
    with pytest.raises(InputError) as caught:
        parse(BASE + rules)
    assert caught.value.place.startswith(place)
    assert reason in caught.value.reason
    assert remedy in caught.value.remedy


@pytest.mark.parametrize("tick", ["0s", "5", "1x"])
def test_a_tick_of_no_length_is_refused_where_the_text_states_none(tick: str) -> None:
    with pytest.raises(InputError, match=f"a tick of '{tick}' has no length"):
        parse(BASE + "E(x) <- a: B(x)", tick)


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("-x < 3", "0 - x < 3"),
        ("2 * -x = -3", "2 * (0 - x) = -3"),
        ("-x * 2 != 1 - -2", "(0 - x) * 2 != 1 - -2"),
        ("-(x + 1) >= - -1.5", "0 - (x + 1) >= 1.5"),
    ],
)
def test_a_sign_is_written_before_any_number(written: str, printed: str) -> None:
    program = parse(BASE + f"E(v = -x) <- b: B(x), {written}")
    (comparison,) = program.rules[0].comparisons
    assert str(comparison) == printed
    assert parse(str(program)) == program
