"""What of each operator ends at an instant, from what its operands have that ends then or ended before.

    A | B   what ends now of either
    A + B   what ends now of A with all of B, and all of A that ended before with what ends now of B
    A - B   what ends now of A and starts later than every B so far
    A[t]    what ends now of A and starts at most t ago
    A ; B   what ends now of B, behind all of A that ended before it started

The equations are claims of the catalogue (`theorem:ends-now`). They are written once, for any way to hold a set of
instances that end at one instant: as a node of a graph, or as their number (`Sets`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeVar, cast

from detectors.carlson_lisper.catalogue import Spans
from detectors.carlson_lisper.enumeration.ambiguity import takes_no_time
from detectors.carlson_lisper.generated import Generated
from detectors.carlson_lisper.protocol import of_operator
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, bottom_up, evaluate_bound
from semantics.carlson_lisper.occurrences import Occurrence, Time, Value

NEVER: Final = -1  # No instance starts so early

SetT = TypeVar("SetT")
EndedT = TypeVar("EndedT", covariant=True)


class Now(NamedTuple):
    """An instant: its time, the values of the events that occur, and the time that occurrences have.

    The two times differ where events of a tick come one after the other: there a clock counts that is finer than ticks.
    """

    time: Time
    values: Mapping[str, Value]
    told: Time


class Behind(NamedTuple):
    """What had ended on the left of a sequence when an instance of its right side starts; nothing at the outermost."""

    set: Any = None


class Kept(Protocol[SetT]):
    """All instances of an operand so far, but for those that start too early to be of use."""

    def add(self, time: Time, ended: SetT | None) -> None:
        """Add what ends at a time."""

    def all(self, useless: Time) -> SetT | None:
        """All of them that start later than `useless`, to be used before more are added."""


class Sets(Protocol[SetT]):
    """A way to hold a set of instances; None is the empty one."""

    def first(self, time: Time, occurrence: Occurrence, behind: Behind) -> SetT:
        """An occurrence at a time, behind a set."""

    def either(self, left: SetT | None, right: SetT | None) -> SetT | None:
        """The instances of both."""

    def together(self, left: SetT | None, right: SetT | None) -> SetT | None:
        """The unions of an instance of each."""

    def since(self, ended: SetT | None, start: Time) -> SetT | None:
        """Those that start at a time or later."""

    def sequel(self, right: SetT | None, lefts: Kept[SetT]) -> SetT | None:
        """The unions of each instance with each of those that it is behind, which were kept when it began."""

    def kept(self, *, starts: bool, ends: bool) -> Kept[SetT]:
        """A store of nothing so far; whether it will be asked for the starts of instances, and for when they ended."""


class Part(Protocol[EndedT]):
    """A subexpression."""

    def ending(self, now: Now, behind: Behind | None, useless: Time) -> EndedT | None:
        """What ends now, behind a set; nothing where that is None.

        Instances that start no later than `useless` are not asked for, now or at any later instant.
        """


class Event(Generic[SetT]):
    """The instances of an event type."""

    def __init__(self, sets: Sets[SetT], name: str) -> None:
        self._sets, self._name = sets, name

    def ending(self, now: Now, behind: Behind | None, useless: Time) -> SetT | None:
        """Its occurrence."""
        if behind is None or self._name not in now.values:
            return None
        return self._sets.first(now.time, Occurrence(self._name, now.told, now.values[self._name]), behind)


class Disjunction(Generic[SetT]):
    """The instances of a disjunction: those of the one and of the other."""

    def __init__(self, sets: Sets[SetT], left: Part[SetT], right: Part[SetT]) -> None:
        self._sets, self._left, self._right = sets, left, right

    def ending(self, now: Now, behind: Behind | None, useless: Time) -> SetT | None:
        """What ends now of either."""
        return self._sets.either(self._left.ending(now, behind, useless), self._right.ending(now, behind, useless))


class Conjunction(Generic[SetT]):
    """The instances of a conjunction: the unions of one of each side."""

    def __init__(self, sets: Sets[SetT], left: Part[SetT], right: Part[SetT], *, starts: bool) -> None:
        self._sets, self._left, self._right = sets, left, right
        self._lefts, self._rights = (sets.kept(starts=starts, ends=False) for _ in range(2))

    def ending(self, now: Now, behind: Behind | None, useless: Time) -> SetT | None:
        """What ends now of the left with all of the right, and what ended before with what ends now of the right."""
        left, right = self._left.ending(now, behind, useless), self._right.ending(now, behind, useless)
        earlier = self._sets.together(self._lefts.all(useless), right)
        self._lefts.add(now.time, left)
        self._rights.add(now.time, right)
        return self._sets.either(self._sets.together(left, self._rights.all(useless)), earlier)


class Negation(Generic[SetT]):
    """The instances of a negation: those of the left that have none of the right within."""

    def __init__(self, sets: Sets[SetT], left: Part[SetT], right: Expression) -> None:
        self._sets, self._left, self._right, self._latest = sets, left, Spans(Generated(right)), NEVER

    def ending(self, now: Now, behind: Behind | None, useless: Time) -> SetT | None:
        """What ends now and starts later than every instance of the right so far."""
        found = self._right.step(now.time, now.values)
        if found is not None:
            self._latest = max(self._latest, found.start)
        ended = self._left.ending(now, behind, max(useless, self._latest))
        return self._sets.since(ended, self._latest + 1) if self._latest > NEVER else ended


class Restriction(Generic[SetT]):
    """The instances of a temporal restriction: those that take at most so many ticks."""

    def __init__(self, sets: Sets[SetT], operand: Part[SetT], bound: int) -> None:
        self._sets, self._operand, self._bound = sets, operand, bound

    def ending(self, now: Now, behind: Behind | None, useless: Time) -> SetT | None:
        """What ends now and starts at most so long ago."""
        earliest = now.time - self._bound
        return self._sets.since(self._operand.ending(now, behind, max(useless, earliest - 1)), earliest)


class Sequence(Generic[SetT]):
    """The instances of a sequence: the unions of one of the left and one of the right that starts after that ended."""

    def __init__(self, sets: Sets[SetT], left: Part[SetT], right: Part[SetT], *, starts: bool, long: bool) -> None:
        self._sets, self._left, self._right = sets, left, right
        self._lefts = sets.kept(starts=starts, ends=long)

    def ending(self, now: Now, behind: Behind | None, useless: Time) -> SetT | None:
        """What ends now of the right, behind all of the left that ended before it started."""
        before = self._lefts.all(useless)
        right = self._right.ending(now, None if before is None else Behind(before), useless)
        found = self._sets.sequel(right, self._lefts)
        self._lefts.add(now.time, self._left.ending(now, behind, useless))
        return found


def part(expression: Expression, sets: Sets[SetT], *, starts: bool = False) -> Part[SetT]:
    """The part of a ground expression; whether it will be asked for the starts of its instances."""
    if isinstance(expression, Identifier):
        return Event(sets, expression.name)
    operation = cast(Operation, expression)
    operands, bound = operation.operands, operation.bound
    match operation.operator:
        case "dis":
            return Disjunction(sets, *(part(each, sets, starts=starts) for each in operands))
        case "con":
            return Conjunction(sets, *(part(each, sets, starts=starts) for each in operands), starts=starts)
        case "neg":
            return Negation(sets, part(operands[0], sets, starts=True), operands[1])
        case "seq":
            left, right = part(operands[0], sets, starts=starts), part(operands[1], sets, starts=True)
            return Sequence(sets, left, right, starts=starts, long=not takes_no_time(operands[1]))
        case "tim" if bound is not None:
            return Restriction(sets, part(operands[0], sets, starts=True), evaluate_bound(bound))
    return of_operator(dict[str, Part[SetT]](), operation)  # which refuses it


def is_known(expression: Expression) -> bool:
    """Whether there are equations for all operators of an expression."""
    known = {"dis", "con", "neg", "seq", "tim"}
    return all(node.operator in known for node in bottom_up(expression) if isinstance(node, Operation))
