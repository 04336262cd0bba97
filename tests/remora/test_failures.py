"""Failures that are not the user's, and the helpers that everything is written with."""

import sys
from pathlib import Path
from typing import NoReturn

import click
import pytest

from remora.api.claiming.data import to_json
from remora.api.files import prepare_folder, require_possible
from remora.commands import remora as command_line
from remora.terminal.console import print_error, print_table
from semantics.errors import InputError
from tests.remora.conftest import Remora


def command_that_raises(error: BaseException) -> click.Command:
    @click.command()
    def broken() -> NoReturn:
        raise error

    return broken


LARK = "a package is missing: lark\n  `remora doctor` tells what is installed and what is not.\n"

FAILURES: list[tuple[BaseException, int, str]] = [
    (InputError("wrong", place="t.csv:3", remedy="Do it right."), 2, "t.csv:3: wrong\n  Do it right.\n"),
    (OSError(28, "No space left on device", "out/x"), 5, "out/x: the system refused: No space left"),
    (ModuleNotFoundError(name="lark"), 5, LARK),
    (MemoryError(), 5, "there is not enough memory"),
    (KeyboardInterrupt(), 130, "interrupted\n"),
    (click.Abort(), 130, "interrupted\n"),
]


@pytest.mark.parametrize(("error", "status", "said"), FAILURES)
def test_every_failure_has_its_message_and_status(
    remora: Remora, monkeypatch: pytest.MonkeyPatch, error: BaseException, status: int, said: str
) -> None:
    monkeypatch.setattr(type(command_line), "get_command", lambda *_: command_that_raises(error))
    ended, out, err = remora("laws")
    assert (ended, out, f"error: {said}" in err, "Traceback" in err) == (status, "", True, False)


@pytest.mark.parametrize("error", [ZeroDivisionError(), ModuleNotFoundError(name="laws.missing")])
def test_a_defect_is_not_taken_for_a_refutation(
    remora: Remora, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setattr(type(command_line), "get_command", lambda *_: command_that_raises(error))
    status, _, err = remora("laws")
    assert (status, type(error).__name__ in err, "a defect of Remora" in err) == (5, True, True)


def test_brackets_and_colons_are_text_and_no_markup(capsys: pytest.CaptureFixture[str]) -> None:
    print_error("A[t] [red] :smile: \\[x]")
    print_table(("id", "[bold]"), [("[t]", ":smile: A[t] == [/]")])
    captured = capsys.readouterr()
    assert captured.err == "error: A[t] [red] :smile: \\[x]\n"
    assert captured.out == "id   [bold]\n[t]  :smile: A[t] == [/]\n"


def test_a_table_is_aligned_and_its_lines_are_as_long_as_they_need(
    capsys: pytest.CaptureFixture[str],
) -> None:
    print_table(("name", "n", "text"), [("a", "1", "x" * 200), ("bcdef", "23", "")], right=("n",))
    assert capsys.readouterr().out == f"name    n  text\na       1  {'x' * 200}\nbcdef  23\n"


def test_in_a_terminal_what_would_be_wrapped_into_many_lines_stands_below_its_row(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    long = " ".join(["rem(S, S')"] * 16)
    for name in ("x" * 46, "x" * 70):
        print_table(("id", "text"), [(name, long), ("short", "fits")])
        lines = capsys.readouterr().out.splitlines()
        assert lines[1] == name
        assert lines[-1].split() == ["short", "fits"]
        assert [len(line) <= 80 and line.startswith("    rem") for line in lines[2:-1]] == [True] * 3
        assert " ".join(" ".join(lines[2:-1]).split()) == long
    print_table(("id", "text"), [("x" * 40, "word " * 14)])
    assert [line[:42] for line in capsys.readouterr().out.splitlines()[1:]] == ["x" * 40 + "  ", " " * 42]


def test_numbers_that_json_does_not_have_become_text() -> None:
    assert (
        to_json({"a": [float("inf"), 1.5], "b": {"c": float("nan")}})
        == '{"a": ["inf", 1.5], "b": {"c": "nan"}}'
    )
    assert to_json({"a": "é"}, ascii_only=True) == '{"a": "\\u00e9"}'


def test_a_folder_is_made_and_tried_before_it_is_needed(tmp_path: Path) -> None:
    prepare_folder(tmp_path / "a" / "b")
    assert not list((tmp_path / "a" / "b").iterdir())
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="nothing can be written to this folder"):
        prepare_folder(tmp_path / "file" / "b")


def test_a_folder_that_cannot_be_is_refused_and_none_is_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    require_possible(tmp_path / "a" / "b", "Name another one.")
    assert not (tmp_path / "a").exists()
    for place in (tmp_path / "file", tmp_path / "file" / "a" / "b"):
        with pytest.raises(InputError, match="file is a file"):
            require_possible(place, "Name another one.")
