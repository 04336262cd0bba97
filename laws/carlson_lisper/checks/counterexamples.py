"""Concrete counterexamples: streams that contradict a claim, turned into a trace that anybody can replay.

An engine that suspects a claim delivers streams of instances for the claim's identifiers. Here they are shrunk, turned
into ground expressions over fresh event types and a trace, and *replayed*: both sides are evaluated by the executable
semantics, and only if these contradict the claim is there a counterexample.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain, count
from math import gcd

from laws.carlson_lisper.claims import Claim, EquationClaim, RestrictionClaim
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.denotation import FINITE_LOGIC, FiniteStream, apply_operator, denotation
from semantics.carlson_lisper.expressions import Bound, BoundValues, Expression, Identifier, Operation
from semantics.carlson_lisper.occurrences import (
    Instance,
    Occurrence,
    Stream,
    Streams,
    by_end_time,
    interpretation,
    occurrences_in,
)
from semantics.carlson_lisper.operators import OPERATORS, Operators
from semantics.carlson_lisper.restriction import rem, within
from semantics.carlson_lisper.syntax import Equation, Relation
from semantics.errors import InputError
from semantics.formulas import Scope, interpret
from semantics.shrinking import smallest


def holds(relation: Relation, left: Stream, right: Stream) -> bool:
    """Whether two meanings are related as an equation claims: equal, included, of the same intervals or detections."""
    return within(relation, left, right) and (relation == "<=" or within(relation, right, left))


@dataclass(frozen=True)
class Counterexample:
    """A trace on which the two sides of an equation are not related as claimed; replayed before it was made."""

    statement: str
    relation: Relation
    substitution: Mapping[str, Expression]  # an expression for each identifier of the claim
    bounds: BoundValues  # a number of ticks for each symbolic bound
    trace: tuple[Occurrence, ...]
    left_expression: Expression
    right_expression: Expression
    left: Stream
    right: Stream
    # into how many parts a tick is divided that are the unit of all times and bounds here; more than one only where a
    # claim is refuted in dense time
    parts_of_tick: int = 1

    def summary(self) -> str:
        """The counterexample in one paragraph of text."""
        values = (*sorted(self.substitution.items()), *sorted(self.bounds.items()))
        chosen = ", ".join(f"{name} = {value}" for name, value in values)
        unit = "" if self.parts_of_tick == 1 else f", with times and bounds in 1/{self.parts_of_tick} of a tick"
        return (
            f"with {chosen} on the trace {', '.join(map(str, self.trace)) or '(empty)'}{unit}:"
            f" the left side has {_listed(self.left)}, the right side {_listed(self.right)}"
        )


def _listed(stream: Stream) -> str:
    return ", ".join(map(repr, by_end_time(stream))) or "no instance"


def replay(
    claim: EquationClaim,
    substitution: Mapping[str, Expression],
    bounds: BoundValues,
    occurrences: Iterable[Occurrence],
    operators: Operators = OPERATORS,
) -> Counterexample | None:
    """Evaluate both sides on a trace; the counterexample if they contradict the claim, else None.

    Other definitions of the operators apply to the claim. What is put in for its identifiers keeps its meaning: these
    stand for arbitrary streams, and the expressions only describe some.
    """
    trace = tuple(sorted(occurrences, key=Occurrence.sort_key))
    scenario, equation = interpretation(trace), claim.equation
    grounded = (expressions.substitute(side, substitution) for side in (equation.left, equation.right))
    one, other = (expressions.with_bounds(side, bounds) for side in grounded)
    if operators is OPERATORS:
        left, right = denotation(one, scenario), denotation(other, scenario)
    else:
        streams = {name: denotation(expression, scenario) for name, expression in substitution.items()}
        left, right = _sides(claim, streams, bounds, operators)
    if holds(equation.relation, left, right):
        return None
    chosen, values = dict(substitution), dict(bounds)
    return Counterexample(claim.statement, equation.relation, chosen, values, trace, one, other, left, right)


def contradicts(claim: EquationClaim, streams: Streams, bounds: BoundValues, operators: Operators = OPERATORS) -> bool:
    """Whether the claim fails when its identifiers denote the given streams."""
    return not holds(claim.equation.relation, *_sides(claim, streams, bounds, operators))


def _sides(claim: EquationClaim, streams: Streams, bounds: BoundValues, operators: Operators) -> tuple[Stream, Stream]:
    equation = claim.equation
    left, right = (denotation(side, streams, bounds, operators=operators) for side in (equation.left, equation.right))
    return left, right


def confirm(
    claim: Claim, streams: Streams, bounds: BoundValues, operators: Operators = OPERATORS
) -> Counterexample | RestrictionCounterexample | None:
    """Replay streams that an engine takes for a counterexample as they are; None if it is not confirmed."""
    if isinstance(claim, RestrictionClaim):
        return replay_restriction(claim, _with_few_types(streams), bounds.get("t"), operators)
    substitution, occurrences = realise(streams, claim.primitive)
    try:
        return replay(claim, substitution, bounds, occurrences, operators)
    except InputError:  # not a trace at all
        return None


def _with_few_types(streams: Streams) -> dict[str, Stream]:
    """The same streams over occurrences of as few types as possible: those at one time have to differ (Def. 3.4)."""
    at_once: dict[int, int] = {}
    renamed: dict[Occurrence, Occurrence] = {}
    for occurrence in occurrences_in(streams.values()):
        number = at_once[occurrence.time] = at_once.get(occurrence.time, 0) + 1
        renamed[occurrence] = occurrence._replace(event=f"x{number}")
    return {
        name: frozenset(Instance(renamed[o] for o in instance.occurrences) for instance in stream)
        for name, stream in streams.items()
    }


def concretise(
    claim: EquationClaim, streams: Streams, bounds: BoundValues, operators: Operators = OPERATORS
) -> Counterexample | None:
    """Shrink contradicting streams, make expressions and a trace of them, and replay; None if not confirmed."""
    if not contradicts(claim, streams, bounds, operators):
        return None
    streams, bounds = smallest(
        (streams, bounds), lambda found: (less for less in _smaller(*found) if contradicts(claim, *less, operators))
    )
    substitution, occurrences = realise(streams, claim.primitive)
    return replay(claim, substitution, bounds, occurrences, operators)


def _smaller(streams: Streams, bounds: BoundValues) -> Iterator[tuple[Streams, BoundValues]]:
    for occurrence in occurrences_in(streams.values()):
        kept = {name: [each.occurrences - {occurrence} for each in stream] for name, stream in streams.items()}
        yield {name: frozenset(Instance(each) for each in kept[name] if each) for name in kept}, bounds
    for name, stream in sorted(streams.items()):
        for instance in by_end_time(stream):
            yield {**streams, name: stream - {instance}}, bounds
    for name, value in sorted(bounds.items()):
        for lower in sorted({0, value // 2, value - 1} - {value, -1}):
            yield streams, {**bounds, name: lower}


def realise(
    streams: Streams, primitive: frozenset[str] = frozenset()
) -> tuple[dict[str, Expression], list[Occurrence]]:
    """Ground expressions and a trace under which identifiers denote the given streams.

    Each occurrence has an event type of its own, except that those share one that are the whole stream of an identifier
    and of no other. An identifier stands for its type, or for the disjunction of its instances as conjunctions of
    types. The stream of a primitive identifier has to be occurrences that no other stream has.
    """
    occurrences = occurrences_in(streams.values())
    users: dict[Occurrence, set[str]] = {}
    for name, stream in streams.items():
        for instance in stream:
            for occurrence in instance.occurrences:
                users.setdefault(occurrence, set()).add(name)
    taken = set(primitive)

    def unused(name: str) -> str:
        found = next(n for n in chain([name], (f"{name}_{number}" for number in count(2))) if n not in taken)
        taken.add(found)
        return found

    types: dict[Occurrence, Identifier] = {}
    substitution: dict[str, Expression] = {}
    order = sorted(streams, key=lambda name: (name not in primitive, name))
    for name in order:
        alike = {other for other in order if streams[other] == streams[name]}
        known = [substitution[other] for other in order if other in alike & substitution.keys()]
        if known and name not in primitive:
            substitution[name] = known[0]
            continue
        own = [occurrence for occurrence in occurrences if users[occurrence] == alike]
        alone = streams[name] == frozenset(Instance([occurrence]) for occurrence in own)
        if alone and len({occurrence.time for occurrence in own}) == len(own):
            kind = substitution[name] = Identifier(name if name in primitive else unused(name.lower()))
            types.update(dict.fromkeys(own, kind))
    for number, occurrence in enumerate(occurrences, start=1):
        if occurrence not in types:
            types[occurrence] = Identifier(unused(f"x{number}"))
    for name in order:
        if name not in substitution:
            instances = [[types[o] for o in each.sorted_occurrences()] for each in by_end_time(streams[name])]
            substitution[name] = _joined("dis", [_joined("con", members) for members in instances])
    trace = [Occurrence(types[o].name, o.time, o.value) for o in occurrences]
    return substitution, trace


def _joined(operator: str, parts: Sequence[Expression]) -> Expression:
    return reduce(lambda left, right: Operation(operator, (left, right)), parts)


def in_parts(claim: EquationClaim, parts: int) -> EquationClaim:
    """Claim in parts of a tick, so many in each."""

    def multiplied(bound: Bound) -> Bound:
        if isinstance(bound, expressions.BoundExtremum):
            return expressions.BoundExtremum(bound.function, multiplied(bound.left), multiplied(bound.right))
        return bound * parts if isinstance(bound, int) else bound

    left, right = (expressions.replaced(side, bound=multiplied) for side in (claim.equation.left, claim.equation.right))
    return replace(claim, equation=Equation(left, right, claim.equation.relation))


def in_dense_time(
    claim: EquationClaim, found: Counterexample, parts: int, operators: Operators = OPERATORS
) -> Counterexample | None:
    """A counterexample of `in_parts(claim, parts)` as one of the claim in as few parts as it takes, replayed."""
    common = gcd(parts, *(occurrence.time for occurrence in found.trace), *found.bounds.values())
    fewer = parts // common
    replayed = replay(
        in_parts(claim, fewer),
        found.substitution,
        {name: value // common for name, value in found.bounds.items()},
        [occurrence._replace(time=occurrence.time // common) for occurrence in found.trace],
        operators,
    )
    if replayed is None or fewer == 1:
        return replayed
    statement = f"{claim.statement}, with all times and bounds below in 1/{fewer} of a tick"
    return replace(replayed, statement=statement, parts_of_tick=fewer)


@dataclass(frozen=True)
class RestrictionCounterexample:
    """Streams, the derived ones among them, that satisfy what a claim assumes and not its conclusion; replayed."""

    statement: str
    conclusion: str
    streams: Streams
    bound: int | None

    def summary(self) -> str:
        """The counterexample in one paragraph of text."""
        listed = "; ".join(f"{name} = {_listed(stream)}" for name, stream in self.streams.items())
        bound = "" if self.bound is None else f"τ = {self.bound}; "
        return f"{self.conclusion} fails with {bound}{listed}"


def replay_restriction(
    claim: RestrictionClaim, streams: Streams, bound: int | None, operators: Operators = OPERATORS
) -> RestrictionCounterexample | None:
    """Evaluate a claim about restrictions on finite streams; the first conclusion that fails there, else None."""
    known = with_derived(claim, streams, bound, operators)
    if not all(rem(known[stream], known[restricted]) for stream, restricted in claim.restrictions):
        return None
    scope = Scope({}, {name: FiniteStream(stream) for name, stream in known.items()}, {})
    for conclusion, formula in claim.conclusions:
        if not interpret(formula, FINITE_LOGIC, scope):
            return RestrictionCounterexample(claim.statement, conclusion, known, bound)
    return None


def with_derived(
    claim: RestrictionClaim, streams: Streams, bound: int | None, operators: Operators = OPERATORS
) -> dict[str, Stream]:
    """The given streams and those that the claim derives from them by operators, as far as operands are given."""
    known = dict(streams)
    for name, derived in claim.derived.items():
        if all(operand in known for operand in derived.operands):
            definition = operators[derived.operator]
            operands = [known[operand] for operand in derived.operands]
            known[name] = apply_operator(definition, operands, bound if definition.bounded else None)
    return known
