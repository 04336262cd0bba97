"""The language of latest starts: the words that a detection spans, and no other.

`L(E)`, the interval language of a ground expression, has the traces between start and end of its instances. A detector
only ever reports the greatest start for an end (Thm 4.5), which is the language

    D(E) = L(E) minus All⁺ · L(E)        the words of L(E) none of whose proper suffixes is in L(E).

Theorem 4.6 says that an operator may be applied to valid restrictions of its operands and has the same valid
restrictions. So D(E) is built operator by operator from the D of the operands, which are small: a run of `A ; B` ends
at the next A, where in L it would go on for ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from semantics.automata.automata import Automaton, Budget, build, minimal
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, bottom_up, evaluate_bound
from semantics.carlson_lisper.languages.languages import require_ground
from semantics.carlson_lisper.languages.letters import Track, plain_track
from semantics.carlson_lisper.languages.machines import machine_of, operator_language
from semantics.carlson_lisper.languages.operands import Operand
from semantics.carlson_lisper.operators import Comprehension
from semantics.errors import LimitExceeded
from semantics.formulas import And, Compare, End, Exists, Not, Start

LATEST = Comprehension(
    (("s", "S"),),
    ("s",),
    Not(Exists("s'", "S", And((Start("s") < Start("s'"), Compare("=", End("s"), End("s'")))))),
)
"""{ s ∈ S | no s' ∈ S ends with it and starts later }: the intervals of the valid restrictions of S (Def. 3.12)."""

REMEMBERED = 8
"""So many answers of `latest_starts_within` are kept: a case of a campaign comes with two expressions."""


def latest_starts_within(expression: Expression, names: tuple[str, ...], steps: int) -> Automaton:
    """The same as `latest_starts` in at most so many steps; the last few answers are remembered.

    A campaign makes machines for one expression again and again: for every detector that has one, its wrong variants,
    and each time that one goes on from the snapshot of another.

    Raises:
        InputError: a bound is symbolic.
        LimitExceeded: there are too many event types, or the steps do not suffice.
    """
    found = _within(expression, names, steps)
    if isinstance(found, LimitExceeded):
        raise LimitExceeded(found.reason, remedy=found.remedy)
    return found


@lru_cache(REMEMBERED)
def _within(expression: Expression, names: tuple[str, ...], steps: int) -> Automaton | LimitExceeded:
    try:
        return latest_starts(expression, names, Budget(steps))
    except LimitExceeded as error:
        return LimitExceeded(error.reason, remedy=error.remedy)


def latest_starts(expression: Expression, names: tuple[str, ...], budget: Budget) -> Automaton:
    """The minimal automaton of D(E) on the plain track over the given event types.

    Raises:
        InputError: a bound is symbolic.
        LimitExceeded: there are too many event types, or the budget does not suffice.
    """
    require_ground(expression)
    try:
        track = plain_track(names)
        types: dict[Expression, frozenset[str]] = {}
        built: dict[Expression, Automaton] = {}
        for node in bottom_up(expression):
            alternatives = _alternatives(node, types)
            if alternatives:
                types[node] = alternatives
                continue
            assert isinstance(node, Operation)
            for operand in node.operands:
                if operand not in built:
                    built[operand] = _primitive(track, types[operand], budget)
            built[node] = _latest(node, built, track, budget)
        return built[expression] if expression in built else _primitive(track, types[expression], budget)
    except LimitExceeded as error:
        raise LimitExceeded(
            f"no register machine for {expression}: {error.reason}",
            remedy="The detectors that go operator by operator take any expression.",
        ) from None


def _alternatives(node: Expression, types: Mapping[Expression, frozenset[str]]) -> frozenset[str]:
    """The event types of a disjunction of event types, from those of its operands; none of anything else."""
    if isinstance(node, Identifier):
        return frozenset((node.name,))
    assert isinstance(node, Operation)
    if node.operator == "dis" and all(operand in types for operand in node.operands):
        return frozenset().union(*(types[operand] for operand in node.operands))
    return frozenset()


def _latest(
    node: Operation, built: Mapping[Expression, Automaton], track: Track, budget: Budget
) -> Automaton:
    budget.spend(len(track.present))  # however few states there are, each letter is sorted into a column
    operands = tuple(Operand(built[operand], built[operand]) for operand in node.operands)
    bound = None if node.bound is None else evaluate_bound(node.bound)
    automaton, _ = operator_language(node.definition, operands, bound, track, budget)
    of_result = machine_of(LATEST, {"S": Operand(automaton, automaton)}, None, track, budget)
    return build(of_result, budget)[0]


def _primitive(track: Track, names: frozenset[str], budget: Budget) -> Automaton:
    """One letter, which contains one of the types: nothing that is shorter."""
    budget.spend(len(track.present) // 4)
    wanted = sum(1 << bit for bit, name in enumerate(track.names) if name in names)
    classes: tuple[list[int], list[int]] = ([], [])
    for letter, present in enumerate(track.present):
        classes[not present & wanted].append(letter)
    return minimal(classes, [(0, 0), (2, 0), (0, 0)], (False, False, True))
