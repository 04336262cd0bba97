"""Certificates of what was proved, and what an independent checker says of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue

from laws.standings import Standing, weakest
from proofs.proving import resting
from smt.attempts import ClaimResult, ObligationResult
from smt.certificates import Certificate, Checked, NotCertified, certificate, run_checker
from smt.obligations import Obligation
from smt.solvers.portfolio import CVC5, Portfolio, SolverFailed, is_installed

BUDGET = 1_000_000
"""The work that cvc5 may spend on a certificate, in its own units: a proof costs more than the answer alone."""

TIME_LIMIT = 300.0

PROCESSES = 2  # How many certificates are made at the same time


@dataclass(frozen=True)
class Certified:
    """What became of the certificate of an obligation."""

    certificate: Certificate | None
    reason: str = ""
    checked: Checked | None = None


def certify(
    results: Iterable[ClaimResult], portfolio: Portfolio, progress: Callable[[str], None] = lambda _: None
) -> dict[str, Certified]:
    """A certificate for every obligation that cvc5 proved, by the obligation's name in the record.

    Without cvc5 there are none.
    """
    name = next((each.name for each in portfolio.solvers if isinstance(each, CVC5)), None)
    wanted = [
        part.obligation
        for result in results
        for part in result.obligations
        if part.standing.unbounded and not part.obligation.whole
        if any(opinion.solver == name and opinion.proved for opinion in part.opinions)
    ]
    idle: SimpleQueue[CVC5] = SimpleQueue()
    for _ in range(PROCESSES if wanted else 0):
        idle.put(CVC5(TIME_LIMIT))

    def made(obligation: Obligation) -> Certified:
        solver = idle.get()
        problem = f"../obligations/{obligation.file_name()}"
        try:
            return Certified(certificate(obligation.text, problem, solver, rlimit=BUDGET))
        except (NotCertified, SolverFailed) as error:
            return Certified(None, str(error))
        finally:
            idle.put(solver)
            progress(obligation.name)

    try:
        with ThreadPoolExecutor(PROCESSES) as threads:
            found = {one.name: done for one, done in zip(wanted, threads.map(made, wanted), strict=True)}
    finally:
        while not idle.empty():
            idle.get().close()
    return found


def without_certificate(results: Iterable[ClaimResult], certified: Mapping[str, Certified]) -> list[tuple[str, str]]:
    """The proved obligations of which no certificate was even tried, by their names in the record, and why not."""
    found = []
    for part in (part for result in results for part in result.obligations):
        name, why = part.obligation.name, "cvc5, which writes the certificates, has no proof of it"
        if part.obligation.whole:
            why = "it follows from other claims or was decided by automata, of which there are no certificates"
        elif not is_installed():
            why = "cvc5, which writes the certificates, is not installed"
        if part.opinions and part.standing.unbounded and name not in certified:
            found.append((name, why))
    return found


def check(
    certified: dict[str, Certified],
    obligations: Sequence[Obligation],
    folder: Path,
    checker: Path,
    signature: Path | None,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, Certified]:
    """Have certificates, by the names of obligations, checked by a program; see `smt.certificates.run_checker`.

    The folder holds `obligations/` and `certificates/`. A checker, which is like Ethos, is not asked again if it once
    had to be stopped; it needs a signature, `Cpc.eo`, unless it knows that. `OSError` where it cannot be started.
    """
    found = dict(certified)
    hung_at = ""
    for obligation in obligations:
        name = obligation.name
        if name not in certified or certified[name].certificate is None:
            continue
        if hung_at:
            said = Checked(False, f"not checked: the checker did not come to an end at {hung_at}")
        else:
            said = run_checker(
                checker,
                folder / "certificates" / obligation.file_name("cpc"),
                folder / "obligations" / obligation.file_name(),
                signature=signature,
            )
            hung_at = name if said.hung else ""
        found[name] = replace(certified[name], checked=said)
        progress(name)
    return found


def with_certificates(results: Iterable[ClaimResult], certified: dict[str, Certified]) -> list[ClaimResult]:
    """The results with the standing `certified` where a checker accepted the certificate of every part."""

    def raised(part: ObligationResult) -> ObligationResult:
        checked = certified[part.obligation.name].checked if part.obligation.name in certified else None
        is_accepted = checked is not None and checked.accepted and part.standing.unbounded
        return replace(part, standing=Standing.CERTIFIED) if is_accepted else part

    found = []
    for result in results:
        parts, standing = tuple(map(raised, result.obligations)), result.standing
        if standing.unbounded and standing is not Standing.KERNEL_CHECKED and parts:
            standing = weakest(part.standing for part in parts)
        found.append(replace(result, obligations=parts, standing=standing))
    return resting(found)
