import click
import pytest

from remora.terminal.subcommands import COMMANDS
from remora.terminal.subcommands import remora as command_line
from tests.remora.conftest import Remora, refused


def paths(command: click.Command, path: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    found = [path]
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            found += paths(inner, (*path, name))
    return found


PATHS = paths(command_line)


@pytest.mark.parametrize("path", PATHS, ids=" ".join)
def test_every_help_fits_80_columns_and_an_ascii_terminal(
    remora: Remora, monkeypatch: pytest.MonkeyPatch, path: tuple[str, ...]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    status, out, err = remora(*path, "--help")
    assert (status, err, out.isascii()) == (0, "", True)
    assert [line for line in out.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_teaches_by_example(remora: Remora, name: str) -> None:
    assert f"Examples:\n    remora {name}" in remora(name, "--help")[1]


@pytest.mark.parametrize("option", ["--format", "--seed"])
def test_every_command_has_the_options_of_all(remora: Remora, option: str) -> None:
    groups = {path[:-1] for path in PATHS if path}
    for path in PATHS:
        if path not in groups:
            assert option in remora(*path, "--help")[1], path


def test_the_version_is_said(remora: Remora) -> None:
    assert remora("--version")[1].startswith("remora, version ")


def test_no_command_at_all_gets_the_help(remora: Remora) -> None:
    status, _, err = remora()
    assert (status, "Usage: remora" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("lwas",), "Did you mean 'laws'?"),
        (("xyzzy",), "No such command 'xyzzy'."),
        (("detect", "a"), "Missing argument 'TRACE'."),
        (("detect", "a", "b", "--srot"), "--sort"),
        (("verify", "--log", "a"), "requires 2 arguments"),
        (("test", "--examples", "0"), "0 is not in the range x>=1"),
        (("prove", "--seed", "x"), "'x' is not a valid number."),
        (("prove", "--time", "complex"), "'complex' is not one of 'int', 'real'."),
    ],
)
def test_wrong_usage_is_bad_input_with_a_hint(remora: Remora, arguments: tuple[str, ...], said: str) -> None:
    assert said in refused(remora(*arguments))


@pytest.mark.parametrize(
    ("words", "expected"), [("remora de", "plain,detect\n"), ("remora prove --ti", "plain,--time\n")]
)
def test_the_shell_completes_commands_and_options(
    remora: Remora, monkeypatch: pytest.MonkeyPatch, words: str, expected: str
) -> None:
    monkeypatch.setenv("_REMORA_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
    assert remora() == (0, expected, "")
