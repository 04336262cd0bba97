"""How long it still takes: the remaining time where it can be told, and otherwise what ends the wait."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

import pytest
from rich.progress import Task

from remora.commands.evaluate import Evaluation, written
from remora.terminal.following import about_lines
from remora.terminal.progress import Advance, Progress, waiting
from remora.terminal.waits import Current, given_up_by, share_done, steps_left
from semantics.carlson_lisper.denotation import ChosenT, denotation
from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.operators import Operator
from semantics.carlson_lisper.syntax import parse
from tests.remora.conftest import Remora


class Terminal(io.StringIO):
    """A terminal, as far as programs look."""

    def isatty(self) -> bool:
        return True


def terminal_of(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Makes standard error a terminal on which progress is shown at once."""
    seen = Terminal()
    monkeypatch.setattr(sys, "stderr", seen)
    monkeypatch.setattr("remora.terminal.progress.DELAY", 0.0)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "160")
    return seen


@dataclass
class Steps:
    """Work of so many steps."""

    allowed: int
    left: int


# ------------------------------------------------------------------------------------------- work that is given up


def test_at_the_pace_so_far_an_allowance_is_used_up_by_then() -> None:
    now, steps = [0.0], Steps(1000, 1000)
    words = steps_left(steps, lambda: now[0])
    assert words() == "0% of the steps"
    now[0], steps.left = 5.0, 750
    assert words() == "at most 15 s more, 25% of the steps"
    now[0], steps.left = 20.0, -1
    assert words() == "at most 0 s more, 100% of the steps"


def test_a_new_allowance_has_a_pace_of_its_own() -> None:
    now, steps = [0.0], Steps(1000, 1000)
    words = steps_left(steps, lambda: now[0])
    now[0], steps.left = 100.0, 990
    words()
    steps.allowed, steps.left = 4000, 4000
    assert words() == "0% of the steps"
    now[0], steps.left = 101.0, 2000
    assert words() == "at most 1 s more, 50% of the steps"


# ----------------------------------------------------------------------------------- work of which there is so much


def test_at_the_pace_so_far_the_rest_of_a_piece_of_work_takes_so_long() -> None:
    now, done = [0.0], [0]
    words = share_done(lambda: done[0], 400, lambda: now[0])
    assert words() == "0%"
    now[0], done[0] = 3.0, 100
    assert words() == "25%, about 9 s more"
    now[0], done[0] = 10.0, 400
    assert words() == "100%, about 0 s more"


def test_what_is_given_up_at_a_time_comes_nearer_to_it() -> None:
    now = [5.0]
    words = given_up_by(20.0, lambda: now[0])
    assert words() == "at most about 20 s more"
    now[0] = 17.0
    assert words() == "at most about 8 s more"
    now[0] = 90.0
    assert words() == "at most about 0 s more"


# -------------------------------------------------------------------------------------------------- on the terminal


def shown(progress: Progress, terminal: Terminal) -> str:
    """What the display shows now."""
    before = len(terminal.getvalue())
    progress._rich.refresh()
    return terminal.getvalue()[before:]


def test_what_goes_on_is_asked_for_whenever_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    said = ["first"]
    with Progress() as progress:
        progress._start.join()
        with progress.stage("deciding", None) as advance:
            advance(lambda: said[0], 0)
            assert "first" in shown(progress, terminal)
            said[0] = "second"
            assert "second" in shown(progress, terminal)


def test_a_run_that_ends_at_a_time_says_so_in_every_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    with Progress() as progress:
        progress._start.join()
        progress.ends(lambda: "at most 12 s to go")
        for name in ("laws", "proofs"):
            with progress.stage(name, 5) as advance:
                advance("one")
                assert "at most 12 s to go" in shown(progress, terminal)


def rest(progress: Progress, name: str, *, run: float, here: float, monkeypatch: pytest.MonkeyPatch) -> str:
    """What is said of the rest of a run in a stage that does not say how far it is, after so many seconds."""
    number = progress._rich.add_task(name, total=10)
    task: Task = progress._rich.tasks[number]
    monkeypatch.setattr(type(task), "elapsed", property(lambda _: here))
    monkeypatch.setattr("time.monotonic", lambda: progress._begin + run)
    return progress._rest(task)


def test_a_stage_without_news_does_not_make_the_rest_of_the_run_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    progress = Progress(quiet=True, expected={"proofs": 10.0, "axioms": 10.0, "campaign": 20.0})
    progress.stages.append(("proofs", 20.0))
    begun = rest(progress, "axioms", run=20.0, here=0.0, monkeypatch=monkeypatch)
    half = rest(progress, "axioms", run=30.0, here=10.0, monkeypatch=monkeypatch)
    assert (begun, half) == ("about 60 s to go", "about 50 s to go")


def test_a_stage_of_a_run_of_which_nobody_knows_how_long_it_takes_has_no_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    progress = Progress(quiet=True, expected={"proofs": 10.0})
    assert rest(progress, "other", run=20.0, here=0.0, monkeypatch=monkeypatch) == ""


# ------------------------------------------------------------------------------------------------------ of commands


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All that is said of what goes on."""
    heard: list[str] = []
    stage = Progress.stage

    @contextmanager
    def listened(self: Progress, name: str, pieces: int | None) -> Iterator[Advance]:
        heard.append(f"{name}: {pieces}")
        with stage(self, name, pieces) as advance:

            def both(current: Current, done: int | None = None) -> None:
                heard.append(current() if callable(current) else current)
                advance(current, done)

            yield both

    monkeypatch.setattr(Progress, "stage", listened)
    return heard


def test_a_decision_says_how_many_steps_it_may_take(remora: Remora, told: list[str]) -> None:
    remora("equiv", "a ; b", "b", "--steps", "1000")
    remora("explain", "a ; b", "--steps", "2000")
    remora("equiv", "a ; b", "--empty", "--steps", "3000")
    assert [said for said in told if "steps" in said] == ["0% of the steps"] * 3


def test_a_question_that_solvers_are_asked_says_when_they_give_up(remora: Remora, told: list[str]) -> None:
    bound = 10**12
    remora("equiv", f"(a ; b)[{bound}]", f"((a ; b)[{bound}])[{bound + 1}]", "--up-to", "meaning")
    assert told[-1] == "asking solvers, at most 60 s a question"


def test_a_claim_is_concluded_after_the_solvers_have_answered(remora: Remora, told: list[str]) -> None:
    remora("prove", "A + A == A", "A | B == B | A", "--no-canaries")
    places = [told.index(said) for said in ("proofs: 2", "conclusions of proofs: 2")]
    assert places == sorted(places)
    assert told[places[1] + 1 :] == [
        "conjecture:1: looking for a counterexample",
        "conjecture:2: looking at small cases, and at what is assumed",
        *told[told.index("canaries: 0") :],
    ]


def test_what_is_asked_again_says_how_long_it_takes_at_most(remora: Remora, told: list[str]) -> None:
    remora("prove", "A + B + C + A + B + C ~= A + B + C", "--no-canaries")
    (again,) = (said for said in told if "attempt" in said)
    assert re.fullmatch(r"conjecture:1: attempt 2 of 5, at most about \d+ s more", again)


def test_each_comprehension_says_which_it_is_and_how_much_of_it_is_done() -> None:
    pattern = parse("(a | b)[2]")
    trace = interpretation([Occurrence("a", 0), Occurrence("a", 3), Occurrence("b", 1)])
    evaluation = Evaluation(pattern, "anna")
    heard = [evaluation.words()]

    def watched(definition: Operator, number: int, candidates: Iterator[ChosenT]) -> Iterator[ChosenT]:
        for candidate in evaluation.watched(definition, number, candidates):
            heard.append(evaluation.words().split(", about")[0])
            yield candidate

    assert denotation(pattern, trace, watched=watched) == denotation(pattern, trace)
    assert heard == [
        "anna",
        "anna  step 1 of 3, disjunction of 2 candidates: 50%",
        "anna  step 1 of 3, disjunction of 2 candidates: 100%",
        "anna  step 2 of 3, disjunction of 1 candidate: 100%",
        "anna  step 3 of 3, temporal restriction of 3 candidates: 33%",
        "anna  step 3 of 3, temporal restriction of 3 candidates: 67%",
        "anna  step 3 of 3, temporal restriction of 3 candidates: 100%",
    ]


def test_what_is_written_says_how_far_it_is_only_where_nobody_reads_it_yet(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for into_file in (False, True):
        with (tmp_path / "rows").open("w") as file, monkeypatch.context() as here:
            terminal_of(here)
            here.setattr(sys, "stdout", file if into_file else io.StringIO())
            with Progress() as progress:
                assert list(written(["row"], progress)) == ["row"]
                assert progress._live is into_file


@pytest.mark.parametrize("coloured", [{}, {"FORCE_COLOR": "1"}])
def test_nothing_is_said_of_a_wait_where_there_is_no_terminal_whatever_its_colours(
    coloured: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("remora.terminal.progress.DELAY", 0.0)
    for name, value in coloured.items():
        monkeypatch.setenv(name, value)
    with Progress() as progress, progress.stage("proofs", 2) as advance:
        advance("law:1")
    with waiting("deciding") as wait:
        wait.tell("what goes on")
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("coloured", [{}, {"FORCE_COLOR": "1"}])
def test_of_a_run_of_minutes_each_stage_has_a_line_where_there_is_no_terminal(
    coloured: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in coloured.items():
        monkeypatch.setenv(name, value)
    with Progress(expected={"proofs": 1.0}) as progress, progress.stage("proofs", 2) as advance:
        advance("law:1")
    assert capsys.readouterr() == ("", "proofs: 0.0 s\n")


# ------------------------------------------------------------------------------------------- what is seen of it


def test_a_terminal_is_shown_how_far_it_is_and_results_go_where_they_belong(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen, results = terminal_of(monkeypatch), io.StringIO()
    monkeypatch.setattr(sys, "stdout", results)
    with Progress() as progress:
        progress._start.join()
        with progress.stage("proofs", 3) as advance:
            advance("law:[1]")
            advance("law:2")
            print("found")
            progress._rich.refresh()
    assert "proofs" in seen.getvalue()
    assert "1 of 3" in seen.getvalue()
    assert "law:2" in seen.getvalue()
    assert results.getvalue() == "found\n"


def test_what_is_hidden_stays_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = terminal_of(monkeypatch)
    with waiting("detecting") as wait:
        wait._progress._start.join()
        wait.hide()
        before = seen.getvalue()
        wait.hide()
    assert seen.getvalue() == before


def test_the_lines_of_a_long_file_are_counted_about_right(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("".join(f"{number},event\n" for number in range(200_000)))
    assert 0.97 < about_lines(path) / 200_000 < 1.03
    path.write_text("")
    assert about_lines(path) == 0


@pytest.mark.parametrize("intervals", [(), ("--intervals",)])
def test_a_detection_in_a_long_file_shows_how_far_it_is_and_finds_the_same(
    remora: Remora, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, intervals: tuple[str, ...]
) -> None:
    path = tmp_path / "long.csv"
    path.write_text("time,event\n" + "".join(f"{t},{'ab'[t % 50 == 0]}\n" for t in range(20_000)))
    unseen = remora("detect", "b ; b", path, *intervals, "--format", "jsonl")
    assert unseen[1].count("\n") == 399
    monkeypatch.setattr("remora.terminal.following.LONG", 1)
    monkeypatch.setattr(Timer, "start", Timer.run)  # the display is there before the work begins
    monkeypatch.setattr(Timer, "join", lambda _: None)
    with monkeypatch.context() as patch:
        seen = terminal_of(patch)
        watched = remora("detect", "b ; b", path, *intervals, "--format", "jsonl")
    assert watched[:2] == unseen[:2]
    assert "rows" in seen.getvalue()


def test_a_short_stage_does_not_flicker(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = terminal_of(monkeypatch)
    monkeypatch.setattr("remora.terminal.progress.DELAY", 3600.0)
    with Progress() as progress, progress.stage("proofs", 1) as advance:
        advance("law:1")
    assert seen.getvalue() == ""
