"""Long logs: a detector gets the whole of one, once, beside the proved detector."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from campaigns.carlson_lisper import logs
from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.judge import judge
from campaigns.carlson_lisper.mutants import MUTANTS
from campaigns.judging.verdicts import Kind
from detectors.carlson_lisper.catalogue import INTERVAL_DETECTORS
from detectors.carlson_lisper.source.figure2 import Figure2
from laws.standings import ExitStatus, Standing
from remora.gate.gate import Request
from remora.gate.step_proofs import NO_STEPS
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse
from tests.campaigns.broken_detectors import AtOnce, Selective, doing, raise_late, telling
from tests.remora.gates import checks, outcome

TRACE = tuple(Occurrence("abc"[n % 7 % 3], 3 * n + n % 2) for n in range(logs.DEFINED + 500))
LOG = Case(0, 0, "log", parse("(a ; (b + c))[12] - (b ; a)"), TRACE)
LATE = TRACE[-100].time


LateSilence = telling(lambda self, now, at, found: found if now < LATE else None)


@pytest.mark.parametrize(
    ("factory", "kind"),
    [
        (Figure2, None),
        (INTERVAL_DETECTORS["generated"], None),
        (AtOnce, None),
        (MUTANTS["seq-earliest"], Kind.MISSING),
        (LateSilence, Kind.MISSING),
        (doing(raise_late(ZeroDivisionError(), after=LATE)), Kind.CRASH),
    ],
)
def test_a_detector_is_judged_by_the_starts_and_ends_of_the_proved_one(
    factory: Callable[..., Any], kind: Kind | None
) -> None:
    verdict, now = logs.compared(LOG, factory, 60)
    assert verdict.kind is kind
    assert verdict.ok == (kind is None)
    assert (now >= LATE) == (factory is not MUTANTS["seq-earliest"])
    assert logs.compared(LOG, Selective, 60)[0].refusal == "only short expressions"


def test_the_end_of_the_log_up_to_a_difference_is_a_case_for_the_semantics() -> None:
    _, now = logs.compared(LOG, LateSilence, 60)
    parts = list(logs.windows(LOG, now))
    assert [len(part.occurrences) for part in parts] == list(logs.WINDOWS)
    assert {part.occurrences[-1].time for part in parts} == {now}
    assert judge(parts[0], LateSilence).kind is Kind.MISSING
    assert judge(parts[0], Figure2).ok


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
