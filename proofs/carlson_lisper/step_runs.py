"""Lemmas 5.2-5.7 on concrete histories: what a step does where they are not proved.

The step is run on a history and compared with Def. 5.2, and with the very state predicates that the obligations use
(`laws.carlson_lisper.invariants`), evaluated on finite streams. All histories over up to three instants are tried, then
a fixed number of longer ones that are drawn from a fixed seed. That no counterexample is found among these proves
nothing.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, product
from pathlib import Path
from traceback import extract_tb
from typing import Any, TypeAlias

from detectors.carlson_lisper.source.figure2 import StepFactory
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, Step
from laws.carlson_lisper.invariants import (
    CANDIDATES,
    GREATEST_START,
    LATEST_STARTED,
    NEVER,
    NOTHING_YET,
    VALUE,
    StepLemma,
    Variable,
)
from proofs.carlson_lisper.steps import Subject
from semantics.carlson_lisper.denotation import apply_operator, compiled
from semantics.carlson_lisper.expressions import UNBOUNDED, Identifier, Operation
from semantics.carlson_lisper.occurrences import Instance, Stream, Time, by_end_time
from semantics.carlson_lisper.operators import Operator
from semantics.carlson_lisper.restriction import valid
from semantics.shrinking import smallest

# --------------------------------------------------------------------------------------------------------- histories

INSTANTS = 3
"""All histories over up to so many instants are tried."""

LONGER = 150
"""So many longer histories are drawn."""

TICKS = (0, 1, 2)
"""The bounds and labels with which all of them are tried."""


@dataclass(frozen=True)
class Instant:
    """What the operands output at one time; None stands for ⟨⟩.

    Attributes:
        time: the time, in ticks.
        left: the current instance a_j.
        right: the current instance a_k; that of the only operand, if there is one only, as a detector passes it.
    """

    time: Time
    left: Instance | None
    right: Instance | None

    @property
    def occurs(self) -> bool:
        """Whether an operand outputs an instance."""
        return self.left is not None or self.right is not None


History: TypeAlias = tuple[Instant, ...]
"""The times at which the step is run, in order. At all others nothing occurs, and detectors may skip those."""


@dataclass(frozen=True)
class WrongRun:
    """A run of code with a wrong outcome.

    Attributes:
        inside: whether it shows only where one looks inside, and any other is to be preferred.
        history: of the operands of a step; the step is right until the last instant.
    """

    kind: str
    words: str
    plain: Mapping[str, Any]
    inside: bool = False
    history: History = ()

    def summary(self) -> str:
        """The run in one paragraph of text."""
        return self.words

    def data(self) -> dict[str, Any]:
        """The run as plain data for a report."""
        return dict(self.plain)


def span(event: str, start: Time, end: Time) -> Instance:
    """An instance with a start and an end, joined as a detector does it."""
    first = Instance.primitive(event, start)
    return first if start == end else first.join(Instance.primitive(event, end))


def histories(arity: int, longest_right: int | None = None, instants: int = INSTANTS) -> Iterator[History]:
    """All histories over the times 0, 1, 2, …, shorter ones first.

    At each time an operand outputs ⟨⟩ or an instance that ends then. Where nothing occurs the step is run, or skipped
    unless it is the last time. Those in which both operands are the same expression come last.

    Args:
        longest_right: the greatest length of an instance of the right operand, in ticks; None if it is arbitrary.
    """

    def outputs(time: Time, *, shared: bool) -> list[Instant]:
        left = _spans("a", time, longest_right if arity == 2 and shared else None)
        if shared:
            return [Instant(time, instance, instance) for instance in left]
        return [Instant(time, a, b) for a in left for b in _spans("b", time, longest_right)]

    for length in range(1, instants + 1):
        choices: list[list[Instant | None]] = [[*outputs(time, shared=arity == 1)] for time in range(length)]
        for skippable in choices[:-1]:
            skippable.append(None)
        for chosen in product(*choices):
            yield tuple(at for at in chosen if at is not None)
    if arity == 2:
        for length in range(1, instants + 1):
            for both in product(*(outputs(time, shared=True) for time in range(length))):
                if any(at.occurs for at in both):
                    yield both


def _spans(event: str, time: Time, longest: int | None) -> list[Instance | None]:
    earliest = 0 if longest is None else max(0, time - longest)
    return [None, *(span(event, start, time) for start in range(time, earliest - 1, -1))]


def drawn_histories(arity: int, longest_right: int | None = None, number: int = LONGER) -> Iterator[History]:
    """Longer histories with gaps between the instants, always the same ones."""
    draw = random.Random(f"1 {arity} {longest_right}")

    def drawn(event: str, time: Time, longest: int | None) -> Instance | None:
        if draw.random() < 0.3:
            return None
        length = draw.choice((0, 1, 1, 2, 3, 5, 8, 13))
        if longest is not None:
            length = min(length, draw.randint(0, longest))
        return span(event, max(0, time - length), time)

    for _ in range(number):
        time, history = -1, []
        for _ in range(draw.randint(4, 8)):
            time += draw.choice((1, 1, 1, 2, 5))
            left = drawn("a", time, None)
            history.append(Instant(time, left, left if arity == 1 else drawn("b", time, longest_right)))
        yield tuple(history)


def smaller_histories(history: History) -> Iterator[History]:
    """The same history with a little less; the caller may keep what is still wrong."""
    closer = _without_gaps(history)
    if closer != history:
        yield closer
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
    return [None, *(span(_event(instance), start, instance.end) for start in sorted(starts, reverse=True))]


def _without_gaps(history: History) -> History:
    """The same order of starts and ends within fewer ticks."""
    starts = {x.start for at in history for x in (at.left, at.right) if x is not None}
    rank = {time: number for number, time in enumerate(sorted({at.time for at in history} | starts))}

    def moved(instance: Instance | None) -> Instance | None:
        return instance and span(_event(instance), rank[instance.start], rank[instance.end])

    closer = []
    for at in history:
        left = moved(at.left)
        closer.append(Instant(rank[at.time], left, left if at.left is at.right else moved(at.right)))
    return tuple(closer)


def _event(instance: Instance) -> str:
    return instance.sorted_occurrences()[0].event


# -------------------------------------------------------------------------------------------------------------- runs


@dataclass(frozen=True)
class TriedStep:
    """A step under one bound or label, None if it takes none."""

    lemma: StepLemma
    factory: StepFactory
    ticks: int | None
    operator: Operator

    @property
    def longest_right(self) -> int | None:
        """The greatest length of an instance of the right operand that the lemma allows."""
        return self.ticks if self.lemma.figure == 4 else None

    def drawn(self, longer: int = LONGER) -> Iterator[History]:
        """So many longer histories of its operands."""
        return drawn_histories(self.operator.arity, self.longest_right, longer)

    def wrong(
        self, kind: str, history: History, words: str, output: object = None, expected: tuple[Instance, ...] = ()
    ) -> WrongRun:
        """The run of a step that is right until the last instant of a history, with the lemma that it contradicts."""
        shown = output if isinstance(output, Instance) and output is not NON_OCCURRENCE else None
        plain = {
            "claim": self.lemma.claim,
            "operator": self.lemma.operator,
            "ticks": self.ticks,
            "history": [{"time": at.time, "left": _plain(at.left), "right": _plain(at.right)} for at in history],
            "kind": kind,
            "output": _plain(shown),
            "expected": [_plain(instance) for instance in expected],
            "detail": words.removeprefix("the step raises ").removeprefix("the step leaves "),
        }
        return WrongRun(kind, f"{self.told(history)}: {words}", plain, kind == "state", history)

    def told(self, history: History) -> str:
        """A history in words, with the bound or the label if there is one, or `at first` if it is empty."""
        sides = ("left", "right")[: self.operator.arity]
        shown = (f"at {at.time} {' and '.join(_text(getattr(at, side)) for side in sides)}" for at in history)
        made = "" if self.ticks is None else f"with τ = {self.ticks}, "
        return made + (f"when the operands output {'; '.join(shown)}" if history else "at first")


def _text(instance: Instance | None) -> str:
    return "⟨⟩" if instance is None else repr(instance)


def _plain(instance: Instance | None) -> list[dict[str, object]] | None:
    return None if instance is None else [each._asdict() for each in instance.sorted_occurrences()]


class StepRun:
    """A step that is run on a history, with what the operands have output so far."""

    def __init__(self, tried: TriedStep) -> None:
        """A fresh step that has not run."""
        self.tried = tried
        names = tuple(Identifier(name) for name in ("A", "B")[: tried.operator.arity])
        bound = tried.ticks if tried.operator.bounded else None
        label = tried.ticks if tried.lemma.figure == 4 else None
        try:
            self.made: Step = tried.factory(Operation(tried.lemma.operator, names, bound, label))
        except Exception:  # whatever a factory raises that makes steps of labelled sequences alone
            if tried.lemma.operator != "seq" or label is not None:
                raise
            self.made = tried.factory(Operation("seq", names, bound, UNBOUNDED))
        self.past: list[Instant] = []
        self.horizon = -(tried.ticks or 0)

    def step(self, at: Instant) -> object:
        """Run the step once; what it returns."""
        self.past.append(at)
        if at.occurs:
            self.horizon = at.time - (self.tried.ticks or 0)
        left, right = (NON_OCCURRENCE if x is None else x for x in (at.left, at.right))
        return self.made.step(left, right)

    def streams(self) -> tuple[Stream, ...]:
        """A(j) and A(k) of Def. 5.1, so far."""
        left = frozenset(at.left for at in self.past if at.left is not None)
        right = frozenset(at.right for at in self.past if at.right is not None)
        return (left, right)[: self.tried.operator.arity]

    def wrong_output(self, output: object) -> WrongRun | None:
        """Whether what the step returned is not valid at the time of the last step (Def. 5.2)."""
        past = tuple(self.past)
        if not isinstance(output, Instance):
            return self.tried.wrong("output", past, f"the step outputs a {type(output).__name__}")
        instance, time = None if output is NON_OCCURRENCE else output, past[-1].time
        bound = self.tried.ticks if self.tried.operator.bounded else None
        meaning = apply_operator(self.tried.operator, self.streams(), bound)
        if valid(instance, meaning, time):
            return None
        expected = tuple(x for x in by_end_time(meaning) if valid(x, meaning, time))
        right = " or ".join(map(repr, expected)) or ("nothing" if instance is None else "⟨⟩")
        words = f"the step outputs {_text(instance)}; valid is {right}"
        return self.tried.wrong("output", past, words, output, expected)

    def wrong_state(self) -> WrongRun | None:
        """The first auxiliary variable that does not hold what Def. 5.3-5.6 say at the start of the next time."""
        until = self.past[-1].time + 1 if self.past else 0
        for variable in self.tried.lemma.variables:
            try:
                value = self.made.variables()[variable.name]
                holds = self.holds(variable, value, until)
                words = f"{variable.name} = {value!r}"
            except Exception as error:  # a variable that is not there, or not of its kind
                holds, words = False, f"{variable.name} unusable ({type(error).__name__}: {error})"
            if not holds:
                return self.tried.wrong("state", tuple(self.past), f"the step leaves {words}")
        return None

    def holds(self, variable: Variable, value: Any, until: Time) -> bool:
        """The state predicate of a variable for a value, at the start of a time."""
        times = {"until": until, "since": 0, NEVER.name: NON_OCCURRENCE.start}
        if variable.window == "before the horizon":
            times["until"] = self.horizon
        elif variable.window == "since the horizon":
            times["since"] = self.horizon
        environment = {"A": self.streams()[variable.operand], **times}
        match variable.kind:
            case "instance" if value is NON_OCCURRENCE:
                return _NOTHING_YET(environment)
            case "instance":
                return _LATEST_STARTED({**environment, "e": value})
            case "time":
                return _GREATEST_START({**environment, VALUE.name: value})
            case "set":
                return _CANDIDATES({**environment, "Q": frozenset(value.contents())})


_NOTHING_YET = compiled(NOTHING_YET)
_LATEST_STARTED = compiled(LATEST_STARTED)
_GREATEST_START = compiled(GREATEST_START)
_CANDIDATES = compiled(CANDIDATES)


def tried_steps(lemma: StepLemma, about: Subject, tried: tuple[int, ...] = TICKS) -> Iterator[TriedStep]:
    """A step under each bound or label that is tried, if it takes one; for the lemma about it."""
    operator = about.operators[lemma.operator]
    for ticks in tried if operator.bounded or lemma.figure == 4 else (None,):
        yield TriedStep(lemma, about.step(lemma), ticks, operator)


def find_step_counterexample(lemma: StepLemma, about: Subject, longer: int = LONGER) -> WrongRun | None:
    """A history after which a step is wrong; None if there is none among those that are tried.

    A wrong output or an exception is preferred to a wrong auxiliary variable, and a shorter history to a longer one.
    A variable may be wrong in a program whose outputs are all valid.

    Args:
        longer: how many histories longer than `INSTANTS` instants are tried.
    """
    found = [_searched(tried, inside, longer) for inside in (False, True) for tried in tried_steps(lemma, about)]
    return min(filter(None, found), key=_rank, default=None)


def _searched(tried: TriedStep, inside: bool, longer: int) -> WrongRun | None:
    def fails(history: History) -> WrongRun | None:
        run: StepRun | None = None
        try:
            run = StepRun(tried)
            for at in history:
                wrong = run.wrong_output(run.step(at)) or (run.wrong_state() if inside else None)
                if wrong is not None:
                    return wrong
        except Exception as error:  # whatever a wrong step may raise
            words = _raised(error)
            return tried.wrong("exception", tuple(run.past) if run else (), words)
        return None

    every = chain(histories(tried.operator.arity, tried.longest_right), tried.drawn(longer))
    found = next(_failing(every, fails), None)
    return found and smallest(found, lambda run: _failing(smaller_histories(run.history), fails))


def _failing(tried: Iterable[History], fails: Callable[[History], WrongRun | None]) -> Iterator[WrongRun]:
    return (found for found in map(fails, tried) if found is not None)


def _raised(error: Exception) -> str:
    frame = extract_tb(error.__traceback__)[-1]
    return f"the step raises {type(error).__name__}: {error} ({Path(frame.filename).name}, line {frame.lineno})"


def _rank(found: WrongRun) -> tuple[bool, int, int]:
    instances = [x for at in found.history for x in (at.left, at.right) if x is not None]
    return found.inside, len(found.history), sum(1 + x.end - x.start for x in instances)


def hypotheses_hold(lemma: StepLemma, about: Subject) -> tuple[Instance | None, ...] | None:
    """The outputs of a run in which all hypotheses of a lemma hold at every instant, one at least an instance.

    None if no such run is found. The operands of every history output what is valid, no two instances that end
    together, and for Figure 4 none of the right operand that is longer than the label; what is looked at is that the
    auxiliary variables hold what Def. 5.3-5.6 say. With such a run the lemma is not vacuously true.
    """
    (tried,) = tried_steps(lemma, about, tried=(2,))
    for history in tried.drawn():
        try:
            run = StepRun(tried)
        except Exception:  # whatever a wrong factory may raise
            return None
        outputs: list[Instance | None] = []
        for at in history:
            output = run.step(at) if run.wrong_state() is None else None
            if not isinstance(output, Instance):
                break
            outputs.append(None if output is NON_OCCURRENCE else output)
        if len(outputs) == len(history) and any(output is not None for output in outputs):
            return tuple(outputs)
    return None
