"""The sequence that keeps the τ + 1 candidates that were pushed last is that of Figure 2.

Over integer time. A sequence whose right instances are at most τ long asks for what ended before a time that is at
most τ before now. What was pushed ends before now, at different times, so at most τ of it ends at that time or later.
If anything was forgotten, the oldest that is kept has τ others after it, so it ends before the time: it starts later
than all that was forgotten, and nothing that was forgotten is the answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, SequenceStep
from detectors.carlson_lisper.source.stores import RecentSequenceStep
from proofs.carlson_lisper.lemmas.faithfulness import report_objections, sharing_objections, step_objections
from proofs.carlson_lisper.lemmas.memory import compared
from proofs.carlson_lisper.lemmas.queue import SymbolicQueue, is_latest_before
from proofs.carlson_lisper.lemmas.queue_contract import GIVEN, ITEM, kept_between, sorted_between
from proofs.carlson_lisper.lemmas.static_queue import FIRST, NEXT, Marker, new_queue
from proofs.carlson_lisper.lemmas.steps import CURRENT, NOW, TICKS
from proofs.carlson_lisper.subject import Subject
from smt.carlson_lisper.obligations import Writer
from smt.execution import (
    Execution,
    ExecutionFailed,
    Path,
    SymbolicInstance,
    SymbolicTime,
    explore,
    with_length,
)
from smt.obligations import Obligation
from smt.smtlib import FALSE, SORT, TimeSort, conjunction, disjunction, negation

CLAIM = "recent:sequence"

LATEST = "latest"

KEPT_PLACES = f"(+ {TICKS} 1)"
"""How many candidates are kept."""


def obligations(time: TimeSort, subject: Subject) -> list[Obligation]:
    """The obligations: τ + 1 candidates are enough, so many places are made, and what is asked is as assumed.

    Over dense time they are false.
    """
    step = subject.recent
    objections = step_objections(step, [type(step(1).queue).__name__])
    objections += report_objections(step, "stored") + sharing_objections(lambda: step(1))
    if step.step is not SequenceStep.step:
        objections.append("the step is another one than that of Figure 2")
    if objections:
        raise ExecutionFailed("; ".join(objections))
    return [*_different_ends(time), *_enough(time), *_made(step, time), *_asked(step, time)]


# ------------------------------------------------------------------------------------- the last τ + 1 are enough


def _part(time: TimeSort, direction: str, words: str, assertions: list[str]) -> Obligation:
    """A question about what was pushed, numbered from 0 to `next`, of which what is numbered from `first` is kept."""
    writer = Writer(time)
    writer.declarations.append(f"(declare-fun {ITEM} (Int) Instance)")
    counts = {"k": "Int", FIRST: "Int", NEXT: "Int"}
    for name, sort in {**counts, NOW: SORT[time], TICKS: SORT[time], GIVEN: SORT[time]}.items():
        writer.declare(name, sort)
    known = [f"(<= 0 {TICKS})", f"(<= 0 {FIRST})", f"(<= {FIRST} {NEXT})", sorted_between("0", NEXT)]
    return writer.obligation(CLAIM, direction, words, [*known, *assertions], logic="ALL")


def _far(count: str) -> str:
    """So many numbers further, the end is at least so many ticks later."""
    return f"(<= (+ (end ({ITEM} {FIRST})) {count}) (end ({ITEM} (+ {FIRST} {count}))))"


def _different_ends(time: TimeSort) -> list[Obligation]:
    """By induction over k: what was pushed k later ends at least k ticks later."""
    return [
        _part(
            time,
            "ends base",
            "an instance ends no earlier than itself",
            [f"(< {FIRST} {NEXT})", negation(_far("0"))],
        ),
        _part(
            time,
            "ends step",
            "the next one ends at least a tick later",
            ["(<= 0 k)", f"(< (+ {FIRST} k 1) {NEXT})", _far("k"), negation(_far("(+ k 1)"))],
        ),
    ]


def _enough(time: TimeSort) -> list[Obligation]:
    """The answer among the last τ + 1 is that among all."""
    last = f"(= {FIRST} (ite (<= {NEXT} {KEPT_PLACES}) 0 (- {NEXT} {KEPT_PLACES})))"
    oldest = disjunction((f"(= {FIRST} 0)", f"(< (end ({ITEM} {FIRST})) {GIVEN})"))
    kept, pushed = kept_between(FIRST, NEXT), kept_between("0", NEXT)
    asked = [f"(<= (- {NOW} {TICKS}) {GIVEN})", f"(< (end ({ITEM} (- {NEXT} 1))) {NOW})"]

    def same(found: str | None) -> str:
        return disjunction(
            (negation(is_latest_before(kept, GIVEN, found)), is_latest_before(pushed, GIVEN, found))
        )

    return [
        _part(
            time,
            "oldest",
            "if anything was forgotten, the oldest that is kept ends before a time at most τ before now",
            [last, f"(=> (< (+ {FIRST} {TICKS}) {NEXT}) {_far(TICKS)})", *asked, negation(oldest)],
        ),
        _part(
            time,
            "found",
            "what is found among the last τ + 1 is the answer among all that was pushed",
            [last, oldest, negation(f"(forall ((a Instance)) {same('a')})")],
        ),
        _part(
            time,
            "nothing",
            "if nothing is found among the last τ + 1, there is nothing among all that was pushed",
            [last, oldest, negation(same(None))],
        ),
    ]


# ---------------------------------------------------------------------------------------------- the step that runs


def _made(step: type[RecentSequenceStep], time: TimeSort) -> list[Obligation]:
    """A new step has a queue with τ + 1 places, says so, and says of its storage how many it keeps."""

    def queue(made: RecentSequenceStep, _: Execution) -> str:
        return f"(= {new_queue(made.queue)} {KEPT_PLACES})"

    def bound(made: RecentSequenceStep, _: Execution) -> str:
        return compared("=", made.bound, KEPT_PLACES)

    def initial(made: RecentSequenceStep, _: Execution) -> str:
        return compared("=", made.latest, "(- 1)")

    def stored(made: RecentSequenceStep, execution: Execution) -> str:
        held = SymbolicQueue("q", execution)
        _put(made, held)
        return compared("=", with_length(made.stored)(), held.length())

    parts: list[tuple[str, str, Callable[[RecentSequenceStep, Execution], str]]] = [
        ("places", "a step is made with an empty queue of τ + 1 places", queue),
        ("initial", "a step is made with t = -1", initial),
        ("bound", "the bound of the storage is τ + 1", bound),
        ("stored", "the number of instances that the step says is that of its queue", stored),
    ]
    return [_of_step(step, time, *part) for part in parts]


def _of_step(
    step: type[RecentSequenceStep],
    time: TimeSort,
    direction: str,
    words: str,
    goal: Callable[[RecentSequenceStep, Execution], str],
) -> Obligation:
    paths, constants = explore(lambda execution: goal(_make(step, execution), execution))
    writer = Writer(time)
    for name, sort in {TICKS: "Int", **constants}.items():
        writer.declare(name, sort)
    goals = [disjunction((negation(path.condition), path.result or FALSE)) for path in paths]
    assertions = [f"(<= 0 {TICKS})", negation(conjunction(goals))]
    return writer.obligation(CLAIM, direction, words, assertions, logic="ALL")


def _make(step: type[RecentSequenceStep], execution: Execution) -> RecentSequenceStep:
    ticks: Any = Marker(TICKS, execution)
    return step(ticks)


def _put(made: RecentSequenceStep, queue: SymbolicQueue) -> None:
    held: Any = made
    held.queue = queue


class _Asked(SymbolicQueue):
    """A queue that notes what is asked and pushed."""

    def __init__(self, execution: Execution) -> None:
        super().__init__("q", execution)
        self.pushed: list[object] = []

    def latest_before(self, time: object) -> object:
        """Asked before anything is pushed now, of a time at most τ before now."""
        if self.pushed or not isinstance(time, SymbolicTime):
            raise ExecutionFailed("the queue is asked after something was pushed")
        self.execution.require("a time at most τ before now", f"(<= (- {NOW} {TICKS}) {time.term})")
        return super().latest_before(time)

    def evict_before(self, time: object) -> object:
        """Not to be called."""
        raise ExecutionFailed("something is evicted")

    def push(self, instance: object) -> None:
        """Noted; that it is later than all that was pushed is Lemma 5.5."""
        self.pushed.append(instance)


def _asked(step: type[RecentSequenceStep], time: TimeSort) -> list[Obligation]:
    """What the step asks of its queue, on arbitrary instances that end now."""

    def run(execution: Execution) -> list[object]:
        made = _make(step, execution)
        held: Any = made
        held.latest = SymbolicTime(LATEST, execution)
        queue = _Asked(execution)
        _put(made, queue)
        operands: list[Any] = [
            SymbolicInstance(name, execution) if execution.decide(f"{name}.occurs") else NON_OCCURRENCE
            for name in CURRENT
        ]
        made.step(*operands)
        return queue.pushed

    paths, constants = explore(run)

    def part(direction: str, words: str, goals: list[str]) -> Obligation:
        writer = Writer(time)
        writer.stream("q")
        sorts = {NOW: SORT[time], TICKS: SORT[time], LATEST: SORT[time]}
        for name in CURRENT:
            sorts |= {name: "Instance", f"{name}.occurs": "Bool"}
        for name, sort in {**sorts, **constants}.items():
            writer.declare(name, sort)
        right = CURRENT[1]
        assumptions = [
            f"(<= 0 {TICKS})",
            f"(<= (- 1) {LATEST})",
            *(f"(=> {name}.occurs (= (end {name}) {NOW}))" for name in CURRENT),
            f"(=> {right}.occurs (<= (- (end {right}) (start {right})) {TICKS}))",
        ]
        return writer.obligation(CLAIM, direction, words, [*assumptions, negation(conjunction(goals))])

    return [
        part(
            "asked",
            "the queue is asked before anything is pushed, of a time at most τ before now",
            [duty for path in paths for _, duty in path.duties],
        ),
        part(
            "pushed",
            "at most one instance is pushed, and it ends now: before all later instants, and at another time",
            [disjunction((negation(path.condition), _ends_now(path))) for path in paths],
        ),
    ]


def _ends_now(path: Path[list[object]]) -> str:
    match path.result:
        case []:
            return conjunction(())
        case [SymbolicInstance() as instance]:
            return f"(= (end {instance.term}) {NOW})"
        case _:
            return FALSE
