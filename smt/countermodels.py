"""Search for concrete streams over a few occurrences: counterexamples of claims and witnesses of hypotheses.

The query ranges over all streams over k occurrences with arbitrary integer times (`semantics.pool`), so within k it
misses nothing. What it finds is only a suspicion until `laws.counterexamples` has replayed it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from laws.claims import Claim, EquationClaim, RestrictionClaim
from laws.counterexamples import (
    Counterexample,
    RestrictionCounterexample,
    concretise,
    replay_restriction,
    with_derived,
)
from semantics.denotation import denotation
from semantics.formulas import Scope, interpret
from semantics.occurrences import Instance, Occurrence, Stream
from semantics.operators import OPERATORS, Operator
from semantics.pool import Pool, PoolStream
from semantics.restriction import DOMINATED, REM, rem
from smt.smtlib import FALSE, TRUE, bound_term, conjunction, disjunction, negation, parameter_name, symbol
from smt.solver import Answer, Solver

MAX_OCCURRENCES = 4
"""The default limit of the search."""

SEARCH_RLIMIT = 20_000_000
"""The budget of one query, in the solver's units of work."""


class _TextAlgebra:
    """Truth values and times as SMT-LIB terms; named parts become definitions, so that nothing is written twice."""

    def __init__(self) -> None:
        self.definitions: list[str] = []

    def earliest(self, times: Sequence[str]) -> str:
        """The occurrences of a pool are numbered in order of time."""
        return times[0]

    def latest(self, times: Sequence[str]) -> str:
        """The occurrences of a pool are numbered in order of time."""
        return times[-1]

    def subtract(self, left: str, right: str) -> str:
        return "0" if left == right else f"(- {left} {right})"

    def compare(self, relation: str, left: str, right: str) -> str:
        if left == right:
            return FALSE if relation == "<" else TRUE
        return f"({relation} {left} {right})"

    def constant(self, value: bool) -> str:
        return TRUE if value else FALSE

    def every(self, parts: Iterable[str]) -> str:
        return conjunction(parts)

    def either(self, parts: Iterable[str]) -> str:
        return disjunction(parts)

    def negate(self, part: str) -> str:
        return negation(part)

    def name(self, hint: str, part: str) -> str:
        if " " not in part:
            return part
        name = f"|{hint}#{len(self.definitions)}|"
        self.definitions.append(f"(define-fun {name} () Bool {part})")
        return name


class _Query:
    """A query about streams over k occurrences."""

    def __init__(self, occurrences: int, operators: Mapping[str, Operator]) -> None:
        self.operators = operators
        self.algebra = _TextAlgebra()
        self.times = [f"time@{number}" for number in range(occurrences)]
        self.pool: Pool[str, str] = Pool(self.algebra, self.times)
        self.names: list[str] = []
        self.declarations = [f"(declare-const {time} Int)" for time in self.times]
        self.assertions = [f"(= {self.times[0]} 0)"]
        self.assertions += [f"(<= {a} {b})" for a, b in zip(self.times, self.times[1:], strict=False)]

    def stream(self, name: str) -> PoolStream[str, str]:
        """An arbitrary stream over the pool."""
        self.names.append(name)
        belongs = {mask: symbol(f"{name}.{mask}") for mask in self.pool.instances}
        self.declarations += [f"(declare-const {constant} Bool)" for constant in belongs.values()]
        return self.pool.stream(belongs)

    def parameter(self, name: str) -> str:
        """An arbitrary bound."""
        constant = symbol(parameter_name(name))
        self.declarations.append(f"(declare-const {constant} Int)")
        self.assertions.append(f"(<= 0 {constant})")
        return constant

    def variables(self, claim: EquationClaim) -> dict[str, PoolStream[str, str]]:
        """Streams for the identifiers of an equation, and its bounds."""
        streams = {name: self.stream(name) for name in claim.variables}
        self.assertions.append(self.pool.primitive_types(claim.primitive, streams))
        for name in claim.parameters:
            self.parameter(name)
        return streams

    def text(self, *conditions: str) -> str:
        """The query as SMT-LIB 2 text."""
        asserted = [f"(assert {formula})" for formula in (*self.assertions, *conditions)]
        return "\n".join(
            [
                "(set-logic QF_LIA)",
                *self.declarations,
                *self.algebra.definitions,
                *asserted,
                "(check-sat)",
                "",
            ]
        )

    def decode(self, answer: Answer) -> tuple[dict[str, Stream], dict[str, int]]:
        """The streams and the bounds of a model."""
        values = answer.values
        occurrences = [
            Occurrence(f"x{bit + 1}", int(values.get(time, 0))) for bit, time in enumerate(self.times)
        ]
        streams: dict[str, Stream] = {}
        for name in self.names:
            masks = [mask for mask in self.pool.instances if values.get(f"{name}.{mask}")]
            streams[name] = frozenset(
                Instance(o for bit, o in enumerate(occurrences) if mask >> bit & 1) for mask in masks
            )
        prefix = parameter_name("")
        bounds = {n.removeprefix(prefix): int(v) for n, v in values.items() if n.startswith(prefix)}
        return streams, bounds


@dataclass(frozen=True)
class Search:
    """The outcome of a search.

    Attributes:
        counterexample: what was found and replayed, if anything.
        complete_up_to: there is no counterexample over this many occurrences or fewer.
        seconds: the time spent in the solver.
        unconfirmed: models that the executable semantics did not confirm; an error of the machinery if not zero.
    """

    counterexample: Counterexample | RestrictionCounterexample | None
    complete_up_to: int
    seconds: float
    unconfirmed: int = 0


def find_counterexample(
    claim: Claim,
    solver: Solver,
    *,
    max_occurrences: int = MAX_OCCURRENCES,
    operators: Mapping[str, Operator] = OPERATORS,
) -> Search:
    """Search for a counterexample with the fewest occurrences, and among those with the shortest span."""
    seconds, complete, unconfirmed = 0.0, 0, 0
    for occurrences in range(1, max_occurrences + 1):
        query = _Query(occurrences, operators)
        failure = _failure(query, claim)
        span = ""
        found: Counterexample | RestrictionCounterexample | None = None
        while True:
            answer = solver.check(query.text(failure, *([span] if span else [])), rlimit=SEARCH_RLIMIT)
            seconds += answer.seconds
            if answer.status != "sat":
                break
            streams, bounds = query.decode(answer)
            confirmed = _confirm(claim, streams, bounds, operators)
            if confirmed is None:
                unconfirmed += 1
                break
            found = confirmed
            width = int(answer.values.get(query.times[-1], 0))
            if width == 0:
                break
            span = f"(< {query.times[-1]} {width})"
        if found is not None:
            return Search(found, complete, seconds, unconfirmed)
        if answer.status == "unsat" and complete == occurrences - 1:
            complete = occurrences
    return Search(None, complete, seconds, unconfirmed)


def _failure(query: _Query, claim: Claim) -> str:
    """The condition under which a claim fails over the pool."""
    match claim:
        case EquationClaim():
            sides = _sides(query, claim)
            return disjunction(
                _escapes(query, claim, inner, outer)
                for inner, outer in (sides, sides[::-1])[: 1 if claim.equation.relation == "<=" else 2]
            )
        case RestrictionClaim():
            streams, hypotheses = _restricted(query, claim)
            failing = [
                negation(interpret(conclusion, query.pool, Scope({}, streams, {})))
                for _, conclusion in claim.conclusions
            ]
            return conjunction([*hypotheses, disjunction(failing)])


def _sides(query: _Query, claim: EquationClaim) -> tuple[PoolStream[str, str], PoolStream[str, str]]:
    streams = query.variables(claim)
    return (
        query.pool.denotation(claim.equation.left, streams, bound_term, query.operators),
        query.pool.denotation(claim.equation.right, streams, bound_term, query.operators),
    )


def _escapes(
    query: _Query, claim: EquationClaim, inner: PoolStream[str, str], outer: PoolStream[str, str]
) -> str:
    if claim.equation.relation == "~=":
        return negation(interpret(DOMINATED, query.pool, Scope({}, {"S": inner, "T": outer}, {})))
    return inner.some(lambda mask: negation(outer.member(mask)))


def _restricted(query: _Query, claim: RestrictionClaim) -> tuple[dict[str, PoolStream[str, str]], list[str]]:
    streams = {name: query.stream(name) for name in claim.streams}
    bound = query.parameter("t") if claim.uses_bound else None
    for name, derived in claim.derived.items():
        definition = query.operators[derived.operator]
        operands = [streams[operand] for operand in derived.operands]
        streams[name] = query.pool.apply(definition, operands, bound if definition.bounded else None, name)
    hypotheses = [
        interpret(condition, query.pool, Scope({}, {"S": streams[whole], "S'": streams[part]}, {}))
        for whole, part in claim.restrictions
        for condition in REM.conditions
    ]
    return streams, hypotheses


def _confirm(
    claim: Claim, streams: Mapping[str, Stream], bounds: Mapping[str, int], operators: Mapping[str, Operator]
) -> Counterexample | RestrictionCounterexample | None:
    match claim:
        case EquationClaim():
            values = {name: bounds.get(name, 0) for name in claim.parameters}
            return concretise(claim, streams, values, operators)
        case RestrictionClaim():
            bound = bounds.get("t", 0) if claim.uses_bound else None
            replays = (
                replay_restriction(claim, conclusion, streams, bound, operators)
                for conclusion, _ in claim.conclusions
            )
            return next((found for found in replays if found is not None), None)


# ------------------------------------------------------------------------------------- witnesses of the hypotheses


def hypotheses_witness(
    claim: Claim,
    direction: str,
    solver: Solver,
    *,
    max_occurrences: int = MAX_OCCURRENCES,
    operators: Mapping[str, Operator] = OPERATORS,
) -> Mapping[str, Stream] | None:
    """Streams for which the hypotheses of an obligation hold in a way that matters, replayed; None if none is found.

    For an inclusion some instance must belong to the smaller side; for a claim about restrictions all restrictions
    must hold with non-empty streams. An obligation without such a witness would be proved by saying nothing.
    """
    for occurrences in range(1, max_occurrences + 1):
        query = _Query(occurrences, operators)
        match claim:
            case EquationClaim():
                sides = _sides(query, claim)
                inner = sides[0] if direction == "⊆" else sides[1]
                condition = inner.some(lambda _: TRUE)
            case RestrictionClaim():
                streams, hypotheses = _restricted(query, claim)
                condition = conjunction([*hypotheses, *(s.some(lambda _: TRUE) for s in streams.values())])
        answer = solver.check(query.text(condition), rlimit=SEARCH_RLIMIT)
        if answer.status == "sat":
            found, bounds = query.decode(answer)
            if _witnesses(claim, direction, found, bounds, operators):
                return found
    return None


def _witnesses(
    claim: Claim,
    direction: str,
    streams: Mapping[str, Stream],
    bounds: Mapping[str, int],
    operators: Mapping[str, Operator],
) -> bool:
    match claim:
        case EquationClaim():
            side = claim.equation.left if direction == "⊆" else claim.equation.right
            values = {name: bounds.get(name, 0) for name in claim.parameters}
            return bool(denotation(side, streams, values, operators=operators))
        case RestrictionClaim():
            known = with_derived(claim, streams, bounds.get("t", 0), operators)
            return all(known.values()) and all(
                rem(known[whole], known[part]) for whole, part in claim.restrictions
            )
