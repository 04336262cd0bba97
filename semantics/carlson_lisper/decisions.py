"""Decisions on ground expressions: equivalence, inclusion and emptiness, for all traces, with shortest witnesses.

Two expressions are compared at one of three levels, each coarser than the one before: the same instances on every trace
(Def. 4.1), the same intervals (Def. 4.3 on the unrestricted streams), the same detections (Def. 4.3 on valid
restrictions, Def. 3.12). Each is a question about regular languages. A negative answer comes with a shortest trace that
tells the two apart, and only after the executable semantics has replayed that trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, combinations, pairwise
from random import Random
from typing import Literal, TypeAlias

from semantics.automata import EVERYWHERE, Budget, product, shortest_word, unless
from semantics.carlson_lisper import restriction
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up, evaluate_bound, identifiers, replaced
from semantics.carlson_lisper.languages import Languages, Track, require_ground
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Stream, interpretation
from semantics.carlson_lisper.operators import OPERATORS, Operators
from semantics.carlson_lisper.syntax import Equation, Relation
from semantics.errors import EnginesDisagree, LimitExceeded
from semantics.shrinking import smallest

Level: TypeAlias = Literal["meaning", "intervals", "detection"]
LEVELS: tuple[Level, ...] = ("meaning", "intervals", "detection")
"""The levels of comparison, the finest first: what is the same at one level is the same at those that follow."""

RELATION: Mapping[Level, Relation] = {"meaning": "==", "intervals": "[=]", "detection": "~="}
"""The relation that says that two expressions are the same at a level."""

DecidedRelation: TypeAlias = Literal["equivalence", "inclusion"]
"""Equivalence, or inclusion of the left expression in the right one.

Inclusion at the level `meaning`: every instance of the left is one of the right. At `intervals`: every interval of an
instance of the left is that of an instance of the right. At `detection`: whenever the left is detected, the right is
detected at the same time, with no earlier start (`DOMINATED` in `semantics.carlson_lisper.restriction`).
"""

Side: TypeAlias = Literal["left", "right"]

MAX_STEPS = 1_000_000
"""How many transitions may be computed for one question before it is given up; some ten to twenty seconds."""

LARGE_BOUND = 50  # With bounds from here on, in ticks, a difference is also looked for with smaller bounds
SHORT = 3  # Traces of up to so many instants are compared first, where most differences show
STEP = 3  # To find a difference, bounds are made smaller until they are at most so many ticks apart

TRIES, MOST_OCCURRENCES = 1500, 6
"""How many random traces are tried, about half a second of work, and with how many occurrences."""

WORK, FEWEST_TRIES = 300_000, 20
"""So many operations are evaluated at most in trying traces, unless the fewest tries take more."""

Trace: TypeAlias = tuple[Occurrence, ...]


class Undecided(LimitExceeded):
    """A question that was given up: no trace of at most so many instants, from first to last, is what was asked for."""

    def __init__(self, reason: str, instants: int) -> None:
        known = "nothing is known"
        if instants:
            known = f"nothing was found on traces of at most {instants} instants, and all of those were looked at"
        super().__init__(f"{reason}; {known}", remedy="Smaller bounds or fewer event types make the question smaller.")
        self.why, self.instants = reason, instants

    def __reduce__(self) -> tuple[type[Undecided], tuple[str, int]]:
        return (type(self), (self.why, self.instants))


@dataclass(frozen=True)
class Witness:
    """A trace that shows a difference, the first occurrence at time 0; replayed before it was made.

    A shortest one has the fewest ticks from its first to its last occurrence, and of those the fewest occurrences.
    """

    trace: Trace
    # the side that has an instance from the first to the last occurrence that the other does not match (where the trace
    # is not a shortest one: some instance)
    holder: Side
    left: Stream  # ⟦left⟧ on the trace; `right` is ⟦right⟧
    right: Stream
    # whether it is known to be a shortest one. Where bounds are too large for the automata, a trace may have been
    # guessed; it was replayed all the same
    shortest: bool = True


@dataclass(frozen=True)
class Decision:
    """The answer to a question about two expressions, for all traces: a shortest witness where the relation fails.

    `states` are the numbers of states of the two minimal automata, as far as they were built, `steps` the work done.
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
    """Whether an expression can occur at all: on a shortest trace (where that is known), replayed, or on none."""

    expression: Expression
    trace: Trace | None
    instances: Stream
    shortest: bool = True


def decide_equation(equation: Equation, *, operators: Operators = OPERATORS, steps: int = MAX_STEPS) -> Decision:
    """Decide an equation all of whose identifiers are primitive, at the level of its relation.

    `InputError` for a symbolic bound, `Undecided` where the limit was reached; see `Decider.decide`.
    """
    levels: Mapping[Relation, Level] = {"[=]": "intervals", "~=": "detection"}
    level = levels.get(equation.relation, "meaning")
    relation: DecidedRelation = "inclusion" if equation.relation == "<=" else "equivalence"
    sides = (equation.left, equation.right)
    return Decider(sides, operators=operators, steps=steps).decide(*sides, level, relation)


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


class Decider:
    """Decides questions about ground expressions; what one question built is used by the next.

    Identifiers are primitive event types; labels of sequences do not matter, nor do values of occurrences, at which no
    operator looks. Each question may take so many steps, the transitions that are computed. InputError where a bound
    is symbolic.
    """

    def __init__(
        self, expressions: Iterable[Expression], *, operators: Operators = OPERATORS, steps: int = MAX_STEPS
    ) -> None:
        names = set[str]()
        for expression in expressions:
            require_ground(expression)
            names |= identifiers(expression)
        self.names = sorted(names)
        self.operators, self.steps, self.budget = operators, steps, Budget(steps)
        self._languages: dict[tuple[bool, int], Languages] = {}

    def decide(
        self, left: Expression, right: Expression, level: Level = "detection", relation: DecidedRelation = "equivalence"
    ) -> Decision:
        """Decide whether two expressions are equivalent, or the left included in the right, on all traces.

        Raises:
            Undecided: the limit was reached, or an operator is defined in a way that this does not cover; says for
                which traces the answer is known.
            LimitExceeded: there are too many event types.
            EnginesDisagree: a difference that was found is not confirmed by the executable semantics.
        """
        witness, sizes = self._answer((left, right), level, relation)
        return Decision(left, right, level, relation, witness is None, witness, sizes, self.budget.spent)

    def possibility(self, expression: Expression) -> Possibility:
        """Decide whether an expression has an instance on any trace; raises what `decide` raises."""
        found, _ = self._answer((expression,), "intervals", "inclusion")
        if found is None:
            return Possibility(expression, None, frozenset())
        return Possibility(expression, found.trace, found.left, found.shortest)

    def languages(self, *, marks: bool, depth: int = EVERYWHERE) -> Languages:
        """The languages over the plain or the marked track, right on words of so many letters."""
        if (marks, depth) not in self._languages:
            track = Track(self.names, marks=marks)
            self._languages[marks, depth] = Languages(track, self.budget, self.operators, depth)
        return self._languages[marks, depth]

    def _answer(
        self, sides: Sequence[Expression], level: Level, relation: DecidedRelation
    ) -> tuple[Witness | None, tuple[int, int]]:
        """A difference between two expressions, or an instance of one, with the sizes of the automata.

        Looks at short traces, then at all; if that is too much, at longer and longer ones as far as it goes. Before the
        larger work, a difference is guessed, and instances are compared.
        """
        known, found, guessed, share = 0, None, None, 1
        self.budget.spent = 0
        self.budget.allow(self.steps // 4)
        with suppress(LimitExceeded):
            found, sizes = self._difference(sides, level, relation, SHORT)
            known = SHORT
        try:
            if found is None:
                guessed = self._guessed(sides, level, relation, tries=not known)
                share = 1 if guessed is None else 4
                if level != "meaning" and len(sides) == 2:  # to find the same meaning is often less work
                    self.budget.allow(self.steps // 4)
                    with suppress(LimitExceeded):
                        different, sizes = self._difference(sides, "meaning", "equivalence", EVERYWHERE)
                        if different is None:
                            return None, sizes
                self.budget.allow(self.steps // share)
                found, sizes = self._difference(sides, level, relation, EVERYWHERE)
        except LimitExceeded as error:
            sizes, reason = (0, 0), error.reason
            self.budget.allow(self.steps // (5 * share))
            depth = 2 * SHORT
            with suppress(LimitExceeded):
                while known and found is None:
                    found, sizes = self._difference(sides, level, relation, depth)
                    known, depth = depth, depth + depth // 2
            if found is None and guessed is None:
                raise Undecided(reason, known) from None
            if found is None:
                return guessed, sizes
        if found is None:
            return None, sizes
        witness = self._replayed(found, sides, level, relation)
        if witness is None:
            told = " and ".join(map(str, sides)) + (" do not differ" if len(sides) == 2 else " has no instance")
            raise EnginesDisagree(
                f"{told} on {', '.join(map(str, found))}, where the automata say so ({relation}, {level})"
            )
        return witness, sizes

    def _difference(
        self, sides: Sequence[Expression], level: Level, relation: DecidedRelation, depth: int
    ) -> tuple[Trace | None, tuple[int, int]]:
        """A shortest trace of at most so many instants on which two expressions differ, by their automata."""
        languages = self.languages(marks=level == "meaning", depth=depth)
        track = languages.track
        backwards = level == "detection"  # so that an instance which starts later is the beginning of a word
        automata = [languages.language(languages.mirrored(side) if backwards else side) for side in sides]
        sizes = (automata[0].size, automata[1].size if len(automata) == 2 else 0)
        if len(automata) == 2 and automata[0] == automata[1]:
            return None, sizes
        found = []
        for order in (automata, automata[::-1])[: 1 if relation == "inclusion" else 2]:
            if backwards:
                violations = unless(*order)
            else:
                violations = product(order, lambda found: found[0] and not any(found[1:]), required=1)
            word = shortest_word(violations, lambda letter: track.present[letter].bit_count(), self.budget, depth)
            if word is not None:
                found.append(track.log(word[::-1] if backwards else word))
                depth = len(word)
        best = min(found, key=lambda trace: (trace[-1].time, len(trace)), default=None)
        return best, sizes

    def _replayed(
        self, trace: Trace, sides: Sequence[Expression], level: Level, relation: DecidedRelation, shortest: bool = True
    ) -> Witness | None:
        """What a trace shows by the executable semantics; None if it shows nothing."""
        scenario = interpretation(trace)
        streams = [denotation(side, scenario, operators=self.operators) for side in sides]
        left, right = (*streams, frozenset[Instance]())[:2]
        if related(level, relation, left, right):
            return None
        holder: Side = "right" if related(level, "inclusion", left, right) else "left"
        return Witness(trace, holder, left, right, shortest)

    def _guessed(
        self, sides: Sequence[Expression], level: Level, relation: DecidedRelation, *, tries: bool
    ) -> Witness | None:
        """A difference on a trace for smaller bounds made longer, where these are large, or on one of many traces.

        These are tried where some bound is large, or if asked for.
        """
        scaled, small = with_small_bounds(sides)
        bounds = list(small)
        large = bounds != [] and bounds[-1] >= LARGE_BOUND
        if large:
            self.budget.allow(self.steps // 4)
            with suppress(LimitExceeded):
                found, _ = self._difference(scaled, level, relation, EVERYWHERE)
                longer = None if found is None else made_longer(found, small)
                witness = None if longer is None else self._replayed(longer, sides, level, relation, shortest=False)
                if witness is not None:
                    return witness
        random = Random(0)
        gaps = sorted({max(0, bound + near) for bound in [0, *bounds] for near in (-1, 0, 1, 2)})

        def simpler(shown: Witness) -> Iterator[Witness]:
            trace = shown.trace
            less = [trace[:place] + trace[place + 1 :] for place in range(len(trace)) if len(trace) > 1]
            for place, (one, other) in enumerate(pairwise(trace), 1):
                gap = other.time - one.time
                for by in (by for by in (gap, gap - 1, gap // 2, 1) if 0 < by <= gap):
                    less.append(trace[:place] + tuple(each._replace(time=each.time - by) for each in trace[place:]))
            for each in less:
                witness = self._replayed(_from_zero(each), sides, level, relation, shortest=False)
                if witness is not None:
                    yield witness

        for _ in range(
            max(FEWEST_TRIES, min(TRIES, WORK // sum(len(bottom_up(side)) for side in sides))) if tries or large else 0
        ):
            time, chosen = 0, set[Occurrence]()
            for _ in range(random.randint(1, MOST_OCCURRENCES)):
                chosen.add(Occurrence(random.choice(self.names), time))
                time += random.choice((0, 1, 1, *random.choices(gaps, k=3)))
            witness = self._replayed(_from_zero(chosen), sides, level, relation, shortest=False)
            if witness is not None:
                return smallest(witness, simpler)
        return None


def _from_zero(occurrences: Iterable[Occurrence]) -> Trace:
    ordered = sorted(set(occurrences), key=Occurrence.sort_key)
    return tuple(each._replace(time=each.time - ordered[0].time) for each in ordered)


def with_small_bounds(expressions: Sequence[Expression]) -> tuple[list[Expression], dict[int, int]]:
    """The expressions with smaller bounds, at most `STEP` apart, and these by the bounds in whose place they are."""
    nodes = [node for each in expressions for node in bottom_up(each)]
    bounds = sorted({evaluate_bound(n.bound) for n in nodes if isinstance(n, Operation) and n.bound is not None})
    small = dict(zip(bounds, accumulate(min(b - a, STEP) for a, b in pairwise([0, *bounds])), strict=True))
    return [replaced(each, bound=lambda bound: small[evaluate_bound(bound)]) for each in expressions], small


def made_longer(trace: Trace, scale: Mapping[int, int]) -> Trace | None:
    """The least trace whose lengths compare with bounds as those of a trace do with the smaller bounds of a scale.

    On it expressions mean what they mean with the smaller bounds. None if there is none.
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
