"""`remora equiv`: whether two patterns are equivalent on all traces, or the shortest trace that tells them apart."""

from pathlib import Path
from typing import get_args

import click

from laws.standings import Standing
from remora import __version__
from remora.api.patterns.comparisons import as_ground, compare, comparison_data, emptiness_data, occurring
from remora.terminal.console import output_console
from remora.terminal.drawing import print_timeline, write_drawing
from remora.terminal.options import Ends, Result, WholeNumber, ends, format_option, seed_option, svg_option
from remora.terminal.progress import waiting
from semantics.carlson_lisper.decisions import MAX_STEPS, DecidedRelation, EnginesDisagree, Level


@click.command(
    epilog="\b\nExamples:\n"
    "  remora equiv 'b | (a ; b)' b\n"
    "  remora equiv 'a + a' a --up-to intervals --svg apart.svg\n"
    "  remora equiv '(a ; b) - c' 'a ; b' --inclusion --up-to meaning\n"
    "  remora equiv '((A + B);(C + D)) - (A ; C)' --empty\n\n"
    "\b\nLevels: meaning (the same instances, Def. 4.1), intervals (the same starts and\n"
    "ends, Def. 4.3), detection (the same starts and ends after restriction)."
)
@click.argument("left", metavar="EXPR")
@click.argument("right", metavar="EXPR", required=False)
@click.option("--up-to", "level", type=click.Choice(get_args(Level)), default="detection", help="What is compared.")
@click.option("--inclusion", is_flag=True, help="Ask only whether the left is included in the right.")
@click.option("--empty", is_flag=True, help="Ask whether one pattern can never occur.")
@click.option("--steps", type=WholeNumber(1), default=MAX_STEPS, help="Give up after so many transitions per question.")
@click.option(
    "--tick", metavar="LENGTH", help="How long a tick is, such as 1s or 100ms: for bounds with units, such as [30s]."
)
@svg_option
@seed_option
@format_option
@ends
def equiv(
    left: str,
    right: str | None,
    level: Level,
    inclusion: bool,
    empty: bool,
    steps: int,
    tick: str | None,
    svg: Path | None,
    seed: int,
) -> Result:
    """Decide whether two patterns are equivalent on ALL traces, or draw a shortest trace on which they differ.

    Identifiers are event types. The answer is not bounded by a length of traces or a number of events,
    and nothing is chosen at random: it is the same for every seed.
    """
    if empty is (right is not None) or (empty and inclusion):
        raise click.UsageError("Give two patterns to compare, or one with --empty.")
    one, other = as_ground(left, tick), None if right is None else as_ground(right, tick)
    relation: DecidedRelation = "inclusion" if inclusion else "equivalence"
    try:
        with waiting("deciding") as tell:
            if other is None:
                answer = occurring(one, steps, reasons=False)
                document, timeline = emptiness_data(one, answer), answer.timeline
                plainly, holds = "", None if answer.occurs is None else not answer.occurs
            else:
                found = compare(one, other, level, relation, steps=steps, seed=seed, tell=tell)
                document, timeline = comparison_data(found), found.timeline
                plainly, holds = found.plainly, found.holds
    except EnginesDisagree as error:
        raise Ends(Standing.DISAGREEMENT, str(error)) from None
    write_drawing(svg, timeline)

    def show() -> None:
        console = output_console()
        if plainly:
            console.print(plainly)
        console.print(document["verdict"])
        if timeline is not None:
            console.print()
            print_timeline(timeline)

    standing = Standing.UNKNOWN if holds is None else Standing.PROVED if holds else Standing.REFUTED
    return Result(standing, {"schema": "remora/equiv/1", "remora": __version__, "seed": seed, **document}, show)
