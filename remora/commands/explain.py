"""`remora explain`: a pattern, rules or profiles in words, what detecting them takes, and whether it is bounded."""

from __future__ import annotations

from typing import Any

import click

from remora.api.patterns.explanations import CODE, STEPS
from remora.systems.protocol import face_for
from remora.terminal import completion
from remora.terminal.ending import Result, ends
from remora.terminal.options import (
    OF_LOGS_BUT_PATTERNS,
    PATTERNS,
    PLAN,
    PROFILES,
    RULES,
    WholeNumber,
    format_option,
    log_options,
    of,
    seed_option,
    svg_option,
)


@click.command(
    epilog="\b\nExamples:\n"
    "  remora explain '(B ; B)[2] - (P ; (P + T))'\n"
    "  remora explain 'a ; (b + c)' --svg trace.svg\n"
    "  remora explain '(a ; b)[t] ; (c + d)[u]' --bound t=60 --bound u=5\n"
    "  remora explain '(fail ; fail)[60] - ok' --formula --format json\n"
    "  remora explain '(fail ; fail)[60] - ok' --code\n"
    "  remora explain orders.rules --log orders.jsonl\n"
    "  remora explain orders.rules --svg orders.svg\n"
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
        "--bound",
        "given",
        metavar="NAME=TICKS",
        multiple=True,
        help="The value of a symbolic bound, in ticks. Repeatable.",
    ),
    click.option("--formula", is_flag=True, help="Also show the totals as formulas in the bounds."),
    click.option(
        "--code",
        type=click.Choice(CODE),
        is_flag=False,
        flag_value=CODE[0],
        help="Also show the code that is generated for the pattern, which works with starts alone.",
    ),
    click.option(
        "--steps",
        type=WholeNumber(1),
        default=STEPS,
        show_default=True,
        help="Give up deciding whether it can occur after so many transitions.",
    ),
    seed_option,
)
@of(
    RULES,
    PLAN,
    click.option(
        "--detector",
        type=click.Choice(["differencing", "nodes"]),
        help="Compare plans by what this engine counts; by default by both.",
    ),
    click.option(
        "--sample",
        type=WholeNumber(min=1),
        default=2000,
        show_default=True,
        help="Of the log, so many events from the beginning decide which plan costs least.",
    ),
)
@of(
    RULES + PROFILES,
    click.option(
        "--log",
        metavar="LOG",
        shell_complete=completion.files,
        help="Compare plans of rules by counts on this log; draw what occurs of profiles in it.",
    ),
)
@of(PATTERNS + RULES, svg_option)
@log_options("same_time", "partition_by", of_languages=OF_LOGS_BUT_PATTERNS)
@format_option
@ends
def explain(pattern: str, **given: Any) -> Result:
    """Explain PATTERN: in other words, what detecting it takes at most, whether it can occur at all.

    The transformed form of a pattern means the same, and labels each sequence with the greatest length of its right
    side, on which depends how much it has to keep; bounds may be symbolic, as in A[t] or A[min(t, u)]. Of rules each is
    shown in words, in the algebra and with an example in time, then the plan and what each step stores; of profiles
    whether what is announced can be withdrawn, and what is stored.
    """
    face, options = face_for(pattern, given)
    return face.explain(pattern, **options)
