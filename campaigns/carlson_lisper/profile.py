"""Profiles of generated cases: how much there is of what, as weights (the profiles are in `profiles`)."""

from __future__ import annotations

from dataclasses import dataclass

from campaigns.choices import Weights

INSTANTS = 24
"""In most profiles a trace is cut after so many distinct times."""

MAX_IDLE = 70
"""Of a pause that is filled with irrelevant occurrences, at most so many ticks are."""

_OPERATORS = Weights.of({"dis": 2, "con": 3, "neg": 3, "seq": 4, "tim": 3})
_STARTS = Weights((0, 0, 1, 5))
_GAPS = Weights((0, 0, 0, 1, 1, 2, 3, 9))
_SLACK = Weights((-1, 0, 0, 0, 1, 1, 2, 5))
_ECHOES = Weights((0, 1, 1, 2))


@dataclass(frozen=True)
class Profile:
    """How cases of one kind are generated. Times and gaps are in ticks, shares in percent.

    Attributes:
        name: the profile's name.
        about: what it is for, in a few words.
        weight: how often it is used, against the others.
        operators: the operators of Def. 3.10 by name, at the root and on the levels below it; the last entry
            is for all further levels.
        depth: the least and greatest depth of expressions.
        second_depth: the least and greatest depth of the other operand of a binary operator, if the first is deeper.
        alternatives: how many event types a leaf has: of more than one it is the disjunction.
        leaves: the share of operands that are event types although they could be deeper.
        distinct: the share of leaves that take a type which no leaf has yet, while there is one.
        types: the least and greatest number of event types.
        starts: when the witness starts.
        gaps: how much later than possible the next part of the witness starts.
        slack: how much greater a bound is than what the witness spans.
        blocked: the share of negations whose right operand happens near the left one.
        echoes: how often the witness is repeated.
        relapses: how often the witness is repeated exactly, but with what its negations forbid.
        noise: the least and greatest number of further occurrences.
        ties: the share of them that are put at an instant of the witness.
        values: the share of cases whose occurrences carry values.
        filled: the share of cases in which one event type occurs at every tick of the witness and of the stretch.
        enclosing: the share of negations whose left operand has one part before, and one after the right one.
        overlaps: the share of sequences whose right operand also happens while the left one does.
        repeated: the share of operands that are a subexpression which is there already, but for a bound.
        spared: the share of cases in which nothing is added that would only undo the witness.
        stretch: for how many ticks events occur at random after the witness and its repetitions.
        density: the share of ticks of such a stretch at which an event type occurs; drawn for each of them.
        idle: the share of pauses in the trace at each tick of which, up to `MAX_IDLE`, something irrelevant occurs.
        pauses: how much later than right after it a repetition of the witness, or a burst, begins.
        bursts: how many bursts there are after the witness and its repetitions.
        instants: a trace is cut after so many distinct times.
        names: the event types by name, if they are not letters.
        expressions: the expressions of the cases, where they are a few fixed ones; otherwise each has its own.
    """

    name: str
    about: str
    weight: int = 1
    operators: tuple[Weights[str], ...] = (_OPERATORS,)
    depth: tuple[int, int] = (1, 4)
    second_depth: tuple[int, int] = (0, 2)
    alternatives: Weights[int] = Weights((1,))
    leaves: int = 15
    distinct: int = 50
    types: tuple[int, int] = (2, 4)
    starts: Weights[int] = _STARTS
    gaps: Weights[int] = _GAPS
    slack: Weights[int] = _SLACK
    blocked: int = 25
    echoes: Weights[int] = _ECHOES
    relapses: Weights[int] = Weights((0,))
    noise: tuple[int, int] = (0, 10)
    ties: int = 35
    values: int = 15
    filled: int = 0
    enclosing: int = 30
    overlaps: int = 15
    repeated: int = 6
    spared: int = 50
    stretch: Weights[int] = Weights((0,))
    density: Weights[int] = Weights((50,))
    idle: int = 0
    pauses: Weights[int] = Weights((0,))
    bursts: Weights[int] = Weights((0,))
    instants: int = INSTANTS
    names: tuple[str, ...] = ()
    expressions: Weights[str] = Weights(())
