"""Commands, one module each."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import click
from click.shell_completion import CompletionItem

from remora import __version__

_STATED: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("commands.toml").read_text("utf-8"))

COMMANDS: Mapping[str, Mapping[str, Any]] = {name: told for name, told in _STATED.items() if isinstance(told, dict)}
"""The subcommands: where each is implemented here, its line in the help, and what its own help says more."""


@cache
def _loaded(name: str) -> click.Command:
    told = COMMANDS[name]
    command: click.Command = resolve_name(f"{__name__}.{told['place']}")
    parts = [(command, told)]
    parts += [(one, told[inner]) for inner, one in command.commands.items()] if isinstance(command, click.Group) else []
    for one, said in parts:
        one.help = "\n\n".join(filter(None, (one.help, said.get("more"))))
        one.epilog = said["end"]
    return command


class LazyGroup(click.Group):
    """Imports a subcommand's module when it is used, so that light commands start fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand, imported."""
        return _loaded(cmd_name) if cmd_name in COMMANDS else None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """The subcommands that begin so, without importing them, and the options."""
        found = [
            CompletionItem(name, help=told["about"]) for name, told in COMMANDS.items() if name.startswith(incomplete)
        ]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of subcommands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, told["about"]) for name, told in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    commands={name: click.Command(name) for name in COMMANDS},  # by which one with a similar name is suggested
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    help=_STATED["help"],
    epilog=_STATED["end"],
)
@click.version_option(__version__, prog_name="remora")
def remora() -> None:
    """A verification testbed for event detection algebras."""
