"""The static queue that runs keeps its contract: its methods on an array of any size, after pushes of any number.

All that is ever pushed is numbered, and the markers of the queue are such numbers: it keeps what is numbered from
`first` to `next`, each in the place of its number. The methods themselves are executed. The binary search is proved by
an invariant: what is before `low` ends before the time, what is from `high` on does not; one round, executed for any
`low` and `high`, keeps it and leaves fewer in between.

The place of a number is its remainder. All that is used of remainders is that they are within the array, and that
numbers which differ by less than its size have different ones.
"""

from __future__ import annotations

import dis
from collections.abc import Callable
from typing import Any, TypeAlias, cast

from detectors.carlson_lisper.source.steps import NON_OCCURRENCE
from detectors.carlson_lisper.source.stores import StaticQueue
from proofs.carlson_lisper.lemmas.faithfulness import report_objections, store_objections
from proofs.carlson_lisper.lemmas.queue_contract import (
    GIVEN,
    ITEM,
    LENGTH,
    Conclusions,
    contract,
    for_all_indices,
    kept_between,
    latest_in,
    sorted_between,
)
from proofs.carlson_lisper.subject import Subject
from smt.carlson_lisper.obligations import Writer
from smt.execution import (
    Execution,
    ExecutionFailed,
    SymbolicCount,
    SymbolicInstance,
    SymbolicTime,
    SymbolicTruth,
    explore,
    with_length,
)
from smt.obligations import Obligation
from smt.smtlib import FALSE, SORT, TRUE, TimeSort, conjunction, disjunction, negation

CLAIM = "recent:queue"

FIRST, NEXT, PLACES, PLACE, CELL = "first", "next", "places", "place", "cell"

SEARCHED, HALVED = "_position", "_halved"

_ROUND = ("self", "time", "low", "high")
"""The variables of the search: what goes from one round to the next is `low` and `high`."""

MAX_COMPARISONS = 100
"""More comparisons of one marker with what comes later mean a search whose rounds change nothing."""


class Marker(SymbolicCount):
    """A number of something pushed, or of places."""

    compared = 0

    def __lt__(self, other: object) -> SymbolicTruth:
        """Less than; a loop that asks this for ever is given up."""
        self.compared += 1
        if self.compared > MAX_COMPARISONS:
            raise ExecutionFailed("the search does not end")
        return super().__lt__(other)

    def __mod__(self, size: object) -> _Place:
        """The place of the number in the array."""
        if not isinstance(size, Marker) or size.term != PLACES:
            raise ExecutionFailed("a remainder by something else than the size of the array")
        return _Place(self.term)

    def __floordiv__(self, divisor: object) -> Marker:
        if type(divisor) is not int or divisor != 2:
            raise ExecutionFailed("something else than a half is taken")
        half = self.execution.constant("half", "Int")
        self.execution.facts.append(f"(and (<= (* 2 {half}) {self.term}) (< {self.term} (+ (* 2 {half}) 2)))")
        return Marker(half, self.execution)

    def __rmul__(self, elements: object) -> Array:
        """So many equal elements, as a list."""
        if not (isinstance(elements, list) and len(elements) == 1 and elements[0] is NON_OCCURRENCE):
            raise ExecutionFailed("an array of something else than ⟨⟩ is made")
        return Array(self.execution, self.term)


class _Place:
    """The place of a number."""

    def __init__(self, number: str) -> None:
        self.number = number


class Array:
    """An array of so many places, and what was written into it."""

    def __init__(self, execution: Execution, size: str) -> None:
        """An array of which nothing is known but its size."""
        self.execution = execution
        self.size = size
        self.written: list[tuple[str, str]] = []

    def __getitem__(self, place: object) -> SymbolicInstance:
        """What is in a place; that it is one of those pushed and kept is a duty of the reader."""
        if not isinstance(place, _Place) or self.written:
            raise ExecutionFailed("a place is read of which nothing is known")
        kept = f"(and (<= {FIRST} {place.number}) (< {place.number} {NEXT}))"
        self.execution.require("what is read is kept", kept)
        return SymbolicInstance(f"({CELL} ({PLACE} {place.number}))", self.execution)

    def __setitem__(self, place: object, instance: object) -> None:
        if not isinstance(place, _Place) or not isinstance(instance, SymbolicInstance):
            raise ExecutionFailed("something else than an instance is put into the array")
        self.written.append((place.number, instance.term))

    def cell(self, number: str) -> str:
        """What is in the place of a number after all that was written."""
        term = f"({CELL} ({PLACE} {number}))"
        for at, value in self.written:
            term = f"(ite (= ({PLACE} {number}) ({PLACE} {at})) {value} {term})"
        return term


_After: TypeAlias = tuple[object, str, str, Array]
"""What a method returned, and the markers and the array then."""


class _Run:
    """A method of the queue, executed; of the search, a round stands for any number of rounds."""

    def __init__(self, queue: type[StaticQueue], method: str) -> None:
        self.queue = queue
        self.method = method

    def __call__(self, execution: Execution) -> _After:
        known: dict[str, Callable[..., object]] = {}
        if self.method == SEARCHED:
            known[HALVED] = _any_rounds(execution)
        elif self.method not in (HALVED, LENGTH, "push"):
            known[SEARCHED] = _searched(execution)
        probe: Any = object.__new__(
            type("Probe", (self.queue,), {name: staticmethod(value) for name, value in known.items()})
        )
        array, size = Array(execution, PLACES), Marker(PLACES, execution)
        probe._first, probe._next = Marker(FIRST, execution), Marker(NEXT, execution)
        probe._size, probe._instances = size, array
        try:
            result = self.called(probe, execution)
        except _NextRound as again:
            result = again
        if probe._instances is not array or probe._size is not size:
            raise ExecutionFailed("the queue has another array afterwards")
        return result, _number(probe._first), _number(probe._next), array

    def called(self, probe: Any, execution: Execution) -> object:
        method, time = getattr(probe, self.method), SymbolicTime(GIVEN, execution)
        if self.method == LENGTH:
            return with_length(method)()
        if self.method == HALVED:
            return method(Marker("low", execution), Marker("high", execution), time)
        return method(SymbolicInstance(f"({ITEM} {NEXT})", execution) if self.method == "push" else time)


class _NextRound(Exception):
    """A round of the search begins after any number of rounds; what follows is known from the first one."""


def _any_rounds(execution: Execution) -> Callable[..., tuple[Marker, Marker]]:
    """What is known of `low` and `high` after any number of rounds."""
    last: list[Marker] = []

    def halved(low: object, high: object, time: object) -> tuple[Marker, Marker]:
        if not (isinstance(low, Marker) and isinstance(high, Marker) and _is_given(time)):
            raise ExecutionFailed("a round of the search has other arguments")
        execution.require(
            "there is a round only where something is in between", f"(< {low.term} {high.term})"
        )
        if last:
            if low is not last[0] or high is not last[1]:
                raise ExecutionFailed("a round does not begin with what the one before returned")
            raise _NextRound
        execution.require("the search begins with all that is kept", invariant(low.term, high.term))
        last.extend(Marker(execution.constant(name, "Int"), execution) for name in ("low", "high"))
        execution.facts.append(invariant(last[0].term, last[1].term))
        return last[0], last[1]

    return halved


def _searched(execution: Execution) -> Callable[[object], Marker]:
    """What the search returns, as is proved of it."""

    def position(time: object) -> Marker:
        if not _is_given(time):
            raise ExecutionFailed("another time is searched")
        found = Marker(execution.constant("position", "Int"), execution)
        execution.facts.append(invariant(found.term, found.term))
        return found

    return position


def _is_given(time: object) -> bool:
    return isinstance(time, SymbolicTime) and time.term == GIVEN


def _number(marker: object) -> str:
    if isinstance(marker, Marker):
        return marker.term
    raise ExecutionFailed(f"{marker!r} is no marker")


def invariant(low: str, high: str) -> str:
    """What holds between two rounds of the search."""
    return conjunction(
        (
            f"(<= {FIRST} {low})",
            f"(<= {low} {high})",
            f"(<= {high} {NEXT})",
            for_all_indices(f"(< (end ({ITEM} i)) {GIVEN})", FIRST, low),
            for_all_indices(f"(<= {GIVEN} (end ({ITEM} i)))", high, NEXT),
        )
    )


def objections(queue: type[StaticQueue]) -> list[str]:
    """Why a run of the methods on symbolic values may not speak for the queue."""
    found = store_objections(queue) + report_objections(queue, LENGTH)
    search = getattr(getattr(queue, SEARCHED, None), "__code__", None)
    if search is None or not hasattr(queue, HALVED):
        return [*found, f"{queue.__name__} searches in another way"]
    if set(search.co_varnames) != set(_ROUND):
        found.append("the search has other variables than its round")
    if any(each.opname.startswith("STORE_ATTR") for each in dis.get_instructions(search)):
        found.append("the search changes the queue")
    return found


def obligations(time: TimeSort, subject: Subject) -> list[Obligation]:
    """The obligations of the contract: what each method returns, what it leaves, and each round of the search."""
    queue = cast(type[StaticQueue], type(subject.recent(1).queue))  # its objections say if it is another one
    against = objections(queue)
    if against:
        raise ExecutionFailed("; ".join(against))

    def given(method: str) -> tuple[Writer, list[str]]:
        writer = Writer(time)
        writer.declarations += [
            f"(declare-fun {ITEM} (Int) Instance)",
            f"(declare-fun {CELL} (Int) Instance)",
            f"(declare-fun {PLACE} (Int) Int)",
        ]
        also = {"low": "Int", "high": "Int"} if method == HALVED else {}
        for name, sort in {FIRST: "Int", NEXT: "Int", PLACES: "Int", GIVEN: SORT[time], **also}.items():
            writer.declare(name, sort)
        assumptions = [
            f"(and (<= 0 {FIRST}) (<= {FIRST} {NEXT}) (<= 1 {PLACES}) (<= (- {NEXT} {FIRST}) {PLACES}))",
            sorted_between("0", f"(+ {NEXT} 1)" if method == "push" else NEXT),
            f"(forall ((i Int) (j Int)) (=> (and (< i j) (< j (+ i {PLACES}))) (distinct ({PLACE} i) ({PLACE} j))))",
            for_all_indices(f"(= ({CELL} ({PLACE} i)) ({ITEM} i))", FIRST, NEXT),
        ]
        if method == HALVED:
            assumptions += ["(< low high)", invariant("low", "high")]
        return writer, assumptions

    found = contract(CLAIM, _CONCLUSIONS, lambda method: _Run(queue, method), given)
    return [*found, _new(queue, time)]


def _markers(after: _After, first: str, following: str) -> str:
    """The markers afterwards, and that what is between them is in its place."""
    _, low, high, array = after
    in_place = for_all_indices(f"(= {array.cell('i')} ({ITEM} i))", low, high)
    return conjunction((f"(= {low} {first})", f"(= {high} {following})", in_place))


def _pushed(after: _After) -> str:
    oldest = f"(- (+ {NEXT} 1) {PLACES})"
    return _markers(after, f"(ite (<= {oldest} {FIRST}) {FIRST} {oldest})", f"(+ {NEXT} 1)")


def _unchanged(after: _After) -> str:
    return _markers(after, FIRST, NEXT)


def _evicted(after: _After) -> str:
    _, low, _, _ = after
    return conjunction((_markers(after, low, NEXT), invariant(low, low)))


def _found(after: _After) -> str:
    return latest_in(after[0], kept_between(FIRST, NEXT))


def _position(after: _After) -> str:
    value = after[0]
    if isinstance(value, _NextRound):
        return TRUE
    return invariant(value.term, value.term) if isinstance(value, Marker) else FALSE


def _narrowed(after: _After) -> str:
    match after[0]:
        case (Marker() as low, Marker() as high):
            fewer = f"(< (- {high.term} {low.term}) (- high low))"
            return conjunction((invariant(low.term, high.term), fewer))
        case _:
            return FALSE


def _counted(after: _After) -> str:
    value = after[0]
    if not isinstance(value, SymbolicCount):
        return FALSE
    return conjunction((f"(= {value.term} (- {NEXT} {FIRST}))", f"(<= {value.term} {PLACES})"))


_USE = ("{} reads only what is kept, and raises nothing", None)
_KEPT = ("{} changes nothing", _unchanged)
_FOUND = ("{} returns the latest started that ends before the time", _found)

_CONCLUSIONS: Conclusions[_After] = {
    "push": {
        "kept": ("{} adds the instance; if there is no room, the oldest gives way, and no other", _pushed),
        "use": _USE,
    },
    "latest_before": {"found": _FOUND, "kept": _KEPT, "use": _USE},
    "evict_before": {"found": _FOUND, "kept": ("{} keeps the others", _evicted), "use": _USE},
    SEARCHED: {
        "found": ("{} returns the number of the first that does not end before the time", _position),
        "kept": _KEPT,
        "use": _USE,
    },
    HALVED: {
        "found": ("{} keeps the invariant of the search, and leaves fewer in between", _narrowed),
        "kept": _KEPT,
        "use": _USE,
    },
    LENGTH: {
        "found": ("{} returns how many are kept, which is at most the size", _counted),
        "kept": _KEPT,
        "use": _USE,
    },
}
"""The parts of the contract of each method."""


def _new(queue: type[StaticQueue], time: TimeSort) -> Obligation:
    """A new queue has its size, and nothing in it."""
    writer = Writer(time)
    writer.declare(PLACES, "Int")
    words = "a new queue is empty and has as many places as it is told"
    goals = []
    for path in explore(lambda execution: new_queue(queue(_size(PLACES, execution))))[0]:
        places = FALSE if path.result is None else f"(= {path.result} {PLACES})"
        goals.append(disjunction((negation(path.condition), places)))
    return writer.obligation(CLAIM, "empty", words, [negation(conjunction(goals))], logic="ALL")


def _size(term: str, execution: Execution) -> Any:
    return Marker(term, execution)


def new_queue(queue: object) -> str:
    """How many places a new queue has.

    Raises:
        ExecutionFailed: it is not empty, or is no static queue on a symbolic array.
    """
    array, size = getattr(queue, "_instances", None), getattr(queue, "_size", None)
    if not isinstance(array, Array) or not isinstance(size, Marker) or array.written:
        raise ExecutionFailed("the array is no new one")
    markers = [getattr(queue, name, None) for name in ("_first", "_next")]
    if any(type(marker) is not int or marker != 0 for marker in markers):
        raise ExecutionFailed("the queue is not empty")
    if array.size != size.term:
        raise ExecutionFailed("the array has another size than the queue")
    return size.term
