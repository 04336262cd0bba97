"""`remora stream`: detect in a folder of trace files that grows, with Spark, one detection per key."""

from __future__ import annotations

import click

from detectors.carlson_lisper.catalogue import AUTO, DETECTORS, OF_INTERVALS
from remora.api.claiming.data import JsonObject
from remora.terminal import completion
from remora.terminal.console import print_warning
from remora.terminal.results.shown import shown
from remora.terminal.streaming import FolderStream, folder_options
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError
from semantics.events import quoted
from streaming.carlson_lisper.detection import settings_of
from streaming.carlson_lisper.finders import is_bounded


@click.command(
    epilog="\b\nExamples:\n"
    "  remora stream '(fail ; ok)[30]' logs/ --key user --lateness 5 --out found/\n"
    "  remora stream '(fail ; ok)[30]' logs/ --key user --once --out found/\n"
    "  remora stream 'a ; b' logs/ --key host --intervals --once\n\n"
    "\b\nA file is read once, when it appears: write it elsewhere and move it in. An\n"
    "instant is done when a row of the same key has come that is later by more than\n"
    "--lateness; until then a detection that ends then is pending. With --once the\n"
    "pending ones are given too, at the end; a later run replaces them by what has\n"
    "become of them. With --out the next run goes on where this one ended or was\n"
    "killed, and every row is in the results exactly once."
)
@click.argument("expression")
@click.option("--key", required=True, metavar="COLUMN", help="The column whose values have a trace each.")
@click.option("--intervals", is_flag=True, help="Only starts and ends, without the occurrences: faster.")
@click.option(
    "--keep-one",
    is_flag=True,
    help="Accept an event type that occurs twice at one time of a key; report all but one of them as repeated.",
)
@click.option(
    "--detector",
    default=AUTO,
    show_default=True,
    metavar="NAME",
    shell_complete=completion.detectors_of_traces,
    help=f"auto, one of {', '.join(DETECTORS)}, or with --intervals also {', '.join(OF_INTERVALS)}.",
)
@folder_options
def stream(
    folder: FolderStream,
    expression: str,
    key: str,
    lateness: int,
    intervals: bool,
    keep_one: bool,
    detector: str,
) -> None:
    """Detect EXPRESSION in the trace files of FOLDER as they come, a detection per key, with Spark.

    Results are JSON Lines as of `remora detect`, with the key as `partition` and a `kind`: detected, pending
    (with --once), late or repeated (a row that was not taken).
    """
    detection = settings_of(
        parse(expression, folder.reading.tick),
        lateness=lateness,
        detector=detector,
        instances=not intervals,
        keep_one=keep_one,
        key=key,
    )
    folder.require_source()
    if not key:
        raise InputError("--key is empty", remedy="Name the column whose values have a trace each.")
    if not is_bounded(detection.detector, detection.expression, instances=detection.instances):
        print_warning("the state of a key may grow without a bound: see remora explain; or use --intervals")
    folder.run(detection, _text)


def _text(row: JsonObject) -> str:
    occurrences = [Occurrence(**occurrence) for occurrence in row.get("instance", ())]
    parts = [quoted(row["event"])] if "event" in row else map(shown, occurrences)
    return "  ".join([f"[{row['start']}, {row['end']}]", *parts])
