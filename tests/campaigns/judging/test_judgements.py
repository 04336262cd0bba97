"""One case and several detectors: who is at fault, at which operators, what is not tried, and what comes again."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import pytest

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.judge import judge
from campaigns.carlson_lisper.loading import any_factory
from campaigns.judging.judgements import again_and_again, judge_case, judged_by, made_small
from campaigns.judging.regressions import Regression
from campaigns.judging.verdicts import MEANING, TIME_LIMIT, Cause, Kind, Verdict
from campaigns.systems import Judged
from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.protocol import NodeState
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Instance, Time, Value
from tests.campaigns.written import case

HERE = (str(Path(__file__).parents[1]),)


def judged(case: Case, *names: str, relation: str = "", apart: bool = False) -> Judged:
    detectors = {name: any_factory(name, HERE) for name in names}
    return judge_case(case, detectors, relation=relation, seconds=TIME_LIMIT, apart=apart)


NESTED = case("((a ; b)[1] | c) + d", ("a", 1), ("b", 3), ("d", 4))  # A sequence that is a tick too long for its bound


def test_each_detector_is_judged_whatever_the_others_do() -> None:
    found = judged(NESTED, "mutant:tim-long", "figure2", "broken_detectors:Raising", "figure4")
    assert [fault.detector for fault in found.faults] == ["mutant:tim-long", "broken_detectors:Raising"]
    assert found.judgements == 4


def test_the_operators_at_fault_are_those_of_the_smallest_part_that_fails_in_the_same_way() -> None:
    (fault,) = judged(NESTED, "mutant:tim-long").faults
    assert fault.cause == Cause("mutant:tim-long", MEANING, "tim(seq)", Kind.SPURIOUS)
    whole = case("(a + b) ; c", ("a", 1), ("b", 2), ("c", 3))
    (fault,) = judged(whole, "broken_detectors:RootSequence").faults
    assert fault.path == "seq(con, event)"


def test_a_relation_is_tried_on_what_is_right_in_itself() -> None:
    right = judged(NESTED, "figure2", relation="shifted")
    assert (right.judgements, right.faults) == (2, ())
    wrong = judged(NESTED, "mutant:tim-long", relation="shifted")
    assert [fault.relation for fault in wrong.faults] == [MEANING]
    (fault,) = judged(case("a ; b", ("a", 1), ("b", 3)), "broken_detectors:OnlyEarly", relation="shifted").faults
    assert (fault.relation, fault.kind) == ("shifted", Kind.RELATION)


def test_a_detector_that_refuses_a_case_is_neither_right_nor_wrong() -> None:
    found = judged(NESTED, "broken_detectors:Selective", relation="prefix")
    assert (found.judgements, found.faults, len(found.refusals)) == (0, (), 1)


def test_a_detector_that_ends_its_process_does_not_end_the_others() -> None:
    deadly = case("a ; b", ("a", 16), ("b", 17))
    found = judged(deadly, "broken_detectors:Deadly", "figure2", apart=True)
    assert [(fault.detector, fault.kind) for fault in found.faults] == [("broken_detectors:Deadly", Kind.WORKER_LOST)]


class OnlyWhenAsked(Figure2):
    """Right as long as somebody looks at its state."""

    asked = True

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        found, self.asked = super().step(time, occurrences) if self.asked else None, False
        return found

    def state(self) -> tuple[NodeState, ...]:
        self.asked = True
        return super().state()


class NoSequences(Figure2):
    """Reports nothing after its first instance in a process that had a sequence."""

    broken = False

    def __init__(self, expression: Expression) -> None:
        super().__init__(expression)
        self.silent = NoSequences.broken
        NoSequences.broken |= ";" in str(expression)

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        found = super().step(time, occurrences)
        return None if self.silent or ";" in str(self.expression) else found


def test_a_relation_is_judged_again_with_the_reports_of_the_first_judgement() -> None:
    asked = case("a ; a", *(("a", time) for time in range(4)))
    again = judged_by("shifted", asked, OnlyWhenAsked, seconds=5)
    [fault] = judge_case(asked, {"mine": OnlyWhenAsked}, relation="shifted", seconds=5).faults
    assert (Kind.RELATION, again.kind, again.detail) == (fault.kind, fault.kind, fault.detail)
    kept = Regression(asked, "shifted", "mine", fault.kind.value, fault.detail)
    assert kept.verdict(OnlyWhenAsked).kind is Kind.RELATION
    assert kept.verdict(Figure2).ok


@pytest.mark.slow
def test_a_case_that_fails_alone_is_made_small_although_the_process_remembers() -> None:
    # In one process everything fails after the first case, so that `a` alone would seem to be enough.
    whole, ask = case("(a ; a) | a", ("a", 0), ("a", 1), ("a", 2)), partial(judge, factory=NoSequences, seconds=5)
    first, small = made_small(MEANING, whole, Verdict(Kind.MISSING, "", ()), NoSequences, seconds=5)
    assert first.kind is Kind.MISSING and small is not None
    assert str(small.case.expression) == "a ; a"
    assert again_and_again(small.case, Kind.MISSING, ask, seconds=5).kind is Kind.MISSING
