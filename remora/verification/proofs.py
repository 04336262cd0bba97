"""Proofs with their progress: what the solvers are asked at first, and what is done about each claim afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from laws.claims import Claim
from proofs.proving import carries_over, prove_claims
from remora.terminal.progress import Advance, Progress
from remora.terminal.waits import Current, given_up_by
from smt.attempts import ClaimResult, Turn
from smt.smtlib import TimeSort
from smt.solvers.portfolio import Portfolio

FEW = 3
"""Of no more claims than this the number does not tell how long it still takes."""


def prove_shown(
    claims: Sequence[Claim],
    portfolio: Portfolio,
    progress: Progress,
    stage: str,
    *,
    time: TimeSort = "int",
    seed: int = 0,
) -> list[ClaimResult]:
    """Prove claims in two stages: all are put to the solvers, then one after the other is concluded.

    Args:
        claims: what is to be proved; what does not carry over to dense time is left out of it.
        portfolio: the solvers.
        progress: where it is shown.
        stage: the name of the first stage; the second one is called `conclusions of` that.
        time: integer or dense time.
        seed: the solvers' random seed.
    """
    carried = [claim for claim in claims if time == "int" or carries_over(claim)]
    done = 0
    second: Advance | None = None
    with ExitStack() as shown:
        first = shown.enter_context(progress.stage(stage, len(carried)))
        first("given up after about half a minute" if len(carried) <= FEW else "", 0)

        def answered(claim: Claim) -> None:
            nonlocal done
            done += 1
            first(claim.id, done)

        def concluding(turn: Turn) -> None:
            nonlocal second
            if second is None:
                shown.close()
                second = shown.enter_context(progress.stage(f"conclusions of {stage}", len(carried)))
            second(said(turn), turn.place)

        return prove_claims(
            carried, portfolio, time=time, seed=seed, progress=answered, concluding=concluding
        )


def said(turn: Turn) -> Current:
    """What is done about a claim, and for how long the solvers are asked about it at most, where that can be told."""
    doing = f"{turn.claim.id}: {turn.doing}"
    if turn.seconds is None:
        return doing
    left = given_up_by(turn.seconds)
    return lambda: f"{doing}, {left()}"
