"""A pattern and a trace that were given the other way round."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.remora.conftest import Remora


@pytest.mark.parametrize("command", ["detect", "eval"])
def test_a_file_in_the_place_of_the_pattern_is_told(remora: Remora, logins: Path, command: str) -> None:
    status, out, err = remora(command, logins, "fail ; ok")
    assert (status, out) == (2, "")
    assert err == (
        f"error: {logins}: this is a file, and stands where the pattern is expected\n"
        f"  The pattern comes first: 'fail ; ok' {logins}\n"
    )


def test_a_pattern_that_cannot_be_read_is_told_as_such(remora: Remora, logins: Path) -> None:
    for text in ("fail ;", str(logins), "fail ; " * 500):
        status, _, err = remora("detect", text, logins)
        assert (status, "column" in err) == (2, True)
