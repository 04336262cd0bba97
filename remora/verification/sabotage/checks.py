"""The checks of a verification that are fast enough to be put to every sabotage."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from campaigns.carlson_lisper.mutants.power import power
from campaigns.carlson_lisper.mutants.telling import KILLED_WITHIN
from campaigns.carlson_lisper.mutants.wrong_detectors import TELLING
from laws.claims import Claim
from laws.standings import Standing
from laws.systems import every_claim, every_false_claim
from proofs.errata import check_every_erratum
from proofs.proving import carries_over, prove_claims
from proofs.record import TIMES, text_differences
from proofs.systems import provable_of
from remora.verification.amounts import other
from remora.verification.known.answers import SelfCheck
from remora.verification.selfchecks import self_checks
from smt.obligations import Obligation
from smt.solvers.portfolio import Portfolio

Check = Callable[[], str]
"""Says what it complains of; nothing if there is nothing."""


def fast_checks(portfolio: Portfolio) -> dict[str, Check]:
    """The checks by name."""
    return {
        "record": _record,
        **{name: _said(several) for name, several in self_checks(portfolio).items()},
        "canaries": lambda: _canaries(portfolio),
        "errata": lambda: _errata(portfolio),
        "mutants": _mutants,
    }


def complaint(check: Check) -> str:
    """What a check complains of; that it breaks down is a complaint, as the run of a verification is red then."""
    try:
        return check()
    except Exception as error:  # whatever broken code raises
        return f"it broke down: {type(error).__name__}: {error}"


def _said(several: Sequence[Callable[[], SelfCheck]]) -> Check:
    def check() -> str:
        return next(
            (f"{found.id}: {found.detail}" for found in (one() for one in several) if not found.ok), ""
        )

    return check


AT_FIRST = 10
"""The obligations of so many claims are compared with the record before those of the others are written."""


def _record() -> str:
    claims = every_claim()
    first = claims[:AT_FIRST]
    names = {claim.id for claim in first}
    return next(iter(text_differences(_obligations(first), claims=names)), "") or next(
        iter(text_differences(_obligations(claims))), ""
    )


def _obligations(claims: Sequence[Claim]) -> list[Obligation]:
    return [
        part
        for time in TIMES
        for claim in claims
        if time == "int" or carries_over(claim)
        for part in provable_of(claim).obligations(time)
    ]


def _canaries(portfolio: Portfolio) -> str:
    results = prove_claims(every_false_claim(), portfolio)
    return _first(
        f"{one.claim.id} is {one.standing.value}" for one in results if one.standing is not Standing.REFUTED
    )


def _errata(portfolio: Portfolio) -> str:
    results = check_every_erratum(portfolio.solvers[0])
    wrong = (result.erratum.id for result in results if not result.as_claimed)
    said = _first(f"the evidence for {name} is another one" for name in wrong)
    return said or other("errata", (result.erratum.id for result in results))


def _mutants() -> str:
    survivors = power(TELLING, 0, KILLED_WITHIN).survivors
    return f"not found: {', '.join(survivors)}" if survivors else ""


def _first(said: Iterator[str]) -> str:
    return next(said, "")
