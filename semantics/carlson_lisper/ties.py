"""Ties: rows of one tick that come one after the other, on a finer clock; and whether their order can matter.

Of at most K rows of a tick, the one at place k of tick t has the time 2Kt + k. Of two such times the lesser one is that
of the earlier tick, or place; and they are at most 2Kb + K - 1 apart if and only if their ticks are at most b apart. So
detectors, and what is proved of them, stay as they are.

*A tie can matter* to a pattern if there are two logs that differ only in the order of rows within a tick, and whose
detections are not the same: in each tick, as many with each start, in ticks. Their order in a tick is not compared, nor
which of the instances with one start is reported. This is decided by automata. A log is a word of rows and of steps to
the next tick; the words that an instance spans are a regular language (`Languages`): a bound counts steps. Read
backwards from a row, the shortest beginning that is spanned is what is detected there. Let A be the minimal automaton
of the words, backwards, with such a beginning. Neighbours that change places make any order of any other one, so the
question is about logs u x y v and u y x v, with x and y in one tick.

- What is detected at the last row of v, which is not empty, can be different if and only if v leads A to a state from
  which x y and y x lead to different ones. Then some u is a continuation after which one is accepted and not the other:
  there is a detection in one log that starts with its first row, and none in the other.
- At x and y themselves, two detections in one log stand against two in the other. Of the four states of A, two are
  reached by x and y x, two by y and x y. The detections have the same starts for every u if and only if after every
  word as many of the one two accept as of the other two, as the starts in the last n ticks of u are counted so.

Where neither ever differs, no order matters. A shortest word of either kind makes a smallest log: there the detections
at all other rows are the same, so that no other one makes up for the difference. It is evaluated before it is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import combinations
from typing import NamedTuple, TypeAlias

from semantics.automata import EVERYWHERE, Automaton, Budget, Machine, minimal, shortest_word
from semantics.carlson_lisper import expressions
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up, evaluate_bound, identifiers, replaced
from semantics.carlson_lisper.languages import Languages, Track
from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.restriction import restriction
from semantics.errors import EnginesDisagree, LimitExceeded
from semantics.events import Interval, Moment
from semantics.traces.rows import MAX_TIME

STEPS, FEW = 200_000, 30_000
"""How many transitions may be computed to decide whether ties can matter, about half a second; or for a note."""

SHORT = 9  # Logs of fewer rows and ticks are looked at first: for these, automata are small whatever the bounds


def finer(pattern: Expression, scale: int) -> Expression:
    """The pattern on the finer clock with so many times in a tick, 2K; with 1, the pattern itself."""
    if scale == 1:
        return pattern
    return replaced(pattern, bound=lambda bound: min(scale * evaluate_bound(bound) + scale // 2 - 1, MAX_TIME))


class Told(NamedTuple):
    """The rows of a log, in their order or simultaneous within a tick, and what is detected in it, all in ticks."""

    log: tuple[Occurrence, ...]
    in_order: bool
    detected: tuple[Interval, ...]


@dataclass(frozen=True)
class Ties:
    """Whether ties can matter to a pattern, with two smallest logs that show it; None, and why, where it is undecided.

    The logs differ in the order of two rows; or the rows of the second one are simultaneous.
    """

    matter: bool | None
    logs: tuple[Told, ...] = ()
    why: str = ""


def told(pattern: Expression, log: Sequence[Occurrence], *, in_order: bool) -> Told:
    """A log with its detections: of each end the latest start."""
    rows, scale = tuple(log), len(log) + 1
    if in_order:
        rows = tuple(row._replace(time=Moment(scale * row.time + place, scale)) for place, row in enumerate(log))
    ends = sorted((found.end, found.start) for found in restriction(denotation(pattern, interpretation(rows))))
    return Told(tuple(log), in_order, tuple(Interval(int(start), int(end)) for end, start in ends))


def may_matter(patterns: Iterable[Expression], simultaneous: bool) -> bool:
    """What `order_matters` does not exclude at once, of some pattern."""
    return any(order_matters(one, simultaneous=simultaneous, steps=FEW).matter is not False for one in patterns)


@lru_cache(maxsize=256)
def order_matters(pattern: Expression, *, simultaneous: bool = False, steps: int = STEPS) -> Ties:
    """Whether the order of the rows of a tick can matter to a pattern.

    Or whether the latest start of what ends in a tick can be another one where its rows are `simultaneous`.
    """
    apart = ("dis", "tim", "con") if simultaneous else ("dis", "tim")
    nodes = [node for node in bottom_up(pattern) if isinstance(node, Operation) and node.operator not in apart]
    if all(len(identifiers(node)) == 1 for node in nodes):
        return Ties(False)
    why = "its bounds have no values" if expressions.bound_parameters(pattern) else ""
    for depth in () if why else (SHORT, EVERYWHERE):
        try:
            found, why = _smallest(pattern, simultaneous, depth, Budget(steps)), ""
        except LimitExceeded as error:
            why = error.reason
            continue
        if found is not None:
            logs = tuple(told(pattern, log, in_order=place + simultaneous < 2) for place, log in enumerate(found))
            answers = [{end: start for start, end in log.detected} if simultaneous else log.detected for log in logs]
            if answers[0] == answers[1]:
                raise EnginesDisagree(f"{pattern} detects the same in {logs}, where the automata say otherwise")
            return Ties(True, logs)
    return Ties(None if why else False, why=why)


def _smallest(
    pattern: Expression, simultaneous: bool, depth: int, budget: Budget
) -> tuple[list[Occurrence], list[Occurrence]] | None:
    """A smallest log of at most so many rows and ticks that shows a difference, and the other one beside it."""
    names = sorted(identifiers(pattern))
    languages = Languages(Track(names, marks=False, rows=True), budget, depth=depth)
    spans, letters = languages.language(languages.mirrored(pattern)), [(), *((name,) for name in names)]
    word: tuple[int, ...] | None
    if simultaneous:
        apart = Languages(Track(names, marks=False), budget, depth=depth)
        within = languages.track.table(lambda letter: not letter, [(0, 0), (1, 0)], (False, True))
        none = _in_none(_first(languages.then(within, spans)), _first(apart.language(apart.mirrored(pattern))))
        word = shortest_word(none, lambda letter: len(letters[letter]), budget, depth - 1)
    else:
        letters += combinations(names, 2)
        orders = _in_two_orders(_first(spans), letters)
        word = shortest_word(orders, lambda letter: len(letters[letter]), budget, depth - 1)
    if word is None:
        return None
    time, rows, others = 0, list[Occurrence](), list[Occurrence]()
    for letter in reversed(word):
        time += not letter
        neighbours = [Occurrence(name, time) for name in letters[letter]]
        rows += neighbours
        others += neighbours if simultaneous else neighbours[::-1]
    return rows, others


def _first(spans: Automaton) -> Automaton:
    """The minimal automaton of the words with a beginning in a language."""
    found = zip(spans.rows, spans.accepting, strict=True)
    rows = [(state,) * len(row) if accepts else row for state, (row, accepts) in enumerate(found)]
    return minimal(spans.columns, rows, spans.accepting)


Pairs: TypeAlias = tuple[tuple[int, ...], tuple[int, ...] | None]
"""States of an automaton after words of the one log and, after the rows that change places, of the other one."""


def _in_two_orders(found: Automaton, letters: Sequence[tuple[str, ...]]) -> Machine[Pairs]:
    """The words, backwards, with two rows of which the order makes a difference."""
    column = {letter: found.columns[number] for number, letter in enumerate(letters) if len(letter) < 2}

    def after(state: int, *read: int) -> int:
        return reduce(lambda state, column: found.rows[state][column], read, state)

    def step(state: Pairs, read: tuple[int, ...]) -> Pairs | None:
        ones, others = state
        if len(read) == 1:
            ones = tuple(after(each, *read) for each in ones or (found.initial,))
            if others is None:
                return None if found.accepting[ones[0]] or not ones[0] else (ones, None)
            others = tuple(after(each, *read) for each in others)
        elif others is not None:
            return None
        else:
            x, y = read
            (last,) = ones or (found.initial,)
            ones, others = (after(last, y, x),), (after(last, x, y),)
            if not state[0]:  # they are the last rows
                ones, others = (*ones, after(last, x)), (*others, after(last, y))
        one, other = Counter(ones), Counter(others)
        after_both = tuple(sorted((one - other).elements())), tuple(sorted((other - one).elements()))
        return after_both if any(after_both) else None

    def accepting(state: Pairs) -> bool:
        return sum(found.accepting[each] for each in state[0]) != sum(found.accepting[each] for each in state[1] or ())

    signatures = [tuple(column[(name,)] for name in letter) or (column[()],) for letter in letters]
    return Machine(((), None), signatures, step, accepting)


def _in_none(ordered: Automaton, simultaneous: Automaton) -> Machine[tuple[int, int, int]]:
    """The words of rows, backwards, of which something starts in the first tick in one reading and not in the other.

    A state is one of either automaton, the second one before the tick, and the types that the tick has, as a letter.
    """

    def done(state: tuple[int, int, int]) -> int:
        return simultaneous.rows[state[1]][simultaneous.columns[state[2]]]

    def step(state: tuple[int, int, int], sign: tuple[int, int]) -> tuple[int, int, int] | None:
        column, bit = sign
        after = ordered.rows[state[0]][column]
        if bit:
            return None if state[2] & bit else (after, state[1], state[2] | bit)
        alike = ordered.accepting[after] if simultaneous.accepting[done(state)] else not (after or done(state))
        return None if alike else (after, done(state), 0)

    def accepting(state: tuple[int, int, int]) -> bool:
        return ordered.accepting[state[0]] != simultaneous.accepting[done(state)]

    signatures = [(column, 1 << letter >> 1) for letter, column in enumerate(ordered.columns)]
    return Machine((ordered.initial, simultaneous.initial, 0), signatures, step, accepting)
