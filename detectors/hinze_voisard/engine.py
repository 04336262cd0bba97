"""The incremental engine for profiles: at each time with events, what is announced and what is withdrawn."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import count, groupby
from operator import attrgetter
from types import MappingProxyType
from typing import Any, TypeAlias

from detectors.hinze_voisard import nodes
from detectors.hinze_voisard.lists import Instance, Occurrence, Stateful, net
from detectors.hinze_voisard.nodes import FOREVER, Clause, Delta, Node, OfClassNode
from semantics.errors import InputError
from semantics.events import Event, Time
from semantics.hinze_voisard import profiles
from semantics.hinze_voisard.evaluation import TIME, Found, Notification

_FORM = 3  # The form of a stored state; one of another form is refused
_STEPS = 8  # Nodes forget settled instances every so many steps


class Engine:
    """Evaluates profiles step by step, in strictly increasing order of time.

    A step at a time is given all events that occur at it. The interval begins with the first step.
    """

    def __init__(self, file: profiles.ProfileFile) -> None:
        """No event has occurred."""
        self._file = file
        self._ranks = {name: rank for rank, name in enumerate((*file.classes, ""), 1)}
        self._leaves: dict[str, list[OfClassNode]] = {}
        self._stateful: list[Stateful] = []
        self.parts: list[tuple[profiles.Part, Node]] = []
        """The parts of all profiles with their nodes, operands first."""
        self.profiles = [(one.name, self._node(one.expression)) for one in file.profiles]
        found = [(file.constraints(name), leaves) for name, leaves in self._leaves.items()]
        self._content = [(constraints, leaves) for constraints, leaves in found if constraints is not None]
        self._timed = {
            name: one
            for name, one in file.classes.items()
            if name in self._leaves and isinstance(one, profiles.TimeClass)
        }
        self._waits = bool(self._timed) or any(node.due(0) < FOREVER for _, node in self.profiles)
        self._begin: Time | None = None
        self._now: Time = -1
        self._count = self._steps = 0

    def step(self, time: Time, given: Sequence[Event], /) -> list[Notification]:
        """The notifications at a time, given the events that occur at it: withdrawals first."""
        if self._begin is None:
            self._begin, self._now = time, time - 1
        deltas = [*self._passed(time)] if self._waits else []
        for number, event in enumerate(given, self._count):
            instance = event.time, event.time, (Occurrence((0, number), event),)
            for constraints, leaves in self._content:
                if all(one.holds(event) for one in constraints):
                    for leaf in leaves:
                        leaf.arrived.append(instance)
        self._count += len(given)
        deltas.append([node.step(time) for _, node in self.profiles])
        withdrawn: list[Notification] = []
        announced: list[Notification] = []
        for number, (name, _) in enumerate(self.profiles):
            gone, new = deltas[0][number] if len(deltas) == 1 else net(each[number] for each in deltas)
            if gone:
                withdrawn += [Notification(time, "withdrawn", _found(name, one)) for one in sorted(gone)]
            if new:
                announced += [Notification(time, "announced", _found(name, one)) for one in sorted(new)]
        self._now = time
        self._steps += 1
        if self._steps % _STEPS == 0:
            for _, node in self.profiles:
                node.settle(time)
        if len(self.profiles) > 1:  # those of one are in order
            withdrawn.sort(key=_order)
            announced.sort(key=_order)
        return withdrawn + announced

    def settled(self) -> dict[str, Time]:
        """By profile the time before which its occurrences are final, whatever comes after the last step."""
        return {name: node.settle(self._now) for name, node in self.profiles}

    def snapshot(self) -> dict[str, Any]:
        """The state as plain data."""
        return {
            "form": _FORM,
            "profiles": self._file.text,
            "time": [self._begin, self._now, self._count],
            "state": [plain(one.state()) for one in self._stateful],
        }

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Take up a state that `snapshot` of an engine of the same profiles made, or raise an `InputError`."""
        try:
            if (snapshot["form"], snapshot["profiles"]) != (_FORM, self._file.text):
                raise InputError("the state is of other profiles, or of another version")
            self._begin, self._now, self._count = snapshot["time"]
            for one, state in zip(self._stateful, snapshot["state"], strict=True):
                one.restore(unplain(state))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise InputError(f"this is no state of an engine: {error}") from None

    def _passed(self, until: Time) -> Iterator[list[Delta]]:
        """What changes before a step, where time events or ends of negations occur; those of the step arrive."""
        timed: dict[Time, list[str]] = {}
        for name, one in self._timed.items():
            for time in one.times(self._now + 1, until):
                timed.setdefault(time, []).append(name)
        for steps in count(1):
            due = min((node.due(self._now) for _, node in self.profiles), default=FOREVER)
            time = min(due, *timed, until)
            for name in timed.pop(time, ()):
                for leaf in self._leaves[name]:
                    leaf.arrived.append((time, time, (self._timer(name, time),)))
            if time == until:
                return
            yield [node.step(time) for _, node in self.profiles]
            self._now = time
            profiles.require_few(steps, "a negation")

    def _timer(self, name: str, time: Time) -> Occurrence:
        """The time event of a class, or that ends a negation, at a time."""
        return Occurrence((self._ranks[name], time), Event(name or TIME, time, time))

    def _node(self, part: profiles.Part) -> Node:
        """Build the node of a part."""
        node: Node
        match part:
            case profiles.OfClass(name):
                node = leaf = OfClassNode()
                self._leaves.setdefault(name, []).append(leaf)
            case profiles.Paired("|", left, right) if part.listed.anterior == "all":
                node = nodes.UnionNode(map(self._node, (left, right)))
            case profiles.Paired(_, left, right):
                apart = False
                if isinstance(left, profiles.OfClass) and isinstance(right, profiles.OfClass):
                    apart = self._file.are_apart(left.type, right.type)
                node = nodes.PairedNode(part, self._node(left), self._node(right), apart=apart)
            case profiles.Absent(operand):
                node = nodes.AbsentNode(part, self._node(operand), lambda time: self._timer("", time))
            case profiles.Selected(operand):
                node = nodes.SelectedNode(part, self._node(operand))
            case profiles.Logical(True):
                made: list[Node] = []
                node = nodes.ConjunctionNode(self._clause(part, "", made), made)
            case profiles.Logical(_, clauses):
                node = nodes.UnionNode(map(self._node, clauses))
        self._stateful.append(node)
        self.parts.append((part, node))
        return node

    def _clause(self, part: profiles.Part, place: str, made: list[Node]) -> Clause:
        """Build a clause of a logical conjunction, and the nodes of those that are no logical operators."""
        if isinstance(part, profiles.Logical):
            clauses = tuple(self._clause(one, f"{place}.{number}", made) for number, one in enumerate(part.clauses))
            clause = Clause(clauses=clauses, conjunction=part.conjunction)
        else:
            made.append(self._node(part))
            names: tuple[str, ...] = (profiles.name_at(part, place),)
            if isinstance(part, profiles.Paired) and part.operator != "|":
                names = profiles.name_at(part.left, f"{place}l"), profiles.name_at(part.right, f"{place}r")
            clause = Clause(made[-1], names)
        self._stateful.append(clause)
        return clause


def _found(profile: str, instance: Instance) -> Found:
    """The occurrence of an instance, whose time events may have to go before others."""
    end, start, members = instance
    ordered: Sequence[Occurrence] = members[::-1]
    if members[0][0]:  # a time event
        ordered = sorted(members, key=lambda one: (one.event.time, one))
    return Found(profile, start, end, tuple([one.event for one in ordered]))


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
        return ["occurrence", *value, event.type, event.time, dict(event.attributes)]
    name = type(value).__name__
    if name not in _KINDS:
        return value
    return [name, *map(plain, value.items() if name == "dict" else value)]


def unplain(data: Any) -> Any:
    """The value of plain data, as `plain` made it; `KeyError`, `TypeError` or `ValueError` if it is none."""
    if not isinstance(data, list):
        return data
    name, *rest = data
    if name != "occurrence":
        return _KINDS[name](map(unplain, rest))
    rank, number, type_, time, attributes = rest
    return Occurrence((int(rank), int(number)), Event(str(type_), time, time, attributes))


EngineFactory: TypeAlias = Callable[[profiles.ProfileFile], Engine]  # Makes a fresh engine for profiles

DEFAULT_DETECTOR = "lists"

ENGINES: Mapping[str, EngineFactory] = MappingProxyType({DEFAULT_DETECTOR: Engine})
"""The engine that keeps duplicate lists as they grow; the definition judges it."""
