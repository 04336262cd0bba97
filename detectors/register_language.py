"""The language of latest starts: the words that a detection spans, and no other.

`L(E)`, the interval language of a ground expression, has the traces between start and end of its instances. A detector
only ever reports the greatest start for an end (Thm 4.5), which is the language

    D(E) = L(E) minus All⁺ · L(E)        the words of L(E) none of whose proper suffixes is in L(E).

Theorem 4.6 says that an operator may be applied to valid restrictions of its operands and has the same valid
restrictions. So D(E) is built operator by operator from the D of the operands, which are small: a run of `A ; B` ends
at the next A, where in L it would go on for ever.
"""

from __future__ import annotations

from semantics.automata import Automaton, Budget, build, minimal
from semantics.errors import LimitExceeded
from semantics.expressions import Expression, Identifier, Operation, bottom_up, evaluate_bound
from semantics.formulas import And, Compare, End, Exists, Not, Start
from semantics.languages import require_ground
from semantics.letters import Track, plain_track
from semantics.machines import machine_of, operator_language
from semantics.operands import Operand
from semantics.operators import Comprehension

LATEST = Comprehension(
    (("s", "S"),),
    ("s",),
    Not(Exists("s'", "S", And((Start("s") < Start("s'"), Compare("=", End("s"), End("s'")))))),
)
"""{ s ∈ S | no s' ∈ S ends with it and starts later }: the intervals of the valid restrictions of S (Def. 3.12)."""


def latest_starts(expression: Expression, names: tuple[str, ...], budget: Budget) -> Automaton:
    """The minimal automaton of D(E) on the plain track over the given event types.

    Raises:
        InputError: a bound is symbolic.
        LimitExceeded: there are too many event types, or the budget does not suffice.
    """
    require_ground(expression)
    try:
        track = plain_track(names)
        built: dict[Expression, Automaton] = {}
        for node in bottom_up(expression):
            built[node] = _latest(node, built, track, budget)
    except LimitExceeded as error:
        raise LimitExceeded(
            f"no register machine for {expression}: {error.reason}",
            remedy="The detectors that go operator by operator take any expression.",
        ) from None
    return built[expression]


def _latest(node: Expression, built: dict[Expression, Automaton], track: Track, budget: Budget) -> Automaton:
    if isinstance(node, Identifier):
        return _primitive(track, node.name)
    assert isinstance(node, Operation)
    operands = tuple(Operand(built[operand], built[operand]) for operand in node.operands)
    bound = None if node.bound is None else evaluate_bound(node.bound)
    automaton, _ = operator_language(node.definition, operands, bound, track, budget)
    of_result = machine_of(LATEST, {"S": Operand(automaton, automaton)}, None, track, budget)
    return build(of_result, budget)[0]


def _primitive(track: Track, name: str) -> Automaton:
    """One letter, which contains the type."""
    accepted = track.primitive(name)
    classes = [[letter for letter, has in enumerate(accepted) if has is wanted] for wanted in (True, False)]
    return minimal(classes, [(0, 0), (2, 0), (0, 0)], (False, False, True))
