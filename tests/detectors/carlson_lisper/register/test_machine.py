"""Register machines: the greatest start for each end, for every ground expression, over gaps of any length."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.carlson_lisper.register.machine import RegisterMachine
from laws.carlson_lisper.checks.strategies import expressions, traces
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.interpretations import Interpretation
from semantics.carlson_lisper.syntax import parse
from tests.detectors.carlson_lisper.feeding import Interval, expected, random_letters
from tests.detectors.carlson_lisper.register.machines import (
    LISTED,
    gappy_traces,
    lettered,
    occurring,
    quick,
    stepped,
)


@quick
@given(expressions(max_leaves=8), traces(max_time=60, max_size=45) | gappy_traces())
def test_a_machine_detects_the_greatest_start_for_each_end_over_gaps_of_any_length(
    expression: Expression, trace: Interpretation
) -> None:
    # Theorem 4.5
    machine = RegisterMachine(expression)
    assert stepped(machine, lettered(machine.names, trace)) == expected(expression, trace)


@pytest.mark.parametrize("max_states", [2, 5, 10_000])
@settings(deadline=None, max_examples=20)
@given(expressions(), gappy_traces(40), st.sets(st.integers(0, 40), max_size=4), st.data())
def test_another_machine_goes_on_from_a_snapshot_however_few_states_it_remembers(
    max_states: int, expression: Expression, trace: Interpretation, cuts: set[int], data: st.DataObject
) -> None:
    machine = RegisterMachine(expression, max_states=max_states)
    found: list[Interval] = []
    for place, instant in enumerate(lettered(machine.names, trace)):
        if place in cuts:
            saved = json.loads(json.dumps(machine.snapshot()))
            machine = machine.fresh() if data.draw(st.booleans()) else RegisterMachine(expression)
            machine.restore(saved)
        found += stepped(machine, [instant])
    assert found == expected(expression, trace)
    assert len(machine.table.states) <= machine.table.capacity


@pytest.mark.parametrize("text", LISTED)
@pytest.mark.parametrize("later", [0, 10**15])
def test_stretches_of_changing_density_are_exact_at_any_time(text: str, later: int) -> None:
    machine = RegisterMachine(parse(text))
    letters = random_letters(len(machine.names), 1500)
    wanted = expected(machine.expression, occurring(machine.names, letters))
    assert wanted
    found = stepped(machine, [(later + time, letter) for time, letter in enumerate(letters) if letter])
    assert found == [(later + start, later + end) for start, end in wanted]


def test_after_a_gap_it_is_the_time_of_its_last_tick() -> None:
    machine = RegisterMachine(parse("(A+B)[10]"))
    machine.step(995, 1)
    machine.wait(9)
    assert machine.now == 1004
    assert machine.starts == (995,)
    with pytest.raises(ValueError):
        machine.step(1004, 2)
    assert machine.step(1005, 2) == 995


def test_bits_of_no_type_are_left_out() -> None:
    machine = RegisterMachine(parse("a ; b"))
    assert [machine.step(1, 0b101), machine.step(2, 0b1000), machine.step(3, 0b110)] == [-1, -1, 1]


def test_a_step_back_is_refused_and_changes_nothing() -> None:
    machine = RegisterMachine(parse("a ; b"))
    for number in range(100, 200):
        machine.step(number, number % 4)
    before = machine.snapshot()
    with pytest.raises(ValueError):
        machine.step(199, 1)
    assert machine.snapshot() == before
