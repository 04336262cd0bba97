"""Translation of patterns into other languages: what is said, what is refused, and what is decided of the engines."""

from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st

from semantics.carlson_lisper.expressions import Expression, Identifier
from semantics.carlson_lisper.intervals import Intervals
from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.syntax import parse
from semantics.carlson_lisper.translation.chains import Chain, chain_of, eql, flink
from semantics.carlson_lisper.translation.models import MODELS, Model, Rows, differences
from semantics.errors import ExpressionError, InputError

TYPES = "abc"


@st.composite
def chains(draw: st.DrawFn) -> Expression:
    """Patterns that are chains of up to three steps, with what is absent and a bound, or without."""

    def types(most: int) -> Expression:
        names = draw(st.lists(st.sampled_from(TYPES), min_size=1, max_size=most, unique=True))
        found: Expression = Identifier(names[0])
        for name in names[1:]:
            found = found | Identifier(name)
        return found

    pattern = types(2)
    for _ in range(draw(st.integers(1, 2))):
        pattern = pattern.then(types(2))
    pattern = pattern - types(1) if draw(st.booleans()) else pattern
    return pattern[draw(st.integers(0, 4))] if draw(st.booleans()) else pattern


@st.composite
def logs(draw: st.DrawFn, *, tied: bool = False) -> Rows:
    """Logs, with ties in any order or with none."""
    ticks = draw(st.lists(st.permutations(TYPES).flatmap(lambda row: st.just(row[: 1 + 2 * tied])), max_size=8))
    return tuple(Occurrence(name, time) for time, row in enumerate(ticks) for name in row)


def detected(pattern: Expression, rows: Rows) -> set[tuple[int, int]]:
    return {(each.start, each.end) for each in Intervals(pattern, interpretation(rows)).restricted()}


def latest(model: Model, pattern: Expression, rows: Rows) -> set[tuple[int, int]]:
    found = {end: start for start, end in sorted(model.found(chain_of(pattern), rows))}
    return {(start, end) for end, start in found.items()}


def chained(pattern: Expression) -> bool:
    try:
        return bool(chain_of(pattern))
    except InputError:
        return False


KEPT = [Model(strict=False, consumes=False, keeps=1), Model(strict=True, consumes=False, keeps=2)]


@settings(max_examples=40)
@given(chains().filter(chained), logs())
def test_without_ties_what_keeps_all_that_is_used_finds_the_detections(pattern: Expression, rows: Rows) -> None:
    assert [latest(model, pattern, rows) for model in KEPT] == [detected(pattern, rows)] * 2


@pytest.mark.slow
@given(chains().filter(chained), logs(), logs(tied=True))
def test_a_difference_that_never_shows_is_on_no_log(pattern: Expression, rows: Rows, tied: Rows) -> None:
    shows = {(name, each.kind.name): each.shows for name in ("eql", "flink") for each in differences(pattern, name)}
    for name, model in MODELS.items():
        uses = shows[name, "used up" if name == "eql" else "one match a start"]
        assert uses or latest(model, pattern, rows) == detected(pattern, rows)
        assert uses or shows[name, "ties"] or latest(model, pattern, tied) == detected(pattern, tied)
    found = MODELS["flink"].found(chain_of(pattern), rows)
    assert shows["flink", "several matches an end"] or len({each.end for each in found}) == len(found)


SHOWN = {
    ("a ; b", "eql"): ["a@0 b@1 b@2", "a@0 b@0"],
    ("a ; b", "flink"): ["a@0 b@1 b@2", "a@0 a@1 b@2", ""],
    ("(a ; b)[1]", "eql"): ["", "a@0 b@0"],
    ("a ; a", "eql"): ["", ""],
    ("(a ; a)[86400]", "flink"): ["", "", ""],
    ("((a ; b) - c)[3600]", "flink"): ["a@0 b@1 b@2", "a@0 a@1 b@2", "a@0 b@1 c@1"],
    ("a ; b ; a", "eql"): ["a@0 b@1 a@2 a@3", "a@0 b@1 a@1"],
}


@pytest.mark.parametrize(("text", "language"), SHOWN)
def test_each_difference_that_shows_has_a_smallest_log(text: str, language: str) -> None:
    assert [" ".join(map(str, each.rows)) for each in differences(parse(text), language)] == SHOWN[text, language]


def test_what_takes_too_long_to_decide_is_not_said_to_never_show() -> None:
    (used, _) = differences(parse("(a ; a)[60]"), "eql", steps=5)
    assert (used.shows, used.reason) == (None, "deciding this takes more than 5 steps")


REFUSED = {
    "x ; (aa + b)": (5, "conjunction"),
    "(a ; b) | c": (1, "disjunction"),
    "(a ; b)[5] ; c": (1, "temporal restriction"),
    "c ; ((a ; b) - x)": (5, "negation"),
    "(a ; b) - (c ; d)": (1, "negation"),
    "a - b": (1, "negation"),
    "(a ; b) - b": (1, "never occurs"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_no_chain_can_say_is_refused_with_operator_place_and_remedy(text: str) -> None:
    column, operator = REFUSED[text]
    with pytest.raises(ExpressionError, match=operator) as raised:
        chain_of(parse(text))
    assert raised.value.column == column
    assert "`--to sql`" in raised.value.remedy


def test_a_chain_has_steps_absent_types_and_the_least_bound() -> None:
    pattern = parse("((((a | x) ; (b ; c[3])) - x)[60] - (y | z))[70]")
    steps = (frozenset("a"), frozenset("b"), frozenset("c"))
    assert chain_of(pattern) == Chain(steps, frozenset("xyz"), 60)


def test_names_are_quoted_as_each_language_does() -> None:
    chain = chain_of(parse('"it\'s \\"so\\"" ; b'))
    assert '== "it\'s \\"so\\""]' in eql(chain, Fraction(1))
    assert "= 'it''s \"so\"'" in flink(chain, Fraction(1))
    assert "sequence by `a``b c`" in eql(chain, Fraction(1), "a`b c")


def test_a_bound_within_is_a_tick_longer_for_flink_and_as_it_is_for_eql() -> None:
    chain = chain_of(parse("(a ; b)[90]"))
    assert "maxspan=90s" in eql(chain, Fraction(1))
    assert "WITHIN INTERVAL '91' SECOND(10)" in flink(chain, Fraction(1))
    assert "WITHIN INTERVAL '0.091' SECOND(10, 3)" in flink(chain, Fraction(1, 1000))
    with pytest.raises(InputError, match="no whole number of milliseconds"):
        eql(chain, Fraction(1, 10**6))
