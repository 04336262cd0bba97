"""Proofs of equations, of claims about restrictions, and of relations between patterns whose bounds are large.

Automata count ticks; to a solver a bound of a million million ticks is one more number.
"""

import time as clock
from collections.abc import Mapping
from dataclasses import dataclass, replace

from laws.carlson_lisper.checks.counterexamples import Counterexample, RestrictionCounterexample
from laws.carlson_lisper.checks.exhaustive import Side, check_exhaustively, simple_witness
from laws.carlson_lisper.checks.suggestions import suggested_counterexample
from laws.carlson_lisper.claims import Claim, EquationClaim
from laws.outcomes import Refutation
from laws.standings import Standing, weakest
from semantics.carlson_lisper.decisions import DecidedRelation, Level
from semantics.carlson_lisper.expressions import Expression, Operation
from semantics.carlson_lisper.operators import OPERATORS, Operator, Operators
from semantics.carlson_lisper.restriction import within
from semantics.carlson_lisper.syntax import Equation, Relation
from semantics.errors import LimitExceeded
from smt.attempts import STANDINGS, Attempt, ClaimResult, Hypotheses, ObligationResult, Provable, Search, prove_all
from smt.carlson_lisper import countermodels
from smt.carlson_lisper.countermodels import decided_by_automata, find_counterexample, larger_counterexample
from smt.carlson_lisper.induction import by_induction
from smt.carlson_lisper.obligations import BASE_AXIOMS, INSTANCES, UNION_AXIOMS, directions, obligation
from smt.obligations import Obligation
from smt.smtlib import TimeSort
from smt.solvers.portfolio import Answer, Opinion, Portfolio, Query, Solver, SolverFailed, Strategy, Verdict

_ALL_AXIOMS = (*BASE_AXIOMS, *UNION_AXIOMS)

LADDER: tuple[Attempt, ...] = (
    Attempt(BASE_AXIOMS, {"z3": 50_000, "cvc5": 15_000}),
    Attempt(_ALL_AXIOMS, {"z3": 500_000, "cvc5": 60_000}),
    Attempt((*BASE_AXIOMS, "join-associative"), {"z3": 2_000_000, "cvc5": 200_000}),
    Attempt(_ALL_AXIOMS, {"z3": 3_000_000, "cvc5": 200_000}),
    Attempt(BASE_AXIOMS, {"z3": 4_000_000, "cvc5": 200_000}),
)
"""Most claims need none of the laws of union, and a proof from fewer assumptions is better; so they come first. What
is left open by the first attempt is searched for a small counterexample, which is where false claims end; a search for
larger ones comes before the expensive attempts. The laws of union make searches long that do not need them, above all
the one that a union is the same in any order; sequences mostly need no more than that it is associative. What none of
the attempts proves is given up after about half a minute."""

CROSS_CHECK_OCCURRENCES = 2
"""Size of the cross-check: a proved claim is evaluated on all streams over so many occurrences, without the solver; the
two engines must not contradict each other."""

ALONE = {"z3": 50_000, "cvc5": 6_000}
"""The work of the solvers for what is known to be false; what is as simple and true they prove with it."""

CHECKED_EXHAUSTIVELY = 2  # False equations of so many identifiers fail on streams that the exhaustive check tries
SEARCHES = (3, 4)  # The sizes of the searches for counterexamples, in occurrences

ENGINE = "interval languages"

NEVER_BUDGET = 200_000  # The work of a solver for whether a side of a conjecture has an instance on any trace
STEPS = 500_000  # The work that a decision by automata may cost, in transitions; about three seconds


def prove(
    claim: Claim,
    solver: Solver | Portfolio,
    *,
    time: TimeSort = "int",
    seed: int = 0,
    operators: Mapping[str, Operator] = OPERATORS,
    ladder: tuple[Attempt, ...] = LADDER,
) -> ClaimResult:
    """Prove a claim for all event streams, or refute it by a replayed counterexample, or say what was tried.

    Several solvers have to agree. Counterexamples have integer times over dense time too. Of the ladder of attempts,
    the first search for counterexamples comes after the first one.
    """
    portfolio = solver if isinstance(solver, Portfolio) else Portfolio([solver])
    (result,) = prove_all([LawProof(claim, operators, ladder)], portfolio, time=time, seed=seed)
    return result


class LawProof(Provable):
    """A claim that is one query per part: a law, a conjecture, Theorem 4.5 or 4.6."""

    efforts = len(SEARCHES)

    def __init__(
        self, claim: Claim, operators: Mapping[str, Operator] = OPERATORS, ladder: tuple[Attempt, ...] = LADDER
    ) -> None:
        self.claim = claim
        self.operators = operators
        self.alone = isinstance(claim, EquationClaim) and claim.alone
        axioms = dict.fromkeys(attempt.axioms for attempt in ladder)
        self.ladder = tuple(Attempt(some, ALONE) for some in axioms) if self.alone else ladder
        self._time: TimeSort = "int"
        # An equation of the source with the same text on both sides is no law.
        self.is_vacuous = isinstance(claim, EquationClaim) and claim.is_vacuous and bool(claim.source)

    def obligations(self, time: TimeSort) -> list[Obligation]:
        """An inclusion each way for an equation, a conclusion each for a claim about restrictions."""
        self._time = time
        return [obligation(self.claim, part, time=time, operators=self.operators) for part in directions(self.claim)]

    def derive(self, portfolio: Portfolio, time: TimeSort, seed: int) -> tuple[ObligationResult, ...]:
        """Decide a conjecture by interval languages, or prove it by induction; a record is for the solvers to prove."""
        if not isinstance(self.claim, EquationClaim):
            return ()
        decided = self._decided(self.claim) if time == "int" and not self.claim.source else None
        if decided is not None:
            return (decided,)
        return by_induction(self.claim, portfolio, time, seed, self.operators)

    def _decided(self, claim: EquationClaim) -> ObligationResult | None:
        """A proof by automata, of a claim about event types alone."""
        begin = clock.perf_counter()
        if claim.primitive != frozenset(claim.variables) or claim.parameters:
            return None
        decided = decided_by_automata(claim, {}, self.operators, STEPS)
        if decided is None or not decided.holds:
            return None
        states = sum(decided.states)
        heading = (f"{claim.id}: {claim.statement}", f"decided by {ENGINE}, for all traces")
        name = f"{claim.id}/all traces"
        asked = Obligation(name, claim.id, "all traces", heading, INSTANCES, (), "int", "ALL", (), ())
        answer = Answer("unsat", ENGINE, clock.perf_counter() - begin, states)
        opinion = Opinion(ENGINE, Strategy("minimal automata"), answer)
        words = f"decided for all traces by automata with {states} states"
        return ObligationResult(asked, Standing.PROVED, (opinion,), words)

    def refute(self, effort: int, portfolio: Portfolio) -> Search:
        """Look for a counterexample over a few occurrences; with the last effort, for any that suggests itself."""
        if self.alone and isinstance(self.claim, EquationClaim):
            affirmed = tuple(self.affirmed(self.claim, portfolio))
            suggested = suggested_counterexample(self.claim, self.operators)
            if affirmed or suggested is not None:
                return Search(suggested, _contradicted(suggested), affirmed=affirmed)
        search = countermodels.find_dense_counterexample if self._time == "real" else find_counterexample
        try:
            found = search(self.claim, portfolio.solvers[0], max_occurrences=SEARCHES[effort], operators=self.operators)
        except SolverFailed as error:
            return Search(failure=str(error))
        claim, last = self.claim, effort == len(SEARCHES) - 1
        counterexample, tried = found.counterexample, False
        if counterexample is None and last and isinstance(claim, EquationClaim) and not claim.source:
            counterexample, tried = larger_counterexample(claim, self.operators, self._time), True
        refuted = _contradicted(counterexample)
        return replace(found, counterexample=counterexample, refuted=refuted, suggested=tried)

    def cross_check(self) -> Search:
        """Evaluate a proved claim on all small streams, without a solver."""
        try:
            outcome = check_exhaustively(self.claim, self.operators, largest=CROSS_CHECK_OCCURRENCES)
        except LimitExceeded:  # more identifiers than a truth table takes
            return Search()
        found = outcome.counterexample
        return Search(found, _contradicted(found), unconfirmed=outcome.standing is Standing.ERROR)

    def hypotheses(self, direction: str, portfolio: Portfolio) -> Hypotheses:
        """A proof counts when its hypotheses can be true; a claim of the source must not hold by saying nothing."""
        side: Side = "right" if direction == "⊇" else "left"
        if simple_witness(self.claim, side, self.operators) is not None:
            return Hypotheses("satisfiable")
        missing = "no streams over a few occurrences satisfy the hypotheses"
        if isinstance(self.claim, EquationClaim) and self.claim.never:
            return Hypotheses("never true, as the claim says")
        if not isinstance(self.claim, EquationClaim) or self.claim.source:
            return Hypotheses(missing, vacuous=bool(self.claim.source))
        equation = self.claim.equation
        one = equation.left if side == "left" else equation.right
        empty = replace(self.claim, equation=Equation(one, Operation("neg", (one, one)), "<="))
        (part,) = (obligation(empty, each, time=self._time, operators=self.operators) for each in directions(empty))
        never = portfolio.solvers[0].check(part.text, rlimit=NEVER_BUDGET).status == "unsat"
        which = f"the {side} side" if equation.relation == "<=" else "either side"
        return Hypotheses(missing, reason=f"holds because no trace has an instance of {which}" if never else missing)

    def affirmed(self, claim: EquationClaim, portfolio: Portfolio) -> list[str]:
        """The ways to a proof that affirm a false equation: solvers, automata, induction, the exhaustive check."""
        parts, found = self.obligations(self._time), []
        for attempt in self.ladder[1:]:  # a proof of the first one contradicts the counterexample
            queries = [Query(part.id, part.with_axioms(attempt.axioms).text, attempt.budgets) for part in parts]
            if all(verdict.provers for verdict in portfolio.check_all(queries)):
                found.append(f"the solvers under {', '.join(attempt.axioms)}")
        found += [derived.obligation.direction for derived in self.derive(portfolio, self._time, 0)]
        checkable = len(claim.variables) <= CHECKED_EXHAUSTIVELY and self._time == "int"
        if checkable and check_exhaustively(claim, self.operators).standing is not Standing.REFUTED:
            found.append("the exhaustive check")
        return found


def _contradicted(counterexample: Refutation | None) -> frozenset[str]:
    """The parts of the claim that a counterexample contradicts."""
    if counterexample is None:
        return frozenset()
    if isinstance(counterexample, RestrictionCounterexample):
        return frozenset({counterexample.conclusion})
    assert isinstance(counterexample, Counterexample)  # equations have no others
    left, right = counterexample.left, counterexample.right
    relation = counterexample.relation
    parts = {"⊆": within(relation, left, right), "⊇": within(relation, right, left)}
    return frozenset(part for part, holding in parts.items() if not holding)


@dataclass(frozen=True)
class PatternProof:
    """A proof of an equation, of two patterns or any expressions, for all traces."""

    # what was proved; of patterns, whose identifiers are event types: `==` and `<=` of their instances, `[=]` of their
    # intervals, `~=` of their detections
    equation: Equation
    obligations: tuple[Obligation, ...]
    standing: Standing


def prove_patterns(
    left: Expression, right: Expression, level: Level, relation: DecidedRelation, portfolio: Portfolio, *, seed: int = 0
) -> PatternProof | None:
    """A proof that two ground patterns are related at a level, over integer time; None if none is found.

    The same instances have the same intervals and detections, so the finest level is tried for all of them.
    """
    relations: list[Relation] = ["<="] if relation == "inclusion" else ["=="]
    if level != "meaning" and relation == "equivalence":
        relations.append("[=]" if level == "intervals" else "~=")
    for wanted in relations:
        claim = EquationClaim("patterns", Equation(left, right, wanted))
        claim = replace(claim, primitive=frozenset(claim.variables))
        proof = prove_equation(claim, portfolio, seed=seed)
        if proof is not None:
            return proof
    return None


def prove_equation(
    claim: EquationClaim, portfolio: Portfolio, *, operators: Operators = OPERATORS, seed: int = 0
) -> PatternProof | None:
    """A proof of an equation by the solvers alone, over integer time; None if it is not found soon."""
    open_parts = [obligation(claim, part, operators=operators) for part in directions(claim)]
    proved: list[tuple[Obligation, Verdict]] = []
    for attempt in LADDER[:2]:
        asked = [part.with_axioms(attempt.axioms) for part in open_parts]
        queries = [Query(part.id, part.text, attempt.budgets) for part in asked]
        verdicts = portfolio.check_all(queries, seed=seed)
        told = list(zip(asked, verdicts, strict=True))
        proved += [pair for pair in told if STANDINGS[pair[1].outcome].unbounded]
        open_parts = [part for part, verdict in told if not STANDINGS[verdict.outcome].unbounded]
        if not open_parts:
            standing = weakest(STANDINGS[verdict.outcome] for _, verdict in proved)
            return PatternProof(claim.equation, tuple(part for part, _ in proved), standing)
    return None
