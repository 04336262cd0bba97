"""All instances of a pattern: those of the definition, each once, by end, and as many as are counted."""

import tracemalloc
from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings, strategies as st

from detectors.carlson_lisper.enumeration import listing as enumeration_listing
from detectors.carlson_lisper.enumeration.ambiguity import is_ambiguous
from detectors.carlson_lisper.enumeration.graph import told
from detectors.carlson_lisper.enumeration.listing import Happened, Listing
from detectors.carlson_lisper.enumeration.steps import NEVER
from detectors.carlson_lisper.protocol import instants
from laws.carlson_lisper.checks.strategies import expressions, traces
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Occurrence, interpretation
from semantics.carlson_lisper.syntax import parse


def listing(pattern: Expression | str, trace: Interpretation) -> Listing:
    log = [Happened(None, *each) for each in instants(trace)]
    return Listing(parse(pattern) if isinstance(pattern, str) else pattern, lambda: log)


def each_tick(types: str, ticks: int) -> Interpretation:
    return interpretation(Occurrence(name, time) for time in range(ticks) for name in types)


def agrees(pattern: Expression, *some: Interpretation) -> bool:
    """Whether what is listed and counted is what the definition says, in each of some traces as in a partition."""
    log = [Happened(key, *each) for key, trace in enumerate(some) for each in instants(trace)]
    all_of_it = Listing(pattern, lambda: log)
    meant = [(key, one) for key, trace in enumerate(some)
             for one in sorted(denotation(pattern, trace), key=Instance.sort_key)]  # fmt: skip
    counted = {(key, time): number for key, time, number in all_of_it.counts()}
    return list(all_of_it) == meant and counted == Counter((key, one.end) for key, one in meant)


@settings(max_examples=200)
@given(expressions(), traces())
def test_what_is_listed_is_what_the_definition_says_each_once_by_end(
    pattern: Expression, trace: Interpretation
) -> None:
    assert agrees(pattern, trace)


@pytest.mark.parametrize(
    "pattern",
    [
        "((a + b)[2] ; c)[3]",
        "((a + b) ; (c + d)[1])[3]",
        "(a + b)[3] ; ((c ; d)[2] | (d ; c)[1])",
        "((a ; b) + (c ; d))[2]",
        "((a + b) - c) + d",
        "((a + a)[2] ; b)[3]",
        "((a ; b)[2] + (a ; c)[3])[3]",
        "(a ; b)[3] ; (a + c)[1]",
    ],
)
def test_starts_and_gaps_are_counted_as_they_are_listed(pattern: str) -> None:
    times = (0, 1, 2, 3), (0, 2, 3, 6)
    assert agrees(
        parse(pattern), *(interpretation(Occurrence(name, t) for t in some for name in "abcd") for some in times)
    )


def patterns(leaves: int) -> Iterator[str]:
    """All patterns of two event types with so many leaves, with a restriction or without."""
    if leaves == 1:
        yield from "ab"
        return
    for left in range(1, leaves):
        for one, operator, other in product(patterns(left), "|+-;", patterns(leaves - left)):
            yield from (f"({one} {operator} {other})", f"({one} {operator} {other})[1]")


@pytest.mark.parametrize("one_in", [13, pytest.param(1, marks=pytest.mark.long)])
def test_patterns_of_three_leaves_have_the_instances_of_the_definition_on_all_traces_of_three_instants(
    one_in: int,
) -> None:
    letters = ["", "a", "b", "ab"]
    words = [interpretation(Occurrence(name, time) for time, some in enumerate(word) for name in some)
             for word in product(letters, repeat=3)]  # fmt: skip
    asked = [parse(text) for text in patterns(3) if text.lstrip("(")[0] == "a"]  # the others are these of b and a
    assert len(asked) > 500
    assert not [str(one) for one in asked[::one_in] if not agrees(one, *words)]


@pytest.mark.parametrize(
    ("pattern", "ambiguous"),
    [
        ("(fail ; fail)[60] - ok", False),
        ("(a + b) ; a", False),
        ("(a | b) ; (a | b)", False),
        ("(a ; b) ; (a + c)", False),
        ("a | a", True),
        ("a + (a ; b)", True),
        ("(a ; b) + (a ; c)", True),
        ("a ; c ; (b + b)", True),
        ("((a ; b)[3]) | ((a ; b) - (a ; b)[3])", None),
    ],
)
def test_it_is_decided_whether_an_instance_can_come_in_two_ways(pattern: str, ambiguous: bool | None) -> None:
    assert is_ambiguous(parse(pattern)) is ambiguous


@given(expressions(), traces())
def test_a_pattern_that_is_not_ambiguous_lists_nothing_twice_without_a_look_at_what_was_listed(
    pattern: Expression, trace: Interpretation
) -> None:
    if is_ambiguous(pattern) is False:
        for *_, node in listing(pattern, trace).ended():
            found = [frozenset(members) for some in told(node, NEVER) for members in some]
            assert len(found) == len(set(found))


@given(expressions(), traces(), st.integers(1, 5))
def test_the_first_ones_are_those_of_all_in_their_order_and_what_is_drawn_is_some_of_them(
    pattern: Expression, trace: Interpretation, number: int
) -> None:
    meant, found = denotation(pattern, trace), listing(pattern, trace)
    spans = sorted(one.end - one.start for one in meant)[:number]
    assert [one.end - one.start for _, one in found.top(number, "span")] == spans
    last = sorted(((one.end, one.start) for one in meant), reverse=True)[:number]
    assert [(one.end, one.start) for _, one in found.top(number, "recency")] == last
    drawn = {one for _, one in found.sample(number, seed=1)}
    assert drawn <= meant and len(drawn) == min(number, len(meant))


@pytest.mark.slow
@pytest.mark.parametrize(
    "pattern",
    [
        "(a + b) ; c",
        "a ; ((b ; c)[2] | (c - a))",
        "(a ; b) | (b ; c)[1]",
        "((a ; b) + c)[3]",
        "((a ; b) | c) ; (b + a)",
        "(a + (a ; b))[3]",
        "(a ; b) + (b ; c)",
    ],
)
def test_each_instance_is_drawn_as_often_as_any_other(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration_listing, "SORTED", 0)  # what is ambiguous is drawn by its automaton
    # Pearson's test: with right draws, a statistic as great as this comes once in about a thousand runs.
    found = listing(pattern, interpretation(Occurrence(name, time) for time in range(5) for name in "abc"[time % 2 :]))
    number = sum(1 for _ in found)
    draws = 40 * number
    times = Counter(one for seed in range(draws) for _, one in found.sample(1, seed))
    freedom = number - 1
    statistic = sum((times[one] - 40) ** 2 / 40 for _, one in found)
    assert sum(times.values()) == draws and statistic < freedom + 3.5 * (2 * freedom) ** 0.5 + 4


def test_an_ambiguous_pattern_has_instances_drawn_where_they_are_too_many_to_be_listed() -> None:
    chain = " ; ".join("a" * 12)
    drawn = listing(f"({chain}) | ({chain})", each_tick("a", 300)).sample(3, seed=1)
    assert [len(one.occurrences) for _, one in drawn] == [12, 12, 12]


def test_the_first_of_more_instances_with_one_start_than_anybody_can_list_are_found() -> None:
    found = listing(" ; ".join(["(a | b)"] * 60), each_tick("ab", 62)).top(2, "span")
    assert [one.interval for _, one in found] == [(0, 59)] * 2


def test_numbers_of_instances_are_exact_beyond_those_of_the_machine() -> None:
    assert sum(number for *_, number in listing("a;a;a;a;a;a", each_tick("a", 2000)).counts()) == comb(2000, 6) > 10**15
    within = listing("((a ; b)[400] + c)[500]", each_tick("abc", 40))
    assert sum(number for *_, number in within.counts()) == comb(40, 2) * 40
    twice = listing("(a ; b) + (a ; b)", each_tick("ab", 700))
    assert twice.ambiguous and not twice.counted_by_listing
    assert sum(number for *_, number in twice.counts()) > 10**10
    chain = "(" * 8 + "a" + "".join(f" ; {name})[900]" for name in "bcdefghi")
    many = listing(chain, each_tick("abcdefghi", 300))
    assert sum(number for *_, number in many.counts()) == comb(300, 9)


@pytest.mark.slow
@pytest.mark.parametrize("pattern", ["(a ; b)[10]", "((a ; b)[4] ; (a + b))[6]", "(a ; b) - a", "(a + b)[3]"])
def test_what_is_kept_does_not_grow_with_a_log_whose_past_cannot_matter(pattern: str) -> None:
    def peak(ticks: int) -> int:
        found = Listing(parse(pattern), lambda: (Happened(None, time, {"a": None, "b": None}) for time in range(ticks)))
        tracemalloc.start()
        for ask in (found.ended, found.counts):
            assert sum(1 for _ in ask()) > 0 or pattern.endswith("- a")
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    peak(100)
    assert peak(1200) < 1.5 * peak(300)
