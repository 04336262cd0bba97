"""The search for a shortest word of a language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from semantics.automata.automata import EVERYWHERE, Budget, Machine, StateT


@dataclass(frozen=True)
class Search:
    """What the search for a word of a language came to.

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
