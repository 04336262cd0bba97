"""Ties: rows of one tick that come one after the other, on a finer clock; and whether that may matter to a pattern.

Of at most K rows of a tick, the one at place k of tick t has the time 2Kt + k. Of two such times the lesser one is that
of the earlier tick, or place; and they are at most 2Kb + K - 1 apart if and only if their ticks are at most b apart. So
detectors, and what is proved of them, stay as they are.
"""

from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up, evaluate_bound, identifiers, replaced
from semantics.traces.rows import MAX_TIME


def finer(pattern: Expression, scale: int) -> Expression:
    """The pattern on the finer clock with so many times in a tick, 2K; with 1, the pattern itself."""
    if scale == 1:
        return pattern
    return replaced(pattern, bound=lambda bound: min(scale * evaluate_bound(bound) + scale // 2 - 1, MAX_TIME))


def matters_to(pattern: Expression) -> Expression | None:
    """The first operation to which it may matter which of two events of one tick is the earlier; None if it never does.

    Events of one type have no ties. Disjunctions, conjunctions and restrictions of streams whose intervals are the same
    in ticks have the same intervals in ticks.
    """
    nodes = (node for node in bottom_up(pattern) if isinstance(node, Operation))
    ordered = (node for node in nodes if node.operator not in ("dis", "con", "tim"))
    return next((node for node in ordered if len(identifiers(node)) > 1), None)
