"""What is done with the causes that a campaign meets."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from campaigns import execution
from campaigns.execution import EXAMINED, Execution, Listener
from campaigns.judge import Kind
from campaigns.judgements import Cause


def test_each_detector_gets_an_example_however_many_causes_another_one_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(execution, "examine", lambda settings, found, search_path: [found[0][1]])
    told: list[Any] = []
    state = SimpleNamespace(
        examined={}, settings=None, search_path=(), listener=Listener(failure=told.append)
    )
    many = [Cause("first", "meaning", f"path {number}", Kind.MISSING) for number in range(EXAMINED + 3)]
    others = [Cause(name, "meaning", "seq", Kind.MISSING) for name in ("second", "second", "third")]
    others[1] = Cause("second", "meaning", "con", Kind.MISSING)
    causes = dict.fromkeys((*many, *others), (0, ""))
    Execution.examine(cast(Execution, state), causes)
    assert told == [*many[:EXAMINED], others[0], others[2]]
    Execution.examine(cast(Execution, state), causes)
    assert len(told) == EXAMINED + 2, "an example of each is told once"
