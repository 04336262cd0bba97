"""The command `remora`: its subcommands, and how every failure ends in a message and an exit status."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress

import click

from laws.standings import ExitStatus
from remora.encoding import prepare_streams
from semantics.errors import InputError

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
    "equiv": ("remora.commands.equiv:equiv", "Decide whether two patterns are equivalent on all traces."),
    "campaign": (
        "remora.commands.campaign:campaign",
        "Randomized trace campaigns against a detector, on Spark.",
    ),
    "report": ("remora.commands.report:report", "Render the results of a run again."),
}
"""The subcommands: where each is implemented, and its line in the help."""

INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells count it: 128 + SIGINT."""

OUTPUT_GONE = 141
"""The exit status when the reader of the output has gone, as in `remora laws | head`: 128 + SIGPIPE.

Not 0: what was not printed may have been a refutation, and `set -o pipefail` makes a gate of a pipe.
"""


class LazyGroup(click.Group):
    """Loads a subcommand's module only when it is used, so that light commands start fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand, imported now."""
        if cmd_name not in COMMANDS:
            return None
        module, _, name = COMMANDS[cmd_name][0].partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The subcommand that the arguments name; a name that is none gets a suggestion."""
        near = difflib.get_close_matches(args[0].lower(), COMMANDS, n=1)
        if args[0] not in COMMANDS and near and not args[0].startswith("-"):
            ctx.fail(f"No such command {args[0]!r}. Did you mean {near[0]!r}?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of subcommands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


def _print_version(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from remora import __version__

        click.echo(f"remora, version {__version__}")
        context.exit()


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExamples:\n"
    "  remora verify --quick\n"
    "  remora prove '(A ; B)[t] == (A ; B[t])[t]'\n"
    "  remora detect '(fail ; fail)[60] - ok' log.csv\n"
    "  tail -f log.jsonl | remora detect 'a ; b' -\n\n"
    "\b\nExit status: 0 all as claimed, 1 refuted, 2 bad input, 3 inconclusive,\n"
    "4 engines disagree, 5 infrastructure failed.\n\n"
    "\b\nShell completion, for bash (zsh and fish likewise):\n"
    '  eval "$(_REMORA_COMPLETE=bash_source remora)"',
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


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit; a user's mistake never ends in a traceback."""
    prepare_streams()
    try:
        status = _run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
    except BrokenPipeError:
        status = OUTPUT_GONE
        _abandon_output()
    except OSError as error:
        status = int(ExitStatus.INFRASTRUCTURE)
        _abandon_output()
        with suppress(OSError):
            _say(f"the output cannot be written: {error.strerror or error}")
    sys.exit(status)


def _run(arguments: list[str]) -> int:
    """Run the command; the exit status."""
    completion = os.environ.get("_REMORA_COMPLETE")
    try:
        if completion:
            from click.shell_completion import shell_complete

            return shell_complete(remora, {}, "remora", "_REMORA_COMPLETE", completion)
        with remora.make_context("remora", arguments) as context:
            remora.invoke(context)
    except SystemExit as ending:
        return ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    except click.exceptions.Exit as ending:
        return ending.exit_code
    except (KeyboardInterrupt, click.exceptions.Abort):
        if sys.stderr.isatty():
            click.echo(err=True)  # the terminal has just shown ^C
        _say("interrupted")
        return INTERRUPTED
    except click.ClickException as error:
        error.show()
        return int(ExitStatus.BAD_INPUT)
    except InputError as error:
        _say(str(error))
        return int(ExitStatus.BAD_INPUT)
    except BrokenPipeError:
        raise
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        _say(f"{place}the system refused: {error.strerror or error}")
        return int(ExitStatus.INFRASTRUCTURE)
    except MemoryError:
        _say("there is not enough memory for this")
        return int(ExitStatus.INFRASTRUCTURE)
    except Exception:  # Python would end with status 1, which here means that something was refuted
        traceback.print_exc()
        _say("this is a defect of Remora; the lines above say where")
        return int(ExitStatus.INFRASTRUCTURE)
    return int(ExitStatus.AS_CLAIMED)


def _say(text: str) -> None:
    from remora.console import print_error

    sys.stdout.flush()
    print_error(text)


def _abandon_output() -> None:
    """Let Python write what is left of the output to nowhere when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
