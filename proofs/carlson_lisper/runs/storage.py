"""The memory statements of Section 5.2 on concrete histories: what a step keeps where they are not proved.

A step is run on the histories of `proofs.carlson_lisper.runs.histories`. After each instant the instances in its
variables are counted and compared with the number that the step says and with its bound, and the bound with the one
that is stated. That no counterexample is found among these proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from detectors.carlson_lisper.source.steps import NON_OCCURRENCE
from laws.carlson_lisper.invariants import STEP_LEMMAS
from proofs.carlson_lisper.runs.histories import History, Instant, told
from proofs.carlson_lisper.runs.steps import StepRun, TriedStep, steps_of
from proofs.carlson_lisper.runs.wrong_runs import WrongRun, first
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.expressions import UNBOUNDED


def kept_wrongly(operator: str, ticks: int | None, history: History, wrong: str) -> WrongRun[History] | None:
    """The run after which something is wrong with what a step keeps, if there are words for it.

    Args:
        ticks: the bound or the label τ that the step was made with, None if it takes none.
        history: what the operands output; empty for a step that has not run.
        wrong: what is wrong, in words; "" if nothing is.
    """
    if not wrong:
        return None
    instants = [{"time": at.time, "left": repr(at.left), "right": repr(at.right)} for at in history]
    plain = {"operator": operator, "ticks": ticks, "instants": instants, "wrong": wrong}
    said = f"{told(operator, ticks, history, 'at first')}: {wrong}"
    return WrongRun(history, "storage", said, plain, inside=True)


def find_storage_counterexample(claim: str, about: Subject) -> WrongRun[History] | None:
    """A history after which the storage of a step is not what is stated; None if none of those that are tried is one.

    The claim is the lemma about the step, a key of `laws.carlson_lisper.invariants.STEP_LEMMAS`.
    """
    tried = (
        (subject, history)
        for subject in steps_of(STEP_LEMMAS[claim], about)
        for history in chain([()], subject.small(), subject.drawn())
    )
    return first(tried, lambda each: _failure(*each))


def _failure(subject: TriedStep, history: History) -> WrongRun[History] | None:
    past: list[Instant] = []
    try:
        run = subject.run()
        words = next(_objections(run, None), "")
        before = _kept(run)
        for at in () if words else history:
            past.append(at)
            run.step(at)
            words = next(_objections(run, at if _kept(run) <= before else None), "")
            before = _kept(run)
            if words:
                break
    except Exception as error:  # whatever a wrong step may raise
        words = f"the step raises {type(error).__name__}: {error}"
    return kept_wrongly(subject.lemma.operator, subject.ticks, tuple(past), words)


def _objections(run: StepRun, without_growth: Instant | None) -> Iterator[str]:
    """What is wrong with the storage after a step; `without_growth` is the instant if it added nothing."""
    kept, stored, bound = _kept(run), run.made.stored(), run.made.bound
    stated = run.lemma.kept + ((run.ticks or 0) if run.lemma.figure == 4 else 0)
    if _kept(run) != kept:
        yield f"asked how many of its {kept} instances it keeps, the step keeps {_kept(run)}"
    if stored != kept:
        yield f"the step says that it keeps {stored} instances, and keeps {kept}"
    if stored > bound:
        yield f"the step keeps {stored} instances, and its bound is {bound}"
    if bound != stated:
        yield f"the bound is {bound}; stated is {stated}"
    left = None if without_growth is None else without_growth.left
    if stated == UNBOUNDED and left is not None and left.start == left.end:
        yield "an occurrence on the left is not added to the queue"


def _kept(run: StepRun) -> int:
    """How many instances the variables of a step hold."""
    kinds = {variable.name: variable.kind for variable in run.lemma.variables}
    held = run.made.variables()
    sets: list[Any] = [held[name] for name, kind in kinds.items() if kind == "set"]
    single = [held[name] for name, kind in kinds.items() if kind == "instance"]
    return sum(len(queue.contents()) for queue in sets) + sum(x is not NON_OCCURRENCE for x in single)
