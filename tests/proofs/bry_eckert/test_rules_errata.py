"""The evidence for the errata of both papers: all of it comes out, and what is wrong does not."""

from dataclasses import replace

import pytest

from laws.bry_eckert.catalogue import errata
from laws.errata import Evidence
from proofs.bry_eckert.errata import main
from proofs.errata import check_errata
from semantics.errors import InputError
from smt.solvers.cvc5_solver import CVC5
from smt.solvers.z3_solver import Z3

CHAIN = "event A(x: int)\nevent B(x: int)\nC(x) <- a: A(x), b: B(x), {a, b} within 2"


def test_all_evidence_comes_out_as_claimed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main() == 0
    assert capsys.readouterr().out.count("shown ") == len(errata())


def test_another_solver_decides_the_same() -> None:
    formulas = [
        replace(one, evidence=tuple(e for e in one.evidence if e.check == "follows")) for one in errata()
    ]
    results = check_errata("bry_eckert", CVC5(), formulas)
    assert all(found.as_claimed for result in results for found in result.evidence)


@pytest.mark.parametrize(
    "wrong",
    [
        Evidence("follows", {"stamps": ["i", "j"], "given": [], "says": "(< i j)", "expect": "follows"}),
        Evidence("follows", {"stamps": ["i"], "given": [], "says": "(= i i)", "expect": "does not follow"}),
        Evidence(
            "engine", {"engine": "nodes", "program": CHAIN, "log": ["A 1 x=1", "B 2 x=1"], "expect": []}
        ),
        Evidence("condition", {"program": CHAIN, "point": "C", "relation": "a", "expect": "a.s >= now - 3"}),
        Evidence("distance", {"program": CHAIN, "point": "C", "from": "a.s", "to": "b.e", "expect": 1}),
    ],
)
def test_evidence_that_is_wrong_does_not_come_out(wrong: Evidence) -> None:
    (result,) = check_errata("bry_eckert", Z3(), [replace(errata()[0], evidence=(wrong,))])
    assert not result.as_claimed


def test_a_check_that_there_is_not_is_refused() -> None:
    with pytest.raises(InputError, match="there is no check 'luck'"):
        check_errata("bry_eckert", Z3(), [replace(errata()[0], evidence=(Evidence("luck", {}),))])
