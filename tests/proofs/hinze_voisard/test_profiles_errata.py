"""Errata of the paper about profiles: their evidence comes out as claimed, and would not if the record were wrong."""

from dataclasses import replace

import pytest

from laws.errata import Erratum, errata_of
from proofs.errata import check_errata
from proofs.hinze_voisard.errata import SIDES
from semantics.errors import InputError
from semantics.hinze_voisard.literal import SLIPS
from tests.smt.fakes import z3

ERRATA = errata_of("hinze_voisard")


@pytest.mark.parametrize("erratum", ERRATA, ids=lambda erratum: erratum.id)
def test_the_evidence_comes_out_as_claimed(erratum: Erratum) -> None:
    (result,) = check_errata("hinze_voisard", z3(), [erratum])
    assert result.as_claimed, [one for one in result.evidence if not one.as_claimed]


def test_evidence_that_expects_something_else_does_not_come_out() -> None:
    every = [(erratum, one, side) for erratum in ERRATA for one in erratum.evidence for side in SIDES]
    of_each = {(one.check, side): (erratum, one, side) for erratum, one, side in every if side in one.details}
    for erratum, one, side in of_each.values():
        wrong = "follows not" if one.check == "follows" else ["[9, 9]"]
        details = {**one.details, side: {**one.details[side], "expect": wrong}}
        evidence = tuple(replace(one, details=details) if each is one else each for each in erratum.evidence)
        (result,) = check_errata("hinze_voisard", z3(), [replace(erratum, evidence=evidence)])
        assert not result.as_claimed, (erratum.id, side)


def test_what_is_printed_comes_out_otherwise_than_what_is_meant() -> None:
    for erratum in ERRATA:
        for one in erratum.evidence:
            if all(side in one.details for side in SIDES):
                assert one.details["printed"]["expect"] != one.details["meant"]["expect"], erratum.id


def test_every_slip_has_a_record_of_its_name_and_a_trace_that_shows_it() -> None:
    shown = {
        erratum.id
        for erratum in ERRATA
        for one in erratum.evidence
        if erratum.id in one.details.get("printed", {}).get("slips", ())
    }
    assert shown == SLIPS.keys()


def test_evidence_of_neither_side_is_refused() -> None:
    (erratum, *_) = ERRATA
    evidence = replace(erratum.evidence[0], details={"log": "e1@1"})
    with pytest.raises(InputError, match="of what is printed, of what is meant"):
        check_errata("hinze_voisard", z3(), [replace(erratum, evidence=(evidence,))])
