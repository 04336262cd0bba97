"""`remora bench`: how fast the detectors are beside other tools, with every answer checked."""

import click

from remora.commands.detection import face_for
from remora.terminal import options
from remora.terminal.interrupts import again, goes_on
from remora.terminal.options import FORMAT, SEED, SYSTEM, Asked, Result, ends, flag, of, option, several


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
@SYSTEM
@option("--repetitions", "Timings of each subject.", options.WholeNumber(1))
@of(
    options.PATTERNS,
    several(
        "--density densities P",
        "Probability of each event type at each tick; may be given again. Default: 0.01, 0.1, 0.5.",
        options.Number(0, 1, min_open=True),
    ),
    flag("--quick", "Shorter traces and fewer repetitions: for a first look."),
    option("--instants", "Longest trace. Default: 100 million, or 1 million if quick.", options.WholeNumber(1000)),
    several("--only NAME", "Compare this subject or tool alone; may be given again."),
    flag("--files", "Whole jobs instead, from a log in a file to a file of detections."),
    option("--rows", "Of each log, with --files. Default: 10 million, or 300,000 if quick.", options.WholeNumber(1000)),
)
@of(options.RULES + options.PROFILES, option("--events", "Length of the log.", options.WholeNumber(1000)))
@of(
    options.RULES,
    option("--longest", "How long the log may grow to see its cost. Default: 1 million.", options.WholeNumber(10_000)),
)
@ends(SEED, FORMAT)
def bench(asked: Asked) -> Result:
    """Measure the detectors beside other tools; every answer is checked before its speed is shown.

    PATTERN is i, ii, iii or iv, or an expression of your own, for which only the project's own detectors have an
    answer; of profiles SETTING is what is selected and used up, such as last-all-lists; the benchmark of rules is the
    program of 2008, Section 2.1. All subjects take turns, so that ratios within a run mean more than speeds.

    With --files, remora detect, Polars and DuckDB do the whole job in processes of their own, and what they write is
    compared; the patterns are i to iv and 'a hundred'.
    """
    goes_on(again)
    face, chosen = face_for(asked, "asked", "system", "form")
    return face.bench(asked.asked, **chosen)
