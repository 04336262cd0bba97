"""Proofs of what exploration proposes: first a little work on each equation, and all that is known on what is left."""

from collections.abc import Callable, Sequence

from discovery.carlson_lisper.exploring import Answer
from laws.carlson_lisper.checks.counterexamples import Counterexample
from laws.carlson_lisper.claims import EquationClaim
from laws.standings import Standing, weakest
from semantics.carlson_lisper.operators import OPERATORS
from smt.attempts import STANDINGS, prove_all
from smt.carlson_lisper.induction import by_induction
from smt.carlson_lisper.law_proofs import LADDER, LawProof
from smt.carlson_lisper.obligations import directions, obligation
from smt.solvers.portfolio import Portfolio, Query

AT_ONCE = 3  # So many attempts of the ladder come before a search for counterexamples


def judge_by(portfolio: Portfolio, seed: int = 0) -> Callable[[Sequence[EquationClaim]], list[Answer]]:
    """A judge of equations that asks all solvers of a portfolio.

    As universes do not tell the sides apart, proofs come first: by the first attempt of the ladder, by induction, and
    by two more attempts. Anything else gets all that `remora prove` does, with counterexamples.
    """

    def attempted(claims: Sequence[EquationClaim], rung: int) -> dict[EquationClaim, Answer]:
        attempt, parts = LADDER[rung], [(claim, part) for claim in claims for part in directions(claim)]
        queries = [
            Query(f"{place}/{part}", obligation(claim, part, axioms=attempt.axioms).text, attempt.budgets)
            for place, (claim, part) in enumerate(parts)
        ]
        standings: dict[EquationClaim, list[Standing]] = {}
        for (claim, _), verdict in zip(parts, portfolio.check_all(queries, seed=seed) if queries else [], strict=True):
            standings.setdefault(claim, []).append(STANDINGS[verdict.outcome])
        return {
            claim: (weakest(of_claim), None)
            for claim, of_claim in standings.items()
            if all(standing.unbounded for standing in of_claim)
        }

    def induced(claims: Sequence[EquationClaim]) -> dict[EquationClaim, Answer]:
        proofs = ((claim, by_induction(claim, portfolio, "int", seed, OPERATORS)) for claim in claims)
        return {claim: (weakest(each.standing for each in parts), None) for claim, parts in proofs if parts}

    def judge(claims: Sequence[EquationClaim]) -> list[Answer]:
        found = attempted(claims, 0)
        found |= induced([claim for claim in claims if claim not in found])
        for rung in range(1, AT_ONCE):
            found |= attempted([claim for claim in claims if claim not in found], rung)
        left = [claim for claim in claims if claim not in found]
        for result in prove_all([LawProof(claim) for claim in left], portfolio, seed=seed):
            shown = result.counterexample
            assert isinstance(result.claim, EquationClaim)
            found[result.claim] = (result.standing, shown if isinstance(shown, Counterexample) else None)
        return [found[claim] for claim in claims]

    return judge
