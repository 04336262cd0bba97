from pathlib import Path

import pytest

from campaigns.carlson_lisper.cases import GENERATION
from campaigns.engine.campaign import replay
from campaigns.engine.settings import CampaignDirectory, Settings, maker_of, settings_to_json, write_json
from semantics.errors import InputError


def begun(directory: Path, settings: Settings) -> CampaignDirectory:
    place = CampaignDirectory(directory)
    place.write_settings(settings)
    return place


def test_settings_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    settings = Settings(
        seed=7, cases=12, detectors=("figure2", "mutant:dis-earlier"), profiles={"boundary": 2, "small": 1}, wave=5
    )
    assert begun(tmp_path / "new" / "one", settings).settings() == settings


def test_the_id_depends_on_what_the_results_depend_on() -> None:
    assert Settings(wave=3).campaign == Settings(wave=4).campaign
    different = [
        Settings(),
        Settings(seed=1),
        Settings(detectors=("mutant:con-earlier",)),
        Settings(relations=()),
        Settings(seconds=1),
    ]
    assert len({settings.campaign for settings in different}) == len(different)


def test_campaigns_that_are_stored_keep_their_ids() -> None:
    settings = Settings(seed=7, cases=500, detectors=("figure2",), relations=("law",), profiles={"boundary": 1})
    assert settings.campaign == "3a458bff2c0cc345"


def test_a_campaign_that_was_begun_keeps_the_constants_that_its_detectors_had(tmp_path: Path) -> None:
    place = begun(tmp_path, Settings(constants=(37, 1000), wave=3))
    assert place.adopt(Settings()) == place.settings() and place.settings().wave == 3
    assert place.settings().constants == (37, 1000)
    assert place.adopt(Settings()).with_constants(()).constants == (37, 1000)
    assert place.settings().campaign == Settings(constants=(37, 1000)).campaign != Settings().campaign
    case, other = (maker_of(settings)(0) for settings in (place.settings(), Settings(constants=(37, 1000))))
    assert case == other


def test_a_directory_with_other_settings_is_refused(tmp_path: Path) -> None:
    place = begun(tmp_path, Settings(wave=3))
    with pytest.raises(InputError, match="seed 0 instead of 1") as error:
        place.adopt(Settings(seed=1))
    assert "another directory" in error.value.remedy
    assert place.settings() == Settings(wave=3)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema": "remora/other/1"}', '{"schema": "remora/campaign/1"}'])
def test_a_record_of_something_else_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "campaign.json").write_text(text)
    with pytest.raises(InputError):
        CampaignDirectory(tmp_path).settings()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"generation": GENERATION + 1}, "generation"),
        ({"vectorised": True, "profiles": {}, "relations": []}, "in groups"),
    ],
)
def test_a_campaign_of_another_version_is_not_continued(tmp_path: Path, change: dict[str, object], said: str) -> None:
    write_json(tmp_path / "campaign.json", {**settings_to_json(Settings(wave=3)), **change})
    with pytest.raises(InputError, match=said) as error:
        replay(tmp_path, 0)
    assert "another directory" in error.value.remedy


@pytest.mark.parametrize("name", ["", "thesis.tex"])
def test_a_directory_with_something_else_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "thesis.tex").write_text("precious")
    with pytest.raises(InputError, match="not empty and not a campaign"):
        CampaignDirectory(tmp_path / name).adopt(Settings())


@pytest.mark.parametrize(
    "wrong",
    [
        {"cases": 0},
        {"constants": ("37",)},
        {"seconds": 0},
        {"wave": 0},
        {"profiles": {"no-such": 1}},
        {"detectors": ()},
        {"relations": ("no-such",)},
        {"memory": 0},
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError):
        Settings(**wrong)  # type: ignore[arg-type]


def test_a_case_is_replayed_by_its_number(tmp_path: Path) -> None:
    begun(tmp_path, Settings(seed=2, cases=50, detectors=("mutant:neg-touching",)))
    judged = [replay(tmp_path, number) for number in range(50)]
    assert any(one.faults for one in judged)
    with pytest.raises(InputError, match="no case 50"):
        replay(tmp_path, 50)
