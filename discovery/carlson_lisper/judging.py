"""Proofs of what exploration proposes: first a little work on each equation, and all that is known on what is left."""

from collections.abc import Callable, Sequence

from discovery.carlson_lisper.exploring import Answer
from laws.carlson_lisper.checks.counterexamples import Counterexample
from laws.carlson_lisper.claims import EquationClaim
from laws.standings import weakest
from semantics.carlson_lisper.operators import OPERATORS
from smt.attempts import STANDINGS, prove_all
from smt.carlson_lisper.induction import by_induction
from smt.carlson_lisper.law_proofs import LADDER, LawProof
from smt.carlson_lisper.obligations import directions, obligation
from smt.solvers.portfolio import Portfolio, Query


def judge_by(portfolio: Portfolio, seed: int = 0) -> Callable[[Sequence[EquationClaim]], list[Answer]]:
    """A judge of equations that asks all solvers of a portfolio.

    What both of them prove at once, with the first attempt of the ladder, is agreed. As universes do not tell the sides
    apart, proofs by induction come next; anything else gets all that `remora prove` does, with counterexamples.
    """

    def judge(claims: Sequence[EquationClaim]) -> list[Answer]:
        first, parts = LADDER[0], [(claim, part) for claim in claims for part in directions(claim)]
        queries = [
            Query(f"{place}/{part}", obligation(claim, part, axioms=first.axioms).text, first.budgets)
            for place, (claim, part) in enumerate(parts)
        ]
        verdicts = portfolio.check_all(queries, seed=seed) if queries else []
        found: dict[EquationClaim, Answer] = {}
        for claim in claims:
            of_claim = [
                STANDINGS[verdict.outcome] for (one, _), verdict in zip(parts, verdicts, strict=True) if one is claim
            ]
            if all(standing.unbounded for standing in of_claim):
                found[claim] = (weakest(of_claim), None)
        for claim in claims:
            derived = () if claim in found else by_induction(claim, portfolio, "int", seed, OPERATORS)
            if derived:
                found[claim] = (weakest(each.standing for each in derived), None)
        left = [claim for claim in claims if claim not in found]
        for result in prove_all([LawProof(claim) for claim in left], portfolio, seed=seed):
            shown = result.counterexample
            assert isinstance(result.claim, EquationClaim)
            found[result.claim] = (result.standing, shown if isinstance(shown, Counterexample) else None)
        return [found[claim] for claim in claims]

    return judge
