"""Optimisation: the cheapest pattern with the same meaning or detections, by equality saturation with proved laws.

What the laws lead to is never trusted: automata or solvers have to decide that it says the same, on all traces.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple, TypeAlias

from discovery.carlson_lisper.egraph import EGraph, Step, derivation, plain, without_loops
from discovery.carlson_lisper.optimisation import costs
from discovery.carlson_lisper.optimisation.costs import USUAL, By, Frequencies, cost, expected
from laws.carlson_lisper import claims
from laws.carlson_lisper.claims import EquationClaim
from laws.carlson_lisper.matching import rules_of
from laws.standings import Standing
from semantics.carlson_lisper.decisions import LEVELS, MAX_STEPS, Decider, Level
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, bottom_up, identifiers
from semantics.carlson_lisper.languages import require_ground
from semantics.errors import EnginesDisagree, LimitExceeded

NODES, ROUNDS = 2500, 6  # So many terms and rounds of laws for each look at a pattern
LOOKS = 4  # So many times what was found is looked at again
TOUCH = 1e-4  # What is not in the pattern as written costs so much more, that nothing is changed in vain
LARGEST = 120  # A pattern of more different parts is left as it is
PATIENCE = 6.0  # So many seconds a solver has for one question, where automata are too large


@cache
def equations(level: Level) -> tuple[EquationClaim, ...]:
    """The proved equations of the catalogue that are rules at a level."""
    found = (claim for claim in claims.everything() if isinstance(claim, EquationClaim))
    relations = ("==", "[=]", "~=")[: LEVELS.index(level) + 1]  # each leaves what the next one does
    return tuple(one for one in found if one.equation.relation in relations and one.expected.unbounded)


@dataclass(frozen=True)
class Optimised:
    """A pattern and the cheapest one found that says the same at a level, by a chain of laws.

    Where nothing cheaper was found, or none was decided to say the same, the result is the pattern and the chain empty.
    """

    pattern: Expression
    result: Expression
    level: Level
    chain: tuple[Step, ...]
    check: str  # what decided that both say the same on all traces; or why there is nothing else
    before: costs.Cost
    after: costs.Cost
    undecided: Expression | None = None  # what would be cheaper, of which nothing decided whether it says the same

    @property
    def is_cheaper(self) -> bool:
        """Whether there is something to put in the place of the pattern."""
        return self.result != self.pattern


def optimised(
    pattern: Expression,
    level: Level = "detection",
    by: By = "time",
    frequencies: Frequencies | None = None,
    *,
    rules: Sequence[EquationClaim] | None = None,
    nodes: int = NODES,
    steps: int = MAX_STEPS,
) -> Optimised:
    """The cheapest pattern found that says the same as a ground one at a level; a decision takes so many steps at most.

    Raises:
        InputError: a bound is symbolic.
        EnginesDisagree: laws lead to a pattern that does not say the same.
    """
    require_ground(pattern)
    events, known = identifiers(pattern), frequencies or {}
    usable = [rule for claim in (equations(level) if rules is None else rules) for rule in rules_of(claim)]
    first = best = plain(pattern)
    before = after = cost(first, known)
    chain: tuple[Step, ...] = ()
    small = len(bottom_up(first)) <= LARGEST
    for _ in range(LOOKS if small else 0):
        graph = EGraph(usable, nodes=nodes, events=events)
        root = graph.add(best)
        is_whole = graph.saturate(ROUNDS)
        made = {one: cost(one, known) for one in candidates(graph, root, known, before)}
        kept = [one for one in made if made[one].replaces(before, by) and made[one].key(by) < after.key(by)]
        if not kept:
            break
        best = min(kept, key=lambda one: made[one].key(by))
        if (steps_there := graph.chain(root, graph.add(best))) is None:
            break
        chain, after, reached = (*chain, *steps_there), made[best], best
        if is_whole:
            break
    if not chain:
        none = "no cheaper pattern is known" if small else f"it has more than {LARGEST} parts"
        return Optimised(pattern, pattern, level, (), none, before, before)
    holds, how = checked(pattern, reached, level, steps)
    if not holds:
        reason = f"{reached} would be cheaper, and {how}"
        return Optimised(pattern, pattern, level, (), reason, before, before, reached)
    chain = without_loops(first, chain)
    used = list(dict.fromkeys(step.claim for step in chain))
    again = derivation(first, reached, used, nodes=nodes, rounds=ROUNDS, events=events) or chain
    return Optimised(pattern, reached, level, min(chain, again, key=len), how, before, after)


def checked(pattern: Expression, other: Expression, level: Level, steps: int = MAX_STEPS) -> tuple[bool, str]:
    """Whether it is decided that two ground patterns say the same, and by what or why not.

    `EnginesDisagree` if they do not, as laws have led from one to the other.
    """
    try:
        decision = Decider((pattern, other), steps=steps).decide(pattern, other, level)
    except LimitExceeded as error:
        from smt.carlson_lisper.law_proofs import prove_patterns  # which brings the solvers
        from smt.solvers.portfolio import installed

        with installed(PATIENCE) as portfolio:
            proof = prove_patterns(pattern, other, level, "equivalence", portfolio)
        if proof is None:
            return False, f"it is not decided that it says the same: {error.reason}"
        who = "both solvers" if proof.standing is Standing.AGREED else "one solver"
        return True, f"{proof.equation} was proved by {who}"
    if not decision.holds:
        raise EnginesDisagree(f"the laws lead from {pattern} to {other}, which automata tell apart up to {level}")
    return True, f"decided by automata with {decision.states[0]} and {decision.states[1]} states"


Own: TypeAlias = Callable[[str, Sequence[costs.Expected], costs.Expected], float]
"""The cost of an operator itself, from what is expected of its operands and of the operation."""


def candidates(graph: EGraph, root: int, frequencies: Frequencies, before: costs.Cost) -> list[Expression]:
    """Expressions of the class of a term that are cheap in one way or another."""
    busy = costs.busy_share(graph.events, frequencies)

    def time(operator: str, operands: Sequence[costs.Expected], found: costs.Expected) -> float:
        times = costs.own_times(operator, operands, found.rate, busy)
        return sum(times[name] / max(before.times[name], 1e-9) for name in times)

    def memory(operator: str, operands: Sequence[costs.Expected], _: costs.Expected) -> float:
        return 1 + MEMORY.get(operator, 0) + (operands[-1].ticks if operator == "seq" else 0)

    ways: list[Own] = [time, memory, lambda *_: 1.0]
    return list(dict.fromkeys(extracted(graph, root, frequencies, own) for own in ways))


MEMORY = {"con": 20, "seq": 10, "neg": 10}  # What an operator remembers, roughly, beside what one takes that has none


class _Made(NamedTuple):
    """The cheapest expression of a class so far."""

    total: float
    expression: Expression
    expected: costs.Expected
    parts: Mapping[Expression, float]  # the cost of each of its parts itself


def extracted(graph: EGraph, root: int, frequencies: Frequencies, own: Own) -> Expression:
    """The cheapest expression of the class of a term found, where equal parts cost once.

    The cheapest whole need not have the cheapest parts then, so that this is an approximation.
    """
    made: dict[int, _Made] = {}
    nodes, as_written = graph.nodes(), set(bottom_up(graph.expressions[root]))
    changed = True
    while changed:
        changed = False
        for part, operator, bound, operands in nodes:
            if not all(each in made for each in operands):
                continue
            known = [made[each] for each in operands]
            told = [one.expected for one in known]
            expression: Expression = Identifier(operator)
            found = costs.Expected(frequencies.get(operator, USUAL), 0.0)
            if known:
                expression = Operation(operator, tuple(one.expression for one in known), bound)
                found = expected(operator, told, bound)
            touch = 1 + TOUCH * (expression not in as_written)
            itself = own(operator if known else costs.LEAF, told, found) * touch
            parts = {inner: spent for one in known for inner, spent in one.parts.items()} | {expression: itself}
            total = sum(parts.values())
            if part not in made or total < made[part].total * (1 - 1e-9):
                made[part] = _Made(total, expression, found, parts)
                changed = True
    return made[graph.find(root)].expression


def shared_parts(patterns: Sequence[Expression]) -> dict[Expression, tuple[int, ...]]:
    """The operations that two patterns or more have in common, largest first, and the places of these in their list.

    Those that come with a larger one alone are left out.
    """
    among: defaultdict[Expression, dict[int, None]] = defaultdict(dict)
    for number, pattern in enumerate(patterns):
        for part in bottom_up(pattern):
            if isinstance(part, Operation):
                among[part][number] = None
    common = {part: tuple(numbers) for part, numbers in among.items() if len(numbers) > 1}
    within = {
        inner for part, numbers in common.items() for inner in bottom_up(part)[:-1] if common.get(inner) == numbers
    }
    kept = [part for part in common if part not in within]
    return {part: common[part] for part in sorted(kept, key=lambda one: (-len(bottom_up(one)), common[one], str(one)))}
