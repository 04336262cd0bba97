"""What a gate says of itself: whether cases were missing, or time; and which code judged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from campaigns.carlson_lisper.mutants.catalogue import TELLING
from campaigns.carlson_lisper.mutants.power import Power
from campaigns.carlson_lisper.mutants.telling import KILLED_WITHIN
from laws.standings import Standing
from remora import __version__
from remora.judging.gate import Gate
from remora.judging.markdown import markdown
from remora.judging.reports import gate_data
from remora.judging.results import Request
from remora.terminal.progress import Progress
from reports.markup import prose
from reports.schemas import complaint


@pytest.mark.parametrize(
    ("tried", "cases", "said"),
    [
        (20, 20, "the cases are too few: 20 of them find 0 of the"),
        (640, 4000, "there was too little time for wrong detectors: 640 of the cases find 0 of the"),
        (KILLED_WITHIN, 2 * KILLED_WITHIN, f"the cases are too few: {KILLED_WITHIN:,} of them find 0 of the"),
    ],
)
def test_too_few_cases_and_too_little_time_are_told_apart(
    tried: int, cases: int, said: str, tmp_path: Path
) -> None:
    gate = Gate(Request(("figure2",), tmp_path), Progress(quiet=True))
    gate.result.cases = cases
    gate.worth(Power(0, tried, {}, tuple(TELLING)))
    (check,) = gate.result.checks
    assert check.standing is Standing.UNKNOWN
    assert check.detail.startswith(said)
    assert ("--budget" in check.detail) is ("little time" in said)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (None, f"Remora {prose(__version__)}, Python"),
        ({"commit": "0123456789abcdef", "changed": True}, "(commit 0123456789ab, changed since), Python"),
    ],
)
def test_the_code_that_judged_is_named_where_it_is_known(
    found: dict[str, Any] | None, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("remora.judging.gate.checkout", lambda: found)
    result = Gate(Request(("figure2",), tmp_path), Progress(quiet=True)).result
    assert said in markdown(result)
    data = gate_data(result)
    assert data.get("code") == found
    assert complaint("remora/gate/1", data) is None
