"""Files that cannot be written or read are named, and nobody waits for them."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.remora.conftest import Remora


class Full:
    """A file on a disk that is full."""

    def __init__(self, file: Any) -> None:
        self.file = file

    def __enter__(self) -> Full:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def write(self, _: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file that is written from now on is on a full disk."""
    opened = Path.open

    def open_full(self: Path, mode: str = "r", *rest: Any, **settings: Any) -> Any:
        file = opened(self, mode, *rest, **settings)
        return file if "r" in mode else Full(file)

    monkeypatch.setattr(Path, "open", open_full)


def test_a_full_disk_is_told_with_the_file_and_leaves_the_old_one(
    remora: Remora, logins: Path, full_disk: None
) -> None:
    state = logins.parent / "state.json"
    status, _, err = remora("detect", "fail", logins, "--state", state)
    assert (status, err.splitlines()[-1]) == (5, f"error: {state}: the system refused: No space left on device")
    assert list(logins.parent.iterdir()) == [logins]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
def test_a_state_is_not_waited_for(remora: Remora, logins: Path) -> None:
    pipe = logins.parent / "pipe"
    os.mkfifo(pipe)
    status, _, err = remora("detect", "fail", logins, "--state", pipe)
    assert (status, err.splitlines()[0]) == (2, f"error: {pipe}: a state is kept in a file, and this is something else")
