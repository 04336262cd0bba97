"""`remora campaign power`: wrong detectors that are found, and some that cannot be."""

import json
from collections.abc import Mapping

import pytest

from campaigns.carlson_lisper.mutants import ALL, TELLING, WrongDetector
from campaigns.carlson_lisper.mutants.equivalent import EQUIVALENT
from detectors.carlson_lisper.source.figure2 import Figure2
from semantics.carlson_lisper.expressions import Expression
from tests.remora.conftest import Remora

FEW: Mapping[str, WrongDetector] = {name: TELLING[name] for name in ("tim-long", "seq-newest", "neg-late")}


class Sound:
    """A detector that is said to be wrong, and is not."""

    name = "sound"
    description = "nothing is wrong"
    unaltered = Figure2

    def __call__(self, expression: Expression) -> Figure2:
        return Figure2(expression)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remora.commands.campaign.TELLING", FEW)


@pytest.mark.usefixtures("few")
def test_the_curve_ends_with_all_that_were_found(remora: Remora) -> None:
    status, out, err = remora("campaign", "power", "--cases", "400")
    assert (status, err) == (0, "")
    assert out.startswith("3 of 3 wrong detectors were found by 400 cases of seed 0; half of them by ")
    assert "█ 3 found".replace(" ", "") in out.replace(" ", "")
    status, out, _ = remora("campaign", "power", "--cases", "400", "--format", "json")
    found = json.loads(out)
    assert (status, found["schema"], found["killed"], found["survivors"]) == (0, "remora/power/1", 3, [])
    assert found["curve"][-1] == [found["worst"], 3]


def test_a_mutant_that_is_not_found_is_named_and_fails(
    remora: Remora, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("remora.commands.campaign.TELLING", {**FEW, "sound": Sound()})
    status, out, _ = remora("campaign", "power", "--cases", "100")
    assert (status, "not found: sound: nothing is wrong" in out) == (1, True)


def test_the_derived_mutants_of_a_detector_leave_out_those_that_no_case_can_find(
    remora: Remora, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def note(mutants: Mapping[str, WrongDetector], *_: object, **__: object) -> None:
        asked.extend(mutants)
        raise KeyboardInterrupt

    monkeypatch.setattr("remora.commands.campaign.power", note)
    assert remora("campaign", "power", "--derived", "figure4")[0] == 130
    assert asked
    assert set(asked) == {name for name in ALL if name.startswith("figure4:")} - EQUIVALENT.keys()


def test_all_mutants_are_listed_with_what_is_wrong_as_text_and_as_json(remora: Remora) -> None:
    text = remora("campaign", "power", "--list")[1]
    assert len(text.splitlines()) == len(ALL) > 900
    assert "neg-late\t" in text
    status, out, err = remora("campaign", "power", "--list", "--format", "json")
    document = json.loads(out)
    assert (status, err, document["schema"]) == (0, "", "remora/mutants/1")
    assert text == "".join(f"{one['name']}\t{one['description']}\n" for one in document["mutants"])
