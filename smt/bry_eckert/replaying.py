"""Histories of a solver, replayed by an engine: whether it loses a tuple by a relevance condition."""

from __future__ import annotations

from dataclasses import replace

from detectors.bry_eckert.bodies import Body, body_of
from detectors.bry_eckert.differencing import Differencing
from semantics.bry_eckert.algebra.distances import FOR_EVER, Distance, Relevance
from semantics.bry_eckert.algebra.plans import Definition, Plan, Union, identifiers_of
from semantics.bry_eckert.algebra.relations import Evaluation, History, Tuple
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.temporal import Stamp, end
from semantics.events import Time
from smt.bry_eckert.relevance import Witness


def is_needed(
    program: Program,
    plan: Plan,
    part: Definition,
    number: int,
    kept: Relevance,
    stamp: Stamp,
    witness: Witness,
) -> bool:
    """Whether a history needs a tuple at the boundary of a condition: by one that is a tick shorter, it is lost.

    Args:
        number: the relation that it reads; those of absences are numbered after the inputs.
        stamp: the time stamp whose comparison is shortened.
    """
    times = {**kept.times, stamp: Distance(kept.times[stamp].ticks - 1)}
    shorter = replace(kept, times=times)
    return not is_lost(program, plan, part, number, kept, witness) and is_lost(
        program, plan, part, number, shorter, witness
    )


def is_lost(
    program: Program, plan: Plan, part: Definition, number: int, kept: Relevance, witness: Witness
) -> bool:
    """Whether an engine does not find the joined tuples of a materialization point in a history, by their definition.

    It keeps the tuples of one relation by a condition, and all others for ever. The arguments are those of `is_needed`.
    """

    def condition(body: Body, place: int, plan: Plan, points: frozenset[str]) -> Relevance:
        return kept if body.expression == part.expression and place == number else FOR_EVER

    engine, found = Differencing(program, plan, relevance=condition), set[tuple[Time, Tuple]]()
    joined: list[Tuple] = []
    engine.tell(part.name, joined.extend)
    events = sorted(witness.history, key=lambda event: event.time)
    steps = {event.time for event in events} | {witness.now - 1}  # so that what may be dropped is
    while steps or engine.due() is not None:
        due = engine.due()
        now = min(steps if due is None else {*steps, due})
        steps.discard(now)
        engine.step(now, [event for event in events if event.time == now])
        found |= {(now, row) for row in joined}
        joined.clear()
    assert not isinstance(part.expression, Union)
    operand = body_of(part.expression, plan).head[0].operand
    relation = Evaluation(plan, History.of(witness.history)).relation(operand)
    ends = [relation.schema.index(end(name)) for name in identifiers_of(relation.schema)]
    return found != {(max(row[place] for place in ends), row) for row in relation.tuples}
