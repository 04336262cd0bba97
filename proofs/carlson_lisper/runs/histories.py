"""Wrong runs of code, and the histories of operands on which a step can be run: what they output, time by time.

All histories over few instants, longer ones drawn from a fixed seed, and smaller ones than a given one.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Generic, TypeAlias, TypeVar

from semantics.carlson_lisper.occurrences import Instance, Time
from semantics.carlson_lisper.operators import OPERATORS
from semantics.shrinking import smallest

Input = TypeVar("Input")
Tried = TypeVar("Tried")


@dataclass(frozen=True)
class WrongRun(Generic[Tried]):
    """A run of code with a wrong outcome.

    Attributes:
        tried: what the code was run on, such as a history, of which every part before the last is right.
        inside: whether it shows only where one looks inside, and any other is to be preferred.
    """

    tried: Tried
    kind: str
    words: str
    plain: Mapping[str, Any]
    inside: bool = False

    def summary(self) -> str:
        """The run in one paragraph of text."""
        return self.words

    def data(self) -> dict[str, Any]:
        """The run as plain data for a report."""
        return dict(self.plain)


def first(inputs: Iterable[Input], fails: Callable[[Input], WrongRun[Tried] | None]) -> WrongRun[Tried] | None:
    """What is wrong on the first input that fails; None if none of them does."""
    return next((found for found in map(fails, inputs) if found is not None), None)


def shrunk(
    found: WrongRun[Tried],
    smaller: Callable[[WrongRun[Tried]], Iterable[Input]],
    fails: Callable[[Input], WrongRun[Tried] | None],
) -> WrongRun[Tried]:
    """What is still wrong on smaller inputs, as long as there is a smaller one that fails: a local minimum."""
    return smallest(found, lambda run: filter(None, map(fails, smaller(run))))


# --------------------------------------------------------------------------------------------------------- histories

INSTANTS = 3
"""All histories over up to so many instants are tried."""

LONGER = 150
"""So many longer histories are drawn."""

SEED = 1

EVENTS = ("a", "b")
"""The event types of which the operands' instances consist."""

OUTPUT = "when the operands output "


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

    @property
    def shared(self) -> bool:
        """Whether both operands output the same instance, or the only operand is passed twice."""
        return self.left is self.right

    @property
    def weight(self) -> int:
        """How much a reader has to look at."""
        return sum(1 + x.end - x.start for x in (self.left, self.right) if x is not None)


History: TypeAlias = tuple[Instant, ...]
"""The times at which the step is run, in order. At all others nothing occurs, and detectors may skip those."""


def span(event: str, start: Time, end: Time) -> Instance:
    """An instance with a start and an end, joined as a detector does it."""
    first = Instance.primitive(event, start)
    return first if start == end else first.join(Instance.primitive(event, end))


def text(instance: Instance | None) -> str:
    """An instance as it is written, or ⟨⟩."""
    return "⟨⟩" if instance is None else repr(instance)


def told(operator: str, ticks: int | None, history: History) -> str:
    """A history in words, with the bound or the label of a step if it takes one, or `at first` if it is empty."""
    sides = ("left",) if OPERATORS[operator].arity == 1 else ("left", "right")
    shown = (f"at {at.time} {' and '.join(text(getattr(at, side)) for side in sides)}" for at in history)
    made = "" if ticks is None else f"with τ = {ticks}, "
    return made + (OUTPUT + "; ".join(shown) if history else "at first")


def histories(arity: int, longest_right: int | None = None, instants: int = INSTANTS) -> Iterator[History]:
    """All histories over the times 0, 1, 2, …, shorter ones first.

    At each time an operand outputs ⟨⟩ or an instance that ends then. Where nothing occurs the step is run, or skipped
    unless it is the last time. Those in which both operands are the same expression come last.

    Args:
        longest_right: the greatest length of an instance of the right operand, in ticks; None if it is arbitrary.
    """
    for length in range(1, instants + 1):
        choices = [_outputs(time, arity, longest_right) for time in range(length)]
        skippable = [[*instants_then, None] for instants_then in choices[:-1]]
        yield from map(_without_skipped, product(*skippable, choices[-1]))
    if arity == 2:
        for length in range(1, instants + 1):
            for shared in product(*(_shared_outputs(time, longest_right) for time in range(length))):
                if any(at.occurs for at in shared):
                    yield shared


def _spans(event: str, time: Time, longest: int | None = None) -> list[Instance | None]:
    earliest = 0 if longest is None else max(0, time - longest)
    return [None, *(span(event, start, time) for start in range(time, earliest - 1, -1))]


def _outputs(time: Time, arity: int, longest_right: int | None) -> list[Instant]:
    left = _spans(EVENTS[0], time)
    if arity == 1:
        return [Instant(time, instance, instance) for instance in left]
    right = _spans(EVENTS[1], time, longest_right)
    return [Instant(time, a, b) for a in left for b in right]


def _shared_outputs(time: Time, longest: int | None) -> list[Instant]:
    return [Instant(time, instance, instance) for instance in _spans(EVENTS[0], time, longest)]


def _without_skipped(instants: Iterable[Instant | None]) -> History:
    return tuple(at for at in instants if at is not None)


def drawn_histories(
    arity: int, longest_right: int | None = None, number: int = LONGER, seed: int = SEED
) -> Iterator[History]:
    """Longer histories with gaps between the instants, always the same ones."""
    draw = random.Random(f"{seed} {arity} {longest_right}")
    for _ in range(number):
        time, history = -1, []
        for _ in range(draw.randint(4, 8)):
            time += draw.choice((1, 1, 1, 2, 5))
            left = _drawn(draw, EVENTS[0], time, None)
            right = left if arity == 1 else _drawn(draw, EVENTS[1], time, longest_right)
            history.append(Instant(time, left, right))
        yield tuple(history)


def _drawn(draw: random.Random, event: str, time: Time, longest: int | None) -> Instance | None:
    if draw.random() < 0.3:
        return None
    length = draw.choice((0, 1, 1, 2, 3, 5, 8, 13))
    if longest is not None:
        length = min(length, draw.randint(0, longest))
    return span(event, max(0, time - length), time)


def smaller_histories(history: History) -> Iterator[History]:
    """The same history with a little less; the caller may keep what is still wrong."""
    closer = _without_gaps(history)
    if closer != history:
        yield closer
    for place, at in enumerate(history):
        rest = history[:place], history[place + 1 :]
        yield (*rest[0], *rest[1])
        for smaller in _less_at(at):
            yield (*rest[0], smaller, *rest[1])


def _less_at(at: Instant) -> Iterator[Instant]:
    for instance in _less(at.left):
        yield Instant(at.time, instance, instance if at.shared else at.right)
    if not at.shared:
        for instance in _less(at.right):
            yield Instant(at.time, at.left, instance)


def _less(instance: Instance | None) -> list[Instance | None]:
    """⟨⟩, and the instances with the same end that start later."""
    if instance is None:
        return []
    starts = {instance.end, min(instance.start + 1, instance.end)} - {instance.start}
    return [None, *(span(_event(instance), start, instance.end) for start in sorted(starts, reverse=True))]


def _without_gaps(history: History) -> History:
    """The same order of starts and ends within fewer ticks."""
    instances = [x for at in history for x in (at.left, at.right) if x is not None]
    times = {at.time for at in history} | {x.start for x in instances}
    rank = {time: number for number, time in enumerate(sorted(times))}

    def moved(instance: Instance | None) -> Instance | None:
        return instance and span(_event(instance), rank[instance.start], rank[instance.end])

    closer = []
    for at in history:
        left = moved(at.left)
        right = left if at.shared else moved(at.right)
        closer.append(Instant(rank[at.time], left, right))
    return tuple(closer)


def _event(instance: Instance) -> str:
    return instance.sorted_occurrences()[0].event
