"""`remora test`: claims checked on finitely many cases."""

from __future__ import annotations

import click

from laws.standings import Standing, exit_status
from remora import __version__
from remora.api.claiming.claims import Answers, Checked, checkable, checked
from remora.api.claiming.data import claim_data, outcomes_data
from remora.terminal import completion
from remora.terminal.console import emit_json, print_table, standing_text
from remora.terminal.options import WholeNumber, format_option, seed_option
from remora.terminal.progress import Progress
from remora.terminal.results.drawing import print_counterexample


@click.command(
    epilog="\b\nExamples:\n  remora test\n  remora test 14 theorem:4.6 --examples 1000\n  remora test 'A + A == A'"
)
@click.argument("claims", metavar="[ID|EQUATION]...", nargs=-1, shell_complete=completion.claims)
@click.option(
    "--examples",
    type=WholeNumber(min=1),
    default=50,
    show_default=True,
    help="How many random cases of each kind.",
)
@click.option(
    "--primitive", default="", metavar="A,B", help="Identifiers that stand for primitive event types."
)
@seed_option
@format_option
def test(claims: tuple[str, ...], examples: int, primitive: str, seed: int, form: str) -> None:
    """Check claims exhaustively up to a stated bound and on random cases; never called a proof."""
    chosen = checkable(claims, primitive)
    with Progress() as progress, progress.stage("tests", len(chosen)) as advance:
        answers = checked(chosen, examples, seed, advance)
    status = exit_status(
        Standing.PROVED if outcome.standing is each.claim.expected else outcome.standing
        for each in answers
        for outcome in each.outcomes
    )
    if form == "json":
        emit_json(
            {
                "schema": "remora/test/1",
                "remora": __version__,
                "seed": seed,
                "examples": examples,
                "exit_status": int(status),
                "claims": [{**claim_data(each.claim), "tests": outcomes_data(each)} for each in answers],
            }
        )
    else:
        _print(answers)
    raise SystemExit(int(status))


def _print(answers: Answers[Checked]) -> None:
    print_table(
        ("id", "method", "standing", "cases", "among"),
        [
            (
                each.claim.id,
                outcome.method,
                standing_text(outcome.standing.value),
                f"{outcome.cases:,}",
                outcome.bound,
            )
            for each in answers
            for outcome in each.outcomes
        ],
        right=("cases",),
    )
    for each in answers:
        if each.counterexample is not None:
            print_counterexample(each.claim, each.counterexample)
