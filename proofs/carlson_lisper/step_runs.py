"""Lemmas 5.2-5.7 on concrete histories: what a step does where they are not proved.

The step is run on a history and compared with Def. 5.2, and with the very state predicates that the obligations use
(`laws.carlson_lisper.invariants`), evaluated on finite streams. All histories over up to three instants are tried, then
a fixed number of longer ones. That no counterexample is found among these proves nothing.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, product
from pathlib import Path
from traceback import extract_tb
from typing import Any, TypeAlias

from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, Step
from laws.carlson_lisper import invariants
from laws.carlson_lisper.invariants import CANDIDATES, GREATEST_START, NEVER, NOTHING_YET, VALUE, StepLemma
from proofs.carlson_lisper.steps import Subject
from semantics.carlson_lisper.denotation import apply_operator, compiled
from semantics.carlson_lisper.expressions import UNBOUNDED, Identifier, Operation
from semantics.carlson_lisper.occurrences import Instance, Stream, Time, by_end_time
from semantics.carlson_lisper.restriction import valid

INSTANTS, LONGER = 3, 150  # All histories over up to so many instants are tried, and so many longer ones that are drawn
TICKS = (0, 1, 2)  # The bounds and labels with which all of them are tried


@dataclass(frozen=True)
class Instant:
    """What the operands output at a time: a_j and a_k, None for ⟨⟩; an only operand is both."""

    time: Time
    left: Instance | None
    right: Instance | None


History: TypeAlias = tuple[Instant, ...]
"""The times at which the step is run, in order. At all others nothing occurs, and detectors may skip those."""


def span(event: str, start: Time, end: Time) -> Instance:
    """An instance with a start and an end, joined as a detector does it."""
    first = Instance.primitive(event, start)
    return first if start == end else first.join(Instance.primitive(event, end))


def histories(arity: int, longest_right: int | None = None, instants: int = INSTANTS) -> Iterator[History]:
    """All histories over the times 0, 1, 2, …, shorter ones first; then those with one expression as both operands.

    Where nothing occurs the step is run, or skipped unless it is the last time; `longest_right` is the greatest length
    of an instance of the right operand, in ticks, or None.
    """

    def spans(event: str, time: Time, longest: int | None) -> list[Instance | None]:
        earliest = 0 if longest is None else max(0, time - longest)
        return [None, *(span(event, start, time) for start in range(time, earliest - 1, -1))]

    for shared in (False, True)[:arity]:
        for length in range(1, instants + 1):
            choices: list[list[Instant | None]] = []
            for time in range(length):
                left = spans("a", time, longest_right if shared else None)
                right = [] if shared or arity == 1 else spans("b", time, longest_right)
                choices.append([Instant(time, a, b) for a in left for b in right or [a]])
            for skippable in choices[:-1] if not shared else []:
                skippable.append(None)
            for chosen in product(*choices):
                history = tuple(at for at in chosen if at is not None)
                if not shared or any(at.left for at in history):
                    yield history


def drawn_histories(arity: int, longest_right: int | None = None, number: int = LONGER) -> Iterator[History]:
    """Longer histories with gaps between the instants, always the same ones."""
    draw = random.Random(f"1 {arity} {longest_right}")

    def drawn(event: str, time: Time, longest: int | None) -> Instance | None:
        if draw.random() < 0.3:
            return None
        length = draw.choice((0, 1, 1, 2, 3, 5, 8, 13))
        return span(event, max(0, time - (length if longest is None else min(length, draw.randint(0, longest)))), time)

    for _ in range(number):
        time, history = -1, []
        for _ in range(draw.randint(4, 8)):
            time += draw.choice((1, 1, 1, 2, 5))
            left = drawn("a", time, None)
            history.append(Instant(time, left, left if arity == 1 else drawn("b", time, longest_right)))
        yield tuple(history)


def smaller_histories(history: History) -> Iterator[History]:
    """The same history with an instant, an instance or a part of an instance less."""
    for place, at in enumerate(history):
        yield (*history[:place], *history[place + 1 :])
        both = at.left is at.right
        smaller = [Instant(at.time, each, each if both else at.right) for each in _less(at.left)]
        smaller += [replace(at, right=each) for each in _less(at.right) if not both]
        yield from ((*history[:place], less, *history[place + 1 :]) for less in smaller)


def _less(instance: Instance | None) -> list[Instance | None]:
    """⟨⟩, and the instances with the same end that start later."""
    if instance is None:
        return []
    starts = {instance.end, min(instance.start + 1, instance.end)} - {instance.start}
    event = instance.sorted_occurrences()[0].event
    return [None, *(span(event, start, instance.end) for start in sorted(starts, reverse=True))]


@dataclass(frozen=True)
class WrongRun:
    """A run of code that is wrong: output, exception, transformation; or state, to which any other is preferred."""

    kind: str
    words: str
    plain: Mapping[str, Any]
    history: History = ()

    def summary(self) -> str:
        """The run in one paragraph of text."""
        return self.words

    def data(self) -> dict[str, Any]:
        """The run as plain data for a report."""
        return dict(self.plain)


class StepRun:
    """A step that is run on a history, with what the operands have output so far."""

    def __init__(self, lemma: StepLemma, about: Subject, ticks: int | None) -> None:
        """Under a bound or label; None if the step takes none."""
        self.lemma, self.ticks, self.factory = lemma, ticks, about.step(lemma)
        self.operator = about.operators[lemma.operator]
        self.longest_right = ticks if lemma.figure == 4 else None
        self.past: list[Instant] = []

    def begin(self) -> Step:
        """A fresh step that has not run."""
        self.past, self.horizon = [], -(self.ticks or 0)
        names = tuple(map(Identifier, ("A", "B")[: self.operator.arity]))
        bound = self.ticks if self.operator.bounded else None
        try:
            self.made: Step = self.factory(Operation(self.lemma.operator, names, bound, self.longest_right))
        except Exception:  # whatever a factory raises that makes steps of labelled sequences alone
            if self.lemma.operator != "seq" or self.longest_right is not None:
                raise
            self.made = self.factory(Operation("seq", names, bound, UNBOUNDED))
        return self.made

    def step(self, at: Instant) -> object:
        """Run the step once; what it returns."""
        self.past.append(at)
        if at.left or at.right:
            self.horizon = at.time - (self.ticks or 0)
        left, right = (NON_OCCURRENCE if x is None else x for x in (at.left, at.right))
        return self.made.step(left, right)

    def streams(self) -> tuple[Stream, ...]:
        """A(j) and A(k) of Def. 5.1, so far."""
        left = frozenset(at.left for at in self.past if at.left is not None)
        right = frozenset(at.right for at in self.past if at.right is not None)
        return (left, right)[: self.operator.arity]

    def wrong(self, history: History, *, inside: bool) -> WrongRun | None:
        """What is wrong first when a fresh step runs on a history; inside: auxiliary variables count as well."""
        try:
            self.begin()
            for at in history:
                found = self.wrong_output(self.step(at)) or (self.wrong_state() if inside else None)
                if found is not None:
                    return found
        except Exception as error:  # whatever a wrong step may raise
            frame = extract_tb(error.__traceback__)[-1]
            place = f"({Path(frame.filename).name}, line {frame.lineno})"
            return self._told("exception", f"the step raises {type(error).__name__}: {error} {place}")
        return None

    def wrong_output(self, output: object) -> WrongRun | None:
        """Whether what the step returned is not valid at the time of the last step (Def. 5.2)."""
        if not isinstance(output, Instance):
            return self._told("output", f"the step outputs a {type(output).__name__}")
        instance, time = None if output is NON_OCCURRENCE else output, self.past[-1].time
        bound = self.ticks if self.operator.bounded else None
        meaning = apply_operator(self.operator, self.streams(), bound)
        if valid(instance, meaning, time):
            return None
        expected = tuple(x for x in by_end_time(meaning) if valid(x, meaning, time))
        right = " or ".join(map(repr, expected)) or ("nothing" if instance is None else "⟨⟩")
        return self._told("output", f"the step outputs {_text(instance)}; valid is {right}", instance, expected)

    def wrong_state(self) -> WrongRun | None:
        """The first auxiliary variable that does not hold what Def. 5.3-5.6 say at the start of the next time."""
        for variable in self.lemma.variables:
            times = {"until": self.past[-1].time + 1 if self.past else 0, "since": 0, NEVER.name: NON_OCCURRENCE.start}
            if variable.window != "all":
                times["until" if variable.window == "before the horizon" else "since"] = self.horizon
            name, predicate = _PREDICATES[variable.kind]
            try:
                value = self.made.variables()[variable.name]
                found = frozenset(value.contents()) if variable.kind == "set" else value  # type: ignore[attr-defined]
                if variable.kind == "instance" and value is NON_OCCURRENCE:
                    predicate = _NOTHING_YET
                holds = predicate({"A": self.streams()[variable.operand], **times, name: found})
                words = f"{variable.name} = {value!r}"
            except Exception as error:  # a variable that is not there, or not of its kind
                holds, words = False, f"{variable.name} unusable ({type(error).__name__}: {error})"
            if not holds:
                return self._told("state", f"the step leaves {words}")
        return None

    def _told(
        self, kind: str, words: str, output: Instance | None = None, expected: tuple[Instance, ...] = ()
    ) -> WrongRun:
        sides = ("left", "right")[: self.operator.arity]
        shown = [f"at {at.time} {' and '.join(_text(getattr(at, side)) for side in sides)}" for at in self.past]
        plain = {
            "claim": self.lemma.claim,
            "operator": self.lemma.operator,
            "ticks": self.ticks,
            "history": [{"time": at.time, "left": _plain(at.left), "right": _plain(at.right)} for at in self.past],
            "kind": kind,
            "output": _plain(output),
            "expected": list(map(_plain, expected)),
            "detail": words,
        }
        made = "" if self.ticks is None else f"with τ = {self.ticks}, "
        when = f"when the operands output {'; '.join(shown)}" if shown else "at first"
        return WrongRun(kind, f"{made}{when}: {words}", plain, tuple(self.past))


_NOTHING_YET = compiled(NOTHING_YET)
_PREDICATES = {
    "instance": ("e", compiled(invariants.LATEST_STARTED)),
    "time": (VALUE.name, compiled(GREATEST_START)),
    "set": ("Q", compiled(CANDIDATES)),
}
"""What the value of a variable of each kind is called in its state predicate, and that predicate."""


def _text(instance: Instance | None) -> str:
    return "⟨⟩" if instance is None else repr(instance)


def _plain(instance: Instance | None) -> list[dict[str, object]] | None:
    return None if instance is None else [each._asdict() for each in instance.sorted_occurrences()]


def step_runs(lemma: StepLemma, about: Subject, tried: tuple[int, ...] = TICKS) -> Iterator[StepRun]:
    """Runs of a step under each bound or label that is tried, if it takes one; for the lemma about it."""
    takes_one = about.operators[lemma.operator].bounded or lemma.figure == 4
    return (StepRun(lemma, about, ticks) for ticks in (tried if takes_one else (None,)))


def find_step_counterexample(lemma: StepLemma, about: Subject, longer: int = LONGER) -> WrongRun | None:
    """A history after which a step is wrong; None if none is among those tried, `longer` of which are longer ones.

    A wrong output or an exception is preferred to a wrong auxiliary variable, and a shorter history to a longer one.
    """
    found = []
    for inside in (False, True):
        for run in step_runs(lemma, about):
            arity, right = run.operator.arity, run.longest_right
            every = chain(histories(arity, right), drawn_histories(arity, right, longer))
            first = next(_wrong(run, every, inside), None)
            while first is not None:
                last, first = first, next(_wrong(run, smaller_histories(first.history), inside), None)
                if first is None:
                    found.append(last)
    return min(found, key=lambda one: (one.kind == "state", len(one.history)), default=None)


def _wrong(run: StepRun, tried: Iterator[History], inside: bool) -> Iterator[WrongRun]:
    return filter(None, (run.wrong(history, inside=inside) for history in tried))


def hypotheses_hold(lemma: StepLemma, about: Subject) -> bool:
    """Whether all hypotheses of a lemma hold at every instant of some run in which the step outputs an instance.

    With such a run the lemma is not vacuously true. Operands output what is valid, of which no two end together, and
    for Figure 4 none of the right one is longer than the label; auxiliary variables hold what Def. 5.3-5.6 say.
    """
    (run,) = step_runs(lemma, about, tried=(2,))
    for history in drawn_histories(run.operator.arity, run.longest_right):
        try:
            run.begin()
            outputs = [run.step(at) if run.wrong_state() is None else None for at in history]
        except Exception:  # whatever a wrong step or factory may raise
            return False
        if all(isinstance(output, Instance) for output in outputs) and set(outputs) != {NON_OCCURRENCE}:
            return True
    return False
