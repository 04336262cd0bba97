"""The memory statements of Section 5.2: how many instances a step keeps, and how large an instance can be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from detectors.figure2 import StepFactory
from detectors.steps import Step
from laws.invariants import STEP_LEMMAS
from proofs.queue import KeptSet
from proofs.steps import CURRENT, NOW, RUNNING, TICKS, StepProof, Streams, constantly
from semantics.operators import OPERATORS, Operator
from smt.execution import Execution, explore
from smt.obligations import Obligation, Writer
from smt.smtlib import FALSE, SORT, TRUE, TimeSort, conjunction, disjunction, negation

STEPS_BOUNDED, INSTANCE, BOUNDED, UNBOUNDED = (
    "memory:5.2.steps",
    "memory:5.2.instance",
    "memory:5.2.figure4",
    "memory:5.2.figure2",
)

LIMITED = ("lemma:5.2", "lemma:5.3", "lemma:5.4", "lemma:5.6")
"""The lemmas about the operators whose storage the source calls limited."""


def limited(
    *,
    time: TimeSort = "int",
    operators: Mapping[str, Operator] = OPERATORS,
    steps: Mapping[str, StepFactory] | None = None,
) -> list[Obligation]:
    """Disjunction, conjunction, negation and restriction keep no more instances than they say, in any state."""
    found = []
    for claim in LIMITED:
        lemma = STEP_LEMMAS[claim]
        proof = StepProof(lemma, (steps or RUNNING[lemma.figure])[lemma.operator], time, operators)
        paths, constants = explore(partial(_stored, proof))
        within = conjunction(
            disjunction((negation(path.condition), TRUE if path.result else FALSE)) for path in paths
        )
        words = f"a {operators[lemma.operator].title} keeps at most as many instances as its bound says"
        part = proof.after_step(lemma.operator, words, constants, constantly(within))
        found.append(part.of_claim(STEPS_BOUNDED))
    return found


def _stored(proof: StepProof, execution: Execution) -> bool:
    steps: list[Step] = []
    proof.run_step(execution, steps.append)
    (step,) = steps
    return step.stored() <= step.bound


def instance_size(
    *, time: TimeSort = "int", operators: Mapping[str, Operator] = OPERATORS
) -> list[Obligation]:
    """An instance has at most one occurrence per identifier in the expression: at most (m + 1)/2 of them.

    By induction over the expression. The size of a union is at most the sum of the sizes; an expression has one
    subexpression more than its operands together.
    """
    found = []
    for operator in operators.values():
        names = ("A", "B")[: operator.arity]
        writer = Writer(time, operators)
        writer.declarations.append("(declare-fun size (Instance) Int)")
        streams = [writer.stream(name) for name in names]
        known = ["(forall ((x Instance) (y Instance)) (<= (size (join x y)) (+ (size x) (size y))))"]
        for name, stream in zip(names, streams, strict=True):
            count, parts = writer.declare(f"identifiers.{name}", "Int"), writer.declare(f"m.{name}", "Int")
            known.append(stream.each(_no_larger(count)))
            known += [f"(<= 1 {count})", f"(<= (* 2 {count}) (+ {parts} 1))"]
        bound = writer.declare("tau", SORT[time]) if operator.bounded else None
        counts = _sum(f"identifiers.{name}" for name in names)
        parts_of_all = _sum([*(f"m.{name}" for name in names), "1"])
        result = writer.apply(operator.name, streams, bound)
        goal = conjunction(
            (
                result.each(_no_larger(counts)),
                f"(<= (* 2 {counts}) (+ {parts_of_all} 1))",
            )
        )
        words = "no instance has more occurrences than the expression has identifiers, which are at most (m + 1)/2"
        found.append(writer.obligation(INSTANCE, operator.name, words, [*known, negation(goal)], logic="ALL"))
    return found


def _no_larger(count: str) -> Callable[[str], str]:
    return lambda x: f"(<= (size {x}) {count})"


def _sum(terms: Iterable[str]) -> str:
    listed = list(terms)
    return listed[0] if len(listed) == 1 else f"(+ {' '.join(listed)})"


def bounded_queue(*, time: TimeSort = "int") -> list[Obligation]:
    """The queue of Figure 4 holds at most τ + 1 instances: their ends are different numbers between now - τ and now.

    By induction over the position in the queue: the k-th instance ends at least k ticks after the first.
    """
    sort = SORT[time]

    def part(direction: str, words: str, assertions: list[str]) -> Obligation:
        writer = Writer(time)
        writer.declarations.append(f"(declare-fun ends (Int) {sort})")
        for name, kind in (("k", "Int"), ("n", "Int"), (NOW, sort), (TICKS, sort)):
            writer.declare(name, kind)
        rising = "(forall ((i Int)) (=> (and (<= 0 i) (< (+ i 1) n)) (< (ends i) (ends (+ i 1)))))"
        return writer.obligation(BOUNDED, direction, words, [rising, "(<= 1 n)", *assertions], logic="ALL")

    far = "(<= (+ (ends 0) {0}) (ends {0}))"
    return [
        part("base", "the first instance ends no earlier than itself", [negation(far.format("0"))]),
        part(
            "step",
            "the next instance ends at least a tick later",
            ["(<= 0 k)", "(< (+ k 1) n)", far.format("k"), negation("(<= (+ (ends 0) k 1) (ends (+ k 1)))")],
        ),
        part(
            "conclusion",
            "so many different ends within τ ticks are at most τ + 1",
            [
                "(<= (+ (ends 0) (- n 1)) (ends (- n 1)))",
                f"(<= (- {NOW} {TICKS}) (ends 0))",
                f"(<= (ends (- n 1)) {NOW})",
                negation(f"(<= n (+ {TICKS} 1))"),
            ],
        ),
    ]


def unbounded_queue(
    *,
    time: TimeSort = "int",
    operators: Mapping[str, Operator] = OPERATORS,
    steps: Mapping[str, StepFactory] | None = None,
) -> list[Obligation]:
    """The queue of Figure 2 has no bound: with an event type on the left, every occurrence adds an instance to it.

    By induction over the occurrences: after n of them the queue holds n instances.
    """
    lemma = STEP_LEMMAS["lemma:5.5"]
    proof = StepProof(lemma, (steps or RUNNING[2])["seq"], time, operators)
    paths, constants = explore(proof.run_step)
    left = CURRENT[0]
    instantaneous = conjunction((f"{left}.occurs", f"(= (start {left}) (end {left}))"))
    before = KeptSet("q_i")

    def goal(_: Writer, __: Streams) -> str:
        goals = [negation(before(left))]
        for path in paths:
            after = FALSE if path.result is None else _same(path.result.state["q"], before.pushed(left))
            goals.append(disjunction((negation(path.condition), after)))
        return disjunction((negation(instantaneous), conjunction(goals)))

    words = "an occurrence on the left is added to the queue, in which it was not, and nothing is removed"
    return [proof.after_step("grows", words, constants, goal).of_claim(UNBOUNDED)]


def _same(left: KeptSet, right: KeptSet) -> str:
    both = conjunction(
        (disjunction((negation(left("x")), right("x"))), disjunction((negation(right("x")), left("x"))))
    )
    return f"(forall ((x Instance)) {both})"
