"""A campaign started from a program."""

from pathlib import Path

import pytest

import remora
from campaigns.cases import generate


@pytest.mark.spark
@pytest.mark.slow
def test_a_campaign_judges_and_shows_itself(tmp_path: Path) -> None:
    wrong = remora.campaign(
        tmp_path / "wrong.campaign", cases=60, detectors="mutant:seq-newest", master="local[1]"
    )
    assert wrong.standing is remora.Standing.REFUTED
    assert not wrong
    assert "mutant:seq-newest" in str(wrong)
    assert "<svg" in wrong._repr_html_()
    assert wrong.summary.settings.seed == generate(0, 0).seed
    again = remora.campaign(tmp_path / "right.campaign", cases=60, detectors=["figure3"], master="local[1]")
    assert again.standing is remora.Standing.TESTED
    assert again
