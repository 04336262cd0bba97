"""Another prover at the command line: what it proves is told, and what it says against the solvers fails the run."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from reports.schemas import complaint
from tests.remora.conftest import Remora, refused

with_eprover = pytest.mark.skipif(shutil.which("eprover") is None, reason="E is not installed")

Write = Callable[[str], Path]


@pytest.fixture
def prover(tmp_path: Path) -> Write:
    """Writes a program that always gives the same answer, and is used as a prover."""

    def write(status: str) -> Path:
        path = tmp_path / "eprover-of-ours"
        path.write_text(f"#!/bin/sh\necho '# SZS status {status}'\n")
        path.chmod(0o755)
        return path

    return write


def test_what_another_prover_proves_is_counted(remora: Remora, prover: Write) -> None:
    run = ("prove", "2", "--no-canaries", "--also", prover("Theorem"))
    status, out, err = remora(*run)
    assert status == 0
    assert "proves 2 of 2 obligations within 5,000 processed clauses" in err
    assert "law" in out.splitlines()[-1]
    document = json.loads(remora(*run, "--format", "json")[1])
    assert complaint("remora/prove/1", document) is None
    assert document["third_opinion"]["counts"] == {"law": {"proved": 2}}


def test_what_it_does_not_prove_changes_nothing(remora: Remora, prover: Write) -> None:
    for answer in ("ResourceOut", "CounterSatisfiable"):
        status, _, err = remora("prove", "27", "--no-canaries", "--also", prover(answer))
        assert (status, "proves 0 of 2" in err) == (0, True)


def test_a_proof_of_what_is_false_ends_the_run_with_4(remora: Remora, prover: Write) -> None:
    status, _, err = remora("prove", "A + B == A ; B", "--no-canaries", "--also", prover("Theorem"))
    assert (status, "disagrees on" in err) == (4, True)


def test_a_refutation_of_what_is_proved_and_a_contradiction_end_it_with_4(
    remora: Remora, prover: Write
) -> None:
    run = ("prove", "2", "--no-canaries", "--time", "real", "--also")
    assert remora(*run, prover("CounterSatisfiable"))[0] == 4
    assert remora(*run, prover("ContradictoryAxioms"))[0] == 4


def test_a_program_that_nobody_knows_how_to_ask_is_refused(remora: Remora, tmp_path: Path) -> None:
    assert "eprover or vampire" in refused(remora("prove", "2", "--also", "z3"))
    assert "no such program" in refused(remora("prove", "2", "--also", tmp_path / "eprover"))


@pytest.mark.long
@with_eprover
def test_e_itself_proves_a_law_and_nothing_false(remora: Remora) -> None:
    _, out, _ = remora(
        "prove", "2", "A - B == B - A", "--no-canaries", "--also", "eprover", "--format", "json"
    )
    said = json.loads(out)["third_opinion"]
    assert {row["outcome"] for row in said["obligations"] if row["id"].startswith("law:2/")} == {"proved"}
    assert not any(row["disagreement"] for row in said["obligations"])
