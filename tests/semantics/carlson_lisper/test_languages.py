"""Interval languages against the denotation: words, instances, and operators of one's own."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import assume, given, settings, strategies as st

from laws.carlson_lisper.checks.strategies import expressions
from semantics.automata import EVERYWHERE, Antichains, Budget, minimal
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.languages import Languages, Track
from semantics.carlson_lisper.occurrences import Instance, Occurrence, interpretation
from semantics.errors import LimitExceeded

NAMES = ("a", "b")
PLAIN, MARKED = (Track(NAMES, marks=marks) for marks in (False, True))

quick = settings(deadline=None, max_examples=25)

words = st.lists(st.integers(0, 3), min_size=1, max_size=5)
small_expressions = expressions(NAMES, max_leaves=5, max_bound=3)


def languages(track: Track, depth: int = EVERYWHERE) -> Languages:
    return Languages(track, Budget(200_000), depth=depth)


def marked_word(word: Sequence[int], instance: Instance) -> list[int]:
    letters = list(zip(MARKED.present, MARKED.marked, strict=True))
    marks = [0] * len(word)
    for occurrence in instance.occurrences:
        marks[occurrence.time] |= 1 << NAMES.index(occurrence.event)
    return [letters.index(letter) for letter in zip(word, marks, strict=True)]


@quick
@given(small_expressions, words, st.sampled_from([EVERYWHERE, 5]))
def test_a_word_belongs_exactly_if_an_instance_spans_it_and_what_is_marked_is_one(
    expression: Expression, word: list[int], depth: int
) -> None:
    assume(sum(letter.bit_count() for letter in word) <= 6)
    occurrences = [Occurrence(event, time) for time, letter in enumerate(word) for event in PLAIN.events(letter)]
    meaning, whole = denotation(expression, interpretation(occurrences)), (0, len(word) - 1)
    spans = any(instance.interval == whole for instance in meaning)
    assert languages(PLAIN, depth).language(expression).accepts(word) == spans
    automaton = languages(MARKED, depth).language(expression)
    for instance in (Instance(c) for size in range(len(occurrences)) for c in combinations(occurrences, size + 1)):
        if instance.interval == whole:
            assert automaton.accepts(marked_word(word, instance)) == (instance in meaning)


tables = st.integers(1, 3).flatmap(
    lambda size: st.tuples(
        st.lists(st.tuples(st.integers(0, size), st.integers(0, size)), min_size=size, max_size=size),
        st.lists(st.booleans(), min_size=size, max_size=size),
    )
)

# Two automata of three states and a dead one that differ do so on a word of at most seven letters.
BINARY = [tuple(number >> bit & 1 for bit in range(size)) for size in range(8) for number in range(2**size)]


@quick
@given(tables, tables)
def test_automata_are_minimal_and_inclusion_of_states_is_that_of_what_they_accept(
    one: tuple[list[tuple[int, int]], list[bool]], two: tuple[list[tuple[int, int]], list[bool]]
) -> None:
    automata = [minimal((0, 1), [(0, 0), *rows], [False, *accepting]) for rows, accepting in (one, two)]
    different = any(automata[0].accepts(word) != automata[1].accepts(word) for word in BINARY)
    assert (automata[0] == automata[1]) == (not different)

    def accepted(state: int) -> set[tuple[int, ...]]:
        return {word for word in BINARY if replace(automata[0], initial=state).accepts(word)}

    within = Antichains(automata[0], Budget(10_000))
    for smaller, greater in product(range(len(automata[0].rows)), repeat=2):
        assert within.included(smaller, greater) == (accepted(smaller) <= accepted(greater))


def test_too_many_event_types_are_an_error_and_not_an_answer() -> None:
    with pytest.raises(LimitExceeded, match="different instants"):
        Track([f"e{number}" for number in range(9)], marks=True)
