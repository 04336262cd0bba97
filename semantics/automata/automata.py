"""Finite automata, minimal and canonical, and the regular operations: products, concatenation, images, shortest words.

An automaton is complete and deterministic, its state 0 is dead, and its states and columns are numbered in the order in
which they are reached. Minimal automata of equal languages are therefore equal values.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

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

    def on(self, letters: Iterable[int | None]) -> Automaton:
        """The automaton that reads, instead of each letter of another alphabet, one of its own; None is dead."""
        dead = len(self.rows[0])
        columns = tuple(dead if letter is None else self.columns[letter] for letter in letters)
        return Automaton(columns, tuple((*row, 0) for row in self.rows), self.accepting, self.initial)

    def accepts(self, word: Iterable[int]) -> bool:
        """Whether a word, as numbers of letters, belongs to the language."""
        state = self.initial
        for letter in word:
            state = self.rows[state][self.columns[letter]]
        return self.accepting[state]


@dataclass(frozen=True)
class Machine(Generic[StateT]):
    """A deterministic automaton whose states are computed on demand; `None` is the dead state.

    Attributes:
        initial: the first state.
        classes: the letters, in groups that no state tells apart.
        step: the state after a letter of a group, by the group's number.
        accepting: whether the word that led to a state belongs to the language.
    """

    initial: StateT | None
    classes: Sequence[Sequence[int]]
    step: Callable[[StateT, int], StateT | None]
    accepting: Callable[[StateT], bool]


def grouped(signatures: Iterable[Hashable]) -> tuple[tuple[int, ...], ...]:
    """The letters in groups of equal signature, in the order of their first letters."""
    groups: dict[Hashable, list[int]] = {}
    for letter, signature in enumerate(signatures):
        groups.setdefault(signature, []).append(letter)
    return tuple(map(tuple, groups.values()))


def words(automaton: Automaton) -> Machine[tuple[int, ...]]:
    """An automaton as a machine."""
    return product([automaton], all)


def product(
    automata: Sequence[Automaton], accepts: Callable[[Sequence[bool]], bool], required: int = 0
) -> Machine[tuple[int, ...]]:
    """Automata side by side, over the same letters.

    Args:
        accepts: whether a word belongs to the language, by whether each of the automata accepts it; not if none does.
        required: so many of them, the first ones, have to accept it in any case.
    """
    signatures = list(zip(*(automaton.columns for automaton in automata), strict=True))
    classes = grouped(signatures)
    columns = [signatures[letters[0]] for letters in classes]
    rows = [automaton.rows for automaton in automata]

    def alive(state: tuple[int, ...]) -> tuple[int, ...] | None:
        return state if any(state) and all(state[:required]) else None

    def step(state: tuple[int, ...], group: int) -> tuple[int, ...] | None:
        return alive(
            tuple([table[own][column] for table, own, column in zip(rows, state, columns[group], strict=True)])
        )

    def accepting(state: tuple[int, ...]) -> bool:
        return accepts([one.accepting[own] for one, own in zip(automata, state, strict=True)])

    return Machine(alive(tuple(one.initial for one in automata)), classes, step, accepting)


def concatenation(one: Automaton, other: Automaton, budget: Budget) -> Machine[tuple[int, frozenset[int]]]:
    """The words of the first language, each followed by a word of the second one."""
    signatures = list(zip(one.columns, other.columns, strict=True))
    classes = grouped(signatures)
    columns = [signatures[letters[0]] for letters in classes]
    reduced = Antichains(other, budget).reduced

    def state(own: int, runs: Iterable[int]) -> tuple[int, frozenset[int]] | None:
        found = frozenset(runs) | {other.initial if one.accepting[own] else 0}
        found = reduced(found - {0})
        return (own, found) if own or found else None

    def step(before: tuple[int, frozenset[int]], group: int) -> tuple[int, frozenset[int]] | None:
        column, other_column = columns[group]
        return state(one.rows[before[0]][column], [other.rows[run][other_column] for run in before[1]])

    def accepting(found: tuple[int, frozenset[int]]) -> bool:
        return any(other.accepting[run] for run in found[1])

    return Machine(state(one.initial, ()), classes, step, accepting)


def image(automaton: Automaton, sources: Iterable[Iterable[int]], budget: Budget) -> Machine[frozenset[int]]:
    """The words of which some original belongs to the language: per letter, the letters that may have been there."""
    signatures = [tuple(sorted({automaton.columns[letter] for letter in letters})) for letters in sources]
    classes = grouped(signatures)
    columns = [signatures[letters[0]] for letters in classes]
    reduced = Antichains(automaton, budget).reduced

    def step(state: frozenset[int], group: int) -> frozenset[int] | None:
        rows = [automaton.rows[own] for own in state]
        return reduced(frozenset({row[column] for row in rows for column in columns[group]} - {0})) or None

    def accepting(state: frozenset[int]) -> bool:
        return any(automaton.accepting[own] for own in state)

    return Machine(frozenset({automaton.initial} - {0}) or None, classes, step, accepting)


class Inclusion:
    """Which states of an automaton accept only what states of another accept; found out on demand and remembered."""

    def __init__(self, one: Automaton, two: Automaton, budget: Budget) -> None:
        """Compare states of one automaton with states of another one over the same letters."""
        self.one = one
        self.two = two
        self.budget = budget
        self.pairs = sorted(set(zip(one.columns, two.columns, strict=True)))
        self.same = one is two
        self._known: dict[tuple[int, int], bool] = {}

    def __call__(self, smaller: int, greater: int) -> bool:
        """Whether every word accepted from the one state is accepted from the other."""
        if not smaller or (smaller == greater and self.same):
            return True
        if not greater:
            return False
        known = self._known.get((smaller, greater))
        return self._search(smaller, greater) if known is None else known

    def _search(self, smaller: int, greater: int) -> bool:
        one, two, same, known = self.one, self.two, self.same, self._known
        came_from: dict[tuple[int, int], tuple[int, int] | None] = {(smaller, greater): None}
        pending = [(smaller, greater)]
        while pending:
            pair = pending.pop()
            self.budget.spend()
            fails = one.accepting[pair[0]] and not two.accepting[pair[1]]
            if not fails:
                row, other = one.rows[pair[0]], two.rows[pair[1]]
                following = zip(row, other, strict=True) if same else [(row[i], other[j]) for i, j in self.pairs]
                for after in set(following):
                    if not after[0] or (same and after[0] == after[1]) or after in came_from:
                        continue
                    verdict = known.get(after) if after[1] else False
                    if verdict is False:
                        fails = True
                        break
                    if verdict is None:
                        came_from[after] = pair
                        pending.append(after)
            if fails:
                step: tuple[int, int] | None = pair
                while step is not None:
                    known[step] = False
                    step = came_from[step]
                return False
        known.update(dict.fromkeys(came_from, True))
        return True


class Antichains:
    """Sets of states of one automaton, without those that accept only words that another one accepts."""

    def __init__(self, automaton: Automaton, budget: Budget) -> None:
        """Compare the states of an automaton; what is found out is remembered."""
        self.included = Inclusion(automaton, automaton, budget)
        self.budget = budget
        self._known: dict[frozenset[int], frozenset[int]] = {}

    def reduced(self, states: frozenset[int]) -> frozenset[int]:
        """The states none of which is included in another one."""
        if len(states) < 2:
            return states
        known = self._known.get(states)
        if known is None:
            self.budget.spend(len(states) * len(states) // 8)
            kept: list[int] = []
            for state in sorted(states):
                if not any(self.included(state, other) for other in kept):
                    kept = [other for other in kept if not self.included(other, state)]
                    kept.append(state)
            known = self._known[states] = frozenset(kept)
        return known


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


# -------------------------------------------------------------------------------------------------- shortest words


@dataclass(frozen=True)
class Search:
    """Result of the search for a word of a language.

    Attributes:
        word: a shortest word, as numbers of letters; among the shortest, one of the least cost. None: there is none.
        exhausted: whether all states were seen, so that without a word the language is empty.
    """

    word: tuple[int, ...] | None
    cost: int
    exhausted: bool

    @property
    def measure(self) -> tuple[int, int]:
        """The length and the cost of the word, by which words are compared."""
        return (len(self.word or ()), self.cost)


def shortest_word(
    machine: Machine[StateT], cost: Callable[[int], int], budget: Budget, depth: int = EVERYWHERE
) -> Search:
    """A shortest word of a machine's language with at most `depth` letters; among the shortest, one of the least cost.

    Args:
        cost: the cost of a letter; that of a word is the sum.

    Raises:
        LimitExceeded: the budget does not suffice.
    """
    letters = [min(letters, key=lambda letter: (cost(letter), letter)) for letters in machine.classes]
    costs = [cost(letter) for letter in letters]
    in_order = sorted(range(len(letters)), key=lambda group: (costs[group], letters[group]))
    seen: set[StateT] = set()
    layer: dict[StateT, int] = {}
    if machine.initial is not None:
        layer[machine.initial] = 0
        seen.add(machine.initial)
    ways: list[dict[StateT, tuple[StateT, int]]] = []
    while layer and len(ways) < depth:
        following: dict[StateT, int] = {}
        back: dict[StateT, tuple[StateT, int]] = {}
        for state, spent in layer.items():
            budget.spend(len(in_order))
            for group in in_order:
                after = machine.step(state, group)
                if after is None or after in seen:
                    continue
                total = spent + costs[group]
                if after not in following or total < following[after]:
                    following[after] = total
                    back[after] = (state, group)
        ways.append(back)
        accepted = [
            (total, number, state)
            for number, (state, total) in enumerate(following.items())
            if machine.accepting(state)
        ]
        if accepted:
            total, _, state = min(accepted, key=lambda found: found[:2])
            word = []
            for back in reversed(ways):
                state, group = back[state]
                word.append(letters[group])
            return Search(tuple(reversed(word)), total, False)
        seen.update(following)
        layer = following
    return Search(None, 0, not layer)


# -------------------------------------------------------------------------------------------------- minimisation


def minimal(classes: Sequence[Sequence[int]], rows: Sequence[Sequence[int]], accepting: Sequence[bool]) -> Automaton:
    """The minimal automaton of a complete table with dead state 0 and initial state 1 (or no other state at all)."""
    block = _blocks(rows, accepting)
    member = {number: state for state, number in enumerate(block)}
    dead, initial = block[0], block[min(1, len(block) - 1)]
    group_of = {letter: group for group, letters in enumerate(classes) for letter in letters}
    groups = list(dict.fromkeys(group for _, group in sorted(group_of.items())))
    number_of, order = {dead: 0}, [initial] if initial != dead else []
    number_of.update(dict.fromkeys(order, 1))
    for found in order:  # in the order in which they are reached
        for group in groups:
            after = block[rows[member[found]][group]]
            if after not in number_of:
                number_of[after] = len(number_of)
                order.append(after)
    columns: dict[tuple[int, ...], int] = {}
    column_of = {}
    for group in groups:  # equal ones are one
        content = tuple([number_of[block[rows[member[found]][group]]] for found in order])
        column_of[group] = columns.setdefault(content, len(columns))
    quotient = [(0,) * len(columns), *zip(*columns, strict=True)] if order else [(0,) * len(columns)]
    accepts = (False, *(accepting[member[found]] for found in order))
    of_letters = tuple(column_of[group] for _, group in sorted(group_of.items()))
    return Automaton(of_letters, tuple(quotient), accepts, 1 if order else 0)


def _blocks(rows: Sequence[Sequence[int]], accepting: Sequence[bool]) -> list[int]:
    """Per state the number of its class of equivalent states (Hopcroft's algorithm)."""
    before: list[dict[int, list[int]]] = [{} for _ in rows[0]]
    for state, row in enumerate(rows):
        for column, after in enumerate(row):
            before[column].setdefault(after, []).append(state)
    block = [int(accepts) for accepts in accepting]
    members = [{state for state, number in enumerate(block) if number == which} for which in (0, 1)]
    pending = {0, 1}
    while pending:
        splitting = list(members[pending.pop()])
        for predecessors in before:
            found: dict[int, set[int]] = {}
            for state in splitting:
                for earlier in predecessors.get(state, ()):
                    found.setdefault(block[earlier], set()).add(earlier)
            for number, part in found.items():
                if len(part) == len(members[number]):
                    continue
                if 2 * len(part) > len(members[number]):  # the lesser part gets the new number
                    part = members[number] - part
                new = len(members)
                members[number] -= part
                members.append(part)
                for state in part:
                    block[state] = new
                pending.add(new)  # the other part is pending already, or the lesser one is enough
    return block
