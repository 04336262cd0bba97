"""`remora eval`, `detect`, `stream`, `explain`, `bench`: the face of the system that is meant carries them out."""

from dataclasses import fields, replace
from pathlib import Path
from typing import Any, cast

import click

from remora.systems.protocol import Face, FolderStream
from remora.terminal import options
from remora.terminal.console import TABLES
from remora.terminal.interrupts import again, goes_on
from remora.terminal.options import PATTERNS, PROFILES, RULES, Asked, Result, WholeNumber, flag, log_options, of, option
from semantics.errors import InputError
from semantics.hinze_voisard.literal import PLACES
from semantics.systems import system_of, system_of_text

PLAN = option("--plan plan_path", "Join as this file says, such as F: c, d / e.", options.GIVEN_FILE)
SAMPLED = option("--sample N", "Join as it costs least on the first N events of LOG.", WholeNumber(min=1))
CORRECTIONS = flag("--corrections", "With --lateness, give answers at once, and correct them when a late row comes.")
DETECTOR = of(
    PATTERNS + RULES,
    option(
        "--detector NAME",
        "The detector of a pattern, or package.module:object; the engine of rules.",
        shell_complete=options.detectors,
    ),
)
LATENESS = option(
    "--lateness TICKS",
    "How much a row may come after later ones (of its key): answers wait so long. What comes later still is reported.",
    WholeNumber(min=0),
    default=0,
)
INTERVALS = flag("--intervals", "Only starts and ends, without the occurrences: much faster.")
MASTER = option("--master URL", "The Spark master.", default="local[*]")


def rows_format(about: str, *more: str) -> options.Decorator:
    """`--format text|jsonl|json` and others, for commands that print a stream of rows."""
    said = (
        f"Text for people, one JSON object per line (json is the same){about}. Default: text on a terminal, or jsonl."
    )
    return option("--format form", said, click.Choice(["text", "jsonl", "json", *more]))


def face_for(asked: Asked, *apart: str) -> tuple[Face, dict[str, Any]]:
    """The face of the system of a pattern, or of the system that is named, and the options that apply, but for some."""
    given = dict(vars(asked))
    text = given.get("pattern")
    system = system_of(asked.system) if text is None else system_of_text(text)
    if text is not None and system.suffix and not Path(text).is_file():
        raise InputError("there is no such file", place=text, remedy=f"A word that ends in {system.suffix} is one.")
    for parameter in click.get_current_context().command.params:
        languages, name = getattr(parameter, "languages", ()), parameter.name or ""
        if languages and system.language not in languages:
            if options.was_given(name):
                said = f"{parameter.opts[-1]} is for {' and '.join(languages)}, and this is {system.language}"
                about = f"{said}: {text or system.name!r} is one of {system.language}. Leave it out. {parameter.why}"  # type: ignore[attr-defined]
                raise click.UsageError(about.strip())
            given.pop(name, None)
    return cast(Face, system.module("remora")), {name: value for name, value in given.items() if name not in apart}


@click.command("eval")
@click.argument("pattern")
@click.argument("log", shell_complete=options.files)
@of(
    PATTERNS,
    flag("--restricted", "Only a valid restriction (Def. 3.12): one instance for each end time."),
    option("--level", "What is listed.", click.Choice(["instances", "intervals"]), default="instances"),
    option(
        "--count",
        "How many there are, in all, by end or by partition, without a list of them.",
        click.Choice(["all", "end", "partition"]),
        is_flag=False,
        flag_value="all",
    ),
    option("--top K", "The first so many in an order (--by).", WholeNumber(1)),
    option("--by", "The shortest first, or those that end latest.", click.Choice(["span", "recency"]), default="span"),
)
@of(
    RULES,
    option("--engine", "What evaluates the plan.", click.Choice(["python", "duckdb", "spark"]), default="python"),
    MASTER,
    option("--out", "Where Spark writes the answers, as Parquet.", options.FOLDER),
    PLAN,
)
@of(
    PATTERNS + RULES,
    option("--sample N", "N instances, drawn (--seed); of rules, events that decide how to join.", WholeNumber(min=1)),
)
@options.ONLY
@options.UNTIL
@of(
    PROFILES,
    options.several(
        "--as-printed slips PLACE",
        "Evaluate with a place of the source as it is printed, by its name in docs/profiles.md. Repeatable."
        f" PLACE is one of {', '.join(PLACES)}.",
        click.Choice(PLACES),
    ),
)
@log_options(of_languages=options.OF_ALL)
@options.ends(options.SEED, rows_format(", or a table", *TABLES))
def evaluate(asked: Asked) -> Result:
    """Print what PATTERN means in LOG, as the definitions say: all instances, answers or occurrences."""
    face, chosen = face_for(asked, "pattern", "log")
    return face.evaluate(asked.pattern, asked.log, **chosen)


@click.command("detect")
@click.argument("pattern", metavar="[PATTERN]")
@click.argument("log", required=False, shell_complete=options.files)
@of(
    PATTERNS,
    option("--patterns patterns_path", "A pattern a line, or name = pattern.", options.FILE),
    option(
        "--engine",
        "columns: queries of Polars; duckdb, spark: the same queries there, for logs that outgrow memory or a"
        " machine; steps: a detector, instant by instant. Default: columns for files, steps for what is still coming.",
        click.Choice(["columns", "steps", "duckdb", "spark"]),
    ),
    MASTER,
    flag("--count only_count", "Print only how many there are, of each pattern."),
    option(
        "--instances", "For each end the one that starts latest, or all.", click.Choice(["one", "all"]), default="one"
    ),
    option("--limit", "Print the first so many, and read no further.", WholeNumber(1)),
    option("--out", "Write to this file, when all is found.", options.FILE),
    INTERVALS,
    flag("--validated only_validated", "Only a detector that is proved, or validated for it."),
    option(
        "--optimise",
        "Detect a cheaper pattern that is decided to say the same: the same starts and ends, or with meaning the same"
        " instances (see remora optimise).",
        click.Choice(["detection", "meaning"]),
        is_flag=False,
        flag_value="detection",
    ),
    flag("--verbose", "Say which detector was taken, and why."),
)
@DETECTOR
@of(PATTERNS + RULES, option("--state state_path", "Go on from this state, and store the new one.", options.FILE))
@of(
    RULES,
    LATENESS,
    CORRECTIONS,
    option("--keep TICKS", "Keep so much of the past, for rules added later.", WholeNumber(min=0)),
    option("--add more_path MORE.rules", "Derive what these rules derive too.", options.GIVEN_FILE),
    option("--past TICKS", "So much of the past is seen by added rules.", WholeNumber(min=0)),
    PLAN,
    SAMPLED,
)
@options.ONLY
@options.UNTIL
@log_options(of_languages=options.OF_ALL)
@options.ends(options.NO_SEED, rows_format(", or a table; by default that of --out", *TABLES))
def detect(asked: Asked) -> Result:
    """Detect PATTERN in LOG: for each time at which it occurs, the instance with the latest start."""
    system = system_of_text(asked.pattern)
    if asked.log is None and (system.suffix or asked.patterns_path is None):
        raise click.UsageError("Missing argument 'LOG'.")
    face, chosen = face_for(asked, "pattern", "log")
    return face.detect(asked.pattern, asked.log, **chosen)


@click.command()
@click.argument("pattern")
@click.argument("source", metavar="FOLDER", type=options.NamedPath())
@option(
    "--key COLUMN",
    "Treat the rows of each value of this column as a log of their own; a pattern needs one. Without it, events of"
    " rules are kept apart by the variable that all atoms have in common, where there is one.",
)
@LATENESS
@option("--out", "Write results to this folder; otherwise they are printed.", options.FOLDER)
@option("--checkpoint", "How far it is.  [default: .checkpoint in that of --out]", options.FOLDER)
@flag("--once", "Stop when all that is there is done.")
@of(PATTERNS, INTERVALS, flag("--keep-one", "Of an event type twice at one time, take one and report the others."))
@DETECTOR
@of(RULES, PLAN, CORRECTIONS)
@options.ONLY
@log_options("sort", "same_time", "partition_by", "skip_bad")
@option("--files", "At most so many files at a time, the oldest first; default: all.", WholeNumber(min=1))
@options.UNTIL
@option("--every SECONDS", "How often to look for new files.", options.Number(min=0.1), default=1.0)
@MASTER
@options.ends(options.NO_SEED, rows_format(", with --out also Parquet", "parquet"))
def stream(asked: Asked) -> Result:
    """Detect PATTERN in the files of FOLDER as they come, with Spark."""
    if {"tick", "epoch", "zone"} & asked.reading.stated().keys():
        asked.reading = replace(asked.reading, several=True)
    names = [field.name for field in fields(FolderStream)]
    face, chosen = face_for(asked, "pattern", *names)
    return face.stream(asked.pattern, FolderStream(**{name: vars(asked)[name] for name in names}), **chosen)


@click.command()
@click.argument("pattern")
@of(
    PATTERNS,
    options.several("--bound given NAME=TICKS", "The value of a symbolic bound. Repeatable."),
    flag("--formula", "Also show the totals as formulas in the bounds."),
    option("--code", "Also the code generated.", click.Choice(["starts"]), is_flag=False, flag_value="starts"),
    option("--steps", "How many transitions may decide whether it can occur.", WholeNumber(1), default=200_000),
    options.SEED,
)
@of(
    RULES,
    PLAN,
    option("--detector", "Compare plans by what this engine counts.", click.Choice(["differencing", "nodes"])),
    option("--sample", "So many events decide which plan costs least.", WholeNumber(min=1), default=2000),
)
@of(
    RULES + PROFILES, option("--log LOG", "A log to count plans on, or to draw profiles.", shell_complete=options.files)
)
@of(PATTERNS + RULES, options.SVG)
@log_options("same_time", "partition_by", of_languages=options.OF_LOGS_BUT_PATTERNS)
@options.ends(options.FORMAT)
def explain(asked: Asked) -> Result:
    """Explain PATTERN: in other words, what detecting it takes at most, whether it can occur at all."""
    face, chosen = face_for(asked, "pattern", "form")
    return face.explain(asked.pattern, **chosen)


@click.command()
@click.argument("asked", nargs=-1, metavar="[PATTERN|SETTING]...")
@options.SYSTEM
@option("--repetitions", "Timings of each subject.", WholeNumber(1))
@of(
    PATTERNS,
    options.several(
        "--density densities P",
        "Probability of each event type at each tick; may be given again. Default: 0.01, 0.1, 0.5.",
        options.Number(0, 1, min_open=True),
    ),
    flag("--quick", "Shorter traces and fewer repetitions: for a first look."),
    option("--instants", "Longest trace. Default: 100 million, or 1 million if quick.", WholeNumber(1000)),
    options.several("--only NAME", "Compare this subject or tool alone; may be given again."),
    flag("--files", "Whole jobs instead, from a log in a file to a file of detections."),
    flag("--all-instances", "All instances instead: what it costs to update, count and list them."),
    flag("--optimise", "Patterns beside the cheaper ones that say the same; without a PATTERN, those of a corpus."),
    option("--rows", "Of each log, with --files. Default: 10 million, or 300,000 if quick.", WholeNumber(1000)),
)
@of(RULES + PROFILES, option("--events", "Length of the log.", WholeNumber(1000)))
@of(RULES, option("--longest", "How long the log may grow to see its cost. Default: 1 million.", WholeNumber(10_000)))
@options.ends(options.SEED, options.FORMAT)
def bench(asked: Asked) -> Result:
    """Measure the detectors beside other tools; every answer is checked before its speed is shown."""
    goes_on(again)
    face, chosen = face_for(asked, "asked", "system", "form")
    return face.bench(asked.asked, **chosen)
