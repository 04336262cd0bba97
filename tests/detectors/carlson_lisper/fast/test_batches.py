"""Many traces side by side give what each gives alone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.carlson_lisper.fast import batches
from detectors.carlson_lisper.fast.batches import Batch, aligned
from detectors.carlson_lisper.fast.lanes import MAX_AGE
from detectors.carlson_lisper.generated.generated import Generated
from detectors.carlson_lisper.intervals import Letters
from laws.carlson_lisper.checks.strategies import expressions
from semantics import compiled
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse
from tests.detectors.carlson_lisper.feeding import random_letters

KINDS = (
    "(b ; b)[2] - (a | c)",
    "a ; b",
    "(a + b)[10]",
    "a ; (b ; c)[5]",
    f"((a ; (b ; c)[7]) | (a + b))[{MAX_AGE}]",
    f"((a ; (b ; c)[7]) | (a + b))[{MAX_AGE + 1}]",
    "a ; (b + (c ; a))",
    "(a ; b)[3000000000]",
    "a ; (b ; (c ; (a ; b)))",
    "((a ; i) | (b ; (c + (d | (e | (f | (g | h))))))[20])[90] - (h + i)",
)


def alone(expression: Expression, letters: Letters) -> list[tuple[int, int]]:
    return list(Generated(expression, compiles=False).chunk(letters, 0).intervals())


def check(
    batch: Batch, expression: Expression, density: float, seed: int, instants: int, traces: int
) -> None:
    letters = random_letters(seed, density, len(batch.names), (instants, traces))
    cut = instants // 3
    outcomes = np.concatenate([batch.run(letters[:cut]), batch.run(letters[cut:])])
    for trace in range(min(traces, 5)):
        found = list(batch.detections(outcomes, trace, 0).intervals())
        assert found == alone(expression, np.ascontiguousarray(letters[:, trace]))


@settings(deadline=None, max_examples=60)
@given(
    expressions(max_leaves=7),
    st.none() | st.sampled_from([3, 20, MAX_AGE]),
    st.sampled_from([0.004, 0.05, 0.4]),
    st.integers(0, 2**32),
)
def test_arrays_over_traces_give_what_each_trace_gives_alone(
    expression: Expression, bound: int | None, density: float, seed: int
) -> None:
    pattern = expression if bound is None else expression[bound]
    check(Batch(pattern, 5, compiles=False), pattern, density, seed, 600, 5)


@pytest.mark.slow
@pytest.mark.skipif(not compiled.AVAILABLE, reason="Numba is not installed")
@pytest.mark.parametrize("text", KINDS)
@pytest.mark.parametrize("traces", [64, 70, 300])
def test_compiled_lanes_give_what_each_trace_gives_alone(text: str, traces: int) -> None:
    for density in (0.004, 0.3):
        check(Batch(parse(text), traces, compiles=True), parse(text), density, 3, 900, traces)


@pytest.mark.slow
@pytest.mark.skipif(not compiled.AVAILABLE, reason="Numba is not installed")
@pytest.mark.parametrize(
    "text", ["a - a", "(a - a) | (b - b)", "(a - a) + (b - b)", "((a - a) + b)[300] ; c"]
)
def test_what_is_the_same_in_all_lanes_may_stand_beside_them(text: str) -> None:
    check(Batch(parse(text), 70, compiles=True), parse(text), 0.3, 3, 100, 70)


@pytest.mark.slow
@pytest.mark.skipif(not compiled.AVAILABLE, reason="Numba is not installed")
@pytest.mark.parametrize("text", KINDS[:2])
@pytest.mark.parametrize("traces", [64, 300])
def test_outcomes_that_are_written_past_the_cache_are_the_same(
    text: str, traces: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    letters = random_letters(5, 0.2, 3, (700, traces))
    near = Batch(parse(text), traces).run(letters)
    monkeypatch.setattr(batches, "LARGE", 0)
    assert np.array_equal(Batch(parse(text), traces).run(letters), near)
    beside_a_line = aligned((near.size + 1,), near.dtype)[1:].reshape(near.shape)
    assert np.array_equal(Batch(parse(text), traces).run(letters, out=beside_a_line), near)


def test_ages_are_taken_where_no_instance_is_longer_than_eight_bits_tell() -> None:
    assert Batch(parse(KINDS[4]), 1, compiles=False).ages
    assert not Batch(parse(KINDS[5]), 1, compiles=False).ages
    assert not Batch(parse("a ; b"), 1, compiles=False).ages


def test_a_start_as_old_as_an_age_can_be_is_told_from_none() -> None:
    batch = Batch(parse(f"(a ; b)[{MAX_AGE}]"), 2, compiles=False)
    letters = np.zeros((MAX_AGE + 2, 2), np.uint8)
    letters[1, 0] = letters[0, 1] = 1
    letters[MAX_AGE + 1] = 2
    outcomes = batch.run(letters)
    found = [list(batch.detections(outcomes, trace, 0).intervals()) for trace in range(2)]
    assert found == [[(1, MAX_AGE + 1)], []], "an age that is the one of nothing would be lost"


def test_stretches_follow_each_other_tick_by_tick() -> None:
    batch = Batch(parse("a ; b"), 3, compiles=False)
    batch.run(np.zeros((4, 3), np.uint8))
    with pytest.raises(ValueError, match="next tick is 4"):
        batch.run(np.zeros((1, 3), np.uint8), 9)
    with pytest.raises(ValueError, match="shape"):
        batch.run(np.zeros((1, 2), np.uint8))
