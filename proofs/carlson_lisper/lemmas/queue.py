"""The queue of candidates: its contract, and the proof that the queue that runs keeps it (Section 5.3).

A sequence sees its queue as a set of instances. What `push`, `latest_before` and `evict_before` do to that set is the
contract; `SymbolicQueue` is the contract itself, used when a step is translated. That `CandidateQueue` keeps it is
proved of its methods on lists of any length, sorted by start and by end: an element for each index from `low` to
`high`. What they rest on is the documented behaviour of Python's lists and of `bisect_left`: the position that it
returns in a sorted list has smaller elements before it, and none after it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, CandidateQueue
from proofs.carlson_lisper.subject import Subject
from smt.carlson_lisper.obligations import Writer
from smt.carlson_lisper.step_terms import ABSENT, SymbolicInstance
from smt.carlson_lisper.symbolic import stream_symbol
from smt.obligations import Obligation
from smt.python_terms import (
    Execution,
    Interpreter,
    Made,
    Method,
    NotTranslated,
    Number,
    Opaque,
    Term,
    Vocabulary,
    explore,
    numeral,
)
from smt.s_expressions import written
from smt.smtlib import FALSE, SORT, TRUE, TimeSort, conjunction, disjunction, negation

Membership = Callable[[str], str]
"""A set of instances, as the formula that says of an instance whether it belongs."""

SIZE = "size"
"""What the constants are called that say how many instances a queue keeps."""


# ------------------------------------------------------------------------------------------------- the contract


def later_than_all(kept: Membership, pushed: str) -> str:
    """Precondition of `push`: the instance starts and ends later than all that are kept."""
    later = conjunction((f"(< (start x) (start {pushed}))", f"(< (end x) (end {pushed}))"))
    return f"(forall ((x Instance)) {disjunction((negation(kept('x')), later))})"


def is_latest_before(kept: Membership, time: str, found: str | None) -> str:
    """What `latest_before` and `evict_before` return, None standing for ⟨⟩."""
    if found is None:
        return f"(forall ((x Instance)) {disjunction((negation(kept('x')), f'(<= {time} (end x))'))})"
    greatest = disjunction((negation(kept("x")), f"(<= {time} (end x))", f"(<= (start x) (start {found}))"))
    return conjunction((kept(found), f"(< (end {found}) {time})", f"(forall ((x Instance)) {greatest})"))


def same_set(left: Membership, right: Membership) -> str:
    """Two sets have the same members."""
    both = conjunction((disjunction((negation(left("x")), right("x"))), disjunction((negation(right("x")), left("x")))))
    return f"(forall ((x Instance)) {both})"


@dataclass(frozen=True)
class KeptSet:
    """The set of instances in a queue: an arbitrary one, or what `push` and `evict_before` made of it.

    Attributes:
        name: the predicate of the arbitrary set at the beginning; "" for the empty set.
        changes: what was done since: `("push", instance)` or `("evict", time)`.
    """

    name: str
    changes: tuple[tuple[str, str], ...] = ()

    def __call__(self, element: str) -> str:
        """Whether an instance is kept."""
        belongs = f"({stream_symbol(self.name)} {element})" if self.name else FALSE
        for change, term in self.changes:
            if change == "push":
                belongs = disjunction((belongs, f"(= {element} {term})"))
            else:
                belongs = conjunction((belongs, f"(<= {term} (end {element}))"))
        return belongs

    def pushed(self, instance: str) -> KeptSet:
        """The set after `push`."""
        return KeptSet(self.name, (*self.changes, ("push", instance)))

    def evicted(self, time: str) -> KeptSet:
        """The set after `evict_before`."""
        return KeptSet(self.name, (*self.changes, ("evict", time)))


class SymbolicQueue(Opaque):
    """A queue of which nothing is known but its contract."""

    def __init__(self, name: str, execution: Execution) -> None:
        """The queue whose set is an arbitrary predicate, or empty."""
        self.kept = KeptSet(name)
        self.sizes: dict[KeptSet, str] = {}

    def attribute(self, name: str, execution: Execution) -> Any:
        """The methods of the contract."""
        methods = {"push": self._push, "latest_before": self._latest, "evict_before": self._evict}
        return Method(methods[name]) if name in methods else super().attribute(name, execution)

    def length(self, execution: Execution) -> Number | int:
        """How many instances are kept: a number of which nothing is known but that it is one; 0 of a new queue."""
        if self.kept == KeptSet(""):
            return 0
        if self.kept not in self.sizes:
            self.sizes[self.kept] = execution.constant(SIZE, "Int")
            execution.facts.append(f"(<= 0 {self.sizes[self.kept]})")
        return Number(self.sizes[self.kept], natural=True)

    def _push(self, execution: Execution, instance: Any) -> None:
        """Add an instance; that it is later than all others is a duty of the caller."""
        if not isinstance(instance, SymbolicInstance):
            execution.require("only instances are kept", FALSE)
            return
        execution.require(
            "what is pushed starts and ends later than all that is kept", later_than_all(self.kept, instance.text)
        )
        self.kept = self.kept.pushed(instance.text)

    def _latest(self, execution: Execution, time: Any) -> Opaque:
        """The instance with the greatest start among those that end before the time, or ⟨⟩."""
        return self._found(execution, _time(time))

    def _evict(self, execution: Execution, time: Any) -> Opaque:
        """Forget the instances that end before the time; the one of them with the greatest start, or ⟨⟩."""
        found = self._found(execution, _time(time))
        self.kept = self.kept.evicted(_time(time))
        return found

    def _found(self, execution: Execution, time: str) -> Opaque:
        name = execution.constant("found", "Instance")
        present = execution.constant("present", "Bool")
        found = execution.decide(present)
        execution.facts.append(is_latest_before(self.kept, time, name if found else None))
        return SymbolicInstance(name) if found else ABSENT


def _time(value: Any) -> str:
    if isinstance(value, Number) and value.infinite == FALSE:
        return value.text
    if type(value) is int:
        return written(numeral(value))
    raise NotTranslated("a queue is asked about something that is no time")


# ------------------------------------------------------------------------------ the queue that runs keeps its contract

CLAIM = "lemma:5.5.queue"

SEARCHES: Mapping[object, tuple[str, str]] = {bisect_left: ("<", "<="), bisect_right: ("<=", "<")}
"""What a search guarantees: how elements before its position compare to the time, and the time to the others."""

LENGTH = "__len__"
"""The method that says how many instances are kept."""

ITEM, LOW, HIGH, GIVEN, PUSHED = "item", "low", "high", "given", "pushed"


class Sequence(Opaque):
    """A list of arbitrary elements: those of the indices from `low` to `high`, and what was appended."""

    def __init__(self, element: Callable[[Term], Any]) -> None:
        """A list by the element that is at an index."""
        self.element = element
        self.low: Term = LOW
        self.appended: list[Any] = []

    def attribute(self, name: str, execution: Execution) -> Any:
        """Something can be appended."""
        if name == "append":
            return Method(lambda _, element: self.appended.append(element))
        return super().attribute(name, execution)

    def subscript(self, index: Any, execution: Execution) -> Any:
        """An element; that the index is within the list is a duty of the reader."""
        if not isinstance(index, Number) or self.appended or self.low != LOW:
            raise NotTranslated("an element is read at an index that is not known")
        position = ("+", LOW, index.term)
        within = written(("and", ("<=", LOW, position), ("<", position, HIGH)))
        execution.require("an index is within the list", within)
        return self.element(position)

    def delete(self, stop: Any, execution: Execution) -> None:
        """Delete a beginning; that there is so much is a duty."""
        if not isinstance(stop, Number) or self.low != LOW:
            raise NotTranslated("how much is deleted is not known")
        execution.require("no more is deleted than there is", f"(<= {stop.text} (- {HIGH} {LOW}))")
        self.low = ("+", LOW, stop.term)

    def length(self, execution: Execution) -> Number:
        """How many elements there are."""
        left: Term = ("-", HIGH, self.low)
        return Number(("+", left, str(len(self.appended))) if self.appended else left)


def _search(ends: Sequence, guarantee: tuple[str, str]) -> Method:
    """What a search of the library returns, as far as it promises.

    Args:
        guarantee: how elements before the position compare to the time, and the time to the others.
    """
    before, after = guarantee

    def position(execution: Execution, searched: Any, time: Any) -> Number:
        if searched is not ends:
            raise NotTranslated("the queue searches something else than the ends")
        if ends.low != LOW or ends.appended or not isinstance(time, Number):
            raise NotTranslated("the queue searches a list that it has changed, or for no time")
        found = execution.constant("position", "Int")
        index = f"(+ {LOW} {found})"
        execution.facts += [
            f"(<= 0 {found})",
            f"(<= {found} (- {HIGH} {LOW}))",
            for_all_indices(f"(=> (< i {index}) ({before} (end ({ITEM} i)) {time.text}))", LOW, HIGH),
            for_all_indices(f"(=> (<= {index} i) ({after} {time.text} (end ({ITEM} i))))", LOW, HIGH),
        ]
        return Number(found)

    return Method(position)


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


_After: TypeAlias = tuple[Any, Sequence, Sequence]
"""What a method returned, and the two lists then."""


def _run(queue: type[CandidateQueue], method: str, execution: Execution) -> _After:
    """A method of the queue on two lists of any length."""
    instances = Sequence(lambda index: SymbolicInstance((ITEM, index)))
    ends = Sequence(lambda index: Number(("end", (ITEM, index))))
    searches = tuple((search, _search(ends, guarantee)) for search, guarantee in SEARCHES.items())
    interpreter = Interpreter(execution, Vocabulary(((NON_OCCURRENCE, ABSENT), *searches)))
    made = Made(queue)
    made.state = {"_instances": instances, "_ends": ends}
    given = {"push": [SymbolicInstance(PUSHED)], LENGTH: []}.get(method, [Number(GIVEN)])
    result = interpreter.method(made, method, given)
    if made.state != {"_instances": instances, "_ends": ends}:
        raise NotTranslated("the queue has other lists afterwards, or something beside them")
    return result, instances, ends


def obligations(time: TimeSort, subject: Subject) -> list[Obligation]:
    """The obligations of the contract: what each method returns, what it leaves, and that it stays sorted."""
    queue = subject.queue

    def given(method: str) -> tuple[Writer, list[str]]:
        writer = Writer(time)
        writer.declarations.append(f"(declare-fun {ITEM} (Int) Instance)")
        for name, sort in ((LOW, "Int"), (HIGH, "Int"), (GIVEN, SORT[time]), (PUSHED, "Instance")):
            writer.declare(name, sort)
        assumptions = [f"(<= {LOW} {HIGH})", sorted_between(LOW, HIGH)]
        if method == "push":
            assumptions.append(later_than_all(kept_between(LOW, HIGH), PUSHED))
        return writer, assumptions

    found = contract(partial(_run, queue), given)
    paths, _ = explore(partial(_new, queue))
    nothing = TRUE if all(path.result for path in paths) else FALSE
    writer = Writer(time)
    found.append(writer.obligation(CLAIM, "empty", "a new queue is empty", [negation(nothing)], logic="ALL"))
    return found


def _new(queue: type[CandidateQueue], execution: Execution) -> bool:
    """Whether a new queue has two empty lists and nothing else."""
    made = Interpreter(execution, Vocabulary(((NON_OCCURRENCE, ABSENT),))).call(queue, [])
    instances, ends = made.state.get("_instances"), made.state.get("_ends")
    return made.state == {"_instances": [], "_ends": []} and instances is not ends


def contract(
    run: Callable[[str, Execution], _After], given: Callable[[str], tuple[Writer, list[str]]]
) -> list[Obligation]:
    """An obligation for each part of the contract of each method.

    Args:
        run: interprets a method.
        given: a writer that knows what a method speaks of, and what is assumed.
    """
    found = []
    for method, aspects in _CONCLUSIONS.items():
        paths, constants = explore(partial(run, method))
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
            found.append(writer.obligation(CLAIM, f"{said} {aspect}", words.format(said), assertions, logic="ALL"))
    return found


def _found(after: _After) -> str:
    """What is found is the latest started of the kept ones that ends before the time."""
    found, kept = after[0], kept_between(LOW, HIGH)
    if found is ABSENT:
        return is_latest_before(kept, GIVEN, None)
    return is_latest_before(kept, GIVEN, found.text) if isinstance(found, SymbolicInstance) else FALSE


def _counted(after: _After) -> str:
    value = after[0]
    return f"(= {value.text} (- {HIGH} {LOW}))" if isinstance(value, Number) else FALSE


def _keeps(after: _After, expected: Membership) -> str:
    """The instances kept afterwards are the expected ones."""
    _, instances, _ = after
    also = tuple(value.text for value in instances.appended if isinstance(value, SymbolicInstance))
    return same_set(kept_between(written(instances.low), HIGH, also), expected)


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
    goals = [sorted_between(written(instances.low), HIGH)]
    if len(instances.appended) > 1:
        return FALSE  # one instance is pushed; two of it do not start and end at different times
    for instance, end in zip(instances.appended, ends.appended, strict=True):
        if not isinstance(instance, SymbolicInstance) or not isinstance(end, Number):
            return FALSE
        goals.append(f"(= {end.text} (end {instance.text}))")
        later = f"(and (< (start ({ITEM} i)) (start {instance.text})) (< (end ({ITEM} i)) (end {instance.text})))"
        goals.append(for_all_indices(later, written(instances.low), HIGH))
    return conjunction(goals)


_ALWAYS: Mapping[str, tuple[str, Callable[[_After], str] | None]] = {
    "sorted": ("after {} starts and ends are sorted, and the ends are those of the instances", _stays_sorted),
    "use": ("{} uses the lists as they may be used", None),
}
_KEPT = ("{} changes nothing", _unchanged)
_LATEST = ("{} returns the latest started that ends before the time", _found)

_CONCLUSIONS: Mapping[str, Mapping[str, tuple[str, Callable[[_After], str] | None]]] = {
    "push": {"kept": ("{} adds the instance", _pushed), **_ALWAYS},
    "latest_before": {"found": _LATEST, "kept": _KEPT, **_ALWAYS},
    "evict_before": {"found": _LATEST, "kept": ("{} keeps the others", _evicted), **_ALWAYS},
    LENGTH: {"found": ("{} returns how many instances there are", _counted), "kept": _KEPT, **_ALWAYS},
}
