import json
from pathlib import Path

import pytest

from laws.claims import every_false_claim, find
from tests.remora.conftest import Remora
from tests.remora.documents import of_its_schema


@pytest.mark.slow
def test_what_is_false_is_refuted_by_a_trace_that_is_drawn(remora: Remora) -> None:
    status, out, _ = remora("prove", "A ; B == B ; A", "--no-canaries")
    assert (status, "✕ refuted" in out, "time  " in out) == (1, True, True)
    assert "{a@0, b@1}" in out or "{b@0, a@1}" in out
    status, out, _ = remora("prove", "canary:1", "--no-canaries")  # as claimed when it is refuted
    assert (status, "refuted" in out) == (0, True)


@pytest.mark.slow
def test_identifiers_are_arbitrary_unless_they_are_called_primitive(remora: Remora) -> None:
    status, _, err = remora("prove", "a[t] == a", "--no-canaries")
    assert (status, "a may be any expression" in err, "--primitive a" in err) == (1, True, True)
    quoted = ("prove", '"pay.ok"[t] == "pay.ok"', "--no-canaries")
    assert remora(*quoted, "--primitive", '"pay.ok"')[0] == 0
    assert remora(*quoted, "--primitive", "pay.ok")[0] == 0


@pytest.mark.parametrize("time", ["int", "real"])
def test_obligations_are_a_flat_list_and_written_as_smt_lib(
    remora: Remora, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, time: str
) -> None:
    monkeypatch.setattr("remora.commands.prove.false_beside", lambda asked: every_false_claim()[:1])
    folder = tmp_path / "a [t] folder"
    arguments = ("prove", "2", "--format", "json", "--time", time, "--seed", "7", "--out", folder)
    found = json.loads(remora(*arguments)[1])
    assert (found["schema"], found["exit_status"], found["time"], found["seed"]) == ("remora/prove/1", 0, time, 7)
    told = [(row["claim"], row["direction"], row["standing"]) for row in found["obligations"]]
    assert told == [("law:2", "⊆", "agreed"), ("law:2", "⊇", "agreed")]
    assert all(row["rlimit"] > 0 for row in found["obligations"])
    assert [canary["ok"] for canary in found["canaries"]] == [True]
    assert of_its_schema((folder / "results.json").read_text("utf-8")) == found
    written = {path.name: path.read_text("utf-8") for path in (folder / "obligations").iterdir()}
    assert all("(check-sat)" in text for text in written.values())
    assert sum(name.startswith(("law-2-included", "law-2-includes")) for name in written) == 2


def test_a_canary_that_is_not_refuted_puts_the_engines_in_doubt(
    remora: Remora, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("remora.commands.prove.false_beside", lambda asked: find(["law:2"]))
    status, out, err = remora("prove", "3")
    assert (status, "kernel-checked, ◉ agreed" in out) == (4, True)
    assert "error: law:2 is false and was not refuted" in err
