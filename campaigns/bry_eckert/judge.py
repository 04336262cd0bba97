"""The judge of engines: each answer exactly at its time, once, and no other one; relations after which it is so too."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from campaigns.bry_eckert.cases import Case
from campaigns.histories import Defined, broken, by_relation, event_text, shifted
from campaigns.judging.isolation import Deadline, TimeUp
from campaigns.judging.verdicts import Kind, Verdict
from detectors.bry_eckert.catalogue import EngineFactory
from detectors.bry_eckert.protocol import Engine
from detectors.bry_eckert.watch import noticed
from semantics.bry_eckert.algebra.planning import plan_of, pushed, pushed_down, with_operands
from semantics.bry_eckert.algebra.plans import Expression, Join, Plan, Union, operands
from semantics.bry_eckert.denotation import denotation, violations
from semantics.bry_eckert.programs import Atom, Axiom, BodyPart, Program, Window
from semantics.bry_eckert.temporal import Apart, Moment, Related, Timing, Within
from semantics.bry_eckert.temporal import renamed as with_names
from semantics.bry_eckert.traces import as_declared
from semantics.events import Event, Interval, Time

Answer = tuple[Time, Event]  # An answer and the time at which it was given


@dataclass(frozen=True)
class Meaning(Defined[Event]):
    """Meaning of a case: the events that the rules derive, by definition."""

    case: Case
    literal: bool = True

    def says(self) -> Iterable[Event]:
        """The answers in the order of time."""
        return denotation(self.case.program, self.case.events)

    @property
    def expected(self) -> tuple[Interval, ...]:
        """Their intervals."""
        return tuple(Interval(event.start, event.time) for event in self.said)


@lru_cache(maxsize=64)
def usual_plan(program: Program) -> Plan:
    """The plan that engines are judged with: selections as deep as they go."""
    return pushed(plan_of(program))


@dataclass(frozen=True)
class Feeding:
    """How an engine is fed."""

    plan: Callable[[Program], Plan] = usual_plan
    backwards: bool = False  # whether events that end at one time are given in the opposite order
    restored: bool = False  # whether the state is stored as JSON and restored by a fresh engine in the middle


USUAL = Feeding()


def judge(case: Case, factory: EngineFactory, meaning: Meaning, *, seconds: float, feeding: Feeding = USUAL) -> Verdict:
    """The verdict on an engine by the denotation."""
    declared = case.program.declared
    for event in case.events:
        if event.type in declared and not as_declared(event, declared[event.type]):
            return Verdict(None, "", (), refusal=f"{event_text(event)} is not as declared: {declared[event.type]}")
    if meaning.refusal:
        return Verdict(None, "", (), refusal=meaning.refusal)
    breaches = {(violation.event.time, violation.axiom) for violation in violations(case.program, case.events)}
    run = _Run(case, factory, feeding, Deadline(seconds))
    failed = broken(run.whole, seconds, meaning.expected)
    if failed is not None:
        return failed
    given, answers = run.given, meaning.said
    if breaches:  # what an engine concludes from an axiom holds until it is broken
        first = min(time for time, _ in breaches)
        given = [(time, event) for time, event in given if min(time, event.time) < first]
        answers = tuple(event for event in answers if event.time < first)
    # An answer that is late, or early, is shown with the time at which it was given.
    detected = tuple(Interval(min(event.start, time), time) for time, event in given)
    kind, detail = _wrong(answers, given) or run.wrong_otherwise(breaches) or (None, "")
    return Verdict(kind, detail, meaning.expected, detected, True)


@dataclass
class _Run:
    """A run of an engine over the history of a case."""

    case: Case
    factory: EngineFactory
    feeding: Feeding
    deadline: Deadline
    given: list[Answer] = field(default_factory=list)  # the answers, each with the time at which it was given
    breaches: set[tuple[Time, Axiom]] | None = None  # when which axiom was found broken, if the engine looks
    again: Time | None = None  # a time at which a timer was due after the step of that time, or of a later one

    def whole(self) -> None:
        """Feed the whole history, until no timer is pending."""
        program = self.case.program
        plan = self.feeding.plan(program)
        engine = self.factory(program, plan, self.case.points)
        instants = [(time, list(group)) for time, group in groupby(self.case.events, key=attrgetter("time"))]
        for number, (time, events) in enumerate(instants):
            self._pass(engine, time - 1)
            if self.feeding.restored and number == len(instants) // 2:
                state = json.loads(json.dumps(engine.snapshot()))
                engine = self.factory(program, plan, self.case.points)
                engine.restore(state)
            self._step(engine, time, events[::-1] if self.feeding.backwards else events)
        self._pass(engine, None)

    def _pass(self, engine: Engine, until: Time | None) -> None:
        """Steps at which timers are due."""
        last: Time = -1
        while (due := engine.due()) is not None and (until is None or due <= until):
            if due <= last:
                self.again = due
                return
            self._step(engine, due, ())
            last = due
            if self.deadline.left <= 0:
                raise TimeUp

    def _step(self, engine: Engine, time: Time, events: Sequence[Event]) -> None:
        self.given.extend((time, event) for event in engine.step(time, events))
        if hasattr(engine, "broken"):
            found = {(one.event.time, one.axiom) for one in noticed(engine)}
            self.breaches = (self.breaches or set()) | found

    def wrong_otherwise(self, breaches: set[tuple[Time, Axiom]]) -> tuple[Kind, str] | None:
        """The first way in which the engine is wrong about axioms, where it looks after them, or about timers."""
        found = breaches if self.breaches is None else self.breaches
        for time, axiom in sorted(breaches ^ found, key=str):
            if (time, axiom) in breaches:
                return Kind.MISSING, f"at {time}: {axiom} is broken, and the engine does not say so"
            return Kind.SPURIOUS, f"at {time}: the engine says that {axiom} is broken, and it is not"
        if self.again is None:
            return None
        return Kind.PROTOCOL, f"at {self.again}: a timer is due that was due before"


def _key(event: Event) -> tuple[Any, ...]:
    return event.type, event.start, event.time, json.dumps(dict(event.attributes), sort_keys=True)


def _wrong(expected: Sequence[Event], given: Sequence[Answer]) -> tuple[Kind, str] | None:
    """The first way in which answers are wrong: late or early, twice, invented, missing."""
    for time, event in given:
        if event.time != time:
            return Kind.PROTOCOL, f"{event_text(event)} is given at {time} and happens at {event.time}"
    due, found = Counter(map(_key, expected)), Counter(_key(event) for _, event in given)
    texts = {_key(event): event_text(event) for event in (*expected, *(event for _, event in given))}
    for key in sorted(due.keys() | found.keys(), key=lambda key: (key[2], key)):
        said = f"at {key[2]}: {texts[key]} is"
        if found[key] > due[key]:
            if due[key]:
                return Kind.PROTOCOL, f"{said} given twice"
            return Kind.SPURIOUS, f"{said} given and not derived"
        if found[key] < due[key]:
            return Kind.MISSING, f"{said} derived and not given"
    return None


def _turned(expression: Expression) -> Expression:
    found = with_operands(expression, map(_turned, operands(expression)))
    return Join(found.right, found.left) if isinstance(found, Join) else found


def turned_plan(program: Program) -> Plan:
    """The plan with the operands of every join exchanged, and selections as deep as they go."""
    parts = []
    for part in (plan := plan_of(program)).definitions:
        turned = part if isinstance(part.expression, Union) else replace(part, expression=_turned(part.expression))
        parts.append(turned if turned is part else replace(part, expression=pushed_down(turned.expression)))
    return replace(plan, definitions=tuple(parts))


SHIFT = 1000  # By so many ticks time is shifted


def _shifted(case: Case) -> Case:
    """The case later, with the times among its data."""
    found = []
    for event in shifted(case.events, SHIFT):
        declared = case.program.declared.get(event.type)
        moved = dict(event.attributes)
        for name in () if declared is None else declared.times:
            if moved.get(name) is not None:
                moved[name] += SHIFT  # type: ignore[operator]  # a time is an int
        found.append(event._replace(attributes=moved))
    return replace(case, events=tuple(found))


NAMES = ("r", "x", "A", "e", "s", "b", "o")  # Other identifiers, some called like variables or event types


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
    return part


# Other ways to feed an engine, after which the answers are the same
FEEDINGS: Mapping[str, Feeding] = MappingProxyType(
    {
        "order": Feeding(backwards=True),
        "restored": Feeding(restored=True),
        "printed-plan": Feeding(plan=plan_of),
        "turned-plan": Feeding(plan=turned_plan),
    }
)
# Changes of a case that change its answers in the same way
CHANGES: Mapping[str, Callable[[Case], Case]] = MappingProxyType({"shifted": _shifted, "renamed": _renamed})
RELATIONS = (*FEEDINGS, *CHANGES)


def judge_relation(
    relation: str, case: Case, factory: EngineFactory, *, seconds: float, first: Verdict | None = None
) -> Verdict:
    """The verdict by a relation; a failure says which one it was."""
    changed = CHANGES[relation](case) if relation in CHANGES else case
    feeding = FEEDINGS.get(relation, USUAL)
    return by_relation(relation, judge(changed, factory, Meaning(changed), seconds=seconds, feeding=feeding))
