"""Proofs of claims about relations and their tuples: each is one obligation, for all relations and histories."""

from collections.abc import Mapping

from laws.bry_eckert.catalogue import TupleClaim
from smt.attempts import Attempt, Hypotheses, Provable, Search
from smt.bry_eckert.histories import BOOL, TIME, TUPLE, Definitions, Vocabulary, atoms, declarations, found
from smt.obligations import Obligation, Theory
from smt.smtlib import LOGIC, TimeSort, written
from smt.solvers.portfolio import Portfolio

_THEORY = Theory((), {})


class TupleProof(Provable):
    """A claim about relations and their tuples as one obligation."""

    ladder = (Attempt((), {"z3": 50_000, "cvc5": 20_000}),)

    def __init__(self, claim: TupleClaim) -> None:
        self.claim: TupleClaim = claim
        definitions = Definitions(claim.definitions)
        self._given = tuple(map(definitions.expanded, claim.given))
        self._says = definitions.expanded(claim.says)

    @property
    def vocabulary(self) -> Vocabulary:
        """What the claim is about: the functions that its formulas use, its relations and its constants."""
        claim, used = self.claim, atoms((*self._given, self._says))
        functions = {name: tuple(text.split()) for name, text in claim.functions if name in used}
        relations = dict.fromkeys(claim.relations, (TUPLE, BOOL))
        values = {name: (BOOL if name.endswith("?") else TIME,) for name in claim.values}
        return {**functions, **relations, **dict.fromkeys(claim.tuples, (TUPLE,)), **values}

    def obligations(self, time: TimeSort) -> list[Obligation]:
        """That the conclusion cannot fail."""
        claim = self.claim
        assertions = *map(written, self._given), f"(not {written(self._says)})"
        declared = declarations(self.vocabulary, time)
        text = (f"{claim.id}: {claim.statement}",), _THEORY, (), time, LOGIC[time], declared, assertions
        return [Obligation(f"{claim.id}/=", claim.id, "=", *text)]

    def refute(self, effort: int, portfolio: Portfolio) -> Search:
        """A history of which what is given is true and the conclusion is not, as evaluating both shows."""
        history = found(self.vocabulary, (*self._given, ("not", self._says)), portfolio.solvers[0])
        if history is None:
            return Search()
        if not all(map(history.holds, self._given)) or history.holds(self._says):
            return Search(unconfirmed=True)
        return Search(history, frozenset("="))

    def hypotheses(self, direction: str, portfolio: Portfolio) -> Hypotheses:
        """Whether what is given is true of some history."""
        history = found(self.vocabulary, self._given, portfolio.solvers[0])
        possible = history is not None and all(map(history.holds, self._given))
        return Hypotheses("satisfiable" if possible else "not known to be satisfiable")


provable = TupleProof  # the proof of a claim (`proofs.proving.ProofsOfSystem`)


def kernel() -> Mapping[str, str]:
    """No kernel has checked claims about rules (`proofs.proving.ProofsOfSystem`)."""
    return {}
