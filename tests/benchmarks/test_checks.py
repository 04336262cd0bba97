import numpy as np
import pytest

from benchmarks import checks
from benchmarks.checks import Checker, OracleDiffers, confirm_oracle, difference, malformed, oracle
from benchmarks.patterns import PATTERNS
from benchmarks.subjects import Answer, Subject, arrays
from benchmarks.traces import Trace, random_trace
from detectors.carlson_lisper.source.figure2 import Figure2
from tests.benchmarks.fakes import fake, too_early, without_last

II = PATTERNS["ii"]
TRACE = random_trace(("A", "B"), 0.2, 2_000, 3)


def answer(*intervals: tuple[int, int]) -> Answer:
    return Answer(
        np.array([start for start, _ in intervals], np.int64),
        np.array([end for _, end in intervals], np.int64),
    )


@pytest.mark.parametrize("id", PATTERNS)
def test_the_oracle_agrees_with_the_definition(id: str) -> None:
    trace = random_trace(("A", "B", "C", "P", "T"), 0.3, 400, 1)
    confirm_oracle(PATTERNS[id], trace)


def test_an_oracle_that_differs_from_the_definition_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Early(Figure2):
        def step(self, time, occurrences):  # type: ignore[no-untyped-def]
            return super().step(time, occurrences) if time % 7 else None

    monkeypatch.setattr(checks, "Figure2", Early)
    with pytest.raises(OracleDiffers, match="Figure 2 is wrong on A ; B at"):
        confirm_oracle(II, TRACE)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (answer((1, 3), (5, 9)), None),
        (answer((1, 3), (4, 9)), "at 9: found [4, 9], expected [5, 9]"),
        (answer((1, 3)), "at 9: found nothing, expected [5, 9]"),
        (answer((5, 9)), "at 3: found nothing, expected [1, 3]"),
        (answer((1, 3), (5, 7), (5, 9)), "at 7: found [5, 7], expected nothing"),
        (answer((1, 3), (5, 9), (5, 10)), "at 10: found [5, 10], expected nothing"),
        (answer((1, 3), (5, 9), (5, 20)), None),
        (Answer(None, np.array([3, 9])), None),
        (Answer(None, np.array([3, 8])), "at 8: found an end, expected nothing"),
    ],
)
def test_the_first_difference_within_the_common_instants_is_said(found: Answer, said: str | None) -> None:
    first = difference(found, answer((1, 3), (5, 9)), 20)
    assert (None if first is None else str(first)) == said


def test_an_answer_that_cannot_be_one_is_malformed() -> None:
    assert malformed(answer((1, 3), (2, 3))) == "the end 3 comes after the end 3"
    assert malformed(Answer(np.array([1]), np.array([2, 3]))) == "1 starts and 2 ends"
    assert malformed(answer((1, 3), (2, 4))) is None


def checked(*subjects: tuple[Subject, int]) -> Checker:
    checker = Checker(II, TRACE)
    for subject, instants in subjects:
        checker.check(subject, instants, arrays(subject.prepare(II, TRACE.prefix(instants))()()))
    return checker


def test_answers_that_agree_are_right_and_checked_as_far_as_another_reaches() -> None:
    short, long = fake("short"), fake("long", reports="ends")
    checker = checked((short, 500), (long, 2_000), (fake("longer"), 1_000))
    assert checker.wrong == {}
    assert [checker.checked_instants(one) for one in (short, long)] == [500, 1_000]


@pytest.mark.parametrize("order", [1, -1])
def test_the_oracle_tells_which_of_two_is_wrong(order: int) -> None:
    pair = [(fake("right"), 1_000), (fake("wrong", change=without_last), 1_000)]
    checker = checked(*pair[::order])
    assert set(checker.wrong) == {"wrong"}
    assert "found nothing, expected [" in checker.wrong["wrong"]


def test_wrong_starts_are_noticed_and_nothing_is_said_against_ends() -> None:
    checker = checked((fake("ends", reports="ends"), 1_000), (fake("early", change=too_early), 1_000))
    assert checker.wrong == {}
    checker = checked((fake("right"), 800), (fake("early", change=too_early), 1_000))
    assert set(checker.wrong) == {"early"}


def test_all_that_agreed_with_a_wrong_answer_are_wrong() -> None:
    wrong = [(fake(name, change=without_last), 1_000) for name in ("one", "two")]
    checker = checked(*wrong, (fake("right"), 1_000))
    assert set(checker.wrong) == {"one", "two"}
    checker = checked((fake("short"), 100), *wrong, (fake("right"), 1_000))
    assert set(checker.wrong) == {"one", "two"}


def test_beyond_the_oracles_reach_nobody_who_differs_gets_a_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "JUDGED", 10)
    checker = checked((fake("short"), 100), (fake("one"), 1_000), (fake("two", change=without_last), 1_000))
    assert set(checker.wrong) == {"one", "two"}
    assert "too late in the trace" in checker.wrong["one"]


def test_a_trace_without_detections_is_no_difference() -> None:
    empty = Trace(50, {"A": np.empty(0, np.int64), "B": np.empty(0, np.int64)})
    assert difference(oracle(II, empty), oracle(II, empty), 50) is None
