"""That the gate judges engines of rules that come from outside."""

from pathlib import Path

import pytest

from campaigns.bry_eckert.system import CASES
from campaigns.judging.regressions import own_regressions
from laws.standings import Standing
from remora.gate.decisions import decided
from tests.remora.conftest import Remora
from tests.remora.documents import of_its_schema

ENGINES = '''
from detectors.bry_eckert.differencing import Differencing

class Forgetful(Differencing):
    """Gives one answer at a time."""

    def __init__(self, program, plan, points):
        super().__init__(program, plan)

    def step(self, time, given, /):
        return super().step(time, given)[:1]
'''


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    few = dict(list(CASES.MUTANTS.items())[:1])
    monkeypatch.setattr("campaigns.bry_eckert.system.BryEckertCases.MUTANTS", few)
    (tmp_path / "own_engines.py").write_text(ENGINES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_a_wrong_engine_may_not_go_in_and_its_smallest_case_is_stored(remora: Remora, own: Path) -> None:
    options = ("--system", "bry_eckert", "--detector", "own_engines:Forgetful", "--cases")
    status, out, _ = remora("gate", *options, "12", "--out", own / "out")
    assert status == 1
    assert "is derived and not given" in out
    assert "May not go in: own_engines:Forgetful failed." in out
    document = of_its_schema((own / "out" / "gate.json").read_text("utf-8"))
    assert "--system bry_eckert" in document["repeat"]
    stored = [of_its_schema(path.read_text("utf-8")) for path in (own / "regressions").glob("*.json")]
    assert stored and all(one["system"] == "bry_eckert" for one in stored)
    status, out, _ = remora("gate", *options, "1")
    assert f"{len(stored) + len(own_regressions('bry_eckert'))} stored cases for the detector" in out


QUIET = "event W(x: int) event A(x: int) event B(x: int)\n" + (
    "F(x) <- w: W(x), r: A(x), while w: not B(x), {w, r} within 2"
)


@pytest.mark.parametrize(
    ("detector", "standing", "said"),
    [
        ("differencing", "proved", "3 conditions of 1 plan: 3 safe"),
        ("nodes", "proved", "3 conditions of 1 plan: 3 safe"),
        ("mine:Own", None, "not decided"),
    ],
)
def test_the_conditions_of_all_plans_are_decided(detector: str, standing: str | None, said: str) -> None:
    (check,) = decided("conditions", "bry_eckert", {detector: None}, [QUIET, QUIET])
    assert check.standing == (None if standing is None else Standing(standing)) and said in check.detail
