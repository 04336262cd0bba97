"""`remora bench`: how fast the detectors are beside other tools, with every answer checked."""

from typing import Any

import click

from remora.systems.protocol import face_named
from remora.terminal import options
from remora.terminal.interrupts import again, goes_on
from remora.terminal.options import PATTERNS, PROFILES, RULES, Number, Result, WholeNumber, ends, format_option, of
from semantics.systems import DEFAULT_SYSTEM, systems_in


@click.command(
    epilog="\b\nExamples:\n"
    "  remora bench --quick\n"
    "  remora bench i ii --density 0.01 --density 0.1\n"
    "  remora bench '(fail ; fail)[60] - ok' --only figure2 --only figure4\n"
    "  remora bench --files --quick\n"
    "  remora bench --system bry_eckert --events 1000000\n"
    "  remora bench --system hinze_voisard last-all-lists --events 100000"
)
@click.argument("asked", nargs=-1, metavar="[PATTERN|SETTING]...")
@click.option(
    "--system", type=click.Choice(systems_in("remora")), default=DEFAULT_SYSTEM, help="The system that is measured."
)
@click.option("--repetitions", type=WholeNumber(1), help="Timings of each subject.")
@of(
    PATTERNS,
    click.option(
        "--density",
        "densities",
        multiple=True,
        type=Number(0, 1, min_open=True),
        metavar="P",
        help="Probability of each event type at each tick; may be given again. Default: 0.01, 0.1, 0.5.",
    ),
    click.option("--quick", is_flag=True, help="Shorter traces and fewer repetitions: for a first look."),
    click.option(
        "--instants", type=WholeNumber(1000), help="Longest trace. Default: 100 million, or 1 million if quick."
    ),
    click.option(
        "--only", multiple=True, metavar="NAME", help="Compare this subject or tool alone; may be given again."
    ),
    click.option("--files", is_flag=True, help="Whole jobs instead, from a log in a file to a file of detections."),
    click.option(
        "--rows", type=WholeNumber(1000), help="Of each log, with --files. Default: 10 million, or 300,000 if quick."
    ),
)
@of(RULES + PROFILES, click.option("--events", type=WholeNumber(1000), help="Length of the log."))
@of(
    RULES,
    click.option(
        "--longest", type=WholeNumber(10_000), help="How long the log may grow to see its cost. Default: 1 million."
    ),
)
@options.seed_option
@format_option
@ends
def bench(asked: tuple[str, ...], system: str, **given: Any) -> Result:
    """Measure the detectors beside other tools; every answer is checked before its speed is shown.

    PATTERN is i, ii, iii or iv, or an expression of your own, for which only the project's own detectors have an
    answer; of profiles SETTING is what is selected and used up, such as last-all-lists; the benchmark of rules is the
    program of 2008, Section 2.1. All subjects take turns, so that ratios within a run mean more than speeds.

    With --files, remora detect, Polars and DuckDB do the whole job in processes of their own, and what they write is
    compared; the patterns are i to iv and 'a hundred'.
    """
    goes_on(again)
    face, chosen = face_named(system, given)
    return face.bench(asked, **chosen)
