"""The command that writes the generated pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from remora.docs.pages import PAGES, main


def test_all_pages_are_written_into_the_folder_that_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in PAGES:
        monkeypatch.setitem(PAGES, name, f"of {name}".strip)
    assert main([str(tmp_path / "pages")]) == 0
    written = {path.name: path.read_text("utf-8") for path in (tmp_path / "pages").iterdir()}
    assert written == {name: f"of {name}" for name in PAGES}


@pytest.mark.parametrize(("argument", "status"), [("--help", 0), ("--nosuch", 2)])
def test_an_option_is_no_folder(argument: str, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ending:
        main([argument])
    assert ending.value.code == status
    assert list(tmp_path.iterdir()) == []
