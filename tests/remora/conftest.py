"""The command in this process, where exit status and both streams are looked at; traces in files."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from campaigns.carlson_lisper.mutants import MUTANTS
from campaigns.carlson_lisper.rewriting import equations
from campaigns.judging.regressions import Regression, own_regressions
from remora.cli import main
from tests.remora.documents import of_its_schema

Ended = tuple[int, str, str]
"""Exit status, standard output, standard error."""

Remora = Callable[..., Ended]
"""Runs the command line in this process."""

LOGINS = "time,event,value,user\n1,fail,root,a\n3,fail,root,b\n9,fail,root,a\n9,ok,x,b\n12,fail,,a\n80,ok,,a\n"


def refused(ended: Ended) -> str:
    """What was said, if it is said as bad input is: with status 2, on standard error alone, and as no defect."""
    status, out, err = ended
    assert (status, out) == (2, ""), err
    assert "Traceback" not in err
    assert "rror: " in err
    return err


@pytest.fixture
def remora(capsys: pytest.CaptureFixture[str]) -> Remora:
    """Runs the command line in this process; a document that is printed has all fields of its schema, and no others."""

    def run(*arguments: str | Path) -> Ended:
        with pytest.raises(SystemExit) as ending:
            main([str(argument) for argument in arguments])
        status = ending.value.code
        out, err = capsys.readouterr()
        assert isinstance(status, int)
        if re.match(r'\{\s*"schema": "remora/', out) and arguments[0] != "report":  # which prints what is stored
            assert of_its_schema(out).get("exit_status", status) == status
        return status, out, err

    return run


@pytest.fixture(scope="module", autouse=True)
def sound() -> Iterator[None]:
    """Programs begin to prove without refuting all false claims: those of the README and the notebook do it in full."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("remora.api.claiming.claims._require_sound", lambda *asked: None)
        yield


def few_regressions() -> list[Regression]:
    """Seven stored cases: those of wrong steps of every kind but disjunction."""
    of = ["con-earlier", "neg-forgets", "neg-touching", "seq-earliest", "seq-newest", "seq-overlap", "tim-long"]
    return [each for each in own_regressions() if each.detector.removeprefix("mutant:") in of]


@pytest.fixture
def few_laws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Has the gate try three laws and seven stored cases only."""
    known, few = few_regressions(), {law.id: law for law in equations() if law.id in ("law:4", "law:14", "law:27")}
    monkeypatch.setattr("remora.gate.gate.own_regressions", lambda: known)
    monkeypatch.setattr("campaigns.carlson_lisper.system._EQUATIONS", few)


@pytest.fixture
def small_gate(monkeypatch: pytest.MonkeyPatch, few_laws: None) -> None:
    """Has the gate look for two wrong detectors only, the second of which takes more than a few cases to find."""
    names = ("seq-newest", "con-earlier")
    monkeypatch.setattr("campaigns.carlson_lisper.mutants.MUTANTS", {name: MUTANTS[name] for name in names})


@pytest.fixture
def logins(tmp_path: Path) -> Path:
    """A CSV trace of six rows with a column to partition by."""
    path = tmp_path / "logins.csv"
    path.write_text(LOGINS)
    return path
