"""What `remora campaign run` says of a failure while it goes on, and what reports draw of it."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from campaigns.carlson_lisper.cases import Case
from campaigns.engine.summary import Failure
from campaigns.judging.judgements import UNSTEADY
from campaigns.judging.verdicts import MEANING, Cause, Kind, Verdict
from campaigns.systems import cases_of
from remora.api.campaigning import draw, drawing, failure_data
from reports.drawing.timeline import to_text
from reports.systems import failure_timeline
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse
from semantics.events import Interval

CASE = Case(0, 7, "small", parse("a"), (Occurrence("a", 49),))
CAUSE = Cause("mine", "shifted", "event", Kind.RELATION)


def test_a_relation_is_drawn_where_something_is_due(capsys: pytest.CaptureFixture[str]) -> None:
    compared = cases_of().compared("shifted", CASE)
    assert compared is not None
    _, after, said = compared
    moved = after.occurrences[0].time
    assert moved != 49
    verdict = Verdict(Kind.RELATION, "all times: nothing", (Interval(moved, moved),))
    timeline = drawing("mine", "shifted", "relation violated", CASE, verdict)
    assert timeline.times == (moved,)
    assert {timeline.label(bar) for bar in timeline.bars} == {"due only"}
    failure = Failure(CASE, CAUSE, "nothing", verdict)
    draw(failure)
    out = capsys.readouterr().out
    assert f"due only  ┃  [{moved}, {moved}]" in out
    assert "due is what follows from its reports on a  in  a@49" in out
    summary: Any = SimpleNamespace(directory="some.campaign")
    record = failure_data(failure, summary)
    assert [occurrence["time"] for occurrence in record["trace"]] == [49]
    text = to_text(failure_timeline(record))
    assert f"due only  ┃  [{moved}, {moved}]" in text
    assert f"1 interval due, 0 reported; {said}, for a" in text
    of_meaning = replace(CAUSE, relation=MEANING)
    assert "compared" not in failure_data(Failure(CASE, of_meaning, "nothing", verdict), summary)


def test_what_does_not_come_again_is_told_and_not_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    draw(Failure(CASE, CAUSE, "at 3: nothing", Verdict(None, "", ())))
    out = capsys.readouterr().out
    assert "at 3: nothing" in out
    assert f"it did not fail again alone: the detector {UNSTEADY}" in out
