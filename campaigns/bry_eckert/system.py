"""Judge, relations, reductions and wrong engines of cases of rules (`campaigns.systems.CasesOfSystem`).

Of an engine each answer is due exactly at its time, once, and no other one.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any

from campaigns import histories
from campaigns.bry_eckert import changes
from campaigns.bry_eckert.cases import GENERATION, PROFILES, SHAPES, TAILS, Case, made_case
from campaigns.choices import weights
from campaigns.histories import CasesOfHistories, Defined, OfProgram, broken, by_relation, event_in, event_text, shifted
from campaigns.judging.isolation import Deadline, TimeUp
from campaigns.judging.judgements import Shape, smaller_numbers
from campaigns.judging.verdicts import Kind, Verdict
from campaigns.mutants import mutants_in
from detectors.bry_eckert.catalogue import DEFAULT_DETECTOR, ENGINES, EngineFactory
from detectors.bry_eckert.protocol import Engine, answers
from detectors.bry_eckert.watch import Watch, noticed
from semantics.bry_eckert.algebra.planning import plan_of, pushed, pushed_down, with_operands
from semantics.bry_eckert.algebra.plans import Expression, Join, Plan, Union, operands
from semantics.bry_eckert.checking import parse
from semantics.bry_eckert.denotation import denotation, violations
from semantics.bry_eckert.programs import Atom, Axiom, BodyPart, Program, Rule, Window
from semantics.bry_eckert.temporal import Apart, Moment, Related, Timing, Within, renamed as with_names
from semantics.bry_eckert.traces import as_declared, events_of, read_log
from semantics.errors import InputError
from semantics.events import Event, Interval, Time
from semantics.traces.reading import Reading
from semantics.traces.rows import Partition, ReadReport

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

    def breaches(self) -> set[tuple[Time, Axiom]]:
        """When which axiom is broken."""
        return {(one.event.time, one.axiom) for one in violations(self.case.program, self.case.events)}


@dataclass(frozen=True)
class ByEngine(Meaning):
    """Meaning of a log as the usual engine has it."""

    literal: bool = False

    def says(self) -> Iterable[Event]:
        """The answers in the order of time."""
        engine = ENGINES[DEFAULT_DETECTOR](self.case.program, usual_plan(self.case.program), frozenset())
        return answers(engine, self.case.events)

    def breaches(self) -> set[tuple[Time, Axiom]]:
        """When which axiom is broken."""
        watch = Watch(self.case.program)
        return {(one.event.time, one.axiom) for event in self.case.events for one in watch.see(event)}


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
    breaches = meaning.breaches()
    run = _Run(case, factory, feeding, Deadline(seconds))
    failed = broken(run.whole, seconds, meaning.expected)
    if failed is not None:
        return failed
    given, derived = run.given, meaning.said
    if breaches:  # what an engine concludes from an axiom holds until it is broken
        first = min(time for time, _ in breaches)
        given = [(time, event) for time, event in given if min(time, event.time) < first]
        derived = tuple(event for event in derived if event.time < first)
    # An answer that is late, or early, is shown with the time at which it was given.
    detected = tuple(Interval(min(event.start, time), time) for time, event in given)
    kind, detail = _wrong(derived, given) or run.wrong_otherwise(breaches) or (None, "")
    return Verdict(kind, detail, meaning.expected, detected, meaning.literal)


@dataclass
class _Run:
    case: Case
    factory: EngineFactory
    feeding: Feeding
    deadline: Deadline
    given: list[Answer] = field(default_factory=list)  # the answers, each with the time at which it was given
    breaches: set[tuple[Time, Axiom]] | None = None  # when which axiom was found broken, if the engine looks
    again: Time | None = None  # a time at which a timer was due after the step of that time, or of a later one

    def whole(self) -> None:
        program = self.case.program
        if isinstance(self.factory, OfProgram) and self.feeding == USUAL:
            self.given = [(event.time, event) for event in self.factory.answers(self.case, event_in)]
            return
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
    plan = plan_of(program)
    parts = (
        part if isinstance(part.expression, Union) else replace(part, expression=pushed_down(_turned(part.expression)))
        for part in plan.definitions
    )
    return replace(plan, definitions=tuple(parts))


SHIFT = 1000  # By so many ticks time is shifted


def _shifted(case: Case) -> Case:
    found = []
    for event in shifted(case.events, SHIFT):
        declared = case.program.declared.get(event.type)
        moved = dict(event.attributes)
        for name in () if declared is None else declared.times:
            if moved.get(name) is not None:
                moved[name] += SHIFT  # type: ignore[operator]  # a time is an int
        found.append(event._replace(attributes=moved))
    return replace(case, events=tuple(found))


# Other identifiers, some called like variables or event types
NAMES = ("r", "x", "A", "e", "s", "b", "o", "i1", "i2", "i3")


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


def measure(case: Case) -> tuple[int, ...]:
    """The size of a case: parts of rules, length of the program, events, attributes, times, numbers."""
    program = case.program
    return (
        len(program.rules),
        sum(len(rule.body) for rule in program.rules),
        sum(len(atom.arguments) for rule in program.rules for atom in rule.read()),
        len(case.events),
        len(case.text),
        sum(len(event.attributes) for event in case.events),
        sum(event.time - event.start for event in case.events),
        case.events[-1].time if case.events else 0,
        sum(event.time for event in case.events),
        sum(int(number) for number in re.findall(r"\d+", case.text)),
    )


def _children(part: Any) -> Sequence[Any]:
    if isinstance(part, Program):
        return (*part.rules, *part.axioms)
    if isinstance(part, Rule):
        return part.body
    return (part.atom,) if isinstance(part, Window) else ()


def _with_children(part: Any, children: Sequence[Any]) -> Any:
    if isinstance(part, Rule):
        return replace(part, body=tuple(children))
    if isinstance(part, Window):
        return replace(part, atom=children[0]) if children else None
    rules = tuple(child for child in children if isinstance(child, Rule))
    axioms = tuple(child for child in children if not isinstance(child, Rule))
    return replace(part, rules=rules, axioms=axioms) if rules else None


def _simpler(part: Any) -> Iterator[Any]:

    def fewer(given: tuple[Any, ...]) -> Iterator[Any]:
        return (given[:place] + given[place + 1 :] for place in range(len(given)))

    match part:
        case Atom():
            yield from (replace(part, arguments=less, positional=not less) for less in fewer(part.arguments))
        case Rule():
            pairs = zip(fewer(part.head.terms), fewer(part.head.names), strict=True)
            yield from (replace(part, head=replace(part.head, terms=less, names=names)) for less, names in pairs)
        case Timing() | Within() | Apart():
            yield from (replace(part, duration=smaller) for smaller in smaller_numbers(part.duration))


PROGRAMS: Shape[Any] = Shape(_children, _with_children, _simpler)


def smaller_programs(case: Case) -> Iterator[Case]:
    """With a smaller program that passes its checks, without declarations that nothing reads."""
    for program in PROGRAMS.smaller(case.program):
        read = {atom.type for rule in program.rules for atom in rule.read()}
        kept = {name: type for name, type in program.declared.items() if name in read}
        axioms = tuple(axiom for axiom in program.axioms if set(axiom.types) <= kept.keys())
        text = str(replace(program, declared=kept, axioms=axioms))
        with suppress(InputError):
            parse(text)
            yield replace(case, text=text, events=tuple(event for event in case.events if event.type in kept))


class BryEckertCases(CasesOfHistories):
    """Cases of a program and a history (`cases.Case`); beyond the usual sizes durations or histories are long."""

    NAME = "bry_eckert"
    GENERATION = GENERATION
    CASE = Case
    ENGINES = ENGINES
    MUTANTS = mutants_in(Path(__file__).with_name("mutants.toml"), "detectors.bry_eckert.catalogue", "ENGINES")
    DEFAULT_DETECTOR = DEFAULT_DETECTOR
    USUAL = PROFILES
    LONG = histories.long_kinds(
        lambda length: replace(PROFILES["plain"], events=14, unit=length),
        lambda length: replace(PROFILES["windows"], rules=1, third=0, events=length + 20, span=2 * length),
    )
    TAILS, SHAPES = TAILS, SHAPES
    by_engine = staticmethod(ByEngine)
    AUTHORITY = f"the engine {DEFAULT_DETECTOR}"
    PROFILES = weights(USUAL, LONG, TAILS, SHAPES)
    RELATIONS = RELATIONS
    REDUCTIONS = (histories.fewer_events, smaller_programs, histories.plainer_events, histories.earlier_events)
    made = staticmethod(made_case)
    written = staticmethod(changes.written)
    changed = staticmethod(changes.changed)
    answer = staticmethod(changes.answer)
    made_for = staticmethod(changes.history_for)
    admits = staticmethod(changes.admitted)
    meaning = staticmethod(Meaning)
    judge = staticmethod(judge)
    measure = staticmethod(measure)
    judge_relation = staticmethod(judge_relation)

    def described(self) -> str:
        """The sizes of programs and histories."""
        rules, events = (max(each) for each in zip(*((p.rules, p.events) for p in PROFILES.values()), strict=True))
        return f"Random cases: programs of 1 to {rules} rules, histories of up to {events} events; {histories.UNEVEN}"

    def of_log(
        self, log: str | Path, text: str, reading: Reading, report: ReadReport
    ) -> tuple[dict[Partition, Case], Collection[str]]:
        """A log as cases of a program, one for each partition; the event types that it reads."""
        program, events = parse(text, (reading.tick or "").replace(" ", "")), dict[Partition, list[Event]]()
        for instant in read_log(log, program, reading, report=report):
            for row in instant.rows:
                events.setdefault(row.partition, []).extend(events_of((row,), program))
        text = str(program)
        return {
            key: Case(0, n, "log", text, tuple(found)) for n, (key, found) in enumerate(events.items())
        }, program.read

    def suspects(self, case: Case) -> Iterator[tuple[Case, str]]:
        """Each rule that reads no derived events alone, then the case; called by its constructs, as `join, not`."""
        rules = case.program.rules if len(case.program.rules) > 1 else ()
        alone = (replace(case.program, rules=(rule,)) for rule in rules)
        plain = (one for one in alone if all(atom.type in one.declared for atom in one.rules[0].read()))
        for found in (*(replace(case, text=str(one)) for one in plain), case):
            yield found, ", ".join(sorted(found.constructs)) or "event"


CASES = BryEckertCases()
