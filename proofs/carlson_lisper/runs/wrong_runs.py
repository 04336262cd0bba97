"""Wrong runs of code, and the search for one: the first input on which code is wrong, made smaller."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

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


def first(
    inputs: Iterable[Input], fails: Callable[[Input], WrongRun[Tried] | None]
) -> WrongRun[Tried] | None:
    """What is wrong on the first input that fails; None if none of them does."""
    return next((found for found in map(fails, inputs) if found is not None), None)


def shrunk(
    found: WrongRun[Tried],
    smaller: Callable[[WrongRun[Tried]], Iterable[Input]],
    fails: Callable[[Input], WrongRun[Tried] | None],
) -> WrongRun[Tried]:
    """What is still wrong on smaller inputs, as long as there is a smaller one that fails: a local minimum."""
    return smallest(found, lambda run: filter(None, map(fails, smaller(run))))


def search(
    inputs: Iterable[Input],
    fails: Callable[[Input, bool], WrongRun[Tried] | None],
    smaller: Callable[[WrongRun[Tried]], Iterable[Input]] = lambda _: (),
) -> WrongRun[Tried] | None:
    """What is wrong on the first input that shows it from outside, else on the first that shows it inside; shrunk.

    Args:
        fails: what is wrong on an input, if anything is; it is told whether to look inside.
    """
    within: WrongRun[Tried] | None = None
    for each in inputs:
        found = fails(each, within is None)
        if found is not None and found.inside:
            within, found = found, fails(each, False)
        if found is not None:
            return shrunk(found, smaller, lambda less: fails(less, False))
    return None if within is None else shrunk(within, smaller, lambda less: fails(less, True))
