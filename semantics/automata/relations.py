"""Relations between sets of positions of a word: languages of marked words, with the operations of monadic logic.

A word is a sequence of symbols. A set of positions is a track: every position has a bit on it. A relation of k sets is
the language of the words with k tracks on which it holds; conjunction, complement and projection of automata are
conjunction, negation and quantification.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from semantics.automata import automata
from semantics.automata.automata import Automaton, Budget, Machine, StateT, build

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
        self.words = self._stepped((), -1, step, lambda state: state != 0)

    def stepped(
        self,
        variables: Sequence[str],
        initial: StateT,
        step: Callable[[StateT, int, Marks], StateT | None],
        accepts: Callable[[StateT], bool],
    ) -> Relation:
        """The relation that a function of states recognises on the words that there are; None is the dead state."""
        return self.all_of(self._stepped(variables, initial, step, accepts))

    def _stepped(
        self,
        variables: Sequence[str],
        initial: StateT,
        step: Callable[[StateT, int, Marks], StateT | None],
        accepts: Callable[[StateT], bool],
    ) -> Relation:
        alphabet = list(letters(self.symbols, len(variables)))
        classes = [(number,) for number in range(len(alphabet))]
        machine = Machine(initial, classes, lambda state, group: step(state, *alphabet[group]), accepts)
        return Relation(self.symbols, tuple(variables), build(machine, self.budget)[0])

    def all_of(self, *relations: Relation, but: Sequence[Relation] = ()) -> Relation:
        """The conjunction of relations and of the negations of others."""
        wanted = [True] * len(relations) + [False] * len(but)
        return self._combined([*relations, *but], lambda found: list(found[1:]) == wanted)

    def any_of(self, *relations: Relation) -> Relation:
        """The disjunction."""
        return self._combined(relations, lambda found: any(found[1:]))

    def _combined(self, relations: Sequence[Relation], accepts: Callable[[Sequence[bool]], bool]) -> Relation:
        variables = tuple(sorted({name for relation in relations for name in relation.variables}))
        alphabet = list(letters(self.symbols, len(variables)))
        parts = []
        for relation in (self.words, *relations):
            tracks = [variables.index(name) for name in relation.variables]
            own = (
                letter(symbol, [marks[track] for track in tracks]) if symbol or not any(marks) else None
                for symbol, marks in alphabet
            )
            parts.append(relation.automaton.on(own))
        machine = automata.product(parts, accepts, required=1)
        return Relation(self.symbols, variables, build(machine, self.budget)[0])

    def exists(self, quantified: Sequence[str], relation: Relation) -> Relation:
        """The relation of the other sets for which there are such sets."""
        kept = tuple(name for name in relation.variables if name not in quantified)

        def before(marks: Marks) -> Sequence[Marks]:
            known = dict(zip(kept, marks, strict=True))
            return [
                tuple(each)
                for each in product(*[[known[v]] if v in known else [False, True] for v in relation.variables])
            ]

        return self._image(relation, kept, before)

    def united(self, relation: Relation, name: str) -> Relation:
        """The unions of the sets that a relation relates."""
        every = list(product((False, True), repeat=len(relation.variables)))
        return self._image(relation, (name,), lambda marks: [each for each in every if any(each) is marks[0]])

    def _image(
        self, relation: Relation, variables: tuple[str, ...], before: Callable[[Marks], Sequence[Marks]]
    ) -> Relation:
        sources = (
            [letter(symbol, each) for each in before(marks)] for symbol, marks in letters(self.symbols, len(variables))
        )
        machine = automata.image(relation.automaton, sources, self.budget)
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
