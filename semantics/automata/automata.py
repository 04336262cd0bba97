"""Finite automata over the letters of a track, minimal and canonical.

An automaton is complete and deterministic, its state 0 is dead, and its states and columns are numbered in the order in
which they are reached. Minimal automata of equal languages are therefore equal values.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from semantics.errors import LimitExceeded

EVERYWHERE = 2**62
"""The reach of an automaton that is right on words of any length."""

StateT = TypeVar("StateT", bound=Hashable)


class OutOfReach(LimitExceeded):
    """An automaton that would have more states than the budget allows, which is known before it is built."""


class Budget:
    """How many steps may still be done; a step computes one transition, or compares two states.

    Attributes:
        allowed: how many were allowed last.
        left: how many of these are left.
        spent: how many were done since the beginning.
    """

    def __init__(self, steps: int) -> None:
        """Allow so many steps."""
        self.allowed = self.left = steps
        self.spent = 0

    def allow(self, steps: int) -> None:
        """Allow so many steps from now on."""
        self.allowed = self.left = steps

    def spend(self, steps: int = 1) -> None:
        """Do so many steps.

        Raises:
            LimitExceeded: they are more than what is left.
        """
        self.left -= steps
        self.spent += steps
        if self.left < 0:
            raise self._exceeded(LimitExceeded)

    def require(self, steps: int) -> None:
        """Make sure that so many steps may still be done, without doing them.

        Raises:
            OutOfReach: they are more than what is left.
        """
        if steps > self.left:
            raise self._exceeded(OutOfReach)

    def _exceeded(self, kind: type[LimitExceeded]) -> LimitExceeded:
        return kind(
            f"deciding this takes more than {self.allowed:,} steps",
            remedy="Bounds of thousands of ticks and many event types make automata large.",
        )


@dataclass(frozen=True)
class Automaton:
    """A deterministic automaton; state 0 is dead.

    Attributes:
        columns: per letter, the column of the table.
        rows: per state, the next state by column.
        accepting: per state, whether the word that led there belongs to the language.
        initial: the first state: 1, or 0 if no word belongs.
    """

    columns: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    accepting: tuple[bool, ...]
    initial: int
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Compute the hash once."""
        object.__setattr__(self, "_hash", hash((self.columns, self.rows, self.accepting)))

    def __hash__(self) -> int:
        """The hash of the table."""
        return self._hash

    @property
    def size(self) -> int:
        """The number of states, the dead one not counted."""
        return len(self.rows) - 1

    def reached(self, letters: int) -> int:
        """How many pairs of a state and a number of letters, from 1 up to the given one, there are with a way to it.

        Where this does not settle within as many letters as there are states, only one state each is counted.
        """
        found, frontier = 0, {self.initial} - {0}
        letters = max(letters, 0)
        for length in range(1, min(letters, self.size + 1) + 1):
            following = {after for state in frontier for after in self.rows[state] if after}
            found += len(following)
            if following == frontier:
                return found + (letters - length) * len(frontier)
            frontier = following
        return found + (letters - self.size - 1 if frontier and letters > self.size else 0)

    def accepts(self, word: Iterable[int]) -> bool:
        """Whether a word, as numbers of letters, belongs to the language."""
        state = self.initial
        for letter in word:
            state = self.rows[state][self.columns[letter]]
        return self.accepting[state]


class Machine(Protocol[StateT]):
    """A deterministic automaton whose states are computed on demand; `None` is the dead state."""

    @property
    def initial(self) -> StateT | None:
        """The first state."""

    @property
    def classes(self) -> Sequence[Sequence[int]]:
        """The letters, in groups that no state tells apart."""

    def step(self, state: StateT, group: int) -> StateT | None:
        """The state after a letter of the group."""

    def accepting(self, state: StateT) -> bool:
        """Whether the word that led here belongs to the language."""


def grouped(signatures: Sequence[Hashable]) -> tuple[tuple[int, ...], ...]:
    """The letters in groups of equal signature, in the order of their first letters."""
    groups: dict[Hashable, list[int]] = {}
    for letter, signature in enumerate(signatures):
        groups.setdefault(signature, []).append(letter)
    return tuple(map(tuple, groups.values()))


class Words:
    """An automaton as a machine."""

    def __init__(self, automaton: Automaton) -> None:
        """Run one automaton."""
        self.automaton = automaton
        self.initial = automaton.initial or None
        self.classes = grouped(automaton.columns)
        self.columns = [automaton.columns[letters[0]] for letters in self.classes]

    def step(self, state: int, group: int) -> int | None:
        """The state after a letter of the group."""
        return self.automaton.rows[state][self.columns[group]] or None

    def accepting(self, state: int) -> bool:
        """Whether the word that led here belongs to the language."""
        return self.automaton.accepting[state]


def build(machine: Machine[StateT], budget: Budget, depth: int = EVERYWHERE) -> tuple[Automaton, int]:
    """The minimal automaton of a machine, right on all words of at most `depth` letters; and its reach.

    States that are first reached after `depth` letters are not looked into. The reach is the length up to which the
    automaton is right: `EVERYWHERE` if there were no such states.

    Raises:
        LimitExceeded: the budget does not suffice.
    """
    groups = range(len(machine.classes))
    rows: list[tuple[int, ...]] = [tuple(0 for _ in groups)]
    accepting = [False]
    numbers: dict[StateT, int] = {}
    layer: list[StateT] = []
    if machine.initial is not None:
        numbers[machine.initial] = 1
        layer.append(machine.initial)
        accepting.append(machine.accepting(machine.initial))
    for _ in range(min(depth, EVERYWHERE)):
        if not layer:
            break
        following: list[StateT] = []
        for state in layer:
            row = []
            for group in groups:
                after = machine.step(state, group)
                if after is None:
                    row.append(0)
                    continue
                number = numbers.get(after)
                if number is None:
                    number = numbers[after] = len(numbers) + 1
                    following.append(after)
                    accepting.append(machine.accepting(after))
                row.append(number)
            rows.append(tuple(row))
            budget.spend(len(row))
        layer = following
    rows += [rows[0]] * len(layer)
    reach = depth if layer else EVERYWHERE
    return minimal(machine.classes, rows, accepting), reach


# -------------------------------------------------------------------------------------------------- minimisation


def minimal(
    classes: Sequence[Sequence[int]], rows: Sequence[Sequence[int]], accepting: Sequence[bool]
) -> Automaton:
    """The minimal automaton of a table with dead state 0 and initial state 1 (or no other state at all)."""
    predecessors: list[list[int]] = [[] for _ in rows]
    for state, row in enumerate(rows):
        for after in set(row):
            if after:
                predecessors[after].append(state)
    alive = _reaching([state for state, accepts in enumerate(accepting) if accepts], predecessors)
    block = _blocks(rows, accepting, alive, predecessors)
    return _renumbered(classes, rows, accepting, block, _block_of_initial(block))


def _block_of_initial(block: Sequence[int]) -> int:
    return block[1] if len(block) > 1 else 0


def _reaching(targets: Iterable[int], predecessors: Sequence[Sequence[int]]) -> set[int]:
    found = set(targets)
    pending = list(found)
    while pending:
        for state in predecessors[pending.pop()]:
            if state not in found:
                found.add(state)
                pending.append(state)
    return found


def _blocks(
    rows: Sequence[Sequence[int]],
    accepting: Sequence[bool],
    alive: set[int],
    predecessors: Sequence[Sequence[int]],
) -> list[int]:
    """Per state the number of its class of equivalent states; that of the dead ones is 0.

    Only states whose successors changed class are looked at again, and the greatest part of a split class keeps its
    number, so that the work is about the number of transitions times its logarithm.
    """
    block = [0] * len(rows)
    members: list[set[int]] = [set(), set(), set()]
    for state in alive:
        block[state] = 1 + accepting[state]
        members[block[state]].add(state)
    dirty = set(alive)
    while dirty:
        touched: dict[int, list[int]] = {}
        for state in dirty:
            touched.setdefault(block[state], []).append(state)
        dirty = set()
        moved: list[int] = []
        for number, states in touched.items():
            parts: dict[tuple[int, ...], list[int]] = {}
            for state in states:
                parts.setdefault(tuple([block[after] for after in rows[state]]), []).append(state)
            whole = members[number]
            if len(states) < len(whole):  # the others all look as they did; one stands for them
                looked = set(states)
                other = next(state for state in whole if state not in looked)
                signature = tuple([block[after] for after in rows[other]])
                rest = len(whole) - len(states)
            else:
                signature, rest = None, 0
            if len(parts) + (signature is not None and signature not in parts) == 1:
                continue
            sizes = {key: len(part) + (rest if key == signature else 0) for key, part in parts.items()}
            if signature is not None:
                sizes.setdefault(signature, rest)
            keeps = max(sizes, key=lambda key: sizes[key])
            for key in sizes:
                if key == keeps:
                    continue
                if key == signature:
                    part = [state for state in whole if state not in looked] + parts.get(key, [])
                else:
                    part = parts[key]
                moved.append(len(members))
                members.append(set(part))
        for number in moved:
            for state in members[number]:
                members[block[state]].discard(state)
                block[state] = number
        for number in moved:
            for state in members[number]:
                dirty.update(before for before in predecessors[state] if before in alive)
    return block


def _renumbered(
    classes: Sequence[Sequence[int]],
    rows: Sequence[Sequence[int]],
    accepting: Sequence[bool],
    block: Sequence[int],
    initial: int,
) -> Automaton:
    """The quotient by blocks, with equal columns merged, columns in the order of letters and states as reached."""
    representative: dict[int, int] = {}
    for state, number in enumerate(block):
        representative.setdefault(number, state)
    kept = [initial] if initial else []
    found = {0, initial}
    for number in kept:
        following = {block[after] for after in rows[representative[number]]} - found
        found |= following
        kept += following
    contents = [
        tuple([block[rows[representative[number]][group]] for number in kept])
        for group in range(len(classes))
    ]
    by_letter = sorted((letter, group) for group, letters in enumerate(classes) for letter in letters)
    column_of: dict[tuple[int, ...], int] = {}
    group_of: list[int] = []
    columns = []
    for _, group in by_letter:
        column = column_of.get(contents[group])
        if column is None:
            column = column_of[contents[group]] = len(group_of)
            group_of.append(group)
        columns.append(column)
    number_of = {0: 0}
    order = []
    if initial:
        number_of[initial] = 1
        order.append(initial)
    quotient = [(0,) * len(group_of)]
    for number in order:
        row = rows[representative[number]]
        numbers = []
        for group in group_of:
            after = block[row[group]]
            if after not in number_of:
                number_of[after] = len(number_of)
                order.append(after)
            numbers.append(number_of[after])
        quotient.append(tuple(numbers))
    accepts = (False, *(accepting[representative[number]] for number in order))
    return Automaton(tuple(columns), tuple(quotient), accepts, 1 if initial else 0)
