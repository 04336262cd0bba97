"""Concrete counterexamples: streams that contradict a claim, turned into a trace that anybody can replay.

An engine that suspects a claim delivers streams of instances for the claim's identifiers. Here they are shrunk, turned
into ground expressions over fresh event types and a trace, and *replayed*: both sides are evaluated by the executable
semantics, and only if these contradict the claim is there a counterexample.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce

from laws.claims import EquationClaim, RestrictionClaim
from semantics.denotation import denotation
from semantics.expressions import Expression, Identifier, Operation, substitute, with_bounds
from semantics.finite import FINITE_LOGIC, FiniteStream, apply_operator
from semantics.formulas import Scope, interpret
from semantics.interpretations import interpretation
from semantics.occurrences import Instance, Occurrence, Stream, by_end_time
from semantics.operators import OPERATORS, Operator
from semantics.restriction import dominated, rem
from semantics.syntax import Relation


def holds(relation: Relation, left: Stream, right: Stream) -> bool:
    """Whether two meanings are related as an equation claims: equal, included, or with the same detections."""
    match relation:
        case "==":
            return left == right
        case "<=":
            return left <= right
        case "~=":
            return dominated(left, right) and dominated(right, left)


@dataclass(frozen=True)
class Counterexample:
    """A trace on which the two sides of an equation are not related as claimed; replayed before it was made.

    Attributes:
        statement: the claim.
        relation: what was claimed.
        substitution: an expression for each identifier of the claim.
        bounds: a number of ticks for each symbolic bound.
        trace: the occurrences, by time.
        left_expression: the left side with all of that put in.
        right_expression: the right side with all of that put in.
        left: the instances of the left side.
        right: the instances of the right side.
    """

    statement: str
    relation: Relation
    substitution: Mapping[str, Expression]
    bounds: Mapping[str, int]
    trace: tuple[Occurrence, ...]
    left_expression: Expression
    right_expression: Expression
    left: Stream
    right: Stream

    def summary(self) -> str:
        """The counterexample in one paragraph of text."""
        chosen = [f"{name} = {expression}" for name, expression in sorted(self.substitution.items())]
        chosen += [f"{name} = {value}" for name, value in sorted(self.bounds.items())]
        return (
            f"with {', '.join(chosen)} on the trace {', '.join(map(str, self.trace)) or '(empty)'}:"
            f" the left side has {_listed(self.left)}, the right side {_listed(self.right)}"
        )


def _listed(stream: Stream) -> str:
    return ", ".join(map(repr, by_end_time(stream))) or "no instance"


def replay(
    claim: EquationClaim,
    substitution: Mapping[str, Expression],
    bounds: Mapping[str, int],
    occurrences: Iterable[Occurrence],
    operators: Mapping[str, Operator] = OPERATORS,
) -> Counterexample | None:
    """Evaluate both sides on a trace; the counterexample if they contradict the claim, else None."""
    equation = claim.equation
    left, right = (
        with_bounds(substitute(side, substitution), bounds) for side in (equation.left, equation.right)
    )
    trace = tuple(sorted(occurrences, key=Occurrence.sort_key))
    scenario = interpretation(trace)
    left_stream = denotation(left, scenario, operators=operators)
    right_stream = denotation(right, scenario, operators=operators)
    if holds(equation.relation, left_stream, right_stream):
        return None
    return Counterexample(
        claim.statement,
        equation.relation,
        dict(substitution),
        dict(bounds),
        trace,
        left,
        right,
        left_stream,
        right_stream,
    )


def contradicts(
    claim: EquationClaim,
    streams: Mapping[str, Stream],
    bounds: Mapping[str, int],
    operators: Mapping[str, Operator] = OPERATORS,
) -> bool:
    """Whether the claim fails when its identifiers denote the given streams."""
    left, right = (
        denotation(side, streams, bounds, operators=operators)
        for side in (claim.equation.left, claim.equation.right)
    )
    return not holds(claim.equation.relation, left, right)


def concretise(
    claim: EquationClaim,
    streams: Mapping[str, Stream],
    bounds: Mapping[str, int],
    operators: Mapping[str, Operator] = OPERATORS,
) -> Counterexample | None:
    """Shrink contradicting streams, turn them into expressions and a trace, and replay.

    Returns:
        The counterexample, or None if the executable semantics does not confirm it.
    """
    if not contradicts(claim, streams, bounds, operators):
        return None
    streams, bounds = _shrink(claim, dict(streams), dict(bounds), operators)
    substitution, occurrences = realise(streams, claim.primitive)
    return replay(claim, substitution, bounds, occurrences, operators)


def _shrink(
    claim: EquationClaim,
    streams: dict[str, Stream],
    bounds: dict[str, int],
    operators: Mapping[str, Operator],
) -> tuple[dict[str, Stream], dict[str, int]]:
    """Remove occurrences and instances and lower bounds while the contradiction stays; ends at a local minimum."""

    def smaller() -> Iterator[tuple[dict[str, Stream], dict[str, int]]]:
        for occurrence in sorted(
            {o for s in streams.values() for i in s for o in i.occurrences}, key=Occurrence.sort_key
        ):
            yield {name: _without(stream, occurrence) for name, stream in streams.items()}, bounds
        for name, stream in sorted(streams.items()):
            for instance in by_end_time(stream):
                yield {**streams, name: stream - {instance}}, bounds
        for name, value in sorted(bounds.items()):
            for lower in sorted({0, value // 2, value - 1} - {value, -1}):
                yield streams, {**bounds, name: lower}

    while True:
        for fewer, lower in smaller():
            if contradicts(claim, fewer, lower, operators):
                streams, bounds = fewer, lower
                break
        else:
            return streams, bounds


def _without(stream: Stream, occurrence: Occurrence) -> Stream:
    kept = (instance.occurrences - {occurrence} for instance in stream)
    return frozenset(Instance(occurrences) for occurrences in kept if occurrences)


def realise(
    streams: Mapping[str, Stream], primitive: frozenset[str] = frozenset()
) -> tuple[dict[str, Expression], list[Occurrence]]:
    """Ground expressions and a trace under which identifiers denote the given streams.

    An identifier whose instances are single occurrences of its own becomes an event type; any other becomes a
    disjunction of conjunctions over event types that occur once each.
    """
    users: dict[Occurrence, set[str]] = {}
    for name, stream in streams.items():
        for instance in stream:
            for occurrence in instance.occurrences:
                users.setdefault(occurrence, set()).add(name)
    taken = set(primitive)
    types: dict[Occurrence, str] = {}
    plain: dict[str, str] = {}
    for name in sorted(streams, key=lambda name: (name not in primitive, name)):
        own = [occurrence for occurrence, names in users.items() if names == {name}]
        singles = all(len(instance.occurrences) == 1 for instance in streams[name])
        alone = len(own) == len(streams[name]) and len({o.time for o in own}) == len(own)
        if singles and alone:
            plain[name] = name if name in primitive else _unused(name.lower(), taken)
            taken.add(plain[name])
            types.update(dict.fromkeys(own, plain[name]))
    for number, occurrence in enumerate(sorted(users, key=Occurrence.sort_key), start=1):
        if occurrence not in types:
            types[occurrence] = _unused(f"x{number}", taken)
            taken.add(types[occurrence])
    substitution: dict[str, Expression] = {}
    for name, stream in streams.items():
        if name in plain:
            substitution[name] = Identifier(plain[name])
        else:
            substitution[name] = _join(
                "dis", (_join("con", _identifiers(i, types)) for i in by_end_time(stream))
            )
    return substitution, [Occurrence(types[o], o.time, o.value) for o in users]


def _identifiers(instance: Instance, types: Mapping[Occurrence, str]) -> list[Expression]:
    return [Identifier(types[occurrence]) for occurrence in instance.sorted_occurrences()]


def _join(operator: str, parts: Iterable[Expression]) -> Expression:
    return reduce(lambda left, right: Operation(operator, (left, right)), parts)


def _unused(name: str, taken: set[str]) -> str:
    candidate, number = name, 1
    while candidate in taken:
        number += 1
        candidate = f"{name}_{number}"
    return candidate


# --------------------------------------------------------------------------------------- claims about restrictions


@dataclass(frozen=True)
class RestrictionCounterexample:
    """Streams that satisfy the assumptions of a claim about restrictions and not its conclusion; replayed.

    Attributes:
        statement: the claim.
        conclusion: the name of the conclusion that fails.
        streams: the streams by name, the derived ones among them.
        bound: the bound τ in ticks, if the claim uses one.
    """

    statement: str
    conclusion: str
    streams: Mapping[str, Stream]
    bound: int | None

    def summary(self) -> str:
        """The counterexample in one paragraph of text."""
        listed = "; ".join(f"{name} = {_listed(stream)}" for name, stream in self.streams.items())
        bound = "" if self.bound is None else f"τ = {self.bound}; "
        return f"{self.conclusion} fails with {bound}{listed}"


def replay_restriction(
    claim: RestrictionClaim,
    conclusion: str,
    streams: Mapping[str, Stream],
    bound: int | None,
    operators: Mapping[str, Operator] = OPERATORS,
) -> RestrictionCounterexample | None:
    """Evaluate a claim about restrictions on finite streams; the counterexample if it fails there, else None."""
    known = with_derived(claim, streams, bound, operators)
    if not all(rem(known[stream], known[restricted]) for stream, restricted in claim.restrictions):
        return None
    scope = Scope({}, {name: FiniteStream(stream) for name, stream in known.items()}, {})
    if interpret(dict(claim.conclusions)[conclusion], FINITE_LOGIC, scope):
        return None
    return RestrictionCounterexample(claim.statement, conclusion, known, bound)


def with_derived(
    claim: RestrictionClaim,
    streams: Mapping[str, Stream],
    bound: int | None,
    operators: Mapping[str, Operator] = OPERATORS,
) -> dict[str, Stream]:
    """The given streams and those that the claim derives from them by operators, as far as operands are given."""
    known = dict(streams)
    for name, derived in claim.derived.items():
        if all(operand in known for operand in derived.operands):
            definition = operators[derived.operator]
            operands = [known[operand] for operand in derived.operands]
            known[name] = apply_operator(definition, operands, bound if definition.bounded else None)
    return known
