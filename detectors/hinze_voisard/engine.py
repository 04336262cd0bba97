"""The incremental engine for profiles: at each time with events, what is announced and what is withdrawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count, groupby
from operator import attrgetter
from typing import Any, Literal
from weakref import WeakValueDictionary

from detectors.hinze_voisard.lists import Instance, Occurrence, Stateful
from detectors.hinze_voisard.nodes import FOREVER, AbsentNode, Delta, Node, OfClassNode, SelectedNode, Timer, UnionNode
from detectors.hinze_voisard.pairs import Clause, ConjunctionNode, PairedNode
from detectors.hinze_voisard.views import net
from semantics.errors import InputError
from semantics.events import Event, Time
from semantics.hinze_voisard import profiles
from semantics.hinze_voisard.evaluation import TIME, Found, Notification

_new = tuple.__new__  # a named tuple is made by a function in Python, which takes twice as long

_KNOWN_TYPES = 10_000
"""Cache size for the classes of event types."""

_STEPS = 8
"""Nodes forget settled instances every so many steps."""


class Engine:
    """Evaluates profiles step by step, in strictly increasing order of time.

    A step at a time is given all events that occur at it. The interval begins with the first step.

    Args:
        file: the classes and profiles.
    """

    def __init__(self, file: profiles.ProfileFile) -> None:
        """No event has occurred."""
        self._ranks = {name: rank for rank, name in enumerate(file.classes, 1)}
        self._file = file
        self._ranks[""] = len(file.classes) + 1
        self._timers: WeakValueDictionary[tuple[int, int], Occurrence] = WeakValueDictionary()
        self._building = Building(lambda time: self._timer("", time), file.are_apart)
        self.profiles = [(one.name, self._building.node(one.expression)) for one in file.profiles]
        leaves: dict[str, list[OfClassNode]] = {}
        for leaf in self._building.leaves:
            leaves.setdefault(leaf.part.type, []).append(leaf)
        classes = file.classes
        self._timed = [
            (one, leaves[name])
            for name, one in classes.items()
            if name in leaves and isinstance(one, profiles.TimeClass)
        ]
        self._classes = [
            (constraints, leaves[name]) for name in leaves if (constraints := file.constraints(name)) is not None
        ]
        self._of_type: dict[str, list[tuple[tuple[profiles.Constraint, ...], list[OfClassNode]]]] = {}
        self._waits = any(node.due(0) < FOREVER for _, node in self.profiles)
        self._begin: Time | None = None
        self._now: Time = -1
        self._count = self._steps = 0

    def step(self, time: Time, given: Sequence[Event], /) -> list[Notification]:
        """The notifications at a time, given the events that occur at it: withdrawals first."""
        if self._begin is None:
            self._begin, self._now = time, time - 1
        deltas = [*self._passed(time)] if self._timed or self._waits else []
        self._arrive(given)
        deltas.append([node.step(time) for _, node in self.profiles])
        withdrawn: list[Notification] = []
        announced: list[Notification] = []
        for number, (name, _) in enumerate(self.profiles):
            gone, new = deltas[0][number] if len(deltas) == 1 else net(each[number] for each in deltas)
            if gone:
                _say(withdrawn, time, "withdrawn", name, gone)
            if new:
                _say(announced, time, "announced", name, new)
        self._now = time
        self._steps += 1
        if self._steps % _STEPS == 0:
            for _, node in self.profiles:
                node.settle(time)
        if len(self.profiles) > 1:
            withdrawn.sort(key=_order)
            announced.sort(key=_order)
        return withdrawn + announced

    def snapshot(self) -> dict[str, Any]:
        """The state as plain data."""
        return {
            "profiles": str(self._file),
            "time": [self._begin, self._now, self._count],
            "state": [plain(one.state()) for one in self._building.stateful],
        }

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Take up a state that `snapshot` of an engine of the same profiles made, in the place of its own.

        Raises:
            InputError: it is not one.
        """
        try:
            if snapshot["profiles"] != str(self._file):
                raise InputError("the state is of other profiles")
            self._begin, self._now, self._count = snapshot["time"]
            known: dict[tuple[int, int], Occurrence] = {}
            for one, state in zip(self._building.stateful, snapshot["state"], strict=True):
                one.restore(unplain(state, known))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise InputError(f"this is no state of an engine: {error}") from None
        self._timers.update((place, one) for place, one in known.items() if place[0])

    @property
    def parts(self) -> list[tuple[profiles.Part, Node]]:
        """The parts of all profiles with their nodes, operands first."""
        return self._building.nodes

    def stored(self) -> int:
        """How many instances are held."""
        return sum(node.size() for _, node in self.profiles)

    def _passed(self, until: Time) -> Iterator[list[Delta]]:
        """What changes before a step, where time events or ends of negations occur; those of the step arrive."""
        timed: dict[Time, list[tuple[str, list[OfClassNode]]]] = {}
        for one, leaves in self._timed:
            for time in one.times(self._now + 1, until):
                timed.setdefault(time, []).append((one.name, leaves))
        for steps in count(1):
            due = min((node.due(self._now) for _, node in self.profiles), default=FOREVER)
            time = min(due, *timed, until)
            for name, leaves in timed.pop(time, ()):
                for leaf in leaves:
                    leaf.arrived.append((time, time, (self._timer(name, time),)))
            if time == until:
                return
            yield [node.step(time) for _, node in self.profiles]
            self._now = time
            profiles.require_few(steps, "a negation")

    def _arrive(self, given: Sequence[Event]) -> None:
        for number, event in enumerate(given, self._count):
            classes = self._of_type.get(event.type)
            if classes is None:
                classes = self._classes_of(event)
            instance: Instance | None = None
            for constraints, leaves in classes:
                if constraints and not all(one.holds(event) for one in constraints):
                    continue
                if instance is None:
                    time = event.time
                    instance = time, time, (Occurrence(event, (0, number)),)
                for leaf in leaves:
                    leaf.arrived.append(instance)
        self._count += len(given)

    def _classes_of(self, event: Event) -> list[tuple[tuple[profiles.Constraint, ...], list[OfClassNode]]]:
        """The classes to which events of a type may belong, with the constraints that are left to check."""
        if len(self._of_type) >= _KNOWN_TYPES:
            self._of_type.clear()
        found = [
            (tuple(one for one in constraints if one.attribute != "name"), leaves)
            for constraints, leaves in self._classes
            if all(one.holds(event) for one in constraints if one.attribute == "name")
        ]
        self._of_type[event.type] = found
        return found

    def _timer(self, name: str, time: Time) -> Occurrence:
        place = self._ranks[name], time
        found = self._timers.get(place)
        if found is None:
            found = self._timers[place] = Occurrence(Event(name or TIME, time, time), place)
        return found


def _say(
    said: list[Notification],
    time: Time,
    kind: Literal["withdrawn", "announced"],
    profile: str,
    found: Sequence[Instance],
) -> None:
    """Append notifications about instances of a profile, in order of time."""
    for end, start, members in sorted(found) if len(found) > 1 else found:
        if members[0].place[0]:  # a time event may have to go before others
            members = tuple(sorted(members, key=lambda one: (one.event.time, one.place), reverse=True))
        if len(members) == 2:
            last, first = members
            events: tuple[Event, ...] = (first.event, last.event)
        else:
            events = tuple([one.event for one in members[::-1]])
        said.append(_new(Notification, (time, kind, _new(Found, (profile, start, end, events)))))


def _order(said: Notification) -> tuple[Time, Time, str]:
    return said.found.time, said.found.start, said.found.profile


def notifications(engine: Engine, events: Iterable[Event]) -> Iterator[Notification]:
    """The notifications about events in the order of their times."""
    for time, given in groupby(events, key=attrgetter("time")):
        yield from engine.step(time, [*given])


_KINDS: dict[str, type[Any]] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset, "dict": dict}


def plain(value: Any) -> Any:
    """Lists, tuples, sets, dictionaries and occurrences as plain data."""
    if isinstance(value, Occurrence):
        event = value.event
        return ["occurrence", *value.place, event.type, event.time, dict(event.attributes)]
    name = type(value).__name__
    if name not in _KINDS:
        return value
    return [name, *map(plain, value.items() if name == "dict" else value)]


def unplain(data: Any, known: dict[tuple[int, int], Occurrence]) -> Any:
    """The value of plain data, as `plain` made it; each occurrence becomes one object, by its place in `known`.

    Raises:
        KeyError, TypeError, ValueError: it is not of that form.
    """
    if not isinstance(data, list):
        return data
    name, *rest = data
    if name != "occurrence":
        return _KINDS[name](unplain(one, known) for one in rest)
    rank, number, type_, time, attributes = rest
    place = int(rank), int(number)
    if place not in known:
        known[place] = Occurrence(Event(str(type_), time, time, attributes), place)
    return known[place]


class Building:
    """Makes the nodes of a profile.

    Args:
        timer: the time event that ends a negation at a time.
        are_apart: whether no event belongs to two classes.
    """

    def __init__(self, timer: Timer, are_apart: Callable[[str, str], bool]) -> None:
        self._timer, self._are_apart = timer, are_apart
        self.nodes: list[tuple[profiles.Part, Node]] = []
        """The parts with their nodes, operands first."""
        self.leaves: list[OfClassNode] = []
        self.stateful: list[Stateful] = []
        """The nodes and relations with a state of their own, in the order in which they were made."""

    def node(self, part: profiles.Part) -> Node:
        """The node of a part."""
        node: Node
        match part:
            case profiles.OfClass():
                node = OfClassNode(part)
                self.leaves.append(node)
            case profiles.Paired("|", left, right):
                node = UnionNode(map(self.node, (left, right)))
            case profiles.Paired(_, left, right):
                apart = (
                    isinstance(left, profiles.OfClass)
                    and isinstance(right, profiles.OfClass)
                    and self._are_apart(left.type, right.type)
                )
                node = PairedNode(part, self.node(left), self.node(right), apart=apart)
            case profiles.Absent(operand):
                node = AbsentNode(part, self.node(operand), self._timer)
            case profiles.Selected(operand):
                node = SelectedNode(part, self.node(operand))
            case profiles.Logical(True):
                nodes: list[Node] = []
                node = ConjunctionNode(self._clause(part, "", nodes), nodes)
            case profiles.Logical(_, clauses):
                node = UnionNode(map(self.node, clauses))
        self.stateful.append(node)
        self.nodes.append((part, node))
        return node

    def _clause(self, part: profiles.Part, place: str, nodes: list[Node]) -> Clause:
        if isinstance(part, profiles.Logical):
            clauses = tuple(self._clause(one, f"{place}.{number}", nodes) for number, one in enumerate(part.clauses))
            clause = Clause(clauses=clauses, conjunction=part.conjunction)
        else:
            nodes.append(self.node(part))
            if isinstance(part, profiles.Paired) and part.operator != "|":
                clause = Clause(nodes[-1], (_name(part.left, f"{place}l"), _name(part.right, f"{place}r")))
            else:
                clause = Clause(nodes[-1], (_name(part, place),))
        self.stateful.append(clause)
        return clause


def _name(part: profiles.Part, place: str) -> str:
    return part.name if isinstance(part, profiles.OfClass) and part.name else f"#{place}"
