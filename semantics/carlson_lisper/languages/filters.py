"""The language of { s | s ∈ S, condition }: one run, its length, and what the condition asks of other instances.

A machine reads the instants of the interval of s and keeps the state of the operand's automaton, the number of instants
as far as the condition depends on it, and per quantifier the possible runs of the quantified instance.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from semantics.automata.automata import EVERYWHERE, Automaton, Budget, grouped
from semantics.automata.inclusion import Inclusion
from semantics.carlson_lisper.languages.arrangements import BEFORE, DEAD, STAY, within_shape
from semantics.carlson_lisper.languages.conditions import (
    LengthTest,
    NotAnIntervalLanguage,
    length_test,
    turning_point,
)
from semantics.carlson_lisper.languages.letters import Track
from semantics.carlson_lisper.languages.operands import Antichains, Operand
from semantics.carlson_lisper.operators import Comprehension
from semantics.formulas import And, Compare, Exists, ForAll, Formula, Not, Or

Run: TypeAlias = tuple[int, int]
"""Where a quantified instance may be: the class of the arrangement and the state of its automaton."""

Truth: TypeAlias = bool | None
"""Three-valued: None where it depends on what follows."""

Verdict: TypeAlias = Callable[[Sequence[Truth]], Truth]
"""The truth of a condition from that of its atoms."""


@dataclass(frozen=True)
class _Quantifier:
    """`Exists variable ∈ stream (body)` in the condition of a comprehension."""

    variable: str
    stream: str
    body: Formula


def _read(formula: Formula, outer: str, atoms: list[LengthTest | _Quantifier]) -> Verdict:
    """The truth of a condition as a function of that of its atoms, which are appended to the list."""
    match formula:
        case Compare("=", left, right):  # the others are monotone in the length
            return _read(And((Compare("<=", left, right), Compare("<=", right, left))), outer, atoms)
        case Compare():
            atoms.append(length_test(formula, outer))
        case Exists(variable, stream, body):
            atoms.append(_Quantifier(variable, stream, body))
        case ForAll(variable, stream, body):
            return _read(Not(Exists(variable, stream, Not(body))), outer, atoms)
        case Not(body):
            return _negation(_read(body, outer, atoms))
        case And(parts):
            return _conjunction([_read(part, outer, atoms) for part in parts])
        case Or(parts):
            return _negation(_conjunction([_negation(_read(part, outer, atoms)) for part in parts]))
        case _:
            raise NotAnIntervalLanguage("looks at more of instances than their starts and ends")
    place = len(atoms) - 1
    return lambda values: values[place]


def _negation(inner: Verdict) -> Verdict:
    def verdict(values: Sequence[Truth]) -> Truth:
        value = inner(values)
        return None if value is None else not value

    return verdict


def _conjunction(parts: Sequence[Verdict]) -> Verdict:
    def verdict(values: Sequence[Truth]) -> Truth:
        found = [part(values) for part in parts]
        return False if False in found else None if None in found else True

    return verdict


class Condition:
    """The condition of a comprehension over one stream, asked at an instant of its instance s."""

    def __init__(self, formula: Formula, outer: str, bound: int | None) -> None:
        atoms: list[LengthTest | _Quantifier] = []
        self.verdict = _read(formula, outer, atoms)
        self.quantifiers = [atom for atom in atoms if isinstance(atom, _Quantifier)]
        self.turning_points = [
            turning_point(atom, bound) if isinstance(atom, LengthTest) else None for atom in atoms
        ]
        lengths = [atom.constant_from(bound) for atom in atoms if isinstance(atom, LengthTest)]
        self.last = 1 + max(lengths, default=-1)
        self._known: dict[tuple[int, int, tuple[Truth, ...]], Truth] = {}

    def at(self, count: int, quantified: tuple[Truth, ...]) -> Truth:
        """The truth if s has so many instants."""
        return self._between(count, count, quantified)

    def after(self, count: int, quantified: tuple[Truth, ...]) -> Truth:
        """The truth if s has more instants than that."""
        return self._between(min(count + 1, self.last), self.last, quantified)

    def _between(self, least: int, greatest: int, quantified: tuple[Truth, ...]) -> Truth:
        key = (least, greatest, quantified)
        if key not in self._known:
            values: list[Truth] = []
            remaining = iter(quantified)
            for turning_point in self.turning_points:
                if turning_point is None:
                    values.append(next(remaining))
                    continue
                at_first, turn = turning_point
                if turn is None or greatest <= turn:  # a length is one less than the number of instants
                    values.append(at_first)
                else:
                    values.append(not at_first if least > turn else None)
            self._known[key] = self.verdict(values)
        return self._known[key]

    @property
    def longest(self) -> int:
        """How many instants s has at most, as far as the condition alone says."""
        unknown = (None,) * len(self.quantifiers)
        if self.at(self.last, unknown) is not False:
            return EVERYWHERE
        return self.last if self.at(self.last - 1, unknown) is not False else max(self.last - 1, 0)


SETTLED: frozenset[Run] = frozenset({(-1, -1)})
"""In place of the possible runs of a quantified instance: there is one, whatever follows."""

Followed: TypeAlias = tuple[frozenset[Run], bool]
"""What is known of a quantifier: the possible runs, and its truth if s ends now."""

FilterState: TypeAlias = tuple[int, int, tuple[Followed, ...]]
"""The state of the operand's run, the number of instants as far as it matters, and what is known per quantifier."""


class FilterMachine:
    """The words that { s | s ∈ S, condition } spans."""

    def __init__(
        self,
        comprehension: Comprehension,
        operands: Mapping[str, Operand],
        bound: int | None,
        track: Track,
        budget: Budget,
    ) -> None:
        """Prepare for one comprehension over one stream."""
        ((variable, stream),) = comprehension.ranges
        self.condition = Condition(comprehension.condition, variable, bound)
        self.automaton = operands[stream].automaton
        quantifiers = self.condition.quantifiers
        self.followed = [
            _FollowedQuantifier(quantifier, variable, operands[quantifier.stream].plain, budget)
            for quantifier in quantifiers
        ]
        columns = [self.automaton.columns, *(_plain_columns(f.automaton, track) for f in self.followed)]
        signatures = list(zip(*columns, strict=True))
        self.classes: Sequence[Sequence[int]] = grouped(signatures)
        self.seen: list[tuple[int, ...]] = [signatures[letters[0]] for letters in self.classes]
        self.covers = [
            Inclusion(self.automaton, quantifier.automaton, budget, zip(columns[0], own, strict=True))
            for quantifier, own in zip(self.followed, columns[1:], strict=True)
        ]
        self.initial: FilterState | None = None
        if self.automaton.initial:
            self.initial = (self.automaton.initial, 0, tuple(f.initial for f in self.followed))

    def least_work(self, depth: int) -> int:
        """How many steps its automaton takes at the least, right on words of at most `depth` letters.

        Each length that the condition tells apart has states of its own. Of the last ones some may not be needed.
        """
        if self.followed:
            return 0
        lengths = min(self.condition.last - 2, self.condition.longest - 2, depth - 1)
        return self.automaton.reached(lengths) * len(self.classes)

    def step(self, state: FilterState, group: int) -> FilterState | None:
        """The run of the operand and those of the quantified instances after one more instant."""
        column, *others = self.seen[group]
        after = self.automaton.rows[state[0]][column]
        if not after:
            return None
        condition = self.condition
        count = min(state[1] + 1, condition.last)
        if not others:
            if condition.after(count, ()) is False and not self.accepting((after, count, ())):
                return None
            return after, count, ()
        known = tuple(
            [
                quantifier.step(before, other)
                for quantifier, before, other in zip(self.followed, state[2], others, strict=True)
            ]
        )
        found = (after, count, known)
        if not self.accepting(found):
            later = tuple([True if runs is SETTLED else None if runs else False for runs, _ in known])
            if condition.after(count, later) is False:
                return None
            if known and condition.after(count, self._followed_to_the_end(after, known, later)) is False:
                return None
        return found

    def _followed_to_the_end(
        self, state: int, known: Sequence[Followed], later: tuple[Truth, ...]
    ) -> tuple[Truth, ...]:
        """What is known of the quantifiers at the ends of s: also that an instance ends wherever s can end."""
        return tuple(
            [
                True
                if truth is None and any(quantifier.shape.at_end[n] and covers(state, q) for n, q in runs)
                else truth
                for quantifier, covers, (runs, _), truth in zip(
                    self.followed, self.covers, known, later, strict=True
                )
            ]
        )

    def accepting(self, state: FilterState) -> bool:
        """Whether the operand's run accepts and the condition holds if s ends here."""
        return (
            self.automaton.accepting[state[0]]
            and self.condition.at(state[1], tuple([now for _, now in state[2]])) is True
        )


def _plain_columns(automaton: Automaton, track: Track) -> tuple[int, ...]:
    return tuple([automaton.columns[letter] for letter in track.plain])


class _FollowedQuantifier:
    """The possible runs of a quantified instance within s."""

    def __init__(self, quantifier: _Quantifier, outer: str, automaton: Automaton, budget: Budget) -> None:
        self.shape = within_shape(quantifier.body, outer, quantifier.variable)
        self.automaton = automaton
        self.antichains = Antichains((automaton,), budget)
        hopeless = self.shape.initial == DEAD or not automaton.initial
        self.initial: Followed = (frozenset() if hopeless else frozenset({(self.shape.initial, 0)}), False)
        self._steps: dict[tuple[Run, int], Followed] = {}

    def step(self, before: Followed, column: int) -> Followed:
        if before[0] is SETTLED:
            return SETTLED, True
        found: set[Run] = set()
        true_now = False
        for run in before[0]:
            advanced = self._steps.get((run, column))
            if advanced is None:
                advanced = self._steps[run, column] = self._advance(run, column)
            found |= advanced[0]
            true_now = true_now or advanced[1]
        if not SETTLED.isdisjoint(found):
            return SETTLED, true_now
        return self.antichains.reduced(frozenset(found)), true_now

    def _advance(self, run: Run, column: int) -> Followed:
        number, q = run
        shape, automaton = self.shape, self.automaton
        if shape.statuses[number] == BEFORE:
            q = automaton.initial
        found: set[Run] = set()
        true_now = False
        for option in shape.options[number]:
            after = automaton.rows[q][column] if option.active else 0
            if option.active and not after:
                continue
            for ends, target, true_if_last in option.endings:
                if ends and not automaton.accepting[after]:
                    continue
                true_now = true_now or true_if_last
                going = 0 if ends else after
                if target == DEAD or (going and not any(automaton.rows[going])):
                    continue
                target = number if target == STAY else target
                found.add((-1, -1) if shape.settled[target] else (target, going))
        return frozenset(found), true_now
