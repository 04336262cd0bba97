"""Relations between cases: what may be changed about a case, or about how an engine is fed, without other answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from campaigns.bry_eckert.cases import Case
from campaigns.bry_eckert.judge import Feeding, Meaning, judge
from campaigns.histories import by_relation, shifted
from campaigns.judging.verdicts import Verdict
from detectors.bry_eckert.catalogue import EngineFactory
from semantics.bry_eckert.algebra.planning import pushed_down, with_operands
from semantics.bry_eckert.algebra.plans import Expression, Join, Plan, Union, operands
from semantics.bry_eckert.algebra.translation import plan_of
from semantics.bry_eckert.programs import Atom, BodyPart, EventType, Program, Window
from semantics.bry_eckert.temporal import Apart, Moment, Related, Timing, Within
from semantics.bry_eckert.temporal import renamed as with_names
from semantics.events import Event

SHIFT = 1000
"""By so many ticks time is shifted."""


def _turned(expression: Expression) -> Expression:
    found = with_operands(expression, map(_turned, operands(expression)))
    return Join(found.right, found.left) if isinstance(found, Join) else found


def turned_plan(program: Program) -> Plan:
    """The plan with the operands of every join exchanged, and selections as deep as they go."""
    plan = plan_of(program)
    parts = (
        part if isinstance(part.expression, Union) else replace(part, expression=pushed_down(_turned(part.expression)))
        for part in plan.definitions
    )
    return replace(plan, definitions=tuple(parts))


FEEDINGS: Mapping[str, Feeding] = MappingProxyType(
    {
        "order": Feeding(backwards=True),
        "restored": Feeding(restored=True),
        "printed-plan": Feeding(plan=plan_of),
        "turned-plan": Feeding(plan=turned_plan),
    }
)
"""Other ways to feed an engine, after which the answers are the same."""


def _shifted(case: Case) -> Case:
    declared = case.program.declared
    return replace(case, events=tuple(_with_times(event, declared) for event in shifted(case.events, SHIFT)))


def _with_times(event: Event, declared: Mapping[str, EventType]) -> Event:
    """An event that was shifted, with the times among its data shifted too."""
    times = declared[event.type].times if event.type in declared else ()
    moved = {name: event.attributes[name] + SHIFT for name in times if event.attributes.get(name) is not None}  # type: ignore[operator]  # a time is an int
    return event._replace(attributes={**event.attributes, **moved}) if moved else event


NAMES = ("r", "x", "A", "e", "s", "b", "o")
"""Other identifiers, some of which are called like variables or event types."""


def _renamed(case: Case) -> Case:
    rules = []
    for rule in case.program.rules:
        times = {name for part in rule.temporal for name in part.identifiers if isinstance(name, Moment)}
        names = dict(zip(rule.identifiers, (name for name in NAMES if name not in times), strict=False))
        rules.append(replace(rule, body=tuple(_with_names(part, names) for part in rule.body)))
    return replace(case, text=str(replace(case.program, rules=tuple(rules))))


def _with_names(part: BodyPart, names: Mapping[str, str]) -> BodyPart:
    match part:
        case Atom():
            return replace(part, identifier=names[part.identifier])
        case Timing():
            return replace(part, into=names[part.into], of=names[part.of])
        case Window():
            return replace(part, window=names[part.window])
        case Related() | Within() | Apart():
            return with_names(part, lambda name: names.get(name, name))
        case _:
            return part


CHANGES: Mapping[str, Callable[[Case], Case]] = MappingProxyType({"shifted": _shifted, "renamed": _renamed})
"""Changes of a case that change its answers in the same way."""

RELATIONS = (*FEEDINGS, *CHANGES)


def judge_relation(relation: str, case: Case, factory: EngineFactory, *, seconds: float) -> Verdict:
    """The verdict by a relation; a failure says which one it was."""
    if relation in FEEDINGS:
        verdict = judge(case, factory, Meaning(case), seconds=seconds, feeding=FEEDINGS[relation])
    else:
        changed = CHANGES[relation](case)
        verdict = judge(changed, factory, Meaning(changed), seconds=seconds)
    return by_relation(relation, verdict)
