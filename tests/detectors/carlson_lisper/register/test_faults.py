"""That the tests of register machines find wrong ones."""

from collections.abc import Callable

import pytest

from detectors.carlson_lisper.register import runs as register_runs
from detectors.carlson_lisper.register.machine import RegisterMachine, stated_bound
from detectors.carlson_lisper.register.runs import Runs, Transition
from semantics.automata.automata import Automaton, Budget
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.languages.languages import Languages
from semantics.carlson_lisper.languages.letters import plain_track
from semantics.carlson_lisper.syntax import parse
from tests.detectors.carlson_lisper.feeding import expected
from tests.detectors.carlson_lisper.register.machines import (
    occurring,
    random_letters,
    stepped,
)


def _latest_runs_dropped(transition: Transition) -> Transition:
    return Transition(transition.states[:1], transition.sources[:1], transition.detected)


def _starts_swapped(transition: Transition) -> Transition:
    return Transition(transition.states, transition.sources[::-1], transition.detected)


def _nothing_detected_now(transition: Transition) -> Transition:
    return Transition(transition.states, transition.sources, register_runs.NEVER)


def wrong_somewhere(text: str = "A;(B;P)") -> bool:
    """Whether the comparison with the interval semantics finds fault with a machine."""
    machine = RegisterMachine(parse(text))
    letters = random_letters(len(machine.names), 1000)
    return list(machine.chunk(letters, 0).intervals()) != expected(
        machine.expression, occurring(machine.names, letters)
    )


@pytest.mark.parametrize("fault", [_latest_runs_dropped, _starts_swapped, _nothing_detected_now])
def test_a_machine_whose_transitions_are_wrong_is_found_out(
    fault: Callable[[Transition], Transition], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Runs.advance
    assert not wrong_somewhere()
    monkeypatch.setattr(Runs, "advance", lambda self, *state: fault(right(self, *state)))
    assert wrong_somewhere()


def test_an_automaton_of_all_intervals_in_place_of_the_latest_starts_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def all_intervals(expression: Expression, names: tuple[str, ...], steps: int) -> Automaton:
        return Languages(plain_track(names), Budget(steps)).language(expression).automaton

    bound = stated_bound(RegisterMachine(parse("B;P")))
    monkeypatch.setattr("detectors.carlson_lisper.register.machine.latest_starts_within", all_intervals)
    machine = RegisterMachine(parse("B;P"))
    stepped(machine, [(time, 1) for time in range(10)])
    assert len(machine.starts) > bound


def test_a_gap_that_is_one_instant_too_short_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    wait = RegisterMachine.wait

    def hasty(self: RegisterMachine, gap: int) -> None:
        wait(self, gap - 1)
        self._now += 1

    assert not wrong_somewhere("(A+B)[10]")
    monkeypatch.setattr(RegisterMachine, "wait", hasty)
    assert wrong_somewhere("(A+B)[10]")


def test_an_automaton_with_words_that_end_with_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="begins and ends with an event"):
        Runs(Automaton((0, 1), ((0, 0), (2, 2), (0, 0)), (False, False, True), 1))
