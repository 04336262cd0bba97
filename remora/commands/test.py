"""`remora test`: claims checked on finitely many cases."""

from __future__ import annotations

import time
from collections.abc import Sequence

import click

from laws.claims import Claim
from laws.outcomes import TestOutcome
from laws.standings import Standing, exit_status
from laws.theorems import Theorem
from remora import __version__
from remora.api.data import claim_data, counterexample_data, outcome_data
from remora.api.files import hypothesis_files_elsewhere
from remora.terminal import completion
from remora.terminal.console import emit_json, output_console, print_table, standing_text
from remora.terminal.drawing import print_timeline
from remora.terminal.options import WholeNumber, format_option, seed_option
from remora.terminal.progress import Progress
from remora.verification.asked import chosen_claims
from reports.systems import counterexample_timeline
from semantics.errors import InputError


@click.command(
    epilog="\b\nExamples:\n  remora test\n  remora test 14 theorem:4.6 --examples 1000\n  remora test 'A + A == A'",
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
    chosen = _with_checks(chosen_claims(claims, primitive), asked=bool(claims))
    with Progress() as progress:
        outcomes = test_all(chosen, examples, seed, progress)
    standings = [
        Standing.PROVED if outcome.standing is claim.expected else outcome.standing
        for claim, results in outcomes
        for outcome, _ in results
    ]
    status = exit_status(standings)
    if form == "json":
        emit_json(
            {
                "schema": "remora/test/1",
                "remora": __version__,
                "seed": seed,
                "examples": examples,
                "exit_status": int(status),
                "claims": [
                    {**claim_data(claim), "tests": [outcome_data(*result) for result in results]}
                    for claim, results in outcomes
                ],
            }
        )
    else:
        _print(outcomes)
    raise SystemExit(int(status))


def _with_checks(claims: Sequence[Claim], *, asked: bool) -> tuple[Claim, ...]:
    """The claims that have executable checks: theorems about the detectors' code are proved, and run in campaigns.

    Raises:
        InputError: a theorem without checks was asked for by name.
    """
    without = [claim.id for claim in claims if isinstance(claim, Theorem)]
    if asked and without:
        raise InputError(
            f"{', '.join(without)} has no check on finitely many cases",
            remedy="`remora prove` proves it; `remora campaign run` puts detectors to random traces.",
        )
    return tuple(claim for claim in claims if not isinstance(claim, Theorem))


Timed = tuple[TestOutcome, float]


def test_all(
    claims: tuple[Claim, ...], examples: int, seed: int, progress: Progress
) -> list[tuple[Claim, list[Timed]]]:
    """All executable checks of the claims, with the seconds that each took."""
    from laws.carlson_lisper.checks.checks import check  # which brings Hypothesis

    found = []
    with hypothesis_files_elsewhere(), progress.stage("tests", len(claims)) as advance:
        for claim in claims:
            advance(claim.id)
            results: list[Timed] = []
            begin = time.perf_counter()
            for outcome in check(claim, examples=examples, seed_number=seed):
                results.append((outcome, time.perf_counter() - begin))
                begin = time.perf_counter()
            found.append((claim, results))
    return found


def _print(outcomes: list[tuple[Claim, list[Timed]]]) -> None:
    print_table(
        ("id", "method", "standing", "cases", "among"),
        [
            (
                claim.id,
                outcome.method,
                standing_text(outcome.standing.value),
                f"{outcome.cases:,}",
                outcome.bound,
            )
            for claim, results in outcomes
            for outcome, _ in results
        ],
        right=("cases",),
    )
    console = output_console()
    for claim, results in outcomes:
        found = next((o.counterexample for o, _ in results if o.counterexample is not None), None)
        data = counterexample_data(found)
        if data is not None and "trace" in data:
            console.print(f"\n{claim.id}")
            print_timeline(counterexample_timeline(data))
        elif found is not None:
            console.print(f"\n{claim.id}: {claim.statement}\n{found.summary()}")
