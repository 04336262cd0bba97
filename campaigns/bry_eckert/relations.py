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
from semantics.bry_eckert.algebra.plans import Expression, Join, Plan, Union, operands
from semantics.bry_eckert.algebra.rewriting import join_commutes, pushed_down, with_operands
from semantics.bry_eckert.algebra.translation import plan_of
from semantics.bry_eckert.programs import Atom, BodyPart, Program, Window
from semantics.bry_eckert.temporal import Apart, Related, Within
from semantics.bry_eckert.timers import Timing

SHIFT = 1000
"""By so many ticks time is shifted."""


def _turned(expression: Expression) -> Expression:
    found = with_operands(expression, map(_turned, operands(expression)))
    return (join_commutes(found) or found) if isinstance(found, Join) else found


def turned_plan(program: Program) -> Plan:
    """The plan with the operands of every join exchanged, and selections as deep as they go."""
    plan = plan_of(program)
    parts = (
        part
        if isinstance(part.expression, Union)
        else replace(part, expression=pushed_down(_turned(part.expression)))
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
    return replace(case, events=shifted(case.events, SHIFT))


NAMES = ("r", "x", "A", "e", "s", "b", "o")
"""Other identifiers, some of which are called like variables or event types."""


def _renamed(case: Case) -> Case:
    """The case with other identifiers."""
    rules = []
    for rule in case.program.rules:
        names = dict(zip(rule.identifiers, NAMES, strict=False))
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
        case Related():
            return replace(part, left=names[part.left], right=names[part.right])
        case Within() | Apart():
            return replace(part, identifiers=tuple(names[name] for name in part.identifiers))
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
