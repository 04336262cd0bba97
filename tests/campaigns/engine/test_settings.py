from dataclasses import replace
from pathlib import Path

import pytest

from campaigns.carlson_lisper.cases import GENERATION
from campaigns.engine.campaign import replay
from campaigns.engine.settings import CampaignDirectory, Settings, settings_to_json, write_json
from campaigns.judging.judgements import maker_of
from semantics.errors import InputError


@pytest.fixture
def place(tmp_path: Path) -> CampaignDirectory:
    return CampaignDirectory(tmp_path / "new" / "one")


def test_campaigns_that_are_stored_keep_their_ids() -> None:
    settings = Settings(seed=7, cases=500, detectors=("figure2",), relations=("law",), profiles={"boundary": 1})
    assert settings.campaign == "3a458bff2c0cc345"


def test_settings_are_read_back_as_they_were_written_and_keep_their_constants(place: CampaignDirectory) -> None:
    weights = {"small": 1, "boundary": 2}
    given = Settings(seed=7, cases=12, detectors=("figure2",), profiles=weights, constants=(37, 1000), wave=3)
    place.write_settings(given)
    again = replace(given, wave=4, constants=None)
    assert place.adopt(again) == place.settings() == given
    assert place.adopt(again).with_constants(()).constants == (37, 1000)
    assert given.campaign == replace(given, wave=None).campaign != replace(given, constants=()).campaign
    assert maker_of(place.settings())(0) == maker_of(given)(0)


def test_a_directory_with_other_settings_is_refused(place: CampaignDirectory) -> None:
    place.write_settings(Settings(wave=3))
    with pytest.raises(InputError, match="seed 0 instead of 1") as error:
        place.adopt(Settings(seed=1))
    assert "another directory" in error.value.remedy
    assert place.settings() == Settings(wave=3)


OTHERS = ("", "[]", "{}", '{"schema": "remora/other/1"}', '{"schema": "remora/campaign/1"}')


@pytest.mark.parametrize(
    ("change", "said"),
    [
        *((text, "this is not the record|the schema") for text in OTHERS),
        ({"generation": GENERATION + 1}, "generation"),
        ({"vectorised": True, "profiles": {}, "relations": []}, "in groups"),
    ],
)
def test_a_record_of_something_else_or_of_another_version_is_not_continued(
    tmp_path: Path, change: str | dict[str, object], said: str
) -> None:
    path = tmp_path / "campaign.json"
    if isinstance(change, str):
        path.write_text(change)
    else:
        write_json(path, {**settings_to_json(Settings(wave=3)), **change})
    with pytest.raises(InputError, match=said) as error:
        replay(tmp_path, 0)
    assert "another directory" in error.value.remedy and error.value.place == str(path)


@pytest.mark.parametrize("name", ["", "thesis.tex"])
def test_a_directory_with_something_else_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(InputError, match="not empty and not a campaign"):
        CampaignDirectory(tmp_path / name).adopt(Settings())


WRONG = {"cases": 0, "constants": ("37",), "seconds": 0, "wave": 0, "profiles": {"no-such": 1}, "detectors": ()}
WRONG |= {"relations": ("no-such",), "memory": 0}


@pytest.mark.parametrize("wrong", [{name: value} for name, value in WRONG.items()], ids=list(WRONG))
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError):
        Settings(**wrong)  # type: ignore[arg-type]


def test_a_case_is_replayed_by_its_number(place: CampaignDirectory) -> None:
    place.write_settings(Settings(seed=2, cases=50, detectors=("mutant:neg-touching",)))
    assert any(replay(place.path, number).faults for number in range(50))
    with pytest.raises(InputError, match="no case 50"):
        replay(place.path, 50)
