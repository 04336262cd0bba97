"""The chooser of a detector: the candidate that is expected to be done first.

Starts and ends are found in bounded memory by all that can be chosen. Whole instances are not where a label is ∞.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from detectors.carlson_lisper.candidates import CANDIDATES, Candidate
from detectors.carlson_lisper.known import BUILDING_STEPS as BUILDING_STEPS
from detectors.carlson_lisper.known import Feed as Feed
from detectors.carlson_lisper.known import Input as Input
from detectors.carlson_lisper.known import Known
from semantics.carlson_lisper.expressions import Expression


@dataclass(frozen=True)
class Choice:
    """A detector that was chosen.

    Attributes:
        name: of the candidate.
        reason: what it is, and why it was taken, in one sentence.
        seconds: the expected cost; it compares candidates and promises nothing. ∞ for an input without an end.
        bounded: whether its memory does not grow with the input.
        make: makes a fresh detector: of instances, of intervals (for traces, one for each), or a `Batch`.
    """

    name: str
    reason: str
    seconds: float
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
        _fitting(input), key=lambda candidate: candidate.cost(known)
    )  # keeps the order of equals
    candidate = _first(by_cost, known)
    seconds = float("inf") if input.instants is None else candidate.cost(known)
    reason = _reason(known, candidate)
    return Choice(
        candidate.name, reason, seconds, candidate.is_bounded(known), partial(candidate.make, known)
    )


def _fitting(input: Input) -> list[Candidate]:
    return [one for one in CANDIDATES if input.wanted in one.wanted and input.feed in one.feeds]


def _first(candidates: Iterable[Candidate], known: Known) -> Candidate:
    """The first one that can be taken."""
    for candidate in candidates:
        if not candidate.obstacle(known):
            return candidate
    raise AssertionError("generated code takes every expression")


def every_choice(expression: Expression, input: Input) -> dict[str, Choice]:
    """Each candidate that could be taken for an input, by name, as if it had been chosen."""
    known = Known(expression, input)
    return {
        candidate.name: Choice(
            candidate.name,
            candidate.what,
            candidate.cost(known),
            candidate.is_bounded(known),
            partial(candidate.make, known),
        )
        for candidate in _fitting(input)
        if not candidate.obstacle(known)
    }


def again(name: str, expression: Expression, input: Input) -> Choice | None:
    """The candidate with a name, if it can be taken: for going on with what was chosen before."""
    known = Known(expression, input)
    for candidate in _fitting(input):
        if candidate.name == name and not candidate.obstacle(known):
            return Choice(
                name,
                candidate.what,
                candidate.cost(known),
                candidate.is_bounded(known),
                partial(candidate.make, known),
            )
    return None


def obstacle(name: str, expression: Expression, input: Input) -> str:
    """What stands in the way of the candidate with a name, for a message; "" if it can be taken."""
    known = Known(expression, input)
    for candidate in _fitting(input):
        if candidate.name == name:
            return candidate.obstacle(known)
    return "it is not for input of this kind"


def _reason(known: Known, candidate: Candidate) -> str:
    parts = [candidate.what, _memory(known, candidate), _time(known, candidate)]
    return "; ".join(part for part in parts if part)


def _memory(known: Known, candidate: Candidate) -> str:
    if candidate.wanted != ("instances",):
        return ""
    if not known.unbounded:
        return "all labels are finite, so memory is bounded"
    fault = f"{known.unbounded[0]} has no finite label"
    if known.input.instants is None:
        return f"{fault}, so its queue grows with the input"
    return f"{fault}: its queue grows, to at most {known.input.many:,} instances for this input"


def _time(known: Known, candidate: Candidate) -> str:
    if not known.many_at_a_time or candidate.wanted == ("instances",):
        return ""
    if not known.input.compiles:
        return "Numba is not installed"
    many = f"{known.input.many:,} instants"
    if known.input.instants is None:
        many = "the input may go on for ever"
    if candidate.is_compiled:
        return f"{many}, which pays for a compiled loop"
    return f"{many}, too few to pay for a compiled loop"
