import threading
from dataclasses import replace

import pytest

from campaigns.carlson_lisper.cases import Case, generate
from campaigns.carlson_lisper.judge import judge
from campaigns.judging.judgements import judged_by
from campaigns.judging.verdicts import MEANING, Kind, Verdict
from detectors.carlson_lisper.adapters import AnyFactory
from detectors.carlson_lisper.source.figure2 import Figure2
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse
from tests.campaigns import broken_detectors
from tests.campaigns.broken_detectors import Everything, HoardsEverything, without_place
from tests.campaigns.written import SEQUENCE, case
from tests.tables import table


def factory(name: str) -> AnyFactory:
    found: AnyFactory = getattr(broken_detectors, name)
    return found


def test_figure_2_passes_some_hundreds_of_cases_of_which_most_have_something_to_detect() -> None:
    verdicts = [judge(generate(0, number), Figure2) for number in range(200)]
    assert all(verdict.ok for verdict in verdicts), [v.detail for v in verdicts if not v.ok]
    assert sum(verdict.vacuous for verdict in verdicts) < 0.25 * len(verdicts)
    assert sum(verdict.literal for verdict in verdicts) > 0.3 * len(verdicts)


def test_the_verdict_tells_what_was_expected_and_what_was_detected() -> None:
    verdict = judge(SEQUENCE, Figure2)
    assert (verdict.kind, verdict.detail, verdict.literal) == (None, "", True)
    assert [tuple(interval) for interval in verdict.expected] == [(3, 5), (3, 17)]
    assert [str(instance) for instance in verdict.detected] == ["{a@3, b@5}", "{a@3, b@17}"]


@pytest.mark.parametrize(("name", "kind", "detail"), table(__file__, "ways-to-fail"))
def test_each_way_to_fail_is_told_from_the_others(name: str, kind: str, detail: str) -> None:
    verdict = judge(SEQUENCE, factory(name), seconds=0.1)
    assert (verdict.kind, without_place(verdict.detail)) == (Kind(kind), detail)
    assert (verdict.kind is Kind.CRASH) == (verdict.detail != detail), "a crash says where it is"


@pytest.mark.parametrize("name", ["Spans", "AtOnce"])
def test_starts_and_ends_alone_are_judged_by_the_intervals(name: str) -> None:
    verdict = judge(SEQUENCE, factory(name))
    assert (verdict.kind, verdict.detected, verdict.literal) == (None, verdict.expected, True)


def test_a_refused_expression_is_neither_passed_nor_failed() -> None:
    selective = factory("Selective")
    assert judge(SEQUENCE, selective).ok
    verdict = judge(case("(a ; b)[9]", ("a", 2), ("b", 4)), selective)
    assert (verdict.ok, verdict.kind, verdict.refused) == (False, None, True)
    assert (verdict.refusal, verdict.vacuous) == ("only short expressions", False)


def test_judges_that_contradict_each_other_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("campaigns.carlson_lisper.judge.rem", lambda stream, restricted: False)
    assert judge(SEQUENCE, Figure2).kind is Kind.DISAGREEMENT
    monkeypatch.setattr("campaigns.carlson_lisper.judge.restriction", lambda stream: frozenset())
    assert judge(SEQUENCE, Figure2).kind is Kind.DISAGREEMENT


def test_outside_the_main_thread_a_slow_detector_is_stopped_between_its_steps() -> None:
    verdicts: list[Verdict] = []
    thread = threading.Thread(target=lambda: verdicts.append(judge(SEQUENCE, factory("Slow"), seconds=0.01)))
    thread.start()
    thread.join()
    assert verdicts[0].kind is Kind.TIMEOUT


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [("Deadly", Kind.WORKER_LOST, "ended with exit status 5"), ("Deaf", Kind.TIMEOUT, "had to be killed")],
)
def test_a_detector_that_ends_its_process_or_cannot_be_interrupted_is_a_verdict(
    name: str, kind: Kind, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("campaigns.judging.isolation.GRACE", 0.5)
    verdict = judged_by(MEANING, SEQUENCE, factory(name), seconds=0.2, apart=True)
    assert verdict.kind is kind and verdict.detail.endswith(said) and verdict.expected


def crowd(ticks: int) -> Case:
    """A case with one detection; all that occurs, taken as its instance, can be put together in many ways."""
    between = [Occurrence(event, time) for time in range(1, ticks) for event in "ac"]
    occurrences = (Occurrence("b", 0), *between, Occurrence("d", ticks))
    return Case(0, 0, "written", parse("b ; (a + c + (a + c)) ; d"), occurrences)


def test_an_instance_that_is_too_large_to_check_is_a_refusal_unless_something_else_is_wrong() -> None:
    large = crowd(60)
    verdict = judge(large, Everything)
    assert (verdict.kind, verdict.refused, verdict.vacuous) == (None, True, False)
    assert verdict.refusal.startswith("an instance cannot be checked: a conjunction has 12,")
    assert judge(large, Figure2).ok
    assert judge(crowd(6), Everything).kind is Kind.NOT_AN_INSTANCE
    assert judge(large, HoardsEverything).kind is Kind.STORAGE
    assert judge(replace(large, expression=parse("b ; d")), Everything).kind is Kind.NOT_AN_INSTANCE
