"""`remora campaign power`: how many wrong detectors the cases of a campaign find, and after how many cases."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict

import click

from campaigns.carlson_lisper.mutants.equivalent import EQUIVALENT
from campaigns.carlson_lisper.mutants.power import power
from campaigns.carlson_lisper.mutants.telling import KILLED_WITHIN, WrongDetector
from campaigns.carlson_lisper.mutants.wrong_detectors import ALL, TELLING
from campaigns.mutants.power import Power
from laws.standings import Standing
from remora.terminal.console import emit, output_console, print_table
from remora.terminal.ending import Result, ends
from remora.terminal.options import WholeNumber, format_option, seed_option
from remora.terminal.progress import Progress
from semantics.errors import InputError

BAR = 40
"""How wide the curve is, in characters."""

SHOWN = 20
"""So many of the mutants that live longest are listed."""

SHOWN_OUTCOMES = ("refuted", "not validated", "validated", "missed")
"""What changes of the generator are listed: those that make another text."""


@click.command(
    "power",
    epilog="\b\nExamples:\n"
    "  remora campaign power\n"
    "  remora campaign power --derived figure4 --cases 500\n"
    "  remora campaign power --list | grep seq\n"
    "  remora campaign power --texts 50",
)
@click.option(
    "--derived",
    "detectors",
    multiple=True,
    metavar="DETECTOR",
    help="Take the mutants that are derived from the program of this detector by small changes, instead of those"
    " that somebody thought of; `all` for every detector.",
)
@click.option(
    "--cases", type=WholeNumber(min=1), default=KILLED_WITHIN, show_default=True, help="Cases at most."
)
@click.option("--list", "listed", is_flag=True, help="List all mutants instead, with what is wrong in each.")
@click.option(
    "--texts",
    type=WholeNumber(min=1),
    metavar="NUMBER",
    help="Instead, change the generator of code in so many places, by the seed, or in all that there are, and validate"
    " the texts that it then makes.",
)
@seed_option
@format_option
@ends
def campaign_power(
    detectors: tuple[str, ...], cases: int, listed: bool, texts: int | None, seed: int
) -> Result:
    """Put random cases to detectors that are wrong on purpose, until each is found out.

    A mutant that no case finds is either equivalent to the detector that it was made from, which is said with a
    reason, or something that the campaign cannot see; then the exit status is 1.
    """
    if listed:
        mutants = [{"name": name, "description": mutant.description} for name, mutant in ALL.items()]
        text = "".join(f"{name}\t{mutant.description}\n" for name, mutant in ALL.items())
        return Result(None, {"schema": "remora/mutants/1", "mutants": mutants}, lambda: emit(text))
    if texts is not None:
        return _of_generator(texts, seed)
    chosen = _chosen(detectors)
    with Progress() as progress, progress.stage("mutants", cases) as advance:

        def tell(case: int, living: Collection[str]) -> None:
            advance(f"{len(living)} alive", case + 1)

        found = power(chosen, seed, cases, progress=tell)
    document = {"schema": "remora/power/1", **found.to_json()}
    standing = Standing.REFUTED if found.survivors else Standing.TESTED
    return Result(standing, document, lambda: print_power(found, chosen))


def _of_generator(number: int, seed: int) -> Result:
    """Validate the texts of changed generators: none that is wrong may be validated."""
    from remora.judging.generator_mutants import MEANINGS, counts, generator_mutants, sample, told

    names = sample(number, seed)
    found = []
    with Progress() as progress, progress.stage("mutants", len(names)) as advance:
        for each in told(names):
            found.append(each)
            advance(each.name, len(found))
    several, total = counts(found), len(generator_mutants())

    def show() -> None:
        console = output_console()
        console.print(f"{len(found):,} of {total:,} changes of the generator, by seed {seed}\n")
        outcomes = [(f"{several[outcome]:,}", outcome, meaning) for outcome, meaning in MEANINGS.items()]
        print_table(("changes", "outcome", "meaning"), outcomes, right=("changes",))
        console.print()
        shown = [each for each in found if each.outcome in SHOWN_OUTCOMES]
        rows = [(each.outcome, each.name, each.pattern, each.reason) for each in shown]
        print_table(("outcome", "change", "pattern", "reason"), rows)

    document = {
        "schema": "remora/generator-mutants/1",
        "seed": seed,
        "of": total,
        "counts": several,
        "mutants": [asdict(each) for each in found],
    }
    return Result(Standing.DISAGREEMENT if several["missed"] else Standing.TESTED, document, show)


def _chosen(detectors: tuple[str, ...]) -> dict[str, WrongDetector]:
    if not detectors:
        return dict(TELLING)
    derived = {name: mutant for name, mutant in ALL.items() if name not in TELLING and name not in EQUIVALENT}
    known = dict.fromkeys(name.partition(":")[0] for name in derived)
    unknown = [name for name in detectors if name != "all" and name not in known]
    if unknown:
        raise InputError(
            f"no mutants are derived from {unknown[0]!r}",
            remedy=f"There are some of {', '.join(known)}, or all.",
        )
    wanted = known if "all" in detectors else detectors
    return {name: mutant for name, mutant in derived.items() if name.partition(":")[0] in wanted}


def print_power(found: Power, mutants: dict[str, WrongDetector]) -> None:
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
