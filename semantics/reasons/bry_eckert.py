"""Derivations of answers through rules and windows down to events of a log, and the nearest misses of rules.

Where a rule gives no answer at a time T, its *nearest miss* is exact. The parts of its body are taken in order: its
atoms, each followed by the comparisons, conditions and timers that are then known; that the answer ends at T; its
windows; what compares values that are collected. No event that ends after T is taken. Shown is the longest beginning
that some events fulfil, and the part after it, which none of them does: of several, those that miss a condition by
least, then the latest ones.
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
from semantics.reasons.claims import Reason, Reasons, Shown, spanned

MAX_LOOKS = 5_000_000
"""How many events are looked at for one answer or miss of a rule before that is refused; some ten seconds of work."""

Part: TypeAlias = Atom | Timing | Temporal | Comparison | Window | None
"""A part of a body; None is that the answer ends at the time that was asked for."""


def ordered(rule: Rule) -> list[Part]:
    """The parts of a body in the order in which they are decided."""
    found, known = list[Part](), set[Column]()
    pending: list[Comparison | Temporal | Timing] = [*rule.comparisons, *rule.temporal, *rule.timers]
    for part in (*rule.atoms, None, *rule.absences, *rule.collections):
        found.append(part)
        atom = part.atom if isinstance(part, Window) and part.mode == "collect" else part
        known |= {start(atom.identifier), *atom.variables} if isinstance(atom, Atom) else set()
        while ready := [each for each in pending if known.issuperset(_about(each))]:
            found.append(ready[0])
            pending.remove(ready[0])
            known |= {start(ready[0].into)} if isinstance(ready[0], Timing) else set()
    return found


def _about(part: Comparison | Temporal | Timing) -> Iterable[Column]:
    """The variables, and the starts of events, of which a condition or a timer speaks."""
    if isinstance(part, Comparison):
        return dict.fromkeys(terms.variables(part))
    return map(start, (part.of,) if isinstance(part, Timing) else part.identifiers)


class Derivations:
    """The answers of a program in a log, and why: its events with all that the program derives from them."""

    def __init__(self, program: Program, history: Iterable[Event], derived: Iterable[Event], time: Shown) -> None:
        self._program, self._time = program, time
        self._events: dict[str, list[Event]] = defaultdict(list)
        for event in sorted((*history, *derived), key=by_time):
            if event not in self._events[event.type][-1:]:  # equal ones are one event
                self._events[event.type].append(event)
        self._made: dict[str, Reason] = {}
        self._index: dict[tuple[str, str], dict[Value, list[Event]]] = {}
        self._nearest: tuple[Any, ...] = ()
        self._looks = 0

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
            data = {"claim": "event", "name": name, "event": event.type, "start": event.start, "time": event.time}
            text = f"{name and f'{name}: '}{shown(event, self._time)}"
            rules = tuple(each for rule in self._program.rules_of(event.type) for each in self._by(rule, event))
            met = bool(rules) or event.type not in self._program.derived
            self._made[key] = Reason(text, {**data, "attributes": dict(event.attributes)}, rules, met)
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
        (place, _, found), parts = self._nearest, ordered(rule)
        grounds = [each for part in parts[:place] for each in self._grounds(part, [found])]
        wrong = Reason(self._missing(parts[place], rule, found, time), {"claim": "condition"}, (), met=False)
        return self._by_rule(rule, found, (*grounds, wrong), met=False)

    def _by_rule(self, rule: Rule, found: Assignment, grounds: Iterable[Reason], *, met: bool = True) -> Reason:
        bindings = {name: value for name, value in found.items() if name in rule.bound}
        bound = ", ".join(f"{name} = {value}" for name, value in bindings.items())
        said = f"the rule in line {rule.place[0]} for {quoted(rule.head.type)}{bound and f', with {bound}'}"
        data = {"claim": "rule", "line": rule.place[0], "rule": str(rule), "bindings": bindings}
        return Reason(said, data, tuple(grounds), met)

    def _bodies(self, rule: Rule, time: Time, given: Assignment) -> Iterator[Assignment]:
        """The assignments that make a body true, with an answer at a time; remembers the nearest miss."""
        parts, self._nearest, self._looks = ordered(rule), (-1, 0), 0

        def descend(place: int, found: Assignment) -> Iterator[Assignment]:
            if self._looks > MAX_LOOKS:
                reason = f"the rule in line {rule.place[0]} has more than {MAX_LOOKS:,} combinations of events to try"
                raise LimitExceeded(reason, remedy="Take a shorter log, or --only a type that other rules derive.")
            if place == len(parts):
                yield found
                return
            choices = self._choices(parts[place], rule, found, time)
            if not choices and place >= self._nearest[0]:
                miss = (place, -_far(parts[place], rule, found, time), found)
                self._nearest = max(miss, self._nearest, key=lambda each: each[:2])
            for each in choices:
                yield from descend(place + 1, each)

        return descend(0, dict(given))

    def _matching(self, atom: Atom, found: Assignment) -> list[tuple[Event, Assignment]]:
        """The events that match an atom, with what they bind; looked up by an attribute that is known."""
        values = ((n, t.value if isinstance(t, Constant) else found.get(t.name)) for n, t in atom.arguments)
        name, value = next((pair for pair in values if pair[1] is not None), ("", None))
        if (atom.type, name) not in self._index:
            index = self._index[atom.type, name] = defaultdict(list)
            for event in self._events[atom.type]:
                index[event.attributes.get(name) if name else None].append(event)
        events = self._index[atom.type, name][value]
        self._looks += 1 + len(events)
        stamps = (start(atom.identifier), end(atom.identifier))
        bound = ((each, {**found, stamps[0]: each.start, stamps[1]: each.time}) for each in events)
        return [(each, one) for each, one in bound if agrees(atom, each.attributes, one)]

    def _choices(self, part: Part, rule: Rule, found: Assignment, time: Time) -> list[Assignment]:
        """The assignments that add to one what makes a part true; none where nothing does."""
        match part:
            case None:
                holds = max(found[end(name)] for name in rule.identifiers) == time
            case Atom():
                return [one for each, one in self._matching(part, found) if each.time <= time]
            case Timing():
                made = {stamp: found[origin] + ticks for stamp, origin, ticks in part.edges}
                return [{**found, **made}] if _far(part, rule, found, time) <= 0 else []
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
        condition = inside(window.atom.identifier, window.window)
        return [pair for pair in self._matching(window.atom, found) if temporal.holds(condition, pair[1])]

    def _grounds(self, part: Part, group: Sequence[Assignment]) -> Iterator[Reason]:
        """What makes a part of a body true, of the assignments of one answer."""
        found = group[0]
        if isinstance(part, Atom) or (isinstance(part, Window) and part.mode == "collect"):
            atom, name = (part, part.identifier) if isinstance(part, Atom) else (part.atom, f"while {part.window}")
            stamps = (start(atom.identifier), end(atom.identifier))
            several = group[:1] if isinstance(part, Atom) else group
            for at, one in {tuple(map(each.get, (*stamps, *atom.variables))): each for each in several}.items():
                matching = (each for each, _ in self._matching(atom, one))
                yield self._event(next(each for each in matching if (each.start, each.time) == at[:2]), name)
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
                return f"{part}: {', '.join(f'{name} = {found[name]}' for name in _about(part))}"
            case _:
                assert part is not None and not isinstance(part, Atom)
                return f"{part}: {', '.join(f'{name} {self._span(name, found)}' for name in part.identifiers)}"

    def _missing(self, part: Part, rule: Rule, found: Assignment, time: Time) -> str:
        """What is wrong with a part of a body, in words."""
        match part:
            case None:
                last = max(found[end(name)] for name in rule.identifiers)
                return f"these events end at {self._time(last)}, not at {self._time(time)}"
            case Timing():
                first, last = (found[stamp] + ticks for _, stamp, ticks in part.edges)
                wrong = "which ends before it starts" if last < first else f"not over at {self._time(time)}"
                return f"{part} is {spanned(first, last, self._time)}, {wrong}"
            case Window(mode="not"):
                each = self._inside(part, found)[-1][0]
                return f"{part}: {shown(each, self._time)} lies within {self._span(part.window, found)}"
            case Atom() | Window():
                atom, last, where = part, time, f"up to {self._time(time)}"
                if isinstance(part, Window):
                    atom, last, where = part.atom, found[end(part.window)], f"within {self._span(part.window, found)}"
                assert isinstance(atom, Atom)
                events = reversed(self._events[atom.type])
                near = min(
                    events, key=lambda each: (_differing(atom, each, found), abs(each.time - last)), default=None
                )
                nearest = f"there is no {quoted(atom.type)}" if near is None else f"nearest: {shown(near, self._time)}"
                return f"no {atom.query} {where} ({nearest})"
            case _:
                return self._condition(part, found)

    def _span(self, name: str, found: Assignment) -> str:
        return spanned(found[start(name)], found[end(name)], self._time)


def _far(part: Part, rule: Rule, found: Assignment, time: Time) -> Any:
    """How far a condition is from being true, in values or ticks; 0 of what is an event that is there or is not."""
    match part:
        case None:
            return time - max(found[end(name)] for name in rule.identifiers)
        case Comparison():
            sides: Any = [terms.value(each, found) for each in (part.left, part.right)]
            return abs(sides[0] - sides[1]) if all(isinstance(each, int | float) for each in sides) else 0
        case Timing():
            first, last = (found[stamp] + ticks for _, stamp, ticks in part.edges)
            return max(first - last, last - time)
        case Atom() | Window():
            return 0
        case _:
            alternatives = part.alternatives()
            return min(max(found[d.later] - found[d.earlier] - d.ticks for d in some) for some in alternatives)


def _differing(atom: Atom, event: Event, found: Assignment) -> int:
    """How many arguments of an atom an event does not have as they are wanted; each time of a variable is one."""
    values, known = {name: one for name, one in event.attributes.items() if one is not None}, dict(found)
    return sum(
        n not in values or values[n] != (t.value if isinstance(t, Constant) else known.setdefault(t.name, values[n]))
        for n, t in atom.arguments
    )
