"""Plans of the algebra that no rules have, as texts: materialization points defined by S-expressions.

    Q = (select (before c a) (join (merge c (a b) (join A:a B:b)) A:a))

`A:a` is the query `a: A()` on an event type, or on a materialization point whose interval is called `#`; a name alone
is a materialization point with all its columns. The conditions are Allen's relations, `(within 2 a b)` and
`(apart 2 a b)`. There are no data: what is written so is about time stamps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from semantics.bry_eckert.algebra.plans import (
    Base,
    Definition,
    Expression,
    Join,
    Merge,
    Plan,
    Point,
    Select,
    Union,
    identifiers_of,
    read,
)
from semantics.bry_eckert.algebra.relations import Evaluation, History, Relation
from semantics.bry_eckert.temporal import ALLEN, Apart, Related, Temporal, Within, end, start
from semantics.errors import InputError
from semantics.events import Event, Time
from smt.s_expressions import SExpression, parse_all


def plan_of_texts(definitions: Iterable[str]) -> Plan:
    """The plan of some definitions, each after those that it reads.

    Raises:
        InputError: there is no such operator.
    """
    plan = Plan(())
    for text in definitions:
        name, _, expression = text.partition(" = ")
        (parsed,) = parse_all(expression)
        plan = Plan((*plan.definitions, Definition(name, _expression(parsed, plan))))
    return plan


def _expression(given: SExpression, plan: Plan) -> Expression:
    match given:
        case str():
            relation, _, identifier = given.partition(":")
            return Base(identifier, relation, ()) if identifier else Point(given, plan.schema_of(given))
        case ("join", left, right):
            return Join(_expression(left, plan), _expression(right, plan))
        case ("select", condition, operand):
            return Select(_condition(condition), _expression(operand, plan))
        case ("merge", str(into), merged, operand):
            return Merge(into, tuple(map(str, merged)), _expression(operand, plan))
    raise InputError(f"{given!r} is no expression")


def _condition(given: SExpression) -> Temporal:
    match given:
        case ("within", duration, *names):
            return Within(tuple(map(str, names)), int(str(duration)))
        case ("apart", duration, *names):
            return Apart(tuple(map(str, names)), int(str(duration)))
        case (str(relation), str(left), str(right)) if relation in ALLEN:
            return Related(left, relation, right)
    raise InputError(f"{given!r} is no condition")


def shown(relation: Relation) -> list[str]:
    """The intervals of each tuple: `a [0, 1] b [1, 1]`."""
    rows = (dict(zip(relation.schema, row, strict=True)) for row in relation.tuples)
    names = identifiers_of(relation.schema)
    return sorted(
        " ".join(f"{name} [{row[start(name)]}, {row[end(name)]}]" for name in names) for row in rows
    )


def differenced(
    plan: Plan, point: str, steps: Iterable[tuple[Time, Sequence[Event]]], log: Sequence[Event]
) -> Iterator[str]:
    """What the equations of Figure 2 of 2008 compute in each step, word by word.

    The inputs of the materialization point have to be different event types.

    Args:
        steps: the current time of each step and its events, which are the ΔR.
        log: all events; those before the current time are the ∘R = σ[M < now](R).
    """
    expression = plan.by_name[point].expression
    assert not isinstance(expression, Union)
    types = [base.relation for base in read(expression) if isinstance(base, Base)]
    for now, new in steps:
        old = [event for event in log if event.time < now]
        for sides in product((new, old), repeat=len(types)):
            if any(side is new for side in sides):
                chosen = zip(types, sides, strict=True)
                events = [event for type, side in chosen for event in side if event.type == type]
                found = Evaluation(plan, History.of(events)).relation(expression)
                yield from (f"at {now}: {tuple}" for tuple in shown(found))
