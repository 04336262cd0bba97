from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, cast

import pytest

from campaigns.carlson_lisper.cases import Case, generate
from campaigns.carlson_lisper.judge import judge
from campaigns.carlson_lisper.mutants import MUTANTS
from campaigns.carlson_lisper.relations import RELATIONS, choices, judge_relation
from campaigns.judging.judgements import DETECTIONS, minimise
from campaigns.judging.verdicts import Kind, Verdict
from campaigns.mutants import Mutant
from detectors.carlson_lisper.catalogue import Spans
from detectors.carlson_lisper.generated import Generated
from detectors.protocol import Snapshot
from semantics.carlson_lisper.expressions import Expression, size
from semantics.carlson_lisper.occurrences import Instance, Time
from tests.campaigns.broken_detectors import telling
from tests.campaigns.carlson_lisper.wrong import WRONG_STEPS
from tests.campaigns.written import case as written


def failing(mutant: Mutant, seed: int) -> tuple[Case, Verdict]:
    """The first usual case that finds a mutant wrong."""
    judged = ((case, judge(case, mutant)) for case in (generate(seed, number) for number in range(2000)))
    return next((case, found) for case, found in judged if found.kind and judge(case, mutant.unaltered).ok)


@pytest.mark.slow
@pytest.mark.parametrize("mutant", WRONG_STEPS.values(), ids=WRONG_STEPS)
def test_the_small_case_of_every_mutant_fails_in_the_same_way(mutant: Mutant) -> None:
    case, verdict = failing(mutant, 0)
    small = minimise(case, verdict, partial(judge, factory=mutant))
    assert small.complete
    assert small.verdict.kind == judge(small.case, mutant).kind
    assert small.verdict.kind == verdict.kind or DETECTIONS >= {small.verdict.kind, verdict.kind}
    assert len(small.case.occurrences) <= 4
    assert small.case.occurrences[-1].time <= 4
    assert not any(o.value for o in small.case.occurrences)
    assert small.case.restored is None


def test_a_gap_and_the_bound_that_it_meets_shrink_together() -> None:
    mutant, occurrences = MUTANTS["tim-short"], (("x", 10**9), ("y", 10**9 + 1000), ("y", 10**10))
    case = written("(x ; y)[1000]", *occurrences)
    small = minimise(case, judge(case, mutant), partial(judge, factory=mutant))
    assert str(small.case) == "(a ; a)[1]  in  a@0 a@1"


def test_when_the_budget_is_used_up_the_smallest_case_so_far_is_returned() -> None:
    mutant = MUTANTS["con-forgets"]
    case, verdict = failing(mutant, 1)
    small = minimise(case, verdict, partial(judge, factory=mutant), budget=5)
    assert (small.judgements, small.complete) == (5, False)
    assert judge(small.case, mutant).kind == small.verdict.kind


def test_other_wrong_detections_are_taken_for_a_smaller_case_and_other_failures_are_not() -> None:
    def pretend(case: Case) -> Verdict:
        kinds = (None, Kind.NOT_AN_INSTANCE, Kind.SPURIOUS, Kind.MISSING, Kind.WRONG_START)
        return Verdict(kinds[min(len(case.occurrences), 4)], "", ())

    case = written("a", *(("a", time) for time in range(9)))
    small = minimise(case, pretend(case), pretend)
    assert (len(small.case.occurrences), small.verdict.kind) == (2, Kind.SPURIOUS)


def test_many_event_types_become_few_at_once_and_parts_that_never_happen_are_left_out() -> None:
    def shy(self: Any, now: Time, at: Any, found: Instance | None) -> Instance | None:
        """Says nothing of what takes longer than a tick."""
        return found if found and found.end - found.start < 2 else None

    wrong = telling(shy)
    names = [f"an_event_{number}" for number in range(60)]
    text = " | ".join(f"({one} ; {other})" for one, other in zip(names, reversed(names), strict=True))
    case = written(f"{text} | (x + never)", (names[7], 3), (names[52], 80), ("idle", 81))
    verdict = judge(case, wrong)
    small = minimise(case, verdict, partial(judge, factory=wrong))
    assert str(small.case) == "a ; a  in  a@0 a@2"
    assert small.judgements < 60


class LosesTheLatest(Generated):
    """Restores every start as if nothing had occurred."""

    def restore(self, snapshot: Snapshot) -> None:
        super().restore({**snapshot, "times": dict.fromkeys(cast(Mapping[str, Time], snapshot["times"]), -1)})


def test_where_a_snapshot_is_restored_is_made_small_with_the_case() -> None:
    def judged(case: Case) -> Verdict:
        return judge_relation(RELATIONS["snapshot"], case, factory, choices(case))

    def factory(expression: Expression) -> Spans:
        return Spans(LosesTheLatest(expression))

    cases = (generate(1, number) for number in range(2000))
    case = next(case for case in cases if judged(case).kind is not None)
    small = minimise(case, judged(case), judged).case
    assert size(small.expression) <= 3 and len(small.occurrences) == 2
    assert small.restored is not None and len(small.restored) == 1
    assert judged(replace(small, restored=())).refused
