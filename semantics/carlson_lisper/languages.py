"""Interval languages: the traces between start and end of the instances of a ground expression.

At an instant each event type occurs or not, and none occurs twice (Def. 3.4), so a letter is a set of event types.
Whether some instance of E spans exactly the interval [i, j] depends on what happens from i to j only: the words that E
spans form a regular language, which is made from those of the operands by regular operations. On the *plain* track a
letter is that set alone; on the *marked* track some of the occurrences are marked, those of one instance, so
that a word is a trace together with an instance in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from semantics.automata.automata import (
    EVERYWHERE,
    Automaton,
    Budget,
    Machine,
    build,
    concatenation,
    grouped,
    image,
    minimal,
    product,
)
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.notation import operator_text
from semantics.carlson_lisper.operators import OPERATORS, Operator, Operators
from semantics.errors import InputError, LimitExceeded

MAX_LETTERS = 8192
"""More letters than this are refused: 13 event types on the plain track, 8 on the marked one."""


class NotAnIntervalLanguage(LimitExceeded):
    """An operator whose language is not stated, or that is defined otherwise than its language says: no automata."""

    def __init__(self, definition: str) -> None:
        """Show the definition, as text."""
        super().__init__(
            f"no language is stated for an operator with the definition {definition}",
            remedy="Add its regular operation to `LANGUAGES` in semantics/carlson_lisper/languages.py.",
        )
        self.definition = definition

    def __reduce__(self) -> tuple[type[NotAnIntervalLanguage], tuple[str]]:
        """Pickle with what it is built from."""
        return (type(self), (self.definition,))


def require_ground(expression: expressions.Expression) -> None:
    """Make sure that an expression has no symbolic bounds.

    Raises:
        InputError: it has.
    """
    names = sorted(expressions.bound_parameters(expression))
    if names:
        raise InputError(
            f"the bound {names[0]} of {expression} is symbolic; only numbers of ticks can be decided",
            remedy="`remora prove` takes equations with symbolic bounds.",
        )


# ------------------------------------------------------------------------------------------------------- tracks


@dataclass(frozen=True, eq=False)
class Track:
    """An alphabet. Letters are numbered; the attributes are indexed by letter.

    Attributes:
        names: the event types.
        tells_instances: whether it is a marked track.
        present: the bit set of the types that occur, which is the letter of the plain track.
        marked: the bit set of the types whose occurrence belongs to the instance; on the plain track, of all.
        gap: whether the instant may lie between the parts of an instance.
        every: all words, the empty one included.
        between: the words between the two instances of a sequence: no mark is in them.
    """

    names: tuple[str, ...]
    tells_instances: bool
    present: tuple[int, ...]
    marked: tuple[int, ...]
    gap: tuple[bool, ...]
    every: Automaton
    between: Automaton

    def events(self, letter: int) -> list[str]:
        """The event types that occur, in the order of `names`."""
        return [name for bit, name in enumerate(self.names) if self.present[letter] >> bit & 1]

    def primitive(self, name: str) -> Automaton:
        """The instants with an instance of an event type."""
        bit = 1 << self.names.index(name)
        accepted = (marked == bit if self.tells_instances else marked & bit for marked in self.marked)
        return _table(map(bool, accepted), [(0, 0), (0, 2), (0, 0)], (False, False, True))


def _table(chosen: Iterator[bool], rows: Sequence[tuple[int, int]], accepting: Sequence[bool]) -> Automaton:
    """The automaton whose rows say what follows letters that are not chosen, and letters that are."""
    columns = list(chosen)
    classes = [[i for i, found in enumerate(columns) if found is wanted] for wanted in (False, True)]
    return minimal(classes, rows, accepting)


def plain_track(names: Sequence[str]) -> Track:
    """The letters for intervals: sets of event types.

    Raises:
        LimitExceeded: there are too many event types.
    """
    letters = tuple(range(_checked(2 ** len(names), names)))
    every = _loop([True] * len(letters))
    return Track(tuple(names), False, letters, letters, (True,) * len(letters), every, every)


def marked_track(names: Sequence[str]) -> Track:
    """The letters for instances: sets of event types, some of which are marked.

    Raises:
        LimitExceeded: there are too many event types.
    """
    _checked(3 ** len(names), names)
    letters = [(present, marked) for present in range(2 ** len(names)) for marked in _subsets(present)]
    present, marked = (tuple(column) for column in zip(*letters, strict=True))
    gap = tuple(not mark for mark in marked)
    return Track(tuple(names), True, present, marked, gap, _loop([True] * len(letters)), _loop(gap))


def _loop(letters: Sequence[bool]) -> Automaton:
    return _table(iter(letters), [(0, 0), (0, 1)], (False, True))


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


@cache
def _splits(names: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """How marks at an instant can be those of two instances: the letters that each of the two sees, by split.

    Returns:
        Per split what the first instance and what the second one sees; per letter of the marked track its splits.
    """
    letters = [(present, marked) for present in range(2**names) for marked in _subsets(present)]
    number = {letter: index for index, letter in enumerate(letters)}
    first: list[int] = []
    second: list[int] = []
    of_letter: list[tuple[int, ...]] = []
    for present, marked in letters:
        begin = len(first)
        for one in _subsets(marked):
            for shared in _subsets(one):
                first.append(number[present, one])
                second.append(number[present, shared | (marked & ~one)])
        of_letter.append(tuple(range(begin, len(first))))
    return tuple(first), tuple(second), tuple(of_letter)


# ---------------------------------------------------------------------------------------- languages of operators


@dataclass(frozen=True)
class Language:
    """An interval language.

    Attributes:
        automaton: its minimal automaton.
        reach: the number of letters up to which the automaton is right; `EVERYWHERE` if it always is.
    """

    automaton: Automaton
    reach: int = EVERYWHERE


@dataclass
class Application:
    """An operator with its operands' languages, S and T; each of its methods is a regular operation.

    Attributes:
        absent: the language of the intervals of T, on the plain track read through the letters of this one.
        longest: no result has more letters, as far as the bound says.
        depth: the result has to be right on words of so many letters.
        reach: up to so many letters, what was built on the way is right.
    """

    track: Track
    budget: Budget
    left: Automaton
    right: Automaton
    absent: Automaton
    longest: int
    depth: int
    reach: int

    def built(self, machine: Machine[Any]) -> Automaton:
        """The minimal automaton of a machine, right on words of the depth that is asked for."""
        automaton, reach = build(machine, self.budget, self.depth)
        self.reach = min(self.reach, reach)
        return automaton

    def then(self, *parts: Automaton) -> Automaton:
        """The concatenation of languages."""
        whole, *others = parts
        for part in others:
            whole = self.built(concatenation(whole, part, self.budget))
        return whole

    def disjunction(self) -> Machine[Any]:
        """S ∪ T."""
        return product([self.left, self.right], any)

    def sequence(self) -> Machine[Any]:
        """S, what may lie between, T."""
        return concatenation(self.then(self.left, self.track.between), self.right, self.budget)

    def negation(self) -> Machine[Any]:
        """S without the words that have a part in T."""
        every = self.track.every
        inside = self.then(every, self.absent, every)
        return product([self.left, inside], lambda found: found[0] and not found[1], required=1)

    def restriction(self) -> Machine[Any]:
        """The words of S that have at most τ + 1 letters."""
        rows, columns, longest = self.left.rows, self.left.columns, self.longest
        classes = grouped(columns)
        of_class = [columns[letters[0]] for letters in classes]
        # Two sides of a question have such an automaton, and something is made of both.
        work = self.left.reached(min(longest, self.depth) - 1) * len(classes)
        self.budget.require(4 * work)

        def step(state: tuple[int, int], group: int) -> tuple[int, int] | None:
            after = rows[state[0]][of_class[group]]
            return (after, state[1] + 1) if after and state[1] < longest else None

        return Machine(
            (self.left.initial, 0) if self.left.initial else None,
            classes,
            step,
            lambda state: self.left.accepting[state[0]],
        )

    def conjunction(self) -> Machine[Any]:
        """The unions of an instance of S and one of T."""
        if self.track.tells_instances:
            return self._joined()
        one, other, every = self.left, self.right, self.track.every
        ways = [
            [one, self.then(every, other, every)],
            [other, self.then(every, one, every)],
            [self.then(one, every), self.then(every, other)],
            [self.then(other, every), self.then(every, one)],
        ]
        return product([self.built(product(way, all, required=2)) for way in ways], any)

    def _joined(self) -> Machine[Any]:
        """Join of marked languages: both instances are read side by side; the marks are those of either."""
        first, second, of_letter = _splits(len(self.track.names))
        padded = [self.built(_padded(own, self.track)) for own in (self.left, self.right)]
        sides = [padded[0].on(first), padded[1].on(second)]
        both = self.built(product(sides, all, required=2))
        marked = (not gap for gap in self.track.gap)
        # The first and the last letter are marked.
        whole = _table(marked, [(0, 0), (0, 2), (3, 2), (3, 2)], (False, False, True, False))
        return product([self.built(image(both, of_letter, self.budget)), whole], all, required=2)


def _padded(automaton: Automaton, track: Track) -> Machine[tuple[int, bool]]:
    """The words of a language with letters without marks before and after them."""
    signatures = list(zip(automaton.columns, track.gap, strict=True))
    classes = grouped(signatures)
    columns = [signatures[letters[0]] for letters in classes]
    before = -1

    def step(state: tuple[int, bool], group: int) -> tuple[int, bool] | None:
        column, gap = columns[group]
        if state[0] == before and gap:
            return state
        after = automaton.rows[automaton.initial if state[0] == before else state[0]][column]
        complete = state[1] if gap else automaton.accepting[after]
        return (after, complete) if after or complete else None

    return Machine((before, False), classes, step, lambda state: state[1])


LANGUAGES: Mapping[str, Callable[[Application], Machine[Any]]] = {
    "dis(S, T) = { s | s ∈ S } ∪ { t | t ∈ T }": Application.disjunction,
    "con(S, T) = { s ∪ t | s ∈ S ∧ t ∈ T }": Application.conjunction,
    "neg(S, T) = { s | s ∈ S ∧ ¬∃ t ∈ T (start(s) ≤ start(t) ∧ end(t) ≤ end(s)) }": Application.negation,
    "seq(S, T) = { s ∪ t | s ∈ S ∧ t ∈ T ∧ end(s) < start(t) }": Application.sequence,
    "tim(S, τ) = { s | s ∈ S ∧ end(s) - start(s) ≤ τ }": Application.restriction,
}
"""The regular operation of each definition, by its text: an operator that is defined otherwise has none of these."""


class Languages:
    """The languages of expressions over one track; what was built once is used again."""

    def __init__(self, track: Track, budget: Budget, operators: Operators = OPERATORS) -> None:
        """Build automata on a track within a budget, by the given definitions."""
        self.track = track
        self.budget = budget
        self.operators = operators
        self.plain = Languages(plain_track(track.names), budget, operators) if track.tells_instances else self
        self._built: dict[expressions.Expression, Language] = {}

    def language(self, expression: expressions.Expression, depth: int = EVERYWHERE) -> Language:
        """The language of a ground expression, right on words of at least `depth` letters.

        Raises:
            LimitExceeded: the budget does not suffice.
            NotAnIntervalLanguage: the language of an operator is not stated.
        """
        nodes = expressions.bottom_up(expression)
        wanted = dict.fromkeys(nodes, 0)
        wanted[expression] = depth
        for node in reversed(nodes):
            if isinstance(node, expressions.Operation):
                below = min(wanted[node], _longest(node))
                for operand in node.operands:
                    wanted[operand] = max(wanted[operand], below)
        for node in nodes:
            if node not in self._built or self._built[node].reach < wanted[node]:
                self._built[node] = self._build(node, wanted[node])
        return self._built[expression]

    def _build(self, node: expressions.Expression, depth: int) -> Language:
        if isinstance(node, expressions.Identifier):
            return Language(self.track.primitive(node.name))
        assert isinstance(node, expressions.Operation)
        machine_of = language_of(self.operators[node.operator])
        operands, longest = [self._built[operand] for operand in node.operands], _longest(node)
        last = operands[-1]
        if self.plain is not self and machine_of is Application.negation:
            last = self.plain.language(node.operands[-1], min(depth, longest))
        reach = min(language.reach for language in (*operands, last))
        absent = last.automaton.on(self.track.present) if self.plain is not self else last.automaton
        left, right = operands[0].automaton, operands[-1].automaton
        operation = Application(self.track, self.budget, left, right, absent, longest, depth, reach)
        automaton = operation.built(machine_of(operation))
        return Language(automaton, EVERYWHERE if min(operation.reach, longest) == longest else operation.reach)


@cache
def language_of(definition: Operator) -> Callable[[Application], Machine[Any]]:
    """The regular operation of an operator.

    Raises:
        NotAnIntervalLanguage: none is stated for its definition.
    """
    text = operator_text(definition)
    if text not in LANGUAGES:
        raise NotAnIntervalLanguage(text)
    return LANGUAGES[text]


def _longest(node: expressions.Operation) -> int:
    return EVERYWHERE if node.bound is None else expressions.evaluate_bound(node.bound) + 1
