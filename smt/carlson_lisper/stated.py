"""Statements about streams as obligations, for arbitrary streams and bounds."""

from collections.abc import Iterable, Mapping, Sequence

from laws.carlson_lisper.statements import Goal, Lazily, Reading, parse_goal
from laws.theorems import Theorem
from semantics.carlson_lisper.operators import OPERATORS, Operator
from semantics.carlson_lisper.restriction import primitive_conditions
from smt.carlson_lisper.obligations import Writer, bound_term, parameter_symbol
from smt.obligations import Obligation
from smt.smtlib import SORT, TimeSort, conjunction, negation


def part_obligations(theorem: Theorem, time: TimeSort, operators: Mapping[str, Operator]) -> list[Obligation]:
    """The obligations of a theorem that consists of formulas."""
    found = []
    for part in theorem.parts:
        named = (theorem.id, part.name, " ⇒ ".join((*part.given, part.says)))
        goal, given = parse_goal(part.says), list(map(parse_goal, part.given))
        found += goal_obligations(goal, given, named=named, time=time, operators=operators)
    return found


def goal_obligations(
    goal: Goal,
    given: Sequence[Goal] = (),
    primitive: Iterable[str] = (),
    *,
    named: tuple[str, str, str] = ("", "", ""),
    time: TimeSort = "int",
    operators: Mapping[str, Operator] = OPERATORS,
) -> list[Obligation]:
    """What has to be shown for a goal, where others are given: for two sets an inclusion each way.

    They have the name of a claim, a part of it, and a text. Bounds are arbitrary times.
    """
    writer, primitive = Writer(time, operators), sorted(primitive)
    streams = Lazily(writer.stream)
    bounds = Lazily(lambda name: writer.declare(parameter_symbol(name), SORT[time]))
    reading = Reading(writer.logic, streams, lambda bound: bound_term(bound, bounds.__getitem__), operators)
    assumed = [conjunction(reading.parts(each).values()) for each in given]
    for name in primitive:
        streams[name]
    assumed += [writer.formula(each, streams) for each in primitive_conditions(primitive)]
    truths = reading.parts(goal)
    natural = [f"(<= 0 {bound})" for bound in bounds.values()]
    claim, part, text = named
    return [
        writer.obligation(claim, f"{part} {side}".strip(), text, [*natural, *assumed, negation(truth)])
        for side, truth in truths.items()
    ]
