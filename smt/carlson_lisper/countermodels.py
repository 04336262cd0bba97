"""Search for concrete streams over a few occurrences: counterexamples of claims and witnesses of hypotheses.

Truth tables come first (`laws.carlson_lisper.checks.smallest`), which find the smallest counterexample. Where they
end, a solver is asked for streams over k occurrences with arbitrary integer times (`semantics.carlson_lisper.pool`), so
that within k nothing is missed. What it finds is only a suspicion until `laws.carlson_lisper.checks.counterexamples`
has made it smaller, occurrence by occurrence, and replayed it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from laws.carlson_lisper.checks.counterexamples import Counterexample, concretise
from laws.carlson_lisper.checks.dense_time import in_dense_time, in_parts, parts_for, tells_dense_time
from laws.carlson_lisper.checks.exhaustive import LARGEST_TABLE_SEARCH, smallest_counterexample
from laws.carlson_lisper.checks.truth_tables import writable
from laws.carlson_lisper.claims import Claim, EquationClaim
from semantics.carlson_lisper.expressions import Bound, fold
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Stream
from semantics.carlson_lisper.operators import OPERATORS, Operator
from semantics.carlson_lisper.pool import Pool, PoolStream
from semantics.carlson_lisper.restriction import DOMINATED
from semantics.formulas import Scope, interpret
from smt.attempts import Search
from smt.carlson_lisper.symbolic import SymbolicLogic, bound_term, parameter_name, parameter_symbol
from smt.smtlib import FALSE, TRUE, disjunction, negation, symbol
from smt.solvers.solver import Answer, Solver

MAX_OCCURRENCES = 4
"""The default limit of the search."""

SEARCH_RLIMIT = 5_000_000
"""The budget of one query, in the solver's units of work."""

SEARCH_LOGIC = "QF_UFLIA"

PARTS = 12
"""Into how many parts a tick is divided in dense time where it is not known how many suffice."""


class _TextAlgebra(SymbolicLogic):
    """Truth values and times as SMT-LIB terms; named parts become definitions, so that nothing is written twice."""

    def __init__(self) -> None:
        super().__init__()
        self.definitions: list[str] = []

    def subtract(self, left: str, right: str) -> str:
        return "0" if left == right else f"(- {left} {right})"

    def compare(self, relation: str, left: str, right: str) -> str:
        if left == right:
            return FALSE if relation == "<" else TRUE
        return f"({relation} {left} {right})"

    def constant(self, value: bool) -> str:
        return TRUE if value else FALSE

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
        self.streams: dict[str, PoolStream[str, str]] = {}
        self.declarations = [f"(declare-const {time} Int)" for time in self.times]
        # The function makes no difference to what is asked. With it, Z3 does not take the strategy that it has for
        # arithmetic alone, whose preparations take longer than the whole search.
        self.declarations.append("(declare-fun clock (Int) Int)")
        self.assertions = [f"(= {self.times[0]} 0)", f"(= (clock 0) {self.times[0]})"]
        self.assertions += [f"(<= {a} {b})" for a, b in zip(self.times, self.times[1:], strict=False)]

    def stream(self, name: str) -> PoolStream[str, str]:
        belongs = {mask: symbol(f"{name}.{mask}") for mask in self.pool.instances}
        self.declarations += [f"(declare-const {constant} Bool)" for constant in belongs.values()]
        self.streams[name] = self.pool.stream(belongs)
        return self.streams[name]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.streams)

    def parameter(self, name: str) -> str:
        constant = parameter_symbol(name)
        self.declarations.append(f"(declare-const {constant} Int)")
        self.assertions.append(f"(<= 0 {constant})")
        return constant

    def variables(self, claim: EquationClaim) -> dict[str, PoolStream[str, str]]:
        """Streams for the identifiers of an equation, and its bounds."""
        streams = {name: self.stream(name) for name in claim.variables}
        if claim.primitive:
            pairs = combinations(range(len(self.times)), 2)
            at_once = {(one, other): f"(= {self.times[one]} {self.times[other]})" for one, other in pairs}
            self.assertions.append(writable(self.pool, streams, claim.primitive, at_once))
        for name in claim.parameters:
            self.parameter(name)
        return streams

    def text(self, *conditions: str) -> str:
        asserted = [f"(assert {formula})" for formula in (*self.assertions, *conditions)]
        return "\n".join(
            [f"(set-logic {SEARCH_LOGIC})", *self.declarations, *self.algebra.definitions, *asserted, "(check-sat)", ""]
        )

    def decode(self, answer: Answer) -> tuple[dict[str, Stream], dict[str, int]]:
        """The streams and the bounds of a model."""
        values = answer.values
        occurrences = [Occurrence(f"x{bit + 1}", int(values.get(time, 0))) for bit, time in enumerate(self.times)]
        streams: dict[str, Stream] = {}
        for name in self.names:
            masks = [mask for mask in self.pool.instances if values.get(f"{name}.{mask}")]
            streams[name] = frozenset(
                Instance(o for bit, o in enumerate(occurrences) if mask >> bit & 1) for mask in masks
            )
        prefix = parameter_name("")
        bounds = {n.removeprefix(prefix): int(v) for n, v in values.items() if n.startswith(prefix)}
        return streams, bounds


def find_counterexample(
    claim: Claim,
    solver: Solver,
    *,
    max_occurrences: int = MAX_OCCURRENCES,
    operators: Mapping[str, Operator] = OPERATORS,
    table_occurrences: int = LARGEST_TABLE_SEARCH,
) -> Search:
    """Search for a counterexample: the smallest one as far as truth tables reach, then what a solver finds, made small.

    Args:
        table_occurrences: up to so many occurrences truth tables are used, as far as they reach; none if 0.
    """
    tables = smallest_counterexample(claim, operators, max_occurrences=min(table_occurrences, max_occurrences))
    complete, seconds = tables.complete_up_to, 0.0
    if tables.counterexample is not None or tables.unconfirmed:
        return Search(tables.counterexample, complete_up_to=complete, unconfirmed=tables.unconfirmed)
    if not isinstance(claim, EquationClaim):
        return Search(complete_up_to=complete)
    for occurrences in range(complete + 1, max_occurrences + 1):
        query = _Query(occurrences, operators)
        answer = solver.check(query.text(_failure(query, claim)), rlimit=SEARCH_RLIMIT)
        seconds += answer.seconds
        if answer.status == "sat":
            streams, values = query.decode(answer)
            bounds = {name: values.get(name, 0) for name in claim.parameters}
            found = concretise(claim, streams, bounds, operators)
            return Search(found, complete_up_to=complete, seconds=seconds, unconfirmed=found is None)
        if answer.status == "unsat" and complete == occurrences - 1:
            complete = occurrences
    return Search(complete_up_to=complete, seconds=seconds)


def find_dense_counterexample(
    claim: Claim,
    solver: Solver,
    *,
    max_occurrences: int = MAX_OCCURRENCES,
    operators: Mapping[str, Operator] = OPERATORS,
) -> Search:
    """Search for a counterexample in dense time: first with whole numbers, then with parts of a tick.

    What is found with parts of a tick is the smallest with so many of them. Where it is not known how many parts
    suffice, the search is not complete.
    """
    whole = find_counterexample(claim, solver, max_occurrences=max_occurrences, operators=operators)
    if whole.counterexample is not None or whole.unconfirmed or not tells_dense_time(claim, operators):
        return whole
    assert isinstance(claim, EquationClaim)
    complete, seconds = 0, whole.seconds
    for occurrences in range(1, max_occurrences + 1):
        sufficient = parts_for(claim, occurrences)
        parts = sufficient or PARTS
        if parts == 1:
            found = replace(whole, complete_up_to=min(whole.complete_up_to, occurrences))
        else:
            scaled = in_parts(claim, parts)
            found = find_counterexample(scaled, solver, max_occurrences=occurrences, operators=operators)
            seconds += found.seconds
        if isinstance(found.counterexample, Counterexample):
            counterexample = in_dense_time(claim, found.counterexample, parts, operators)
            return replace(
                found,
                counterexample=counterexample,
                complete_up_to=complete,
                seconds=seconds,
                unconfirmed=found.unconfirmed or counterexample is None,
            )
        if found.unconfirmed:
            return replace(found, complete_up_to=complete, seconds=seconds)
        if sufficient is not None and complete == occurrences - 1 and found.complete_up_to >= occurrences:
            complete = occurrences
    return Search(complete_up_to=complete, seconds=seconds)


def _failure(query: _Query, claim: EquationClaim) -> str:
    """The condition under which a claim fails over the pool."""
    streams = query.variables(claim)

    def operation(name: str, operands: Sequence[PoolStream[str, str]], bound: Bound | None) -> PoolStream[str, str]:
        return query.pool.apply(query.operators[name], operands, None if bound is None else bound_term(bound), name)

    left, right = (fold(side, streams.__getitem__, operation) for side in (claim.equation.left, claim.equation.right))
    ways = ((left, right), (right, left))[: 1 if claim.equation.relation == "<=" else 2]
    return disjunction(_escapes(query, claim, inner, outer) for inner, outer in ways)


def _escapes(query: _Query, claim: EquationClaim, inner: PoolStream[str, str], outer: PoolStream[str, str]) -> str:
    if claim.equation.relation == "~=":
        return negation(interpret(DOMINATED, query.pool, Scope({}, {"S": inner, "T": outer}, {})))
    return inner.some(lambda mask: negation(outer.member(mask)))
