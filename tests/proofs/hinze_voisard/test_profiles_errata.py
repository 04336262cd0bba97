"""Errata of the paper about profiles: their evidence comes out as claimed, and would not if the record were wrong."""

from dataclasses import replace

import pytest

from laws.errata import Erratum
from laws.hinze_voisard.catalogue import errata
from proofs.errata import check_errata
from semantics.hinze_voisard.literal import SLIPS
from smt.solvers.z3_solver import Z3


@pytest.mark.parametrize("erratum", errata(), ids=lambda erratum: erratum.id)
def test_the_evidence_comes_out_as_claimed(erratum: Erratum) -> None:
    (result,) = check_errata("hinze_voisard", Z3(), [erratum])
    assert result.as_claimed, [one for one in result.evidence if not one.as_claimed]


def test_evidence_that_expects_something_else_does_not_come_out() -> None:
    for erratum in errata():
        wrong = "follows not" if erratum.evidence[0].check == "follows" else ["e1@9 e2@9"]
        evidence = replace(erratum.evidence[0], details={**erratum.evidence[0].details, "expect": wrong})
        (result,) = check_errata("hinze_voisard", Z3(), [replace(erratum, evidence=(evidence,))])
        assert not result.as_claimed, erratum.id


def test_every_slip_is_shown_by_a_trace() -> None:
    shown = {
        slip for erratum in errata() for one in erratum.evidence for slip in one.details.get("slips", ())
    }
    assert shown == set(SLIPS)
