"""What a verification says of profiles."""

from remora.atlas.record import recorded
from remora.hinze_voisard.verifying import verified_profiles
from reports.schemas import schema
from reports.systems import sections
from tests.reports.formats import strict


def test_the_section_on_profiles_is_of_its_schema_and_shown() -> None:
    found = verified_profiles(5, 0, lambda name, done: None)
    assert found.keys() == strict(schema("remora/report/1"))["properties"]["profiles"]["properties"].keys()
    assert found["cases"]["failures"] == []
    profiles, atlas = sections({"profiles": found})
    assert [row[0] for row in profiles.rows][:5] == ["P1", "P2", "P3", "P4", "P5"]
    assert atlas.rows[0][:3] == ("carlson_lisper", "1", "36")
    assert sum(int(cell.replace(",", "")) for row in atlas.rows for cell in row[2:]) == len(recorded())
