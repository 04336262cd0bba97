"""The evidence for the errata: all of it comes out, and what is wrong does not."""

import json
from dataclasses import replace

import pytest

from laws.errata import Erratum, Evidence, errata_of
from proofs.errata import check_errata
from semantics.errors import InputError
from tests.smt.fakes import z3

ERRATA = errata_of("carlson_lisper")


@pytest.mark.parametrize(
    "erratum",
    [
        pytest.param(erratum, id=erratum.id, marks=pytest.mark.slow if place % 4 else ())
        for place, erratum in enumerate(ERRATA)
    ],
)
def test_the_evidence_comes_out_as_claimed_and_is_plain_data(erratum: Erratum) -> None:
    (result,) = check_errata("carlson_lisper", z3(), [erratum])
    row = json.loads(json.dumps(result.to_data()))
    assert (row["id"], row["as_claimed"]) == (erratum.id, True), row
    assert all(one["found"] for one in row["evidence"])


COMMUTED = ["⟦A | B⟧", "⟦A⟧ ∪ ⟦B⟧", "⟦B | A⟧"]

WRONG = [
    Evidence("entails", {"says": "(A - B) - B == A - B", "laws": [1, 13], "expect": "follows"}),
    Evidence("entails", {"says": "A[t] == A", "expect": "follows"}),
    Evidence("proved", {"claim": "canary:1"}),
    Evidence("entails", {"says": "A[t][u] == A[t]", "laws": [24], "where": ["u <= t"], "expect": "follows"}),
    Evidence("entails", {"says": "A == B", "laws": [1, 2], "expect": "follows"}),
    Evidence("entails", {"says": "A | B == B | A", "laws": [2], "expect": "does not follow"}),
    Evidence("same", {"says": "(A - B)[t] == (A - B[t])[t]", "expect": True}),
    Evidence("same", {"says": "A == A", "expect": False}),
    Evidence("computation", {"number": 2, "proves": 3, "lines": COMMUTED}),
    Evidence("computation", {"number": 2, "proves": 2, "lines": COMMUTED, "printed_ends": "equal"}),
    Evidence("computation", {"number": 2, "proves": 2, "lines": ["⟦A | B⟧", "⟦A + B⟧", "⟦B | A⟧"]}),
    Evidence("claim", {"says": "rem(S, S)", "expect": "holds"}),
    Evidence("claim", {"says": "rem(S, S)", "expect": "fails", "streams": {"S": ["p@0"]}}),
    Evidence(
        "claim", {"given": ["A ≡ B"], "says": "A ≅ B", "expect": "fails", "streams": {"A": ["p@0"], "B": ["p@1"]}}
    ),
    Evidence("claim", {"given": ["∃ s ∈ S s ∈ S", "S ≡ ∅"], "says": "rem(S, T)", "expect": "holds"}),
    Evidence("unreadable", {"statement": "rem(S, T)", "meant": "rem(S, T)"}),
    Evidence("unreadable", {"expression": "A ∪ B", "meant": "A ∪ B"}),
    Evidence("evaluation", {"expression": "A + B", "trace": "A@0 B@1", "count": 2}),
    Evidence("evaluation", {"expression": "A ; B", "trace": "A@0 B@1", "intervals": [[0, 2]]}),
    Evidence(
        "detection",
        {"figure": "4, joined in the loop", "expression": "A ;[0] B", "trace": "A@0 B@5", "expect": "valid"},
    ),
    Evidence(
        "detection",
        {"figure": "4, joined in the loop", "expression": "A ;[0] B", "instants": 3, "expect": "valid on all traces"},
    ),
    Evidence(
        "detection",
        {"figure": "2, joined after the loop", "expression": "A ; B", "trace": "A@0 B@5", "expect": "not valid"},
    ),
]


@pytest.mark.parametrize("evidence", WRONG, ids=lambda one: f"{one.check} {list(one.details.values())}")
def test_evidence_for_something_wrong_is_not_accepted(evidence: Evidence) -> None:
    (result,) = check_errata("carlson_lisper", z3(), [wrong(evidence)])
    assert not result.as_claimed and result.to_data()["as_claimed"] is False


def wrong(*evidence: Evidence) -> Erratum:
    return replace(ERRATA[0], evidence=evidence)


def test_conditions_on_bounds_are_used() -> None:
    details = {"says": "A[t][u] == A[u]", "laws": [24], "where": ["u <= t"], "expect": "follows"}
    right = [Evidence("computation", {"number": 2, "proves": 2, "lines": COMMUTED}), Evidence("entails", details)]
    assert all(one.as_claimed for one in check_errata("carlson_lisper", z3(), [wrong(*right)])[0].evidence)


def test_an_erratum_without_evidence_is_not_shown() -> None:
    (result,) = check_errata("carlson_lisper", z3(), [wrong()])
    assert not result.as_claimed


@pytest.mark.parametrize(
    "evidence",
    [
        Evidence("belief", {}),
        Evidence("entails", {"says": "A == A", "where": ["t"], "expect": "follows"}),
        Evidence("count", {"name": "sheep"}),
    ],
)
def test_evidence_that_does_not_exist_is_an_error(evidence: Evidence) -> None:
    with pytest.raises(InputError):
        check_errata("carlson_lisper", z3(), [wrong(evidence)])
