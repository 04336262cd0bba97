"""Groups of commands, each of which is imported when it is used."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem


class LazyGroup(click.Group):
    """Imports a subcommand's module when it is used, so that light commands start fast.

    `subcommands` has by name where each is implemented, such as `package.module:object`, and its line in the help.
    """

    def __init__(self, *arguments: Any, subcommands: Mapping[str, tuple[str, str]], **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self._subcommands = subcommands

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order in which a newcomer meets them."""
        return list(self._subcommands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand, imported."""
        if cmd_name not in self._subcommands:
            return None
        module, _, name = self._subcommands[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The subcommand that the arguments name; a name that is none gets a suggestion."""
        if args[0] not in self._subcommands and not args[0].startswith("-"):
            for near in get_close_matches(args[0].lower(), self._subcommands, n=1):
                ctx.fail(f"No such command {args[0]!r}. Did you mean {near!r}?")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """The subcommands that begin so, without importing them, and the options."""
        found = [
            CompletionItem(name, help=summary)
            for name, (_, summary) in self._subcommands.items()
            if name.startswith(incomplete)
        ]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of subcommands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in self._subcommands.items()])
