"""`remora why`: why something is found at a time, or why not."""

from dataclasses import replace

import click

from remora.api.cards import card_text
from remora.commands.detection import face_for
from remora.systems.reasons import why as reasons_of
from remora.terminal import options
from remora.terminal.console import emit, print_note
from remora.terminal.options import Asked, Result, log_options, option


@click.command()
@click.argument("pattern")
@click.argument("log", shell_complete=options.files)
@option("--at TIME", "The time, in ticks or as those of the log are written.", required=True)
@option("--partition KEY", "With --partition-by, the value whose rows are meant.")
@options.ONLY
@options.UNTIL
@log_options(of_languages=options.OF_ALL)
@options.ends(options.NO_SEED, options.FORMAT)
def why(asked: Asked) -> Result:
    """Why PATTERN is found in LOG at a time, or why it is not."""
    given = {name: value for name, value in asked.reading.stated().items() if name != "several"}
    _, applied = face_for(asked)  # of a pattern --only and --until are refused
    given |= {name: applied[name] for name in ("only", "until") if name in applied}
    found = reasons_of(asked.pattern, asked.log, at=asked.at, partition=asked.partition, **given)
    for note in found.notes:
        print_note(note)
    return Result(None, dict(found.document), lambda: emit(f"{card_text(replace(found.card(), notes=()))}\n"))
