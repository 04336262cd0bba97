"""Relevance conditions decided for the plan at hand, by the definition of correctness (2008, 3.2).

A condition is *safe* if no tuple that it gives up can have a part in a later answer. A comparison of it is *tight* if
some history, the witness, needs a tuple at its very boundary.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import z3

from detectors.bry_eckert.bodies import Body, Joins, body_of
from detectors.bry_eckert.catalogue import ENGINES
from detectors.bry_eckert.differencing import Differencing
from semantics.bry_eckert.algebra.distances import FOR_EVER, Relevance
from semantics.bry_eckert.algebra.planning import planned
from semantics.bry_eckert.algebra.plans import Definition, Name, Plan, Union, identifiers_of, named
from semantics.bry_eckert.algebra.relations import Evaluation, Tuple
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import shown
from semantics.bry_eckert.programs import Program
from semantics.bry_eckert.temporal import Stamp, end, is_stamp
from semantics.events import Event, Time
from smt.bry_eckert.tuples import Tuples, Z3Term

LIMIT = 2000  # milliseconds for one question


@dataclass(frozen=True)
class Witness:
    """A history that needs a tuple `now`, or that has one which is given up then."""

    now: Time
    stamps: dict[Stamp, Time]
    history: tuple[Event, ...]

    def __str__(self) -> str:
        return ", ".join(map(shown, self.history))


@dataclass(frozen=True)
class Decided:
    """Decision about a relevance condition: whether it is safe, None where the solver does not know; tight, if asked.

    The refutation needs what it gives up. `tight` has by time stamp a history that needs a tuple at the boundary, None
    where there is none; of those `unknown` the solver does not know. `needed` is whether a tuple is ever looked up.
    """

    safe: bool | None
    refutation: Witness | None
    tight: dict[Stamp, Witness | None] | None
    unknown: tuple[Stamp, ...] = ()
    needed: bool = True

    def __str__(self) -> str:
        if not self.safe:
            return "not decided" if self.safe is None else "not safe"
        if not self.needed:
            return "nothing is ever needed"
        if self.tight is None:
            return "safe"
        loose = [str(stamp) for stamp, witness in self.tight.items() if witness is None]
        said = ["safe" if loose or self.unknown else "safe and tight"]
        said += [f"not tight for {', '.join(loose)}"] if loose else []
        said += [f"tightness unknown for {', '.join(map(str, self.unknown))}"] if self.unknown else []
        return ", ".join(said)


class _Question(NamedTuple):
    """Condition that holds whenever a tuple with some columns is looked up."""

    tuples: Tuples
    formulas: Sequence[Z3Term]
    columns: Mapping[Stamp, Z3Term]

    def asked(self, *more: Z3Term) -> tuple[Z3Term, Witness | None]:
        """Whether something more can hold: `sat` with a history in which it does, `unsat` or `unknown`."""
        context = z3.Context()  # in which an answer does not depend on what was asked before
        solver = z3.Solver(ctx=context)
        solver.set("timeout", LIMIT)
        solver.add(*(formula.translate(context) for formula in (*self.formulas, *more)))
        answer = solver.check()
        if answer != z3.sat or not self.tuples.whole:
            return (z3.unknown if answer == z3.sat else answer), None
        model = solver.model().translate(z3.main_ctx())
        stamps = {stamp: model.eval(term, True).as_long() for stamp, term in self.columns.items()}
        return answer, Witness(model.eval(NOW, True).as_long(), stamps, tuple(self.tuples.history(model)))


NOW = z3.Int("now")


def decided(
    program: Program, plan: Plan, body: Body, number: int, relevance: Relevance, *, tightness: bool = True
) -> Decided:
    """The decision on a condition, for all histories that obey the axioms of the plan."""
    tuples, schema, inputs = Tuples(program, plan), body.relations[number].schema, len(body.inputs)
    columns = tuples.joined([tuples.of(given) for given in body.inputs])
    for timing in body.timers:
        columns = tuples.timed(timing, columns)
    tuples.formulas += [tuples.holds(condition, columns) for condition in body.conditions]
    outside = columns
    for place, absence in enumerate(body.absences, inputs):
        if place != number:
            tuples.absent(absence.input, outside, absence.conditions)
    if number >= inputs:
        absence = body.absences[number - inputs]
        tuple_inside = tuples.of(absence.input)
        columns = tuples.joined([outside, tuple_inside])
        tuples.formulas += [tuples.holds(condition, columns) for condition in absence.conditions]
    absent = list(tuples.nothing_absent())
    ends = [columns[stamp] for stamp in body.lookups(number)]
    looked_up = [z3.Or([time == NOW for time in ends]), *(time <= NOW for time in ends)]
    looked_up += [columns[stamp] < NOW for stamp in schema if is_stamp(stamp)]
    known = {stamp: columns[stamp] for stamp in schema if is_stamp(stamp) or stamp in relevance.times}
    question = _Question(tuples, [*tuples.formulas, *tuples.axioms(), *absent, *looked_up], known)
    kept = {stamp: columns[stamp] >= NOW - time for stamp, time in relevance.times.items()}
    answer, refutation = question.asked(z3.Not(z3.And(list(kept.values()))))
    if answer == z3.unsat and relevance.until:
        answer, refutation = _second_partner(program, plan, body, number)
    safe = None if answer == z3.unknown else answer == z3.unsat
    if not tightness:
        return Decided(safe, refutation, None)
    if number >= inputs:  # nothing but the tuple is in its window
        tuples.absent(absence.input, outside, absence.conditions, allowed=tuple_inside)
        absent = list(tuples.nothing_absent())
    tight: dict[Stamp, Witness | None] = {}
    for stamp, time in relevance.times.items():
        others = [condition for other, condition in kept.items() if other != stamp]
        answer, witness = question.asked(columns[stamp] == NOW - time, *others, *absent)
        if answer != z3.unknown:
            tight[stamp] = witness
    unknown = tuple(stamp for stamp in relevance.times if stamp not in tight)
    needed = any(tight.values()) or question.asked()[0] != z3.unsat
    return Decided(safe, refutation, tight, unknown, needed)


def _second_partner(program: Program, plan: Plan, body: Body, number: int) -> tuple[Z3Term, Witness | None]:
    """Whether two tuples of the partner of an input can come at different times and have its values, and how."""
    partner = body.partner(number)
    if partner is None:
        return z3.unknown, None
    tuples = Tuples(program, plan)
    own = tuples.of(body.inputs[number])
    first, second = (tuples.of(body.inputs[partner]) for _ in range(2))
    tuples.formulas += [own[c] == one[c] for one in (first, second) for c in one if c in own]
    names = identifiers_of(body.inputs[partner].schema)
    come = [one[end(name)] <= NOW for one in (first, second) for name in names]
    last = z3.Or([second[end(name)] == NOW for name in names])
    stamps: dict[Stamp, Z3Term] = {stamp: own[stamp] for stamp in body.inputs[number].schema if is_stamp(stamp)}
    question = _Question(tuples, [*tuples.formulas, *tuples.axioms(), last, *come], stamps)
    return question.asked(z3.Or([first[column] != second[column] for column in first]))


@dataclass(frozen=True)
class OfPlan:
    """A condition of the plan at hand, by which tuples of a relation are dropped, as `decided` numbers it."""

    point: Name
    number: int
    condition: Relevance
    decided: Decided

    @property
    def holds(self) -> bool | None:
        """Whether it is safe."""
        return self.decided.safe

    besides = ""

    def __str__(self) -> str:
        said = f"the condition {self.condition} in {named(self.point)} is {self.decided}"
        needed = self.decided.refutation
        return said if needed is None else f"{said}, a log needs what it gives up: {needed}"


def doubtful(program: Program, plan: Plan) -> Iterator[OfPlan]:
    """The conditions of a plan by which nothing may be forgotten, as they are not safe or not decided."""
    return (one for one in of_plan(program, plan) if not one.holds)


def decisions(text: str, detector: str) -> Iterator[OfPlan]:
    """The conditions by which an engine forgets that evaluates a program as it is written."""
    if detector in ENGINES:
        program = parse(text)
        yield from (one for one in of_plan(program, planned(program, {})) if one.condition != FOR_EVER)


def of_plan(program: Program, plan: Plan) -> Iterator[OfPlan]:
    """The conditions of a plan, each with what is known of it; whether it is tight is not asked."""
    for part in plan.definitions:
        if not isinstance(part.expression, Union) and not part.empty:
            body = body_of(part.expression, plan)
            for number in Joins(body).keys:
                _, condition = body.relevance(number, plan)
                verdict = decided(program, plan, body, number, condition, tightness=False)
                yield OfPlan(part.name, number, condition, verdict)


def is_needed(
    program: Program, plan: Plan, part: Definition, number: int, kept: Relevance, stamp: Stamp, witness: Witness
) -> bool:
    """Whether a history needs a tuple at the boundary of a condition: by one that is a tick shorter, it is lost."""
    shorter = replace(kept, times={**kept.times, stamp: kept.times[stamp] - 1})
    lost = (is_lost(program, plan, part, number, one, witness) for one in (kept, shorter))
    return list(lost) == [False, True]


def is_lost(program: Program, plan: Plan, part: Definition, number: int, kept: Relevance, witness: Witness) -> bool:
    """Whether an engine that keeps one relation by a condition, and all else for ever, loses joined tuples."""

    def condition(body: Body, place: int, plan: Plan) -> Relevance:
        return kept if body.expression == part.expression and place == number else FOR_EVER

    engine, found = Differencing(program, plan, relevance=condition), set[tuple[Time, Tuple]]()
    joined = engine.points[part.name].joined
    steps = {event.time for event in witness.history} | {witness.now - 1}  # so that what may be dropped is
    while steps or engine.due() is not None:
        due = engine.due()
        now = min(steps if due is None else {*steps, due})
        steps.discard(now)
        engine.step(now, [event for event in witness.history if event.time == now])
        found |= {(now, row) for row in joined}
        joined.clear()
    assert not isinstance(part.expression, Union)
    operand = body_of(part.expression, plan).head[0].operand
    relation = Evaluation(plan, witness.history).relation(operand)
    ends = [operand.schema.index(end(name)) for name in identifiers_of(operand.schema)]
    return found != {(max(row[place] for place in ends), row) for row in relation}
