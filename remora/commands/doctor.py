"""`remora doctor`: what is installed, what is missing and what that costs."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.text import Text

from remora import __version__
from remora.api.doctor import Item, State, doctor_data, exit_status, looked_at
from remora.terminal.console import emit_json, output_console, print_table
from remora.terminal.options import format_option, no_seed_option

_SIGNS: dict[State, tuple[str, str]] = {
    "ok": ("✓", "green"),
    "missing": ("○", "yellow"),
    "unsupported": ("✕", "yellow"),
}


@click.command(
    epilog="\b\nExamples:\n"
    "  remora doctor\n"
    "  remora doctor --format json | jq '.items[] | select(.state != \"ok\")'\n\n"
    "\b\nok           as it should be\n"
    "missing      not there\n"
    "unsupported  a version that Remora was never tried with\n\n"
    "\b\nExit status: 0 all that is required is there, 2 bad input, 5 something\n"
    "required is missing or unsupported.",
)
@no_seed_option
@format_option
def doctor(form: str) -> None:
    """Say what is installed, what is missing, and what each absence costs.

    The supported versions are those that the installed package itself states. Nothing is changed, and nothing
    is downloaded.
    """
    items = list(looked_at())
    if form == "json":
        emit_json(doctor_data(items, __version__))
    else:
        _print(items)
    raise SystemExit(int(exit_status(items)))


def _print(items: Sequence[Item]) -> None:
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
        console.print(f"All that is required is there{others}", style="bold")


def _sign(item: Item) -> Text:
    sign, style = _SIGNS[item.state]
    return Text(sign, style)
