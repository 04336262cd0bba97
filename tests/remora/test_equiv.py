import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from semantics.carlson_lisper import languages
from semantics.carlson_lisper.notation import operator_text
from semantics.carlson_lisper.operators import OPERATORS
from tests.remora.conftest import Remora
from tests.tables import table


@pytest.mark.parametrize(("line", "said"), table(__file__, "holds"))
def test_what_holds_is_said_in_one_line_with_the_finest_level(remora: Remora, line: str, said: str) -> None:
    assert remora("equiv", *line.split()) == (0, f"{said}\n", "")


@pytest.mark.parametrize(("line", "plainly", "verdict", "bar"), table(__file__, "differ"))
def test_what_does_not_hold_is_drawn_on_a_shortest_trace(
    remora: Remora, line: str, plainly: str, verdict: str, bar: str
) -> None:
    status, out, err = remora("equiv", *line.split())
    assert (status, err) == (1, "")
    assert out.splitlines()[:2] == [plainly, verdict] if plainly else out.splitlines()[0] == verdict
    assert bar in out
    assert "no interval differs" not in out


def test_the_trace_that_tells_them_apart_is_also_a_picture_of_both_sides(remora: Remora, tmp_path: Path) -> None:
    picture = tmp_path / "apart.svg"
    assert remora("equiv", "a ; b", "b ; a", "--svg", picture)[0] == 1
    text = "".join(ElementTree.fromstring(picture.read_text("utf-8")).itertext())
    for part in ("left:  a ; b", "right: b ; a", "left only", "Difference: left only: {a@0, b@1}"):
        assert part in text


def test_the_json_has_the_answers_at_all_levels_and_the_trace(remora: Remora) -> None:
    found = json.loads(remora("equiv", "a + a", "a", "--up-to", "intervals", "--format", "json")[1])
    assert (found["schema"], found["exit_status"], found["holds"]) == ("remora/equiv/1", 1, False)
    assert found["levels"] == {"meaning": False, "intervals": False, "detection": True}
    assert (found["left_within_right"], found["right_within_left"]) == (False, True)
    assert found["witness"]["trace"] == [{"event": "a", "time": time, "value": None} for time in (0, 1)]
    assert [len(found["witness"][side]["instances"]) for side in ("left", "right")] == [3, 2]
    assert found["witness"]["holder"] == "left"


def test_a_limit_that_is_reached_is_inconclusive_and_says_what_is_known(
    remora: Remora, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smt.carlson_lisper.law_proofs.prove_patterns", lambda *_, **__: None)
    sides = ("(a ; b)[400] + (b ; a)[300]", "(b ; a)[300] + (a ; b)[400]")
    status, out, _ = remora("equiv", *sides, "--steps", "8000", "--format", "json")
    found = json.loads(out)
    assert (status, found["holds"], found["exit_status"]) == (3, None, 3)
    assert found["decided_instants"] >= 3
    assert found["verdict"].startswith("undecided: ")
    assert "nothing was found on traces of at most" in found["verdict"]


def test_a_difference_that_does_not_replay_is_a_disagreement_and_not_an_answer(
    remora: Remora, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = {operator_text(OPERATORS["con"]): languages.Languages.sequence}
    monkeypatch.setattr(languages, "LANGUAGES", {**languages.LANGUAGES, **wrong})
    status, out, err = remora("equiv", "a + b", "b + a")
    assert (status, out) == (4, "")
    assert "do not differ on" in err
