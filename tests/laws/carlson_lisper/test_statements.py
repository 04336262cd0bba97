"""Statements about streams: reading them, and evaluating them on finite streams."""

import pytest
from hypothesis import given, strategies as st

from laws.carlson_lisper.statements import Meaning, finite, parse_set, parse_statement
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Stream
from semantics.carlson_lisper.restriction import rem, same_intervals
from semantics.carlson_lisper.syntax import parse_schema
from semantics.errors import InputError

OCCURRENCES = st.builds(Occurrence, st.sampled_from("pq"), st.integers(0, 3))
STREAMS: st.SearchStrategy[Stream] = st.frozensets(
    st.builds(Instance, st.frozensets(OCCURRENCES, min_size=1, max_size=2)), max_size=3
)

REMOVES, SAME = parse_statement("rem(S, T)"), parse_statement("S ≅ T")


@given(STREAMS, STREAMS)
def test_named_relations_are_those_of_the_semantics(left: Stream, right: Stream) -> None:
    said = finite({"S": left, "T": right}, {})
    assert (said.truth(REMOVES), said.truth(SAME)) == (rem(left, right), same_intervals(left, right))


@given(STREAMS, STREAMS, st.integers(0, 3))
def test_a_set_builder_is_the_operator_that_it_spells_out(left: Stream, right: Stream, bound: int) -> None:
    spelled = {
        "A ; B": "{a ∪ b | a ∈ A ∧ b ∈ B ∧ end(a) < start(b)}",
        "A - B": "{a | a ∈ A ∧ empty(B, start(a), end(a))}",
        "A | B": "A ∪ {b | b ∈ B}",
        "(A + B)[t]": "{e = a ∪ b | a ∈ A ∧ b ∈ B ∧ end(e) - start(e) ≤ t}",
        "A - A": "∅",
    }
    streams, bounds = {"A": left, "B": right}, {"t": bound}
    reading = finite(streams, bounds)
    for expression, builder in spelled.items():
        meaning, term = Meaning(parse_schema(expression)), parse_set(builder)
        assert reading.included(meaning, term) and reading.included(term, meaning)
        everything = denotation(parse_schema(expression), streams, bounds)
        assert all(reading.view(term).member(instance) for instance in everything)


@pytest.mark.parametrize(
    "text",
    [
        "e = ⟦A⟧", "rem(tim(S, T), U)", "valid(e, S)", "∃ e ∈ {e | S ∧ end(e) < t} e ∈ S",
        "∃ e ∈ {f | e ∈ S} e ∈ S", "end(e) < S", "",
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_statement(text)
