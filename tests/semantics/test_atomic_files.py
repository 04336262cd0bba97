"""A file is written whole or not at all."""

import errno
from pathlib import Path

import pytest

from semantics.atomic_files import draft, write_text


def test_until_the_end_the_old_file_is_there_and_readers_of_the_folder_pass_over_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "rows"
    write_text(path, "a\r\nb\rü\n")
    assert path.read_bytes() == "a\r\nb\rü\n".encode()
    with draft(path) as place:
        place.write_text("new")
        assert path.read_text() != "new"
        assert list(path.parent.glob("[!.]*")) == [path]
    assert path.read_text() == "new"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("failure", [OSError("the disk is full"), KeyboardInterrupt()])
def test_what_fails_leaves_what_was_there_and_nothing_else(tmp_path: Path, failure: BaseException) -> None:
    (tmp_path / "old").write_text("old")
    for name in ("old", "new"):
        with pytest.raises(type(failure)), draft(tmp_path / name) as place:
            place.write_text("a part")
            raise failure
    assert [found.read_text() for found in tmp_path.iterdir()] == ["old"]


def test_a_lone_surrogate_is_refused_or_escaped(tmp_path: Path) -> None:
    path = tmp_path / "text"
    write_text(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_text(path, "\ud800")
    assert path.read_text() == "old"
    write_text(path, "\ud800", errors="backslashreplace")
    assert path.read_text() == "\\ud800"


def test_drafts_of_one_file_do_not_get_into_each_others_way(tmp_path: Path) -> None:
    path = tmp_path / ("long" * 60)
    with draft(path) as one, draft(path) as other:
        one.write_text("one")
        other.write_text("other")
    assert path.read_text() == "one"  # which was finished last


def test_an_error_of_the_disk_names_the_file_and_any_other_error_stays_what_it_was(tmp_path: Path) -> None:
    path = tmp_path / "rows"
    full = OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(OSError, match=r"No space left on device: '.*/rows'$"), draft(path):
        raise full
    with pytest.raises(OSError, match=r"^on fire$"), draft(path):
        raise OSError("on fire")
    with pytest.raises(FileNotFoundError, match=r"'elsewhere'$"), draft(path):
        raise FileNotFoundError(errno.ENOENT, "No such file", "elsewhere")
