"""Inclusion between the languages of automata's states."""

from __future__ import annotations

from collections.abc import Iterable

from semantics.automata.automata import Automaton, Budget


class Inclusion:
    """Which states of an automaton accept only what states of another accept; found out on demand and remembered."""

    def __init__(
        self, one: Automaton, two: Automaton, budget: Budget, pairs: Iterable[tuple[int, int]]
    ) -> None:
        """Compare states of one automaton with states of another, whose columns belong together in these pairs."""
        self.one = one
        self.two = two
        self.budget = budget
        self.pairs = sorted(set(pairs))
        self.same = one is two and all(column == other for column, other in self.pairs)
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
                following = (
                    zip(row, other, strict=True) if same else [(row[i], other[j]) for i, j in self.pairs]
                )
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
