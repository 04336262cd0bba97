"""The queue that runs keeps its contract: the methods of `CandidateQueue` on a sorted sequence of any length.

The lists inside the queue are symbolic: an element for each index from `low` to `high`, sorted by start and by end. The
methods themselves are executed. What they rest on is the documented behaviour of Python's lists and of `bisect_left`:
the position that it returns in a sorted list has smaller elements before it, and none after it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar, cast

from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, CandidateQueue
from proofs.carlson_lisper.lemmas.faithfulness import queue_objections, report_objections
from proofs.carlson_lisper.lemmas.queue import Membership, is_latest_before, later_than_all, same_set
from proofs.carlson_lisper.subject import Subject
from smt.carlson_lisper.obligations import Writer
from smt.execution import (
    Execution,
    ExecutionFailed,
    SymbolicCount,
    SymbolicInstance,
    SymbolicTime,
    explore,
    with_length,
)
from smt.obligations import Obligation
from smt.smtlib import FALSE, SORT, TimeSort, conjunction, disjunction, negation

AfterT = TypeVar("AfterT")
"""What a method returned, and what it left."""

CLAIM = "lemma:5.5.queue"

SEARCHES: Mapping[object, tuple[str, str]] = {bisect_left: ("<", "<="), bisect_right: ("<=", "<")}
"""What a search guarantees: how elements before its position compare to the time, and the time to the others."""

LENGTH = "__len__"
"""The method that says how many instances are kept."""

ITEM, LOW, HIGH, GIVEN, PUSHED = "item", "low", "high", "given", "pushed"


class _Sequence:
    """A list of symbolic elements: those of the indices from `low` to `high`, and what was appended."""

    def __init__(self, execution: Execution, element: Callable[[str], Any]) -> None:
        self.execution = execution
        self.element = element
        self.low: str = LOW
        self.appended: list[Any] = []

    def __bool__(self) -> bool:
        raise ExecutionFailed("whether a list is empty is not known")

    def __getitem__(self, index: object) -> Any:
        if not isinstance(index, SymbolicTime) or self.appended or self.low != LOW:
            raise ExecutionFailed("an element is read at an index that is not known")
        position = f"(+ {LOW} {index.term})"
        self.execution.require(
            "an index is within the list", f"(and (<= {LOW} {position}) (< {position} {HIGH}))"
        )
        return self.element(position)

    def __delitem__(self, index: object) -> None:
        if not (isinstance(index, slice) and index.start is None and index.step is None):
            raise ExecutionFailed("what is deleted is no beginning of the list")
        if not isinstance(index.stop, SymbolicTime) or self.low != LOW:
            raise ExecutionFailed("how much is deleted is not known")
        self.execution.require("no more is deleted than there is", f"(<= {index.stop.term} (- {HIGH} {LOW}))")
        self.low = f"(+ {LOW} {index.stop.term})"

    def append(self, element: object) -> None:
        self.appended.append(element)

    def length(self) -> SymbolicCount:
        left = SymbolicCount(f"(- {HIGH} {self.low})", self.execution)
        return cast(SymbolicCount, left + len(self.appended)) if self.appended else left


def _search(
    queue: type[CandidateQueue], execution: Execution, ends: _Sequence
) -> Callable[..., SymbolicTime]:
    """What the queue's search returns, as far as the library promises."""
    if queue._position not in SEARCHES:
        raise ExecutionFailed("the queue searches with a function of which nothing is promised")
    before, after = SEARCHES[queue._position]

    def position(searched: object, time: SymbolicTime) -> SymbolicTime:
        if searched is not ends:
            raise ExecutionFailed("the queue searches something else than the ends")
        if ends.low != LOW or ends.appended:
            raise ExecutionFailed("the queue searches a list that it has changed")
        found = execution.constant("position", "Int")
        index = f"(+ {LOW} {found})"
        execution.facts += [
            f"(<= 0 {found})",
            f"(<= {found} (- {HIGH} {LOW}))",
            for_all_indices(f"(=> (< i {index}) ({before} (end ({ITEM} i)) {time.term}))", LOW, HIGH),
            for_all_indices(f"(=> (<= {index} i) ({after} {time.term} (end ({ITEM} i))))", LOW, HIGH),
        ]
        return SymbolicTime(found, execution)

    return position


def for_all_indices(body: str, low: str, high: str) -> str:
    """What holds for each index `i` from `low` to `high`."""
    return f"(forall ((i Int)) (=> (and (<= {low} i) (< i {high})) {body}))"


def sorted_between(low: str, high: str) -> str:
    """The elements from `low` to `high` start and end later and later."""
    later = f"(and (< (start ({ITEM} i)) (start ({ITEM} j))) (< (end ({ITEM} i)) (end ({ITEM} j))))"
    return f"(forall ((i Int) (j Int)) (=> (and (<= {low} i) (< i j) (< j {high})) {later}))"


def kept_between(low: str, high: str, also: tuple[str, ...] = ()) -> Membership:
    """The set of the elements from `low` to `high`, and others."""

    def member(x: str) -> str:
        among = f"(exists ((k Int)) (and (<= {low} k) (< k {high}) (= {x} ({ITEM} k))))"
        return disjunction((among, *(f"(= {x} {other})" for other in also)))

    return member


_After: TypeAlias = tuple[object, _Sequence, _Sequence]
"""What a method returned, and the two lists then."""


class _Run:
    """A method of the queue, executed."""

    def __init__(self, queue: type[CandidateQueue], method: str) -> None:
        self.queue = queue
        self.method = method

    def __call__(self, execution: Execution) -> _After:
        instances = _Sequence(execution, lambda index: SymbolicInstance(f"({ITEM} {index})", execution))
        ends = _Sequence(execution, lambda index: SymbolicTime(f"(end ({ITEM} {index}))", execution))
        probe = type(
            "Probe", (self.queue,), {"_position": staticmethod(_search(self.queue, execution, ends))}
        )()
        probe._instances, probe._ends = instances, ends
        result = self.called(probe, execution)
        if probe._instances is not instances or probe._ends is not ends:
            raise ExecutionFailed("the queue has other lists afterwards")
        return result, instances, ends

    def called(self, probe: Any, execution: Execution) -> object:
        method = getattr(probe, self.method)
        if self.method == LENGTH:
            return with_length(method)()
        return method(
            SymbolicInstance(PUSHED, execution) if self.method == "push" else SymbolicTime(GIVEN, execution)
        )


def obligations(time: TimeSort, subject: Subject) -> list[Obligation]:
    """The obligations of the contract: what each method returns, what it leaves, and that it stays sorted."""
    queue = subject.queue
    objections = queue_objections(queue) + report_objections(queue, LENGTH)
    if objections:
        raise ExecutionFailed("; ".join(objections))

    def given(method: str) -> tuple[Writer, list[str]]:
        writer = Writer(time)
        writer.declarations.append(f"(declare-fun {ITEM} (Int) Instance)")
        for name, sort in ((LOW, "Int"), (HIGH, "Int"), (GIVEN, SORT[time]), (PUSHED, "Instance")):
            writer.declare(name, sort)
        assumptions = [f"(<= {LOW} {HIGH})", sorted_between(LOW, HIGH)]
        if method == "push":
            assumptions.append(later_than_all(kept_between(LOW, HIGH), PUSHED))
        return writer, assumptions

    found = contract(CLAIM, _CONCLUSIONS, lambda method: _Run(queue, method), given)
    empty = queue()
    nothing = "true" if not (empty._instances or empty._ends) else "false"
    writer = Writer(time)
    found.append(writer.obligation(CLAIM, "empty", "a new queue is empty", [negation(nothing)], logic="ALL"))
    return found


Conclusions: TypeAlias = Mapping[str, Mapping[str, tuple[str, Callable[[AfterT], str] | None]]]
"""The parts of the contract of each method, in words and as what they say of the outcome; None for its duties."""


def contract(
    claim: str,
    conclusions: Conclusions[AfterT],
    run: Callable[[str], Callable[[Execution], AfterT]],
    given: Callable[[str], tuple[Writer, list[str]]],
) -> list[Obligation]:
    """An obligation for each part of the contract of each method.

    Args:
        run: executes a method.
        given: a writer that knows what a method speaks of, and what is assumed.
    """
    found = []
    for method, aspects in conclusions.items():
        paths, constants = explore(run(method))
        for aspect, (words, goal) in aspects.items():
            writer, assumptions = given(method)
            for name, sort in constants.items():
                writer.declare(name, sort)
            if goal is None:
                goals = [duty for path in paths for _, duty in path.duties]
            else:
                goals = [
                    disjunction((negation(path.condition), goal(path.result)))
                    for path in paths
                    if path.result is not None
                ]
            said = method.strip("_")
            assertions = [*assumptions, negation(conjunction(goals))]
            found.append(
                writer.obligation(claim, f"{said} {aspect}", words.format(said), assertions, logic="ALL")
            )
    return found


def latest_in(found: object, kept: Membership) -> str:
    """What is found is the latest started of a set that ends before the time."""
    if found is NON_OCCURRENCE:
        return is_latest_before(kept, GIVEN, None)
    return is_latest_before(kept, GIVEN, found.term) if isinstance(found, SymbolicInstance) else FALSE


def _found(after: _After) -> str:
    return latest_in(after[0], kept_between(LOW, HIGH))


def _counted(after: _After) -> str:
    value = after[0]
    return f"(= {value.term} (- {HIGH} {LOW}))" if isinstance(value, SymbolicCount) else FALSE


def _keeps(after: _After, expected: Membership) -> str:
    """The instances kept afterwards are the expected ones."""
    _, instances, _ = after
    also = tuple(value.term for value in instances.appended if isinstance(value, SymbolicInstance))
    return same_set(kept_between(instances.low, HIGH, also), expected)


def _pushed(after: _After) -> str:
    return _keeps(after, kept_between(LOW, HIGH, (PUSHED,)))


def _evicted(after: _After) -> str:
    before = kept_between(LOW, HIGH)
    return _keeps(after, lambda x: conjunction((before(x), f"(<= {GIVEN} (end {x}))")))


def _unchanged(after: _After) -> str:
    return _keeps(after, kept_between(LOW, HIGH))


def _stays_sorted(after: _After) -> str:
    _, instances, ends = after
    if instances.low != ends.low or len(instances.appended) != len(ends.appended):
        return FALSE
    goals = [sorted_between(instances.low, HIGH)]
    if len(instances.appended) > 1:
        return FALSE  # one instance is pushed; two of it do not start and end at different times
    for instance, end in zip(instances.appended, ends.appended, strict=True):
        if not isinstance(instance, SymbolicInstance) or not isinstance(end, SymbolicTime):
            return FALSE
        goals.append(f"(= {end.term} (end {instance.term}))")
        later = (
            f"(and (< (start ({ITEM} i)) (start {instance.term})) (< (end ({ITEM} i)) (end {instance.term})))"
        )
        goals.append(for_all_indices(later, instances.low, HIGH))
    return conjunction(goals)


_ALWAYS: Mapping[str, tuple[str, Callable[[_After], str] | None]] = {
    "sorted": ("after {} starts and ends are sorted, and the ends are those of the instances", _stays_sorted),
    "use": ("{} uses the lists as they may be used", None),
}
_KEPT = ("{} changes nothing", _unchanged)
_LATEST = ("{} returns the latest started that ends before the time", _found)

_CONCLUSIONS: Conclusions[_After] = {
    "push": {"kept": ("{} adds the instance", _pushed), **_ALWAYS},
    "latest_before": {"found": _LATEST, "kept": _KEPT, **_ALWAYS},
    "evict_before": {"found": _LATEST, "kept": ("{} keeps the others", _evicted), **_ALWAYS},
    LENGTH: {"found": ("{} returns how many instances there are", _counted), "kept": _KEPT, **_ALWAYS},
}
