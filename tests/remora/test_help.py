import click
import pytest

from remora.terminal.subcommands import COMMANDS
from remora.terminal.subcommands import remora as command_line
from tests.remora.conftest import Remora


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


def test_the_version_is_said(remora: Remora) -> None:
    assert remora("--version")[1].startswith("remora, version ")


def test_no_command_at_all_gets_the_help(remora: Remora) -> None:
    status, _, err = remora()
    assert (status, "Usage: remora" in err) == (2, True)
