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


@pytest.mark.parametrize("options", [(), ("--intervals",)])
@pytest.mark.parametrize("case", CHANGES)
def test_an_altered_state_is_refused(remora: Remora, tmp_path: Path, case: str, options: tuple[str, ...]) -> None:
    change, said = CHANGES[case]
    trace, state = tmp_path / "t.csv", tmp_path / "state.json"
    trace.write_text("time,event\n1,a\n4,a\n")
    assert remora("detect", "a ; b", trace, "--state", state, *options)[0] == 0
    data = json.loads(state.read_text())
    change(data)
    state.write_text(json.dumps(data))
    status, out, err = remora("detect", "a ; b", trace, "--state", state, *options)
    assert (status, out, json.loads(state.read_text())) == (2, "", data)
    assert str(state) in err and said in " ".join(err.split()), err


@pytest.mark.parametrize("options", [(), ("--intervals",)])
def test_what_a_detector_cannot_have_remembered_is_named(
    remora: Remora, tmp_path: Path, options: tuple[str, ...]
) -> None:
    trace, state = tmp_path / "t.csv", tmp_path / "state.json"
    trace.write_text("time,event\n1,a\n4,a\n")
    pattern = "a ; (b ; c)"
    assert remora("detect", pattern, trace, "--state", state, "--detector", "auto", *options)[0] == 0
    text = state.read_text()
    for old, new in (('"q5": [', '"q5": [7, '), ('"t4": -1', '"t4": 9')):
        if old in text:
            state.write_text(text.replace(old, new))
            status, _, err = remora("detect", pattern, trace, "--state", state, *options)
            assert (status, "damaged" in err, old[1:3] in err) == (2, True, True), err
            return
    raise AssertionError(f"nothing to alter in {text}")
