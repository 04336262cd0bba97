"""The list of errata as data."""

import pytest

from laws.errata import KINDS, ORIGINS, errata_from_toml, errata_of, wordings_of
from semantics.errors import InputError

ERRATA = errata_of("carlson_lisper")

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
    for erratum in ERRATA:
        assert erratum.kind in KINDS and erratum.origin in ORIGINS
        assert erratum.place and erratum.printed and erratum.problem and erratum.evidence
        assert bool(erratum.reading) == (erratum.kind != "confirmed")
    assert {erratum.kind for erratum in ERRATA} == set(KINDS)
    assert all(wording.printed != wording.reading for wording in wordings_of("carlson_lisper"))


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
