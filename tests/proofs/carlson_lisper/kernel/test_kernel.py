"""The kernel proves what runs: its text is written from the code, and Rocq accepts it without axioms."""

import json
import shutil
import sys
from functools import partial
from pathlib import Path

import pytest

from campaigns.carlson_lisper.cases import generate
from campaigns.carlson_lisper.judge import judge
from campaigns.carlson_lisper.loading import any_factory
from detectors.carlson_lisper import verified
from detectors.carlson_lisper.protocol import run
from detectors.carlson_lisper.source.figure2 import BOUNDED_STEPS, STEPS, StepFactory, figure4
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, DisjunctionStep, NegationStep
from laws.claims import find
from laws.standings import Standing
from proofs.carlson_lisper.kernel import building, gallina
from proofs.carlson_lisper.kernel.building import FOLDER, OBSOLETE, NotBuilt, build, check_axioms, checked
from proofs.carlson_lisper.kernel.programs import all_steps
from proofs.proving import RECORDED, prove_claims
from semantics.carlson_lisper.occurrences import Instance
from smt.python.paths import NotTranslated
from smt.solvers.portfolio import Portfolio
from tests.copies import ROOT
from tests.smt.fakes import z3

CASES = 100


def test_what_is_written_for_rocq_is_written_from_what_runs() -> None:
    assert (FOLDER / "Generated.v").read_text("utf-8") == gallina.generated(), "run `make kernel ARGS=--write`"
    assert set(checked().values()) == {""}


class LaterNegation(NegationStep):
    """A negation that lets through what starts with an instance of its right side, with `<=` for `<` at the end."""

    __slots__ = ()

    def step(self, left: Instance, right: Instance) -> Instance:
        if self.latest < right.start:
            self.latest = right.start
        return left if self.latest <= left.start else NON_OCCURRENCE


class HashedNegation(NegationStep):
    """A negation that loses some instances by their hash, of which no proof speaks."""

    def step(self, left: Instance, right: Instance) -> Instance:
        return NON_OCCURRENCE if hash(left) == 7 else super().step(left, right)


def change(monkeypatch: pytest.MonkeyPatch, operator: str, step: StepFactory) -> None:
    """Have the kernel read another step of both figures."""
    figures = ({**STEPS, operator: step}, {**BOUNDED_STEPS, operator: step})
    monkeypatch.setattr(gallina, "all_steps", partial(all_steps, *figures))


def later(_: object) -> LaterNegation:
    return LaterNegation()


@pytest.mark.slow
def test_another_step_makes_the_record_obsolete_and_what_was_proved_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = find(["theorem:4.1", "law:3", "lemma:5.6"])
    with Portfolio([z3()]) as portfolio:
        for kept, obsolete in ((Standing.KERNEL_CHECKED, RECORDED), (Standing.UNKNOWN, OBSOLETE)):
            results = prove_claims(claims, portfolio)
            assert {result.standing for result in results} == {kept}
            assert all(result.kernel.startswith(obsolete) for result in results)
            assert {part.standing for result in results for part in result.obligations} == {Standing.PROVED}
            change(monkeypatch, "neg", later)
    assert set(checked().values()) == {f"{OBSOLETE}; Generated.v is not what Rocq accepted"}


def test_a_step_that_is_not_understood_is_refused_with_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    change(monkeypatch, "neg", lambda _: HashedNegation())
    with pytest.raises(NotTranslated, match=r"test_kernel\.py:\d+: in HashedNegation\.step"):
        gallina.generated()
    assert all(why.startswith(OBSOLETE) and "HashedNegation" in why for why in checked().values())


def test_figure_4_with_another_step_than_figure_2_is_refused() -> None:
    with pytest.raises(NotTranslated, match="another operator"):
        all_steps(STEPS, {**BOUNDED_STEPS, "dis": lambda _: DisjunctionStep()})
    with pytest.raises(NotTranslated, match="labelled ∞"):
        all_steps(STEPS, {**BOUNDED_STEPS, "seq": lambda _: DisjunctionStep()})


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")
def test_rocq_proves_every_theorem_without_axioms_and_what_is_extracted_detects_as_figure_4_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    extracted = tmp_path / "verified" if shutil.which("ocamlfind") else None
    build(extracted)
    if extracted is None:
        pytest.skip("ocamlfind is not installed, so nothing is extracted")
    monkeypatch.setattr(verified, "EXECUTABLE", extracted)
    for number in range(CASES):
        case = generate(7, number)
        found, expected = (list(run(made(case.expression), case.instants())) for made in (verified.Verified, figure4))
        assert found == expected, case
    cases = [
        {"case": n, "pattern": "a ; b", "events": [[3, "a", "u"], [time, "b", None]]} for n, time in ((7, 5), (8, -1))
    ]
    right, wrong = map(json.loads, verified.answers(map(json.dumps, cases)))
    instance = [[3, "a", "u"], [5, "b", None]]
    assert right == {"case": 7, "detections": [{"start": 3, "end": 5, "instance": instance}]}
    assert (wrong["case"], "negative" in wrong["error"]) == (8, True)
    script = tmp_path / "answering.py"
    script.write_text(
        "import sys\nfrom pathlib import Path\nfrom detectors.carlson_lisper import verified\n"
        f"verified.EXECUTABLE = Path({str(extracted)!r})\n"
        "for answer in verified.answers(sys.stdin):\n    print(answer, flush=True)\n"
    )
    declared = (ROOT / "docs" / "examples" / "programs" / "verified.toml").read_text()
    command = f"{sys.executable} {script}"
    (tmp_path / "verified.toml").write_text(declared.replace("python -m detectors.carlson_lisper.verified", command))
    behind = any_factory("verified.toml", [str(tmp_path)])
    assert {judge(generate(8, number), behind).kind for number in range(CASES // 5)} == {None}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")
def test_rocq_does_not_accept_a_wrong_step(monkeypatch: pytest.MonkeyPatch) -> None:
    change(monkeypatch, "neg", later)
    with pytest.raises(NotBuilt, match=r"Figures\.v is not accepted"):
        build()


def test_what_is_assumed_and_not_proved_is_refused() -> None:
    with pytest.raises(NotBuilt, match="assumed and not proved"):
        building._compile("coqc", FOLDER, "Figures", "Theorem all : False. Admitted.")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")
def test_a_theorem_that_rests_on_an_axiom_is_refused_by_the_name_of_the_axiom(tmp_path: Path) -> None:
    text = "From Coq Require Import Classical.\nTheorem right : True. Proof. exact I. Qed.\n"
    text += "Theorem doubtful : forall P, ~ ~ P -> P. Proof. exact NNPP. Qed.\n"
    building._compile("coqc", tmp_path, "Borrowed", text)
    check_axioms("coqc", tmp_path, ["right"], "Borrowed")
    with pytest.raises(NotBuilt, match="classic"):
        check_axioms("coqc", tmp_path, ["right", "doubtful"], "Borrowed")
