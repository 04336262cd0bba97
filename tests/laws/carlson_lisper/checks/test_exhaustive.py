"""The exhaustive check: truth tables over all streams, against evaluating the streams one by one."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest

from laws.carlson_lisper.checks import counterexamples
from laws.carlson_lisper.checks.counterexamples import Counterexample, RestrictionCounterexample
from laws.carlson_lisper.checks.exhaustive import check_exhaustively, smallest_counterexample
from laws.carlson_lisper.claims import Claim, EquationClaim, RestrictionClaim, canaries, catalogue, find
from laws.carlson_lisper.mutations import ALTERED_OPERATORS
from laws.standings import Standing
from semantics.carlson_lisper.expressions import BoundValues, Identifier
from semantics.carlson_lisper.occurrences import Occurrence, Streams
from semantics.carlson_lisper.operators import OPERATORS, Operators
from semantics.carlson_lisper.restriction import HALVES
from semantics.errors import LimitExceeded
from semantics.formulas import And, Compare, End, Exists, ForAll, Formula, Start
from tests.laws.carlson_lisper.conjectures import all_streams, conjecture


def choices(claim: EquationClaim, size: int) -> Iterator[tuple[Streams, BoundValues]]:
    """Streams over a few occurrences, with bounds, for claims without side conditions."""
    for gaps in product(range(3), repeat=size - 1):
        times = [sum(gaps[:place]) for place in range(len(gaps) + 1)]
        occurrences = [Occurrence(f"x{number}", time) for number, time in enumerate(times, start=1)]
        for streams in product(all_streams(occurrences), repeat=len(claim.variables)):
            named = dict(zip(claim.variables, streams, strict=True))
            for values in product(range(5), repeat=len(claim.parameters)):
                yield named, dict(zip(claim.parameters, values, strict=True))


ONE = ["A + A == A", "A[t] == A", "A ; A <= A + A", "A[t][2] == A[min(t, 2)]", "A + A [=] A"]
TWO = ["A ; B == B ; A", "A - B <= A", "A ~= A - (B ; B)", "A | B ~= B | A | A", "A + B [=] B + A"]
ALTERED = ALTERED_OPERATORS[2].operators()


@pytest.mark.parametrize(
    ("statement", "size", "operators"),
    [*((one, 3, OPERATORS) for one in ONE), ("A - A[t] == A", 3, ALTERED), *((two, 2, OPERATORS) for two in TWO)],
)
def test_truth_tables_agree_with_evaluating_all_streams_one_by_one(
    statement: str, size: int, operators: Operators
) -> None:
    claim = conjecture(statement)
    outcome = check_exhaustively(claim, operators, largest=size)
    failing = any(counterexamples.contradicts(claim, *choice, operators) for choice in choices(claim, size))
    assert outcome.standing is (Standing.REFUTED if failing else Standing.TESTED)
    assert outcome.cases > 0


START, END = (Compare("=", point("s"), point("s'")) for point in (Start, End))
SWAPPED = And((Compare("=", Start("s"), End("s'")), Compare("=", End("s"), Start("s'"))))
OF_INTERVALS = {"A + (A + A) [=] A + A": True, "A | (A ; B) [=] A": False, "B | (A ; B) [=] B": False}


@pytest.mark.parametrize("same", [And((START, END)), SWAPPED, START, END], ids=["right", "swapped", "start", "end"])
def test_a_slip_in_what_the_same_intervals_are_changes_what_is_true(
    same: Formula, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(HALVES, "[=]", ForAll("s", "S", Exists("s'", "T", same)))
    true = {one: check_exhaustively(conjecture(one)).standing is Standing.TESTED for one in OF_INTERVALS}
    assert (true == OF_INTERVALS) is (same == And((START, END)))


SEARCHED = [claim for claim in canaries() if not (isinstance(claim, EquationClaim) and claim.alone)]


@pytest.mark.parametrize("claim", SEARCHED, ids=lambda claim: claim.id)
def test_every_canary_is_refuted_by_a_trace(claim: Claim) -> None:
    outcome = check_exhaustively(claim)
    assert outcome.standing is Standing.REFUTED
    found = outcome.counterexample
    if isinstance(claim, RestrictionClaim):
        assert isinstance(found, RestrictionCounterexample)
        assert counterexamples.replay_restriction(claim, found.streams, found.bound) == found
        return
    assert isinstance(found, Counterexample)
    assert counterexamples.replay(claim, found.substitution, found.bounds, found.trace) == found
    assert found.left != found.right
    assert len(found.trace) <= 4


@pytest.mark.slow
@pytest.mark.parametrize("claim", catalogue(), ids=lambda claim: claim.id)
def test_every_claim_of_the_source_survives_and_says_how_far_it_was_tested(claim: Claim) -> None:
    outcome = check_exhaustively(claim)
    assert (outcome.standing, "all streams over" in outcome.bound) == (Standing.TESTED, True)
    assert ("any bounds" in outcome.bound) == bool(claim.parameters)
    assert outcome.cases > 0


@pytest.mark.parametrize("name", OPERATORS)
def test_a_theorem_about_restrictions_fails_without_one_of_its_assumptions(name: str) -> None:
    (claim,) = find([f"theorem:4.6.{name}"])
    assert isinstance(claim, RestrictionClaim)
    weaker = replace(claim, restrictions=claim.restrictions[1:])  # without rem(S, S')
    found = check_exhaustively(weaker).counterexample
    assert isinstance(found, RestrictionCounterexample)
    assert counterexamples.replay_restriction(weaker, found.streams, found.bound) is not None
    assert counterexamples.replay_restriction(claim, found.streams, found.bound) is None


def test_a_primitive_event_type_has_single_occurrences_at_different_times() -> None:
    for statement in ("A == A[t]", "A + A == A[0] | (A ; A)"):
        assert check_exhaustively(conjecture(statement)).standing is Standing.REFUTED
        assert check_exhaustively(conjecture(statement, "A")).standing is Standing.TESTED
    found = smallest(conjecture("a ; B == B ; a", "a"))
    assert (found.substitution["a"], measure(found)) == (Identifier("a"), (2, 1))


def smallest(claim: EquationClaim) -> Counterexample:
    found = smallest_counterexample(claim).counterexample
    assert isinstance(found, Counterexample)
    return found


def measure(found: Counterexample) -> tuple[int, int]:
    times = [occurrence.time for occurrence in found.trace]
    return len(times), max(times) - min(times)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("A ; B == B ; A", (2, 1)), ("A + A == A", (2, 0)), ("A - (A - B) == A", (1, 0)),
        ("A + B <= (A ; B) | (B ; A)", (1, 0)), ("A[1000000000000] == A", (2, 10**12 + 1)),
        ("A ; (B ; C)[900000000] <= (A ; (B ; C))[1000000000]", (3, 10**9 + 1)),
        ("(A ; (B ; C))[1000000000] <= A ; (B ; C)[900000000]", (3, 900_000_002)),
        ("A[min(t, 7)] == A[7]", (2, 1)), ("A[7] == A[9]", (2, 8)), ("((A ; B) ; C)[2] == (A ; B ; C)[4]", (3, 3)),
    ],
)  # fmt: skip
def test_a_counterexample_is_as_small_as_can_be(statement: str, expected: tuple[int, int]) -> None:
    assert measure(smallest(conjecture(statement))) == expected


def test_a_failure_that_the_executable_semantics_does_not_confirm_is_no_counterexample(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("laws.carlson_lisper.checks.exhaustive.ClaimTables.unrelated", lambda *_: 1)
    found = smallest_counterexample(conjecture("A + B == B + (A | A)"))
    assert (found.counterexample, found.unconfirmed, found.complete_up_to) == (None, True, 0)


@pytest.mark.parametrize("identifiers", [6, 9, 21, 22])
def test_many_identifiers_shorten_the_search_and_do_not_break_it(identifiers: int) -> None:
    names = " | ".join(f"A{number}" for number in range(identifiers))
    found = smallest_counterexample(conjecture(f"{names} == {names}"))
    assert found.counterexample is None
    assert found.complete_up_to == {6: 2, 9: 1, 21: 1}.get(identifiers, 0)
    if identifiers > 21:
        with pytest.raises(LimitExceeded, match=f"{identifiers} identifiers"):
            check_exhaustively(conjecture(f"{names} == {names}"))
