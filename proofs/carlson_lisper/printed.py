"""Figures 2 and 4 word for word, with the choices that their print leaves open; numbers and examples, computed.

The figures are the source's texts, not the detectors of this project: sequences keep a plain list of instances and loop
over all of it, as printed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import reduce
from itertools import product
from math import floor, inf, log2

from detectors.carlson_lisper.protocol import instants, run
from detectors.carlson_lisper.source.figure2 import STEPS, Figure2
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, CandidateQueue, Step
from detectors.carlson_lisper.source.transformation import RULES, Rule, Work, transform
from laws.carlson_lisper.claims import law
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Identifier, Label, Operation, bottom_up, size
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Occurrence, Stream, Time, interpretation
from semantics.carlson_lisper.operators import OPERATORS, SEQUENCE, Comprehension, Operator
from semantics.carlson_lisper.restriction import same_intervals
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError
from semantics.formulas import End


@dataclass
class PrintedSequence:
    """The sequence of Figure 4; of Figure 2 where the label is ∞, which leaves lᵢ = ⟨⟩."""

    ticks: float = inf  # the greatest length τ' of the right operand's instances, in ticks
    join_in_loop: bool = False  # whether the second foreach ends with its conditionals, as printed
    latest_first: bool = False  # whether loops take the instances of qᵢ, a set, in reverse order
    q: list[Instance] = field(default_factory=list)  # the instances qᵢ, in the order in which loops take them
    l: Instance = NON_OCCURRENCE  # noqa: E741  # the source's name
    t: Time = -1
    copied: int = 0  # how many primitive instances the assignments of the second foreach have copied

    def execute(self, now: Time, left: Instance, right: Instance) -> Instance:
        """Execute the lines of the figure at an instant; returns aᵢ."""
        for e in self.q[::-1] if self.latest_first else list(self.q):
            if e.end < now - self.ticks:
                self.q.remove(e)
                self.l = e
        found: Instance = NON_OCCURRENCE
        if right is not NON_OCCURRENCE:
            for e in self.q[::-1] if self.latest_first else self.q:
                if e.end < right.start and found.start < e.start:
                    found = e
                    self.copied += len(e.occurrences)
                if self.join_in_loop:
                    found = self._joined(found, right)
            if not self.join_in_loop:
                found = self._joined(found, right)
        if self.t < left.start:
            self.q.append(left)
            self.t = left.start
        return found

    def _joined(self, found: Instance, right: Instance) -> Instance:
        found = self.l if found is NON_OCCURRENCE else found
        return found if found is NON_OCCURRENCE else right.join(found)


class PrintedAlgorithm:
    """Figure 2 with a choice for its sequences."""

    def __init__(self, expression: Expression, sequence: Callable[[Operation], PrintedSequence]) -> None:
        self.parts = bottom_up(expression)
        self.number = {part: index for index, part in enumerate(self.parts)}
        operations = {index: part for index, part in enumerate(self.parts) if isinstance(part, Operation)}
        self.sequences = {index: sequence(part) for index, part in operations.items() if part.operator == "seq"}
        self.steps: dict[int, Step] = {
            index: STEPS[part.operator](part) for index, part in operations.items() if part.operator != "seq"
        }

    def execute(self, now: Time, occurring: Mapping[str, object]) -> Instance:
        """Execute it once; returns the output aₘ."""
        current: list[Instance] = []
        for index, part in enumerate(self.parts):
            if isinstance(part, Operation):
                left, right = (current[self.number[o]] for o in (part.operands[0], part.operands[-1]))
                if index in self.sequences:
                    current.append(self.sequences[index].execute(now, left, right))
                else:
                    current.append(self.steps[index].step(left, right))
            elif isinstance(part, Identifier):
                occurs = part.name in occurring
                current.append(Instance.primitive(part.name, now) if occurs else NON_OCCURRENCE)
        return current[-1]

    def run(self, scenario: Interpretation, execution: str = "every instant") -> Stream:
        """All outputs over a scenario, up to its last occurrence."""
        occurring = dict(instants(scenario))
        last = max(occurring, default=-1)
        times: Iterable[Time] = range(last + 1) if execution == "every instant" else sorted(occurring)
        outputs = [self.execute(time, occurring.get(time, {})) for time in times]
        return frozenset(output for output in outputs if output is not NON_OCCURRENCE)


def all_scenarios(names: Iterable[str], length: int) -> Iterator[Interpretation]:
    """Every interpretation of some event types over the instants 0 to `length` - 1."""
    places = [(name, time) for time in range(length) for name in names]
    for chosen in product((False, True), repeat=len(places)):
        listed = zip(places, chosen, strict=True)
        yield interpretation(Occurrence(name, time) for (name, time), occurs in listed if occurs)


def occurrences(text: str, separator: str | None = None) -> list[Occurrence]:
    """Occurrences as in `A@0 B@1`."""
    parts = (word.partition("@") for word in text.split(separator))
    return [Occurrence(name, int(time)) for name, _, time in parts]


Found = tuple[bool, str]  # Whether the statement comes out as said, and what was found


def examples_of_section_3() -> Found:
    """Examples 3.1 and 3.2: the streams are primitive event streams, and start(a) = 2, end(a) = 5."""
    low, *temperatures = Occurrence("P", 4, "low"), *(Occurrence("T", *each) for each in ((2, 12), (3, 14), (5, 8)))
    scenario = interpretation([*temperatures, low])
    a = Instance([temperatures[0], low, temperatures[2]])
    right = len(scenario["T"]) == 3 and len(scenario["P"]) == 1 and a.interval == (2, 5)
    return right, f"|I(T)| = {len(scenario['T'])}, |I(P)| = {len(scenario['P'])}, a spans {a.interval}"


def example_6_1() -> Found:
    """The transformed expression and the time of Example 6.1."""
    outcome = transform(parse("(B ; B)[2] - (P ; (P + T))"))
    right = str(outcome.expression) == "(B ;[0] B)[2] - (P ;[2] (P + T)[2])" and outcome.bound == 2
    return right, f"transform gives {outcome.expression} and {outcome.bound}"


def point_semantics() -> Found:
    """B;(A;C) on A B C: an occurrence when occurrences are instantaneous, none with intervals (Section 2)."""
    instantaneous = Operator(
        "seq", ";", "sequence", 2, False,
        (Comprehension(SEQUENCE.comprehensions[0].ranges, ("s", "t"), End("s") < End("t")),),
    )  # fmt: skip
    scenario = _scenario("A@0 B@1 C@2")
    expression = parse("B ; (A ; C)")
    points = denotation(expression, scenario, operators={**OPERATORS, "seq": instantaneous})
    intervals = denotation(expression, scenario)
    found = f"instantaneous: {len(points)} occurrence, with intervals: {len(intervals)}"
    return len(points) == 1 and not intervals, found


def times_outside_the_domain() -> Found:
    """Start(⟨⟩) = -1 is no time: an occurrence at -1 is refused, and so is ⟨⟩ as an instance."""
    with suppress(InputError):
        interpretation([Occurrence("A", -1)])
        return False, "a time of -1 is accepted"
    with suppress(ValueError):
        Instance(())
        return False, "an instance of no occurrence is accepted"
    found = f"start(⟨⟩) = {NON_OCCURRENCE.start}; refused: a time of -1 and an instance of no occurrence"
    return NON_OCCURRENCE.start == -1, found


def instance_of_no_interpretation() -> Found:
    """Two occurrences of one type at one time make an instance by Def. 3.7, and are refused as part of a scenario."""
    both = [Occurrence("T", 2, 12), Occurrence("T", 2, 14)]
    instance = Instance(both)
    try:
        interpretation(both)
    except InputError as error:
        return len(instance.occurrences) == 2, f"{instance} is an instance; {error}"
    return False, f"{instance} is in an interpretation"


def names_in_theorem_4_4() -> Found:
    """Laws 23 to 36 are about A and B, and about two times."""
    names = {name for number in range(23, 37) for name in law(number).variables}
    times = {name for number in range(23, 37) for name in law(number).parameters}
    two = [number for number in range(23, 37) if len(law(number).parameters) == 2]
    right = names == {"A", "B"} and len(times) == 2 and two == [24, 31, 34]
    return right, f"expressions {', '.join(sorted(names))}; two times in laws {', '.join(map(str, two))}"


def elements_of_an_output() -> Found:
    """An element of out(i, τ) is an occurrence and not an instance, so `e ∈ out(i, τ)` cannot be meant."""
    (output,) = run(Figure2(parse("A + B")), instants(_scenario("A@0 B@1")))
    elements = [element for element in output.occurrences if not isinstance(element, Instance)]
    found = f"out = {output}: one instance, whose {len(elements)} elements are occurrences"
    return len(elements) == len(output.occurrences) == 2, found


def five_operators() -> Found:
    """There are five operators, and a lemma for each of them (5.2 to 5.6)."""
    return len(OPERATORS) == 5, f"{len(OPERATORS)} operators: {', '.join(OPERATORS)}"


def shared_subexpressions() -> Found:
    """When equal subexpressions get one number, (m + 1)/2 is not enough either: B;B has m = 2 and two occurrences."""
    expression = parse("B ; B")
    (instance,) = denotation(expression, _scenario("B@0 B@1"))
    shared, written = len(bottom_up(expression)), size(expression)
    count = len(instance.occurrences)
    found = f"B ; B: {count} occurrences; m = {shared} if equal subexpressions are one, m = {written} as written"
    return (shared + 1) / 2 < count <= (written + 1) / 2, found


def operator_without_a_factor() -> Found:
    """A disjunction of primitives has instances of one occurrence, however many subexpressions there are."""
    found = {}
    for count in (2, 8, 32):
        names = [f"x{number}" for number in range(count)]
        operands: list[Expression] = [Identifier(name) for name in names]
        expression = reduce(lambda left, right: left | right, operands)
        scenario = interpretation(Occurrence(name, 0) for name in names)
        outputs = list(run(Figure2(expression), instants(scenario)))
        found[size(expression)] = max(len(output.occurrences) for output in outputs)
    return set(found.values()) == {1}, "occurrences per instance by m: " + _table(found)


def two_instances_suffice() -> Found:
    """A;(B;C) is detected with two stored instances, on all traces of four instants, while qᵢ has no bound."""
    expression = parse("A ; (B ; C)")
    compared = 0
    for scenario in all_scenarios("ABC", 4):
        latest = chosen = None
        found = set()
        for time, occurring in instants(scenario):
            if "C" in occurring and chosen is not None:
                found.add(chosen.join(Instance.primitive("C", time)))
            if "B" in occurring and latest is not None:
                chosen = latest.join(Instance.primitive("B", time))
            if "A" in occurring:
                latest = Instance.primitive("A", time)
        expected = frozenset(run(Figure2(expression), instants(scenario)))
        if not same_intervals(frozenset(found), expected):
            return False, f"differs on {scenario.occurrences()}"
        compared += 1
    return True, f"two stored instances and Figure 2: the same detections on all {compared} traces of 4 instants"


def figure_3() -> Found:
    """Figure 3 and Figure 2 give the same output on all traces of three instants over T, P and B."""
    compared = 0
    for scenario in all_scenarios("TPB", 3):
        detector = Figure2(parse("(T | P) - B"))
        t5 = -1
        for time, occurring in instants(scenario):
            a1, a2, a4 = (Instance.primitive(name, time) if name in occurring else NON_OCCURRENCE for name in "TPB")
            a3 = a2 if a1.start <= a2.start else a1
            if t5 < a4.start:
                t5 = a4.start
            a5 = a3 if t5 < a3.start else NON_OCCURRENCE
            if detector.step(time, occurring) != (None if a5 is NON_OCCURRENCE else a5):
                return False, f"differs on {scenario.occurrences()}"
        compared += 1
    return True, f"the same outputs on all {compared} traces of 3 instants"


def equivalent_and_different() -> Found:
    """A ∨ B ≡ B ∨ A, and Figure 2 detects different instances of them, with the same starts and ends."""
    scenario = _scenario("A@0 B@0")
    first, second = (frozenset(run(Figure2(parse(text)), instants(scenario))) for text in ("A | B", "B | A"))
    return first != second and same_intervals(first, second), f"A | B: {set(first)}, B | A: {set(second)}"


def transformation_is_linear() -> Found:
    """One call of the function per subexpression, and a result of at most twice the size."""
    calls = 0

    def counted(rule: Rule) -> Rule:
        def work(operation: Operation, limit: Label) -> Work:
            nonlocal calls
            calls += 1
            return (yield from rule(operation, limit))

        return work

    def wrapped(left: Expression, bound: int) -> Expression:
        return (left.then(Identifier("x") + Identifier("y")) - Identifier("z"))[bound]

    rules = {name: counted(rule) for name, rule in RULES.items()}
    for depth in range(1, 60):
        expression: Expression = reduce(wrapped, range(depth), parse("x"))
        calls = 0
        result = transform(expression, UNBOUNDED, rules).expression
        if calls != 4 * depth or size(result) > 2 * size(expression):
            return False, f"{expression}: {calls} calls"
    return True, "59 expressions: as many calls as operations, results of at most twice the size"


def cited_corollary() -> Found:
    """Lemma 6.1 cites laws as Theorem 4.4's that are its corollary's."""
    cited = (*range(23, 32), 34, 35)  # in its proof, as printed
    others = [n for n in cited if law(n).source != "Theorem 4.4"]
    return others == [31, 34, 35], f"cited and not of Theorem 4.4: {', '.join(map(str, others))}"


def bound_names_clash() -> Found:
    """For E = A_τ' the time that is returned is not the τ' of the expression."""
    outcome = transform(parse("(B ; C)[5]"), 1)
    return outcome.bound != 5, f"transform((B ; C)[5], 1) returns {outcome.bound}, and τ' of the expression is 5"


def copies_in_the_loop() -> Found:
    """Assigning each better candidate copies m·n occurrences for one sequence, and not m for the best one."""
    found = {}
    for width in (3, 6, 12):
        names = [f"x{number}" for number in range(width)]
        wide = parse(f"({' + '.join(names)})")
        sequence = PrintedSequence(width)
        expression = Operation("seq", (wide, Identifier("B")), label=width)
        algorithm = PrintedAlgorithm(expression, lambda _, made=sequence: made)  # type: ignore[misc]
        for time in range(width + 1):
            algorithm.execute(time, dict.fromkeys(names))
        algorithm.execute(width + 1, {"B": None})
        found[width] = sequence.copied
    right = all(copied >= width * width for width, copied in found.items())
    return right, f"primitive instances copied at one instant, with m = n: {_table(found)}"


def binary_search() -> Found:
    """The best candidate of n is found with at most ⌊log₂ n⌋ + 1 comparisons."""
    asked = 0

    class Counting(int):
        def __gt__(self, other: int) -> bool:
            nonlocal asked
            asked += 1
            return int(self) > other

    worst = dict.fromkeys((1, 4, 16, 64, 256), 0)
    for count in worst:
        queue = CandidateQueue()
        for time in range(count):
            queue.push(Instance.primitive("A", time))
        for time in range(count + 1):
            asked = 0
            queue.latest_before(Counting(time))
            worst[count] = max(worst[count], asked)
    right = all(most <= floor(log2(count)) + 1 for count, most in worst.items())
    return right, f"comparisons at most, by n: {_table(worst)}"


def _scenario(text: str) -> Interpretation:
    return interpretation(occurrences(text))


def _table(found: Mapping[int, object]) -> str:
    return ", ".join(f"{key}: {value}" for key, value in found.items())


COUNTS: Mapping[str, Callable[[], Found]] = {
    name.replace("_", " "): each
    for name, each in dict(vars()).items()
    if getattr(each, "__annotations__", None) == {"return": Found}
}
"""The statements that are computed: each function above that is given nothing and says what it found."""
