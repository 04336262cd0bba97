"""`remora equiv`: whether two patterns are equivalent on all traces, or the shortest trace that tells them apart."""

from typing import get_args

import click

from laws.standings import Standing
from remora import __version__
from remora.api.patterns.comparisons import compare, comparison_data, emptiness_data, occurring
from remora.api.patterns.patterns import as_pattern
from remora.terminal.console import output_console, print_timeline, write_drawing
from remora.terminal.options import FORMAT, SEED, SVG, Asked, Result, WholeNumber, ends, flag, option
from remora.terminal.progress import waiting
from semantics.carlson_lisper.decisions import MAX_STEPS, DecidedRelation, Level


@click.command()
@click.argument("left", metavar="EXPR")
@click.argument("right", metavar="EXPR", required=False)
@option("--up-to level", "What is compared.", click.Choice(get_args(Level)), default="detection")
@flag("--inclusion", "Ask only whether the left is included in the right.")
@flag("--empty", "Ask whether one pattern can never occur.")
@option("--steps", "Give up after so many transitions per question.", WholeNumber(1), default=MAX_STEPS)
@option("--tick LENGTH", "How long a tick is, such as 1s or 100ms: for bounds with units, such as [30s].")
@SVG
@ends(SEED, FORMAT)
def equiv(asked: Asked) -> Result:
    """Decide whether two patterns are equivalent on ALL traces, or draw a shortest trace on which they differ."""
    steps, seed, empty = asked.steps, asked.seed, asked.empty
    if empty is (asked.right is not None) or (empty and asked.inclusion):
        raise click.UsageError("Give two patterns to compare, or one with --empty.")
    one = as_pattern(asked.left, asked.tick)
    with waiting("deciding") as tell:
        if empty:
            answer = occurring(one, steps, reasons=False)
            timeline, plainly, document = answer.timeline, "", emptiness_data(one, answer)
        else:
            other = as_pattern(asked.right, asked.tick)
            relation: DecidedRelation = "inclusion" if asked.inclusion else "equivalence"
            found = compare(one, other, asked.level, relation, steps=steps, seed=seed, tell=tell)
            timeline, plainly, document = found.timeline, found.plainly, comparison_data(found)
    write_drawing(asked.svg, timeline)

    def show() -> None:
        console = output_console()
        console.print("\n".join(filter(None, (plainly, document["verdict"]))))
        if timeline is not None:
            console.print()
            print_timeline(timeline)

    standing = {None: Standing.UNKNOWN, True: Standing.PROVED, False: Standing.REFUTED}[document["holds"]]
    return Result(standing, {"schema": "remora/equiv/1", "remora": __version__, "seed": seed, **document}, show)
