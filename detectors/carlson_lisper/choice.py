"""The chooser of a detector: the one that is expected to be done first.

Starts and ends are found in bounded memory by all that can be chosen. Whole instances are not where a label is ∞.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from detectors.carlson_lisper.catalogue import CATALOGUE, Choosable, Entry
from detectors.carlson_lisper.expected_time import seconds
from detectors.carlson_lisper.known import BUILDING_STEPS as BUILDING_STEPS
from detectors.carlson_lisper.known import Feed as Feed
from detectors.carlson_lisper.known import Input as Input
from detectors.carlson_lisper.known import Known
from semantics.carlson_lisper.expressions import Expression


@dataclass(frozen=True)
class Choice:
    """A detector that was chosen.

    Attributes:
        name: of the detector.
        reason: what it is, and why it was taken, in one sentence.
        bounded: whether its memory does not grow with the input.
        make: makes a fresh detector: of instances, of intervals (for traces, one for each), or a `Batch`.
    """

    name: str
    reason: str
    bounded: bool
    make: Callable[[], Any]


def choose(expression: Expression, input: Input) -> Choice:
    """The detector for an expression and an input.

    Args:
        expression: a ground expression.
        input: what is wanted, how it is fed, how much there is.
    """
    known = Known(expression, input)
    by_cost = sorted(
        _fitting(input), key=lambda one: seconds(known, one[1].cost)
    )  # keeps the order of equals
    for entry, choosable in by_cost:
        if not choosable.obstacle(known):
            return _choice(known, entry, choosable, _reason(known, entry, choosable))
    raise AssertionError("generated code takes every expression")


def named_choice(name: str, expression: Expression, input: Input) -> Choice | str:
    """The detector with a name as if it had been chosen, or what stands in the way, for a message."""
    known = Known(expression, input)
    for entry, choosable in _fitting(input):
        if entry.name == name:
            return choosable.obstacle(known) or _choice(known, entry, choosable, choosable.what)
    return "it is not for input of this kind"


def _fitting(input: Input) -> list[tuple[Entry[Any], Choosable]]:
    return [
        (one, one.choosable)
        for one in CATALOGUE.values()
        if one.choosable is not None and one.reports == input.wanted and input.feed in one.choosable.feeds
    ]


def _choice(known: Known, entry: Entry[Any], choosable: Choosable, reason: str) -> Choice:
    return Choice(entry.name, reason, entry.is_bounded(known), partial(choosable.fresh, known))


def _reason(known: Known, entry: Entry[Any], choosable: Choosable) -> str:
    parts = [choosable.what, _memory(known, entry), _time(known, entry)]
    return "; ".join(part for part in parts if part)


def _memory(known: Known, entry: Entry[Any]) -> str:
    if entry.reports != "instances":
        return ""
    if not known.unbounded:
        return "all labels are finite, so memory is bounded"
    fault = f"{known.unbounded[0]} has no finite label"
    if known.input.instants is None:
        return f"{fault}, so its queue grows with the input"
    return f"{fault}: its queue grows, to at most {known.input.many:,} instances for this input"


def _time(known: Known, entry: Entry[Any]) -> str:
    if not known.many_at_a_time or entry.reports == "instances":
        return ""
    if not known.input.compiles:
        return "Numba is not installed"
    many = f"{known.input.many:,} instants"
    if known.input.instants is None:
        many = "the input may go on for ever"
    if entry.is_compiled:
        return f"{many}, which pays for a compiled loop"
    return f"{many}, too few to pay for a compiled loop"
