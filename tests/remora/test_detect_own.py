"""`remora detect` with detectors from outside, which may do anything."""

import sys
from pathlib import Path

import pytest

from tests.remora.conftest import Remora, refused
from tests.remora.detections import spans

DETECTORS = """
from detectors.carlson_lisper.source.figure2 import Figure2
from semantics.errors import InputError
from semantics.events import Interval
from semantics.carlson_lisper.occurrences import Instance, Occurrence

class Raises(Figure2):
    def step(self, time, occurrences):
        if time > 3:
            raise KeyError("boom")
        return super().step(time, occurrences)

class Exits(Figure2):
    def step(self, time, occurrences):
        raise SystemExit(0)

class Tuples(Figure2):
    def step(self, time, occurrences):
        return (time, time)

class Spans(Figure2):
    def step(self, time, occurrences):
        found = super().step(time, occurrences)
        return None if found is None else Interval(found.start, found.end)

class Late(Figure2):
    def step(self, time, occurrences):
        return Instance([Occurrence("fail", 0)])

class CannotBeMade:
    def __init__(self, expression):
        raise RuntimeError("no memory\\nleft")

class Refuses:
    def __init__(self, expression):
        raise InputError(f"{expression} has no bound", remedy="Write one.")

def nothing(expression):
    return None

number = 3
"""


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The prefix of the names of detectors that lie in the current directory."""
    name = f"own_{abs(hash(tmp_path))}"
    (tmp_path / f"{name}.py").write_text(DETECTORS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    return f"{name}:"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Raises", "failed at time 9: KeyError: 'boom'"),
        ("Exits", "failed at time 1: SystemExit: 0"),
        ("Tuples", "reported (1, 1) at time 1, which is of type tuple; expected is Instance or None"),
        ("Late", "reported {fail@0} at time 1, which ends at time 0"),
        ("CannotBeMade", "failed when it was made for fail ; fail: RuntimeError: no memory left"),
        ("nothing", "failed at time 1: AttributeError"),
    ],
)
def test_a_detector_that_breaks_the_protocol_is_wrong_and_named(
    remora: Remora, logins: Path, own: str, name: str, said: str
) -> None:
    status, _, err = remora("detect", "fail ; fail", logins, "--detector", own + name)
    assert status == 1
    assert err.startswith(f"error: the detector {own}{name} {said}")
    assert "Traceback" not in err


def test_a_detector_from_outside_may_report_intervals_where_these_are_wanted(
    remora: Remora, logins: Path, own: str
) -> None:
    detected = remora("detect", "fail ; fail", logins, "--intervals", "--detector", f"{own}Spans")
    assert spans(detected[1]) == spans(remora("detect", "fail ; fail", logins, "--intervals")[1])
    status, _, err = remora("detect", "fail ; fail", logins, "--detector", f"{own}Spans")
    assert (status, "of type Interval; expected is Instance or None" in err) == (1, True)


def test_what_a_wrong_detector_found_before_it_broke_is_printed(
    remora: Remora, logins: Path, own: str
) -> None:
    assert spans(remora("detect", "fail ; fail", logins, "--detector", f"{own}Raises")[1]) == [(1, 3)]


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("Refuses", (), "error: fail has no bound\n  Write one.\n"),
        ("number", (), "is not callable"),
        ("nothing", ("--state", "state"), "cannot be stored"),
    ],
)
def test_what_a_detector_does_not_take_is_bad_input(
    remora: Remora, logins: Path, own: str, name: str, options: tuple[str, ...], said: str
) -> None:
    assert said in refused(remora("detect", "fail", logins, "--detector", f"{own}{name}", *options))
