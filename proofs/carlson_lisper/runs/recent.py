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
from proofs.carlson_lisper.runs.queues import Call, Calls, EvictingQueue, Use, short_uses, wrong_answer
from proofs.carlson_lisper.runs.steps import Wrong
from proofs.carlson_lisper.runs.storage import kept_wrongly
from proofs.carlson_lisper.runs.wrong_runs import WrongRun, search
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


# ------------------------------------------------------------------------------------------------------ the array


def find_array_counterexample(
    step: type[RecentSequenceStep] = RecentSequenceStep, *, drawn: int = DRAWN
) -> WrongRun[Calls] | None:
    """A use of the array of a step that is answered wrongly; None if there is none among those that are tried.

    A use of what steps ask is preferred to one of `contents`, which they do not.

    Args:
        step: the step that makes the array; its queue tells the class.
    """
    made = _array_of(step)
    if made is None:
        return None

    def fails(tried: tuple[int, Use], inside: bool) -> WrongRun[Calls] | None:
        places, use = tried
        found = limited(wrong_answer, LINES)(partial(made, places), use, places)
        return found if found is None or inside or not found.inside else None

    return search(chain(product(FEW, short_uses(CALLS)), _filling_uses(), _drawn_uses(drawn)), fails)


def _array_of(step: type[RecentSequenceStep]) -> Callable[[int], EvictingQueue] | None:
    """The class of a step's array; None if no step can be made."""
    try:
        made: Any = type(limited(step, LINES)(1).queue)
    except Exception:  # whatever a wrong step may raise, which the runs of the step tell
        return None
    return made  # type: ignore[no-any-return]  # its contract is what is looked at


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
) -> WrongRun[History] | None:
    """A history on which a step outputs something else than that of Figure 2, or keeps something else than it says.

    A wrong output or an exception is preferred; None if nothing is found among the histories that are tried.

    Args:
        longer: how many histories longer than `proofs.carlson_lisper.runs.histories.INSTANTS` are tried for each label.
    """
    tried = (
        (ticks, history)
        for ticks in TICKS
        for history in chain([()], histories(2, ticks), drawn_histories(2, ticks, longer))
    )

    def smaller(found: WrongRun[History]) -> Iterator[tuple[int, History]]:
        less = () if found.inside else smaller_histories(found.tried)
        return ((found.plain["ticks"], history) for history in less)

    return search(tried, partial(_failure, step), smaller)


def _failure(
    step: type[RecentSequenceStep], tried: tuple[int, History], stored: bool
) -> WrongRun[History] | None:
    """The first thing that is wrong on a history; what is stored is looked at only if that is asked for."""
    ticks, history = tried
    past: list[Instant] = []
    try:
        wrong = limited(_compared, LINES)(step, ticks, history, past, stored)
    except Exception as error:  # whatever a wrong step may raise
        wrong = Wrong("exception", detail=f"{type(error).__name__}: {error}")
    if isinstance(wrong, str):
        return kept_wrongly("seq", ticks, tuple(past), wrong)
    return wrong.after(recent.CLAIM, "seq", ticks, tuple(past))


def _compared(
    step: type[RecentSequenceStep], ticks: int, history: History, past: list[Instant], stored: bool
) -> Wrong | str:
    """What is wrong with an output, or in words with what is kept; "" if nothing is."""
    made, remembering = step(ticks), SequenceStep()
    words = _objection(made, ticks, remembering) if stored else ""
    for at in () if words else history:
        past.append(at)
        left, right = (NON_OCCURRENCE if x is None else x for x in (at.left, at.right))
        output, expected = made.step(left, right), remembering.step(left, right)
        valid = () if expected is NON_OCCURRENCE else (expected,)
        if not isinstance(output, Instance):
            return Wrong("output", None, valid, f"a {type(output).__name__}")
        if output != expected:
            return Wrong("output", None if output is NON_OCCURRENCE else output, valid)
        words = _objection(made, ticks, remembering) if stored else ""
        if words:
            break
    return words


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
