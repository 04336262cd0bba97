import json
from pathlib import Path

import pytest

from laws.systems import every_false_claim
from tests.remora.conftest import Remora, refused
from tests.remora.documents import of_its_schema


def test_a_true_conjecture_is_proved_and_the_canaries_are_refuted(
    remora: Remora, monkeypatch: pytest.MonkeyPatch
) -> None:
    # All of them are refuted by a command of the README, and by themselves in tests/smt.
    monkeypatch.setattr("remora.commands.prove.every_false_claim", lambda: every_false_claim()[:2])
    status, out, err = remora("prove", "(A + B)[t] == (B + A)[t]")
    assert status == 0
    heading, row = out.splitlines()
    assert heading.split() == ["id", "standing", "seconds", "rlimit", "statement"]
    assert row.startswith("conjecture:1  ◉ agreed")
    assert row.endswith("  (A + B)[t] == (B + A)[t]")
    assert err == "1 agreed; 2 of 2 canaries refuted\n"


def test_a_false_conjecture_is_refuted_by_a_trace_that_is_drawn(remora: Remora) -> None:
    status, out, _ = remora("prove", "A ; B == B ; A", "--no-canaries")
    assert status == 1
    assert "✕ refuted" in out
    assert "time  " in out
    assert "{a@0, b@1}" in out or "{b@0, a@1}" in out


def test_identifiers_are_arbitrary_unless_they_are_called_primitive(remora: Remora) -> None:
    assert remora("prove", "a[t] == a", "--no-canaries")[0] == 1
    quoted = ("prove", '"pay.ok"[t] == "pay.ok"', "--no-canaries")
    assert remora(*quoted, "--primitive", '"pay.ok"')[0] == 0
    assert remora(*quoted, "--primitive", "pay.ok")[0] == 0


def test_a_canary_that_is_asked_for_is_as_claimed_when_it_is_refuted(remora: Remora) -> None:
    status, out, _ = remora("prove", "canary:1", "--no-canaries")
    assert (status, "refuted" in out) == (0, True)


@pytest.mark.parametrize("time", ["int", "real"])
def test_the_json_has_a_flat_list_of_obligations(remora: Remora, monkeypatch: pytest.MonkeyPatch, time: str) -> None:
    monkeypatch.setattr("remora.commands.prove.every_false_claim", lambda: every_false_claim()[:1])
    status, out, err = remora("prove", "2", "--format", "json", "--time", time, "--seed", "7")
    found = json.loads(out)
    assert (status, err, found["schema"], found["exit_status"]) == (0, "", "remora/prove/1", 0)
    assert (found["time"], found["seed"]) == (time, 7)
    assert [(row["claim"], row["direction"], row["standing"]) for row in found["obligations"]] == [
        ("law:2", "⊆", "agreed"),
        ("law:2", "⊇", "agreed"),
    ]
    keys = {"id", "claim", "direction", "standing", "solver", "seconds", "rlimit", "reason"}
    assert all(keys <= row.keys() and row["rlimit"] > 0 for row in found["obligations"])
    assert len(found["canaries"]) == 1
    assert all(canary["ok"] for canary in found["canaries"])


def test_the_obligations_are_written_as_smt_lib_in_utf_8(remora: Remora, tmp_path: Path) -> None:
    folder = tmp_path / "a [t] folder"
    _, out, _ = remora("prove", "2", "--no-canaries", "--out", folder, "--format", "json")
    assert of_its_schema((folder / "results.json").read_text("utf-8")) == json.loads(out)
    names = sorted(path.name for path in (folder / "obligations").iterdir())
    assert names == ["law-2-included.smt2", "law-2-includes.smt2"]
    assert "(check-sat)" in (folder / "obligations" / names[0]).read_text("utf-8")


def test_a_canary_that_is_not_refuted_puts_the_engines_in_doubt(
    remora: Remora, monkeypatch: pytest.MonkeyPatch
) -> None:
    from laws.carlson_lisper.claims import find

    monkeypatch.setattr("remora.commands.prove.every_false_claim", lambda: find(["law:2"]))
    status, out, err = remora("prove", "3")
    assert (status, "kernel-checked, ◉ agreed" in out) == (4, True)
    assert "error: law:2 is false and was not refuted" in err


@pytest.mark.parametrize("arguments", [("{}",), ("law:{}",), ("a == a", "--primitive", "{}"), ("{} = b",)])
def test_a_message_does_not_drown_in_a_long_name(remora: Remora, arguments: tuple[str, ...]) -> None:
    err = refused(remora("prove", *(argument.format("x" * 5_000) for argument in arguments)))
    assert len(err) < 700
    assert "…" in err
