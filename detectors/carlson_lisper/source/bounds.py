"""Resource bounds: how much a detector of an expression stores at most, and how many steps an instant takes at most.

What an operator contributes is taken from the step that runs: its `bound` says how many instances it keeps (Section
5.2), and `COSTS` says beside the step's class what an instant costs. The bounds are those of
`figure4` of `detectors.carlson_lisper.source.figure2`, in which equal subexpressions are computed once.

A *step* is one of these; assignments, additions and calls are not counted:

- a look whether an event type occurs at the instant;
- a comparison of two times, also those inside a join, and those of a binary search;
- an operation on the queue of a sequence, which reads or writes one place of its array besides the search. To forget
  the oldest instances is to move a marker, as in Section 5.3: that `CandidateQueue`, which only `figure4` uses, also
  moves what it keeps, which takes time in proportion to τ, is not counted.

Which bounds are attained: that of each step is, by operands that output what costs most, and so is the number of
instances of a conjunction and of a sequence labelled τ: at every tick an instance on the left that starts later than
the ones before fills q with τ + 1 instances, and `l` is one more. So τ + 2 is the least bound for Figure 4, where the
source counts the τ + 1 of q alone. It holds for times that are whole ticks only: in dense time arbitrarily many
instances end within τ. The sum over an expression need not be attained, because not all subexpressions can be at their
worst at one instant, nor need the occurrences of an instance be different ones, as in `(a + a)[0]`.

The bounds of an expression are finite if and only if no sequence of the transformed expression is labelled ∞ (Section
6): nothing else has an infinite bound. Then neither grows with the trace.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeAlias

from detectors.carlson_lisper.source import steps
from detectors.carlson_lisper.source.figure2 import BOUNDED_STEPS
from detectors.carlson_lisper.source.transformation import transform
from semantics.carlson_lisper.expressions import UNBOUNDED, Bound, Expression, Label, Operation, bottom_up, rebuilt
from semantics.carlson_lisper.operators import STREAM_NAMES, Operator

Quantity: TypeAlias = Any
"""A number, `UNBOUNDED`, or a formula that stands for either (`detectors.carlson_lisper.source.cost`)."""


@dataclass(frozen=True)
class StepCost:
    """What the step of an operator costs at one instant, at most."""

    fixed: int  # the steps besides those of binary searches
    # for each binary search, by how many the candidates that it looks through are fewer than the instances that the
    # step may keep
    searches: tuple[int, ...] = ()
    # the operands whose instances the step keeps: all of them of one operand, or one of each of two
    keeps: tuple[int, ...] = ()


COSTS: Mapping[type[steps.Step], StepCost] = {
    steps.DisjunctionStep: StepCost(1),
    steps.ConjunctionStep: StepCost(7 + 2, keeps=(0, 1)),  # 2 in the join
    steps.NegationStep: StepCost(2),
    steps.SequenceStep: StepCost(3 + 2 + 2, searches=(0,), keeps=(0,)),  # 2 in the join, 2 operations on q
    # 3 operations on q. Evicting searches all of q, at most τ + 1; the match is then among at most τ.
    steps.BoundedSequenceStep: StepCost(6 + 2 + 3, searches=(1, 2), keeps=(0,)),
    steps.RestrictionStep: StepCost(1),
}
"""What each step costs; compared with measured counts by the tests, for every way through each step."""

LOOK = 1  # The steps of an event type: a look whether it occurs


@dataclass(frozen=True)
class PartBounds:
    """The bounds of one subexpression of a transformed expression."""

    number: int  # i, counted bottom-up from 1, as in `NodeState`
    expression: Expression  # Eⁱ
    length: Quantity  # no instance takes longer, in ticks from its start to its end; ∞ where no bound is known
    # no instance has more occurrences: one per event type written in Eⁱ (Section 5.2) but those that only forbid, and
    # of alternatives the greater
    width: int
    instances: Quantity  # no more instances are kept for this operator between two instants
    occurrences: Quantity  # the kept instances have no more occurrences together, those of equal ones counted each time
    steps: Quantity  # an instant takes no more steps for this operator


@dataclass(frozen=True)
class Resources:
    """What detecting an expression takes at most."""

    expression: Expression  # the transformed expression, whose subexpressions are counted
    parts: tuple[PartBounds, ...]  # its distinct subexpressions bottom-up; the last one is the expression

    @property
    def length(self) -> Quantity:
        """No instance of the expression takes longer, in ticks: the time that the transformation returns."""
        return self.parts[-1].length

    @property
    def instances(self) -> Quantity:
        """No more instances are kept between two instants."""
        return sum(part.instances for part in self.parts)

    @property
    def occurrences(self) -> Quantity:
        """The kept instances have no more occurrences together."""
        return sum(part.occurrences for part in self.parts)

    @property
    def steps(self) -> Quantity:
        """An instant takes no more steps."""
        return sum(part.steps for part in self.parts)


def resources(expression: Expression) -> Resources:
    """The resource bounds of an expression, which is transformed first."""
    return resources_of(transform(expression).expression)


def search_steps(count: Label) -> Label:
    """How many comparisons a binary search among so many sorted times makes at most: ⌈log₂(n + 1)⌉."""
    return UNBOUNDED if count == UNBOUNDED else int(count).bit_length()


def resources_of(
    transformed: Expression,
    least: Callable[..., Quantity] = min,
    greatest: Callable[..., Quantity] = max,
    probes: Callable[[Quantity], Quantity] = search_steps,
) -> Resources:
    """The resource bounds of a transformed expression, all of whose sequences are labelled as Section 6 does.

    The smaller and the greater of two bounds or labels, and `search_steps` of one, are as given. `KeyError` for a step
    without a cost.
    """
    known: dict[Expression, PartBounds] = {}
    for number, part in enumerate(bottom_up(transformed), start=1):
        if not isinstance(part, Operation):
            known[part] = PartBounds(number, part, 0, 1, 0, 0, LOOK)
            continue
        operands = [known[operand] for operand in part.operands]
        step, results = BOUNDED_STEPS[part.operator](part), made_of(part.definition)
        cost = COSTS[type(step)]
        length = reduce(greatest, [operands[of[0]].length if len(of) == 1 else UNBOUNDED for of in results])
        of_each = step.bound if len(cost.keeps) == 1 else 1
        known[part] = PartBounds(
            number=number,
            expression=part,
            length=least(length, part.bound) if part.definition.bounded else length,
            width=max(sum(operands[operand].width for operand in of) for of in results),
            instances=step.bound,
            occurrences=sum(of_each * operands[operand].width for operand in cost.keeps),
            steps=cost.fixed + sum(probes(step.bound - fewer) for fewer in cost.searches),
        )
    return Resources(transformed, tuple(known.values()))


def made_of(operator: Operator) -> list[list[int]]:
    """For each comprehension of an operator, the operands whose instances its result is joined from."""
    return [
        [STREAM_NAMES.index(dict(comprehension.ranges)[variable]) for variable in comprehension.result]
        for comprehension in operator.comprehensions
    ]


@dataclass(frozen=True)
class Fault:
    """A sequence that keeps arbitrarily many instances: one of its left side per possible start of its right side.

    Two restrictions help: one on the right side of every such sequence, or one on the whole expression, which the
    transformation moves inwards to all sequences.
    """

    sequence: PartBounds  # the sequence, labelled ∞
    right: PartBounds  # its right side, whose instances may take arbitrarily long
    causes: tuple[PartBounds, ...]  # the conjunctions and sequences in the right side that take that long


def faults(bounds: Resources) -> tuple[Fault, ...]:
    """The sequences that are at fault if the bounds of a ground expression are infinite, bottom-up; none if not."""
    known = {part.expression: part for part in bounds.parts}
    found = []
    for part in bounds.parts:
        if isinstance(part.expression, Operation) and part.instances == UNBOUNDED:
            right = known[part.expression.operands[1]]
            causes = dict.fromkeys(known[cause] for cause in _causes(right.expression, known))
            found.append(Fault(part, right, tuple(causes)))
    return tuple(found)


def _causes(expression: Expression, known: Mapping[Expression, PartBounds]) -> Iterator[Expression]:
    """The outermost operations in an expression whose instances take long because they join others."""
    pending = [expression]
    while pending:
        node = pending.pop()
        if isinstance(node, Operation) and known[node].length == UNBOUNDED:
            results = made_of(node.definition)
            if all(len(parts) == 1 for parts in results):  # instances of an operand, as they are
                pending.extend(node.operands[parts[0]] for parts in reversed(results))
            else:
                yield node


def restricted_right_sides(bounds: Resources, bound: Bound) -> Expression:
    """The expression without labels, with a restriction in ticks on the right side of every sequence that is at fault.

    It means something else: instances with longer right sides are gone.
    """
    at_fault = {fault.sequence.expression for fault in faults(bounds)}

    def operation(node: Operation, operands: tuple[Expression, ...]) -> Expression:
        if node in at_fault:
            operands = (operands[0], operands[1][bound])
        return Operation(node.operator, operands, node.bound)

    return rebuilt(bounds.expression, operation)
