"""One command for the three languages: the pattern alone decides which, and options apply to some of them."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from remora.examples import EXAMPLES, PROFILES, RULES
from semantics.systems import SYSTEMS
from tests.remora.conftest import Remora, refused
from tests.tables import table

GIVEN = {
    "patterns": (EXAMPLES[0].expression, EXAMPLES[0].path),
    "rules": (RULES, RULES.with_suffix(".jsonl")),
    "profiles": (PROFILES, PROFILES.with_suffix(".jsonl")),
}
"""For each language a text, and a log for it."""


@pytest.mark.parametrize("language", GIVEN)
@pytest.mark.parametrize("command", ["eval", "detect", "explain", "verify"])
def test_every_command_takes_texts_of_every_language(remora: Remora, command: str, language: str) -> None:
    text, log = GIVEN[language]
    status, out, err = remora(command, text, *(() if command == "explain" else (log,)))
    assert (status, bool(out), "Traceback" in err) == (0, True, False), err
    if command == "verify":
        assert out.startswith("same: ")


def test_a_word_that_ends_like_a_program_is_one_as_pattern_alone(remora: Remora, tmp_path: Path) -> None:
    picture = tmp_path / "a.profile"
    status, out, _ = remora("explain", "a ; b", "--svg", picture)
    assert (status, out.startswith("pattern      a ; b"), picture.is_file()) == (0, True, True)
    assert "is for verify PATTERN LOG" in refused(remora("verify", "--out", "my.profile", "--only", "P"))
    assert "there is no such file" in refused(remora("eval", "a.rules", EXAMPLES[0].path))
    assert "remora verify a.profile log.csv" in refused(remora("verify", "--log", "log.csv", "a.profile"))


@pytest.mark.parametrize(("arguments", "option", "languages"), table(__file__, "of-others"))
def test_an_option_of_others_is_refused(remora: Remora, arguments: Sequence[str], option: str, languages: str) -> None:
    command, language, *options = arguments
    said = refused(remora(command, *GIVEN[language], *options))
    assert f"{option} is for {languages}, and this is {language}" in said


def test_help_says_to_which_languages_an_option_applies(remora: Remora) -> None:
    for command in ("eval", "detect", "explain", "stream", "bench"):
        out = remora(command, "--help")[1]
        for system in SYSTEMS.values():
            assert f"[{system.language}" in out or f", {system.language}]" in out, (command, system.name)


def test_a_detector_that_differs_from_the_meaning_is_refuted(remora: Remora, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remora.systems.bry_eckert.face.derived_events", lambda *_: [])
    status, out, err = remora("verify", *GIVEN["rules"])
    assert (status, out[:9], "by the engine alone: " in err) == (1, "different", True)
    document = json.loads(remora("verify", *GIVEN["rules"], "--format", "json")[1])
    assert len(document["differences"]) == document["answers"] > 0
