"""The contexts of Snoop: which initiators a terminator pairs with, and which of them it uses up.

After Chakravarthy, Krishnaprasad, Anwar and Kim (Composite events for active databases, 1994); over intervals after
Adaikkalavan and Chakravarthy (SnoopIB, 2006). What they leave open is read so: all that occurs at one instant arrives
together; at a sequence what terminates acts before what initiates is stored; a conjunction is completed by whichever
side comes last, and an occurrence may fill both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from types import MappingProxyType
from typing import TypeAlias

from semantics.settings.instances import Instance, Instances, by_time, joined, pair

Follows: TypeAlias = Callable[[Instance, Instance], bool]
"""Whether the second instance comes after the first, in the time model of the setting."""

Arrivals: TypeAlias = tuple[list[Instance], list[Instance]]
"""What arrives at an instant from the left and from the right, in the order of time."""


def arrivals(left: Instances, right: Instances) -> Iterator[Arrivals]:
    """What arrives at each instant."""
    tagged = sorted([(by_time(one), 0, one) for one in left] + [(by_time(one), 1, one) for one in right])
    for _, group in groupby(tagged, key=lambda each: each[2].end):
        found: Arrivals = ([], [])
        for _, side, instance in group:
            found[side].append(instance)
        yield found


# ------------------------------------------------------------------------------------------------- sequences


def unrestricted_sequence(left: Instances, right: Instances, follows: Follows) -> Iterator[Instance]:
    """Every combination; nothing is used up."""
    return (pair(one, other) for one in left for other in right if follows(one, other))


def recent_sequence(left: Instances, right: Instances, follows: Follows) -> Iterator[Instance]:
    """The most recent initiators, which stay until newer ones replace them."""
    stored: list[Instance] = []
    for initiators, terminators in arrivals(left, right):
        yield from (pair(one, other) for other in terminators for one in stored if follows(one, other))
        stored = initiators or stored


def chronicle_sequence(left: Instances, right: Instances, follows: Follows) -> Iterator[Instance]:
    """The oldest initiator with the oldest terminator; both are used up."""
    stored: list[Instance] = []
    for initiators, terminators in arrivals(left, right):
        for other in terminators:
            oldest = next((one for one in stored if follows(one, other)), None)
            if oldest is not None:
                stored.remove(oldest)
                yield pair(oldest, other)
        stored += initiators


def continuous_sequence(left: Instances, right: Instances, follows: Follows) -> Iterator[Instance]:
    """Every open initiator, one instance each; they are used up."""
    return _using_up(left, right, follows, lambda open_, other: [pair(one, other) for one in open_])


def cumulative_sequence(left: Instances, right: Instances, follows: Follows) -> Iterator[Instance]:
    """Every open initiator in one instance; they are used up."""
    return _using_up(left, right, follows, lambda open_, other: [joined([*open_, other])] if open_ else [])


def _using_up(
    left: Instances,
    right: Instances,
    follows: Follows,
    made: Callable[[list[Instance], Instance], list[Instance]],
) -> Iterator[Instance]:
    """What is made of each terminator with the open initiators before it; these are used up at that instant."""
    stored: list[Instance] = []
    for initiators, terminators in arrivals(left, right):
        used: set[Instance] = set()
        for other in terminators:
            open_ = [one for one in stored if follows(one, other)]
            used.update(open_)
            yield from made(open_, other)
        stored = [one for one in stored if one not in used] + initiators


# ---------------------------------------------------------------------------------------------- conjunctions


def unrestricted_conjunction(left: Instances, right: Instances) -> Iterator[Instance]:
    """Every combination; nothing is used up."""
    return (pair(one, other) for one in left for other in right)


def recent_conjunction(left: Instances, right: Instances) -> Iterator[Instance]:
    """The most recent of both sides, which stay until newer ones replace them."""
    stored: tuple[list[Instance], list[Instance]] = ([], [])
    for new in arrivals(left, right):
        stored = (new[0] or stored[0], new[1] or stored[1])
        yield from (pair(one, other) for one in stored[0] for other in stored[1])


def chronicle_conjunction(left: Instances, right: Instances) -> Iterator[Instance]:
    """The oldest of both sides; both are used up."""
    first, second = list[Instance](), list[Instance]()
    for new in arrivals(left, right):
        first += new[0]
        second += new[1]
        while first and second:
            yield pair(first.pop(0), second.pop(0))


def continuous_conjunction(left: Instances, right: Instances) -> Iterator[Instance]:
    """What completes it with everything open of the other side, one instance each; they are used up."""
    return _completing(left, right, lambda one, open_: [pair(one, other) for other in open_])


def cumulative_conjunction(left: Instances, right: Instances) -> Iterator[Instance]:
    """What completes it with everything open of the other side in one instance; they are used up."""
    return _completing(left, right, lambda one, open_: [joined([one, *open_])])


def _completing(
    left: Instances, right: Instances, made: Callable[[Instance, list[Instance]], Iterable[Instance]]
) -> Iterator[Instance]:
    """What is made of each new instance with all that is open on the other side, what comes with it included."""
    stored: tuple[list[Instance], list[Instance]] = ([], [])
    for new in arrivals(left, right):
        kept: tuple[list[Instance], list[Instance]] = ([], [])
        for side in (0, 1):
            open_ = stored[1 - side] + new[1 - side]
            completing = new[side] if open_ else []
            for one in completing:
                yield from made(one, open_)
            kept[side].extend([] if new[1 - side] else stored[side])
            kept[side].extend([] if open_ else new[side])
        stored = kept


CONTEXTS: Mapping[
    str,
    tuple[
        Callable[[Instances, Instances, Follows], Iterator[Instance]],
        Callable[[Instances, Instances], Iterator[Instance]],
    ],
] = MappingProxyType(
    {
        "unrestricted": (unrestricted_sequence, unrestricted_conjunction),
        "recent": (recent_sequence, recent_conjunction),
        "chronicle": (chronicle_sequence, chronicle_conjunction),
        "continuous": (continuous_sequence, continuous_conjunction),
        "cumulative": (cumulative_sequence, cumulative_conjunction),
    }
)
"""The contexts by name: sequence and conjunction."""
