"""A failure has to come again in a fresh process before it is believed to be small, and a replay does what was done."""

from collections.abc import Mapping

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.judge import judge
from campaigns.judging.judgements import again_and_again, judge_case, judged_by, made_small
from campaigns.judging.regressions import Regression
from campaigns.judging.verdicts import MEANING, Kind, Verdict
from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.protocol import NodeState
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Time, Value
from semantics.carlson_lisper.syntax import parse


class OnlyWhenAsked(Figure2):
    """Right as long as somebody looks at its state."""

    asked = True

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        found = super().step(time, occurrences)
        if not self.asked:
            found = None
        self.asked = False
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


def case(text: str, *times: int) -> Case:
    return Case(0, 0, "small", parse(text), tuple(Occurrence("a", time) for time in times))


def test_a_relation_is_judged_again_with_the_reports_of_the_first_judgement() -> None:
    asked = case("a ; a", 0, 1, 2, 3)
    again = judged_by("shifted", asked, OnlyWhenAsked, seconds=5)
    assert again.kind is Kind.RELATION
    [fault] = judge_case(asked, {"mine": OnlyWhenAsked}, relation="shifted", seconds=5).faults
    assert (again.kind, again.detail) == (fault.kind, fault.detail)
    kept = Regression(asked, "shifted", "mine", fault.kind.value, fault.detail)
    assert kept.verdict(OnlyWhenAsked).kind is Kind.RELATION
    assert kept.verdict(Figure2).ok


def test_a_case_that_fails_alone_is_made_small_although_the_process_remembers() -> None:
    # In one process everything fails after the first case, so that `a` alone would seem to be enough.
    whole = case("(a ; a) | a", 0, 1, 2)

    def ask(each: Case) -> Verdict:
        return judge(each, NoSequences, seconds=5)

    first, small = made_small(MEANING, whole, Verdict(Kind.MISSING, "", ()), NoSequences, seconds=5)
    assert first.kind is Kind.MISSING
    assert small is not None
    assert str(small.case.expression) == "a ; a"
    assert again_and_again(small.case, Kind.MISSING, ask, seconds=5).kind is Kind.MISSING
