"""Long logs: a detector gets the whole of one, once, beside the proved detector."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.logs import DEFINED, compared
from campaigns.carlson_lisper.mutants import MUTANTS
from campaigns.histories import DEFINED as DEFINED_EVENTS
from campaigns.judging.verdicts import Kind
from campaigns.systems import cases_of
from detectors.carlson_lisper.catalogue import INTERVAL_DETECTORS
from detectors.carlson_lisper.source.figure2 import Figure2
from laws.standings import ExitStatus, Standing
from remora.gate.gate import Request
from remora.gate.step_proofs import NO_STEPS
from semantics.carlson_lisper.occurrences import Instance, Occurrence
from semantics.carlson_lisper.syntax import parse
from semantics.systems import system_of_text
from tests.campaigns.broken_detectors import AtOnce, Selective, doing, raise_late, telling
from tests.remora.conftest import Remora
from tests.remora.documents import of_its_schema
from tests.remora.gates import checks, outcome

TRACE = tuple(Occurrence("abc"[n % 7 % 3], 3 * n + n % 2) for n in range(DEFINED + 500))
LOG = Case(0, 0, "log", parse("(a ; (b + c))[12] - (b ; a)"), TRACE)
LATE = TRACE[-100].time
LateSilence = telling(lambda self, now, at, found: found if now < LATE else None)


def other_values(found: Any) -> Any:
    return found and Instance(each._replace(value="another") for each in found.occurrences)


LateOthers = telling(lambda self, now, at, found: found if now < LATE else other_values(found))


@pytest.mark.parametrize(
    ("factory", "kind"),
    [
        (Figure2, None),
        (INTERVAL_DETECTORS["generated"], None),
        (AtOnce, None),
        (MUTANTS["seq-earliest"], Kind.MISSING),
        (LateSilence, Kind.MISSING),
        (LateOthers, Kind.NOT_AN_INSTANCE),
        (doing(raise_late(ZeroDivisionError(), after=LATE)), Kind.CRASH),
    ],
)
def test_a_detector_is_judged_by_the_starts_and_ends_of_the_proved_one(
    factory: Callable[..., Any], kind: Kind | None
) -> None:
    verdict = compared(LOG, factory, 60)
    assert verdict.kind is kind
    assert verdict.ok == (kind is None)
    assert compared(LOG, Selective, 60).refusal == "only short expressions"


@pytest.mark.slow
@pytest.mark.usefixtures("small_gate")
@pytest.mark.parametrize(("name", "standing"), [("Figure2", Standing.TESTED), ("LateSilence", Standing.REFUTED)])
def test_the_gate_shows_a_small_case_of_a_long_log(tmp_path: Path, name: str, standing: Standing) -> None:
    request = Request((f"{__name__}:{name}",), tmp_path, budget=None, cases=3, logs=((LOG, "my log"),))
    result = outcome(request)
    assert checks(result, "logs")["my log"].standing is standing
    assert (checks(result, "proofs")["steps"].standing, checks(result, "proofs")["steps"].detail) == (None, NO_STEPS)
    assert (result.status is ExitStatus.REFUTED) == (standing is Standing.REFUTED)
    found = [finding for finding in result.findings if finding.stage == "logs"]
    assert bool(found) == (standing is Standing.REFUTED)
    assert all(len(finding.case.occurrences) <= 4 and finding.remark.startswith("my log") for finding in found)


SILENT = DEFINED_EVENTS + 100
"""Nothing is said after so many events, which are more than a definition takes."""

TEXTS = {
    "r.rules": "event b(x: int)\nevent a(x: int)\nhit(x) <- f: a(x), l: b(x), f before l, {f, l} within 9\n",
    "p.profile": 'class a = event(name = "a")\nclass b = event(name = "b")\nprofile P = (a ; b)[3]\n',
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "mutant"),
    [("r.rules", "differencing-tails-"), pytest.param("p.profile", "tails-", marks=pytest.mark.long)],
)
def test_a_log_of_the_other_systems_is_run_as_a_whole_and_shown_as_far_as_it_has_to_be(
    file: str, mutant: str, remora: Remora, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / file).write_text(TEXTS[file])
    rows = [f"{n // 2 * 2 + n % 2},{'ab'[n % 2]},{n // 2 % 7}" for n in range(SILENT + 200)]
    (tmp_path / "log.csv").write_text("\n".join(["time,event,x", *rows, ""]))
    system = system_of_text(file).name
    made: Any = type(cases_of(system))
    name = f"{mutant}nothing-after-five-thousand-events"
    sooner = replace(made.MUTANTS[name], after=made.MUTANTS[name].after.replace("5_000", str(SILENT)))
    monkeypatch.setattr(made, "MUTANTS", {name: sooner})
    monkeypatch.setattr("campaigns.logs.WINDOWS", (60, 250))
    given = ("gate", "--system", system, "--cases", "1", "--log", tmp_path / "log.csv", tmp_path / file)
    wrong = ("--detector", f"mutant:{name}")
    document = of_its_schema(remora(*given, *wrong, "--format", "json", "--regressions", tmp_path / "kept")[1])
    (check,) = (check for check in document["checks"] if check["stage"] == "logs")
    assert check["standing"] == "refuted"
    (failure,) = (failure for failure in document["failures"] if failure["stage"] == "logs")
    assert len(failure["trace"]) == SILENT + 2  # the first that would have to be said
