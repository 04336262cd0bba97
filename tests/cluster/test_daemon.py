"""The process that workers are forked from."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import pytest

from cluster.daemon import preload, without_archives


def installed(folder: Path) -> tuple[str, str]:
    """A PySpark that is installed in a folder, with an archive of itself; returns the folder and the archive."""
    package = folder / "pyspark"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    return str(folder), archived(package / "python" / "lib" / "pyspark.zip")


def archived(archive: Path) -> str:
    """An archive with a PySpark in it."""
    archive.parent.mkdir(parents=True)
    with zipfile.ZipFile(archive, "w") as target:
        target.writestr("pyspark/__init__.py", "")
    return str(archive)


def test_modules_are_not_looked_for_in_the_archives_of_a_pyspark_that_is_installed(tmp_path: Path) -> None:
    place, archive = installed(tmp_path / "packages")
    others = [str(tmp_path), archived(tmp_path / "elsewhere" / "mine.zip")]
    assert without_archives([archive, *others, place]) == [*others, place]


def test_archives_stay_where_they_hold_the_only_pyspark(tmp_path: Path) -> None:
    path = [archived(tmp_path / "spark" / "pyspark.zip"), str(tmp_path)]
    assert without_archives(path) == path


def test_a_module_that_cannot_be_imported_keeps_no_other_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "their_broken.py").write_text("raise RuntimeError")
    (tmp_path / "their_sound.py").write_text("print('hello')")
    monkeypatch.syspath_prepend(str(tmp_path))
    try:
        preload(["their_broken", "their_missing", "their_sound"])
        assert "their_sound" in sys.modules
        assert capsys.readouterr().out == ""  # where Spark waits for a number
    finally:
        sys.modules.pop("their_sound", None)
