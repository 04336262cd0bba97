"""Search for concrete streams that contradict a claim.

Truth tables come first (`laws.carlson_lisper.checks.exhaustive`), which find the smallest counterexample. Where they
end, a solver is asked for streams over k occurrences with arbitrary integer times (`semantics.carlson_lisper.pool`), so
that within k nothing is missed; larger ones are found by automata, and on traces that the claim itself suggests. What
is found is only a suspicion until `laws.carlson_lisper.checks.counterexamples` has replayed it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice, product

from laws.carlson_lisper.checks.counterexamples import Counterexample, concretise, in_dense_time, in_parts, replay
from laws.carlson_lisper.checks.exhaustive import LARGEST_TABLE_SEARCH, smallest_counterexample, writable
from laws.carlson_lisper.checks.representatives import parts_for, tells_dense_time
from laws.carlson_lisper.checks.suggestions import suggested_counterexample
from laws.carlson_lisper.claims import Claim, EquationClaim
from semantics.carlson_lisper.decisions import Decision, Undecided, decide_equation
from semantics.carlson_lisper.expressions import Bound, Identifier, fold, with_bounds
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Stream
from semantics.carlson_lisper.operators import OPERATORS, Operator
from semantics.carlson_lisper.pool import Pool, PoolStream
from semantics.carlson_lisper.restriction import HALVES
from semantics.carlson_lisper.syntax import Equation
from semantics.errors import LimitExceeded
from semantics.formulas import Scope, interpret
from smt.attempts import Search
from smt.carlson_lisper.obligations import SymbolicLogic, bound_term, parameter_name, parameter_symbol
from smt.smtlib import FALSE, TRUE, TimeSort, disjunction, negation, symbol
from smt.solvers.portfolio import Answer, Solver

MAX_OCCURRENCES = 4  # The default limit of the search
SEARCH_RLIMIT = 5_000_000  # The budget of one query, in the solver's units of work

SEARCH_LOGIC = "QF_UFLIA"

PARTS = 12  # Into how many parts a tick is divided in dense time where it is not known how many suffice; at the most
SMALL_BOUNDS = (0, 1, 2, 4)  # The values of symbolic bounds that are tried by automata, in ticks
MAX_INSTANCES = 16  # How many choices of them are tried

INSTANCE_STEPS = 50_000
"""The work that the decision on one of several instances of a claim may cost, in transitions of automata."""


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
    """The query for streams over k occurrences that contradict an equation."""

    def __init__(self, claim: EquationClaim, occurrences: int, operators: Mapping[str, Operator]) -> None:
        self.claim = claim
        algebra = _TextAlgebra()
        self.times = [f"time@{number}" for number in range(occurrences)]
        self.pool: Pool[str, str] = Pool(algebra, self.times)
        belongs = {name: {mask: symbol(f"{name}.{mask}") for mask in self.pool.instances} for name in claim.variables}
        streams = {name: self.pool.stream(masks) for name, masks in belongs.items()}
        bounds = list(map(parameter_symbol, claim.parameters))
        declared = [f"(declare-const {name} Int)" for name in (*self.times, *bounds)]
        declared += [f"(declare-const {name} Bool)" for masks in belongs.values() for name in masks.values()]
        asserted = [f"(= {self.times[0]} 0)", f"(= (clock 0) {self.times[0]})"]
        asserted += [f"(<= {a} {b})" for a, b in zip(self.times, self.times[1:], strict=False)]
        asserted += [f"(<= 0 {bound})" for bound in bounds]
        if claim.primitive:
            pairs = combinations(range(occurrences), 2)
            at_once = {(one, other): f"(= {self.times[one]} {self.times[other]})" for one, other in pairs}
            asserted.append(writable(self.pool, streams, claim.primitive, at_once))

        def operation(name: str, operands: Sequence[PoolStream[str, str]], bound: Bound | None) -> PoolStream[str, str]:
            return self.pool.apply(operators[name], operands, None if bound is None else bound_term(bound), name)

        equation = claim.equation
        left, right = (fold(side, streams.__getitem__, operation) for side in (equation.left, equation.right))
        ways = ((left, right), (right, left))[: 1 if claim.equation.relation == "<=" else 2]
        asserted.append(disjunction(self._escapes(inner, outer) for inner, outer in ways))
        # The function makes no difference to what is asked. With it, Z3 does not take the strategy that it has for
        # arithmetic alone, whose preparations take longer than the whole search.
        lines = [f"(set-logic {SEARCH_LOGIC})", "(declare-fun clock (Int) Int)", *declared, *algebra.definitions]
        self.text = "\n".join([*lines, *(f"(assert {formula})" for formula in asserted), "(check-sat)", ""])

    def _escapes(self, inner: PoolStream[str, str], outer: PoolStream[str, str]) -> str:
        if self.claim.equation.relation in HALVES:
            half = HALVES[self.claim.equation.relation]
            return negation(interpret(half, self.pool, Scope({}, {"S": inner, "T": outer}, {})))
        return inner.some(lambda mask: negation(outer.member(mask)))

    def decode(self, answer: Answer) -> tuple[dict[str, Stream], dict[str, int]]:
        values = answer.values
        occurrences = [Occurrence(f"x{bit + 1}", int(values.get(time, 0))) for bit, time in enumerate(self.times)]
        streams: dict[str, Stream] = {
            name: frozenset(
                Instance(o for bit, o in enumerate(occurrences) if mask >> bit & 1)
                for mask in self.pool.instances
                if values.get(f"{name}.{mask}")
            )
            for name in self.claim.variables
        }
        return streams, {name: int(values.get(parameter_name(name), 0)) for name in self.claim.parameters}


def find_counterexample(
    claim: Claim,
    solver: Solver,
    *,
    max_occurrences: int = MAX_OCCURRENCES,
    operators: Mapping[str, Operator] = OPERATORS,
    table_occurrences: int = LARGEST_TABLE_SEARCH,
) -> Search:
    """Search for a counterexample: the smallest one as far as truth tables reach, then what a solver finds, made small.

    Truth tables are used for up to `table_occurrences` occurrences, as far as they reach; none if 0.
    """
    tables = smallest_counterexample(claim, operators, max_occurrences=min(table_occurrences, max_occurrences))
    complete = tables.complete_up_to
    if tables.counterexample is not None or tables.unconfirmed:
        return Search(tables.counterexample, complete_up_to=complete, unconfirmed=tables.unconfirmed)
    if not isinstance(claim, EquationClaim):
        return Search(complete_up_to=complete)
    for occurrences in range(complete + 1, max_occurrences + 1):
        query = _Query(claim, occurrences, operators)
        answer = solver.check(query.text, rlimit=SEARCH_RLIMIT)
        if answer.status == "sat":
            found = concretise(claim, *query.decode(answer), operators)
            return Search(found, complete_up_to=complete, unconfirmed=found is None)
        if answer.status == "unsat" and complete == occurrences - 1:
            complete = occurrences
    return Search(complete_up_to=complete)


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
    complete = 0
    for occurrences in range(1, max_occurrences + 1):
        sufficient = parts_for(claim, occurrences)
        parts, found = sufficient or PARTS, whole
        if parts > 1:
            scaled = in_parts(claim, parts)
            found = find_counterexample(scaled, solver, max_occurrences=occurrences, operators=operators)
        if isinstance(found.counterexample, Counterexample):
            dense = in_dense_time(claim, found.counterexample, parts, operators)
            return Search(dense, complete_up_to=complete, unconfirmed=dense is None)
        if found.unconfirmed:
            return replace(found, complete_up_to=complete)
        if sufficient is not None and complete == occurrences - 1 and found.complete_up_to >= occurrences:
            complete = occurrences
    return Search(complete_up_to=complete)


def larger_counterexample(
    claim: EquationClaim, operators: Mapping[str, Operator] = OPERATORS, time: TimeSort = "int"
) -> Counterexample | None:
    """A counterexample of any size, in dense time also with times in parts of a tick; it need not be the smallest.

    First all identifiers are event types, with small bounds, and automata decide: a claim about all expressions is one
    about event types too. Then traces are tried that the claim itself suggests.
    """
    divisions = [1]
    if time == "real" and tells_dense_time(claim, operators):
        sides = (claim.equation.left, claim.equation.right)
        longest = max(fold(side, lambda _: 1, lambda _, operands, __: sum(operands)) for side in sides)
        divisions.append(min(PARTS, max(2, longest - 1)))
    for parts in divisions:
        scaled = in_parts(claim, parts)
        found = _ground_counterexample(scaled, operators) or suggested_counterexample(scaled, operators)
        if found is not None:
            return in_dense_time(claim, found, parts, operators)
    return None


def _ground_counterexample(claim: EquationClaim, operators: Mapping[str, Operator]) -> Counterexample | None:
    for values in islice(product(SMALL_BOUNDS, repeat=len(claim.parameters)), MAX_INSTANCES):
        bounds = dict(zip(claim.parameters, values, strict=True))
        decided = decided_by_automata(claim, bounds, operators, INSTANCE_STEPS)
        if decided is None:
            return None
        if decided.witness is not None:
            types = {name: Identifier(name) for name in claim.variables}
            found = replay(claim, types, bounds, decided.witness.trace, operators)
            if found is not None:
                return found
    return None


def decided_by_automata(
    claim: EquationClaim, bounds: Mapping[str, int], operators: Mapping[str, Operator], steps: int
) -> Decision | None:
    """The decision on a claim about event types, for all traces; None if it is too large."""
    left, right = (with_bounds(side, bounds) for side in (claim.equation.left, claim.equation.right))
    try:
        return decide_equation(Equation(left, right, claim.equation.relation), operators=operators, steps=steps)
    except (Undecided, LimitExceeded, ValueError):  # too large, or an altered definition without languages
        return None
