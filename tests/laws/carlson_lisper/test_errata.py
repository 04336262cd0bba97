"""The list of errata as data."""

import pytest

from laws.errata import KINDS, errata_from_toml, errata_of, wordings_of
from semantics.errors import InputError

ERRATA = errata_of("carlson_lisper")

RECORD = """
[erratum.one]
place = "Section 1"
kind = "misprint"
printed = "a"
problem = "b"
reading = "c"
each.check = "vacuous"
evidence = [{ says = "A == A" }]
"""


def test_every_erratum_says_what_is_wrong_and_has_evidence() -> None:
    assert all(erratum.place and erratum.problem and erratum.evidence for erratum in ERRATA)
    assert {erratum.kind for erratum in ERRATA} == set(KINDS)
    assert all(wording.printed != wording.reading for wording in wordings_of("carlson_lisper"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('kind = "misprint"', 'kind = "wrong"'),
        ('kind = "misprint"', 'kind = "confirmed"'),
        ('reading = "c"', ""),
        ('printed = "a"', ""),
        ('each.check = "vacuous"', ""),
        ('kind = "misprint"', 'kind = "misprint"\norigin = "elsewhere"'),
    ],
)
def test_a_record_is_read_and_refused_where_it_is_not_well_formed(old: str, new: str) -> None:
    (erratum,) = errata_from_toml(RECORD)
    assert erratum.origin == "print" and erratum.evidence[0].details == {"says": "A == A"}
    with pytest.raises(InputError, match="one"):
        errata_from_toml(RECORD.replace(old, new))
