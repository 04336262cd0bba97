"""The memory statements of Section 5.2: how many instances a step keeps, and how large an instance can be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from detectors.carlson_lisper.source.figure2 import STEPS, StepFactory
from laws.carlson_lisper.invariants import STEP_LEMMAS, StepLemma
from proofs.carlson_lisper.lemmas.queue import SIZE, KeptSet, SymbolicQueue, same_set
from proofs.carlson_lisper.lemmas.steps import (
    CURRENT,
    NOW,
    RUNNING,
    TICKS,
    StepProof,
    Streams,
    attribute_of,
    constantly,
)
from proofs.carlson_lisper.lemmas.transformation import ExtendedLogic, ExtendedTime, extended_term
from proofs.carlson_lisper.subject import Subject
from semantics.carlson_lisper.expressions import UNBOUNDED, Identifier, Operation
from smt.carlson_lisper.obligations import Writer
from smt.carlson_lisper.step_terms import ABSENT, OperationTerm, made_step, vocabulary
from smt.obligations import Obligation
from smt.python_terms import Execution, Interpreter, Made, NotTranslated, Number, Path, explore
from smt.smtlib import FALSE, SORT, TRUE, TimeSort, conjunction, disjunction, negation

STEPS_BOUNDED, INSTANCE, BOUNDED, UNBOUNDED_QUEUE = (
    "memory:5.2.steps",
    "memory:5.2.instance",
    "memory:5.2.figure4",
    "memory:5.2.figure2",
)

LIMITED = ("lemma:5.2", "lemma:5.3", "lemma:5.4", "lemma:5.6")
"""The lemmas about the operators whose storage the source calls limited."""


def stated(lemma: StepLemma) -> ExtendedTime:
    """The greatest number of instances that a step keeps; of Figure 4 the size τ + 1 of its queue, and l."""
    if lemma.kept == UNBOUNDED:
        return ExtendedTime("0", TRUE)
    return ExtendedTime(f"(+ {TICKS} {lemma.kept})" if lemma.figure == 4 else str(lemma.kept))


@dataclass(frozen=True)
class _Storage:
    """What a step says of its storage, and what it keeps.

    Attributes:
        stored: whether the number of instances that it says is that of those in its variables, as a formula.
        within: whether that number is at most its bound.
        bound: whether its bound is the one that is stated.
        sizes: the numbers of instances in its queues, as terms.
        state: its auxiliary variables.
    """

    stored: str
    within: str
    bound: str
    sizes: tuple[str, ...]
    state: Mapping[str, Any]


class _Storing:
    """The obligations about the storage of a step, executed from any state that its lemma allows."""

    def __init__(self, claim: str, lemma: str, time: TimeSort, subject: Subject) -> None:
        about = STEP_LEMMAS[lemma]
        factory = (subject.steps or RUNNING[about.figure])[about.operator]
        self.claim = claim
        self.lemma = about
        self.time: TimeSort = time
        self.proof = StepProof(about, factory, time, subject.operators)
        self.paths, constants = explore(self.run)
        self.constants = {name: SORT[time] if name.startswith(f"{SIZE}.") else sort for name, sort in constants.items()}

    def run(self, execution: Execution) -> _Storage:
        """A step from an arbitrary state on arbitrary instances, and what it then says of its storage."""
        said: list[_Storage] = []

        def after(interpreter: Interpreter, made: Made) -> None:
            said.append(self.storage(interpreter, made, execution))

        self.proof.run_step(execution, after)
        return said[0]

    def run_initial(self, execution: Execution) -> _Storage:
        return self.storage(*self.proof.make(execution), execution)

    def storage(self, interpreter: Interpreter, step: Made, execution: Execution) -> _Storage:
        state = self.proof.read(step)
        stored = interpreter.method(step, "stored")
        if self.proof.read(step) != state:
            raise NotTranslated("the step changes when it is asked how much it keeps")
        present, sizes = 0, []
        for variable in self.lemma.variables:
            held = step.state[attribute_of(step, variable)]
            if isinstance(held, SymbolicQueue):
                size = held.length(execution)
                sizes.append(size.text if isinstance(size, Number) else str(size))
            present += variable.kind == "instance" and held is not ABSENT
        counted = _sum([*sizes, str(present)])
        bound = interpreter.attribute(step, "bound")
        return _Storage(
            compared("=", stored, counted),
            compared("<=", stored, bound),
            compared("=", bound, stated(self.lemma)),
            tuple(sizes),
            state,
        )

    def after(self, direction: str, words: str, goal: Callable[[Path[_Storage], _Storage], str]) -> Obligation:
        """A conclusion about every way through the step; a way that ends in an exception must not be taken."""
        goals = [
            disjunction((negation(path.condition), FALSE if path.result is None else goal(path, path.result)))
            for path in self.paths
        ]
        made = self.proof.after_step(direction, words, self.constants, constantly(conjunction(goals)))
        return made.of_claim(self.claim)

    def initial(self, direction: str) -> Obligation:
        """A fresh step keeps what it says, and no more than its bound."""
        writer, _, assumptions = self.proof.writer()
        goals = []
        for path in explore(self.run_initial)[0]:
            held = path.result
            says = FALSE if held is None else conjunction((held.stored, held.within, held.bound))
            goals.append(disjunction((negation(path.condition), says)))
        words = "a step is made with nothing stored, and with the bound that is stated"
        return writer.obligation(self.claim, direction, words, [*assumptions, negation(conjunction(goals))])

    def counted(self, prefix: str = "") -> list[Obligation]:
        """What a step says is what it keeps, and its bound is the one that is stated, at first and always."""
        return [
            self.initial(f"{prefix}initial"),
            self.after(
                f"{prefix}stored",
                "the number of instances that the step says is that of those in its variables",
                lambda _, held: held.stored,
            ),
            self.after(f"{prefix}bound", f"the bound is {_words(self.lemma)}", lambda _, held: held.bound),
        ]


def _words(lemma: StepLemma) -> str:
    kept = "∞" if lemma.kept == UNBOUNDED else str(lemma.kept)
    return f"τ + {kept}" if lemma.figure == 4 else kept


def compared(relation: Literal["=", "<="], left: object, right: object) -> str:
    """The comparison of two numbers, each an integer, ∞, a symbolic number or a finite term."""
    one, other = extended_term(left), extended_term(right)
    if relation == "=" and (one, one.infinite) == (other, other.infinite):
        return TRUE
    if one.isdigit() and other.isdigit() and one.infinite == other.infinite == FALSE:
        return TRUE if (int(one) == int(other) if relation == "=" else int(one) <= int(other)) else FALSE
    return ExtendedLogic().compare(relation, one, other)


def limited(time: TimeSort, subject: Subject) -> list[Obligation]:
    """Disjunction, conjunction, negation and restriction keep no more instances than they say, in any state."""
    found = []
    for claim in LIMITED:
        storing = _Storing(STEPS_BOUNDED, claim, time, subject)
        name = storing.lemma.operator
        words = f"a {subject.operators[name].title} keeps at most as many instances as its bound says"
        found.append(storing.after(name, words, lambda _, held: held.within))
        found += storing.counted(f"{name} ")
    return found


def instance_size(time: TimeSort, subject: Subject) -> list[Obligation]:
    """An instance has at most one occurrence per identifier in the expression: at most (m + 1)/2 of them.

    By induction over the expression. The size of a union is at most the sum of the sizes; an expression has one
    subexpression more than its operands together.
    """
    found = []
    for operator in subject.operators.values():
        names = ("A", "B")[: operator.arity]
        writer = Writer(time, subject.operators)
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
        goal = conjunction((result.each(_no_larger(counts)), f"(<= (* 2 {counts}) (+ {parts_of_all} 1))"))
        words = "no instance has more occurrences than the expression has identifiers, which are at most (m + 1)/2"
        found.append(writer.obligation(INSTANCE, operator.name, words, [*known, negation(goal)], logic="ALL"))
    return found


def _no_larger(count: str) -> Callable[[str], str]:
    return lambda x: f"(<= (size {x}) {count})"


def _sum(terms: Iterable[str]) -> str:
    listed = [term for term in terms if term != "0"] or ["0"]
    return listed[0] if len(listed) == 1 else f"(+ {' '.join(listed)})"


def bounded_queue(time: TimeSort, subject: Subject) -> list[Obligation]:
    """The queue of Figure 4 holds at most τ + 1 instances, and the step keeps one more: l.

    By induction over the times at which the step runs. Where something occurs, the instances of the queue end between
    now - τ and now (`window`), at different times, and so many different numbers are at most τ + 1: by induction over
    the position in the queue, the k-th instance ends at least k ticks after the first. Where nothing occurs, the queue
    stays as it is (`idle`).
    """
    storing = _Storing(BOUNDED, "lemma:5.7", time, subject)
    return [*_different_ends(time), *_in_the_window(storing), *storing.counted(), _within_bound(storing)]


def _different_ends(time: TimeSort) -> list[Obligation]:
    """Instances whose ends rise and lie between now - τ and now are at most τ + 1."""
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


def _in_the_window(storing: _Storing) -> list[Obligation]:
    """What the queue holds after a step."""

    def window(path: Path[_Storage], held: _Storage) -> str:
        ends_in_it = conjunction((f"(<= (- {NOW} {TICKS}) (end x))", f"(<= (end x) {NOW})"))
        within = f"(forall ((x Instance)) {disjunction((negation(held.state['q']('x')), ends_in_it))})"
        return disjunction((negation(_something_occurs(path)), within))

    def idle(path: Path[_Storage], held: _Storage) -> str:
        return disjunction((_something_occurs(path), same_set(held.state["q"], KeptSet("q_i"))))

    return [
        storing.after(
            "window", "where something occurs, the instances in the queue end between now - τ and now", window
        ),
        storing.after("idle", "where nothing occurs, the queue stays as it is", idle),
    ]


def _something_occurs(path: Path[_Storage]) -> str:
    """Whether an operand has a current instance; as far as a way through the step does not say, it may have."""
    known = [f"{name}.occurs" for name in CURRENT]
    if any(name in path.conditions for name in known):
        return TRUE
    return disjunction(name for name in known if negation(name) not in path.conditions)


def _within_bound(storing: _Storing) -> Obligation:
    """With at most τ + 1 instances in the queue the step keeps no more than its bound."""

    def goal(_: Path[_Storage], held: _Storage) -> str:
        small = [f"(<= {size} (+ {TICKS} 1))" for size in held.sizes]
        return disjunction((negation(conjunction(small)), held.within))

    return storing.after("within", "with at most τ + 1 in the queue, the step keeps at most its bound", goal)


def unbounded_queue(time: TimeSort, subject: Subject) -> list[Obligation]:
    """The queue of Figure 2 has no bound: with an event type on the left, every occurrence adds an instance to it.

    By induction over the occurrences: after n of them the queue holds n instances.
    """
    storing = _Storing(UNBOUNDED_QUEUE, "lemma:5.5", time, subject)
    proof = storing.proof
    paths, constants = explore(proof.run_step)
    left = CURRENT[0]
    instantaneous = conjunction((f"{left}.occurs", f"(= (start {left}) (end {left}))"))
    before = KeptSet("q_i")

    def goal(_: Writer, __: Streams) -> str:
        goals = [negation(before(left))]
        for path in paths:
            after = FALSE if path.result is None else same_set(path.result.state["q"], before.pushed(left))
            goals.append(disjunction((negation(path.condition), after)))
        return disjunction((negation(instantaneous), conjunction(goals)))

    words = "an occurrence on the left is added to the queue, in which it was not, and nothing is removed"
    return [proof.after_step("grows", words, constants, goal).of_claim(UNBOUNDED_QUEUE), *storing.counted()]


# ----------------------------------------------------------------------------------------------- steps of Figure 4

CHOSEN = "memory:6.figure4"

LABEL = "label"


def chosen_steps(time: TimeSort, subject: Subject) -> list[Obligation]:
    """The choice of a step for an arbitrary label τ ∈ 𝒯 ∪ {∞}, and for the other operators.

    It is the last part of the argument of Section 6. Lemma 5.7 is about the step that is made for a label τ ∈ 𝒯, and
    assumes that no instance of the right operand is longer. Theorem 6.1 says that this is so for the labels of a
    transformed expression. For the label ∞ the step of Figure 2 is made, of which Lemma 5.5 assumes nothing, and
    for all other operators those of Figure 2.
    """
    chosen = subject.steps or RUNNING[4]
    found = [_without_bound(chosen["seq"], time)]
    for operator, factory in STEPS.items():
        if operator != "seq":
            same = TRUE if chosen.get(operator) is factory else FALSE
            words = f"the step for {operator} is that of Figure 2"
            found.append(Writer(time).obligation(CHOSEN, operator, words, [negation(same)]))
    return found


def _without_bound(factory: StepFactory, time: TimeSort) -> Obligation:
    """For the label ∞ the step is that of Figure 2, and for every other label it is not."""
    operands = (Identifier("A"), Identifier("B"))
    unbounded = type(STEPS["seq"](Operation("seq", operands)))

    def made(execution: Execution) -> type:
        label = Number(LABEL, f"{LABEL}.infinite", natural=True)
        interpreter = Interpreter(execution, vocabulary(lambda running: SymbolicQueue("", running)))
        return made_step(interpreter, factory, OperationTerm(operands, None, label)).kind

    writer = Writer(time)
    writer.declare(LABEL, SORT[time])
    writer.declare(f"{LABEL}.infinite", "Bool")
    goals = []
    for path in explore(made)[0]:
        infinite = f"{LABEL}.infinite"
        right = FALSE
        if path.result is not None:
            right = infinite if path.result is unbounded else negation(infinite)
        goals.append(disjunction((negation(path.condition), right)))
    words = "a sequence whose label is ∞ gets the step of Figure 2, and no other sequence does"
    assumptions = [f"(<= 0 {LABEL})", negation(conjunction(goals))]
    return writer.obligation(CHOSEN, "seq", words, assumptions)
