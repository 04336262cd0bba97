"""Proofs of everything together: what rests on what, and what follows from that."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Protocol, cast

from laws.claims import Claim, is_part, laws_of
from laws.standings import Standing, weakest
from laws.theorems import Theorem
from semantics.systems import system_of
from smt.attempts import ClaimResult, Provable, prove_all
from smt.smtlib import TimeSort
from smt.solvers.portfolio import Portfolio

RECORDED = "checked by Rocq, as recorded"


class ProofsOfSystem(Protocol):
    """The proofs of a system; a module with these functions is one."""

    def provable(self, claim: Claim) -> Provable:
        """The obligations of a claim of the system, and what refutes it."""

    def kernel(self) -> Mapping[str, str]:
        """The claims that a kernel has checked, each with why that does not count any more, or ""."""


def provable_of(claim: Claim) -> Provable:
    """The obligations of any claim."""
    return cast(ProofsOfSystem, system_of(claim.system).module("proofs")).provable(claim)


def kernel_of(system: str) -> Mapping[str, str]:
    """What a kernel has checked of a system's claims; see `ProofsOfSystem.kernel`."""
    return cast(ProofsOfSystem, system_of(system).module("proofs")).kernel()


def with_dependencies(claims: Iterable[Claim], known: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims and all that their proofs rest on, in the order of `known`; conjectures come last."""
    wanted: dict[str, Claim] = {}
    pending: list[Claim] = list(claims)
    while pending:
        claim = pending.pop(0)
        if claim.id not in wanted:
            wanted[claim.id] = claim
            if isinstance(claim, Theorem):
                pending += [other for name in claim.rests_on for other in known if _named(other, name)]
    order = {claim.id: number for number, claim in enumerate(known)}
    return tuple(sorted(wanted.values(), key=lambda claim: order.get(claim.id, len(order))))


def _named(claim: Claim, name: str) -> bool:
    """Whether a claim is meant by a name that a proof rests on; `theorem:4.6` means all its parts."""
    return claim.id == name or (is_part(claim.id, name) and name not in _theorems(claim.system))


@cache
def _theorems(system: str) -> Mapping[str, Theorem]:
    return {claim.id: claim for claim in laws_of(system).everything() if isinstance(claim, Theorem)}


def prove_claims(
    claims: Sequence[Claim],
    portfolio: Portfolio,
    *,
    time: TimeSort = "int",
    seed: int = 0,
    provable: Callable[[Claim], Provable] = provable_of,
    progress: Callable[[str, int], None] = lambda said, done: None,
) -> list[ClaimResult]:
    """Prove laws and theorems; a theorem stands no better than what its proof rests on.

    One that rests on a claim that is not among them is unknown. Theorems that say that they do not carry over are left
    out of dense time. For `progress` see `smt.attempts.prove_all`.
    """
    chosen = [claim for claim in claims if time in claim.times]
    subjects = [provable(claim) for claim in chosen]
    results = prove_all(subjects, portfolio, time=time, seed=seed, progress=progress)
    results = [
        replace(result, reason=about.objection) if about.objection and result.standing is Standing.UNKNOWN else result
        for about, result in zip(subjects, results, strict=True)
    ]
    if provable is provable_of and time == "int":
        results = with_kernel(results)
    return resting(results)


def with_kernel(results: Iterable[ClaimResult]) -> list[ClaimResult]:
    """The results with what kernels say: kernel-checked where what was proved is as they accepted it, else unknown.

    What a solver or a run has against a claim stands. A kernel's times are integers.
    """
    results = list(results)
    said = {system: kernel_of(system) for system in {result.claim.system for result in results}}
    found = []
    for result in results:
        obsolete = said[result.claim.system].get(result.claim.id)
        if obsolete is None or (result.obligations and not result.standing.unbounded):
            found.append(result)
        elif obsolete:
            found.append(replace(result, standing=Standing.UNKNOWN, kernel=obsolete, reason=obsolete))
        else:
            found.append(replace(result, standing=Standing.KERNEL_CHECKED, kernel=RECORDED))
    return found


def resting(results: Iterable[ClaimResult]) -> list[ClaimResult]:
    """The results, each no better than those that it rests on; what it rests on comes earlier or is looked up.

    Over dense time a claim does not wait for those that are about integers alone; `prove --believed` says so.
    """
    known = {result.claim.id: result for result in results}
    settled: dict[str, ClaimResult] = {}

    def settle(result: ClaimResult) -> ClaimResult:
        claim = result.claim
        if claim.id in settled:
            return settled[claim.id]
        settled[claim.id] = result  # a circle of claims that rest on each other would end here
        if isinstance(claim, Theorem) and claim.rests_on:
            known_theorems = _theorems(claim.system)
            over_dense_time = any(part.obligation.time == "real" for part in result.obligations)
            supports = {
                name: [settle(other) for other in known.values() if _named(other.claim, name)]
                for name in claim.rests_on
                if not (over_dense_time and name in known_theorems and known_theorems[name].dense)
            }
            settled[claim.id] = _supported(result, supports)
        return settled[claim.id]

    return [settle(result) for result in known.values()]


def _supported(result: ClaimResult, supports: dict[str, list[ClaimResult]]) -> ClaimResult:
    standings = {name: weakest(r.standing for r in found) for name, found in supports.items()}
    own = result.standing
    weak = {name: standing for name, standing in standings.items() if not standing.unbounded}
    broken = [name for name, standing in weak.items() if standing in (Standing.REFUTED, Standing.UNKNOWN)]
    if own is Standing.DISAGREEMENT and result.counterexample is not None and broken:
        # Its parts are proved from what is not the case; so the run does not contradict the solvers.
        reason = f"{result.counterexample.summary()}; its own parts are proved, resting on {', '.join(broken)}"
        return replace(result, standing=Standing.REFUTED, reason=reason)
    if not own.unbounded:
        return result
    if not weak:
        return replace(result, standing=weakest((own, *standings.values())))
    listed = ", ".join(f"{name} ({standing.value})" for name, standing in weak.items())
    return replace(result, standing=Standing.UNKNOWN, reason=f"its own parts are proved; it rests on {listed}")
