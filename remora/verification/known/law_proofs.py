"""Known answers about proofs of laws: derivations, inductions, and the models in which something fails."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from unittest.mock import Mock, patch

from laws.carlson_lisper.altered.alterations import ALTERATIONS
from laws.carlson_lisper.checks.counterexamples import holds
from laws.carlson_lisper.checks.smallest import smallest_counterexample
from laws.carlson_lisper.checks.witnesses import is_witness
from laws.carlson_lisper.claims import EquationClaim, RestrictionClaim
from laws.carlson_lisper.derivations import Citation, Link, computations, derivations, law
from laws.carlson_lisper.statements.algebra import Condition, finite_condition
from laws.carlson_lisper.statements.formula_syntax import parse_set
from laws.standings import Standing
from laws.systems import find
from proofs.record import TIMES
from remora.verification.known.answers import Checks, Row
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import BoundParameter
from semantics.carlson_lisper.interpretations import interpretation
from semantics.carlson_lisper.occurrences import Occurrence, Stream, by_end_time
from semantics.carlson_lisper.syntax import Relation, parse, parse_equation
from semantics.formulas import Not
from smt.attempts import prove_all
from smt.carlson_lisper.countermodels import (
    find_counterexample,
    find_dense_counterexample,
    hypotheses_witness,
)
from smt.carlson_lisper.derivations import check_computation, check_derivation, check_link, follows, is_true
from smt.carlson_lisper.entailment import Entailment, Question, find_algebra, smallest_citations
from smt.carlson_lisper.induction import by_induction
from smt.carlson_lisper.instance_queries import ATTEMPTS, SameSet, prove_goal, same_meaning
from smt.carlson_lisper.law_proofs import LawProof, _laws_standing
from smt.carlson_lisper.obligations import Writer
from smt.obligations import Obligation
from smt.solvers.portfolio import Portfolio
from smt.solvers.solver import Answer, SolverFailed, Strategy
from smt.solvers.z3_solver import Z3

checks = Checks()


def claim(statement: str, primitive: str = "") -> EquationClaim:
    """An equation that nobody claims."""
    return EquationClaim("known", parse_equation(statement), frozenset(primitive))


class Partial:
    """A solver that proves texts with a word in them; of others it knows nothing, or it breaks down."""

    strategy = Strategy("known")

    def __init__(self, name: str, word: str, *, failing: bool = False) -> None:
        self.name, self._word, self._failing = name, word, failing

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        """A proof, nothing or a breakdown."""
        if self._word in text:
            return Answer("unsat", self.name, 0.0, 1)
        if self._failing:
            raise SolverFailed(f"{self.name} broke down")
        return Answer("unknown", self.name, 0.0, 1, "it does not know")

    def close(self) -> None:
        """Nothing to do."""


def denied(*assertions: str) -> Obligation:
    """A question whose assertions are given."""
    return Writer().obligation("known", "base 1", "false", assertions)


DENSE = "(a ; (b ; c))[1] == (a ; (b ; c))[0]"
"""An equation that holds over integer time, and fails in halves of a tick."""

_UNDERIVED = (
    claim("A[0] == A"),
    claim("a == a | b", "ab"),
    claim("b | (a ; b) == b", "ab"),
    claim("A | B == A"),
    claim("A ; B == A + B"),
    claim("a | b <= a", "ab"),
    claim("A | B <= A"),
    claim("(A + A) - B == (A | (A ; A)) - B"),
)
"""False equations, some of which hold of event types alone, of detections alone, or in one direction."""


@checks.known(
    "derivations", "what does not follow is not derived, and laws that are not proved derive nothing"
)
def _derivations(portfolio: Portfolio) -> Iterator[Row]:
    for false in _UNDERIVED:
        yield f"a way to {false.statement}", LawProof(false).derive(portfolio, "int", 0), ()
    sequences = claim("A ; (B ; (C ; D)) == ((A ; B) ; C) ; D")
    found = LawProof(sequences).derive(portfolio, "int", 0)
    yield "a chain of sequences", [part.standing.unbounded for part in found], [True]
    for altered in ALTERATIONS:
        found = LawProof(sequences, altered.operators()).derive(portfolio, "int", 0)
        yield f"a chain of sequences, with {altered.what}", found, ()
    yield from _chains()
    with Portfolio([Partial("z3", "declare-sort Expression")]) as partial_:
        unproved = LawProof(claim("A | (B | C) == (C | B) | A"))
        yield "a derivation from laws that are not proved", unproved.derive(partial_, "int", 0), ()


_CHAINS = "smt.carlson_lisper.derivations."
_T, _U = BoundParameter("t"), BoundParameter("u")


def _chains() -> Iterator[Row]:
    """Chains of the source, of which one case, or everything, is not proved."""
    derivation, computation = derivations()[0], computations()[0]
    for sign, infinite, due in (
        ("<=", "u", True),
        ("<=", "t", False),
        ("<", "tu", False),
        ("=", "tu", True),
        ("=", "u", False),
        ("<", "", Condition("<", _T, _U)),
    ):
        found = finite_condition(Condition(sign, _T, _U), frozenset(infinite))
        yield f"t {sign} u, where {infinite or 'neither'} is infinite", found, due
    asked: Any = ["follows", "open", "follows"]
    with patch(_CHAINS + "decide", lambda said, _: Entailment(said, "")):
        yield "a step of which one case is open", follows(asked, Z3()).status, "open"
    for statement in ("A == A | B", "A | B == A"):
        said = prove_goal(same_meaning(parse_equation(statement)), Z3()).status
        yield f"{statement}, whose sides include each other in one direction", said == "unsat", False
    for status, right in (("unsat", True), ("unknown", False), ("sat", False)):
        with patch(_CHAINS + "prove_goal", lambda *_, status=status, **__: Answer(status, "z3", 0.0, 1)):
            true = is_true(derivation, derivation.steps[0].meant.equation, Z3())
            yield f"a step that is {status}", true, right
            lines = set(check_computation(computation, Z3()).lines)
            yield f"lines of a computation that are {status}", lines, {"proved" if right else "not proved"}


@checks.known(
    "citations", "a chain has all of its cases and lines, and what is cited for it is needed and enough"
)
def _citations() -> Iterator[Row]:
    derivation, computation = derivations()[0], computations()[0]
    for infinite, cases in (("t", 2), ("tu", 4)):
        free = replace(derivation, conditions=(), infinite=tuple(infinite), always_infinite=frozenset())
        yield f"cases where {infinite} may be infinite", len(list(free.cases())), cases
    first, *_, last = computation.lines
    assert computation.law is not None
    for lines, right in ([first, last], True), ([last, first], True), ([first, first], False):
        yield f"{lines} as a computation of its law", computation.proves(computation.law, lines), right
    both = SameSet(parse_set("{a | a ∈ A ∧ a ∈ B}"), parse_set("A"))
    yield "what belongs to two sets, and to one", prove_goal(both, Z3()).status == "unsat", False
    equation = parse_equation("A | B == B | A")
    found = check_link(derivation, Link(equation, Citation((2, 3))), Z3())
    yield f"what {equation} does not need of laws 2 and 3", found.superfluous, (3,)
    citation = smallest_citations(Question(equation, ()), [law(2), law(3)], Partial("z3", "no such word"))
    yield "sets of two laws of which nobody knows", (citation.sets, citation.undecided), ((), 4)
    values = {"value.A": 0, "value.B": 1, "dis.0.1": 1}
    liar = Mock(check=Mock(return_value=Answer("sat", "liar", 0.0, 1, "", values)))
    for laws in ((), (law(2),)):
        algebra = find_algebra(Question(equation, laws), liar, 2)
        yield f"an algebra without {equation} and with {len(laws)} laws", algebra is None, bool(laws)
    algebra = find_algebra(Question(equation, (), (equation,)), liar, 2)
    yield f"an algebra without {equation} and where that is assumed", algebra, None
    assumed = parse_equation("A | B == A")
    for cited in (False, True):
        link = Link(assumed, Citation((), assumptions=cited))
        step = replace(derivation.steps[0], meant=link, as_printed=link)
        given = replace(derivation, steps=(step,), assumptions=(assumed,), printed_assumptions=())
        (said,) = check_derivation(given, Z3())
        assert said.as_printed is not None
        follow = [one.entailment.status == "follows" for one in (said.meant, said.as_printed)]
        yield f"an assumption that is not printed, and cited: {cited}", follow, [cited, False]


INDUCTIVE = {"int": "A - (B - (C ; B)) == A - B", "real": "A ; B ~= (A - (A ; A)) ; B"}
"""True equations that need induction over instances, by the time over which they are asked."""

NOT_INDUCTIVE = ("A ; B ~= (A - (A + A)) ; B", "(A - (A ; A)) ; B == A ; B")
"""False neighbours of such equations."""


@checks.known("induction", "an induction has a base and a step")
def _induction(portfolio: Portfolio) -> Iterator[Row]:
    for statement in NOT_INDUCTIVE:
        yield f"{statement} by induction", by_induction(claim(statement), portfolio, "int", 0), ()
    for time in TIMES:
        found = by_induction(claim(INDUCTIVE[time]), portfolio, time, 0)
        names = [one.obligation.direction for one in found if one.standing.unbounded]
        right = ["base 1", "step 1", "⊆ by induction", "⊇ by induction"]
        yield f"{INDUCTIVE[time]} over {time} time", names, right
    contrary = denied("false", "(not false)")
    with patch("smt.carlson_lisper.induction._lemma", lambda *_: contrary):
        again = by_induction(claim(INDUCTIVE["int"]), portfolio, "int", 0)
    yield "hypotheses that contradict each other", again, ()


@checks.known("searches", "a search that breaks down has not found that there is nothing")
def _searches() -> Iterator[Row]:
    true = claim("A ; (B ; (C ; (D ; E))) == ((A ; B) ; C) ; (D ; E)")
    with Portfolio([Partial("z3", "no such word", failing=True)]) as failing:
        proof = LawProof(true)
        proof.obligations("int")
        yield "a solver that breaks down", [bool(proof.refute(e, failing).failure) for e in (0, 1)][-1], True
        (result,) = prove_all([LawProof(true)], failing)
        yield "the claim", result.standing, Standing.ERROR
    found = LawProof(claim("A ; B == B ; A")).cross_check()
    yield "a proof of what two occurrences refute", found.counterexample is not None, True
    trace = interpretation([Occurrence("a", 0), Occurrence("a", 1), Occurrence("b", 2)])
    both, latest, ends = (denotation(parse(text), trace) for text in ("a ; b", "(a ; b)[1]", "b"))
    related: tuple[tuple[Relation, Stream, Stream, bool], ...] = (
        ("==", both, latest, False),
        ("<=", both, both, True),
        ("<=", latest, both, True),
        ("<=", both, latest, False),
        ("~=", both, latest, True),
        ("~=", latest, ends, False),
        ("~=", ends, latest, False),
    )
    for relation, left, right, so in related:
        yield f"whether {by_end_time(left)} {relation} {by_end_time(right)}", holds(relation, left, right), so


# ---------------------------------------------------------------------------------------------------- models

_MODELS = "smt.carlson_lisper.countermodels."


@dataclass
class _Liar:
    """A solver that has a model of everything, in which nothing occurs."""

    name: str = "liar"

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        return Answer("sat", self.name, 0.0, 0)


@checks.known(
    "models", "what a solver finds is a counterexample when it is one, and it is asked for each there may be"
)
def _models() -> Iterator[Row]:
    z3 = Z3()
    by_solver = partial(find_counterexample, solver=z3, table_occurrences=0)
    for statement in ("A | B == A", "A == A | B"):
        found = by_solver(claim(statement), max_occurrences=1)
        yield f"a counterexample of {statement}", found.counterexample is not None, True
    with patch(_MODELS + "confirm", lambda *_: None):
        unconfirmed = by_solver(claim("A == A | B"), max_occurrences=1).unconfirmed
        yield "a model that is not confirmed", unconfirmed, True
    (theorem,) = find(["theorem:4.5"])
    assert isinstance(theorem, RestrictionClaim)
    (first, formula), *_ = theorem.conclusions
    for title, conclusions, right in (
        ("is true", theorem.conclusions, (False, False)),
        ("has a false conclusion", ((first, formula), ("no", Not(formula))), (True, False)),
    ):
        found = by_solver(replace(theorem, conclusions=conclusions), max_occurrences=2)
        yield f"a theorem that {title}", (found.counterexample is not None, found.unconfirmed), right
    for dense in (claim(DENSE), claim(DENSE.replace("[1]", "[min(t, 1)]"))):
        for search, fails in ((find_counterexample, False), (find_dense_counterexample, True)):
            found = search(dense, z3, max_occurrences=3)
            yield f"{dense.statement} by {search.__name__}", found.counterexample is not None, fails
    for statement, complete in (("A[1] == A[1][2]", 4), ("A[t][1] == A[1][t]", 3)):
        found = find_dense_counterexample(claim(statement), z3, max_occurrences=4)
        yield f"how far there is none of {statement}", found.complete_up_to, complete
    with patch(_MODELS + "in_dense_time", lambda *_: None):
        found = find_dense_counterexample(claim(DENSE), z3, max_occurrences=3)
        yield "one of dense time that is not confirmed", found.unconfirmed, True
    right_empty = claim("A == B - B")
    for direction, solver, witnessed in (("⊆", z3, True), ("⊇", z3, False), ("⊇", _Liar(), False)):
        witness = hypotheses_witness(right_empty, direction, solver, max_occurrences=2)
        yield f"a witness of {direction} by {solver.name}", witness is not None, witnessed
    nothing = is_witness(theorem, "left", dict.fromkeys(theorem.streams, frozenset()), {})
    yield "a witness in which nothing occurs", nothing, False
    for alteration in ALTERATIONS:
        (altered,) = find([alteration.law])
        assert isinstance(altered, EquationClaim)
        for operators, fails in (({}, False), (alteration.operators(), True)):
            searched = (
                smallest_counterexample(altered, operators) if operators else smallest_counterexample(altered)
            )
            got = bool(searched.counterexample)
            yield f"{altered.id}, {alteration.what if fails else 'as it is'}", got, fails


@checks.known("laws over dense time", "what holds over integer time alone is not proved over dense time")
def _laws(portfolio: Portfolio) -> Iterator[Row]:
    for time in TIMES:
        law_stands = _laws_standing([claim(DENSE)], portfolio, time, 0).unbounded
        derived = bool(LawProof(claim(DENSE, "abc")).derive(portfolio, time, 0))
        said = prove_goal(same_meaning(parse_equation(DENSE)), Z3(), time=time, attempts=ATTEMPTS[:1])
        for way, proved in (("law", law_stands), ("conjecture", derived), ("goal", said.status == "unsat")):
            yield f"{DENSE} as a {way} over {time} time", proved, time == "int"
