"""The steps of Figures 2 and 4, one class per operator: the source's auxiliary variables and their update.

A step takes the current instances of the operands, `NON_OCCURRENCE` where there is none, and returns the current
instance of the operation. It touches instances through their start, their end and `join` alone, and keeps candidates
of a sequence behind `CandidateQueue`, so that it says the same of any values that have these: the lemmas of
Section 5.1 are proved about these very functions, translated for arbitrary values (`smt.python`).
"""

from bisect import bisect_left
from collections.abc import Mapping
from typing import ClassVar, Final, Protocol

from semantics.carlson_lisper.expressions import UNBOUNDED, Label
from semantics.carlson_lisper.occurrences import Instance, Time


class NonOccurrence(Instance):
    """The symbol ⟨⟩; start(⟨⟩) = end(⟨⟩) = -1, before every time, so that comparisons need no special case."""

    __slots__ = ()

    def __init__(self) -> None:
        """There is one: `NON_OCCURRENCE`."""
        self.start = self.end = -1
        self._occurrences = frozenset()
        self._parts = None

    def __repr__(self) -> str:
        """The source's symbol."""
        return "⟨⟩"

    def __reduce__(self) -> str:  # type: ignore[override]
        """Copy and pickle by name: there is one."""
        return "NON_OCCURRENCE"


NON_OCCURRENCE: Final = NonOccurrence()


class Step(Protocol):
    """The part of the algorithm for one operator occurrence, with its state."""

    bound: Label
    VARIABLES: ClassVar[Mapping[str, str]]

    def step(self, left: Instance, right: Instance) -> Instance:
        """Update the state and return the current instance aᵢ."""

    def variables(self) -> Mapping[str, object]:
        """The auxiliary variables by the source's names."""

    def stored(self) -> int:
        """How many instances are kept."""


class _Variables:
    """The auxiliary variables of a step."""

    __slots__ = ()
    VARIABLES: ClassVar[Mapping[str, str]] = {}

    def variables(self) -> Mapping[str, object]:
        """The auxiliary variables by the source's names."""
        return {name: getattr(self, attribute) for name, attribute in self.VARIABLES.items()}


class Candidates(Protocol):
    """A place for the instances qᵢ that a sequence may still use."""

    def push(self, instance: Instance) -> None:
        """Add an instance that starts and ends later than all before it."""

    def latest_before(self, time: Time) -> Instance:
        """The instance with the greatest start among those that end before the time, or ⟨⟩."""

    def contents(self) -> list[Instance]:
        """The instances that are kept, in order."""

    def __len__(self) -> int:
        """How many instances are kept."""


class CandidateQueue:
    """The instances qᵢ that a sequence may still use, sorted by start and by end at once (Section 5.3).

    Contract: `push` is called with later starts and later ends only; `latest_before` finds, among the instances that
    end before a time, the one with the greatest start, by binary search; `evict_before` forgets those instances and
    returns what `latest_before` would have found.
    """

    __slots__ = ("_ends", "_instances")

    _position = staticmethod(bisect_left)

    def __init__(self) -> None:
        """An empty queue."""
        self._instances: list[Instance] = []
        self._ends: list[Time] = []

    def push(self, instance: Instance) -> None:
        """Add an instance that starts and ends later than all that are kept."""
        self._instances.append(instance)
        self._ends.append(instance.end)

    def latest_before(self, time: Time) -> Instance:
        """The instance with the greatest start among those that end before the time, or ⟨⟩."""
        position = self._position(self._ends, time)
        return self._instances[position - 1] if position else NON_OCCURRENCE

    def evict_before(self, time: Time) -> Instance:
        """Forget the instances that end before the time; the one of them with the greatest start, or ⟨⟩."""
        position = self._position(self._ends, time)
        if not position:
            return NON_OCCURRENCE
        latest = self._instances[position - 1]
        del self._instances[:position]
        del self._ends[:position]
        return latest

    def contents(self) -> list[Instance]:
        """The instances in order."""
        return list(self._instances)

    def __len__(self) -> int:
        """How many instances are kept."""
        return len(self._instances)

    def __repr__(self) -> str:
        """The instances in order."""
        return repr(self._instances)


class DisjunctionStep(_Variables):
    """Eⁱ = Eʲ ∨ Eᵏ: the one that starts later; the right one if both start at the same time."""

    __slots__ = ()
    bound: Label = 0

    def step(self, left: Instance, right: Instance) -> Instance:
        """Without state."""
        return right if left.start <= right.start else left

    def stored(self) -> int:
        """None."""
        return 0


class ConjunctionStep(_Variables):
    """Eⁱ = Eʲ + Eᵏ: remembers the latest started instance of each side (Def. 5.3)."""

    __slots__ = ("left", "right")
    VARIABLES: ClassVar[Mapping[str, str]] = {"l": "left", "r": "right"}
    bound: Label = 2

    def __init__(self) -> None:
        """Initially l = r = ⟨⟩."""
        self.left: Instance = NON_OCCURRENCE
        self.right: Instance = NON_OCCURRENCE

    def step(self, left: Instance, right: Instance) -> Instance:
        """Joins the current instance of one side with the remembered one of the other."""
        if self.left.start < left.start:
            self.left = left
        if self.right.start < right.start:
            self.right = right
        if self.left.start < 0 or self.right.start < 0 or (left.start < 0 and right.start < 0):
            return NON_OCCURRENCE
        if right.start <= left.start:
            return left.join(self.right)
        return self.left.join(right)

    def stored(self) -> int:
        """At most one instance of each side."""
        return (self.left.start >= 0) + (self.right.start >= 0)


class NegationStep(_Variables):
    """Eⁱ = Eʲ - Eᵏ: remembers the greatest start of an instance of the right side (Def. 5.4)."""

    __slots__ = ("latest",)
    VARIABLES: ClassVar[Mapping[str, str]] = {"t": "latest"}
    bound: Label = 0

    def __init__(self) -> None:
        """Initially t = -1."""
        self.latest: Time = -1

    def step(self, left: Instance, right: Instance) -> Instance:
        """The left instance, unless an instance of the right side started within it."""
        if self.latest < right.start:
            self.latest = right.start
        return left if self.latest < left.start else NON_OCCURRENCE

    def stored(self) -> int:
        """A time, no instance."""
        return 0


class SequenceStep(_Variables):
    """Eⁱ = Eʲ ; Eᵏ: remembers every left instance that starts later than all before it (Def. 5.5)."""

    __slots__ = ("latest", "queue")
    VARIABLES: ClassVar[Mapping[str, str]] = {"t": "latest", "q": "queue"}
    bound: Label = UNBOUNDED

    def __init__(self) -> None:
        """Initially t = -1 and q = ∅."""
        self.latest: Time = -1
        self.queue: Candidates = CandidateQueue()

    def step(self, left: Instance, right: Instance) -> Instance:
        """Joins the right instance with the latest started left one that ended before it started."""
        result: Instance = NON_OCCURRENCE
        if right.start >= 0:
            match = self.queue.latest_before(right.start)
            if match.start >= 0:
                result = match.join(right)
        if self.latest < left.start:
            self.queue.push(left)
            self.latest = left.start
        return result

    def stored(self) -> int:
        """The length of q."""
        return len(self.queue)


class BoundedSequenceStep(_Variables):
    """Eⁱ = Eʲ ;_τ Eᵏ where no instance of Eᵏ is longer than τ: Figure 4 (Def. 5.6).

    A left instance that ended more than τ ticks ago ends before every right instance that can still come, so of those
    only one with the greatest start is kept.
    """

    __slots__ = ("bound", "last", "latest", "queue", "ticks")
    VARIABLES: ClassVar[Mapping[str, str]] = {"t": "latest", "q": "queue", "l": "last"}

    def __init__(self, ticks: int) -> None:
        """With the label τ in ticks; initially t = -1, q = ∅ and l = ⟨⟩."""
        self.ticks = ticks
        self.bound: Label = ticks + 2  # q ends within τ + 1 neighbouring instants; and l
        self.latest: Time = -1
        self.last: Instance = NON_OCCURRENCE
        self.queue = CandidateQueue()

    def step(self, left: Instance, right: Instance) -> Instance:
        """Joins the right instance with the latest started left one that ended before it started."""
        now = max(left.end, right.end)  # what occurs, ends now; when nothing does, nothing has to be done
        evicted = self.queue.evict_before(now - self.ticks)
        if evicted.start >= 0:
            self.last = evicted
        result: Instance = NON_OCCURRENCE
        if right.start >= 0:
            match = self.queue.latest_before(right.start)
            if match.start < 0:
                match = self.last
            if match.start >= 0:
                result = match.join(right)
        if self.latest < left.start:
            self.queue.push(left)
            self.latest = left.start
        return result

    def stored(self) -> int:
        """The length of q, and l."""
        return len(self.queue) + (self.last.start >= 0)


class RestrictionStep(_Variables):
    """Eⁱ = (Eʲ)_τ: the instance if it is at most τ ticks long."""

    __slots__ = ("ticks",)
    bound: Label = 0

    def __init__(self, ticks: int) -> None:
        """With the bound τ in ticks."""
        self.ticks = ticks

    def step(self, left: Instance, right: Instance) -> Instance:
        """Without state; the right operand is not used."""
        return left if left.end - left.start <= self.ticks else NON_OCCURRENCE

    def stored(self) -> int:
        """None."""
        return 0
