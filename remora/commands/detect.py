"""`remora detect`: what is found in a log, as it comes or by columns."""

from __future__ import annotations

from typing import Any

import click

from remora.systems.carlson_lisper.detection import ENGINES
from remora.systems.carlson_lisper.printing import TABLES
from remora.systems.protocol import face_for
from remora.terminal import completion
from remora.terminal.ending import Result, ends
from remora.terminal.options import (
    CORRECTIONS,
    OF_ALL,
    ONLY,
    PATTERNS,
    PLAN,
    RULES,
    SAMPLED,
    NamedPath,
    WholeNumber,
    log_options,
    no_seed_option,
    of,
    state_option,
)
from semantics.systems import system_of_text
from semantics.traces.reading import Reading


@click.command(
    "detect",
    epilog="\b\nExamples:\n"
    "  remora detect '(fail ; fail)[60] - ok' logins.csv\n"
    "  remora detect 'order ; pay' log.csv --partition-by customer --sort\n"
    "  remora detect 'a ; b' log.parquet --intervals --out found.parquet\n"
    "  remora detect --patterns watched.txt logins.csv --count\n"
    "  remora detect 'a ; b' today.csv --state seen.json\n"
    "  remora detect 'a ; b' log.csv --detector mypackage.detectors:Fast\n"
    "  remora detect 'a ; b' log.parquet --partition-by user --engine spark\n"
    "  remora detect '(\"pay.ok\" ; no)[30s]' log.csv.gz --time when --tick 1s\n"
    "  remora detect orders.rules log.csv --partition-by shop --only overdue\n"
    "  remora detect orders.rules more.jsonl --state seen.json --add returns.rules\n"
    "  remora detect fleet.profile log.jsonl\n"
    "  tail -f log.jsonl | remora detect '(a + b)[10]' - --format jsonl\n\n"
    "\b\nWith --state a detection goes on where the last input ended, or where it was\n"
    "interrupted. The next input may begin with rows that were read before. The\n"
    "last instant of an input is done when the input ends, so it must be whole. A\n"
    "process that is killed outright stores nothing: what it printed is printed\n"
    "again. Timers of rules that were pending are due when time goes on; without\n"
    "--state, they are all due at the end.",
)
@click.argument("pattern", metavar="[PATTERN]")
@click.argument("log", required=False, shell_complete=completion.files)
@of(
    PATTERNS,
    click.option(
        "--patterns",
        "patterns_path",
        type=NamedPath(folder=False),
        help="Detect the patterns of this file, in one pass: a line has a pattern, or name = pattern.",
    ),
    click.option(
        "--engine",
        type=click.Choice(ENGINES),
        help="columns: queries of Polars; duckdb, spark: the same queries there, for logs that outgrow memory or a"
        " machine; steps: a detector, instant by instant. Default: columns for files, steps for what is still coming.",
    ),
    click.option(
        "--master", metavar="URL", default="local[*]", show_default=True, help="The master of --engine spark."
    ),
    click.option("--count", "only_count", is_flag=True, help="Print only how many there are, of each pattern."),
    click.option("--limit", type=WholeNumber(1), help="Print the first so many, and read no further."),
    click.option("--out", type=NamedPath(folder=False), metavar="FILE", help="Write to this file, when all is found."),
    click.option("--intervals", is_flag=True, help="Only starts and ends, without the occurrences: much faster."),
    click.option(
        "--validated",
        "only_validated",
        is_flag=True,
        help="Only a detector that is proved, or whose code for this pattern was validated against proved steps.",
    ),
    click.option("--verbose", is_flag=True, help="Say which detector was taken, and why."),
)
@of(
    PATTERNS + RULES,
    click.option(
        "--detector",
        metavar="NAME",
        shell_complete=completion.detectors_of_traces,
        help="The detector of a pattern, or package.module:object; the engine of rules.",
    ),
    state_option,
)
@of(
    RULES,
    click.option(
        "--lateness",
        type=WholeNumber(min=0),
        default=0,
        show_default=True,
        metavar="TICKS",
        help="How much a row may come after later ones: answers wait so long. What comes still later is left out and"
        " counted.",
    ),
    CORRECTIONS,
    click.option(
        "--keep",
        type=WholeNumber(min=0),
        metavar="TICKS",
        help="Keep the events and answers of so much of the past in the state, for rules that are added later.",
    ),
    click.option(
        "--add",
        "more_path",
        type=NamedPath(folder=False, exists=True),
        metavar="MORE.rules",
        help="From now on, derive what these rules derive too, from the log and from what PATTERN derives.",
    ),
    click.option(
        "--past",
        type=WholeNumber(min=0),
        metavar="TICKS",
        help="Rules that are added see so much of the past; without it, all that they need.",
    ),
    PLAN,
    SAMPLED,
)
@ONLY
@log_options(of_languages=OF_ALL)
@no_seed_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "jsonl", "json", *TABLES]),
    help="Text for people, one JSON object per line (json is the same), or of patterns a table."
    " Default: that of --out, else text on a terminal and jsonl otherwise.",
)
@ends
def detect(pattern: str, log: str | None, reading: Reading, form: str | None, **given: Any) -> Result:
    """Detect PATTERN in LOG: for each time at which it occurs, the instance with the latest start.

    Of rules each event that they derive is printed at the time at which it happens, of profiles what is announced, and
    what is withdrawn later. With --patterns there is no PATTERN: each detection comes with the name of its pattern.

    LOG is a CSV, JSON Lines or Parquet file with the columns time, event and value, or others that are named, or
    - for standard input; it may be compressed with gzip or zstd. What comes from standard input is printed as soon as
    its instant is complete, that is when a row of a later time is read. A table in CSV or Parquet has a row for each
    detection, of instances with the numbers of their rows in the log, counted from 0. A detector of your own that
    breaks down or reports nonsense ends the command with status 1.
    """
    given |= {"reading": reading, "form": form}
    system = system_of_text(pattern)
    if system.suffix and log is None:
        raise click.UsageError("Missing argument 'LOG'.")
    if system.suffix and form in TABLES:
        raise click.UsageError(f"--format {form} is for patterns, and this is {system.language}.")
    face, options = face_for(pattern, given)
    return face.detect(pattern, log, **options)
