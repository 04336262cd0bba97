"""Finite automata, minimal and canonical: regular operations, shortest words, relations between sets of positions.

An automaton is complete and deterministic, its state 0 is dead, and its states and columns are numbered in the order in
which they are reached. Minimal automata of equal languages are therefore equal values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product as choices
from typing import Any, Generic, TypeAlias, TypeVar

from semantics.errors import LimitExceeded

EVERYWHERE = 2**62  # The depth of an automaton that is right on words of any length

StateT = TypeVar("StateT", bound=Hashable)


class Budget:
    """How many steps may still be done, and how many were; a step computes one transition, or compares two states."""

    def __init__(self, steps: int) -> None:
        self.spent = 0
        self.allow(steps)

    def allow(self, steps: int) -> None:
        """Allow so many steps from now on."""
        self.allowed = self.left = steps

    def spend(self, steps: int = 1, foreseen: int = 0) -> None:
        """Do so many steps, where so many more are foreseen; LimitExceeded if they are more than what is left."""
        self.left -= steps
        self.spent += steps
        if self.left < foreseen:
            remedy = "Bounds of thousands of ticks and many event types make automata large."
            raise LimitExceeded(f"deciding this takes more than {self.allowed:,} steps", remedy=remedy)


@dataclass(frozen=True)
class Automaton:
    """A deterministic automaton: the column of each letter, and per state the next one by column.

    The initial state is 1, or 0 if no word belongs to the language.
    """

    columns: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    accepting: tuple[bool, ...]
    initial: int

    @property
    def size(self) -> int:
        """The number of states, the dead one not counted."""
        return len(self.rows) - 1

    @property
    def finite(self) -> bool:
        """Whether the language is finite, the automaton being minimal."""
        following = [set(row) - {0} for row in self.rows]
        before = Counter(after for states in following for after in states)
        order = [self.initial] if self.initial and not before[self.initial] else []
        for state in order:  # after all those from which it is reached; on a cycle there is none
            before.subtract(following[state])
            order += [after for after in following[state] if not before[after]]
        return len(order) == self.size

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

    `step` is told the signature of a letter; letters of equal signature are not told apart.
    """

    initial: StateT | None
    signatures: Sequence[Any]
    step: Callable[[StateT, Any], StateT | None]
    accepting: Callable[[StateT], bool]

    def classes(self) -> dict[Any, list[int]]:
        """The letters of each signature."""
        groups: dict[Any, list[int]] = {}
        for letter, signature in enumerate(self.signatures):
            groups.setdefault(signature, []).append(letter)
        return groups


def product(
    automata: Sequence[Automaton], accepts: Callable[[Sequence[bool]], bool], required: int = 0
) -> Machine[tuple[int, ...]]:
    """Automata side by side: a word is judged by which of them accept it, of which the first ones have to."""
    rows = [automaton.rows for automaton in automata]

    def alive(state: tuple[int, ...]) -> tuple[int, ...] | None:
        return state if any(state) and all(state[:required]) else None

    def step(state: tuple[int, ...], columns: tuple[int, ...]) -> tuple[int, ...] | None:
        return alive(tuple([table[own][column] for table, own, column in zip(rows, state, columns, strict=True)]))

    def accepting(state: tuple[int, ...]) -> bool:
        return accepts([one.accepting[own] for one, own in zip(automata, state, strict=True)])

    signatures = list(zip(*(automaton.columns for automaton in automata), strict=True))
    return Machine(alive(tuple(one.initial for one in automata)), signatures, step, accepting)


def unless(one: Automaton, other: Automaton) -> Machine[tuple[int, ...]]:
    """The words of one language that have no beginning, and are no word, of the other one."""

    def state(own: int, found: int) -> tuple[int, ...] | None:
        return (own, found) if own and not other.accepting[found] else None

    def step(before: tuple[int, ...], columns: tuple[int, ...]) -> tuple[int, ...] | None:
        return state(one.rows[before[0]][columns[0]], other.rows[before[1]][columns[1]])

    signatures = list(zip(one.columns, other.columns, strict=True))
    return Machine(state(one.initial, other.initial), signatures, step, lambda found: one.accepting[found[0]])


def concatenation(one: Automaton, other: Automaton, budget: Budget) -> Machine[tuple[int, frozenset[int]]]:
    """The words of the first language, each followed by a word of the second one."""
    reduced = Antichains(other, budget).reduced

    def state(own: int, runs: Iterable[int]) -> tuple[int, frozenset[int]] | None:
        found = reduced(frozenset([*runs, other.initial if one.accepting[own] else 0]) - {0})
        return (own, found) if own or found else None

    def step(before: tuple[int, frozenset[int]], columns: tuple[int, int]) -> tuple[int, frozenset[int]] | None:
        return state(one.rows[before[0]][columns[0]], [other.rows[run][columns[1]] for run in before[1]])

    def accepting(found: tuple[int, frozenset[int]]) -> bool:
        return any(other.accepting[run] for run in found[1])

    return Machine(state(one.initial, ()), list(zip(one.columns, other.columns, strict=True)), step, accepting)


def image(automaton: Automaton, sources: Iterable[Iterable[int]], budget: Budget) -> Machine[frozenset[int]]:
    """The words of which some original belongs to the language: per letter, the letters that may have been there."""
    reduced = Antichains(automaton, budget).reduced

    def step(state: frozenset[int], columns: tuple[int, ...]) -> frozenset[int] | None:
        rows = [automaton.rows[own] for own in state]
        return reduced(frozenset({row[column] for row in rows for column in columns} - {0})) or None

    def accepting(state: frozenset[int]) -> bool:
        return any(automaton.accepting[own] for own in state)

    signatures = [tuple(sorted({automaton.columns[letter] for letter in letters})) for letters in sources]
    return Machine(frozenset({automaton.initial} - {0}) or None, signatures, step, accepting)


class Antichains:
    """Sets of states of one automaton, without those that accept only words that another one accepts."""

    def __init__(self, automaton: Automaton, budget: Budget) -> None:
        self.automaton, self.budget = automaton, budget
        self._included: dict[tuple[int, int], bool] = {}
        self._reduced: dict[frozenset[int], frozenset[int]] = {}

    def reduced(self, states: frozenset[int]) -> frozenset[int]:
        """The states none of which is included in another one."""
        if len(states) < 2:
            return states
        known = self._reduced.get(states)
        if known is None:
            self.budget.spend(len(states) * len(states) // 8)
            kept: list[int] = []
            for state in sorted(states):
                if not any(self.included(state, other) for other in kept):
                    kept = [other for other in kept if not self.included(other, state)]
                    kept.append(state)
            known = self._reduced[states] = frozenset(kept)
        return known

    def included(self, smaller: int, greater: int) -> bool:
        """Whether every word accepted from the one state is accepted from the other."""
        if not smaller or smaller == greater:
            return True
        rows, accepting, known = self.automaton.rows, self.automaton.accepting, self._included
        if not greater or (smaller, greater) in known:
            return known.get((smaller, greater), False)
        came_from: dict[tuple[int, int], tuple[int, int] | None] = {(smaller, greater): None}
        pending = [(smaller, greater)]
        while pending:
            pair: tuple[int, int] | None = pending.pop()
            assert pair is not None
            self.budget.spend()
            following = {
                each for each in zip(rows[pair[0]], rows[pair[1]], strict=True) if each[0] and each[0] != each[1]
            }
            verdicts = {each: known.get(each) if each[1] else False for each in following if each not in came_from}
            if False in verdicts.values() or (accepting[pair[0]] and not accepting[pair[1]]):
                while pair is not None:
                    known[pair] = False
                    pair = came_from[pair]
                return False
            for after, verdict in verdicts.items():
                if verdict is None:
                    came_from[after] = pair
                    pending.append(after)
        known.update(dict.fromkeys(came_from, True))
        return True


def build(machine: Machine[StateT], budget: Budget, depth: int = EVERYWHERE) -> Automaton:
    """The minimal automaton of a machine, right on words of at most `depth` letters; LimitExceeded if steps run out."""
    classes = machine.classes()
    dead = (0,) * len(classes)
    rows, accepting, layer = [dead], [False], list[StateT]()
    numbers: dict[StateT | None, int] = {None: 0}

    def number(state: StateT | None) -> int:
        found = numbers.get(state)
        if found is None:
            assert state is not None
            found = numbers[state] = len(numbers)
            layer.append(state)
            accepting.append(machine.accepting(state))
        return found

    number(machine.initial)
    while layer and depth > 0:
        current, layer, depth = layer, [], depth - 1
        for state in current:
            rows.append(tuple([number(machine.step(state, signature)) for signature in classes]))
            budget.spend(len(classes))
    rows += [dead] * len(layer)
    columns = {signature: number for number, signature in enumerate(classes)}
    return minimal([columns[signature] for signature in machine.signatures], rows, accepting)


def shortest_word(
    machine: Machine[StateT], cost: Callable[[int], int], budget: Budget, depth: int = EVERYWHERE
) -> tuple[int, ...] | None:
    """A shortest word of a machine's language, not empty; of the shortest, one whose letters cost the least in all.

    None if there is none of at most `depth` letters; LimitExceeded if the budget does not suffice.
    """
    cheapest = [
        (min((cost(letter), letter) for letter in letters), sign) for sign, letters in machine.classes().items()
    ]
    cheapest.sort(key=lambda found: found[0])
    layer: dict[StateT, int] = {} if machine.initial is None else {machine.initial: 0}
    seen = set(layer)
    ways: list[dict[StateT, tuple[StateT, int]]] = []
    while layer and len(ways) < depth:
        following: dict[StateT, int] = {}
        back: dict[StateT, tuple[StateT, int]] = {}
        for state, spent in layer.items():
            budget.spend(len(cheapest))
            for (price, letter), signature in cheapest:
                after = machine.step(state, signature)
                if after is not None and after not in seen and spent + price < following.get(after, EVERYWHERE):
                    following[after] = spent + price
                    back[after] = (state, letter)
        ways.append(back)
        accepted = [state for state in following if machine.accepting(state)]
        if accepted:
            state = min(accepted, key=following.__getitem__)
            word: list[int] = []
            for back in reversed(ways):
                state, letter = back[state]
                word.insert(0, letter)
            return tuple(word)
        seen.update(following)
        layer = following
    return None


def minimal(columns: Sequence[int], rows: Sequence[Sequence[int]], accepting: Sequence[bool]) -> Automaton:
    """The minimal automaton of a complete table with dead state 0 and initial state 1 (or no other state at all)."""
    block = _blocks(rows, accepting)
    member = {number: state for state, number in enumerate(block)}
    dead, initial = block[0], block[min(1, len(block) - 1)]
    order = [initial] if initial != dead else []
    number_of = {dead: 0} | dict.fromkeys(order, 1)
    for found in order:  # in the order in which they are reached
        for state in rows[member[found]]:
            if block[state] not in number_of:
                number_of[block[state]] = len(number_of)
                order.append(block[state])
    table = [tuple([number_of[block[state]] for state in rows[member[found]]]) for found in order]
    contents = list(zip(*table, strict=True)) if order else [()] * len(rows[0])
    distinct = {content: number for number, content in enumerate(dict.fromkeys(contents))}
    quotient = [(0,) * len(distinct), *zip(*distinct, strict=True)]
    accepts = (False, *(accepting[member[found]] for found in order))
    return Automaton(tuple([distinct[contents[c]] for c in columns]), tuple(quotient), accepts, 1 if order else 0)


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


Marks: TypeAlias = tuple[bool, ...]  # Which sets of a relation a position belongs to, in the order of its variables


@dataclass(frozen=True)
class Relation:
    """A relation of named sets of positions of a word: the language of the words with these as tracks (`letter`)."""

    variables: tuple[str, ...]
    automaton: Automaton

    def at(self, *names: str) -> Relation:
        """The relation of sets that have other names, in the order of its variables."""
        return Relation(names, self.automaton)


def letters(symbols: int, tracks: int) -> Iterator[tuple[int, Marks]]:
    """The symbols with marks, in the order of their numbers as letters."""
    return ((symbol, marks) for symbol in range(symbols) for marks in choices((False, True), repeat=tracks))


def letter(symbol: int, marks: Sequence[bool]) -> int:
    """The number of a symbol with marks."""
    for mark in marks:
        symbol = 2 * symbol + mark
    return symbol


class Relations:
    """Operations on relations between sets of positions of the same words; no set has a position of the symbol 0.

    Conjunction, complement and projection of automata are conjunction, negation and quantification.
    """

    def __init__(self, symbols: int, step: Callable[[int, int, Marks], int | None], budget: Budget) -> None:
        # -1 is the first state, None where no word begins so, and a word does not end in the state 0
        self.symbols, self.budget = symbols, budget
        alphabet = list(letters(symbols, 0))
        machine = Machine(-1, alphabet, lambda state, sign: step(state, *sign), lambda state: state != 0)
        self.words = self._built((), machine)

    def stepped(
        self,
        variables: Sequence[str],
        initial: StateT,
        step: Callable[[StateT, int, Marks], StateT | None],
        accepts: Callable[[StateT], bool],
    ) -> Relation:
        """The relation that a function of states recognises on the words that there are; None is the dead state."""
        alphabet = list(letters(self.symbols, len(variables)))
        machine = Machine(initial, alphabet, lambda state, sign: step(state, *sign), accepts)
        return self.all_of(self._built(variables, machine))

    def _built(self, variables: Sequence[str], machine: Machine[Any]) -> Relation:
        return Relation(tuple(variables), build(machine, self.budget))

    def all_of(self, *relations: Relation, but: Sequence[Relation] = ()) -> Relation:
        """The conjunction of relations and of the negations of others."""
        wanted = [True] * len(relations) + [False] * len(but)
        return self._combined([*relations, *but], lambda found: list(found[1:]) == wanted)

    def any_of(self, *relations: Relation) -> Relation:
        """The disjunction."""
        return self._combined(relations, lambda found: any(found[1:]))

    def _combined(self, relations: Sequence[Relation], accepts: Callable[[Sequence[bool]], bool]) -> Relation:
        variables = sorted({name for relation in relations for name in relation.variables})
        parts = []
        for relation in (self.words, *relations):
            tracks = [variables.index(name) for name in relation.variables]
            own = (
                letter(symbol, [marks[track] for track in tracks]) if symbol or not any(marks) else None
                for symbol, marks in letters(self.symbols, len(variables))
            )
            parts.append(relation.automaton.on(own))
        return self._built(variables, product(parts, accepts, required=1))

    def exists(self, quantified: Sequence[str], relation: Relation) -> Relation:
        """The relation of the other sets for which there are such sets."""
        kept = tuple(name for name in relation.variables if name not in quantified)

        def before(marks: Marks) -> Sequence[Marks]:
            known = dict(zip(kept, marks, strict=True))
            return list(choices(*[[known[v]] if v in known else [False, True] for v in relation.variables]))

        return self._image(relation, kept, before)

    def united(self, relation: Relation, name: str) -> Relation:
        """The unions of the sets that a relation relates."""
        every = list(choices((False, True), repeat=len(relation.variables)))
        return self._image(relation, (name,), lambda marks: [each for each in every if any(each) is marks[0]])

    def _image(
        self, relation: Relation, variables: tuple[str, ...], before: Callable[[Marks], Sequence[Marks]]
    ) -> Relation:
        known = letters(self.symbols, len(variables))
        sources = ([letter(symbol, each) for each in before(marks)] for symbol, marks in known)
        return self._built(variables, image(relation.automaton, sources, self.budget))

    def collected(self, relation: Relation, position: str, name: str) -> Relation:
        """The set of the positions that a relation holds of, beside the other sets of the relation."""

        def once(seen: int, _: int, marks: Marks) -> int | None:
            return None if seen and marks[0] else seen + marks[0]

        single = self.stepped((position,), 0, once, bool)
        member = self.stepped((position, name), False, lambda seen, _, marks: seen or all(marks), bool)
        outside = self.all_of(single, relation, but=[member])
        inside = self.all_of(single, member, but=[relation])
        return self.all_of(but=[self.exists([position], self.any_of(outside, inside))])
