"""Interval languages against the denotation: words, instances, and operators of one's own."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from laws.carlson_lisper.checks.strategies import expressions
from semantics.automata.automata import EVERYWHERE, Budget, Inclusion, OutOfReach, minimal
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation
from semantics.carlson_lisper.languages import Languages, NotAnIntervalLanguage, Track, marked_track, plain_track
from semantics.carlson_lisper.occurrences import Instance, Occurrence, interpretation
from semantics.carlson_lisper.operators import OPERATORS
from semantics.carlson_lisper.syntax import parse
from semantics.errors import LimitExceeded
from semantics.formulas import End, Start

NAMES = ("a", "b")
PLAIN, MARKED = plain_track(NAMES), marked_track(NAMES)

quick = settings(deadline=None, max_examples=40)

words = st.lists(st.integers(0, 3), min_size=1, max_size=5)
small_expressions = expressions(NAMES, max_leaves=5, max_bound=3)


def languages(track: Track) -> Languages:
    return Languages(track, Budget(200_000))


def trace(word: Sequence[int]) -> list[Occurrence]:
    return [Occurrence(event, time) for time, letter in enumerate(word) for event in PLAIN.events(letter)]


def spanning(instances: Iterable[Instance], word: Sequence[int]) -> set[Instance]:
    return {instance for instance in instances if instance.interval == (0, len(word) - 1)}


def marked_word(word: Sequence[int], instance: Instance) -> list[int]:
    letters = list(zip(MARKED.present, MARKED.marked, strict=True))
    marks = [
        sum(1 << NAMES.index(o.event) for o in instance.occurrences if o.time == time) for time in range(len(word))
    ]
    return [letters.index(letter) for letter in zip(word, marks, strict=True)]


@quick
@given(small_expressions, words, st.sampled_from([EVERYWHERE, 5]))
def test_a_word_belongs_exactly_if_an_instance_spans_it_and_what_is_marked_is_one(
    expression: Expression, word: list[int], depth: int
) -> None:
    assume(sum(letter.bit_count() for letter in word) <= 6)
    occurrences = trace(word)
    found = spanning(denotation(expression, interpretation(occurrences)), word)
    assert languages(PLAIN).language(expression, depth).automaton.accepts(word) == bool(found)
    automaton = languages(MARKED).language(expression, depth).automaton
    for size in range(1, len(occurrences) + 1):
        for chosen in combinations(occurrences, size):
            instance = Instance(chosen)
            if spanning([instance], word):
                assert automaton.accepts(marked_word(word, instance)) == (instance in found)


@pytest.mark.parametrize("text", ["a + b", "(a + b) ; a", "(a ; b) + a", "(a + (a ; b))[2]", "(a + b) - (a ; a)"])
def test_a_word_of_an_instance_begins_and_ends_with_a_mark(text: str) -> None:
    automaton = languages(MARKED).language(parse(text)).automaton
    letters = range(len(MARKED.marked))
    words = [word for length in (1, 2, 3) for word in product(letters, repeat=length)]
    accepted = [word for word in words if automaton.accepts(word)]
    assert accepted
    assert all(MARKED.marked[word[0]] and MARKED.marked[word[-1]] for word in accepted)


@pytest.mark.parametrize(
    ("text", "spanned"),
    [
        ("((a ; b)[1] | (a ; (a ; a))) - c", [{"a"}, {"a"}, {"b"}]),
        ("a ; ((b ; a)[2] | (b ; (b ; c)))", [{"a"}, {"b"}, {"b"}, {"c"}]),
        ("a ; ((b ; a)[2] | (b ; (b ; c)))", [{"a"}, {"b"}, {"b"}, {"a"}]),
        ("(b ; (b ; c)) + ((a ; c)[2] | (a ; (b ; b)))", [{"a"}, {"b"}, {"b"}, {"c"}]),
    ],
)
def test_runs_that_do_not_cover_each_other_are_all_kept(text: str, spanned: list[set[str]]) -> None:
    expression, track = parse(text), plain_track(("a", "b", "c"))
    trace = interpretation(Occurrence(name, time) for time, names in enumerate(spanned) for name in names)
    word = [sum(1 << "abc".index(name) for name in names) for names in spanned]
    whole = any(each.interval == (0, len(word) - 1) for each in denotation(expression, trace))
    assert languages(track).language(expression).automaton.accepts(word) is whole


@quick
@given(small_expressions, st.integers(0, 3), st.sampled_from([PLAIN, MARKED]))
def test_an_automaton_of_short_words_is_right_on_them_and_says_how_far(
    expression: Expression, depth: int, track: Track
) -> None:
    shared = languages(track)
    short, whole = shared.language(expression, depth), languages(track).language(expression)
    assert short.reach >= depth
    if short.reach == EVERYWHERE:
        assert short.automaton == whole.automaton
    for word in ([x, y, z][:depth] for x in range(4) for y in range(4) for z in range(4)):
        assert short.automaton.accepts(word) == whole.automaton.accepts(word)
    assert shared.language(expression).automaton == whole.automaton


@pytest.mark.parametrize("track", [PLAIN, MARKED], ids=["plain", "marked"])
def test_equal_languages_have_the_same_automaton(track: Track) -> None:
    shared = languages(track)
    for left, right in [("a + b", "b + a"), ("a ; (b ; a)", "(a ; b) ; a"), ("(a - b)[2]", "a[2] - b[2]")]:
        assert shared.language(parse(left)).automaton == shared.language(parse(right)).automaton
    assert shared.language(parse("a ; b")).automaton != shared.language(parse("b ; a")).automaton


@pytest.mark.parametrize("name", OPERATORS)
def test_an_operator_that_is_defined_otherwise_has_no_language(name: str) -> None:
    first, *others = OPERATORS[name].comprehensions
    altered = replace(first, condition=Start("s") < End("s"))
    definition = replace(OPERATORS[name], comprehensions=(altered, *others))
    operands = (parse("a ; b"), parse("b"))[: definition.arity]
    expression = Operation(name, operands, 2 if definition.bounded else None)
    with pytest.raises(NotAnIntervalLanguage, match=r"the definition \w+\(S.*start\(s\) < end\(s\)"):
        Languages(PLAIN, Budget(200_000), {**OPERATORS, name: definition}).language(expression)


# ------------------------------------------------------------------------------------------- automata and limits

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
    automata = [minimal([[0], [1]], [(0, 0), *rows], [False, *accepting]) for rows, accepting in (one, two)]
    different = any(automata[0].accepts(word) != automata[1].accepts(word) for word in BINARY)
    assert (automata[0] == automata[1]) == (not different)

    def accepted(which: int, state: int) -> set[tuple[int, ...]]:
        return {word for word in BINARY if replace(automata[which], initial=state).accepts(word)}

    for other in (0, 1):
        within = Inclusion(automata[0], automata[other], Budget(10_000))
        for smaller in range(len(automata[0].rows)):
            for greater in range(len(automata[other].rows)):
                assert within(smaller, greater) == (accepted(0, smaller) <= accepted(other, greater))


def test_a_budget_that_does_not_suffice_is_an_error_and_not_an_answer() -> None:
    with pytest.raises(LimitExceeded, match="more than 50 steps"):
        Languages(PLAIN, Budget(50)).language(parse("(a ; b)[100]"))
    with pytest.raises(LimitExceeded, match="different instants"):
        marked_track([f"e{number}" for number in range(9)])


def test_what_a_bound_takes_is_foreseen_and_nothing_is_spent() -> None:
    budget = Budget(10_000)
    with pytest.raises(OutOfReach, match="more than 10,000 steps"):
        Languages(PLAIN, budget).language(parse("(a ; b)[1000000000000]"))
    assert budget.spent < 200
    shared = languages(PLAIN)
    assert shared.language(Identifier("a")[10**18]).automaton == shared.language(Identifier("a")).automaton


@quick
@given(small_expressions, st.integers(0, 9))
def test_states_are_counted_with_the_numbers_of_letters_that_lead_there(expression: Expression, letters: int) -> None:
    automaton = languages(PLAIN).language(expression).automaton
    found, frontier = 0, {automaton.initial}
    for _ in range(letters):
        frontier = {after for state in frontier for after in automaton.rows[state]} - {0}
        found += len(frontier)
    assert automaton.reached(letters) <= found
    if letters <= automaton.size:
        assert automaton.reached(letters) == found
