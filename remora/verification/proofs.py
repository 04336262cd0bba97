"""Runs of proofs: claims, false equations and certificates, with their progress."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from detectors.processes import kill_group
from laws.claims import Claim
from laws.standings import Standing, as_expected, exit_status, weakest
from laws.theorems import Theorem
from proofs.certification import Certified, certify, check, with_certificates, without_certificate
from proofs.proving import prove_claims
from remora.api.claiming.data import JsonObject, canary_data, obligations_data, result_data
from remora.terminal.progress import Progress
from semantics.atomic_files import write_text
from semantics.errors import InputError
from smt.attempts import ClaimResult
from smt.smtlib import TimeSort
from smt.solvers.portfolio import Portfolio


@dataclass(frozen=True)
class ProofRun:
    """Results of claims, and of the false equations that were put to the same solvers."""

    results: Sequence[ClaimResult]
    canaries: Sequence[ClaimResult]
    solvers: Sequence[str]
    time: TimeSort | Literal["both"]
    seed: int
    left_out: Sequence[Theorem]  # do not carry over to dense time, where that was asked for
    certified: Mapping[str, Certified]
    rejected: Sequence[tuple[str, str]]  # what is wrong with a certificate that the exit status depends on
    lacking: Sequence[tuple[str, str]]  # obligations that need no certificate and have none, each with the reason

    @property
    def missed(self) -> list[ClaimResult]:
        """False equations that were not refuted."""
        return [result for result in self.canaries if result.standing is not Standing.REFUTED]

    @property
    def standing(self) -> Standing:
        """Standing of the weakest claim but those that are expected to be refuted; a missed canary doubts them all."""
        if self.missed:
            return Standing.DISAGREEMENT
        found = weakest(
            Standing.PROVED if as_expected(result.standing, result.claim.expected) else result.standing
            for result in self.results
        )
        return weakest([found, Standing.UNKNOWN]) if self.rejected else found

    def data(self) -> JsonObject:
        """Claims, obligations, false equations and certificates as plain data."""
        return {
            "solver": " + ".join(self.solvers),
            "time": self.time,
            "seed": self.seed,
            "exit_status": int(exit_status([self.standing])),
            "claims": [result_data(result) for result in self.results],
            "obligations": [row for result in self.results for row in obligations_data(result, self.certified)],
            "canaries": [canary_data(result) for result in self.canaries],
            "not_in_dense_time": [{"id": claim.id, "reason": claim.dense} for claim in self.left_out],
            "rejected": [f"{name}: {why}" for name, why in self.rejected],
            "without_certificate": [f"{name}: {why}" for name, why in self.lacking],
        }


def prove_certified(
    claims: Sequence[Claim],
    canaries: Sequence[Claim],
    portfolio: Portfolio,
    progress: Progress,
    *,
    times: Sequence[TimeSort],
    seed: int,
    out: Path | None = None,
    checker: Path | None = None,
    signature: Path | None = None,
) -> ProofRun:
    """Prove claims and refute false equations, with certificates where a folder or a checker is named."""
    results, refutations = list[ClaimResult](), list[ClaimResult]()
    certified, rejected, lacking = dict[str, Certified](), list[tuple[str, str]](), list[tuple[str, str]]()
    for time in times:
        stage = "dense time" if time == "real" and len(times) > 1 else "proofs"
        proved = prove_shown(claims, portfolio, progress, stage, time=time, seed=seed)
        if canaries:
            refutations += prove_shown(canaries, portfolio, progress, "canaries", time=time, seed=seed)
        if out is not None or checker is not None:
            obligations = [part.obligation for result in proved for part in result.obligations]
            with progress.stage("certificates", len(obligations)) as advance:
                made = certify(proved, portfolio, advance)
            if checker is not None:
                with tempfile.TemporaryDirectory() as scratch, progress.stage("checker", len(made)) as advance:
                    folder = out or Path(scratch)
                    write_proofs(folder, proved, made)
                    made = check(made, obligations, folder, checker, signature, advance)
                proved = with_certificates(proved, made)
            lacking += [(name, f"no certificate: {why}") for name, why in without_certificate(proved, made)]
            certified |= made
        results += proved
    for name, each in certified.items():
        if each.certificate is None:
            rejected.append((name, f"no certificate: {each.reason}"))
        elif checker is not None and not (each.checked and each.checked.accepted):
            rejected.append((name, f"not accepted: {each.checked.reason if each.checked else 'not checked'}"))
    if checker is not None:
        rejected, lacking = [*rejected, *lacking], []
        if not any(each.checked for each in certified.values()):
            rejected.insert(0, ("--checker", "nothing was checked"))
    solvers, time_of_all = [solver.name for solver in portfolio.solvers], times[0] if len(times) == 1 else "both"
    left_out = [each for each in claims if isinstance(each, Theorem) and "real" in times and each.dense]
    return ProofRun(results, refutations, solvers, time_of_all, seed, left_out, certified, rejected, lacking)


def prove_shown(
    claims: Sequence[Claim],
    portfolio: Portfolio,
    progress: Progress,
    stage: str,
    *,
    time: TimeSort = "int",
    seed: int = 0,
) -> list[ClaimResult]:
    """Prove claims but those that do not carry over to dense time: all are put to the solvers, then concluded."""
    carried = [claim for claim in claims if time in claim.times]
    with progress.stage(stage, 2 * len(carried)) as advance:
        return prove_claims(carried, portfolio, time=time, seed=seed, progress=advance)


def startable(checker: Path | None, signature: Path | None) -> Path | None:
    """The program that is to check certificates, as a path, or a name that is looked up as a shell does; if any."""
    if checker is None:
        if signature is not None:
            raise InputError("--signature says which rules a checker is to use", remedy="Name one with --checker.")
        return None
    program = Path(shutil.which(checker) or checker) if len(checker.parts) == 1 and not checker.exists() else checker
    none = subprocess.DEVNULL
    try:
        with subprocess.Popen(
            [program.resolve()], stdin=none, stdout=none, stderr=none, start_new_session=True
        ) as process:
            kill_group(process.pid)  # that it starts is all that can be known without a certificate
    except OSError as error:
        remedy = "Name an Ethos binary, or a script that runs one, with --checker."
        raise InputError(f"it cannot be started: {error.strerror}", place=str(checker), remedy=remedy) from None
    return program


def by_reason(complaints: Iterable[tuple[str, str]]) -> list[str]:
    """Remarks about obligations, once for all with the same remark."""
    names: dict[str, list[str]] = {}
    for name, why in complaints:
        names.setdefault(why, []).append(name)
    return [f"{first}{f' and {len(others)} more' if others else ''}: {why}" for why, (first, *others) in names.items()]


def write_proofs(folder: Path, results: Iterable[ClaimResult], certified: Mapping[str, Certified]) -> None:
    """Write the obligations and their certificates into the folders `obligations` and `certificates`."""
    for result in results:
        for part in result.obligations:
            write_text(folder / "obligations" / part.obligation.file_name(), part.obligation.text)
            found = certified.get(part.obligation.name)
            if found is not None and found.certificate is not None:
                path = folder / "certificates" / part.obligation.file_name("cpc")
                write_text(path, found.certificate.text)
