"""`remora detect --validated` runs what is proved or validated, and nothing else."""

from pathlib import Path

import pytest

from smt.carlson_lisper.validation.validating import Outcome, Validation
from tests.remora.conftest import Remora

PATTERNS = ("(B ; B)[20] - (P ; (P + T))", "((a ; b)[2] - c) ; a[0]", "a ; (b ; c)[5000]")


@pytest.fixture
def trace(tmp_path: Path) -> str:
    path = tmp_path / "trace.csv"
    path.write_text("time,event\n1,a\n2,b\n3,c\n4,a\n")
    return str(path)


@pytest.mark.parametrize(
    ("pattern", "options"), [*((pattern, ("--intervals",)) for pattern in PATTERNS), (PATTERNS[1], ())]
)
def test_every_pattern_runs_with_the_default_detector(
    remora: Remora, trace: str, pattern: str, options: tuple[str, ...]
) -> None:
    status, out, err = remora("detect", pattern, trace, "--validated", *options)
    assert (status, out) == remora("detect", pattern, trace, *options)[:2], err


def test_what_is_tested_only_is_refused(remora: Remora, trace: str) -> None:
    status, _, err = remora("detect", "a ; b", trace, "--validated", "--detector", "mutant:seq-newest")
    assert status == 2 and "neither proved nor validated" in err


@pytest.mark.parametrize(("outcome", "ends"), [("refuted", 1), ("not validated", 2)])
def test_a_text_that_is_wrong_or_not_known_does_not_run(
    remora: Remora, trace: str, outcome: Outcome, ends: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Validation(outcome, "for a reason", "z3", 0.0, "")
    monkeypatch.setattr("smt.carlson_lisper.validation.validating.validate", lambda _: found)
    status, out, err = remora("detect", "a ; b", trace, "--validated", "--intervals")
    assert (status, out) == (ends, "") and "for a reason" in err
    assert remora("detect", "a ; b", trace, "--validated", "--detector", "figure4")[0] == 0
