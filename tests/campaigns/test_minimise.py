from functools import partial

import pytest

from campaigns.cases import Case, generate
from campaigns.judge import Kind, Verdict, judge
from campaigns.minimise import minimise
from campaigns.mutants.telling import MUTANTS, Mutant, first_failure
from semantics.occurrences import Occurrence
from semantics.syntax import parse


def failing(mutant: Mutant, seed: int) -> tuple[Case, Verdict]:
    found = first_failure(mutant, seed)
    assert found is not None
    case = generate(seed, found[0])
    return case, judge(case, mutant)


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS.keys())
def test_the_small_case_of_every_mutant_fails_in_the_same_way(mutant: Mutant) -> None:
    case, verdict = failing(mutant, 0)
    small = minimise(case, verdict, partial(judge, factory=mutant))
    assert small.complete
    assert small.verdict.kind == verdict.kind == judge(small.case, mutant).kind
    assert len(small.case.occurrences) <= 4
    assert small.case.occurrences[-1].time <= 4
    assert not any(o.value for o in small.case.occurrences)


def test_minimisation_makes_no_random_choice() -> None:
    mutant = MUTANTS["seq-unsorted"]
    case, verdict = failing(mutant, 3)
    first, second = (minimise(case, verdict, partial(judge, factory=mutant)) for _ in range(2))
    assert first == second


def test_a_gap_and_the_bound_that_it_meets_shrink_together() -> None:
    mutant = MUTANTS["tim-short"]
    occurrences = (Occurrence("x", 10**9, "v"), Occurrence("y", 10**9 + 1000), Occurrence("y", 10**10))
    case = Case(0, 0, "written", parse("(x ; y)[1000]"), occurrences)
    small = minimise(case, judge(case, mutant), partial(judge, factory=mutant))
    assert str(small.case) == "(a ; a)[1]  in  a@0 a@1"


def test_when_the_budget_is_used_up_the_smallest_case_so_far_is_returned() -> None:
    mutant = MUTANTS["con-forgets"]
    case, verdict = failing(mutant, 1)
    small = minimise(case, verdict, partial(judge, factory=mutant), budget=5)
    assert (small.judgements, small.complete) == (5, False)
    assert judge(small.case, mutant).kind == verdict.kind


def test_a_case_that_fails_in_another_way_is_not_taken_for_a_smaller_one() -> None:
    def pretend(case: Case) -> Verdict:
        kind = Kind.CRASH if len(case.occurrences) >= 3 else Kind.MISSING if case.occurrences else None
        return Verdict(kind, "", ())

    case = generate(0, 0)
    assert len(minimise(case, pretend(case), pretend).case.occurrences) == 3
