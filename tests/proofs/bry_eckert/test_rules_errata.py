"""The evidence for the errata of both papers: all of it comes out, and what is wrong does not."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from laws.errata import Erratum, Evidence, errata_of
from proofs.bry_eckert.errata import examined, plan_of_texts
from proofs.errata import check_errata, main
from semantics.errors import InputError
from smt.solvers.portfolio import CVC5
from tests.smt.fakes import z3

ERRATA = errata_of("bry_eckert")

CHAIN = "event A(x: int)\nevent B(x: int)\nC(x) <- a: A(x), b: B(x), {a, b} within 2"
JOINED = ["Q = (select (before a b) (join A:a B:b))"]
OF_A = {"program": CHAIN, "point": "C", "relation": "a"}

WRONG = [
    Evidence("follows", {"stamps": ["i", "j"], "given": [], "says": "(< i j)", "expect": "follows"}),
    Evidence("engine", {"engine": "nodes", "program": CHAIN, "log": ["A 1 x=1", "B 2 x=1"], "expect": []}),
    Evidence("condition", {**OF_A, "expect": "a.s >= now - 3"}),
    Evidence("safe", {**OF_A, "condition": "a.s >= now - 2", "expect": "not safe"}),
    Evidence("safe", {**OF_A, "condition": "a.s > now - 2", "expect": "safe"}),
    Evidence("claim", {"claim": "rules:canary/marked", "expect": "proved"}),
    Evidence("distance", {"program": CHAIN, "point": "C", "from": "a.s", "to": "b.e", "expect": 1}),
    Evidence("path", {"edges": ["a ? 2 b", "a ! 1 c", "c ! 1 b"], "from": "a", "to": "b", "expect": "? 2"}),
    Evidence("tuples", {"algebra": JOINED, "point": "Q", "log": ["A 0", "B 1"], "expect": []}),
    Evidence("tuples", {"algebra": JOINED, "point": "Q", "log": ["A 1", "B 1"], "expect": ["a [1, 1] b [1, 1]"]}),
]
"""Of each kind of evidence some of which something else comes out."""


@pytest.mark.parametrize("errata", [ERRATA[::5], pytest.param(ERRATA, marks=pytest.mark.slow)], ids=["some", "all"])
def test_the_evidence_comes_out_as_claimed(
    errata: Sequence[Erratum], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("proofs.errata.errata_of", lambda _: errata)
    assert main("bry_eckert", z3()) == 0
    assert capsys.readouterr().out.count("shown ") == len(errata)


@pytest.mark.slow
def test_another_solver_decides_the_same() -> None:
    formulas = [replace(one, evidence=tuple(e for e in one.evidence if e.check == "follows")) for one in ERRATA]
    results = check_errata("bry_eckert", CVC5(), formulas)
    assert all(found.as_claimed for result in results for found in result.evidence)


def test_of_every_kind_there_is_wrong_evidence_below() -> None:
    assert {one.check for one in WRONG} == {one.check for erratum in ERRATA for one in erratum.evidence}


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.check)
def test_evidence_that_is_wrong_does_not_come_out(wrong: Evidence) -> None:
    (result,) = check_errata("bry_eckert", z3(), [replace(ERRATA[0], evidence=(wrong,))])
    assert not result.as_claimed


@pytest.mark.parametrize("sign", ["altered", "untimed", "buffered", "counts", "singly"])
def test_what_a_record_changes_of_a_check_tells(sign: str) -> None:
    evidence = [one for erratum in ERRATA for one in erratum.evidence if sign in one.details]
    without = [Evidence(one.check, {k: v for k, v in one.details.items() if k != sign}) for one in evidence]
    assert not all(examined(one, z3()).as_claimed for one in without)


@pytest.mark.parametrize("text", ["(divide A:a B:b)", "(select (beside a b) A:a)"])
def test_an_expression_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is no expression"):
        plan_of_texts([f"Q = {text}"])


def test_a_check_that_there_is_not_is_refused() -> None:
    with pytest.raises(InputError, match="there is no check 'luck'"):
        check_errata("bry_eckert", z3(), [replace(ERRATA[0], evidence=(Evidence("luck", {}),))])
