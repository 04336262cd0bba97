"""Ambiguity: whether some instance of an expression, on some trace, comes of its operands in two ways.

`A | A` has each instance twice, and so has `A + (A ; B)` one of two A and a later B. Whoever lists or counts instances
without a look at those before has to know that an expression is not ambiguous.

Restrictions and negations leave instances out and make none: without them there are more instances, and what then comes
in one way comes in one way with them. What remains is about marks alone: an instance of a sequence or a conjunction is
a word of marks that is split in two. Two operands without a common event type are told apart by the types, and those of
a sequence by time where one of them takes none. Otherwise two splits of one word are read side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final, TypeAlias

from semantics import automata
from semantics.automata import Automaton, Budget
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up, fold, identifiers, rebuilt
from semantics.carlson_lisper.languages import Languages, Track
from semantics.errors import LimitExceeded

MAX_STEPS: Final = 200_000  # So many transitions may decide whether an expression is ambiguous: about a second

Split: TypeAlias = tuple[int, int]
"""The marks at an instant of an instance of the left operand, and those of one of the right, as bit sets of types."""

Reading: TypeAlias = tuple[int, int, bool]
"""How far two operands have read their marks, and whether the right one has had some."""


def is_ambiguous(expression: Expression, steps: int = MAX_STEPS) -> bool | None:
    """Whether some instance comes of its operands in two ways; None where that is not known.

    Where restrictions or negations leave out all that comes in two ways, it is not known either.
    """
    free = rebuilt(expression, _freed)
    budget, limited = Budget(steps), free != expression
    try:
        found = any(_splits_in_two_ways(node, budget) for node in bottom_up(free) if isinstance(node, Operation))
    except LimitExceeded:
        return None
    return None if found and limited else found


def takes_no_time(expression: Expression) -> bool:
    """Whether it is an event type, or a disjunction of some: its instances start when they end."""
    return fold(expression, lambda _: True, lambda operator, operands, _: operator == "dis" and all(operands))


def _freed(node: Operation, operands: tuple[Expression, ...]) -> Expression:
    """An operation without a restriction or a negation, which leave out some of the first operand."""
    return operands[0] if node.operator in ("neg", "tim") else Operation(node.operator, operands)


def _splits_in_two_ways(node: Operation, budget: Budget) -> bool:
    """Whether an instance of a disjunction, conjunction or sequence comes of two different ones of its operands."""
    types = [identifiers(operand) for operand in node.operands]
    if not types[0] & types[1] or (node.operator == "seq" and any(map(takes_no_time, node.operands))):
        return False
    track = Track(sorted(types[0] | types[1]), marks=True)
    languages = Languages(track, budget)
    left, right = (languages.language(operand) for operand in node.operands)
    if node.operator == "dis":
        return languages.built(automata.product([left, right], all, required=2)).initial != 0
    between = track.between
    sides = [languages.then(between, side, between) for side in (left, right)]
    own = [sum(1 << bit for bit, name in enumerate(track.names) if name in each) for each in types]
    return _Splits(track, sides, own, node.operator == "seq", budget).differ()


class _Splits:
    """Words of marks that are split in two, one half read by the left operand and the other one by the right."""

    def __init__(self, track: Track, sides: list[Automaton], own: list[int], in_turn: bool, budget: Budget) -> None:
        self._left, self._right = sides
        self._in_turn, self._budget = in_turn, budget
        self._letter = {pair: number for number, pair in enumerate(zip(track.present, track.marked, strict=True))}
        self._splits = [
            [
                (one, other)
                for one, other in product(range(marks + 1), repeat=2)
                if one | other == marks and not (one & ~own[0] or other & ~own[1]) and not (in_turn and one and other)
            ]
            for marks in range(2 ** len(track.names))
        ]

    def differ(self) -> bool:
        """Whether a word is split in two ways."""
        begin: Reading = (self._left.initial, self._right.initial, False)
        seen = {(begin, begin, False)}
        waiting = list(seen)
        while waiting:
            one, other, differs = waiting.pop()
            if differs and self._ends(one) and self._ends(other):
                return True
            for marks, splits in enumerate(self._splits):
                self._budget.spend(len(splits) ** 2)
                ways = [(split, after) for split in splits for after in self._after(one, marks, split)]
                others = [(split, after) for split in splits for after in self._after(other, marks, split)]
                for (first, after), (second, following) in product(ways, others):
                    state = (after, following, differs or first != second)
                    if state not in seen:
                        seen.add(state)
                        waiting.append(state)
        return False

    def _ends(self, reading: Reading) -> bool:
        return self._left.accepting[reading[0]] and self._right.accepting[reading[1]]

    def _after(self, reading: Reading, marks: int, split: Split) -> Iterator[Reading]:
        """How far the operands have read then, if they can read that."""
        left, right, later = reading
        if self._in_turn and later and split[0]:
            return
        left = self._left.rows[left][self._left.columns[self._letter[marks, split[0]]]]
        right = self._right.rows[right][self._right.columns[self._letter[marks, split[1]]]]
        if left and right:
            yield left, right, later or bool(split[1])
