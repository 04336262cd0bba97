"""`remora completion`: the script by which a shell completes commands, options and values."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from remora.terminal.completion import SHELLS, VARIABLE
from remora.terminal.console import emit
from remora.terminal.ending import Result, ends
from remora.terminal.options import format_option, no_seed_option


@click.command(
    epilog="\b\nExamples:\n"
    "  remora completion fish > ~/.config/fish/completions/remora.fish\n"
    '  eval "$(remora completion bash)"                       in ~/.bashrc\n'
    '  eval "$(remora completion zsh)"                        in ~/.zshrc'
)
@click.argument("shell", type=click.Choice(SHELLS))
@no_seed_option
@format_option
@ends
def completion(shell: str) -> Result:
    """Print the script that makes SHELL complete commands, options and values; bash must be 4.4 or newer."""
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(click.get_current_context().find_root().command, {}, "remora", VARIABLE).source()
    document = {"schema": "remora/completion/1", "shell": shell, "script": script}
    return Result(None, document, lambda: emit(script))
