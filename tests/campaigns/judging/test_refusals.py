"""What cannot be judged is a refusal with a reason: it ends no campaign, and is counted and shown."""

from dataclasses import replace

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.judge import judge
from campaigns.judging.verdicts import Kind
from detectors.carlson_lisper.source.figure2 import Figure2
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse
from tests.campaigns.broken_detectors import Everything, HoardsEverything


def crowd(ticks: int) -> Case:
    """A case with one detection; all that occurs, taken as its instance, can be put together in many ways."""
    between = [Occurrence(event, time) for time in range(1, ticks) for event in "ac"]
    occurrences = (Occurrence("b", 0), *between, Occurrence("d", ticks))
    return Case(0, 0, "written", parse("b ; (a + c + (a + c)) ; d"), occurrences)


LARGE = crowd(60)


def test_an_instance_that_is_too_large_to_check_is_a_refusal_with_the_reason() -> None:
    verdict = judge(LARGE, Everything)
    assert (verdict.ok, verdict.kind, verdict.refused, verdict.vacuous) == (False, None, True, False)
    assert verdict.refusal.startswith("an instance cannot be checked: a conjunction has 12,")
    assert judge(LARGE, Figure2).ok
    assert judge(crowd(6), Everything).kind is Kind.NOT_AN_INSTANCE


def test_what_is_wrong_for_another_reason_is_no_refusal_because_an_instance_is_too_large() -> None:
    assert judge(LARGE, HoardsEverything).kind is Kind.STORAGE
    other = replace(LARGE, expression=parse("b ; d"))
    assert judge(other, Everything).kind is Kind.NOT_AN_INSTANCE
