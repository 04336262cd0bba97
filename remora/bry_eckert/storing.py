"""Explanations of stores: what a materialization point keeps, for how long, by which temporal distances, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from detectors.bry_eckert.bodies import Body, Input, body_of
from detectors.bry_eckert.joins import Joins
from remora.bry_eckert.explaining import tree
from remora.bry_eckert.node_joins import joins_of
from remora.bry_eckert.printing import event_data
from semantics.bry_eckert.algebra.distances import distances
from semantics.bry_eckert.algebra.plans import (
    Base,
    Definition,
    Expression,
    Join,
    Plan,
    Timer,
    Union,
    identifiers_of,
    stamps,
)
from semantics.bry_eckert.algebra.printed_relevance import NOTHING, Edges, Weight, graph, printed_conditions
from semantics.bry_eckert.algebra.relevance import Relevance
from semantics.bry_eckert.algebra.translation import RESULT
from semantics.bry_eckert.axioms import shown
from semantics.bry_eckert.notation import definition
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.temporal import Stamp, identifier_of, is_stamp
from semantics.events import Event, Time

if TYPE_CHECKING:
    from smt.bry_eckert.relevance import Decided, Witness

TIGHT, MINIMAL, UNSAFE = "tight", "minimal", "unsafe"


@dataclass(frozen=True)
class Example:
    """A history that shows something of a condition.

    Attributes:
        shows: `tight`: it needs a tuple at the boundary of a comparison; `minimal`: it has a tuple that a comparison
            gives up and no other one; `unsafe`: it needs a tuple that the condition gives up.
        stamp: the time stamp of the comparison; "" for the whole condition.
        now: the time at which the tuple is needed, or given up.
        history: the events.
        replayed: whether an engine loses by it what it should lose, and nothing else; None where nothing is lost.
    """

    shows: str
    stamp: Stamp
    now: Time
    history: tuple[Event, ...]
    replayed: bool | None

    def __str__(self) -> str:
        events = ", ".join(map(shown, self.history))
        if self.shows == MINIMAL:
            return f"given up at {self.now} by {self.stamp} alone: {events}"
        how = f"when {self.stamp} is at the boundary" if self.shows == TIGHT else "when it is given up"
        return f"needed at {self.now}, {how}: {events} ({'replayed' if self.replayed else 'not replayed'})"


@dataclass(frozen=True)
class Stored:
    """What an input of a materialization point is kept for.

    Attributes:
        relation: its event type or materialization point.
        identifier: the event identifier; "" where it has several.
        kept: whether its tuples are stored.
        keys: the columns by which they are looked up, for each index.
        why: why it is stored or not, in a few words.
        relevant: the condition under which a tuple is kept, `true` for ever; "" where it is not stored.
        maximal: the condition with the comparisons that others imply.
        decision: whether the condition is safe, tight and minimal, as a solver decides it for this plan.
        examples: the histories that show it.
        advice: a condition that would give a bound, in words; "" where there is one, or nothing is needed.
        printed: the condition as 2008 prints the algorithm, with its decision; "" where it was not asked for.
        printed_example: a history that needs what the printed condition gives up; None where there is none.
    """

    relation: str
    identifier: str
    kept: bool
    keys: tuple[tuple[str, ...], ...]
    why: str
    relevant: str = ""
    maximal: str = ""
    decision: str = ""
    examples: tuple[Example, ...] = ()
    advice: str = ""
    printed: str = ""
    printed_example: Example | None = None


def stored(part: Definition, program: Program, plan: Plan, *, as_printed: bool = False) -> Iterator[Stored]:
    """What the engine of finite differencing stores for a materialization point, and for how long.

    Args:
        as_printed: whether the conditions of the printed algorithm are decided as well.
    """
    from smt.bry_eckert.relevance import decided  # with a solver, which loads slowly
    from smt.bry_eckert.replaying import is_lost

    if isinstance(part.expression, Union):
        return
    body = body_of(part.expression, plan)
    joins = Joins(body)
    for number, given in enumerate(joins.relations):
        keys = tuple(joins.keys.get(number, ()))
        found = Stored(*_named(given), bool(keys), keys, _why(body, number, stored=bool(keys)))
        if keys:
            most, least = body.relevance(number, plan)
            verdict = decided(program, plan, body, number, least)
            bounded = bool(least.bounded or least.until or not verdict.needed)
            found = replace(
                found,
                relevant=str(least),
                maximal=str(most),
                decision=str(verdict) if bounded else "no bound",
                advice="" if least.bounded or not verdict.needed else _advice(body, number, given, plan),
                examples=tuple(_examples(program, plan, part, number, least, verdict)),
            )
            if as_printed:
                condition = printed_conditions(part.expression, given.schema, plan)[1]
                verdict = decided(program, plan, body, number, condition, plan.points)
                said = f"{condition}: {verdict if condition.bounded else 'no bound'}"
                lost = verdict.refutation
                example = None
                if lost is not None:
                    replayed = is_lost(program, plan, part, number, condition, lost)
                    example = Example(UNSAFE, "", lost.now, lost.history, replayed)
                found = replace(found, printed=said, printed_example=example)
        yield found


def _why(body: Body, number: int, *, stored: bool) -> str:
    """Why a relation is stored or not, in a few words."""
    if number >= len(body.inputs):
        if stored:
            return "looked up in the window in which it must be absent"
        return "not stored: nothing can lie in the window in which it must be absent"
    given = body.inputs[number]
    if given in body.late and stored:
        why = "looked up when the timer is due: it always ends before"
    elif not body.triggers:
        why = "not stored: the temporal conditions contradict each other"
    elif not stored:
        why = (
            "not stored: it is always the last to end"
            if len(body.inputs) > 1
            else "not stored: nothing joins it"
        )
    elif given in body.triggers:
        why = "joined when it arrives, and looked up by what arrives later"
    else:
        why = "looked up by what arrives later: it is never the last to end"
    return f"{why}; its joined tuples wait for the timer" if body.timers and given in body.core else why


def _examples(
    program: Program, plan: Plan, part: Definition, number: int, kept: Relevance, verdict: Decided
) -> Iterator[Example]:
    from smt.bry_eckert.replaying import is_needed

    def example(shows: str, stamp: Stamp, witness: Witness, replayed: bool | None) -> Example:
        return Example(shows, stamp, witness.now, witness.history, replayed)

    for stamp, witness in (verdict.tight or {}).items():
        if witness is not None:
            replayed = is_needed(program, plan, part, number, kept, stamp, witness)
            yield example(TIGHT, stamp, witness, replayed)
    for stamp, witness in verdict.alone.items():
        if witness is not None and len(verdict.alone) > 1:  # a single comparison is the whole condition
            yield example(MINIMAL, stamp, witness, None)


def _advice(body: Body, number: int, given: Input, plan: Plan) -> str:
    """A condition that would bound how long a relation is stored: how far apart two events may be."""
    known = (
        body.distances if number < len(body.inputs) else body.absences[number - len(body.inputs)].distances
    )
    own = identifiers_of(given.schema)
    far = [
        identifier_of(stamp)
        for stamp in body.lookups(number)
        if all(known[f"{name}.e", stamp] is None for name in own)
    ]
    names = [name for name in (*own[:1], *far[:1]) if "#" not in name]
    if len(names) == 2:
        return f"{{{', '.join(names)}}} within a duration would give one"
    unknown = [
        one.relation
        for one in body.inputs
        if isinstance(one, Base) and one.relation not in plan.by_name and one.relation not in plan.longest
    ]
    if unknown:
        return f"that {' and '.join(dict.fromkeys(unknown))} take at most a duration, if declared, would give one"
    return "a condition on how long the window may last would give one"


def _named(given: Input) -> tuple[str, str]:
    if isinstance(given, Base):
        return given.relation, given.identifier.partition("#")[0]
    return given.name, ""


# ------------------------------------------------------------------------------------------ temporal distances


def distance_rows(part: Definition, plan: Plan) -> list[tuple[str, ...]]:
    """The temporal distances of a rule as a matrix (2008, Figure 4): a heading, then a row for each time stamp.

    The cell of i and j bounds `j - i` for all joined tuples, in whole ticks, with the marks of Section 4.4: `! 5` where
    all tuples of the inputs obey it, `? 5` where a condition selects those that do; it is empty without a bound.
    """
    if isinstance(part.expression, Union):
        return []
    body = body_of(part.expression, plan)
    unselected: Expression = body.inputs[0]
    for given in body.inputs[1:]:
        unselected = Join(unselected, given)
    for timing in body.timers:
        unselected = Timer(timing, unselected)
    guaranteed = distances(unselected, plan)

    def weight(i: Stamp, j: Stamp) -> Weight | None:
        found, before = body.distances[i, j], guaranteed[i, j]
        return None if found is None else Weight(found.ticks, tested=before is None or found < before)

    names = [name for given in body.inputs for name in identifiers_of(given.schema)]
    columns = stamps([*names, *(timing.into for timing in body.timers)])
    columns += tuple(node for node in body.distances.nodes if not is_stamp(node))
    return _matrix(columns, {(i, j): w for i in columns for j in columns if (w := weight(i, j)) is not None})


def printed_rows(part: Definition, plan: Plan) -> list[tuple[str, ...]]:
    """The same matrix as 2008 prints the algorithm (Section 5.1), with all marks: `? < 5` for one that is strict."""
    if isinstance(part.expression, Union):
        return []
    paths = graph(part.expression, plan).shortest_paths()
    columns = stamps(dict.fromkeys(identifier_of(stamp) for pair in paths for stamp in pair))
    merged = {stamp: f"{part.name}{stamp.removeprefix(RESULT)}" for stamp in stamps([RESULT])}
    return _matrix(columns, {**paths, **{(i, i): NOTHING for i in columns}}, merged)


def _matrix(
    columns: Sequence[Stamp], known: Edges, names: Mapping[Stamp, str] = MappingProxyType({})
) -> list[tuple[str, ...]]:
    shown = [names.get(column, column).replace("#", "′") for column in columns]
    cells = [[str(known[i, j]) if (i, j) in known else "" for j in columns] for i in columns]
    return [("", *shown), *((name, *row) for name, row in zip(shown, cells, strict=True))]


def plan_data(program: Program, plan: Plan, *, as_printed: bool = False) -> list[dict[str, Any]]:
    """The materialization points of a plan with their stores and temporal distances, as plain data."""
    joins = joins_of(program, plan)
    return [
        {
            "name": part.name,
            "algebra": definition(part),
            "tree": list(tree(part)),
            "stores": [_store_data(given) for given in stored(part, program, plan, as_printed=as_printed)],
            "joins": list(map(asdict, joins.get(part.name, ()))),
            "distances": [list(row) for row in distance_rows(part, plan)],
            "printed_distances": [list(row) for row in printed_rows(part, plan)] if as_printed else [],
        }
        for part in plan.definitions
    ]


def _store_data(given: Stored) -> dict[str, Any]:
    return {
        **asdict(given),
        "keys": [list(key) for key in given.keys],
        "examples": [_example_data(one) for one in given.examples],
        "printed_example": None if given.printed_example is None else _example_data(given.printed_example),
    }


def _example_data(example: Example) -> dict[str, Any]:
    return {**asdict(example), "history": list(map(event_data, example.history)), "text": str(example)}
