"""The sequence that forgets and its static array on concrete runs: what they do where they are not proved.

The array is used as the contract allows, with room for few and for many instances, and its answers are compared with a
plain list of the instances that were pushed last. The step is run on histories whose right instances are at most τ
long, and its outputs are compared with those of the step of Figure 2. That no counterexample is found among these
proves nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, product
from typing import Any

from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, SequenceStep
from detectors.carlson_lisper.source.stores import RecentSequenceStep
from proofs.carlson_lisper.lemmas import recent
from proofs.carlson_lisper.runs.endless import limited
from proofs.carlson_lisper.runs.histories import (
    LONGER,
    History,
    Instant,
    drawn_histories,
    histories,
    smaller_histories,
)
from proofs.carlson_lisper.runs.queues import (
    Call,
    EvictingQueue,
    QueueCounterexample,
    Use,
    short_uses,
    wrong_answer,
)
from proofs.carlson_lisper.runs.steps import StepCounterexample
from proofs.carlson_lisper.runs.storage import StorageCounterexample
from semantics.carlson_lisper.occurrences import Instance

CALLS = 3
"""All uses of so many calls are tried of an array with few places."""

FEW = (1, 2, 3)
"""So many places an array has of which all short uses are tried."""

FILLED = (1, 2, 3, 4, 5, 8, 17)
"""So many places an array has that is filled, and asked about every time."""

DRAWN = 300
"""So many longer uses are drawn."""

TICKS = (0, 1, 2, 3)
"""The labels with which all histories are tried."""

LINES = 20_000
"""A use or a run that executes more lines of Python does not end."""

SEED = 1

RecentCounterexample = StepCounterexample | StorageCounterexample


# ------------------------------------------------------------------------------------------------------ the array


def find_array_counterexample(
    step: type[RecentSequenceStep] = RecentSequenceStep, *, drawn: int = DRAWN
) -> QueueCounterexample | None:
    """A use of the array of a step that is answered wrongly; None if there is none among those that are tried.

    A use of what steps ask is preferred to one of `contents`, which they do not.

    Args:
        step: the step that makes the array; its queue tells the class.
        drawn: how many longer uses are drawn.
    """
    made = _array_of(step)
    if made is None:
        return None
    listed = None
    for places, use in chain(_small_uses(), _filling_uses(), _drawn_uses(drawn)):
        found = limited(wrong_answer, LINES)(partial(made, places), use, places)
        if found is not None and found.calls[-1] != "contents":
            return found
        listed = listed or found
    return listed


def _array_of(step: type[RecentSequenceStep]) -> Callable[[int], EvictingQueue] | None:
    """The class of a step's array; None if no step can be made."""
    try:
        made: Any = type(limited(step, LINES)(1).queue)
    except Exception:  # whatever a wrong step may raise, which the runs of the step tell
        return None
    return made  # type: ignore[no-any-return]  # its contract is what is looked at


def _small_uses() -> Iterator[tuple[int, Use]]:
    yield from product(FEW, short_uses(CALLS))


def _filling_uses() -> Iterator[tuple[int, Use]]:
    """Up to as many pushes as make it go round twice, and then one question about each time."""
    for places in FILLED:
        for pushes in (places - 1, places, places + 1, 2 * places + 1):
            pushed = (Call("push"),) * pushes
            asked = [
                Call(method, at) for at in range(pushes + 1) for method in ("latest_before", "evict_before")
            ]
            for call in asked:
                yield (
                    places,
                    (*pushed, call, Call("__len__"), Call("push"), Call("__len__"), Call("contents")),
                )


def _drawn_uses(number: int) -> Iterator[tuple[int, Use]]:
    draw = random.Random(f"array {SEED}")
    methods = (
        "push",
        "push",
        "push",
        "latest_before",
        "latest_before",
        "evict_before",
        "contents",
        "__len__",
    )
    for _ in range(number):
        places, time, use = draw.randint(1, FILLED[-1]), 0, []
        for method in draw.choices(methods, k=draw.randint(CALLS + 1, 4 * FILLED[-1])):
            time += method == "push"
            back = draw.randint(0, places + 1)
            use.append(
                Call(method, draw.choice((0, 0, 0, 1, 3)) if method == "push" else max(0, time - back))
            )
        yield places, tuple(use)


# ------------------------------------------------------------------------------------------------------- the step


def find_recent_counterexample(
    step: type[RecentSequenceStep] = RecentSequenceStep, *, longer: int = LONGER
) -> RecentCounterexample | None:
    """A history on which a step outputs something else than that of Figure 2, or keeps something else than it says.

    A wrong output or an exception is preferred; None if nothing is found among the histories that are tried.

    Args:
        step: the step.
        longer: how many histories longer than `proofs.carlson_lisper.runs.histories.INSTANTS` are tried for each label.
    """
    within: StorageCounterexample | None = None
    for ticks in TICKS:
        for history in chain([()], histories(2, ticks), drawn_histories(2, ticks, longer)):
            found = _wrong(step, ticks, history, stored=within is None)
            if isinstance(found, StepCounterexample):
                return _shrunk(step, found)
            within = within or found
    return within


def _shrunk(step: type[RecentSequenceStep], found: StepCounterexample) -> StepCounterexample:
    """The same with a smaller history; ends at a local minimum."""
    while True:
        for history in smaller_histories(found.history):
            less = _wrong(step, found.ticks or 0, history, stored=False)
            if isinstance(less, StepCounterexample):
                found = less
                break
        else:
            return found


def _wrong(
    step: type[RecentSequenceStep], ticks: int, history: History, *, stored: bool
) -> RecentCounterexample | None:
    """The first thing that is wrong on a history; what is stored is looked at only if that is asked for."""
    past: list[Instant] = []
    try:
        return limited(_compared, LINES)(step, ticks, history, past, stored)
    except Exception as error:  # whatever a wrong step may raise
        detail = f"{type(error).__name__}: {error}"
        return StepCounterexample(recent.CLAIM, "seq", ticks, tuple(past), "exception", None, (), detail)


def _compared(
    step: type[RecentSequenceStep], ticks: int, history: History, past: list[Instant], stored: bool
) -> RecentCounterexample | None:
    made, remembering = step(ticks), SequenceStep()
    words = _objection(made, ticks, remembering) if stored else ""
    for at in () if words else history:
        past.append(at)
        left, right = (NON_OCCURRENCE if x is None else x for x in (at.left, at.right))
        output, expected = made.step(left, right), remembering.step(left, right)
        if not isinstance(output, Instance):
            return _output(ticks, past, None, expected, f"a {type(output).__name__}")
        if output != expected:
            return _output(ticks, past, output, expected)
        words = _objection(made, ticks, remembering) if stored else ""
        if words:
            break
    return StorageCounterexample("seq", ticks, tuple(past), words) if words else None


def _output(
    ticks: int, past: list[Instant], output: Instance | None, expected: Instance, detail: str = ""
) -> StepCounterexample:
    right = () if expected is NON_OCCURRENCE else (expected,)
    shown = None if output is NON_OCCURRENCE else output
    return StepCounterexample(recent.CLAIM, "seq", ticks, tuple(past), "output", shown, right, detail)


def _objection(made: RecentSequenceStep, ticks: int, remembering: SequenceStep) -> str:
    """What is wrong with what a step keeps, beside one that forgets nothing; or nothing."""
    bound: object = made.bound
    stored, pushed = made.stored(), len(remembering.queue)
    if bound != ticks + 1:
        return f"the bound is {bound}; stated is {ticks + 1}"
    if stored != len(made.queue):
        return f"the step says that it keeps {stored} instances, and its queue {len(made.queue)}"
    if stored != min(pushed, ticks + 1):
        return f"the step keeps {stored} instances; of {pushed} that were pushed the last {ticks + 1} are to be kept"
    return ""
