"""`remora eval`, `detect`, `stream` and `explain`: what is found in a log, by definition or as it comes.

The argument alone decides whether a pattern, rules or profiles are meant; the system's face carries the command out.
"""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from remora.systems.protocol import face_for
from remora.terminal import completion, options
from remora.terminal.options import PATTERNS, PROFILES, RULES, NamedPath, Result, WholeNumber, ends, log_options, of
from semantics.hinze_voisard.literal import PLACES
from semantics.systems import system_of_text
from semantics.traces.reading import Reading

PLAN = click.option(
    "--plan",
    "plan_path",
    type=NamedPath(folder=False, exists=True),
    metavar="FILE",
    help="Join as this file says, such as F: c, d / e.",
)

SAMPLED = click.option(
    "--sample", type=WholeNumber(min=1), metavar="N", help="Join as it costs least on the first N events of LOG."
)

CORRECTIONS = click.option(
    "--corrections", is_flag=True, help="With --lateness, give answers at once, and correct them when a late row comes."
)

DETECTOR = of(
    PATTERNS + RULES,
    click.option(
        "--detector",
        metavar="NAME",
        shell_complete=completion.detectors_of_traces,
        help="The detector of a pattern, or package.module:object; the engine of rules.",
    ),
)

LATENESS = click.option(
    "--lateness",
    type=WholeNumber(min=0),
    default=0,
    metavar="TICKS",
    help="How much a row may come after later ones (of its key): answers wait so long. What comes still later is left"
    " out and reported.",
)

INTERVALS = click.option(
    "--intervals", is_flag=True, help="Only starts and ends, without the occurrences: much faster."
)

MASTER = click.option("--master", metavar="URL", default="local[*]", help="The Spark master.")

TABLES = ("csv", "parquet")  # The formats of detections that have columns


def rows_format(about: str, *more: str) -> Callable[[options.CommandT], options.CommandT]:
    """`--format text|jsonl|json` and others, for commands that print a stream of rows."""
    said = f"Text for people, one JSON object per line (json is the same){about}"
    choice = click.Choice(["text", "jsonl", "json", *more])
    return click.option("--format", "form", type=choice, help=f"{said}. Default: text on a terminal, jsonl otherwise.")


@click.command(
    "eval",
    epilog="\b\nExamples:\n"
    "  remora eval '(fail ; fail)[60] - ok' logins.csv\n"
    "  remora eval 'a ; b' long.csv --level intervals\n"
    "  remora eval orders.rules orders.jsonl --only unpaid --engine duckdb\n"
    "  remora eval fleet.profile log.csv --only P1",
)
@click.argument("pattern")
@click.argument("log", shell_complete=completion.files)
@of(
    PATTERNS,
    click.option(
        "--restricted", is_flag=True, help="Only a valid restriction (Def. 3.12): one instance for each end time."
    ),
    click.option("--level", type=click.Choice(["instances", "intervals"]), default="instances", help="What is listed."),
)
@of(
    RULES,
    click.option(
        "--engine", type=click.Choice(["python", "duckdb", "spark"]), default="python", help="What evaluates the plan."
    ),
    MASTER,
    click.option(
        "--out", type=NamedPath(file=False), metavar="FOLDER", help="Where Spark writes the answers, as Parquet."
    ),
    PLAN,
    SAMPLED,
)
@options.ONLY
@of(
    PROFILES,
    click.option(
        "--as-printed",
        "slips",
        metavar="PLACE",
        type=click.Choice(PLACES),
        multiple=True,
        help="Evaluate with a place of the source as it is printed, by its name in docs/profiles.md."
        f" Repeatable. PLACE is one of {', '.join(PLACES)}.",
    ),
)
@log_options(of_languages=options.OF_ALL)
@options.no_seed_option
@rows_format("")
@ends
def evaluate(pattern: str, log: str, form: str | None, **given: Any) -> Result:
    """Print what PATTERN means in LOG, as the definitions say: all instances, answers or occurrences.

    Of a pattern these are all instances, ordered by end time (Def. 3.11); of rules all events that they derive, by the
    relational algebra; of profiles all occurrences. This is the meaning itself, not an algorithm: conjunctions and
    sequences multiply, and a limit that is reached is an error, never a wrong answer. `remora detect` takes long logs.
    """
    face, chosen = face_for(pattern, given)
    return face.evaluate(pattern, log, form=form, **chosen)


@click.command(
    "detect",
    epilog="\b\nExamples:\n"
    "  remora detect '(fail ; fail)[60] - ok' logins.csv\n"
    "  remora detect 'order ; pay' log.csv --partition-by customer --sort\n"
    "  remora detect 'a ; b' log.parquet --intervals --out found.parquet\n"
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
        "--patterns", "patterns_path", type=NamedPath(folder=False), help="A pattern a line, or name = pattern."
    ),
    click.option(
        "--engine",
        type=click.Choice(["columns", "steps", "duckdb", "spark"]),
        help="columns: queries of Polars; duckdb, spark: the same queries there, for logs that outgrow memory or a"
        " machine; steps: a detector, instant by instant. Default: columns for files, steps for what is still coming.",
    ),
    MASTER,
    click.option("--count", "only_count", is_flag=True, help="Print only how many there are, of each pattern."),
    click.option("--limit", type=WholeNumber(1), help="Print the first so many, and read no further."),
    click.option("--out", type=NamedPath(folder=False), metavar="FILE", help="Write to this file, when all is found."),
    INTERVALS,
    click.option(
        "--validated", "only_validated", is_flag=True, help="Only a detector that is proved, or validated for it."
    ),
    click.option("--verbose", is_flag=True, help="Say which detector was taken, and why."),
)
@DETECTOR
@of(
    PATTERNS + RULES,
    click.option(
        "--state", "state_path", type=NamedPath(folder=False), help="Go on from this state, and store the new one."
    ),
)
@of(
    RULES,
    LATENESS,
    CORRECTIONS,
    click.option(
        "--keep", type=WholeNumber(min=0), metavar="TICKS", help="Keep so much of the past, for rules added later."
    ),
    click.option(
        "--add",
        "more_path",
        type=NamedPath(folder=False, exists=True),
        metavar="MORE.rules",
        help="Derive what these rules derive too.",
    ),
    click.option(
        "--past", type=WholeNumber(min=0), metavar="TICKS", help="So much of the past is seen by added rules."
    ),
    PLAN,
    SAMPLED,
)
@options.ONLY
@log_options(of_languages=options.OF_ALL)
@options.no_seed_option
@rows_format(", or of patterns a table; by default that of --out", *TABLES)
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
    face, chosen = face_for(pattern, given)
    return face.detect(pattern, log, **chosen)


@click.command(
    epilog="\b\nExamples:\n"
    "  remora stream '(fail ; ok)[30]' logs/ --key user --lateness 5 --out found/\n"
    "  remora stream orders.rules incoming/ --lateness 60 --out found/\n"
    "  remora stream fleet.profile incoming/ --key truck --lateness 5 --out found/\n\n"
    "\b\nA file is read once, when it appears: write it elsewhere and move it in. An\n"
    "instant is done when a row (of the same key, with a pattern) has come that is\n"
    "later by more than --lateness; until then what is found is pending. With --once\n"
    "the pending ones are given too, at the end. With --out the next run goes on where\n"
    "this one ended or was killed, and every row is in the results exactly once."
)
@click.argument("pattern")
@click.argument("source", metavar="FOLDER", type=NamedPath())
@click.option(
    "--key",
    metavar="COLUMN",
    help="Treat the rows of each value of this column as a log of their own; a pattern needs one. Without it, events of"
    " rules are kept apart by the variable that all atoms have in common, where there is one.",
)
@LATENESS
@click.option("--out", type=NamedPath(file=False), help="Write results to this folder; otherwise they are printed.")
@click.option(
    "--checkpoint", type=NamedPath(file=False), help="How far it is.  [default: .checkpoint in that of --out]"
)
@click.option("--once", is_flag=True, help="Stop when all that is there is done.")
@of(
    PATTERNS,
    INTERVALS,
    click.option(
        "--keep-one", is_flag=True, help="Of an event type twice at one time, take one and report the others."
    ),
)
@DETECTOR
@of(RULES, PLAN, CORRECTIONS)
@options.ONLY
@log_options("sort", "same_time", "partition_by", "skip_bad")
@options.no_seed_option
@rows_format(", with --out also Parquet", "parquet")
@click.option(
    "--files", type=WholeNumber(min=1), help="At most so many files at a time, the oldest first; default: all."
)
@click.option(
    "--every", type=options.Number(min=0.1), default=1.0, metavar="SECONDS", help="How often to look for new files."
)
@MASTER
@ends
def stream(
    pattern: str,
    source: Path,
    out: Path | None,
    checkpoint: Path | None,
    once: bool,
    reading: Reading,
    form: str | None,
    files: int | None,
    every: float,
    master: str,
    **given: Any,
) -> Result:
    """Detect PATTERN in the files of FOLDER as they come, with Spark.

    Results are JSON Lines as of `remora detect`, with the key as `partition` and a `kind`: detected (announced, for
    profiles), withdrawn, pending (with --once), late or repeated (a row that was not taken), or broken (a row that
    breaks an axiom of the rules).
    """
    if {"tick", "epoch", "zone"} & reading.stated().keys():
        reading = replace(reading, several=True)
    from remora.systems.folders import FolderStream  # which detections in one file do without

    folder = FolderStream(source, out, checkpoint, once, reading, form, files, every, master)
    face, chosen = face_for(pattern, given)
    return face.stream(pattern, folder, **chosen)


@click.command(
    epilog="\b\nExamples:\n"
    "  remora explain '(B ; B)[2] - (P ; (P + T))'\n"
    "  remora explain 'a ; (b + c)' --svg trace.svg\n"
    "  remora explain '(a ; b)[t] ; (c + d)[u]' --bound t=60 --bound u=5\n"
    "  remora explain '(fail ; fail)[60] - ok' --formula --format json\n"
    "  remora explain orders.rules --log orders.jsonl\n"
    "  remora explain fleet.profile --log log.jsonl\n\n"
    "\b\nOf a pattern:\n"
    "length       no instance takes more ticks from its start to its end\n"
    "instances    at most so many are kept between two instants\n"
    "occurrences  the kept instances have at most so many together\n"
    "steps        at most so many at one instant. A step is a look whether an event\n"
    "             type occurs, a comparison of two times, or an operation on the\n"
    "             queue of a sequence; its binary search is comparisons\n"
    "inf          there is no bound\n"
    "The table is about the detector figure4, which finds whole instances row by row.\n\n"
    "\b\nExit status: 0, 1 a log breaks an axiom of the rules, 2 bad input, 3 not decided\n"
    "whether the pattern can occur."
)
@click.argument("pattern")
@of(
    PATTERNS,
    click.option(
        "--bound", "given", metavar="NAME=TICKS", multiple=True, help="The value of a symbolic bound. Repeatable."
    ),
    click.option("--formula", is_flag=True, help="Also show the totals as formulas in the bounds."),
    click.option(
        "--code", type=click.Choice(["starts"]), is_flag=False, flag_value="starts", help="Also the code generated."
    ),
    click.option(
        "--steps", type=WholeNumber(1), default=200_000, help="How many transitions may decide whether it can occur."
    ),
    options.seed_option,
)
@of(
    RULES,
    PLAN,
    click.option(
        "--detector", type=click.Choice(["differencing", "nodes"]), help="Compare plans by what this engine counts."
    ),
    click.option(
        "--sample", type=WholeNumber(min=1), default=2000, help="So many events decide which plan costs least."
    ),
)
@of(
    RULES + PROFILES,
    click.option(
        "--log", metavar="LOG", shell_complete=completion.files, help="A log to count plans on, or to draw profiles."
    ),
)
@of(PATTERNS + RULES, options.svg_option)
@log_options("same_time", "partition_by", of_languages=options.OF_LOGS_BUT_PATTERNS)
@options.format_option
@ends
def explain(pattern: str, **given: Any) -> Result:
    """Explain PATTERN: in other words, what detecting it takes at most, whether it can occur at all.

    The transformed form of a pattern means the same, and labels each sequence with the greatest length of its right
    side, on which depends how much it has to keep; bounds may be symbolic, as in A[t] or A[min(t, u)]. Of rules each is
    shown in words, in the algebra and with an example in time, then the plan and what each step stores; of profiles
    whether what is announced can be withdrawn, and what is stored.
    """
    face, chosen = face_for(pattern, given)
    return face.explain(pattern, **chosen)
