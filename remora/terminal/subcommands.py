"""The subcommands of `remora`, each loaded only when it is used."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click
from click.shell_completion import CompletionItem

COMMANDS: Mapping[str, tuple[str, str]] = {
    "verify": ("remora.commands.verify:verify", "Run everything and write one report."),
    "laws": ("remora.commands.laws:laws", "List and show the claims and definitions of the algebra."),
    "prove": (
        "remora.commands.prove:prove",
        "Prove claims or a conjecture for all event streams, or refute them.",
    ),
    "test": ("remora.commands.test:test", "Check claims on finitely many cases."),
    "eval": (
        "remora.commands.evaluate:evaluate",
        "All instances of an expression in a trace, by definition.",
    ),
    "detect": ("remora.commands.detect:detect", "Detect an expression in a trace or a live stream."),
    "stream": ("remora.commands.stream:stream", "Detect in a folder that grows, by key, on Spark."),
    "explain": ("remora.commands.explain:explain", "Explain a pattern: its form, its cost, can it occur?"),
    "equiv": ("remora.commands.equiv:equiv", "Decide whether two patterns are equivalent on all traces."),
    "campaign": (
        "remora.commands.campaigns.group:campaign",
        "Randomized trace campaigns against a detector, on Spark.",
    ),
    "gate": ("remora.commands.gate:gate", "Decide whether a change of a detector may go in."),
    "atlas": ("remora.commands.atlas:atlas", "Which law holds in which event algebra."),
    "report": ("remora.commands.report:report", "Render the results of a run again."),
    "bench": ("remora.commands.benchmarks.bench:bench", "How fast the detectors are, beside other tools."),
    "doctor": ("remora.commands.doctor:doctor", "What is installed, what is missing, what that costs."),
    "completion": ("remora.commands.completion:completion", "Have the shell complete commands and values."),
}
"""The subcommands: where each is implemented, and its line in the help."""

PROGRAMS: Mapping[str, tuple[str, str]] = {
    ".rules": ("bry_eckert", "remora.bry_eckert.commands"),
    ".profile": ("hinze_voisard", "remora.hinze_voisard.commands"),
}
"""By suffix of a file with a program, the system, and the module with its `COMMANDS` in the place of the usual ones."""

OF_TEXTS = ("eval", "detect", "stream", "explain", "equiv")
"""The commands that take a pattern, and of some systems a file in its place."""


class LazyGroup(click.Group):
    """Loads a subcommand's module only when it is used, so that light commands start fast."""

    def __init__(self, *arguments: Any, subcommands: Mapping[str, tuple[str, str]], **settings: Any) -> None:
        """With the subcommands by name: where each is implemented, and its line in the help."""
        super().__init__(*arguments, **settings)
        self._subcommands = subcommands

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order in which a newcomer meets them."""
        return list(self._subcommands)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand, imported now."""
        if cmd_name not in self._subcommands:
            return None
        return _loaded(self._subcommands[cmd_name][0])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The subcommand that the arguments name; a name that is none gets a suggestion."""
        of_system = for_program(args)
        if of_system is not None:
            return args[0], of_system, args[1:]
        if args[0] not in self._subcommands and not args[0].startswith("-"):
            from difflib import get_close_matches  # which takes time to load

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


def for_program(args: list[str]) -> click.Command | None:
    """The subcommand of another system, which the arguments name by a program or by `--system`.

    Such as `eval orders.rules log.csv`, `bench --system bry_eckert`.
    """
    for suffix, (system, module) in PROGRAMS.items():
        named = any(argument.endswith(suffix) for argument in args[1:])
        if named or args[1:3] == ["--system", system]:
            commands: Mapping[str, click.Command | str] = importlib.import_module(module).COMMANDS
            if named and args[0] in OF_TEXTS and args[0] not in commands:
                raise click.UsageError(f"{args[0]} takes no {suffix} file; {', '.join(commands)} do.")
            found = commands.get(args[0])
            return _loaded(found) if isinstance(found, str) else found
    return None


def _loaded(place: str) -> click.Command:
    module, _, name = place.partition(":")
    command: click.Command = getattr(importlib.import_module(module), name)
    return command


def _print_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from remora import __version__

        click.echo(f"remora, version {__version__}")
        context.exit()


@click.group(
    cls=LazyGroup,
    subcommands=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExamples:\n"
    "  remora verify --quick\n"
    "  remora prove '(A ; B)[t] == (A ; B[t])[t]'\n"
    "  remora detect '(fail ; fail)[60] - ok' log.csv\n"
    "  tail -f log.jsonl | remora detect 'a ; b' -\n\n"
    "\b\nExit status: 0 all as claimed, 1 refuted, 2 bad input, 3 inconclusive,\n"
    "4 engines disagree, 5 infrastructure failed.\n\n"
    "\b\nShell completion, for bash (zsh and fish likewise):\n"
    '  eval "$(remora completion bash)"',
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version and exit.",
)
def remora() -> None:
    """A verification testbed for event detection algebras.

    Composite events are written with five operators: A | B (either), A + B (both), A - B (A without a B
    within it), A ; B (A and then B) and A[60] (A within 60 ticks).
    """
