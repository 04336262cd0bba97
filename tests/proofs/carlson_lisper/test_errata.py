"""The evidence for the errata: all of it comes out, and what is wrong does not."""

import json
from dataclasses import replace

import pytest

from laws.errata import Erratum, Evidence, errata_of
from proofs.errata import ErratumResult, check_errata
from semantics.errors import InputError
from smt.solvers.z3_solver import Z3

ERRATA = errata_of("carlson_lisper")


@pytest.fixture(scope="module")
def results() -> tuple[ErratumResult, ...]:
    return check_errata("carlson_lisper", Z3())


def test_all_evidence_comes_out_as_claimed(results: tuple[ErratumResult, ...]) -> None:
    assert [result.erratum.id for result in results if not result.as_claimed] == []
    assert [result.erratum for result in results] == list(ERRATA)


def test_results_are_plain_data(results: tuple[ErratumResult, ...]) -> None:
    rows = json.loads(json.dumps([result.to_data() for result in results]))
    assert rows[0]["id"] == ERRATA[0].id and rows[0]["as_claimed"] is True
    assert all(one["found"] for row in rows for one in row["evidence"])


def test_a_step_with_a_deviating_print_has_an_erratum() -> None:
    steps = {e.details["step"] for one in ERRATA for e in one.evidence if e.check == "step"}
    assert {
        "law:10#1", "law:17#1", "law:20#1", "law:31#1", "law:31#2", "law:31#3",
        "lemma:6.1/negation/meaning#7", "lemma:6.1/sequence/first/meaning#1",
        "lemma:6.1/sequence/first/meaning#3", "lemma:6.1/sequence/second/meaning#3",
        "lemma:6.1/temporal/first/meaning#2",
    } <= steps  # fmt: skip


WRONG = [
    Evidence("step", {"step": "law:17#1", "expect": "sound"}),
    Evidence("step", {"step": "law:18#1", "expect": "does not follow"}),
    Evidence("step", {"step": "law:18#1", "expect": "superfluous 2"}),
    Evidence("step", {"step": "law:10#1", "expect": "superfluous 3"}),
    Evidence("search", {"step": "law:17#1", "among": [1, 11, 13], "sets": [[1, 13]]}),
    Evidence("entails", {"says": "A == B", "laws": [1, 2], "expect": "follows"}),
    Evidence("entails", {"says": "A | B == B | A", "laws": [2], "expect": "does not follow"}),
    Evidence("vacuous", {"says": "(A - B)[t] == (A - B[t])[t]"}),
    Evidence("distinct", {"says": "A == A"}),
    Evidence("computation", {"number": 29, "proves": 29}),
    Evidence("computation", {"number": 30, "proves": 30}),
    Evidence("computation", {"number": 28, "proves": 28, "printed_ends": "equal"}),
    Evidence("claim", {"says": "rem(S, S)", "expect": "holds"}),
    Evidence("claim", {"says": "rem(S, S)", "expect": "fails", "streams": {"S": ["p@0"]}}),
    Evidence(
        "claim",
        {"given": ["A ≡ B"], "says": "A ≅ B", "expect": "fails", "streams": {"A": ["p@0"], "B": ["p@1"]}},
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
        {
            "figure": "4, joined in the loop",
            "expression": "A ;[0] B",
            "instants": 3,
            "expect": "valid on all traces",
        },
    ),
    Evidence(
        "detection",
        {
            "figure": "2, joined after the loop",
            "expression": "A ; B",
            "trace": "A@0 B@5",
            "expect": "not valid",
        },
    ),
]


@pytest.mark.parametrize("evidence", WRONG, ids=lambda one: f"{one.check} {list(one.details.values())}")
def test_evidence_for_something_wrong_is_not_accepted(evidence: Evidence) -> None:
    (result,) = check_errata("carlson_lisper", Z3(), [wrong(evidence)])
    assert not result.as_claimed and result.to_data()["as_claimed"] is False


def wrong(*evidence: Evidence) -> Erratum:
    return replace(ERRATA[0], evidence=evidence)


def test_an_erratum_without_evidence_is_not_shown() -> None:
    (result,) = check_errata("carlson_lisper", Z3(), [wrong()])
    assert not result.as_claimed


@pytest.mark.parametrize(
    "evidence",
    [
        Evidence("belief", {}),
        Evidence("step", {"step": "law:17#2", "expect": "sound"}),
        Evidence("count", {"name": "sheep"}),
    ],
)
def test_evidence_that_does_not_exist_is_an_error(evidence: Evidence) -> None:
    with pytest.raises(InputError):
        check_errata("carlson_lisper", Z3(), [wrong(evidence)])
