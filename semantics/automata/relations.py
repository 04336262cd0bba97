"""Relations between sets of positions of a word: languages of marked words, with the operations of monadic logic.

A word is a sequence of symbols. A set of positions is a track: every position has a bit on it. A relation of k sets is
the language of the words with k tracks on which it holds; conjunction, complement and projection of automata are
conjunction, negation and quantification.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Generic, TypeAlias

from semantics.automata.automata import Automaton, Budget, StateT, build, grouped

Marks: TypeAlias = tuple[bool, ...]
"""Which sets of a relation a position belongs to, in the order of its variables."""


@dataclass(frozen=True)
class Relation:
    """A relation between sets of positions.

    Attributes:
        symbols: how many symbols words are made of.
        variables: the names of its sets, one or more, in the order of the tracks.
        automaton: its language; a letter is a symbol with the marks of a position (`letter`).
    """

    symbols: int
    variables: tuple[str, ...]
    automaton: Automaton

    def at(self, *names: str) -> Relation:
        """The relation of sets that have other names, in the order of its variables."""
        return Relation(self.symbols, names, self.automaton)


def letters(symbols: int, tracks: int) -> Iterator[tuple[int, Marks]]:
    """The symbols with marks, in the order of their numbers as letters."""
    return ((symbol, marks) for symbol in range(symbols) for marks in product((False, True), repeat=tracks))


def letter(symbol: int, marks: Sequence[bool]) -> int:
    """The number of a symbol with marks."""
    for mark in marks:
        symbol = 2 * symbol + mark
    return symbol


class _Stepped(Generic[StateT]):
    """A machine of a function of states; None is the dead state."""

    def __init__(
        self,
        alphabet: Sequence[tuple[int, Marks]],
        initial: StateT,
        step: Callable[[StateT, int, Marks], StateT | None],
        accepts: Callable[[StateT], bool],
    ) -> None:
        self.alphabet = alphabet
        self.initial: StateT | None = initial
        self.classes = [(number,) for number in range(len(alphabet))]
        self.accepting = accepts
        self._step = step

    def step(self, state: StateT, group: int) -> StateT | None:
        return self._step(state, *self.alphabet[group])


class _Combined:
    """Automata side by side, each of which reads its own tracks; the first of them must not be dead.

    No set has a position of the symbol 0.
    """

    def __init__(
        self,
        relations: Sequence[Relation],
        variables: Sequence[str],
        accepts: Callable[[Sequence[bool]], bool],
    ) -> None:
        self.automata = [relation.automaton for relation in relations]
        tracks = [[variables.index(name) for name in relation.variables] for relation in relations]
        columns: list[tuple[int, ...]] = [
            tuple(
                automaton.columns[letter(symbol, [marks[track] for track in own])]
                for automaton, own in zip(self.automata, tracks, strict=True)
            )
            if symbol or not any(marks)
            else ()
            for symbol, marks in letters(relations[0].symbols, len(variables))
        ]
        self.classes = grouped(columns)
        self.columns = [columns[members[0]] for members in self.classes]
        self.initial = tuple(automaton.initial for automaton in self.automata)
        self.accepts = accepts

    def step(self, state: tuple[int, ...], group: int) -> tuple[int, ...] | None:
        if not self.columns[group]:
            return None
        after = tuple(
            automaton.rows[own][column]
            for automaton, own, column in zip(self.automata, state, self.columns[group], strict=True)
        )
        return after if after[0] else None

    def accepting(self, state: tuple[int, ...]) -> bool:
        return self.accepts(
            [automaton.accepting[own] for automaton, own in zip(self.automata, state, strict=True)]
        )


class _Image:
    """The words that an automaton accepts with some marks in place of theirs: a state is a set of its states."""

    def __init__(self, relation: Relation, tracks: int, before: Callable[[Marks], Sequence[Marks]]) -> None:
        self.automaton = relation.automaton
        columns = [
            tuple(sorted({self.automaton.columns[letter(symbol, each)] for each in before(marks)}))
            for symbol, marks in letters(relation.symbols, tracks)
        ]
        self.classes = grouped(columns)
        self.columns = [columns[members[0]] for members in self.classes]
        self.initial = frozenset({self.automaton.initial} - {0}) or None

    def step(self, state: frozenset[int], group: int) -> frozenset[int] | None:
        rows = self.automaton.rows
        return frozenset({rows[own][column] for own in state for column in self.columns[group]} - {0}) or None

    def accepting(self, state: frozenset[int]) -> bool:
        return any(self.automaton.accepting[own] for own in state)


class Relations:
    """Operations on relations between sets of positions of the same words; no set has a position of the symbol 0.

    Attributes:
        symbols: how many symbols words are made of.
        words: the words that there are, as a relation of no sets.
    """

    def __init__(self, symbols: int, step: Callable[[int, int, Marks], int | None], budget: Budget) -> None:
        """Relations on the words that a function of states does not drop.

        Args:
            step: the state after a symbol, None where no word begins so; -1 is the first state, and a word does not
                end in the state 0.
        """
        self.symbols = symbols
        self.budget = budget
        machine = _Stepped(list(letters(symbols, 0)), -1, step, lambda state: state != 0)
        self.words = Relation(symbols, (), build(machine, budget)[0])

    def stepped(
        self,
        variables: Sequence[str],
        initial: StateT,
        step: Callable[[StateT, int, Marks], StateT | None],
        accepts: Callable[[StateT], bool],
    ) -> Relation:
        """The relation that a function of states recognises on the words that there are; None is the dead state."""
        alphabet = list(letters(self.symbols, len(variables)))
        machine = _Stepped(alphabet, initial, step, accepts)
        return self.all_of(Relation(self.symbols, tuple(variables), build(machine, self.budget)[0]))

    def all_of(self, *relations: Relation, but: Sequence[Relation] = ()) -> Relation:
        """The conjunction of relations and of the negations of others."""
        wanted = [True] * len(relations) + [False] * len(but)
        return self._combined([*relations, *but], lambda found: list(found[1:]) == wanted)

    def any_of(self, *relations: Relation) -> Relation:
        """The disjunction."""
        return self._combined(relations, lambda found: any(found[1:]))

    def _combined(self, relations: Sequence[Relation], accepts: Callable[[Sequence[bool]], bool]) -> Relation:
        variables = tuple(sorted({name for relation in relations for name in relation.variables}))
        machine = _Combined([self.words, *relations], variables, lambda found: found[0] and accepts(found))
        return Relation(self.symbols, variables, build(machine, self.budget)[0])

    def exists(self, quantified: Sequence[str], relation: Relation) -> Relation:
        """The relation of the other sets for which there are such sets."""
        kept = tuple(name for name in relation.variables if name not in quantified)

        def before(marks: Marks) -> Sequence[Marks]:
            known = dict(zip(kept, marks, strict=True))
            return [
                tuple(each)
                for each in product(
                    *[[known[v]] if v in known else [False, True] for v in relation.variables]
                )
            ]

        return self._image(relation, kept, before)

    def united(self, relation: Relation, name: str) -> Relation:
        """The unions of the sets that a relation relates."""
        every = list(product((False, True), repeat=len(relation.variables)))
        return self._image(relation, (name,), lambda marks: [each for each in every if any(each) is marks[0]])

    def _image(
        self, relation: Relation, variables: tuple[str, ...], before: Callable[[Marks], Sequence[Marks]]
    ) -> Relation:
        machine = _Image(relation, len(variables), before)
        return Relation(self.symbols, variables, build(machine, self.budget)[0])

    def collected(self, relation: Relation, position: str, name: str) -> Relation:
        """The set of the positions that a relation holds of, beside the other sets of the relation."""
        single = self.stepped((position,), 0, lambda seen, _, marks: _at_most_one(seen, marks[0]), bool)
        member = self.stepped((position, name), False, lambda seen, _, marks: seen or all(marks), bool)
        outside = self.all_of(single, relation, but=[member])
        inside = self.all_of(single, member, but=[relation])
        return self.all_of(but=[self.exists([position], self.any_of(outside, inside))])


def _at_most_one(seen: int, mark: bool) -> int | None:
    return None if seen and mark else seen + mark
