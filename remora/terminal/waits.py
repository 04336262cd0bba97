"""Progress of work in words: what goes on, and what ends it where nobody knows how long it takes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol, TypeAlias

Current: TypeAlias = str | Callable[[], str]
"""What goes on, in words, or what finds the words whenever somebody looks."""

Tell: TypeAlias = Callable[[Current], None]
"""Takes note of what goes on."""


def unheard(current: Current) -> None:
    """Takes no note."""


def given_up_by(seconds: float, clock: Callable[[], float] = time.monotonic) -> Callable[[], str]:
    """Words for how long something still takes that is given up after about so many seconds from now."""
    begun = clock()
    return lambda: f"at most about {max(seconds - (clock() - begun), 0):.0f} s more"


class Allowance(Protocol):
    """Work that is given up after so many steps; it may be allowed some anew."""

    allowed: int
    left: int


def steps_left(allowance: Allowance, clock: Callable[[], float] = time.monotonic) -> Callable[[], str]:
    """Words for how much of an allowance is used, and in how many seconds it is used up at the pace so far.

    Then at the latest it is given up; it may be finished much sooner, and something else may follow it.
    """
    since, begun = clock(), allowance.left

    def words() -> str:
        nonlocal since, begun
        now, left = clock(), max(allowance.left, 0)
        if left > begun:  # allowed anew
            since, begun = now, left
        used = f"{1 - left / allowance.allowed:.0%} of the steps"
        if begun == left or now <= since:
            return used
        return f"at most {(now - since) * left / (begun - left):.0f} s more, {used}"

    return words
