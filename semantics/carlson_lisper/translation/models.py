"""Models of what engines make of a chain, and whether that ever differs from its detections, decided by automata.

A model reads rows in their order. For each number of steps taken it keeps partial matches, by their starts. The
detections are those of the automaton of the pattern (`languages`), run from every start; of two runs the one that
started earlier is dropped where the later one accepts all that it accepts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby, permutations
from pathlib import Path
from typing import TypeAlias

from semantics.automata import Antichains, Budget, Machine, shortest_word
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression, Operation, identifiers, rebuilt
from semantics.carlson_lisper.languages import Languages, Track
from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.restriction import restriction
from semantics.carlson_lisper.translation.chains import Chain, chain_of
from semantics.errors import EnginesDisagree, LimitExceeded
from semantics.events import Interval, Time

Partial: TypeAlias = tuple[tuple[Time, ...], ...]
"""The starts of partial matches by the number of steps taken, the latest first."""

Rows: TypeAlias = tuple[Occurrence, ...]
"""A log in the order of its rows; those of one tick stand in the order in which an engine is handed them."""

MAX_STEPS = 300_000  # So many transitions are computed for one question
TIED = 5  # Up to so many event types, ties are tried in every order


@dataclass(frozen=True)
class Model:
    """How an engine matches a chain.

    `strict`: each step is later than the one before, not only a later row. `consumes`: what goes on to a next step, or
    ends a match, is not there for a later row. `keeps`: of so many partial matches that have taken as many steps, the
    latest stay.
    """

    strict: bool
    keeps: int
    consumes: bool = True

    def after(self, chain: Chain, partial: Partial, events: Iterable[str], now: Time) -> tuple[Partial, list[Time]]:
        """What is partial after the rows of a tick, and the starts of what they end."""
        count = len(chain.steps)
        none: Partial = ((),) * count
        kept, entered, ended = list(partial), list(none), list[Time]()
        for event in events:
            if event in chain.absent:
                kept, entered = list(none), list(none)
                continue
            into = entered if self.strict else kept
            for taken in reversed(range(count)):  # so that no row is two steps of one match
                if event not in chain.steps[taken]:
                    continue
                moved = kept[taken] if taken else (now,)
                if taken and self.consumes:
                    kept[taken] = ()
                if taken == count - 1:
                    ended += moved
                elif moved:
                    into[taken + 1] = self._latest((*moved, *into[taken + 1]) if self.keeps > 1 else moved)
        return tuple(self._latest((*new, *old)) for new, old in zip(entered, kept, strict=True)), ended

    def _latest(self, starts: tuple[Time, ...]) -> tuple[Time, ...]:
        return tuple(sorted(set(starts), reverse=True)[: self.keeps]) if self.keeps > 1 else starts[:1]

    def found(self, chain: Chain, rows: Rows) -> list[Interval]:
        """What an engine finds in a log."""
        partial: Partial = ((),) * len(chain.steps)
        found = list[Interval]()
        for now, tied in groupby(rows, key=lambda row: row.time):
            partial, ended = self.after(chain, _within(partial, now, chain.bound), [row.event for row in tied], now)
            found += [Interval(start, now) for start in ended]
        return found


def _within(partial: Partial, now: Time, bound: Time | None) -> Partial:
    if bound is None:
        return partial
    return tuple(tuple(start for start in starts if now - start <= bound) for starts in partial)


@dataclass(frozen=True)
class Kind:
    """A kind of difference, in words, with a remedy, and of what it is asked whether it shows; see languages.toml."""

    name: str
    said: str
    remedy: str
    kept: bool = False
    ties: bool = False
    several: bool = False


LANGUAGES = tomllib.loads(Path(__file__).with_name("languages.toml").read_text("utf-8"))
"""What is known of each language: the name of its engine, what a query supposes, and its kinds of differences."""

MODELS = {name: Model(**known["model"]) for name, known in LANGUAGES.items() if "model" in known}


@dataclass(frozen=True)
class Difference:
    """Whether a kind of difference can ever show for a pattern: None where that is not decided, for a `reason`.

    Where it shows, there is a smallest log, with the detections and what the engine finds; both were replayed, by the
    definition and by the model.
    """

    kind: Kind
    shows: bool | None
    reason: str = ""
    rows: Rows = ()
    detections: tuple[Interval, ...] = ()
    found: tuple[Interval, ...] = ()


def differences(pattern: Expression, language: str, steps: int = MAX_STEPS) -> list[Difference]:
    """What changes in meaning where an engine matches the chain that a pattern is, each kind by itself."""
    model, kinds = MODELS[language], [Kind(**each) for each in LANGUAGES[language]["kinds"]]
    return [_decided(pattern, replace(model, consumes=not kind.kept), kind, steps) for kind in kinds]


def _decided(pattern: Expression, model: Model, kind: Kind, steps: int) -> Difference:
    """Whether a kind of difference shows.

    A bound drops what started first, on either side: where nothing differs without it, nothing does with it.
    """
    bound = chain_of(pattern).bound
    try:
        rows = _shortest(rebuilt(pattern, _unbounded), model, kind, steps)
        if rows and bound is not None and rows[-1].time > bound:  # else the bound changes nothing on it
            rows = _shortest(pattern, model, kind, steps)
    except LimitExceeded as error:
        return Difference(kind, None, error.reason)
    return _replayed(pattern, model, kind, rows) if rows else Difference(kind, False)


def _unbounded(each: Operation, parts: tuple[Expression, ...]) -> Expression:
    return parts[0] if each.operator == "tim" else Operation(each.operator, parts, each.bound, each.label)


def _replayed(pattern: Expression, model: Model, kind: Kind, rows: Rows) -> Difference:
    found = model.found(chain_of(pattern), rows)
    stream = restriction(denotation(pattern, interpretation(rows)))
    detections = sorted((Interval(*one.interval) for one in stream), key=lambda each: each.end)
    latest = {interval.end: interval for interval in sorted(found)}
    if not (len(latest) < len(found) if kind.several else sorted(latest.values()) != sorted(detections)):
        raise EnginesDisagree(f"{pattern} does not differ on {', '.join(map(str, rows))}, where automata say so")
    return Difference(kind, True, "", rows, tuple(detections), tuple(found))


_Run: TypeAlias = tuple[int, Time]  # the state of the automaton, and when it was started
_State: TypeAlias = tuple[bool, Partial, tuple[_Run, ...]]  # whether they differ, what is partial, the runs


def _shortest(pattern: Expression, model: Model, kind: Kind, steps: int) -> Rows | None:
    """A smallest log on which a difference shows; None if there is none."""
    chain, names, budget = chain_of(pattern), sorted(identifiers(pattern)), Budget(steps)
    if kind.ties and len(names) > TIED:
        raise LimitExceeded(f"{len(names)} event types have more orders at one tick than are tried")
    ticks = [events for size in range(len(names) + 1 if kind.ties else 2) for events in permutations(names, size)]
    track = Track(names, marks=False)
    automaton = Languages(track, budget).language(pattern)
    antichains = Antichains(automaton, budget)
    letters = {frozenset(track.events(letter)): automaton.columns[letter] for letter in range(len(track.present))}

    def step(state: _State, events: tuple[str, ...]) -> _State | None:
        partial, runs = _aged(state[1], state[2], chain.bound)
        partial, ended = model.after(chain, partial, events, 0)
        kept, start, column = list[_Run](), None, letters[frozenset(events)]
        for before, began in ((automaton.initial, 0), *runs):  # the latest started first
            after = automaton.rows[before][column]
            if automaton.accepting[after] and start is None:
                start = began
            if after and not any(antichains.included(after, other) for other, _ in kept):
                kept.append((after, began))
        differs = len(set(ended)) > 1 if kind.several else max(ended, default=None) != start
        return differs, partial, tuple(kept)

    machine = Machine[_State]((False, ((),) * len(chain.steps), ()), ticks, step, lambda state: state[0])
    word = shortest_word(machine, lambda letter: len(ticks[letter]), budget)
    if word is None:
        return None
    return tuple(Occurrence(name, time) for time, letter in enumerate(word) for name in ticks[letter])


def _aged(partial: Partial, runs: tuple[_Run, ...], bound: Time | None) -> tuple[Partial, tuple[_Run, ...]]:
    """The same with starts counted back from the next tick; without a bound, only their order is kept."""
    known = sorted({*(start for starts in partial for start in starts), *(start for _, start in runs)}, reverse=True)
    aged = {start: start - 1 if bound is not None else -place for place, start in enumerate(known, 1)}
    moved = tuple(tuple(aged[start] for start in starts) for starts in partial)
    return _within(moved, 0, bound), tuple((state, aged[start]) for state, start in runs)
