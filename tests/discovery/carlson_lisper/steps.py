"""Steps of chains, checked one by one, without the e-graph that found them."""

from collections.abc import Sequence

from discovery.carlson_lisper.egraph import Step
from laws.carlson_lisper.matching import matches, of_expression, simplified
from semantics.carlson_lisper.expressions import Expression, Identifier, bounds_in, put_at


def holds(step: Step, before: Expression, events: frozenset[str]) -> bool:
    """Whether a step is what it says, of the whole expression before it; `events` are the event types."""
    whole_before, whole_after = (put_at(before, step.place, part) for part in (step.before, step.after))
    if (whole_before, whole_after) != (before, step.whole):
        return False
    sides = (step.before, step.after) if step.forward else (step.after, step.before)
    equation, known = step.claim.equation, [*map(simplified, (*bounds_in(step.before), *bounds_in(step.after)))]
    for found in matches(((equation.left, sides[0]), (equation.right, sides[1])), of_expression, known):
        types = [part.name for name in step.claim.primitive if isinstance(part := found.parts[name], Identifier)]
        if len(events.intersection(types)) == len(step.claim.primitive):  # which stand for different event types
            return True
    return False


def replayed(first: Expression, steps: Sequence[Step], events: frozenset[str]) -> Expression:
    """The last expression of a chain, each step of which is an instance of its law where it says."""
    for step in steps:
        assert holds(step, first, events), (first, step)
        first = step.whole
    return first
