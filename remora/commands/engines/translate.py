"""`remora translate`: a pattern as a query of another engine, with what changes in meaning."""

from typing import get_args

import click

from remora import __version__
from remora.api.patterns.translations import TICK, Language, translate, translation_data
from remora.terminal.console import output_console, print_timeline
from remora.terminal.options import FORMAT, NO_SEED, Asked, Result, WholeNumber, ends, option
from remora.terminal.progress import waiting
from semantics.carlson_lisper.translation.models import MAX_STEPS


@click.command("translate")
@click.argument("pattern")
@option("--to language", "The language of the query.", click.Choice(get_args(Language)), required=True)
@option("--tick LENGTH", f"How long a tick is, such as 1s or 100ms; {TICK} if not given, and then no bound has a unit.")
@option("--partition-by COLUMN", "One detection per value of this column or field: `by`, PARTITION BY.")
@option("--steps", "Give up after so many transitions per difference.", WholeNumber(1), default=MAX_STEPS)
@ends(NO_SEED, FORMAT)
def command(asked: Asked) -> Result:
    """Translate a pattern into a query of another engine, and say what changes in meaning."""
    to = {"tick": asked.tick, "partition_by": asked.partition_by}
    with waiting("deciding"):
        found = translate(asked.pattern, asked.language, **to, steps=asked.steps)

    def show() -> None:
        console = output_console()
        console.print(found.query, end="\n\n")
        for note in found.notes:
            console.print(f"note: {note}")
        for difference in found.differences:
            console.print(f"\n{found.said(difference)}")
            timeline = found.timeline(difference)
            if timeline is not None:
                print_timeline(timeline)

    return Result(None, {"schema": "remora/translate/1", "remora": __version__, **translation_data(found)}, show)
