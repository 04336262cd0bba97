"""Sixty-four instants at a time give what one at a time gives."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from detectors.carlson_lisper.fast.bit_parallel import (
    MAX_BOUND,
    MAX_OPERATIONS,
    WORTH,
    BitParallel,
    bit_parallel,
    words_for,
)
from detectors.carlson_lisper.fast.planes import moved
from detectors.carlson_lisper.generated.generated import Generated
from detectors.carlson_lisper.generated.interpreted_loops import InterpretedLoops
from detectors.carlson_lisper.intervals import NOTHING, Detections, Letters
from laws.carlson_lisper.checks.strategies import expressions
from semantics import compiled
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse
from tests.detectors.carlson_lisper.feeding import random_letters

SHORT = (
    "a",
    "a | b",
    "(a ; a)[1]",
    "(a ; b)[2] - (c | d)",
    "(a + b)[10]",
    "(a ; (b ; c)[5])[9]",
    "((a + b)[3] ; c)[8] - (d ; b)",
    "((a + (b ; a))[6] | c[2])[9]",
    "((a - b) + c)[3]",
    "a[4] - (b + c)",
    "((a ; b) - c)[7]",
    "(a - b) | c",
    "(a ; a)[1] | b",
    "((a ; b) + c)[6]",
)
"""Patterns with every operator inside and outside of every other."""


def in_stretches(detector: Generated, letters: Letters, ends: list[int], first: int) -> list[tuple[int, int]]:
    """What is found in stretches that end at some places; between two of them time passes."""
    found: list[tuple[int, int]] = []
    begin = 0
    for end in [*sorted({end for end in ends if end < len(letters)}), len(letters)]:
        found += detector.chunk(letters[begin:end], first + begin).intervals()
        begin = end
    return found


def found_alike(expression: Expression, seed: int, density: float, ends: list[int]) -> bool:
    """Whether words find in some stretches what single instants find."""
    words, single = InterpretedLoops(expression), Generated(expression, compiles=False)
    letters = random_letters(seed, density, len(words.names), (520,))
    return in_stretches(words, letters, ends, 3) == in_stretches(single, letters, ends, 3)


traces = (
    st.integers(0, 2**32 - 1),
    st.sampled_from([0.004, 0.03, 0.2, 0.6]),
    st.lists(st.integers(1, 500), max_size=4),
)
"""The seed of a trace, the probability of each event type, and where stretches end."""


@pytest.mark.parametrize("text", SHORT)
def test_words_find_what_single_instants_find_in_stretches_of_any_length(text: str) -> None:
    @settings(deadline=None, max_examples=25)
    @given(*traces)
    def check(seed: int, density: float, ends: list[int]) -> None:
        assert found_alike(parse(text), seed, density, ends)

    check()


@settings(deadline=None, max_examples=100)
@given(expressions(max_leaves=6, max_bound=12).map(lambda expression: expression[9]), *traces)
def test_words_find_the_same_for_any_expression_with_short_instances(
    expression: Expression, seed: int, density: float, ends: list[int]
) -> None:
    assert found_alike(expression, seed, density, ends)


@pytest.mark.parametrize("text", SHORT)
def test_patterns_with_short_instances_have_a_program(text: str) -> None:
    program = bit_parallel(parse(text))
    assert program is not None
    assert program.bound <= MAX_BOUND and len(program.statements) <= MAX_OPERATIONS


@pytest.mark.parametrize(
    "text", ["a ; b", "a + b", f"(a ; b)[{MAX_BOUND + 1}]", "(a - (b ; (a ; b))) | (b + a)"]
)
def test_a_pattern_with_long_instances_is_walked_through(text: str) -> None:
    assert bit_parallel(parse(text)) is None


def test_a_pattern_that_takes_many_operations_is_walked_through() -> None:
    assert bit_parallel(parse("((a ; (b ; c)) + (c ; b))[40]")) is None


def test_a_pattern_that_can_never_occur_is_walked_through_and_finds_nothing() -> None:
    never = parse("(a ; b)[0]")
    assert bit_parallel(never) is None
    assert len(InterpretedLoops(never).chunk(np.full(300, 3, np.uint8), 0).ends) == 0


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.integers(1, 63))
@example(1, 2**63, 1)
def test_a_plane_is_moved_over_the_border_of_a_word(word: int, before: int, ticks: int) -> None:
    whole = (word << 64 | before) << ticks
    assert int(moved(np.uint64(word), np.uint64(before), ticks)) == whole >> 64 & (2**64 - 1)


def test_short_stretches_are_walked_through() -> None:
    pattern = parse("(a ; b)[5]")
    assert words_for(pattern, WORTH) is not None
    assert words_for(pattern, WORTH - 1) is None
    assert words_for(pattern, 5, worth=0) is None, (
        "no instant is left between what is gone through one by one"
    )


def test_stretches_in_which_little_occurs_are_walked_through_where_words_take_many_operations() -> None:
    few, many = parse("(a ; b)[3]"), parse("(a + b)[10]")
    assert words_for(few, WORTH, busy=0.0) is not None
    assert words_for(many, WORTH, busy=0.02) is None
    assert words_for(many, WORTH, busy=0.2) is not None


def test_words_and_walks_are_chosen_by_what_occurs_in_the_letters() -> None:
    taken = []

    class Noting(Generated):
        def _walked(self, letters: Letters, first: int) -> Detections:
            taken.append("walk")
            return NOTHING

        def _by_words(self, letters: Letters, first: int, program: BitParallel) -> Detections:
            taken.append("words")
            return NOTHING

    for density in (0.01, 0.3):
        Noting(parse("(a + b)[10]"), compiles=True).chunk(random_letters(2, density, 2, (WORTH,)), 0)
    assert taken == ["walk", "words"]


def test_the_state_after_words_is_one_from_which_every_way_to_feed_goes_on() -> None:
    pattern = parse("(a ; (b ; c)[3])[7]")
    words, single = InterpretedLoops(pattern), Generated(pattern, compiles=False)
    letters = random_letters(5, 0.3, 3, (400,))
    for detector in (words, single):
        detector.chunk(letters, 0)
    again = Generated(pattern, compiles=False)
    again.restore(words.snapshot())
    for time in range(400, 440):
        letter = int(letters[time - 400])
        assert words.step(time, letter) == single.step(time, letter) == again.step(time, letter)


@pytest.mark.slow
@pytest.mark.skipif(not compiled.AVAILABLE, reason="Numba is not installed")
@pytest.mark.parametrize("text", SHORT[4:8])
@pytest.mark.parametrize("kind", [np.uint8, np.uint32])
def test_compiled_words_find_the_same_in_more_than_one_segment(text: str, kind: type) -> None:
    pattern = parse(text)
    letters: Letters = random_letters(1, 0.02, 4, ((1 << 20) + 5_000,)).astype(kind)
    compiled_words, walked = Generated(pattern), Generated(pattern)
    compiled_words.words_from, walked.words_from = 0, len(letters) + 1
    found, wanted = compiled_words.chunk(letters, 9), walked.chunk(letters, 9)
    assert len(found.ends)
    assert np.array_equal(found.starts, wanted.starts) and np.array_equal(found.ends, wanted.ends)
