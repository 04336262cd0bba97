"""Runs of proofs: claims, false equations and certificates, with their progress."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from laws.claims import Claim
from laws.standings import ExitStatus, Standing, as_expected, exit_status, weakest
from laws.theorems import Theorem
from proofs.certification import Certified, without_certificate
from proofs.proving import carries_over, prove_claims
from remora.terminal.progress import Advance, Progress
from remora.terminal.waits import Current, given_up_by
from remora.verification.certificates import rejections, with_certificates_made
from smt.attempts import ClaimResult, Turn
from smt.smtlib import TimeSort
from smt.solvers.portfolio import Portfolio

FEW = 3
"""Of no more claims than this the number does not tell how long it still takes."""


@dataclass(frozen=True)
class ProofRun:
    """What became of claims and of the false equations that were put to the same solvers.

    Attributes:
        left_out: theorems that do not carry over to dense time, where that was asked for.
        rejected: what is wrong with a certificate that the exit status depends on, each with its name.
        lacking: obligations that need no certificate and have none, each with the reason.
    """

    results: tuple[ClaimResult, ...]
    canaries: tuple[ClaimResult, ...]
    solvers: tuple[str, ...]
    time: TimeSort | Literal["both"]
    seed: int
    left_out: tuple[Theorem, ...]
    certified: Mapping[str, Certified]
    rejected: tuple[tuple[str, str], ...]
    lacking: tuple[tuple[str, str], ...]

    @property
    def missed(self) -> list[ClaimResult]:
        """False equations that were not refuted."""
        return [result for result in self.canaries if result.standing is not Standing.REFUTED]

    @property
    def standing(self) -> Standing:
        """That of the weakest claim; a false equation that was not refuted puts all in doubt.

        One that is named explicitly is expected to be refuted, and does not fail the run.
        """
        if self.missed:
            return Standing.DISAGREEMENT
        found = weakest(
            Standing.PROVED if as_expected(result.standing, result.claim.expected) else result.standing
            for result in self.results
        )
        return weakest([found, Standing.UNKNOWN]) if self.rejected else found

    @property
    def exit_status(self) -> ExitStatus:
        """How a command ends that asked this."""
        return exit_status([self.standing])


def prove_certified(
    claims: Sequence[Claim],
    canaries: Sequence[Claim],
    portfolio: Portfolio,
    progress: Progress,
    *,
    times: Sequence[TimeSort],
    seed: int,
    out: Path | None,
    checker: Path | None,
    signature: Path | None,
) -> ProofRun:
    """Prove claims and refute false equations, with certificates where a folder or a checker is named."""
    results: list[ClaimResult] = []
    refutations: list[ClaimResult] = []
    certified: dict[str, Certified] = {}
    lacking: list[tuple[str, str]] = []
    for time in times:
        stage = "dense time" if time == "real" and len(times) > 1 else "proofs"
        proved = prove_shown(claims, portfolio, progress, stage, time=time, seed=seed)
        refutations += prove_shown(canaries, portfolio, progress, "canaries", time=time, seed=seed)
        if out is not None or checker is not None:
            proved, made = with_certificates_made(proved, portfolio, out, checker, signature, progress)
            lacking += [(name, f"no certificate: {why}") for name, why in without_certificate(proved, made)]
            certified |= made
        results += proved
    rejected = rejections(certified, asked=checker is not None)
    if checker is not None:
        rejected, lacking = [*rejected, *lacking], []
        if not any(each.checked for each in certified.values()):
            rejected.insert(0, ("--checker", "nothing was checked"))
    return ProofRun(
        tuple(results),
        tuple(refutations),
        tuple(solver.name for solver in portfolio.solvers),
        times[0] if len(times) == 1 else "both",
        seed,
        tuple(
            each
            for each in claims
            if isinstance(each, Theorem) and "real" in times and not carries_over(each)
        ),
        certified,
        tuple(rejected),
        tuple(lacking),
    )


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
        stage: the name of the first stage; the second one is called `conclusions of` that.
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
