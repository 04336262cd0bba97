"""The list of errata as data."""

import pytest

from laws.carlson_lisper.catalogue import errata, wordings
from laws.errata import KINDS, ORIGINS, errata_from_toml
from semantics.errors import InputError

RECORD = """
[[erratum]]
id = "one"
place = "Section 1"
kind = "misprint"
printed = "a"
problem = "b"
reading = "c"
[[erratum.evidence]]
check = "vacuous"
says = "A == A"
"""


def test_every_erratum_says_what_is_wrong_and_has_evidence() -> None:
    for erratum in errata():
        assert erratum.kind in KINDS and erratum.origin in ORIGINS
        assert erratum.place and erratum.printed and erratum.problem and erratum.evidence
        assert bool(erratum.reading) == (erratum.kind != "confirmed")
    assert {erratum.kind for erratum in errata()} == set(KINDS)
    assert all(wording.printed != wording.reading for wording in wordings())


def test_a_record_is_read() -> None:
    (erratum,) = errata_from_toml(RECORD)
    assert erratum.origin == "print" and erratum.evidence[0].details == {"says": "A == A"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('kind = "misprint"', 'kind = "wrong"'),
        ('kind = "misprint"', 'kind = "confirmed"'),
        ('reading = "c"', ""),
        ('printed = "a"', ""),
        ('kind = "misprint"', 'kind = "misprint"\norigin = "elsewhere"'),
    ],
)
def test_a_record_that_is_not_well_formed_is_refused(old: str, new: str) -> None:
    with pytest.raises(InputError, match="one"):
        errata_from_toml(RECORD.replace(old, new))


def test_two_records_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="two records"):
        errata_from_toml(RECORD + RECORD)
