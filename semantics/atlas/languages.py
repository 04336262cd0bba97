"""Settings as automata: what their operators make of event types on all traces, where pairs are regular.

A trace is a word over a separator between instants (the symbol 0), whose distances it does not tell, and event types
(1, 2, ...), in any order within an instant. An instance is the set of its occurrences' positions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from semantics.atlas.catalogue import Context, Setting
from semantics.atlas.pairs import Pairs
from semantics.automata import Budget, Marks, Relation, Relations, letter, product, shortest_word

STEPS = 20_000_000  # The work that may be done for a setting
Events: TypeAlias = tuple[tuple[str, int], ...]  # A trace: event types with their times, in the order of time


class _Compared(NamedTuple):
    """State of an automaton about two sets after part of a word.

    Whether the first starts at an earlier instant (-1), the same (0), a later one (1), or neither has (None); the same
    of the ends, and of the `last` position that only one has. Whether a position is `shared`, the first `overlaps`, not
    ending before the second starts, the second has `begun` at an earlier instant; which have one `here`, at this one.
    """

    start: int | None = None
    end: int = 0
    last: int = 0
    shared: bool = False
    overlaps: bool = False
    begun: bool = False
    here: Marks = (False, False)

    def read(self, symbol: int, marks: Marks) -> _Compared:
        if not symbol:
            return self.closed()
        one, other = marks
        return self._replace(
            last=one - other if one != other else self.last,
            shared=self.shared or (one and other),
            here=(self.here[0] or one, self.here[1] or other),
        )

    def closed(self) -> _Compared:
        one, other = self.here
        if not (one or other):
            return self
        return self._replace(
            start=other - one if self.start is None else self.start,
            end=one - other,
            overlaps=self.overlaps or (one and (self.begun or other)),
            begun=self.begun or other,
            here=(False, False),
        )


COMPARISONS: Mapping[str, Callable[[_Compared], bool]] = MappingProxyType(
    {
        "points": lambda found: found.end < 0,
        "intervals": lambda found: not found.overlaps,
        "starts not later": lambda found: (found.start or 0) <= 0,
        "ends earlier": lambda found: found.end < 0,
        "ends not later": lambda found: found.end <= 0,
        "end together": lambda found: found.end == 0,
        "precedes": lambda found: (found.end, found.start or 0, found.last) < (0, 0, 0),
        "includes": lambda found: (found.start or 0) <= 0 <= found.end,
        "apart": lambda found: not found.shared,
    }
)
"""Relations between two instances: the clocks of settings, orders, inclusion of intervals, no common occurrence."""


class _Open(NamedTuple):
    """Which operand of a conjunction is open, and whether what came at the position `p` is kept; None before it."""

    open: str = ""
    kept: bool | None = None

    def read(self, symbol: int, marks: Marks) -> _Open | None:
        """After one more position: whether it is `p`, and whether instances of the left or of the right end there."""
        here, left, right = marks
        if here and self.kept is not None:
            return None
        kept = left and not right and self.open != "right" if here else self.kept
        if left and right:
            return _Open("", kept)
        if left or right:
            completes = self.open == ("right" if left else "left")
            return _Open("" if completes else "left" if left else "right", kept)
        return _Open(self.open, kept)


class Languages(Pairs[Relation]):
    """The languages of what a setting's operators make of event types."""

    def __init__(self, setting: Setting, types: int) -> None:
        """Words over so many event types."""
        self.relations = Relations(types + 1, _of_trace, Budget(STEPS))
        super().__init__(self.relations, setting)
        self._compared: dict[str, Relation] = {}

    def differences(self, left: Relation, right: Relation, relation: str = "==") -> tuple[Events, ...]:
        """Shortest traces, by sides, on which two languages are not related by `==`, `<=`, `[=]` or `~=`."""
        if left.automaton == right.automaton:
            return ()
        both = [(left, right), (right, left)] if relation != "<=" else [(left, right)]
        if relation in ("[=]", "~="):  # an instance shows those that end together with it, and start no later
            shown = [self.compared("end together"), self.compared("starts not later")]
            if relation == "[=]":  # nor earlier
                shown.append(shown[-1].at("y", "x"))
            seen = [self.relations.all_of(other.at("y"), *shown) for _, other in both]
            both = [(one, self.relations.exists(["y"], other)) for (one, _), other in zip(both, seen, strict=True)]
        only = (self.relations.all_of(one, but=[other]) for one, other in both)
        return tuple(found for found in map(self.shortest, only) if found is not None)

    def withdrawn(self, language: Relation) -> Events | None:
        """A shortest trace whose last instants take away an instance that was there before; None without one."""
        automaton = language.automaton

        def step(state: tuple[int, bool], symbol: int, marks: Marks) -> tuple[int, bool]:
            own, announced = state
            own_after = automaton.rows[own][automaton.columns[letter(symbol, marks)]]
            return (own_after, not marks[0] and (announced or (not symbol and automaton.accepting[own])))

        lost = self.relations.stepped(
            ("x",), (automaton.initial, False), step, lambda state: state[1] and not automaton.accepting[state[0]]
        )
        return self.shortest(lost)

    def shortest(self, relation: Relation) -> Events | None:
        """The events of a shortest trace on which some sets are related; None if there is none."""
        tracks = len(relation.variables)
        machine = product([relation.automaton], all)
        word = shortest_word(machine, lambda number: min(number >> tracks, 1), self.relations.budget)
        if word is None:
            return None
        events, time = [], 0
        for symbol in (number >> tracks for number in word):
            if symbol:
                events.append((chr(ord("a") + symbol - 1), time))
            else:
                time += 1
        return tuple(events)

    def compared(self, name: str) -> Relation:
        """A relation of `COMPARISONS` between instances `x` and `y`."""
        if name not in self._compared and name == "adjacent":
            self._compared[name] = self.relations.stepped(("x", "y"), "", _next, lambda state: state == "y")
        elif name not in self._compared:
            self._compared[name] = self.relations.stepped(
                ("x", "y"), _Compared(), _Compared.read, lambda found: COMPARISONS[name](found.closed())
            )
        return self._compared[name]

    def negation(self, left: Relation, right: Relation) -> Relation:
        """The instances of the left in whose interval no instance of the right lies."""
        inside = self.relations.all_of(right.at("y"), self.compared("includes"))
        return self.relations.all_of(left, but=[self.relations.exists(["y"], inside)])

    def of_type(self, number: int) -> Relation:
        """The instances `x` of an event type, which is the symbol with this number."""

        def step(seen: int, symbol: int, marks: Marks) -> int | None:
            return seen if not marks[0] else 1 if symbol == number and not seen else None

        return self.relations.stepped(("x",), 0, step, bool)

    def sequence(self, left: Relation, right: Relation) -> Relation:
        """The instances of a sequence."""
        pairs, context = self.sequence_pairs(left, right), self.setting.context
        return self._gathered(pairs) if context and context.together else self.relations.united(pairs, "x")

    def conjunction(self, left: Relation, right: Relation) -> Relation:
        """The instances of a conjunction."""
        if isinstance(self.setting.conjoined, Context) and self.setting.conjoined.together:
            sides = (self.completing(left, right), self.completing(right, left))
            return self.relations.any_of(*map(self._gathered, sides))
        return self.relations.united(self.conjunction_pairs(left, right), "x")

    def stored(self, left: Relation, right: Relation) -> Relation:
        """The instances of the left that complete nothing when they come, so that they are kept."""
        relations = self.relations
        arrivals = [
            relations.collected(relations.exists(["x"], relations.all_of(own, self._closes())), "p", name)
            for own, name in ((left, "q"), (right, "r"))
        ]
        comes = relations.stepped(("p", "q", "r"), _Open(), _Open.read, lambda found: bool(found.kept))
        kept = relations.exists(["q", "r"], relations.all_of(comes, *arrivals))
        return relations.exists(["p"], relations.all_of(left, self._closes(), kept))

    def _closes(self) -> Relation:
        """An instance `x` and the last position `p` of the instant at which it ends."""

        def step(state: str, symbol: int, marks: Marks) -> str | None:
            inside, mark = marks
            if not symbol:
                return "before" if state == "here" else state if state != "closed" else "after"
            if state in ("closed", "after"):
                return None if state == "closed" or inside or mark else state
            if mark:
                return "closed" if inside or state == "here" else None
            return "here" if inside else state

        return self.relations.stepped(("x", "p"), "before", step, lambda state: state in ("closed", "after"))

    def _gathered(self, pairs: Relation) -> Relation:
        """For each `y` of a pair its union with all `x` that it has."""
        relations = self.relations

        def read(seen: bool, symbol: int, marks: Marks) -> bool | None:
            if not marks[0]:
                return seen
            return None if seen or not marks[1] else True

        member = relations.stepped(("p", "x"), False, read, bool)  # `p` is one position, which belongs to `x`
        of_x = relations.exists(["x"], relations.all_of(pairs, member))
        of_y = relations.all_of(member.at("p", "y"), relations.exists(["x"], pairs))
        together = relations.collected(relations.any_of(of_x, of_y), "p", "u")
        found = relations.exists(["y"], relations.all_of(together, relations.exists(["x"], pairs)))
        return found.at("x")


def _next(state: str, symbol: int, marks: Marks) -> str | None:
    """What was read last of two instances, the first of which ends right before the second begins."""
    if not symbol or not any(marks):
        return "between" if symbol and state == "x" else state
    mark, before = ("x", ("", "x", "between")) if marks[0] else ("y", ("x", "y"))
    return mark if marks != (True, True) and state in before else None


def _of_trace(seen: int, symbol: int, marks: Marks) -> int | None:
    """The types of the instant as bits, -1 at the beginning: no instant is empty or has a type twice."""
    if not symbol:
        return 0 if seen > 0 else None
    return None if max(seen, 0) >> symbol & 1 else max(seen, 0) | 1 << symbol
