"""One case and several detectors: who is at fault, at which operators, and what is not tried."""

from pathlib import Path

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.loading import any_factory
from campaigns.judging.judgements import judge_case
from campaigns.judging.verdicts import MEANING, TIME_LIMIT, Cause, Kind
from campaigns.systems import Judged
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
    assert (fault.kind, fault.path) == (Kind.SPURIOUS, "tim(seq)")
    assert fault.cause == Cause("mutant:tim-long", MEANING, "tim(seq)", Kind.SPURIOUS)


def test_a_detector_that_fails_on_the_whole_only_is_at_fault_at_its_root() -> None:
    whole = case("(a + b) ; c", ("a", 1), ("b", 2), ("c", 3))
    (fault,) = judged(whole, "broken_detectors:RootSequence").faults
    assert fault.path == "seq(con, event)"


def test_a_relation_is_tried_on_what_is_right_in_itself() -> None:
    right = judged(NESTED, "figure2", relation="shifted")
    assert (right.judgements, right.faults) == (2, ())
    wrong = judged(NESTED, "mutant:tim-long", relation="shifted")
    assert [fault.relation for fault in wrong.faults] == [MEANING]


def test_what_only_a_relation_notices_is_a_fault_of_its_own_kind() -> None:
    early = case("a ; b", ("a", 1), ("b", 3))
    (fault,) = judged(early, "broken_detectors:OnlyEarly", relation="shifted").faults
    assert (fault.relation, fault.kind) == ("shifted", Kind.RELATION)


def test_a_detector_that_refuses_a_case_is_neither_right_nor_wrong() -> None:
    found = judged(NESTED, "broken_detectors:Selective", relation="prefix")
    assert (found.judgements, found.faults, len(found.refusals)) == (0, (), 1)


def test_a_detector_that_ends_its_process_does_not_end_the_others() -> None:
    deadly = case("a ; b", ("a", 16), ("b", 17))
    found = judged(deadly, "broken_detectors:Deadly", "figure2", apart=True)
    assert [(fault.detector, fault.kind) for fault in found.faults] == [("broken_detectors:Deadly", Kind.WORKER_LOST)]
