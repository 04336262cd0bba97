"""Decisions of laws for event types: every choice of types for the variables is decided."""

from types import SimpleNamespace
from typing import Any

import pytest

from laws.atlas import deciding
from laws.atlas.cases import assignments
from laws.carlson_lisper.claims import EquationClaim
from semantics.atlas.catalogue import SETTINGS
from semantics.carlson_lisper.syntax import parse_equation

LAW = EquationClaim("law:1", parse_equation("A ; (B + C) == (A ; B) + C"))


@pytest.mark.parametrize("level", ["types", "shared"])
def test_every_choice_of_event_types_is_decided(monkeypatch: pytest.MonkeyPatch, level: Any) -> None:
    asked: list[tuple[str, str]] = []

    def differences(left: str, right: str, _: object) -> list[Any]:
        asked.append((left, right))
        return [(("a", len(asked)),)]

    known = SimpleNamespace(differences=differences)
    monkeypatch.setattr(deciding, "languages", lambda *_: known)
    monkeypatch.setattr(deciding, "language", lambda _, side: str(side))
    found = deciding.decision(LAW, next(iter(SETTINGS.values())), level)
    assert found is not None
    choices = list(assignments(LAW, level))
    assert [case.operands for case in found.cases] == choices
    assert len(set(asked)) == len(choices) == {"types": 1, "shared": 4}[level]
