"""What `remora campaign run` says of a failure while it goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from campaigns.afresh import UNSTEADY
from campaigns.cases import Case
from campaigns.failures import Failure
from campaigns.judge import Kind, Verdict
from campaigns.judgements import Cause
from remora.commands.campaign_run import _show
from remora.compared import comparison
from semantics.finite import Interval
from semantics.occurrences import Occurrence
from semantics.syntax import parse

CASE = Case(0, 7, "small", parse("a"), (Occurrence("a", 49),))
CAUSE = Cause("mine", "shifted", "event", Kind.RELATION)


def test_a_relation_is_drawn_where_something_is_due(capsys: pytest.CaptureFixture[str]) -> None:
    compared = comparison("shifted", CASE)
    assert compared is not None
    moved = compared.after.occurrences[0].time
    verdict = Verdict(Kind.RELATION, "all times: nothing", (Interval(moved, moved),))
    _show(Failure(CASE, CAUSE, "nothing", verdict), Path("some.campaign"))
    out = capsys.readouterr().out
    assert f"due only  ┃  [{moved}, {moved}]" in out
    assert "due is what follows from its reports on a  in  a@49" in out
    assert "remora campaign replay some.campaign 7" in out


def test_what_does_not_come_again_is_told_and_not_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    _show(Failure(CASE, CAUSE, "at 3: nothing", Verdict(None, "", ())), Path("some.campaign"))
    out = capsys.readouterr().out
    assert "at 3: nothing" in out
    assert f"it did not fail again alone: the detector {UNSTEADY}" in out
    assert "time " not in out
