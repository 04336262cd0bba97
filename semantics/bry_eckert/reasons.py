"""Derivations of answers through rules and windows down to events of a log, and the nearest misses of rules.

Where a rule gives no answer at a time T, its *nearest miss* is exact. The parts of its body are taken in order: its
atoms, each followed by the timers and conditions that it decides; that the answer ends at T; its windows; what compares
values that are collected. No event that ends after T is taken. Shown is the longest beginning that some events fulfil,
and the part after it, which none of them does: of several, those that miss it by least, then the latest ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from semantics.bry_eckert import temporal, terms
from semantics.bry_eckert.denotation import Assignment, agrees, answered, grouped, shown
from semantics.bry_eckert.programs import Atom, Program, Rule, Window, by_time
from semantics.bry_eckert.temporal import Column, Temporal, Timing, end, inside, start
from semantics.bry_eckert.terms import Comparison, Constant, Variable
from semantics.errors import LimitExceeded
from semantics.events import Event, Time, Value, quoted
from semantics.reasons import Reason, Reasons, Shown, spanned

MAX_STEPS = 2_000_000
"""How many parts of bodies are tried for one answer or miss before that is refused; some ten seconds of work."""

Part: TypeAlias = Atom | Timing | Temporal | Comparison | Window | None
"""A part of a body; None is that the answer ends at the time that was asked for."""


def ordered(rule: Rule) -> list[Part]:
    """The parts of a body in the order in which they are decided."""
    found, known = list[Part](), set[Column]()
    pending: list[Timing | Temporal | Comparison] = [*rule.timers, *rule.temporal, *rule.comparisons]
    for part in (*rule.atoms, None, *rule.absences, *rule.collections):
        found.append(part)
        atom = part.atom if isinstance(part, Window) and part.mode == "collect" else part
        known |= {start(atom.identifier), *atom.variables} if isinstance(atom, Atom) else set()
        for each in list(pending):
            named = terms.variables(each) if isinstance(each, Comparison) else map(start, _about(each))
            if known.issuperset(named):
                found.append(each)
                pending.remove(each)
                known |= {start(each.into)} if isinstance(each, Timing) else set()
    return found


def _about(part: Timing | Temporal) -> tuple[str, ...]:
    return (part.of,) if isinstance(part, Timing) else part.identifiers


class Derivations:
    """The answers of a program in a log, and why: its events with all that the program derives from them."""

    def __init__(self, program: Program, history: Iterable[Event], derived: Iterable[Event], time: Shown) -> None:
        self._program, self._time = program, time
        self._events: dict[str, list[Event]] = defaultdict(list)
        for event in sorted((*history, *derived), key=by_time):
            if event not in self._events[event.type][-1:]:  # equal ones are one event
                self._events[event.type].append(event)
        self._made: dict[str, Reason] = {}
        self._nearest: tuple[Any, ...] = ()

    def at(self, time: Time, types: Sequence[str]) -> Reasons:
        """The derivations of the answers at a time; without any, or of types that are asked for, the nearest misses."""
        found = [each for type in types or self._program.derived for each in self._events[type] if each.time == time]
        missed, said = list[Reason](), list[str]()
        for type in types or (() if found else self._program.derived):
            if all(each.type != type for each in found):
                missed += [self._miss(rule, time) for rule in self._program.rules_of(type)]
                times = [each.time for each in self._events[type]]
                near = [each for each in times if each < time][-1:], [each for each in times if each > time][:1]
                words = (f"at {self._time(each[0])}" if each else "none" for each in near)
                said.append("the last {} before: {}; the next one: {}".format(quoted(type), *words))
        return Reasons([self._event(each) for each in found], missed, said)

    def _event(self, event: Event, name: str = "") -> Reason:
        """An event with its derivations, one by each rule that gives it; without any it is one of the log."""
        key = f"{name} {event}"
        if key not in self._made:
            data = {"claim": "event", "event": event.type, "start": event.start, "time": event.time}
            text = f"{name and f'{name}: '}{shown(event, self._time)}"
            rules = tuple(each for rule in self._program.rules_of(event.type) for each in self._by(rule, event))
            self._made[key] = Reason(text, {**data, "attributes": dict(event.attributes)}, rules)
        return self._made[key]

    def _by(self, rule: Rule, event: Event) -> Iterator[Reason]:
        """How a rule derives an event, if it does: by the first events that do so, and all that are collected."""
        signature = self._program.signatures[event.type]
        names = rule.attributes(list(signature.types))
        head = [(term, event.attributes[name]) for name, term in zip(names, rule.head.terms, strict=True)]
        given: Assignment = {t.name: one for t, one in head if isinstance(t, Variable) and not isinstance(one, float)}
        for (begin, _, keys), group in grouped(rule, self._bodies(rule, event.time, given)).items():
            if (begin, signature.typed(answered(rule, names, keys, group))) == (event.start, event.attributes):
                grounds = (each for part in ordered(rule) for each in self._grounds(part, group))
                yield self._by_rule(rule, group[0], grounds)

    def _miss(self, rule: Rule, time: Time) -> Reason:
        """The nearest miss of a rule that gives no answer at a time."""
        if any(True for _ in self._bodies(rule, time, {})):
            raise RuntimeError(f"the rule in line {rule.place[0]} derives an answer that was not found")
        place, _, found = self._nearest
        parts = ordered(rule)
        grounds = [each for part in parts[:place] for each in self._grounds(part, [found])]
        wrong = Reason(self._missing(parts[place], rule, found, time)[1], {"claim": "condition"}, (), met=False)
        return self._by_rule(rule, found, (*grounds, wrong), met=False)

    def _by_rule(self, rule: Rule, found: Assignment, grounds: Iterable[Reason], *, met: bool = True) -> Reason:
        bindings = {name: value for name, value in found.items() if name in rule.bound}
        bound = ", ".join(f"{name} = {value}" for name, value in bindings.items())
        said = f"the rule in line {rule.place[0]} for {quoted(rule.head.type)}{bound and f', with {bound}'}"
        data = {"claim": "rule", "line": rule.place[0], "rule": str(rule), "bindings": bindings}
        return Reason(said, data, tuple(grounds), met)

    def _bodies(self, rule: Rule, time: Time, given: Assignment) -> Iterator[Assignment]:
        """The assignments that make a body true, with an answer at a time; remembers the nearest miss."""
        parts, steps = ordered(rule), 0
        self._nearest = (-1,)

        def descend(place: int, found: Assignment) -> Iterator[Assignment]:
            nonlocal steps
            steps += 1
            if steps > MAX_STEPS:
                reason = f"the rule in line {rule.place[0]} has more than {MAX_STEPS:,} combinations of events to try"
                raise LimitExceeded(reason, remedy="Take a shorter log, or --only a type that other rules derive.")
            if place == len(parts):
                yield found
                return
            choices = self._choices(parts[place], rule, found, time)
            if not choices and place >= self._nearest[0]:
                miss = (place, [-each for each in self._missing(parts[place], rule, found, time)[0]], found)
                self._nearest = max(miss, self._nearest, key=lambda each: each[:2])
            for each in choices:
                yield from descend(place + 1, each)

        return descend(0, dict(given))

    def _choices(self, part: Part, rule: Rule, found: Assignment, time: Time) -> list[Assignment]:
        """The assignments that add to one what makes a part true; none where nothing does."""
        match part:
            case None:
                holds = max(found[end(name)] for name in rule.identifiers) == time
            case Atom():
                return [
                    one for each in self._events[part.type] if each.time <= time and (one := _with(part, each, found))
                ]
            case Timing():
                interval = part.interval(found[start(part.of)], found[end(part.of)])
                if interval is None or interval[1] > time:
                    return []
                return [{**found, start(part.into): interval[0], end(part.into): interval[1]}]
            case Window(mode="collect"):
                return [one for _, one in self._inside(part, found)]
            case Window():
                holds = not self._inside(part, found)
            case Comparison():
                holds = terms.holds(part, found)
            case _:
                holds = temporal.holds(part, found)
        return [found] if holds else []

    def _inside(self, window: Window, found: Assignment) -> list[tuple[Event, Assignment]]:
        """The events that a window accumulates, with what they bind."""
        condition, atom = inside(window.atom.identifier, window.window), window.atom
        matching = ((each, _with(atom, each, found)) for each in self._events[atom.type])
        return [(each, one) for each, one in matching if one is not None and temporal.holds(condition, one)]

    def _grounds(self, part: Part, group: Sequence[Assignment]) -> Iterator[Reason]:
        """What makes a part of a body true, of the assignments of one answer."""
        found = group[0]
        if isinstance(part, Atom) or (isinstance(part, Window) and part.mode == "collect"):
            atom, name = (part, part.identifier) if isinstance(part, Atom) else (part.atom, f"while {part.window}")
            stamps = (start(atom.identifier), end(atom.identifier))
            for at, one in {tuple(each.get(key) for key in (*stamps, *atom.variables)): each for each in group}.items():
                events = (each for each in self._events[atom.type] if (each.start, each.time) == at[:2])
                yield self._event(next(each for each in events if _with(atom, each, one)), name)
                if isinstance(part, Atom):
                    return
        elif part is not None:
            yield Reason(self._condition(part, found), {"claim": "condition"})

    def _condition(self, part: Part, found: Assignment) -> str:
        """A part of a body with the values of what it is about."""
        match part:
            case Window():
                return f"{part}: none within {self._span(part.window, found)}"
            case Timing():
                return f"{part} is {self._span(part.into, found)}"
            case Comparison():
                return (
                    f"{part}: {', '.join(f'{name} = {found[name]}' for name in dict.fromkeys(terms.variables(part)))}"
                )
            case _:
                assert part is not None and not isinstance(part, Atom)
                return f"{part}: {', '.join(f'{name} {self._span(name, found)}' for name in _about(part))}"

    def _missing(self, part: Part, rule: Rule, found: Assignment, time: Time) -> tuple[tuple[float, float], str]:
        """How far a part is from being true, in values and in ticks, and that in words."""
        match part:
            case None:
                last = max(found[end(name)] for name in rule.identifiers)
                return (0, time - last), f"these events end at {self._time(last)}, not at {self._time(time)}"
            case Timing():
                edge = [found[stamp] + ticks for _, stamp, ticks in part.edges]
                return (
                    0,
                    abs(edge[1] - time),
                ), f"{part} is {spanned(edge[0], edge[1], self._time)}, not done at {self._time(time)}"
            case Window(mode="not"):
                each = self._inside(part, found)[-1][0]
                return (0, 0), f"{part}: {shown(each, self._time)} lies within {self._span(part.window, found)}"
            case Atom() | Window():
                atom, where = (
                    (part, f"up to {self._time(time)}")
                    if isinstance(part, Atom)
                    else (part.atom, f"within {self._span(part.window, found)}")
                )
                last = time if isinstance(part, Atom) else found[end(part.window)]
                near = min(
                    (
                        (_differing(atom, each, found), abs(each.time - last), each)
                        for each in reversed(self._events[atom.type])
                    ),
                    key=lambda each: each[:2],
                    default=None,
                )
                said = f"no {atom.query} {where}"
                if near is None:
                    return (len(atom.arguments) + 1, 0), f"{said} (there is no {quoted(atom.type)})"
                return near[:2], f"{said} (nearest: {shown(near[2], self._time)})"
            case Comparison():
                sides: Any = [terms.value(each, found) for each in (part.left, part.right)]
                numbers = all(isinstance(each, int | float) for each in sides)
                return (abs(sides[0] - sides[1]) if numbers else 0, 0), self._condition(part, found)
            case _:
                excess = (
                    max(found[d.later] - found[d.earlier] - d.ticks for d in some) for some in part.alternatives()
                )
                return (0, min(excess)), self._condition(part, found)

    def _span(self, name: str, found: Assignment) -> str:
        return spanned(found[start(name)], found[end(name)], self._time)


def _with(atom: Atom, event: Event, found: Assignment) -> Assignment | None:
    """An assignment with an event that matches an atom; None where it does not."""
    one = {**found, start(atom.identifier): event.start, end(atom.identifier): event.time}
    return one if agrees(atom, event.attributes, one) else None


def _differing(atom: Atom, event: Event, found: Assignment) -> int:
    """How many arguments of an atom an event does not have as they are wanted."""
    wanted: dict[str, Value] = {n: t.value if isinstance(t, Constant) else found.get(t.name) for n, t in atom.arguments}
    return sum(event.attributes.get(n) is None or one not in (None, event.attributes[n]) for n, one in wanted.items())
