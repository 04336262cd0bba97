"""`remora doctor`: what is installed, what is missing and what that costs, and with `--check` whether it works."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.text import Text

from remora import __version__
from remora.api.doctor import CHECKS, Item, State, checkup, doctor_data, exit_status, looked_at
from remora.terminal.console import emit_json, message_console, output_console, print_table
from remora.terminal.options import format_option, no_seed_option
from remora.terminal.progress import Progress

_SIGNS: dict[State, tuple[str, str]] = {
    "ok": ("✓", "green"),
    "limited": ("◐", "yellow"),
    "missing": ("○", "yellow"),
    "unsupported": ("✕", "yellow"),
    "broken": ("✕", "bold red"),
}


@click.command(
    epilog="\b\nExamples:\n"
    "  remora doctor\n"
    "  remora doctor --check\n"
    "  remora doctor --format json | jq '.items[] | select(.state != \"ok\")'\n\n"
    "\b\nok           as it should be\n"
    "limited      there, but less than usual\n"
    "missing      not there\n"
    "unsupported  a version that Remora was never tried with\n"
    "broken       there, and does not work\n\n"
    "\b\nExit status: 0 all that is required is there (with --check: and works), 2 bad\n"
    "input, 5 something required is missing or unsupported, or something is broken.",
)
@click.option(
    "--check",
    is_flag=True,
    help="Also try what may be broken: Z3 and cvc5 answer, Numba compiles, Java starts, Spark carries out a job;"
    " some ten seconds.",
)
@no_seed_option
@format_option
def doctor(check: bool, form: str) -> None:
    """Say what is installed, what is missing, and what each absence costs.

    The supported versions are those that the installed package itself states. Nothing is changed, and nothing
    is downloaded.
    """
    items = list(looked_at())
    if check:
        with Progress() as progress, progress.stage("checks", len(CHECKS)) as advance:
            for name in CHECKS:
                advance(name)
                items += filter(None, [checkup(name)])
    if form == "json":
        emit_json(doctor_data(items, __version__, check))
    else:
        _print(items, check)
    raise SystemExit(int(exit_status(items)))


def _print(items: Sequence[Item], checked: bool) -> None:
    print_table(
        ("", "name", "found", "supported", "what it is for"),
        [(_sign(item), item.name, item.found, item.wanted, item.reason) for item in items],
    )
    console = output_console()
    for item in items:
        if item.state == "ok":
            continue
        console.print()
        console.print(Text.assemble(_sign(item), f" {item.name}: ", (item.state, _SIGNS[item.state][1])))
        for line in (item.cost, item.remedy):
            if line:
                console.print(f"  {line[0].upper()}{line[1:]}" if line is item.cost else f"  {line}")
    failing = [item.name for item in items if item.fails]
    lacking = sum(item.state != "ok" and not item.fails for item in items)
    console.print()
    if failing:
        console.print(f"Not in order: {', '.join(failing)}", style="bold red")
    else:
        others = f"; {lacking} of the rest could be better" if lacking else ""
        console.print(
            f"All that is required is {'there and works' if checked else 'there'}{others}", style="bold"
        )
    if not checked:
        message_console().print("Whether it works: remora doctor --check")


def _sign(item: Item) -> Text:
    sign, style = _SIGNS[item.state]
    return Text(sign, style)
