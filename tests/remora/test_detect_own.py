"""`remora detect` with detectors from outside, which may do anything."""

import sys
from pathlib import Path

import pytest

from tests.remora.conftest import Remora, refused
from tests.remora.detections import spans


@pytest.fixture
def own(monkeypatch: pytest.MonkeyPatch) -> str:
    """The prefix of the names of detectors that lie in the current directory."""
    monkeypatch.chdir(Path(__file__).parents[1] / "campaigns")
    monkeypatch.setattr(sys, "path", list(sys.path))
    return "broken_detectors:"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Raising", "failed at time 9: ZeroDivisionError: division by zero"),
        ("Leaving", "failed at time 1: SystemExit: 3"),
        ("Untyped", "reported (1, 3) at time 3, which is of type tuple; expected is Instance or None"),
        ("OneReportLate", "reported {fail(root)@1, fail(root)@3} at time 9, which ends at time 3"),
        ("Refusing", "failed when it was made for fail ; fail: NotImplementedError"),
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


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("Selective", (), "error: only short expressions\n  Write a short one.\n"),
        ("os", (), "is not callable"),
        ("AtOnce", ("--state", "state"), "cannot be stored"),
    ],
)
def test_what_a_detector_does_not_take_is_bad_input(
    remora: Remora, logins: Path, own: str, name: str, options: tuple[str, ...], said: str
) -> None:
    assert said in refused(remora("detect", "fail | ok", logins, "--detector", f"{own}{name}", *options))
