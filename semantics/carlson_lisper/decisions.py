"""Decisions on ground expressions: equivalence, inclusion and emptiness, for all traces, with shortest witnesses.

Two expressions are compared at one of three levels, each coarser than the one before: the same instances on every trace
(Def. 4.1), the same intervals (Def. 4.3 on the unrestricted streams), the same detections (Def. 4.3 on valid
restrictions, Def. 3.12). Each is a question about regular languages. A negative answer comes with a shortest trace that
tells the two apart, and only after the executable semantics has replayed that trace.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, combinations, pairwise
from random import Random
from typing import Any, Literal, TypeAlias

from semantics.automata.automata import (
    EVERYWHERE,
    Budget,
    Inclusion,
    Machine,
    OutOfReach,
    Search,
    concatenation,
    grouped,
    product,
    shortest_word,
    words,
)
from semantics.carlson_lisper import restriction
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up, evaluate_bound, identifiers, replaced
from semantics.carlson_lisper.languages import Language, Languages, Track, marked_track, plain_track, require_ground
from semantics.carlson_lisper.occurrences import Occurrence, Stream, interpretation
from semantics.carlson_lisper.operators import OPERATORS, Operators
from semantics.carlson_lisper.syntax import Equation
from semantics.errors import LimitExceeded
from semantics.shrinking import smallest

Level: TypeAlias = Literal["meaning", "intervals", "detection"]
"""Level of comparison: instances, their intervals, or the intervals of valid restrictions."""

LEVELS: tuple[Level, ...] = ("meaning", "intervals", "detection")
"""The levels, the finest first: what is the same at one level is the same at those that follow."""

DecidedRelation: TypeAlias = Literal["equivalence", "inclusion"]
"""Equivalence, or inclusion of the left expression in the right one.

Inclusion at the level `meaning`: every instance of the left is one of the right. At `intervals`: every interval of an
instance of the left is that of an instance of the right. At `detection`: whenever the left is detected, the right is
detected at the same time, with no earlier start (`DOMINATED` in `semantics.carlson_lisper.restriction`).
"""

Side: TypeAlias = Literal["left", "right"]

MAX_STEPS = 1_000_000
"""How many transitions may be computed for one question before it is given up; some ten to twenty seconds."""

LARGE_BOUND = 50
"""With bounds from here on, in ticks, a difference is also looked for by guessing."""

SHORT = 3
"""Traces of up to so many instants are compared first, where most differences show."""


STEP = 3
"""To find a difference, bounds are made smaller until they are at most so many ticks apart."""

TRIES, MOST_OCCURRENCES = 1500, 6
"""How many traces are tried, about half a second of work, and with how many occurrences."""

WORK, FEWEST_TRIES = 300_000, 20
"""So many operations are evaluated at most in trying traces, unless the fewest tries take more."""

Trace: TypeAlias = tuple[Occurrence, ...]


class EnginesDisagree(Exception):
    """The automata found a difference that the executable semantics does not confirm; a defect of the project."""


class Undecided(LimitExceeded):
    """A question that was given up.

    Attributes:
        instants: no trace with at most so many instants, from its first occurrence to its last, tells the expressions
            apart (or, where one was asked for, has an occurrence).
    """

    def __init__(self, reason: str, instants: int) -> None:
        """Say why, and how far the answer is known."""
        known = "nothing is known"
        if instants:
            known = f"nothing was found on traces of at most {instants} instants, and all of those were looked at"
        super().__init__(f"{reason}; {known}", remedy="Smaller bounds or fewer event types make the question smaller.")
        self.why = reason
        self.instants = instants

    def __reduce__(self) -> tuple[type[Undecided], tuple[str, int]]:
        """Pickle with what it is built from."""
        return (type(self), (self.why, self.instants))


@dataclass(frozen=True)
class Witness:
    """A trace that shows a difference; replayed before it was made.

    A shortest one has the fewest ticks from its first to its last occurrence, and of those the fewest occurrences.

    Attributes:
        trace: the occurrences by time, the first at time 0.
        holder: the side that has an instance from the first to the last occurrence that the other does not match
            (where the trace is not a shortest one: some instance).
        left: ⟦left⟧ on the trace.
        right: ⟦right⟧ on the trace.
        shortest: whether it is known to be a shortest one. Where bounds are too large for the automata, a trace may
            have been guessed; it was replayed all the same.
    """

    trace: Trace
    holder: Side
    left: Stream
    right: Stream
    shortest: bool = True


@dataclass(frozen=True)
class Decision:
    """The answer to a question about two expressions, for all traces.

    Attributes:
        witness: a shortest trace on which the relation does not hold; None if it holds.
        states: the numbers of states of the two minimal automata, as far as they were built.
        steps: the work that was done.
    """

    left: Expression
    right: Expression
    level: Level
    relation: DecidedRelation
    holds: bool
    witness: Witness | None
    states: tuple[int, int]
    steps: int


@dataclass(frozen=True)
class Possibility:
    """Whether an expression can occur at all.

    Attributes:
        trace: a shortest trace on which it has an instance, replayed; None if there is none.
        shortest: whether the trace is known to be a shortest one.
    """

    expression: Expression
    trace: Trace | None
    instances: Stream
    shortest: bool = True


def decide(
    left: Expression,
    right: Expression,
    level: Level = "detection",
    *,
    relation: DecidedRelation = "equivalence",
    operators: Operators = OPERATORS,
    steps: int = MAX_STEPS,
) -> Decision:
    """Decide whether two ground expressions are equivalent, or the left included in the right, on all traces.

    Identifiers are primitive event types; labels of sequences do not matter, nor do values of occurrences, at which no
    operator looks.

    Args:
        relation: equivalence or inclusion.
        steps: the greatest number of transitions that may be computed.

    Raises:
        InputError: a bound is symbolic.
        NotAnIntervalLanguage: an operator is defined in a way that this does not cover.
        Undecided: the limit was reached; says for which traces the answer is known.
        LimitExceeded: there are too many event types.
        EnginesDisagree: a difference that was found is not confirmed by the executable semantics.
    """
    return Decider((left, right), operators=operators, steps=steps).decide(left, right, level, relation)


def decide_equation(equation: Equation, *, operators: Operators = OPERATORS, steps: int = MAX_STEPS) -> Decision:
    """Decide an equation all of whose identifiers are primitive: == and <= compare meanings, ~= detections.

    Raises:
        InputError: a bound is symbolic.
        Undecided: the limit was reached; see `decide`.
    """
    level: Level = "detection" if equation.relation == "~=" else "meaning"
    relation: DecidedRelation = "inclusion" if equation.relation == "<=" else "equivalence"
    return decide(equation.left, equation.right, level, relation=relation, operators=operators, steps=steps)


def possibility(expression: Expression, *, operators: Operators = OPERATORS, steps: int = MAX_STEPS) -> Possibility:
    """Decide whether an expression has an instance on any trace.

    Raises:
        InputError: a bound is symbolic.
        Undecided: the limit was reached; see `decide`.
    """
    return Decider((expression,), operators=operators, steps=steps).possibility(expression)


def related(level: Level, relation: DecidedRelation, left: Stream, right: Stream) -> bool:
    """Whether two streams are related, by the executable semantics."""
    if level == "meaning":
        return left == right if relation == "equivalence" else left <= right
    if level == "intervals":
        one, other = ({instance.interval for instance in stream} for stream in (left, right))
        return one == other if relation == "equivalence" else one <= other
    if relation == "equivalence":
        return restriction.same_intervals(restriction.restriction(left), restriction.restriction(right))
    return restriction.dominated(left, right)


@dataclass(frozen=True)
class _Found:
    """A trace that shows something, the side that has the instance, and whether there is no shorter trace."""

    trace: Trace
    holder: Side = "left"
    shortest: bool = True


@dataclass(frozen=True)
class _Seen:
    """Whether all traces were looked at, what was found, and the sizes of the automata."""

    whole: bool
    found: _Found | None
    sizes: tuple[int, int]


_Look: TypeAlias = Callable[[Sequence[Expression], int], _Seen]
"""Looks at what automata say of expressions on traces of up to so many instants."""

_Shows: TypeAlias = Callable[[Trace], bool]
"""Whether what is looked for shows on a trace, by the executable semantics."""


class Decider:
    """Decides questions about given expressions; what one question built is used by the next."""

    def __init__(
        self, expressions: Iterable[Expression], *, operators: Operators = OPERATORS, steps: int = MAX_STEPS
    ) -> None:
        """Prepare for questions about these expressions, each of which may take so many steps.

        Raises:
            InputError: a bound is symbolic.
        """
        given = tuple(expressions)
        for expression in given:
            require_ground(expression)
        self.names = sorted(frozenset[str]().union(*map(identifiers, given)))
        self.operators = operators
        self.steps = steps
        self.budget = Budget(steps)
        self._languages: dict[bool, Languages] = {}

    def decide(
        self, left: Expression, right: Expression, level: Level = "detection", relation: DecidedRelation = "equivalence"
    ) -> Decision:
        """Decide one question; see the function `decide`."""

        def same_meaning() -> tuple[int, int] | None:
            """The sizes of the automata if even the meanings are the same, which often is the smaller question."""
            one, two = (self._on_track(marked=True).language(side).automaton for side in (left, right))
            return (one.size, two.size) if one == two else None

        def differs(trace: Trace) -> bool:
            return not related(level, relation, *self._evaluated(trace, left, right))

        found, sizes = self._answer(
            (left, right),
            lambda sides, depth: self._difference(sides, level, relation, depth),
            differs,
            None if level == "meaning" else same_meaning,
        )
        witness = None
        if found is not None:
            if not differs(found.trace):
                raise EnginesDisagree(
                    f"{left} and {right} do not differ on {_listed(found.trace)}, where the automata say so"
                    f" ({relation}, {level})"
                )
            one, two = self._evaluated(found.trace, left, right)
            holder = found.holder
            if not found.shortest:
                holder = "right" if related(level, "inclusion", one, two) else "left"
            witness = Witness(found.trace, holder, one, two, found.shortest)
        return Decision(left, right, level, relation, witness is None, witness, sizes, self.budget.spent)

    def possibility(self, expression: Expression) -> Possibility:
        """Decide whether an expression has an instance on any trace."""

        def occurrence(sides: Sequence[Expression], depth: int) -> _Seen:
            languages = self._on_track(marked=False)
            language = languages.language(sides[0], depth)
            search = self._search(words(language.automaton), languages.track, depth)
            found = None if search.word is None else _Found(_trace(languages.track, search.word))
            return _Seen(language.reach == EVERYWHERE and search.exhausted, found, (language.automaton.size, 0))

        def occurs(trace: Trace) -> bool:
            return bool(self._evaluated(trace, expression)[0])

        found, _ = self._answer((expression,), occurrence, occurs)
        if found is None:
            return Possibility(expression, None, frozenset())
        (instances,) = self._evaluated(found.trace, expression)
        if not instances:
            raise EnginesDisagree(f"{expression} has no instance on {_listed(found.trace)}, where the automata say so")
        return Possibility(expression, found.trace, instances, found.shortest)

    def _on_track(self, *, marked: bool) -> Languages:
        if marked not in self._languages:
            track = (marked_track if marked else plain_track)(self.names)
            self._languages[marked] = Languages(track, self.budget, self.operators)
        return self._languages[marked]

    def _search(self, machine: Machine[Any], track: Track, depth: int) -> Search:
        return shortest_word(machine, lambda letter: track.present[letter].bit_count(), self.budget, depth)

    def _evaluated(self, trace: Trace, *expressions: Expression) -> list[Stream]:
        """Meanings of expressions on a trace, by the executable semantics."""
        scenario = interpretation(trace)
        return [denotation(expression, scenario, operators=self.operators) for expression in expressions]

    def _difference(
        self, expressions: Sequence[Expression], level: Level, relation: DecidedRelation, depth: int
    ) -> _Seen:
        """A shortest trace of at most so many instants on which two expressions differ, by their automata."""
        languages = self._on_track(marked=level == "meaning")
        one, two = (languages.language(side, depth) for side in expressions)
        sizes = one.automaton.size, two.automaton.size
        whole = min(one.reach, two.reach) == EVERYWHERE
        if whole and one.automaton == two.automaton:
            return _Seen(True, None, sizes)
        best: tuple[tuple[int, int], tuple[int, ...], Side] | None = None
        sides: tuple[tuple[Side, Language, Language], ...] = (("left", one, two), ("right", two, one))
        for holder, a, b in sides[: 1 if relation == "inclusion" else 2]:
            violations = _violations(level, a, b, languages.track, self.budget)
            search = self._search(violations, languages.track, depth if best is None else len(best[1]))
            whole = whole and search.exhausted
            if search.word is not None and (best is None or search.measure < best[0]):
                best = search.measure, search.word, holder
        return _Seen(whole, None if best is None else _Found(_trace(languages.track, best[1]), best[2]), sizes)

    def _answer(
        self,
        expressions: Sequence[Expression],
        look: _Look,
        shows: _Shows,
        sufficient: Callable[[], tuple[int, int] | None] | None = None,
    ) -> tuple[_Found | None, tuple[int, int]]:
        """Look at short traces, then at all; if that is too much, at longer and longer ones as far as it goes.

        Before the larger work a guess is tried, and a condition that is sufficient for there being nothing to find.

        Raises:
            Undecided: nothing was found, and not everything was seen.
        """
        decided, sizes, guessed = 0, (0, 0), None
        self.budget.spent = 0
        self.budget.allow(self.steps // 4)
        with suppress(LimitExceeded):
            seen = look(expressions, SHORT)
            if seen.whole or seen.found is not None:
                return seen.found, seen.sizes
            decided, sizes = SHORT, seen.sizes
        try:
            bounds = _bounds_of(expressions)
            if not decided or (bounds and bounds[-1] >= LARGE_BOUND):
                guessed = self._guessed(expressions, bounds, look, shows)
            if guessed is None and sufficient is not None:
                self.budget.allow(self.steps // 4)
                with suppress(LimitExceeded):
                    enough = sufficient()
                    if enough is not None:
                        return None, enough
            self.budget.allow(self.steps if guessed is None else self.steps // 4)
            seen = look(expressions, EVERYWHERE)
            return seen.found, seen.sizes
        except LimitExceeded as error:
            reason, share = error.reason, 2
            if isinstance(error, OutOfReach):  # then so is all but the shortest traces
                share = 8
        self.budget.allow(self.steps // (share if guessed is None else 4 * share))
        depth = 2 * SHORT
        with suppress(LimitExceeded):
            while True:
                seen = look(expressions, depth)
                if seen.whole or seen.found is not None:
                    return seen.found, seen.sizes
                decided, sizes = depth, seen.sizes
                depth += depth // 2
        if guessed is None:
            raise Undecided(reason, decided)
        return guessed, sizes

    def _guessed(
        self, expressions: Sequence[Expression], bounds: Sequence[int], look: _Look, shows: _Shows
    ) -> _Found | None:
        """A trace that shows what is looked for: one for smaller bounds made longer, or one of many that are tried."""
        small = dict(zip(bounds, accumulate(min(b - a, STEP) for a, b in pairwise([0, *bounds])), strict=True))
        self.budget.allow(self.steps // 4)
        with suppress(LimitExceeded):
            scaled = [replaced(each, bound=lambda bound: small[evaluate_bound(bound)]) for each in expressions]
            found = look(scaled, EVERYWHERE).found
            trace = None if found is None else _stretched(found.trace, small)
            if trace is not None and shows(trace):
                return _Found(trace, shortest=False)
        nodes = sum(len(bottom_up(expression)) for expression in expressions)
        trace = guessed_trace(self.names, bounds, shows, tries=max(FEWEST_TRIES, min(TRIES, WORK // nodes)))
        return None if trace is None else _Found(trace, shortest=False)


def _violations(level: Level, one: Language, two: Language, track: Track, budget: Budget) -> Machine[Any]:
    """The words that an instance of the one expression spans which the other expression does not match."""
    if level != "detection":
        return product([one.automaton, two.automaton], lambda found: found[0] and not found[1], required=1)
    # No instance of the other ends with the word and starts in it: none of its runs covers the one that is looked at.
    later = concatenation(track.every, two.automaton, budget)
    covered = Inclusion(one.automaton, two.automaton, budget)
    columns, rows, accepting = one.automaton.columns, one.automaton.rows, one.automaton.accepting
    group_of = {letter: group for group, letters in enumerate(later.classes) for letter in letters}
    signatures = [(column, group_of[letter]) for letter, column in enumerate(columns)]
    classes = grouped(signatures)
    seen = [signatures[letters[0]] for letters in classes]

    def step(state: tuple[int, Any], group: int) -> tuple[int, Any] | None:
        column, other = seen[group]
        after, runs = rows[state[0]][column], later.step(state[1], other)
        if not after or runs is None or any(covered(after, run) for run in runs[1]):
            return None
        return after, runs

    initial = (one.automaton.initial, later.initial) if one.automaton.initial else None
    return Machine(initial, classes, step, lambda state: accepting[state[0]] and not later.accepting(state[1]))


def _trace(track: Track, word: Iterable[int]) -> Trace:
    return tuple(Occurrence(event, time) for time, letter in enumerate(word) for event in track.events(letter))


def _listed(trace: Iterable[Occurrence]) -> str:
    return ", ".join(map(str, trace)) or "the empty trace"


# ------------------------------------------------------------------------------------------------- guessing


def _bounds_of(expressions: Iterable[Expression]) -> list[int]:
    """The distinct bounds in ground expressions, in ticks, ascending."""
    nodes = (node for expression in expressions for node in bottom_up(expression))
    return sorted({evaluate_bound(n.bound) for n in nodes if isinstance(n, Operation) and n.bound is not None})


def _stretched(trace: Trace, scale: Mapping[int, int]) -> Trace | None:
    """The least trace whose lengths compare with bounds as those of a trace do with smaller bounds.

    Args:
        scale: by bound, the smaller one.

    Returns:
        The trace, on which expressions mean what they mean with the smaller bounds; None if there is none.
    """
    times = sorted({occurrence.time for occurrence in trace})
    moved = dict.fromkeys(times, 0)
    for _ in range(len(times) + 1):  # the longest ways in a graph of differences
        before = dict(moved)
        for one, other in combinations(times, 2):
            least = max((bound + 1 for bound, small in scale.items() if small < other - one), default=1)
            most = min((bound for bound, small in scale.items() if small >= other - one), default=None)
            moved[other] = max(moved[other], moved[one] + least)
            if most is not None:
                moved[one] = max(moved[one], moved[other] - most)
        if moved == before:
            first = moved[times[0]]
            return tuple(occurrence._replace(time=moved[occurrence.time] - first) for occurrence in trace)
    return None


def guessed_trace(
    names: Sequence[str], bounds: Sequence[int], differs: _Shows, *, tries: int = TRIES, seed: int = 0
) -> Trace | None:
    """A trace, from time 0, on which something differs; made smaller while it still does. None: none was found.

    Args:
        bounds: the bounds that matter, in ticks.
        differs: whether a trace shows the difference.
    """
    random = Random(seed)
    lengths = [0, *bounds]
    gaps = {abs(one - two) + near for one in lengths for two in lengths for near in (-1, 0, 1, 2)}
    usual = sorted(gap for gap in gaps if gap >= 0)
    for _ in range(tries):
        time, found = 0, set[tuple[int, str]]()
        for _ in range(random.randint(1, MOST_OCCURRENCES)):
            found.add((time, random.choice(names)))
            time += random.choice((0, 1, 1, *random.choices(usual, k=3)))
        trace = _from_zero(found)
        if differs(trace):
            return smallest(trace, lambda shown: filter(differs, _simpler(shown, usual)))
    return None


def _from_zero(pairs: Iterable[tuple[int, str]]) -> Trace:
    chosen = sorted(pairs)
    first = chosen[0][0]
    return tuple(Occurrence(name, time - first) for time, name in chosen)


def _simpler(trace: Trace, gaps: Sequence[int]) -> Iterator[Trace]:
    """The trace without an occurrence, or with a shorter gap."""
    pairs = [(occurrence.time, occurrence.event) for occurrence in trace]
    if len(pairs) > 1:
        for place in range(len(pairs)):
            yield _from_zero([*pairs[:place], *pairs[place + 1 :]])
    for place in range(1, len(pairs)):
        gap = pairs[place][0] - pairs[place - 1][0]
        less = {gap - (1 << power) for power in range(gap.bit_length())}
        for shorter in sorted({*(other for other in gaps if other < gap), gap // 2, *less} - {gap}):
            moved = [(time - gap + shorter, name) for time, name in pairs[place:]]
            if len({*pairs[:place], *moved}) == len(pairs):
                yield _from_zero([*pairs[:place], *moved])
