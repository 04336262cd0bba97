"""`remora detect --state` refuses a state that was altered, says what is wrong with it, and leaves it as it is."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.remora.conftest import Remora

Change = Callable[[dict[str, Any]], object]

CHANGES: dict[str, tuple[Change, str]] = {
    "a time before all": (lambda s: s.update(time=-2), ">= -1 - at `$.time`"),
    "a time beyond all": (lambda s: s.update(time=2**63), "damaged"),
    "a time before the detector's": (lambda s: s.update(time=3), "later than the state's 3"),
    "a partition twice": (lambda s: s["partitions"].append(s["partitions"][0]), "there twice"),
    "a partition of no partitioned trace": (lambda s: s["partitions"][0].update(partition="x"), "'x' is no partition"),
    "no state": (lambda s: s["partitions"][0].pop("state"), "missing required field `state`"),
    "a state that is none": (lambda s: s["partitions"][0].update(state=[]), "Expected `object`, got `array`"),
    "an event that is not asked for": (lambda s: s.update(last=[[None, "z"]]), "in last is not"),
    "an event without a partition": (lambda s: s.update(last=[["a"]]), "at `$.last[0]`"),
}


@pytest.fixture(params=[(), ("--intervals",)], ids=str)
def stored(request: pytest.FixtureRequest, tmp_path: Path, remora: Remora) -> tuple[str | Path, ...]:
    """A detection whose state is stored."""
    trace, state = tmp_path / "t.csv", tmp_path / "state.json"
    trace.write_text("time,event\n1,a\n4,a\n")
    arguments = ("detect", "a ; (b ; c)", trace, *request.param, "--state", state)
    assert remora(*arguments)[0] == 0
    return arguments


@pytest.mark.parametrize("case", CHANGES)
def test_an_altered_state_is_refused(remora: Remora, stored: tuple[Any, ...], case: str) -> None:
    (change, said), state = CHANGES[case], stored[-1]
    data = json.loads(state.read_text())
    change(data)
    state.write_text(json.dumps(data))
    status, out, err = remora(*stored)
    assert (status, out, json.loads(state.read_text())) == (2, "", data)
    assert str(state) in err and said in " ".join(err.split()), err


def test_what_a_detector_cannot_have_remembered_is_named(remora: Remora, stored: tuple[Any, ...]) -> None:
    text = stored[-1].read_text()
    old, new = ('"q5": [', '"q5": [7, ') if '"q5": [' in text else ('"t4": -1', '"t4": 9')
    assert old in text
    stored[-1].write_text(text.replace(old, new))
    status, _, err = remora(*stored)
    assert (status, "damaged" in err, old[1:3] in err) == (2, True, True), err
