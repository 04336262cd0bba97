"""Laws as tests: tables, failures, meanings and covers are what they are said to be; the totals add up."""

import tomllib
from functools import reduce
from importlib import resources
from itertools import combinations
from operator import or_
from random import Random

import pytest
from hypothesis import example, given, strategies as st

from discovery.carlson_lisper import separating
from discovery.carlson_lisper.shared_tables import SharedTables
from laws.carlson_lisper.checks.counterexamples import contradicts
from laws.carlson_lisper.checks.exhaustive import ClaimTables
from laws.carlson_lisper.checks.strategies import stream_assignments
from laws.carlson_lisper.claims import law, laws, laws_from_toml, listed
from laws.standings import Standing
from semantics.carlson_lisper.denotation import apply_operator
from semantics.carlson_lisper.occurrences import Streams
from semantics.carlson_lisper.operators import OPERATORS
from semantics.errors import InputError
from smt.solvers.portfolio import installed

SINGLE = separating.wrong_semantics(1)

PASS_THE_SOURCE = {
    "neg(S, T) = { s | s ∈ S }",
    "seq(S, T) = { s ∪ t | s ∈ S ∧ t ∈ T ∧ end(t) < start(t) }",
    "seq(S, T) = { s ∪ t | s ∈ S ∧ t ∈ T ∧ end(s) ≤ start(t) }",
    "seq(S, T) = { s ∪ t | s ∈ S ∧ t ∈ T ∧ end(s) = start(t) }",
    "seq(S, T) = { s ∪ t | s ∈ S ∧ t ∈ T }",
    "tim(S, τ) = { s | s ∈ S }",
}
"""What one wrong symbol can say without any of the 36 laws being false."""


@pytest.fixture(scope="module")
def found() -> separating.Strength:
    return separating.strength(listed("shortest"), symbols=1)


@pytest.mark.slow
def test_the_wrong_semantics_of_one_symbol_that_the_source_does_not_refute_are_refuted_by_other_laws() -> None:
    found = separating.strength(listed("all"), symbols=1)
    assert {text for wrong in found.satisfying(laws()) for text in wrong.texts} == PASS_THE_SOURCE
    assert found.satisfying(listed("shortest")) == []


def test_every_failure_is_one_by_the_executable_semantics(found: separating.Strength) -> None:
    known = {claim.id: claim for claim in found.laws}
    for (name, key), failure in found.failures.items():
        operators = separating.Wrong(key).operators
        assert contradicts(known[name], failure.streams, failure.bounds, operators)
        assert not contradicts(known[name], failure.streams, failure.bounds)


def test_the_shortest_list_covers_all_and_no_law_can_be_left_out(found: separating.Strength) -> None:
    shortest, minimal = found.shortest
    assert minimal
    assert found.satisfying(shortest) == found.satisfying(found.laws)
    for one in shortest:
        assert found.satisfying([other for other in shortest if other != one])


@pytest.mark.long
@pytest.mark.slow
def test_the_stored_list_is_a_shortest_one_for_two_symbols() -> None:
    found = separating.strength(listed("all"))
    assert len(found.satisfying(laws())) == 26
    assert found.satisfying(listed("shortest")) == found.satisfying(listed("all"))
    stored = tomllib.loads(resources.files("laws.carlson_lisper").joinpath("shortest.toml").read_text("utf-8"))
    assert stored["laws"] == [claim.id for claim in found.shortest[0]]


def test_a_law_that_is_none_is_refused() -> None:
    (false,) = laws_from_toml('[[claim]]\nid = "mine:1"\nstatement = "A - B == B - A"\nreading = ""')
    with pytest.raises(InputError, match=r"mine:1: A - B == B - A does not hold"):
        separating.strength([false], symbols=1)


def test_a_failure_in_tables_alone_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(separating, "contradicts", lambda *_: False)
    with pytest.raises(AssertionError, match="in tables alone"):
        separating.strength([law(6)], symbols=1)


@pytest.mark.parametrize("number", range(0, len(SINGLE), 6))
def test_shared_tables_say_what_tables_of_one_semantics_say(number: int) -> None:
    operators = SINGLE[number].operators
    shared, plain = SharedTables("AB", (0, 1)), ClaimTables("AB", (0, 1), operators)
    shared.operators = operators
    bounds = {"t": 1, "u": 0}
    more = laws_from_toml('[[claim]]\nid = "mine:1"\nstatement = "A + A [=] A | (A ; A)"\nreading = ""')
    for claim in (*listed("all"), *more):
        if claim.variables in (("A",), ("A", "B")):
            assert shared.judge(claim, bounds) == plain.judge(claim, bounds), claim.id


@pytest.mark.slow
@given(streams=stream_assignments(("S", "T")), seed=st.integers(0, 10**6), bound=st.integers(0, 8))
def test_changes_that_are_taken_for_the_same_say_the_same(streams: Streams, seed: int, bound: int) -> None:
    choices = Random(seed)
    name = choices.choice([*OPERATORS])
    meaning = choices.choice(separating.meanings(name, 2))
    definitions = [OPERATORS[name], *(way.definition for way in meaning.ways)][meaning.symbols > 0 :]
    operands = [streams[each] for each in ("S", "T")[: OPERATORS[name].arity]]
    assert len({apply_operator(each, operands, bound) for each in choices.choices(definitions, k=8)}) == 1


@pytest.mark.slow
def test_the_numbers_of_changes_add_up() -> None:
    assert separating.counts(1) == separating.counts(2)[:1] == (("one symbol", 66, 0, 19, 47),)
    counts = separating.counts(2)
    assert [count.texts for count in counts] == [66, 519, 1517]
    assert all(count.texts == count.right + count.same + count.wrong for count in counts)
    assert sum(count.wrong for count in counts) == len(separating.wrong_semantics(2)) == 993
    assert all(min(count[1:]) >= 0 for count in counts)


@example([16, 8, 11, 7, 19, 14])  # of which the greedy choice takes one more
@example([21, 178, 24, 32, 135, 2, 60])
@given(st.lists(st.integers(0, 2**7 - 1), min_size=1, max_size=8))
def test_a_minimum_cover_is_one(sets: list[int]) -> None:
    whole = reduce(or_, sets)
    places, proved = separating.minimum_cover(sets)
    assert proved
    assert reduce(or_, (sets[place] for place in places), 0) == whole
    for fewer in combinations(sets, max(len(places) - 1, 0)):
        assert reduce(or_, fewer, 0) != whole or not places


def test_a_cover_that_takes_too_long_is_not_called_minimal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(separating, "MOST_TRIED", 0)
    sets = [0b000111, 0b111000, 0b011011, 0b100100, 0b001100]
    places, proved = separating.minimum_cover(sets)
    assert not proved
    assert reduce(or_, (sets[place] for place in places)) == 0b111111


@pytest.mark.slow
def test_that_a_wrong_semantics_satisfies_a_law_is_proved_where_it_does() -> None:
    overlapping = next(wrong for wrong in SINGLE if wrong.texts[0].startswith("seq") and "≤" in wrong.texts[0])
    refuted = next(claim for claim in listed("discovered") if claim.statement == "A - (B ; C)[0] == A")
    with installed() as portfolio:
        told = separating.proved(overlapping, [law(1), law(6), refuted], portfolio)
    assert told == {law(6): told[law(6)], refuted: Standing.UNKNOWN}
    assert told[law(6)].unbounded
