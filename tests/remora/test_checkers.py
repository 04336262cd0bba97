"""An independent checker at the command line: what it is asked, what it said, and that its silence is no success."""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from laws.claims import every_claim
from proofs.record import FOLDER, RECORD, accept, recorded
from remora.terminal.progress import Progress
from remora.verification.run import QUICK, Run
from remora.verification.stages import claims
from reports.documents import complaint
from smt import certificates
from smt.solvers.portfolio import is_installed
from tests.remora.conftest import Remora, refused

with_cvc5 = pytest.mark.skipif(not is_installed(), reason="no package of cvc5 for this platform")


@pytest.fixture
def checker(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a program that is used as a checker."""

    def write(body: str) -> Path:
        path = tmp_path / "a checker"
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)
        return path

    return write


@with_cvc5
@pytest.mark.slow
def test_a_checker_may_be_named_by_the_environment_and_asked_over_both_times_in_one_run(
    remora: Remora, checker: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("REMORA_CHECKER", str(checker("echo correct")))
    run = ("prove", "2", "--time", "both", "--no-canaries", "--out", tmp_path / "out")
    status, out, _ = remora(*run)
    assert (status, out.count("certified")) == (0, 2)
    assert "law:2 (dense)" in out
    document = json.loads((tmp_path / "out" / "results.json").read_text())
    assert document["time"] == "both"
    assert [row["time"] for row in document["obligations"]] == ["int", "int", "real", "real"]
    assert {row["standing"] for row in document["obligations"]} == {"certified"}
    before = [row["accepted_before"] for row in document["obligations"][:2]]
    assert before == [recorded()[row["id"]]["accepted"] for row in document["obligations"][:2]] != [[], []]
    assert complaint("remora/prove/1", document) is None
    shutil.copy(FOLDER / RECORD, tmp_path)
    assert accept(document, "a checker", "rules", tmp_path) == 4


@pytest.mark.slow
@with_cvc5
@pytest.mark.parametrize(("body", "standing"), [("echo correct", "certified"), ("echo incorrect", "agreed")])
def test_a_verification_certifies_what_the_checker_accepts_and_names_what_not(
    checker: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, standing: str
) -> None:
    laws = [claim for claim in every_claim() if claim.id == "law:2"]
    monkeypatch.setattr("remora.verification.stages.every_claim", lambda: laws)
    run = Run(replace(QUICK, examples=1), tmp_path, 0, [], "local[1]", Progress(quiet=True), checker(body))
    (document,) = claims(run)["claims"]
    assert (document["standing"], document["dense_time"]) == ("kernel-checked", standing)
    assert {row["certificate"]["checked"] for row in document["obligations"]} == {standing == "certified"}
    assert bool(run.problems) is (standing == "agreed")
    assert all("the checker of certificates: " in problem for problem in run.problems)


@with_cvc5
def test_what_a_checker_said_is_shown_and_the_run_is_inconclusive(
    remora: Remora, checker: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = checker("echo 'Error: no rule foo'; echo see line 7 >&2; exit 3")
    monkeypatch.setenv("PATH", str(program.parent), prepend=os.pathsep)
    status, _, err = remora("prove", "2", "--no-canaries", "--checker", program.name)  # looked up as a shell does
    assert status == 3
    assert "not accepted: the checker ended with 3; it said\n    Error: no rule foo\n    see line 7\n" in err


@pytest.mark.slow
@with_cvc5
def test_a_checker_that_hangs_is_asked_once(
    remora: Remora, checker: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = certificates.run_checker
    monkeypatch.setattr(
        "proofs.certification.run_checker",
        lambda *files, signature: run(*files, signature=signature, timeout_seconds=0.5),
    )
    program = checker(f'[ "$1" ] && echo asked >> {tmp_path}/asked; sleep 1000; echo correct')
    status, _, err = remora("prove", "2", "3", "--no-canaries", "--checker", program)
    assert status == 3
    assert "law:2/⊆: not accepted: the checker was not done after 0.5 seconds" in err
    assert "law:2/⊇ and 2 more: not accepted: not checked: the checker did not come to an end at law:2/⊆" in err
    assert (tmp_path / "asked").read_text() == "asked\n"


@pytest.mark.slow
@with_cvc5
def test_a_proof_without_a_certificate_is_not_taken_for_a_checked_one(
    remora: Remora, checker: Callable[[str], Path]
) -> None:
    derived = "(A | B) | (C | D) == (D | C) | (B | A)"
    arguments = ("prove", derived, "a | a == a", "--primitive", "a", "--no-canaries")
    for program, expected in (("echo correct", 0), ("echo incorrect", 3)):
        assert remora(*arguments, "--checker", checker(program))[0] == expected


def test_without_cvc5_nothing_is_checked_and_that_is_said(
    remora: Remora, checker: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("smt.solvers.portfolio.is_installed", lambda: False)
    monkeypatch.setattr("proofs.certification.is_installed", lambda: False)
    common = ("prove", "2", "--no-canaries", "--format", "json")
    why = "no certificate: cvc5, which writes the certificates, is not installed"
    status, out, _ = remora(*common, "--checker", checker("echo correct"))
    rejected = ["--checker: nothing was checked", *(f"law:2/{part}: {why}" for part in "⊆⊇")]
    assert (status, json.loads(out)["rejected"]) == (3, rejected)
    status, out, _ = remora(*common, "--out", tmp_path / "out")
    assert (status, why in json.loads(out)["without_certificate"][0]) == (0, True)


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        (lambda path: None, "cannot be started: No such file or directory\n  Name an Ethos binary"),
        (lambda path: path.mkdir(), "cannot be started: Permission denied"),
        (lambda path: path.write_text("#!/bin/sh\n"), "cannot be started: Permission denied"),
        (lambda path: (path.write_text("words\n"), path.chmod(0o755)), "cannot be started: Exec format error"),
    ],
    ids=["missing", "folder", "not executable", "no program"],
)
def test_what_is_no_checker_is_found_before_anything_is_proved(
    remora: Remora, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, prepare: Callable[[Path], object], said: str
) -> None:
    prepare(tmp_path / "ethos")
    monkeypatch.setattr("remora.commands.prove.prove_certified", None)
    assert said in refused(remora("prove", "2", "--checker", tmp_path / "ethos"))
