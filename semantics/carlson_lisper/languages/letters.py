"""The letters of interval languages: what happens at one instant.

At an instant, each event type occurs or not, and none occurs twice (Def. 3.4), so a letter is a set of event types.
Values are not part of it: no operator looks at them, and an occurrence is known by its type and time. On the *plain*
track that is all. On the *marked* track some of the occurrences are marked: those that belong to one instance. A word
of marked letters is a trace together with an instance in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from semantics.errors import LimitExceeded

MAX_LETTERS = 8192
"""More letters than this are refused: 13 event types on the plain track, 8 on the marked one."""


@dataclass(frozen=True, eq=False)
class Track:
    """An alphabet. Letters are numbered; the attributes are indexed by letter.

    Attributes:
        names: the event types.
        tells_instances: whether it is a marked track.
        present: the bit set of the types that occur.
        marked: the bit set of the types whose occurrence belongs to the instance; on the plain track, of all.
        plain: the letter of the plain track with the same occurrences.
        splits: the pairs of letters that two instances can see at an instant which belongs to both, their union
            seeing this letter.
        unmarked: whether the instant may lie between the parts of an instance.
    """

    names: tuple[str, ...]
    tells_instances: bool
    present: tuple[int, ...]
    marked: tuple[int, ...]
    plain: tuple[int, ...]
    splits: tuple[tuple[tuple[int, int], ...], ...]
    unmarked: tuple[bool, ...]

    def events(self, letter: int) -> list[str]:
        """The event types that occur, in the order of `names`."""
        return [name for bit, name in enumerate(self.names) if self.present[letter] >> bit & 1]

    def primitive(self, name: str) -> tuple[bool, ...]:
        """Per letter, whether an instant with it is an instance of an event type."""
        bit = 1 << self.names.index(name)
        if self.tells_instances:
            return tuple(marked == bit for marked in self.marked)
        return tuple(bool(present & bit) for present in self.present)


def plain_track(names: Sequence[str]) -> Track:
    """The letters for intervals: sets of event types.

    Raises:
        LimitExceeded: there are too many event types.
    """
    count = _checked(2 ** len(names), names)
    letters = tuple(range(count))
    return Track(
        tuple(names), False, letters, letters, letters, tuple(((i, i),) for i in letters), (True,) * count
    )


def marked_track(names: Sequence[str]) -> Track:
    """The letters for instances: sets of event types, some of which are marked.

    Raises:
        LimitExceeded: there are too many event types.
    """
    _checked(3 ** len(names), names)
    letters = [(present, marked) for present in range(2 ** len(names)) for marked in _subsets(present)]
    number = {letter: index for index, letter in enumerate(letters)}
    splits = tuple(
        tuple(
            (number[present, one], number[present, two | (marked & ~one)])
            for one in _subsets(marked)
            for two in _subsets(one)
        )
        for present, marked in letters
    )
    return Track(
        tuple(names),
        True,
        tuple(present for present, _ in letters),
        tuple(marked for _, marked in letters),
        tuple(present for present, _ in letters),
        splits,
        tuple(not marked for _, marked in letters),
    )


def _checked(count: int, names: Sequence[str]) -> int:
    if count > MAX_LETTERS:
        raise LimitExceeded(
            f"{len(names)} event types make {count:,} different instants, more than the limit of {MAX_LETTERS:,}"
        )
    return count


def _subsets(bits: int) -> Iterator[int]:
    """All subsets of a bit set, the empty one first."""
    chosen = 0
    while True:
        yield chosen
        if chosen == bits:
            return
        chosen = (chosen - bits) & bits
