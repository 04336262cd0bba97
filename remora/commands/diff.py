"""`remora diff`: what a change of a pattern, a file of patterns, rules or profiles does, on all logs and on one."""

from typing import get_args

import click

from remora.commands.detection import face_for
from remora.systems.changes import CASES, LISTED, diff as compared
from remora.terminal import options
from remora.terminal.console import emit
from remora.terminal.options import PATTERNS, PROFILES, RULES, Asked, Result, WholeNumber, of, option
from remora.terminal.progress import waiting
from semantics.carlson_lisper.decisions import MAX_STEPS, Level


@click.command()
@click.argument("pattern", metavar="OLD", shell_complete=options.files)
@click.argument("new", shell_complete=options.files)
@click.argument("log", required=False, shell_complete=options.files)
@of(
    PATTERNS,
    option("--up-to level", "What is compared on all logs.", click.Choice(get_args(Level)), default="detection"),
    option("--steps", "Give up after so many transitions per question.", WholeNumber(1), default=MAX_STEPS),
)
@of(RULES + PROFILES, option("--cases", "Put so many random histories to both texts.", WholeNumber(1), default=CASES))
@option(
    "--limit", "List so many of the detections in LOG that differ; all are counted.", WholeNumber(0), default=LISTED
)
@options.log_options(of_languages=options.OF_ALL)
@options.ends(
    options.SEED,
    option(
        "--format form",
        "Text for people, JSON for programs, Markdown for a pull request.",
        click.Choice(["text", "json", "markdown"]),
        default="text",
    ),
)
def diff(asked: Asked) -> Result:
    """Say what is detected otherwise when OLD becomes NEW: on all logs, and in LOG if there is one."""
    _, chosen = face_for(asked, "pattern", "new", "log", "form", "level", "reading")
    with waiting("comparing") as tell:
        chosen |= {"up_to": asked.level, "tell": tell, **asked.reading.stated()}
        found = compared(asked.pattern, asked.new, asked.log, **chosen)
    text = found.markdown() if asked.form == "markdown" else f"{found!r}\n"
    return Result(found.standing, found.data(), lambda: emit(text))
