"""Where claims, errata and detectors stand: the line that is named says what is looked for."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from campaigns.carlson_lisper.mutants.catalogue import TELLING
from detectors.carlson_lisper.catalogue import DETECTORS
from detectors.carlson_lisper.interval_catalogue import INTERVAL_DETECTORS
from detectors.carlson_lisper.source.figure2 import Figure2
from laws.carlson_lisper.catalogue import errata, everything
from laws.carlson_lisper.claims import EquationClaim, canaries
from laws.theorems import Theorem
from remora.positions import (
    claim_position,
    detector_position,
    erratum_position,
    factory_position,
    own_detector_position,
    position,
)
from reports.sarif import Position

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def text_at(place: Position | None) -> str:
    assert place is not None
    return "\n".join((ROOT / place.uri).read_text("utf-8").splitlines()[place.line - 1 : place.end])


@pytest.mark.parametrize("claim", [*everything(), *canaries()], ids=lambda claim: str(claim.id))
def test_a_claim_stands_where_its_record_is(claim: object) -> None:
    text = text_at(claim_position(claim.id))  # type: ignore[attr-defined]
    if isinstance(claim, EquationClaim | Theorem):
        assert claim.reading in text
        assert text.startswith("[[")
        assert text.count("[[") == 1
    else:
        number_or_name = claim.id.rpartition(":")[2].rpartition(".")[0]  # type: ignore[attr-defined]
        assert number_or_name in text


def test_an_erratum_stands_where_its_record_is() -> None:
    for erratum in errata():
        assert f'id = "{erratum.id}"' in text_at(erratum_position(erratum.id))


def test_what_is_neither_has_no_position() -> None:
    assert claim_position("law:99") is None
    assert claim_position("canary:99") is None
    assert claim_position("introduction-shorter") is None
    assert erratum_position("law:1") is None
    assert own_detector_position("nix") is None
    assert own_detector_position("mutant:nix") is None


@pytest.mark.parametrize("name", [*DETECTORS, *INTERVAL_DETECTORS, *(f"mutant:{name}" for name in TELLING)])
def test_every_detector_of_the_project_stands_somewhere(name: str) -> None:
    assert text_at(own_detector_position(name))


def test_nothing_is_imported_for_the_position_of_an_own_detector(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "explosive.py").write_text("raise SystemExit\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert own_detector_position("explosive:Any") is None
    with pytest.raises(SystemExit):
        detector_position("explosive:Any")


def test_a_class_a_partial_and_an_object_that_makes_have_their_positions() -> None:
    place = factory_position(Figure2)
    assert place == factory_position(partial(Figure2, steps={}))
    assert text_at(place).startswith("class Figure2")
    assert factory_position(len) is None


def test_a_file_elsewhere_is_named_in_full_and_blanks_are_escaped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a b.py"
    assert position(file, 3).uri == file.as_uri()
    assert position(file, 3).uri.endswith("/a%20b.py")
    monkeypatch.chdir(tmp_path)
    assert str(position(file, 3)) == "a%20b.py:3"
