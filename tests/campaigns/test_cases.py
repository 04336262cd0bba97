import os
import subprocess
import sys

import pytest

from campaigns.cases import MAX_INSTANTS, Source, generate
from campaigns.profiles import DEFAULT_WEIGHTS, profile_weights
from semantics.errors import InputError
from semantics.expressions import Operation, bottom_up, evaluate_bound
from semantics.syntax import parse

# A change of these is a change of generation: raise `GENERATION` and replace them.
PINNED = {
    (7, 0): "a[1][1] ; c  in  a@5 b@5 a@6 c@6 c@7 b@9",
    (7, 2): "(c | d) + ((a ; b) | c)  in  a@0 d@0 d@1 b@2 d@3 e@3 c@6 d@7 b@11 d@13 b@18",
    (7, 4): "a + b + (a ; b ; a[0])  in  a@0 b@0 a@1 b@1 a@2 b@2 c@2 b@3 c@3 a@4 a@5 c@6",
    (7, 6): "d ; a  in  d@5 a@9 d@9 a@13 d@16 b@17 d@20 a@21 b@23 a@24",
    (7, 8): "b ; b  in  a@0 b@0 b@1 c@2",
    (7, 9): "a ; (a + a)  in  a@0 a@3",
    (7, 11): "((c + c) | (b + a)) - b  in  b@1 c@1 c@2 b@3 a@4 b@5 b@6 c@6 c@7 d@7 a@9 b@13",
    (-1, 10**12 + 2): "((a + c) | (b ; d)) - (c | (a + a))  in  a@0 b@0 c@0 a@1 e@1 a@2 c@2 b@3 d@3 e@4 e@6",
}

TEXTS_OF_MANY = "from campaigns.cases import generate\nfor n in range(300): print(generate(3, n))"


@pytest.mark.parametrize(("numbers", "text"), PINNED.items())
def test_a_case_is_determined_by_seed_and_number(numbers: tuple[int, int], text: str) -> None:
    assert str(generate(*numbers)) == text


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_another_process_generates_the_same_cases(hash_seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    output = subprocess.run(
        [sys.executable, "-c", TEXTS_OF_MANY], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert output.splitlines() == [str(generate(3, number)) for number in range(300)]


def test_numbers_are_drawn_as_random_draws_them_in_every_version_of_python() -> None:
    source = Source("text")
    assert [source.below(1000) for _ in range(5)] == [725, 130, 734, 830, 679]


def test_the_text_of_a_case_reads_back_as_its_expression() -> None:
    for number in range(300):
        expression = generate(1, number).expression
        assert parse(str(expression)) == expression


def test_a_trace_is_in_order_of_time_and_satisfies_definition_3_4() -> None:
    for number in range(300):
        case = generate(2, number)
        keys = [(o.time, o.event) for o in case.occurrences]
        assert keys == sorted(set(keys))
        assert case.trace.occurrences() == list(case.occurrences)
        assert 1 <= len({time for time, _ in keys}) <= MAX_INSTANTS


def test_the_instants_of_a_case_are_those_of_its_trace() -> None:
    for number in range(100):
        case = generate(4, number)
        flat = [(time, name, value) for time, at in case.instants() for name, value in at.items()]
        assert flat == [(o.time, o.event, o.value) for o in case.occurrences]


def test_every_profile_is_used_and_every_operator_is_frequent() -> None:
    cases = [generate(0, number) for number in range(500)]
    assert {case.profile for case in cases} == {name for name, weight in DEFAULT_WEIGHTS.items() if weight}
    nodes = [node for case in cases for node in bottom_up(case.expression)]
    for operator in ("dis", "con", "neg", "seq", "tim"):
        assert sum(isinstance(node, Operation) and node.operator == operator for node in nodes) > 200


def test_bounds_are_met_exactly_and_missed_by_one_tick() -> None:
    misses = set()
    for number in range(300):
        case = generate(0, number, profile_weights({"boundary": 1}))
        times = sorted({o.time for o in case.occurrences})
        spans = {later - earlier for earlier in times for later in times if later >= earlier}
        for node in bottom_up(case.expression):
            if isinstance(node, Operation) and node.bound is not None:
                misses |= {span - evaluate_bound(node.bound) for span in spans}
    assert {-1, 0, 1} <= misses


def test_values_are_attached_sometimes() -> None:
    shares = [any(o.value is not None for o in generate(0, number).occurrences) for number in range(400)]
    assert 0.05 < sum(shares) / len(shares) < 0.3


def test_the_order_in_which_weights_are_written_does_not_matter() -> None:
    weights = {"ties": 2, "small": 1}
    assert profile_weights(weights) == profile_weights(dict(reversed(weights.items())))


@pytest.mark.parametrize("weights", [{"no-such": 1}, {"small": -1}, {"small": 0}, {}])
def test_weights_that_choose_nothing_are_refused(weights: dict[str, int]) -> None:
    with pytest.raises(InputError):
        profile_weights(weights)
