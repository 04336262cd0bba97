"""`remora detect --patterns`: several patterns in one pass over the log."""

from pathlib import Path

import pytest

from tests.remora.conftest import Remora, refused
from tests.remora.detections import rows

PATTERNS = {"guessed": "(fail ; fail)[60] - ok", "fail | ok": "fail | ok", "recovered": "fail ; ok"}


@pytest.fixture
def watched(tmp_path: Path) -> Path:
    path = tmp_path / "watched.txt"
    path.write_text("# what is watched\nguessed = (fail ; fail)[60] - ok\n\nfail | ok\n  recovered = fail ; ok\n")
    return path


@pytest.mark.parametrize("options", [(), ("--intervals",), ("--partition-by", "user")])
def test_several_patterns_find_what_each_finds_alone(
    remora: Remora, logins: Path, watched: Path, options: tuple[str, ...]
) -> None:
    status, out, err = remora("detect", "--patterns", watched, logins, *options)
    assert (status, err) == (0, "")
    together = rows(out)
    assert [row["end"] for row in together] == sorted(row["end"] for row in together)
    for name, pattern in PATTERNS.items():
        _, alone, _ = remora("detect", pattern, logins, *options)
        assert [row for row in together if row["pattern"] == name] == [{"pattern": name, **row} for row in rows(alone)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a ; b\nx = a ;\n", "watched.txt:2"),
        ("x = a\nx = b\n", "there are two patterns 'x'"),
        ("# nothing\n", "there is no pattern"),
        ("a[30s]\n", "watched.txt:1"),
    ],
)
def test_a_file_of_patterns_that_is_wrong_is_refused_with_its_line(
    remora: Remora, logins: Path, watched: Path, text: str, said: str
) -> None:
    watched.write_text(text)
    assert said in refused(remora("detect", "--patterns", watched, logins)).replace("\n", "")


def test_patterns_and_an_expression_or_a_state_exclude_each_other(
    remora: Remora, logins: Path, watched: Path, tmp_path: Path
) -> None:
    assert "LOG alone" in refused(remora("detect", "--patterns", watched, "a ; b", logins))
    assert "no --state" in refused(remora("detect", "--patterns", watched, logins, "--state", tmp_path / "s"))
    assert "Missing argument" in refused(remora("detect", "a ; b"))
    assert "cannot be read" in refused(remora("detect", "--patterns", tmp_path / "none", logins))
