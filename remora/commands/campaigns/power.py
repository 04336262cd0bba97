"""`remora campaign power`: how many wrong detectors the cases of a campaign find, and after how many cases."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import click

from campaigns.mutants.power import Power, power_of
from campaigns.systems import WrongDetector, cases_of
from laws.standings import ExitStatus
from remora.terminal.console import emit, emit_json, output_console, print_table
from remora.terminal.options import WholeNumber, format_option, seed_option, system_option
from remora.terminal.progress import Progress

BAR = 40
"""How wide the curve is, in characters."""

SHOWN = 20
"""So many of the mutants that live longest are listed."""


@click.command(
    "power",
    epilog="\b\nExamples:\n"
    "  remora campaign power\n"
    "  remora campaign power --system bry_eckert --cases 500\n"
    "  remora campaign power --list | grep seq",
)
@system_option
@click.option(
    "--cases", type=WholeNumber(min=1), help="Cases at most; by default so many as have to find all of them."
)
@click.option("--list", "listed", is_flag=True, help="List the wrong detectors, with what is wrong in each.")
@seed_option
@format_option
def campaign_power(system: str, cases: int | None, listed: bool, seed: int, form: str) -> None:
    """Put random cases to detectors that are wrong on purpose, until each is found out.

    Where one is not, a campaign may miss what is wrong with yours; then the exit status is 1.
    """
    of_system = cases_of(system)
    mutants = of_system.telling()
    if listed:
        said = {name: mutant.description for name, mutant in mutants.items()}
        if form == "json":
            rows = [{"name": name, "description": text} for name, text in said.items()]
            emit_json({"schema": "remora/mutants/1", "mutants": rows})
        else:
            emit("".join(f"{name}\t{text}\n" for name, text in said.items()))
        return
    number = cases or of_system.KILLED_WITHIN
    with Progress() as progress, progress.stage("mutants", number) as advance:

        def tell(case: int, living: Collection[str]) -> None:
            advance(f"{len(living)} alive", case + 1)

        found = power_of(system, seed, range(number), progress=tell)
    if form == "json":
        emit_json({"schema": "remora/power/1", **found.to_json()})
    else:
        print_power(found, mutants)
    raise SystemExit(int(ExitStatus.REFUTED if found.survivors else ExitStatus.AS_CLAIMED))


def print_power(found: Power, mutants: Mapping[str, WrongDetector]) -> None:
    """The curve, the mutants that lived longest, and those that were not found."""
    console = output_console()
    total = len(found.deaths) + len(found.survivors)
    console.print(
        f"{len(found.deaths)} of {total} wrong detectors were found by {found.cases:,} cases of seed {found.seed}"
        + (f"; half of them by {found.median:,}, all of these by {found.worst:,}" if found.deaths else "")
    )
    console.print()
    for cases, killed in found.curve:
        bar = "█" * max(1, round(BAR * killed / total))
        console.print(f"{cases:>7,} cases  {bar:<{BAR}}  {killed} found", markup=False)
    last = sorted(found.deaths.items(), key=lambda item: -item[1].case)[:SHOWN]
    if last:
        console.print()
        print_table(
            ("case", "mutant", "how"),
            [(f"{death.case:,}", name, str(death.kind)) for name, death in last],
            right=("case",),
        )
    for name in found.survivors:
        console.print(f"not found: {name}: {mutants[name].description}", markup=False)
