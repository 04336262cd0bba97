"""That memory which grows outside of a detector's state is found, and nothing is said where nothing is known."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest

from campaigns.carlson_lisper.growth import EXPRESSIONS
from campaigns.engine import campaign
from campaigns.engine.settings import Settings
from campaigns.judging.replays import growing
from campaigns.judging.verdicts import Kind
from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.carlson_lisper.source.figure2 import Figure2 as Figure3
from detectors.protocol import NodeState
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Instance, Time, Value
from semantics.carlson_lisper.syntax import parse


class Keeping(Figure3):
    """Keeps something of each step where its state does not show it."""

    def __init__(self, expression: Expression) -> None:
        super().__init__(expression)
        self.kept: list[Any] = []

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        self.kept.append(None)
        return super().step(time, occurrences)


class KeepingReports(Figure3):
    def __init__(self, expression: Expression) -> None:
        super().__init__(expression)
        self.kept: list[Any] = []

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        found = super().step(time, occurrences)
        if found is not None:
            self.kept.append(found)
        return found


class KeepingInOtherNames(Figure2):
    """States a bound for the second expression alone."""

    kept: Any = None

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        self.kept = (self.kept, time)
        return super().step(time, occurrences)


class Caching(Figure3):
    """Grows at first, and then no more."""

    def __init__(self, expression: Expression) -> None:
        super().__init__(expression)
        self.text = lru_cache(6000)(str)

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        self.text(time)
        return super().step(time, occurrences)


class Silent(Keeping):
    """States no bound."""

    def state(self) -> tuple[NodeState, ...]:
        return ()


class Raising(Keeping):
    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        raise ZeroDivisionError


class Sleeping(Keeping):
    def step(self, now: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        time.sleep(0.1)
        return super().step(now, occurrences)


@pytest.mark.parametrize("leaking", [Keeping, KeepingReports, KeepingInOtherNames])
def test_what_a_detector_keeps_outside_of_its_state_is_found(
    leaking: type[Figure2], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("campaigns.carlson_lisper.growth.LONGER", 4)  # the longest look is for caches
    [failure] = growing({"right": Figure3, "leaking": leaking})
    assert (failure.detector, failure.verdict.kind) == ("leaking", Kind.STORAGE)
    assert "memory still grew" in failure.verdict.detail
    assert re.search(
        r"by \d+ bytes a tick in detecting .*, \d+% of them allocated at .*\.py:\d+$", failure.verdict.detail
    )
    assert str(failure.regression.case.expression) in {str(parse(text)) for text in EXPRESSIONS}


@pytest.mark.parametrize("other", [Caching, Silent, Raising])
def test_a_full_cache_no_stated_bound_and_other_faults_are_not_growth(other: type[Figure3]) -> None:
    assert growing({"other": other}) == ()


def test_of_a_detector_that_is_too_slow_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("campaigns.carlson_lisper.growth.SECONDS", 0.2)
    assert growing({"slow": Sleeping}) == ()


def test_only_what_grew_in_a_short_look_is_looked_at_for_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[int] = []

    def none(factory: object, text: str, times: int) -> None:
        looks.append(times)

    monkeypatch.setattr("campaigns.carlson_lisper.growth._growth", none)
    assert growing({"right": Figure3}) == ()
    assert looks == [1] * len(EXPRESSIONS)


GROWING = """
from detectors.carlson_lisper.source.figure2 import Figure2 as Figure3

class Growing(Figure3):
    kept = []

    def step(self, time, occurrences):
        self.kept.append(time)
        return super().step(time, occurrences)
"""


@pytest.mark.long
def test_a_campaign_tells_it_beside_the_regressions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(campaign, "own_regressions", list)
    (tmp_path / "growing_detector.py").write_text(GROWING)
    settings = Settings(detectors=("figure4", "growing_detector:Growing"))
    outcome = campaign._replayed(settings, tmp_path / "none", (str(tmp_path),))
    assert [failure.detector for failure in outcome.failures] == ["growing_detector:Growing"]
    assert outcome.to_json()["failures"][0]["kind"] == Kind.STORAGE.value
