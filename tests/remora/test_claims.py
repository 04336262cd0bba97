import json
from pathlib import Path

import pytest

from laws.carlson_lisper.claims import canaries, everything
from tests.remora.conftest import Remora


@pytest.mark.parametrize("arguments", [("laws",), ("laws", "list")])
def test_the_list_has_the_operators_and_every_claim_in_one_line(remora: Remora, arguments: tuple[str, ...]) -> None:
    lines = remora(*arguments)[1].splitlines()
    assert lines[3] == "  seq(S, T) = { s ∪ t | s ∈ S ∧ t ∈ T ∧ end(s) < start(t) }"
    words = [tuple(line.split()) for line in lines]
    assert ("law:31", "Corollary", "4.3", "A[t][u]", "==", "A[u][t]") in words
    assert ("canary:2", "false", "A", "+", "A", "==", "A") in words
    listed = {found[0] for found in words if found}
    assert {claim.id for claim in (*everything(), *canaries())} <= listed


def test_the_list_in_json_has_records(remora: Remora) -> None:
    found = json.loads(remora("laws", "list", "--format", "json")[1])
    assert found["schema"] == "remora/laws/1"
    assert [row["name"] for row in found["definitions"]] == ["dis", "con", "neg", "seq", "tim"]
    records = {row["id"]: row for row in found["claims"]}
    common = {"id", "kind", "statement", "condition", "source", "reading", "note", "expected"}
    assert common == set(records["law:1"])
    assert common | {"scheme", "rests_on", "trusts", "not_in_dense_time"} == set(records["lemma:5.3"])


def test_claims_operators_and_the_policy_are_shown_by_name(remora: Remora) -> None:
    _, out, _ = remora("laws", "show", "theorem:5.1", "--smt")
    assert "  rests on  theorem:4.6, lemma:5.1, lemma:5.2" in out
    assert out.count("(check-sat)") == 0
    shown = remora("laws", "show", "14", "--smt")[1]
    assert "source    Theorem 4.3" in shown and shown.count("(check-sat)") == 2
    found = json.loads(remora("laws", "show", "theorem:5.1", "seq", "--smt", "--format", "json")[1])
    assert found["claims"][0]["id"] == "theorem:5.1"
    assert remora("laws", "show", "seq")[1].endswith("\n  Def. 3.10\n")
    assert remora("laws", "show", "rem")[1].startswith("rem(S, S') holds if\n")
    assert remora("laws", "show", "theorem:4.6")[1].count("rem(S, S')") == 5


def test_a_test_says_how_many_cases_and_among_what(remora: Remora) -> None:
    assert json.loads(remora("test", "1", "--examples", "3", "--format", "json")[1])["schema"] == "remora/test/1"
    status, out, err = remora("test", "2", "theorem:4.6.neg", "--examples", "5")
    assert (status, err) == (0, "")
    ways = {"law:2": ("exhaustive", "streams", "expressions"), "theorem:4.6.neg": ("exhaustive", "streams")}
    rows = [[claim, way, "◐", "tested"] for claim, those in ways.items() for way in those]
    assert [line.split()[:4] for line in out.splitlines()[1:]] == rows
    assert "random streams of up to 4 instances" in out
    assert "proved" not in out


@pytest.mark.slow
def test_a_false_conjecture_is_refuted_by_tests_with_a_trace_and_nothing_is_left_behind(
    remora: Remora, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, out, _ = remora("test", "A + A == A", "--examples", "20")
    assert (status, "✕ refuted" in out, "\nleft only  " in out) == (1, True, True)
    assert not list(tmp_path.iterdir())
