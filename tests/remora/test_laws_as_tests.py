"""`remora laws strength`, and `remora test` of engines by laws."""

import json
from pathlib import Path

import pytest

from tests.remora.conftest import Remora

ENGINES = Path(__file__).parent.parent / "campaigns" / "carlson_lisper"


@pytest.fixture(autouse=True)
def _at_the_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ENGINES)


def test_the_strength_of_laws_is_the_same_as_text_and_json(remora: Remora) -> None:
    status, text, _ = remora("laws", "strength", "--symbols", "1", "--laws", "shortest")
    assert status == 0
    assert "47 wrong semantics: 47 are refuted, 0 satisfy all 6 laws" in text
    found = json.loads(remora("laws", "strength", "--symbols", "1", "--laws", "shortest", "--format", "json")[1])
    assert [count["wrong"] for count in found["changes"]] == [len(found["semantics"])]
    assert all(one["refuted_by"] for one in found["semantics"])
    refutes = {law["id"]: law["refutes"] for law in found["laws"]}
    assert refutes == {
        name: sum(name in one["refuted_by"] for one in found["semantics"]) for name in refutes
    }  # the totals add up
    assert found["satisfying"] == {"source": [], "all": []}
    assert f"{len(found['shortest']['laws'])} laws; no fewer do" in text


@pytest.mark.slow
def test_what_satisfies_the_laws_of_the_source_is_proved_to(remora: Remora) -> None:
    arguments = ("laws", "strength", "--symbols", "1", "--laws", "source", "--prove")
    text = remora(*arguments)[1]
    assert "6 satisfy all 36 laws of the source, 57 of 57 times proved" in text
    found = json.loads(remora(*arguments, "--format", "json")[1])
    assert found["satisfying"]["source"] == found["satisfying"]["all"]
    assert sum("proved" in one for one in found["semantics"]) == 6


def test_a_right_engine_is_green_and_a_wrong_one_red(remora: Remora) -> None:
    assert remora("test", "--engine", "engines:spans", "--examples", "3")[0] == 0
    status, text, _ = remora("test", "--engine", "engines:overlapping", "--examples", "10")
    assert status == 1
    assert "  left:  a - (a ; a)[0]  finds nothing\n  right: a  finds {a@0}\n" in text
    document = remora("test", "--engine", "engines:overlapping", "--examples", "10", "--format", "json")[1]
    laws = {law["id"]: law for law in json.loads(document)["laws"]}
    assert laws["discovered:26"]["standing"] == "refuted" and laws["law:23"]["standing"] == "tested"
    assert laws["discovered:26"]["failure"]["answers"] == ["nothing", "{a@0}"]


def test_an_engine_is_put_to_laws_and_equations_that_are_named(remora: Remora) -> None:
    status, text, _ = remora("test", "--engine", "engines:spans", "6", "A ; B == B ; A", "--examples", "5")
    assert (status, [line.split()[0] for line in text.splitlines()[1:3]]) == (1, ["law:6", "conjecture:1"])
    status, _, error = remora("test", "--engine", "engines:spans", "theorem:4.5")
    assert (status, "theorem:4.5 is no equation" in error) == (2, True)


def test_a_module_that_is_none_is_bad_input_with_a_remedy(remora: Remora) -> None:
    for name, says in (("nix:nix", "cannot be imported"), ("engines:breaks", "ZeroDivisionError")):
        status, _, error = remora("test", "--engine", name)
        assert (status, says in error, "Traceback" in error) == (2, True, False)
        assert error.count("\n") == 2  # the reason with its place, and the remedy


def test_an_engine_that_refuses_all_is_no_answer(remora: Remora) -> None:
    status, text, _ = remora("test", "--engine", "engines:no_negation", "11", "--examples", "3")
    assert (status, "3 cases were refused" in text) == (3, True)


def test_a_list_of_laws_is_tested_in_the_algebra(remora: Remora) -> None:
    status, text, _ = remora("test", "--laws", "shortest", "--examples", "1")
    assert status == 0
    assert {line.split()[0] for line in text.splitlines()[1:]} >= {"law:23", "discovered:26"}
