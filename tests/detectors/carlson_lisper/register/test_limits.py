"""Register machines at their limits: full tables, too large automata, snapshots of something else."""

import pytest

from detectors.carlson_lisper.protocol import event_types
from detectors.carlson_lisper.register.language import latest_starts, latest_starts_within
from detectors.carlson_lisper.register.machine import RegisterMachine
from detectors.carlson_lisper.register.runs import Runs
from detectors.carlson_lisper.register.table import MAX_CELLS, Table
from semantics.automata.automata import Automaton, Budget
from semantics.carlson_lisper.syntax import parse, parse_schema
from semantics.errors import InputError, LimitExceeded
from tests.detectors.carlson_lisper.feeding import Interval, random_letters
from tests.detectors.carlson_lisper.register.machines import stepped


def instants_of(letters: list[int]) -> list[tuple[int, int]]:
    return [(time, letter) for time, letter in enumerate(letters) if letter]


def test_a_full_table_is_forgotten_as_often_as_need_be_and_nothing_is_lost() -> None:
    small, large = RegisterMachine(parse("(A+B)[10]"), max_states=7), RegisterMachine(parse("(A+B)[10]"))
    feed = instants_of(random_letters(2, 4000, seed=4))
    assert stepped(small, feed) == stepped(large, feed)
    assert small.table.forgotten > 100
    assert large.table.forgotten == 0
    assert len(small.table.states) <= 7


def test_detectors_that_share_a_table_do_not_disturb_each_other() -> None:
    feed = instants_of(random_letters(2, 4000, seed=4))
    first = RegisterMachine(parse("(A+B)[10]"), max_states=7)
    second = first.fresh()
    found: list[list[Interval]] = [[], []]
    for begin in range(0, len(feed), 50):
        for detections, detector in zip(found, (first, second), strict=True):
            detections += stepped(detector, feed[begin : begin + 50])
    assert found[0] == found[1] == stepped(RegisterMachine(parse("(A+B)[10]")), feed)


def test_many_columns_leave_room_for_fewer_states() -> None:
    expression = parse("e0 ; (e1 ; (e2 ; (e3 ; e4)))")
    runs = Runs(latest_starts(expression, event_types(expression), Budget(10**6)))
    assert runs.width == 32
    assert Table(runs, 10**9).capacity * 32 <= MAX_CELLS


def test_an_automaton_that_is_too_large_is_refused_with_the_reason() -> None:
    with pytest.raises(LimitExceeded, match="no register machine for"):
        RegisterMachine(parse("(A;B)[5000] + (C;D)[3000]"), steps=10_000)


def test_what_is_remembered_of_an_expression_is_the_answer_for_so_many_steps() -> None:
    expression = parse("(A+B)[10] ; C")
    names = event_types(expression)
    for _ in range(2):
        with pytest.raises(LimitExceeded, match="takes more than 100 steps"):
            latest_starts_within(expression, names, 100)
        assert latest_starts_within(expression, names, 10**6) == latest_starts(
            expression, names, Budget(10**6)
        )


def test_the_letters_of_a_large_alphabet_are_steps_however_few_states_there_are() -> None:
    names = tuple(f"e{number}" for number in range(13))
    expression = parse(f"({' | '.join(names[:-1])}) ; e12")
    budget = Budget(10**6)
    assert latest_starts(expression, names, budget).size <= 4
    assert budget.spent > 2**13
    with pytest.raises(LimitExceeded, match="no register machine for"):
        latest_starts(expression, names, Budget(2**13))


def test_a_disjunction_of_event_types_is_one_letter_with_one_of_them_and_costs_no_more() -> None:
    names = tuple(f"e{number}" for number in range(13))
    alternatives, one = Budget(10**6), Budget(10**6)
    found = latest_starts(parse(" | ".join(names[1:])), names, alternatives)
    assert [found.accepts([letter]) for letter in range(2**13)] == [letter > 1 for letter in range(2**13)]
    assert not any(found.accepts([letter, 2]) for letter in range(2**13))
    latest_starts(parse("e0"), names, one)
    assert alternatives.spent == one.spent


def test_more_event_types_than_letters_can_tell_apart_are_refused() -> None:
    with pytest.raises(LimitExceeded, match="14 event types"):
        RegisterMachine(parse(" | ".join(f"e{number}" for number in range(14))))


def test_an_automaton_with_words_that_end_with_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="begins and ends with an event"):
        Runs(Automaton((0, 1), ((0, 0), (2, 2), (0, 0)), (False, False, True), 1))


def test_a_symbolic_bound_is_refused() -> None:
    with pytest.raises(InputError, match="symbolic"):
        RegisterMachine(parse_schema("(A ; B)[t]"))
