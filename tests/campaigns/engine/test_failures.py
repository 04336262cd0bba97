"""What is done with the causes that a campaign meets."""

from typing import Any

import pytest

from campaigns.engine import failures as module
from campaigns.engine.failures import EXAMINED, Examples
from campaigns.engine.settings import Settings
from campaigns.judging.verdicts import Cause, Kind


def test_each_detector_gets_an_example_however_many_causes_another_one_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "examined", lambda settings, number, cause, *others: cause)
    told: list[Any] = []
    examples = Examples(Settings(), (), told.append)
    many = [Cause("first", "meaning", f"path {number}", Kind.MISSING) for number in range(EXAMINED + 3)]
    others = [Cause(name, "meaning", "seq", Kind.MISSING) for name in ("second", "second", "third")]
    others[1] = Cause("second", "meaning", "con", Kind.MISSING)
    causes = dict.fromkeys((*many, *others), (0, ""))
    examples.meet(causes)
    assert told == [*many[:EXAMINED], others[0], others[2]]
    assert tuple(told) == examples.found
    examples.meet(causes)
    assert len(told) == EXAMINED + 2, "an example of each is told once"
