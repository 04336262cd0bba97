"""`remora campaign power`: how many wrong detectors the cases of a campaign find, and after how many cases."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import click

from campaigns.mutants.power import Power, power_of
from campaigns.systems import WrongDetector, cases_of
from laws.standings import Standing
from remora.terminal.console import emit, output_console, print_table
from remora.terminal.ending import Result, ends
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
@ends
def campaign_power(system: str, cases: int | None, listed: bool, seed: int) -> Result:
    """Put random cases to detectors that are wrong on purpose, until each is found out.

    Where one is not, a campaign may miss what is wrong with yours; then the exit status is 1.
    """
    of_system = cases_of(system)
    mutants = of_system.telling()
    if listed:
        rows = [{"name": name, "description": mutant.description} for name, mutant in mutants.items()]
        text = "".join(f"{row['name']}\t{row['description']}\n" for row in rows)
        return Result(None, {"schema": "remora/mutants/1", "mutants": rows}, lambda: emit(text))
    number = cases or of_system.KILLED_WITHIN
    with Progress() as progress, progress.stage("mutants", number) as advance:

        def tell(case: int, living: Collection[str]) -> None:
            advance(f"{len(living)} alive", case + 1)

        found = power_of(system, seed, range(number), progress=tell)
    document = {"schema": "remora/power/1", **found.to_json()}
    standing = Standing.REFUTED if found.survivors else Standing.TESTED
    return Result(standing, document, lambda: print_power(found, mutants))


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
