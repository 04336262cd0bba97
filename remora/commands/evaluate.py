"""`remora eval`: what the definitions say of a log."""

from __future__ import annotations

from typing import Any

import click

from remora.systems.protocol import face_for
from remora.terminal import completion
from remora.terminal.ending import Result, ends
from remora.terminal.options import (
    OF_ALL,
    ONLY,
    PATTERNS,
    PLAN,
    PROFILES,
    RULES,
    SAMPLED,
    NamedPath,
    log_options,
    no_seed_option,
    of,
    rows_format_option,
)
from semantics.hinze_voisard.literal import PLACES


@click.command(
    "eval",
    epilog="\b\nExamples:\n"
    "  remora eval '(fail ; fail)[60] - ok' logins.csv\n"
    "  remora eval 'a + b' log.csv --restricted\n"
    "  remora eval 'a ; b' long.csv --level intervals\n"
    "  remora eval orders.rules orders.jsonl --only unpaid --engine duckdb\n"
    "  remora eval network.rules log.parquet --engine spark --master local[8]\n"
    "  remora eval fleet.profile log.csv --only P1",
)
@click.argument("pattern")
@click.argument("log", shell_complete=completion.files)
@of(
    PATTERNS,
    click.option(
        "--restricted",
        is_flag=True,
        help="Only a valid restriction (Def. 3.12): one instance with the latest start for each end time.",
    ),
    click.option(
        "--level",
        type=click.Choice(["instances", "intervals"]),
        default="instances",
        show_default=True,
        help="Whole instances, or only their starts and ends, which works for much longer traces.",
    ),
)
@of(
    RULES,
    click.option(
        "--engine",
        type=click.Choice(["python", "duckdb", "spark"]),
        default="python",
        show_default=True,
        help="What evaluates the plan: this process, DuckDB, or Spark SQL.",
    ),
    click.option("--master", metavar="URL", default="local[*]", show_default=True, help="The Spark master."),
    click.option(
        "--out",
        type=NamedPath(file=False),
        metavar="FOLDER",
        help="With --engine spark, have Spark write the answers to this folder, as Parquet, and print none.",
    ),
    PLAN,
    SAMPLED,
)
@ONLY
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
@log_options(of_languages=OF_ALL)
@no_seed_option
@rows_format_option
@ends
def evaluate(pattern: str, log: str, form: str | None, **given: Any) -> Result:
    """Print what PATTERN means in LOG, as the definitions say: all instances, answers or occurrences.

    Of a pattern these are all instances, ordered by end time (Def. 3.11); of rules all events that they derive, by the
    relational algebra; of profiles all occurrences. This is the meaning itself, not an algorithm: conjunctions and
    sequences multiply, and a limit that is reached is an error, never a wrong answer. `remora detect` takes long logs.
    """
    face, options = face_for(pattern, given)
    return face.evaluate(pattern, log, form=form, **options)
