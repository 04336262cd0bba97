"""`remora completion`: the script by which a shell completes commands, options and values."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from remora.terminal.completion import SHELLS, VARIABLE, prepare
from remora.terminal.console import emit, emit_json
from remora.terminal.options import format_option, no_seed_option


@click.command(
    epilog="\b\nExamples:\n"
    "  remora completion fish > ~/.config/fish/completions/remora.fish\n"
    '  eval "$(remora completion bash)"                       in ~/.bashrc\n'
    '  eval "$(remora completion zsh)"                        in ~/.zshrc\n\n'
    "\b\nThen the Tab key completes commands and options, and where they are expected\n"
    "ids of claims, detectors, profiles, mutants and files:\n"
    "  remora prove theorem:4.<TAB>\n"
    "  remora campaign run nightly --detector reg<TAB>"
)
@click.argument("shell", type=click.Choice(SHELLS))
@no_seed_option
@format_option
def completion(shell: str, form: str) -> None:
    """Print the script that makes SHELL complete commands, options and values; bash must be 4.4 or newer."""
    prepare()
    kind = get_completion_class(shell)
    assert kind is not None
    root = click.get_current_context().find_root()
    script = kind(root.command, {}, "remora", VARIABLE).source()
    if form == "json":
        emit_json({"schema": "remora/completion/1", "shell": shell, "script": script})
    else:
        emit(script)
