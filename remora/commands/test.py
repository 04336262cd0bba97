"""`remora test`: claims checked on finitely many cases."""

from __future__ import annotations

import click

from laws.standings import Standing, weakest
from remora import __version__
from remora.api.claiming.claims import Answers, Checked, checkable, checked
from remora.api.claiming.data import claim_data, outcomes_data
from remora.terminal import completion
from remora.terminal.console import output_console, print_table, standing_text
from remora.terminal.drawing import print_timeline
from remora.terminal.ending import Result, ends, status_of
from remora.terminal.options import WholeNumber, format_option, seed_option
from remora.terminal.progress import Progress


@click.command(
    epilog="\b\nExamples:\n  remora test\n  remora test 14 theorem:4.6 --examples 1000\n  remora test 'A + A == A'"
)
@click.argument("claims", metavar="[ID|EQUATION]...", nargs=-1, shell_complete=completion.claims)
@click.option(
    "--examples", type=WholeNumber(min=1), default=50, show_default=True, help="How many random cases of each kind."
)
@click.option("--primitive", default="", metavar="A,B", help="Identifiers that stand for primitive event types.")
@seed_option
@format_option
@ends
def test(claims: tuple[str, ...], examples: int, primitive: str, seed: int) -> Result:
    """Check claims exhaustively up to a stated bound and on random cases; never called a proof."""
    chosen = checkable(claims, primitive)
    with Progress() as progress, progress.stage("tests", len(chosen)) as advance:
        answers = checked(chosen, examples, seed, advance)
    standing = weakest(
        Standing.PROVED if outcome.standing is each.claim.expected else outcome.standing
        for each in answers
        for outcome in each.outcomes
    )
    document = {
        "schema": "remora/test/1",
        "remora": __version__,
        "seed": seed,
        "examples": examples,
        "exit_status": int(status_of(standing)),
        "claims": [{**claim_data(each.claim), "tests": outcomes_data(each)} for each in answers],
    }
    return Result(standing, document, lambda: _print(answers))


def _print(answers: Answers[Checked]) -> None:
    print_table(
        ("id", "method", "standing", "cases", "among"),
        [
            (each.claim.id, outcome.method, standing_text(outcome.standing.value), f"{outcome.cases:,}", outcome.bound)
            for each in answers
            for outcome in each.outcomes
        ],
        right=("cases",),
    )
    for each in answers:
        drawn = each.timeline()
        if drawn is not None:
            output_console().print(f"\n{each.claim.id}")
            print_timeline(drawn)
