"""`remora doctor` and `remora completion`: what is installed, and how the shell completes commands."""

import os
import platform
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict

import click
from click.shell_completion import get_completion_class

from cluster.java import SUITABLE_VERSIONS, JavaMissing, find_java
from laws.standings import Standing
from remora import __version__
from remora.terminal.console import emit
from remora.terminal.options import COMPLETING, FORMAT, NO_SEED, Asked, Result, ends, status_of
from remora.terminal.packages import Item, python_packages

_SIGNS = {"ok": "✓", "missing": "○", "unsupported": "✕"}


def looked_at() -> Iterator[Item]:
    """Everything that is looked at: Python and its packages, the Java that runs Spark, the checker of certificates."""
    yield from python_packages()
    wanted = ", ".join(map(str, SUITABLE_VERSIONS))
    try:
        runtime = find_java()
        yield Item("Java", "ok", True, f"{runtime.version}, {runtime.origin}; {runtime.home}", wanted)
    except JavaMissing as error:
        cost = f"no campaigns, no streams, no `remora verify`: {error.reason}"
        yield Item("Java", "missing", True, "", wanted, cost, f"{error.remedy}.")
    ethos = os.environ.get("REMORA_CHECKER") or shutil.which("ethos")
    remedy = "Build it from github.com/cvc5/ethos; name it and cvc5's Cpc.eo with --checker and --signature."
    missing = Item("ethos", "missing", cost="nothing is certified", remedy=remedy)
    yield Item("ethos", "ok", found=ethos) if ethos else missing


@click.command()
@ends(NO_SEED, FORMAT)
def doctor(asked: Asked) -> Result:
    """Say what is installed, what is missing, and what each absence costs."""
    items = list(looked_at())
    standing = Standing.ERROR if any(item.fails for item in items) else None
    document = {
        "schema": "remora/doctor/3",
        "remora": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "exit_status": int(status_of(standing)),
        "items": [{**asdict(item), "fails": item.fails} for item in items],
    }
    return Result(standing, document, lambda: _print(items))


def _print(items: Sequence[Item]) -> None:
    """Without styles, and so without a package that may be missing."""
    name, found = max(len(item.name) for item in items), max(len(item.found) for item in items)
    for item in items:
        emit(f"{_SIGNS[item.state]}  {item.name:{name}}  {item.found:{found}}  {item.wanted}".rstrip() + "\n")
    for item in items:
        if item.state != "ok":
            emit(f"\n{_SIGNS[item.state]} {item.name}: {item.state}\n")
            emit("".join(f"  {line}\n" for line in (item.cost[:1].upper() + item.cost[1:], item.remedy) if line))
    failing = [item.name for item in items if item.fails]
    emit("\n" + (f"Not in order: {', '.join(failing)}" if failing else "All that is required is there") + "\n")


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@ends(NO_SEED, FORMAT)
def completion(asked: Asked) -> Result:
    """Print the script that makes SHELL complete commands, options and values; bash must be 4.4 or newer."""
    kind = get_completion_class(asked.shell)
    assert kind is not None
    script = kind(click.get_current_context().find_root().command, {}, "remora", COMPLETING).source()
    return Result(None, {"schema": "remora/completion/1", "shell": asked.shell, "script": script}, lambda: emit(script))
