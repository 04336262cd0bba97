"""Files that cannot be written or read are named, and nobody waits for them."""

import errno
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.remora.conftest import Remora


def test_a_full_disk_is_told_with_the_file_and_leaves_the_old_one(
    remora: Remora, logins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, opened = logins.parent / "state.json", Path.open

    def open_full(self: Path, mode: str = "r", *rest: Any, **settings: Any) -> Any:
        if "r" not in mode:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return opened(self, mode, *rest, **settings)

    monkeypatch.setattr(Path, "open", open_full)
    status, _, err = remora("detect", "fail", logins, "--state", state)
    assert (status, err.splitlines()[-1]) == (5, f"error: {state}: the system refused: No space left on device")
    assert list(logins.parent.iterdir()) == [logins]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
def test_a_state_is_not_waited_for(remora: Remora, logins: Path) -> None:
    pipe = logins.parent / "pipe"
    os.mkfifo(pipe)
    status, _, err = remora("detect", "fail", logins, "--state", pipe)
    assert (status, err.splitlines()[0]) == (2, f"error: {pipe}: a state is kept in a file, and this is something else")
