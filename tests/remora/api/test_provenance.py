"""Which code a run is of: the commit of the checkout, where it is one."""

import shutil
import subprocess
from pathlib import Path

import pytest

from remora.api.provenance import checkout

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *arguments: str) -> str:
    said = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    command = ("git", "-C", str(folder), *said, *arguments)
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout.strip()


def test_a_checkout_says_its_commit_and_whether_a_file_of_a_package_is_changed_or_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert checkout(tmp_path) is None
    git(tmp_path, "init", "--quiet")
    assert checkout(tmp_path) is None, "there is no commit yet"
    (tmp_path / "laws").mkdir()
    for name, changed in (("laws/claims.py", False), ("log.csv", False), ("laws/claims.py", True), ("laws/a.py", True)):
        (tmp_path / name).write_text(f"CHANGED = {changed}\n")
        if not git(tmp_path, "branch"):
            git(tmp_path, "add", ".")
            git(tmp_path, "commit", "--quiet", "--message", "the laws")
        assert checkout(tmp_path) == {"commit": git(tmp_path, "rev-parse", "HEAD"), "changed": changed}
        if name == "laws/claims.py":
            git(tmp_path, "checkout", "--quiet", "--", name)
    assert checkout(tmp_path / "laws") is None, "packages within somebody else's checkout have no commit"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert checkout() is None
