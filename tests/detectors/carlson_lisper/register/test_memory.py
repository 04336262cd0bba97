"""What a register machine stores is known beforehand, and no more than is needed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.carlson_lisper.register.machine import RegisterMachine
from detectors.carlson_lisper.register.runs import Runs
from laws.carlson_lisper.checks.strategies import expressions, traces
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.interpretations import Interpretation
from semantics.carlson_lisper.syntax import parse
from tests.detectors.carlson_lisper.feeding import random_letters
from tests.detectors.carlson_lisper.register.machines import lettered, quick, stepped


@pytest.mark.parametrize(
    ("text", "states", "registers"),
    [
        ("(B;B)[2] - (P|T)", 3, 1),
        ("(B;B)[50] - (P|T)", 51, 1),
        ("B;P", 2, 1),
        ("B;(P;T)", 4, 2),
        ("B;(P+T)", 12, 3),
        ("(A;(B;P))[10] - T", 64, 2),
        ("(B+P)+T", 26, 3),
        ("((A+B);(C+D)) - (A;C)", 1, 0),
    ],
)
def test_the_size_of_a_machine_is_known_beforehand(text: str, states: int, registers: int) -> None:
    machine = RegisterMachine(parse(text))
    found = machine.size()
    assert (found.states, found.registers, found.exact) == (states, registers, True)


def test_where_there_are_too_many_states_to_look_at_the_bound_is_that_of_the_automaton() -> None:
    machine = RegisterMachine(parse("(A+B)[10]"))
    found = machine.size(limit=100)
    assert not found.exact
    assert found.registers >= machine.size().registers
    assert found.registers == machine.table.runs.most


@pytest.mark.parametrize("text", ["B;(P;T)", "B;(P+T)", "(B+P)+T", "(A+B)[10]"])
def test_no_trace_makes_a_machine_store_more_starts_than_stated(text: str) -> None:
    machine = RegisterMachine(parse(text))
    bound, most = machine.size().registers, 0
    for time, letter in enumerate(random_letters(len(machine.names), 20_000, seed=3)):
        machine.step(time, letter)
        most = max(most, len(machine.starts))
    assert most == bound  # and it is reached
    assert len(machine.table.states) <= machine.size().states


@quick
@given(expressions(), traces(max_time=40, max_size=30))
def test_every_start_that_is_stored_is_the_answer_after_some_continuation(
    expression: Expression, trace: Interpretation
) -> None:
    machine = RegisterMachine(expression)
    stepped(machine, lettered(machine.names, trace))
    for number in range(len(machine.starts)):
        answers = continuation(machine.table.runs, machine.state.states[number])
        later = machine.fresh()
        later.restore(machine.snapshot())
        found = [later.step(machine.now + 1 + place, letter) for place, letter in enumerate(answers)]
        assert found[-1] == machine.starts[number]


def continuation(runs: Runs, state: int) -> list[int]:
    """A shortest word that is accepted from a state of the automaton, other than the empty one."""
    letter_of = {column: letter for letter, column in reversed(list(enumerate(runs.columns)))}
    words: dict[int, list[int]] = {state: []}
    pending = [state]
    for number in pending:
        for column, letter in letter_of.items():
            after = runs._rows[number][column]
            word = [*words[number], letter]
            if runs._accepting[after]:
                return word
            if after not in words:
                words[after] = word
                pending.append(after)
    raise AssertionError("no continuation is detected")


@quick
@given(expressions(), st.integers(1, 10**18))
def test_a_gap_without_events_takes_as_many_accesses_as_its_length_has_bits(
    expression: Expression, gap: int
) -> None:
    machine = RegisterMachine(expression)
    machine.step(0, 1)
    state, left, accesses = machine.state, gap, 0
    while left > 0 and not state.resting:
        level = left.bit_length() - 1
        state, left, accesses = machine.table.gap(state, level).after, left - (1 << level), accesses + 1
    assert accesses <= gap.bit_count()
    machine.wait(gap)
    assert machine.state is state


def test_a_bounded_expression_soon_rests() -> None:
    machine = RegisterMachine(parse("(B;B)[50] - (P|T)"))
    machine.step(0, 1)
    state = machine.state
    machine.wait(10**18)
    assert machine.state.resting
    assert len(state.gaps) <= (50).bit_length() + 1
