"""Commands, one module each."""

from pkgutil import resolve_name

import click
from click.shell_completion import CompletionItem

from remora import __version__

COMMANDS = {
    "verify": ("verify:verify", "Run everything and write one report."),
    "laws": ("laws:laws", "List and show the claims and definitions of the algebra."),
    "prove": ("prove:prove", "Prove claims or a conjecture for all event streams, or refute them."),
    "test": ("prove:test", "Check claims on finitely many cases."),
    "eval": ("detection:evaluate", "All results in a log, by definition."),
    "detect": ("detection:detect", "Detect a pattern, rules or profiles in a log or a live stream."),
    "stream": ("detection:stream", "Detect in a folder that grows, by key, on Spark."),
    "look": ("look:look", "What is in a log, and the options that read it."),
    "why": ("why:why", "Why something is found at a time, or why not."),
    "explain": ("detection:explain", "Explain a pattern, rules or profiles: form, cost, bounds."),
    "equiv": ("equiv:equiv", "Decide whether two patterns are equivalent on all traces."),
    "optimise": ("optimise:optimise", "The cheapest pattern that says the same, by a chain of laws."),
    "translate": ("engines.translate:command", "A pattern as a query of another engine, and what changes."),
    "diff": ("diff:diff", "What a change of a pattern, rules or profiles does."),
    "sample": ("engines.sample:sample", "Shortest logs of a pattern: test data for an engine."),
    "campaign": ("campaign:campaign", "Random campaigns against a detector, on Spark."),
    "gate": ("gate:gate", "Decide whether a change of a detector may go in."),
    "reduce": ("engines.reduce:reduce", "The smallest pattern and log on which a detector fails."),
    "explore": ("explore:explore", "Laws that nobody wrote down, up to a size, each proved."),
    "atlas": ("atlas:atlas", "Which law holds in which event algebra."),
    "report": ("verify:report", "Render the results of a run again."),
    "bench": ("detection:bench", "How fast the detectors are, beside other tools."),
    "doctor": ("installation:doctor", "What is installed, what is missing, what that costs."),
    "completion": ("installation:completion", "Have the shell complete commands and values."),
}
"""The subcommands: where each is implemented here, and its line in the help."""


class LazyGroup(click.Group):
    """Imports a subcommand's module when it is used, so that light commands start fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, in the order in which a newcomer meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand, imported."""
        place = f"{__name__}.{COMMANDS[cmd_name][0]}" if cmd_name in COMMANDS else None
        command: click.Command | None = None if place is None else resolve_name(place)
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """The subcommands that begin so, without importing them, and the options."""
        found = [
            CompletionItem(name, help=about) for name, (_, about) in COMMANDS.items() if name.startswith(incomplete)
        ]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of subcommands, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    commands={name: click.Command(name) for name in COMMANDS},  # by which one with a similar name is suggested
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    epilog="\b\nExamples:\n"
    "  remora verify --quick\n"
    "  remora prove '(A ; B)[t] == (A ; B[t])[t]'\n"
    "  remora detect '(fail ; fail)[60] - ok' log.csv\n"
    "  remora detect orders.rules orders.jsonl\n"
    "  tail -f log.jsonl | remora detect 'a ; b' -\n\n"
    "\b\nExit status: 0 all as claimed, 1 refuted, 2 bad input, 3 inconclusive,\n"
    "4 engines disagree, 5 infrastructure failed.\n\n"
    "\b\nShell completion, for bash (zsh and fish likewise):\n"
    '  eval "$(remora completion bash)"',
)
@click.version_option(__version__, prog_name="remora")
def remora() -> None:
    """A verification testbed for event detection algebras.

    Composite events are written with five operators: A | B (either), A + B (both), A - B (A without a B
    within it), A ; B (A and then B) and A[60] (A within 60 ticks). Where a command takes a PATTERN, it takes a
    program of rules (a path that ends in .rules) and a file of profiles (.profile) as well.
    """
