"""The evidence for the errata: all of it comes out, and what is wrong does not."""

import json
from dataclasses import replace

import pytest

from laws.errata import Erratum, Evidence, errata_of
from proofs.errata import check_errata
from semantics.errors import InputError
from tests.smt.fakes import z3
from tests.tables import table

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


WRONG = [Evidence(*row) for row in table(__file__, "wrong")]


@pytest.mark.parametrize("evidence", WRONG, ids=lambda one: f"{one.check} {list(one.details.values())}")
def test_evidence_for_something_wrong_is_not_accepted(evidence: Evidence) -> None:
    (result,) = check_errata("carlson_lisper", z3(), [wrong(evidence)])
    assert not result.as_claimed and result.to_data()["as_claimed"] is False


def wrong(*evidence: Evidence) -> Erratum:
    return replace(ERRATA[0], evidence=evidence)


def test_conditions_on_bounds_are_used() -> None:
    details = {"says": "A[t][u] == A[u]", "laws": [24], "where": ["u <= t"], "expect": "follows"}
    right = [
        Evidence("computation", {"number": 2, "proves": 2, "lines": ["⟦A | B⟧", "⟦A⟧ ∪ ⟦B⟧", "⟦B | A⟧"]}),
        Evidence("entails", details),
    ]
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
