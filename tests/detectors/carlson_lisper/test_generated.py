"""Generated code detects what Figure 2 detects."""

import json
from typing import cast

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from detectors.carlson_lisper.catalogue import DETECTORS
from detectors.carlson_lisper.generated import Generated, program, variables
from detectors.carlson_lisper.protocol import ResumableDetector, instants, run
from detectors.carlson_lisper.source.figure2 import Figure2
from laws.carlson_lisper.checks.strategies import expressions, traces
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Interpretation, Occurrence, interpretation
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError
from tests.detectors.carlson_lisper.feeding import expected, fed, letters_of

quick = settings(deadline=None, max_examples=50)


def test_names_of_events_are_no_part_of_the_code_but_in_comments() -> None:
    detector = Generated(parse("import ; now"))
    assert detector.names == ("import", "now")
    assert detector.step(1, 1) == -1
    assert detector.step(5, 2) == 1


def test_what_starts_carry_goes_where_they_go_and_only_if_a_sequence_asks() -> None:
    text = program(parse("a ; ((b | c) ; (d + a))"))
    lines = [line.strip() for line in text.splitlines()]
    assert "a2_7 = t7 if letter & 8 else -1" not in lines
    assert "a3_6_8 = t6_8 if letter & 8 else -1" in lines or "a5_7_8 = t7_8 if letter & 8 else -1" in lines
    assert "a4 = time if letter & 6 else -1" in lines  # a disjunction of event types is a single question
    assert variables(parse("(a ; b) ; c")) == ("now", "t3", "t5")


@pytest.mark.parametrize("held", [False, True], ids=["", "a step that is there from the beginning"])
@settings(deadline=None, max_examples=60)
@given(
    expression=expressions(max_leaves=8, max_bound=20),
    trace=traces(max_time=60, max_size=40),
    restored=st.sets(st.integers(0, 60), max_size=8),
)
def test_starts_and_ends_are_those_of_the_interval_semantics_with_and_without_snapshots(
    held: bool, expression: Expression, trace: Interpretation, restored: set[int]
) -> None:
    def make() -> Generated:
        detector = Generated(expression)
        assert not held or detector.step is detector.step
        return detector

    assert fed(make, letters_of(expression, trace), restored) == expected(expression, trace)


def test_time_only_goes_on() -> None:
    detector = Generated(parse("a ; b"))
    detector.step(7, 1)
    with pytest.raises(ValueError, match="not later"):
        detector.step(7, 1)
    assert detector.step(10, 2) == 7


@pytest.mark.parametrize("name", DETECTORS)
def test_every_detector_goes_on_from_its_snapshot_with_nothing_lost_or_repeated(name: str) -> None:
    @quick
    @given(expressions(max_leaves=8), traces(max_time=40, max_size=30), st.integers(0, 30))
    def check(expression: Expression, trace: Interpretation, cut: int) -> None:
        feed = list(instants(trace))
        first, second, other = (cast(ResumableDetector, DETECTORS[name](expression)) for _ in range(3))
        whole, found = list(run(other, feed)), list(run(first, feed[:cut]))
        second.restore(json.loads(json.dumps(first.snapshot())))
        assert found + list(run(second, feed[cut:])) == whole

    check()


def test_a_snapshot_keeps_the_values_of_events() -> None:
    first = Figure2(parse("a ; b"))
    first.step(1, {"a": 1.5})
    second = Figure2(parse("a ; b"))
    second.restore(json.loads(json.dumps(first.snapshot())))
    found = second.step(2, {"b": "x"})
    assert found is not None
    assert found.sorted_occurrences() == (Occurrence("a", 1, 1.5), Occurrence("b", 2, "x"))


def test_a_snapshot_of_another_expression_or_detector_is_refused() -> None:
    stored = Generated(parse("a ; b")).snapshot()
    with pytest.raises(InputError, match=r"expression is 'a ; b', not 'a \| b'"):
        Generated(parse("a | b")).restore(stored)
    with pytest.raises(InputError, match="schema"):
        Figure2(parse("a ; b")).restore(stored)
    with pytest.raises(InputError, match="expression"):
        Figure2(parse("a ; b")).restore(Figure2(parse("a + b")).snapshot())
    with pytest.raises(InputError, match="damaged"):
        Figure2(parse("a ; b")).restore({**Figure2(parse("a ; b")).snapshot(), "variables": {"t3": 4}})


def test_a_chain_of_sequences_keeps_a_few_starts_for_each_as_only_the_last_matches_are_asked_for() -> None:
    for length in (8, 16):
        chain = "a0"
        for index in range(1, length + 1):
            chain = f"a{index} ; ({chain})"
        assert len(variables(parse(chain))) <= 5 * length


MANY = [f"e{i:03}" for i in range(200)]


def test_a_pattern_of_hundreds_of_event_types_is_detected_in_a_log_of_more() -> None:
    expression = parse(f"({' | '.join(MANY[:100])}) ; (({' | '.join(MANY[100:])}) - e000)")
    random = np.random.default_rng(4)
    log = {name: np.flatnonzero(random.random(300) < 0.01) for name in [*MANY, *(f"f{i}" for i in range(200))]}
    trace = interpretation(Occurrence(name, int(time)) for name, times in log.items() for time in times)
    wanted = expected(expression, trace)
    assert len(wanted) > 50
    letters = letters_of(expression, trace)
    assert max(letters) >> 190
    assert fed(lambda: Generated(expression), letters, {100}) == wanted
