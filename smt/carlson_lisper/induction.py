"""Conjectures by induction over instances: on a trace there are finitely many, so a shortest one is among any of them.

What is shown by induction is of one form, for each difference `X - Y` in a conjecture: within the interval of every
instance of X lies an instance of `X - Y`; or, where Y is a disjunction of Z and others, within that of every instance
of `X - Z`. The base is about an instance within whose interval there is no shorter one, the step assumes what is to be
shown of all shorter ones within it. The parts of the conjecture are then asked under what was shown.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from laws.carlson_lisper.claims import EquationClaim
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up
from semantics.carlson_lisper.operators import OPERATORS, Operator
from semantics.formulas import StreamView
from smt.attempts import ASSUMED_BUDGET, STANDINGS, Attempt, ObligationResult
from smt.carlson_lisper.obligations import BASE_AXIOMS, Writer, directions, equation_assertions, premises
from smt.obligations import Obligation
from smt.smtlib import TimeSort, conjunction, disjunction, negation
from smt.solvers.portfolio import Portfolio, Query

ATTEMPT = Attempt(BASE_AXIOMS, {"z3": 400_000, "cvc5": 40_000})
"""Axioms about instances, and the budget of each obligation."""

View = StreamView[str, str]

Lemma = tuple[Expression, Operation]
"""Within the interval of every instance of the first lies an instance of the second."""


def by_induction(
    claim: EquationClaim, portfolio: Portfolio, time: TimeSort, seed: int, operators: Mapping[str, Operator] = OPERATORS
) -> tuple[ObligationResult, ...]:
    """The obligations of a proof by induction, all of them proved; none if there is no such proof."""
    nodes = (node for side in (claim.equation.left, claim.equation.right) for node in bottom_up(side))
    differences = [one for one in dict.fromkeys(nodes) if isinstance(one, Operation) and one.operator == "neg"]
    shown: list[Lemma] = []
    found: list[ObligationResult] = []
    for number, difference in enumerate(differences, 1):
        for lemma in _lemmas(difference):
            parts = [_obligation(claim, lemma, f"{part} {number}", time, operators) for part in ("base", "step")]
            results = _proved(parts, portfolio, seed)
            if results:
                shown.append(lemma)
                found += results
                break
    if not shown:
        return ()
    results = _proved([_concluded(claim, part, shown, time, operators) for part in directions(claim)], portfolio, seed)
    return (*found, *results) if results else ()


def _proved(parts: Sequence[Obligation], portfolio: Portfolio, seed: int) -> tuple[ObligationResult, ...]:
    """The results of obligations all of which are proved, from hypotheses that do not contradict each other."""
    results = []
    for part in parts:
        verdict = portfolio.check(Query(part.id, part.text, ATTEMPT.budgets), seed=seed)
        standing = STANDINGS[verdict.outcome]
        assumed = replace(part, assertions=part.assertions[:-1])
        if not standing.unbounded or portfolio.solvers[0].check(assumed.text, rlimit=ASSUMED_BUDGET).status == "unsat":
            return ()
        results.append(ObligationResult(part, standing, verdict.opinions, "no contradiction found", verdict.reason))
    return tuple(results)


def _lemmas(difference: Operation) -> Iterator[Lemma]:
    """What may be shown of a difference X - Y, the strongest first: of X, then of X without all of Y but a disjunct."""
    whole, subtracted = difference.operands
    yield whole, difference
    disjuncts = [subtracted]
    while isinstance(first := disjuncts[0], Operation) and first.operator == "dis":
        disjuncts[:1] = first.operands
    for number in range(len(disjuncts) if len(disjuncts) > 1 else 0):
        others = reduce(lambda one, other: Operation("dis", (one, other)), disjuncts[:number] + disjuncts[number + 1 :])
        yield Operation("neg", (whole, others)), difference


def _obligation(
    claim: EquationClaim, lemma: Lemma, name: str, time: TimeSort, operators: Mapping[str, Operator]
) -> Obligation:
    """The base or the step: within an instance x of the whole lies one of the difference."""
    writer = Writer(time, operators)
    streams, assumptions = premises(writer, claim)
    whole, part = (writer.denote(one, streams) for one in lemma)
    x = writer.declare("x", "Instance")
    assumptions.append(whole.member(x))
    if name.startswith("base"):
        assumptions.append(whole.each(lambda y: negation(_shorter_within(y, x))))
    else:
        assumptions.append(whole.some(lambda y: _shorter_within(y, x)))
        assumptions.append(whole.each(lambda y: disjunction((negation(_shorter_within(y, x)), _holds(part, y)))))
    statement = f"within every instance of {lemma[0]} lies one of {lemma[1]}"
    return writer.obligation(claim.id, name, statement, [*assumptions, negation(_holds(part, x))], ATTEMPT.axioms)


def _concluded(
    claim: EquationClaim, direction: str, shown: Sequence[Lemma], time: TimeSort, operators: Mapping[str, Operator]
) -> Obligation:
    """A part of the conjecture under what was shown by induction."""
    writer = Writer(time, operators)

    def lemmas(streams: Mapping[str, View]) -> Iterator[str]:
        for lemma in shown:
            whole, part = (writer.denote(one, streams) for one in lemma)
            yield whole.each(lambda x, part=part: _holds(part, x))  # type: ignore[misc]

    assertions = equation_assertions(writer, claim, direction, lemmas=lemmas)
    return writer.obligation(claim.id, f"{direction} by induction", claim.statement, assertions, ATTEMPT.axioms)


def _holds(part: View, x: str) -> str:
    """What is shown of an instance x: within it lies an instance of a stream."""
    return part.some(lambda z: _within(z, x))


def _within(inner: str, outer: str) -> str:
    return conjunction((f"(<= (start {outer}) (start {inner}))", f"(<= (end {inner}) (end {outer}))"))


def _shorter_within(inner: str, outer: str) -> str:
    inner_length, outer_length = (f"(- (end {each}) (start {each}))" for each in (inner, outer))
    return conjunction((_within(inner, outer), f"(< {inner_length} {outer_length})"))
