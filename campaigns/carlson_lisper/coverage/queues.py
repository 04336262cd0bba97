"""Coverage of queues: the states in which sequences keep their candidates, and where answers come from.

A queue is watched from within: it is a queue of the same kind that says, with each push, question and eviction, in
which state that met it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from campaigns.carlson_lisper.coverage.steps import Family, Note
from detectors.carlson_lisper.source.steps import Step
from semantics.carlson_lisper.occurrences import Instance, Time

MANY = 32
"""A queue with room for so many is not looked through to see whether it is full: it hardly ever is."""

_GROWING = ("seq", "seq-figure4")
_EVICTING = ("seq-figure4",)

_ASKED = (
    "asked while empty",
    "asked with one",
    "asked with several",
    "answer is none of those kept",
    "answer is the only one",
    "answer is the first",
    "answer is in the middle",
    "answer is the last",
)
_PUSHED = ("pushed while empty", "pushed behind others")
_EVICTED = (
    "evicts none of those kept",
    "evicts some",
    "evicts all",
    "evicts several at once",
    "keeps one that ended exactly τ ago",
    "evicts one that ended τ + 1 ticks ago",
)

FULL = "queue:seq-figure4:full, and l is there too"
LABELLED = ("queue:label:right as long as the label", "queue:label:right a tick shorter", "queue:label:0")

QUEUES: tuple[str, ...] = (
    *(f"queue:{name}:{state}" for name in _GROWING for state in (*_ASKED, *_PUSHED)),
    *(f"queue:{name}:{state}" for name in _EVICTING for state in _EVICTED),
    FULL,
    *LABELLED,
)
"""Each state of each queue that can be met, and what labels are met by."""


def watched(family: Family, store: type, note: Note) -> type:
    """A class of queues that notes the states of `QUEUES`; it otherwise behaves as the given one.

    Args:
        note: is called with the names of the states.
    """
    scope = f"queue:{family.name}"
    methods = _common_methods(store, scope, note)
    if family.name in _EVICTING:
        methods["evict_before"] = _evicting(store, scope, note)
    return type(store.__name__, (store,), {"__slots__": (), **methods})


_Methods = dict[str, Callable[..., Any]]


def _common_methods(store: Any, scope: str, note: Note) -> _Methods:
    push_to, latest_in = store.push, store.latest_before
    (empty, one, several, none, only, first, middle, last) = (f"{scope}:{state}" for state in _ASKED)
    (alone, behind) = (f"{scope}:{state}" for state in _PUSHED)

    def push(queue: Any, instance: Instance) -> None:
        note(behind if len(queue) else alone)
        push_to(queue, instance)

    def latest_before(queue: Any, time: Time) -> Instance:
        kept = queue.contents()
        answer: Instance = latest_in(queue, time)
        if not kept:
            note(empty)
            return answer
        note(one if len(kept) == 1 else several)
        if answer.start < 0:
            note(none)
        elif len(kept) == 1:
            note(only)
        else:
            note(first if answer is kept[0] else last if answer is kept[-1] else middle)
        return answer

    return {"push": push, "latest_before": latest_before}


def _evicting(store: Any, scope: str, note: Note) -> Callable[..., Any]:
    evict_from = store.evict_before
    (none, some, everything, several, kept_just, gone_just) = (f"{scope}:{state}" for state in _EVICTED)

    def evict_before(queue: Any, time: Time) -> Instance:
        before = queue.contents()
        evicted: Instance = evict_from(queue, time)
        if before:
            gone = len(before) - len(queue)
            note(none if not gone else everything if gone == len(before) else some)
            if gone > 1:
                note(several)
            if gone and before[gone - 1].end == time - 1:
                note(gone_just)
            if gone < len(before) and before[gone].end == time:
                note(kept_just)
        return evicted

    return evict_before


class Together:
    """The steps of several detectors for one sequence of a transformed expression, with the same operands."""

    VARIABLES: ClassVar[Mapping[str, str]] = {}

    def __init__(self, label: int, first: Step, *others: Step, note: Note) -> None:
        """Of the steps, the first one says what comes of the operands and keeps its candidates as in Figure 4."""
        self.label = label
        self.bound = first.bound
        self.stored = first.stored
        self.variables = first.variables
        self._first = first.step
        self._others = tuple(step.step for step in others)
        self._note = note
        if label == 0:
            note(LABELLED[2])

    def step(self, left: Instance, right: Instance) -> Instance:
        """What the first step says; and notes how the label and the room for candidates are used up."""
        for step in self._others:
            step(left, right)
        outcome = self._first(left, right)
        if right.start >= 0:
            length = right.end - right.start
            if length == self.label > 0:
                self._note(LABELLED[0])
            elif length == self.label - 1:
                self._note(LABELLED[1])
        if left.start >= 0 and self.label < MANY and self.stored() == self.bound:
            self._note(FULL)
        return outcome
