"""`remora campaign power`: wrong detectors that are found, and some that cannot be."""

import json

import pytest

from campaigns.carlson_lisper.mutants import MUTANTS
from campaigns.carlson_lisper.system import CarlsonLisperCases
from campaigns.systems import WrongDetector
from detectors.carlson_lisper.source.figure2 import Figure2
from tests.remora.conftest import Remora

SOUND = WrongDetector(lambda: Figure2, Figure2, "nothing is wrong")


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> dict[str, WrongDetector]:
    """Three wrong detectors, in the place of all."""
    names = ("tim-long", "seq-newest", "neg-late")
    found = {n: WrongDetector(MUTANTS[n].factory, MUTANTS[n].unaltered, MUTANTS[n].what) for n in names}
    monkeypatch.setattr(CarlsonLisperCases, "telling", lambda self: found)
    return found


@pytest.mark.usefixtures("few")
def test_the_curve_ends_with_all_that_were_found(remora: Remora) -> None:
    status, out, err = remora("campaign", "power", "--cases", "200")
    assert (status, err) == (0, "")
    assert out.startswith("3 of 3 wrong detectors were found by 200 cases of seed 0; half of them by ")
    assert "█ 3 found".replace(" ", "") in out.replace(" ", "")
    status, out, _ = remora("campaign", "power", "--cases", "200", "--format", "json")
    found = json.loads(out)
    assert (status, found["schema"], found["killed"], found["survivors"]) == (0, "remora/power/1", 3, [])
    assert found["curve"][-1] == [found["worst"], 3]


def test_a_mutant_that_is_not_found_is_named_and_fails(remora: Remora, few: dict[str, WrongDetector]) -> None:
    few["sound"] = SOUND
    status, out, _ = remora("campaign", "power", "--cases", "30")
    assert (status, "not found: sound: nothing is wrong" in out) == (1, True)


@pytest.mark.parametrize("system", ["carlson_lisper", "bry_eckert"])
def test_all_mutants_of_a_system_are_listed_with_what_is_wrong_as_text_and_as_json(
    remora: Remora, system: str
) -> None:
    text = remora("campaign", "power", "--list", "--system", system)[1]
    assert len(text.splitlines()) >= 30
    status, out, err = remora("campaign", "power", "--list", "--system", system, "--format", "json")
    document = json.loads(out)
    assert (status, err, document["schema"]) == (0, "", "remora/mutants/1")
    assert text == "".join(f"{one['name']}\t{one['description']}\n" for one in document["mutants"])
