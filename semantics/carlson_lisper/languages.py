"""Interval languages: the traces between start and end of the instances of a ground expression.

At an instant each event type occurs or not, and none occurs twice (Def. 3.4), so a letter is a set of event types.
Whether some instance of E spans exactly the interval [i, j] depends on what happens from i to j only: the words that E
spans form a regular language, which is made from those of the operands by regular operations. On the *plain* track a
letter is that set alone; on the *marked* track some of the occurrences are marked, those of one instance, so
that a word is a trace together with an instance in it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from semantics.automata import EVERYWHERE, Automaton, Budget, Machine, build, concatenation, image, minimal, product
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.expressions import Expression, Operation
from semantics.carlson_lisper.notation import operator_text
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.operators import OPERATORS, Operators
from semantics.errors import InputError, LimitExceeded

MAX_LETTERS = 8192  # More letters than this are refused: 13 event types on the plain track, 8 on the marked one


def require_ground(expression: Expression) -> None:
    """Make sure that an expression has no symbolic bounds; InputError if it has."""
    names = sorted(expressions.bound_parameters(expression))
    if names:
        reason = f"the bound {names[0]} of {expression} is symbolic; only numbers of ticks can be decided"
        raise InputError(reason, remedy="`remora prove` takes equations with symbolic bounds.")


class Track:
    """An alphabet, plain or marked; letters are numbered.

    A letter is what occurs at an instant; on a plain track of `rows`, where these have an order, it is one row, and the
    first letter a step to the next tick. By letter, `present` are the types that occur, as in the plain track, and
    `marked` those whose occurrence belongs to the instance, or all (plain track). `every` has all words, `between`
    those between the two instances of a sequence, without a mark, and `framed` those of one letter or more with a mark
    in the first and in the last one.
    """

    def __init__(self, names: Sequence[str], *, marks: bool, rows: bool = False) -> None:
        count = len(names) + 1 if rows else (3 if marks else 2) ** len(names)
        if count > MAX_LETTERS:
            raise LimitExceeded(
                f"{len(names)} event types make {count:,} different instants, more than the limit of {MAX_LETTERS:,}"
            )
        self.names, self.marks, self.rows = tuple(names), marks, rows
        plain = [0, *(1 << bit for bit in range(len(names)))] if rows else range(count)
        pairs = _marked_letters(len(names)) if marks else [(letter, letter) for letter in plain]
        self.present = tuple(present for present, _ in pairs)
        self.marked = tuple(marked for _, marked in pairs)
        self.every = self.table(lambda marked: True, [(0, 0), (0, 1)], (False, True))
        self.between = self.table(lambda marked: not (marks and marked), [(0, 0), (0, 1)], (False, True))
        self.framed = self.table(bool, [(0, 0), (0, 2), (3, 2), (3, 2)], (False, False, True, False))

    def table(
        self, chosen: Callable[[int], object], rows: Sequence[tuple[int, int]], accepting: Sequence[bool]
    ) -> Automaton:
        """The automaton whose rows say what follows letters whose marks are not chosen, and letters whose are."""
        found = [bool(chosen(marked)) for marked in self.marked]
        order = list(dict.fromkeys(found))
        table = [[row[each] for each in order] for row in rows]
        return minimal([order.index(each) for each in found], table, accepting)

    def primitive(self, name: str) -> Automaton:
        """The instants with an instance of an event type."""
        bit = 1 << self.names.index(name)
        others = ~bit if self.marks else 0
        rows = [(0, 0), (0, 2), (0, 0)]
        return self.table(lambda marked: marked & bit and not marked & others, rows, (False, False, True))

    def events(self, letter: int) -> list[str]:
        """The event types that occur, in the order of `names`."""
        return [name for bit, name in enumerate(self.names) if self.present[letter] >> bit & 1]

    def log(self, word: Sequence[int]) -> tuple[Occurrence, ...]:
        """The occurrences of a word, from time 0 on."""
        return tuple(Occurrence(name, time) for time, letter in enumerate(word) for name in self.events(letter))


def _marked_letters(names: int) -> list[tuple[int, int]]:
    return [(present, marked) for present in range(2**names) for marked in _subsets(present)]


def _subsets(bits: int) -> Iterator[int]:
    """All subsets of a bit set, the empty one first."""
    chosen = 0
    while True:
        yield chosen
        if chosen == bits:
            return
        chosen = (chosen - bits) & bits


@cache
def _splits(names: int) -> tuple[list[int], list[int], list[range]]:
    """How marks at an instant can be those of two instances: what each of the two sees, by split; splits by letter."""
    letters = _marked_letters(names)
    number = {letter: index for index, letter in enumerate(letters)}
    first, second, of_letter = list[int](), list[int](), []
    for present, marked in letters:
        begin = len(first)
        for one in _subsets(marked):
            for shared in _subsets(one):
                first.append(number[present, one])
                second.append(number[present, shared | (marked & ~one)])
        of_letter.append(range(begin, len(first)))
    return first, second, of_letter


class Languages:
    """The languages of expressions over one track, as minimal automata, right on words of up to `depth` letters."""

    def __init__(self, track: Track, budget: Budget, operators: Operators = OPERATORS, depth: int = EVERYWHERE) -> None:
        self.track, self.budget, self.operators, self.depth = track, budget, operators, depth
        self.plain = Languages(Track(track.names, marks=False), budget, operators, depth) if track.marks else self
        self._built: dict[Expression, Automaton] = {}

    def language(self, expression: Expression) -> Automaton:
        """The language of a ground expression; `LimitExceeded` where it is beyond the budget, or not stated."""
        for node in expressions.bottom_up(expression):
            if isinstance(node, Operation) and node not in self._built:
                text = operator_text(self.operators[node.operator])
                if text not in LANGUAGES:
                    remedy = "Add its regular operation to `LANGUAGES` in semantics/carlson_lisper/languages.py."
                    reason = f"no language is stated for an operator with the definition {text}"
                    raise LimitExceeded(reason, remedy=remedy)
                self._built[node] = self.built(LANGUAGES[text](self, node))
            elif isinstance(node, expressions.Identifier) and node not in self._built:
                self._built[node] = self.track.primitive(node.name)
        return self._built[expression]

    def mirrored(self, expression: Expression) -> Expression:
        """The expression that spans the same words backwards: only sequences have a direction."""

        def operation(node: Operation, operands: tuple[Expression, ...]) -> Expression:
            directed = LANGUAGES.get(operator_text(self.operators[node.operator])) is Languages.sequence
            return Operation(node.operator, operands[::-1] if directed else operands, node.bound)

        return expressions.rebuilt(expression, operation)

    def built(self, machine: Machine[Any]) -> Automaton:
        """The minimal automaton of a machine."""
        return build(machine, self.budget, self.depth)

    def then(self, *parts: Automaton) -> Automaton:
        """The concatenation of languages."""
        whole, *others = parts
        for part in others:
            whole = self.built(concatenation(whole, part, self.budget))
        return whole

    def disjunction(self, node: Operation) -> Machine[Any]:
        """S ∪ T."""
        return product([self._built[operand] for operand in node.operands], any)

    def sequence(self, node: Operation) -> Machine[Any]:
        """S, what may lie between, T."""
        left, right = (self._built[operand] for operand in node.operands)
        return concatenation(self.then(left, self.track.between), right, self.budget)

    def negation(self, node: Operation) -> Machine[Any]:
        """S without the words that have a part in T, of whatever marks."""
        left, every = self._built[node.operands[0]], self.track.every
        absent = self.plain.language(node.operands[1])
        absent = absent.on(self.track.present) if self.track.marks else absent
        inside = self.then(every, absent, every)
        return product([left, inside], lambda found: found[0] and not found[1], required=1)

    def restriction(self, node: Operation) -> Machine[Any]:
        """The words of S that have at most τ + 1 letters; in rows, those in which at most τ ticks end."""
        assert node.bound is not None
        left, rows = self._built[node.operands[0]], self.track.rows
        longest = min(expressions.evaluate_bound(node.bound) + (not rows), self.depth)
        if not left.finite:  # there are as many states as letters; two sides of a question have them
            self.budget.spend(0, foreseen=4 * longest * len(left.rows[0]))

        def step(state: tuple[int, int], sign: tuple[int, bool]) -> tuple[int, int] | None:
            after, length = left.rows[state[0]][sign[0]], state[1] + sign[1]
            return (after, length) if after and length <= longest else None

        initial = (left.initial, 0) if left.initial else None
        signatures = [(column, not (rows and letter)) for letter, column in enumerate(left.columns)]
        return Machine(initial, signatures, step, lambda state: left.accepting[state[0]])

    def conjunction(self, node: Operation) -> Machine[Any]:
        """The unions of an instance of S and one of T; of marked languages the marks are those of either."""
        one, other = (self._built[operand] for operand in node.operands)
        every, between = self.track.every, self.track.between
        if self.track.marks:
            first, second, of_letter = _splits(len(self.track.names))
            sides = [self.then(between, own, between).on(split) for own, split in ((one, first), (other, second))]
            both = self.built(product(sides, all, required=2))
            joined = self.built(image(both, of_letter, self.budget))
            return product([joined, self.track.framed], all, required=2)
        ways = [
            [one, self.then(every, other, every)],
            [other, self.then(every, one, every)],
            [self.then(one, every), self.then(every, other)],
            [self.then(other, every), self.then(every, one)],
        ]
        return product([self.built(product(way, all, required=2)) for way in ways], any)


LANGUAGES: Mapping[str, Callable[[Languages, Operation], Machine[Any]]] = {
    "dis(S, T) = { s | s ∈ S } ∪ { t | t ∈ T }": Languages.disjunction,
    "con(S, T) = { s ∪ t | s ∈ S ∧ t ∈ T }": Languages.conjunction,
    "neg(S, T) = { s | s ∈ S ∧ ¬∃ t ∈ T (start(s) ≤ start(t) ∧ end(t) ≤ end(s)) }": Languages.negation,
    "seq(S, T) = { s ∪ t | s ∈ S ∧ t ∈ T ∧ end(s) < start(t) }": Languages.sequence,
    "tim(S, τ) = { s | s ∈ S ∧ end(s) - start(s) ≤ τ }": Languages.restriction,
}
"""The regular operation of each definition, by its text: an operator that is defined otherwise has none of these."""
