"""Smallest counterexamples: whatever is smaller, by brute force, does not refute."""

from collections.abc import Iterator
from itertools import combinations_with_replacement, product

import pytest

from laws.carlson_lisper.checks.counterexamples import (
    Counterexample,
    RestrictionCounterexample,
    contradicts,
    replay,
    replay_restriction,
)
from laws.carlson_lisper.checks.smallest import smallest_counterexample, types_needed
from laws.carlson_lisper.claims import EquationClaim, RestrictionClaim, catalogue, find
from laws.carlson_lisper.mutations import ALTERED_OPERATORS, AlteredOperator
from semantics.carlson_lisper.expressions import BoundValues, Identifier
from semantics.carlson_lisper.occurrences import Occurrence
from tests.laws.carlson_lisper.conjectures import all_streams, changed, conjecture


def smallest(claim: EquationClaim) -> Counterexample:
    found = smallest_counterexample(claim).counterexample
    assert isinstance(found, Counterexample)
    return found


def measure(found: Counterexample) -> tuple[int, int, int]:
    """Occurrences, span in ticks, event types."""
    times = [occurrence.time for occurrence in found.trace]
    return len(times), max(times) - min(times), len({occurrence.event for occurrence in found.trace})


# ------------------------------------------------------------------------------------------------- brute force


def values(claim: EquationClaim, span: int) -> Iterator[BoundValues]:
    for chosen in product(range(span + 2), repeat=len(claim.parameters)):
        yield dict(zip(claim.parameters, chosen, strict=True))


def refuted_by_streams(claim: EquationClaim, occurrences: int, span: int) -> bool:
    """Whether any streams over so many occurrences within such a span contradict a claim."""
    for inner in combinations_with_replacement(range(span + 1), max(occurrences - 2, 0)):
        times = (0, *inner, span)[:occurrences]
        pool = [Occurrence(f"x{number}", time) for number, time in enumerate(times)]
        for streams in product(all_streams(pool), repeat=len(claim.variables)):
            named = dict(zip(claim.variables, streams, strict=True))
            if any(contradicts(claim, named, bounds) for bounds in values(claim, span)):
                return True
    return False


STATEMENTS = [
    "A ; B == B ; A", "A + A == A", "A == A[t]", "A[1] == A", "A - A[t] == A - A", "A ; A <= A",
    "A - (A - B) == A", "(A + B)[t] == A[t] + B[t]", "A + B <= (A ; B) | (B ; A)",
]  # fmt: skip


@pytest.mark.parametrize("statement", STATEMENTS)
def test_no_streams_over_fewer_occurrences_or_within_a_shorter_span_refute_the_claim(statement: str) -> None:
    claim = conjecture(statement)
    occurrences, span, _ = measure(smallest(claim))
    smaller = [(count, width) for count in range(1, occurrences) for width in range(3)]
    smaller += [(occurrences, width) for width in range(span)]
    for count, width in smaller:
        assert not refuted_by_streams(claim, count, width), (count, width)
    assert refuted_by_streams(claim, occurrences, span)


def test_occurrences_share_a_type_where_the_claim_allows_it() -> None:
    assert measure(smallest(conjecture("A + A == A"))) == (2, 0, 2)  # a shorter span comes first
    assert measure(smallest(conjecture("A ; B == B ; A"))) == (2, 1, 2)
    assert measure(smallest(conjecture("A ; A <= A"))) == (2, 1, 1)
    assert measure(smallest(conjecture("A ; (B ; C) == C ; (A ; B)"))) == (3, 2, 2)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("A[1000000] == A", (2, 1_000_001, 1)),
        ("A[1000000000000] == A", (2, 10**12 + 1, 1)),
        ("A ; (B ; C)[900000000] <= (A ; (B ; C))[1000000000]", (3, 10**9 + 1, 1)),
        ("(A ; (B ; C))[1000000000] <= A ; (B ; C)[900000000]", (3, 900_000_002, 1)),
        ("A[min(t, 7)] == A[7]", (2, 1, 1)),
        ("A[7] == A[9]", (2, 8, 1)),
        ("(A ; B)[3] == (A ; B)[2]", (2, 3, 1)),
        ("((A ; B) ; C)[2] == (A ; B ; C)[4]", (3, 3, 1)),
    ],
)
def test_bounds_that_are_numbers_need_no_longer_span_than_necessary(
    statement: str, expected: tuple[int, int, int]
) -> None:
    assert measure(smallest(conjecture(statement))) == expected


def test_a_primitive_identifier_is_one_event_type() -> None:
    assert smallest_counterexample(conjecture("a == a[t]", "a")).counterexample is None
    found = smallest(conjecture("a ; b == b ; a", "a", "b"))
    assert found.substitution == {"a": Identifier("a"), "b": Identifier("b")}
    assert measure(found) == (2, 1, 2)
    mixed = smallest(conjecture("a ; B == B ; a", "a"))
    assert measure(mixed) == (2, 1, 2)
    assert measure(smallest(conjecture("a ; B <= a | B", "a"))) == (2, 1, 1)  # B is the same type


@pytest.mark.parametrize("claim", catalogue()[:5] + catalogue()[33:39], ids=lambda claim: claim.id)
def test_nothing_refutes_a_claim_of_the_source(claim: EquationClaim) -> None:
    found = smallest_counterexample(claim, max_occurrences=2)
    assert (found.counterexample, found.complete_up_to, found.unconfirmed) == (None, 2, 0)


def test_a_smallest_counterexample_is_what_the_executable_semantics_replayed() -> None:
    for claim in changed(find(["14"])[0]):
        found = smallest_counterexample(claim, max_occurrences=2).counterexample
        if found is not None:
            assert isinstance(claim, EquationClaim) and isinstance(found, Counterexample)
            assert replay(claim, found.substitution, found.bounds, found.trace) == found


def test_a_claim_about_restrictions_needs_as_many_types_as_occurrences_coincide() -> None:
    (theorem,) = find(["theorem:4.5"])
    assert isinstance(theorem, RestrictionClaim)
    for claim in changed(theorem):
        found = smallest_counterexample(claim, max_occurrences=2).counterexample
        if found is not None:
            assert isinstance(claim, RestrictionClaim) and isinstance(found, RestrictionCounterexample)
            occurring = {o for stream in found.streams.values() for i in stream for o in i.occurrences}
            times = sorted(occurrence.time for occurrence in occurring)
            assert len({occurrence.event for occurrence in occurring}) == types_needed(times)
            assert replay_restriction(claim, found.streams, found.bound) == found


@pytest.mark.parametrize("alteration", ALTERED_OPERATORS, ids=lambda alteration: alteration.operator)
def test_an_altered_operator_is_found_out_and_what_is_put_in_keeps_its_meaning(alteration: AlteredOperator) -> None:
    (law,) = find([alteration.law])
    assert isinstance(law, EquationClaim)
    found = smallest_counterexample(law, alteration.operators())
    assert isinstance(found.counterexample, Counterexample)
    assert found.unconfirmed == 0
    assert found.counterexample.left != found.counterexample.right


def test_a_failure_that_the_executable_semantics_does_not_confirm_is_no_counterexample(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("laws.carlson_lisper.checks.truth_tables.ClaimTables.unrelated", lambda *_: 1)
    found = smallest_counterexample(conjecture("A + B == B + (A | A)"))
    assert found.counterexample is None
    assert found.unconfirmed == 1
    assert found.complete_up_to == 0


@pytest.mark.parametrize("identifiers", [4, 6, 9, 21, 22, 40])
def test_many_identifiers_shorten_the_search_and_do_not_break_it(identifiers: int) -> None:
    names = " | ".join(f"A{number}" for number in range(identifiers))
    found = smallest_counterexample(conjecture(f"{names} == {names}"))
    assert found.counterexample is None
    assert found.complete_up_to == {4: 2, 6: 2, 9: 1, 21: 1}.get(identifiers, 0)
