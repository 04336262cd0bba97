"""Numbers and examples of the source, computed: whether a statement comes out, and what was found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from itertools import pairwise, product
from math import floor, log2
from types import FunctionType

from detectors.carlson_lisper.protocol import instants, run
from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, CandidateQueue
from detectors.carlson_lisper.source.transformation import RULES, Rule, Work, transform
from laws.carlson_lisper.claims import law
from laws.carlson_lisper.statements.algebra import finite_equation
from proofs.carlson_lisper.printed.figures import Figure4Sequence, PrintedAlgorithm, all_scenarios
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import (
    UNBOUNDED,
    Expression,
    Identifier,
    Label,
    Operation,
    bottom_up,
    fold,
    size,
)
from semantics.carlson_lisper.occurrences import Instance, Interpretation, Occurrence, interpretation
from semantics.carlson_lisper.operators import OPERATORS, SEQUENCE, Comprehension, Operator
from semantics.carlson_lisper.restriction import same_intervals
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError
from semantics.formulas import End

Found = tuple[bool, str]
"""Whether the statement comes out as said, and what was found."""


def examples_of_section_3() -> Found:
    """Examples 3.1 and 3.2: the streams are primitive event streams, and start(a) = 2, end(a) = 5."""
    temperatures = [Occurrence("T", 2, 12), Occurrence("T", 3, 14), Occurrence("T", 5, 8)]
    pressures = [Occurrence("P", 4, "low")]
    scenario = interpretation([*temperatures, *pressures])
    a = Instance([temperatures[0], *pressures, temperatures[2]])
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
    scenario = _trace("A@0 B@1 C@2")
    expression = parse("B ; (A ; C)")
    points = denotation(expression, scenario, operators={**OPERATORS, "seq": instantaneous})
    intervals = denotation(expression, scenario)
    return len(points) == 1 and not intervals, (
        f"instantaneous: {len(points)} occurrence, with intervals: {len(intervals)}"
    )


def times_outside_the_domain() -> Found:
    """Start(⟨⟩) = -1 is no time: an occurrence at -1 is refused, and so is ⟨⟩ as an instance."""
    refused = []
    try:
        interpretation([Occurrence("A", -1)])
    except InputError:
        refused.append("a time of -1")
    try:
        Instance(())
    except ValueError:
        refused.append("an instance of no occurrence")
    right = len(refused) == 2 and NON_OCCURRENCE.start == -1
    return right, f"start(⟨⟩) = {NON_OCCURRENCE.start}; refused: {' and '.join(refused)}"


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
    (output,) = run(Figure2(parse("A + B")), instants(_trace("A@0 B@1")))
    elements = output.occurrences
    right = len(elements) == 2 and not any(isinstance(element, Instance) for element in elements)
    return right, f"out = {output}: one instance, whose {len(elements)} elements are occurrences"


def five_operators() -> Found:
    """There are five operators, and a lemma for each of them (5.2 to 5.6)."""
    return len(OPERATORS) == 5, f"{len(OPERATORS)} operators: {', '.join(OPERATORS)}"


# -------------------------------------------------------------------------------------------- sizes of instances


def _expressions(nodes: int, first: int = 0) -> Iterator[Expression]:
    """All expressions with a number of nodes, in which every identifier is another one: x0, x1 and so on."""
    if nodes == 1:
        yield Identifier(f"x{first}")
        return
    for inner in _expressions(nodes - 1, first):
        yield inner[9]
    for left_nodes in range(1, nodes - 1):
        for left in _expressions(left_nodes, first):
            used = sum(isinstance(node, Identifier) for node in bottom_up(left))
            for right in _expressions(nodes - 1 - left_nodes, first + used):
                for name in ("dis", "con", "neg", "seq"):
                    yield Operation(name, (left, right))


def _largest_instance(expression: Expression) -> int:
    """The greatest number of occurrences in an instance, when each identifier occurs once, in order of the names."""
    names = sorted({node.name for node in bottom_up(expression) if isinstance(node, Identifier)})
    scenario = interpretation(Occurrence(name, time) for time, name in enumerate(names))
    return max((len(instance.occurrences) for instance in denotation(expression, scenario)), default=0)


def instance_size() -> Found:
    """Of m subexpressions, m/2 primitive instances are not enough, and (m + 1)/2 are, and needed."""
    sizes = {m: max(map(_largest_instance, _expressions(m))) for m in range(1, 7)}
    over_half = [m for m, largest in sizes.items() if largest > m / 2]
    right = over_half[0] == 1 and all(largest == (m + 1) // 2 for m, largest in sizes.items())
    return right, (
        "greatest number of primitive instances by m: "
        + ", ".join(f"{m}: {largest}" for m, largest in sizes.items())
        + f"; more than m/2 for m = {', '.join(map(str, over_half))}; the smallest is a single identifier"
    )


def shared_subexpressions() -> Found:
    """When equal subexpressions get one number, (m + 1)/2 is not enough either: B;B has m = 2 and two occurrences."""
    expression = parse("B ; B")
    (instance,) = denotation(expression, _trace("B@0 B@1"))
    shared, written = len(bottom_up(expression)), size(expression)
    count = len(instance.occurrences)
    return count > (shared + 1) / 2 and count <= (written + 1) / 2, (
        f"B ; B: {count} occurrences; m = {shared} if equal subexpressions are one, m = {written} as written"
    )


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


# ------------------------------------------------------------------------------------------------ sizes of state


def candidates_of_figure_4() -> Found:
    """At most τ + 1 instances in q, attained, and one in l."""
    found = {}
    for ticks in range(5):
        sequence = Figure4Sequence(ticks)
        algorithm = PrintedAlgorithm(parse("A ; B"), lambda _, made=sequence: made)  # type: ignore[misc]
        algorithm.run(interpretation(Occurrence("A", time) for time in range(3 * ticks + 6)))
        found[ticks] = (sequence.most, int(sequence.l is not NON_OCCURRENCE))
    return all(value == (ticks + 1, 1) for ticks, value in found.items()), (
        "instances in q, and in l, by τ: " + _table(found)
    )


def candidates_of_figure_2() -> Found:
    """The sequence of Figure 2 keeps as many instances as there were."""
    found = {}
    for count in (4, 16, 64):
        detector = Figure2(parse("A ; (B ; C)"))
        list(run(detector, instants(interpretation(Occurrence("A", time) for time in range(count)))))
        found[count] = max(state.stored for state in detector.state())
    return all(stored == count for count, stored in found.items()), "kept after n of A, by n: " + _table(found)


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
    return (True, f"two stored instances and Figure 2: the same detections on all {compared} traces of 4 instants")


# --------------------------------------------------------------------------------------------- figures compared


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
    scenario = _trace("A@0 B@0")
    first, second = (frozenset(run(Figure2(parse(text)), instants(scenario))) for text in ("A | B", "B | A"))
    return first != second and same_intervals(first, second), f"A | B: {set(first)}, B | A: {set(second)}"


# ----------------------------------------------------------------------------------------------------- Section 6


def temporal_assumption() -> Found:
    """A_τ ≡ A'_τ, which the first case of Temporal uses, is not what the recursive call gives."""
    operand = parse("(B ; C)[5]")
    outcome = transform(operand, 1)
    scenario = _trace("B@0 C@2")
    left, right = (denotation(expression[3], scenario) for expression in (operand, outcome.expression))
    below = all(
        denotation(operand[1], other) == denotation(outcome.expression[1], other) for other in all_scenarios("BC", 4)
    )
    return outcome.bound <= 1 and left != right and below, (
        f"A = {operand}, τ = 3, τ' = 1: transform(A, 1) gives A' = {outcome.expression} and {outcome.bound};"
        f" on B@0 C@2 A_3 has {len(left)} instance, A'_3 {len(right)}; A_1 and A'_1 agree on all traces of 4 instants"
    )


def transformation_is_linear() -> Found:
    """One call of the function per subexpression, and a result of at most twice the size."""
    calls = 0

    def counted(rule: Rule) -> Rule:
        def work(operation: Operation, limit: Label) -> Work:
            nonlocal calls
            calls += 1
            return (yield from rule(operation, limit))

        return work

    rules = {name: counted(rule) for name, rule in RULES.items()}
    tried: list[Expression] = [e for nodes in range(1, 6) for e in _expressions(nodes)]
    tried += [reduce(lambda left, n: (left.then(Identifier(f"x{n}") + Identifier("y")))[n], range(60), parse("x"))]
    for expression in tried:
        calls = 0
        outcome = transform(expression, UNBOUNDED, rules)
        leaves = _leaves(expression)
        if calls + leaves != size(expression) or size(outcome.expression) > 2 * size(expression):
            return False, f"{expression}: {calls} calls"
    return True, (
        f"{len(tried)} expressions: as many calls as subexpressions, results of at most twice the size"
        " (operations on times counted as one)"
    )


def _leaves(expression: Expression) -> int:
    return fold(expression, lambda _: 1, lambda _, operands, __: sum(operands))


def laws_at_infinity() -> Found:
    """Laws 23 to 36 with some bounds ∞ are identities, by A_∞ = A, or the law of the same number without them."""
    cases = 0
    for number in range(23, 37):
        claim = law(number)
        for infinite in product((False, True), repeat=len(claim.parameters)):
            chosen = frozenset(
                name for name, is_infinite in zip(claim.parameters, infinite, strict=True) if is_infinite
            )
            if chosen:
                equation = finite_equation(claim.equation, chosen)
                cases += 1
                if equation.left != equation.right:
                    return False, f"law {number}: {equation}"
    return True, f"{cases} cases of laws 23-36 with a bound that is ∞: all are identities"


def cited_corollary() -> Found:
    """Lemma 6.1 cites laws as Theorem 4.4's that are its corollary's."""
    cited = (23, 24, 25, 26, 27, 28, 29, 30, 31, 34, 35)  # in its proof, as printed
    others = sorted(n for n in cited if law(n).source != "Theorem 4.4")
    return others == [31, 34, 35], f"cited and not of Theorem 4.4: {', '.join(map(str, others))}"


def bound_names_clash() -> Found:
    """For E = A_τ' the time that is returned is not the τ' of the expression."""
    outcome = transform(parse("(B ; C)[5]"), 1)
    return (outcome.bound != 5, f"transform((B ; C)[5], 1) returns {outcome.bound}, and τ' of the expression is 5")


def primitive_answer() -> Found:
    """A primitive is its own answer, with time 0."""
    outcome = transform(parse("E"))
    return str(
        outcome.expression
    ) == "E" and outcome.bound == 0, f"transform(E) = ⟨{outcome.expression}, {outcome.bound}⟩"


# ------------------------------------------------------------------------------------------------ time complexity


def copies_in_the_loop() -> Found:
    """Assigning each better candidate copies m·n per sequence, so that an instant costs more than m·max(m, n)."""
    found = {}
    for width in (3, 6, 12):
        found[width] = _copies(width)
    ratios = {width: round(copied / (m * max(m, n)), 3) for width, (m, n, copied) in found.items()}
    values = list(ratios.values())
    growing = all(later > 1.5 * earlier for earlier, later in pairwise(values))
    return growing, (
        "primitive instances copied at one instant against m·max(m, n): "
        + "; ".join(f"m = {m}, n = {n}: {copied}, ratio {ratios[width]}" for width, (m, n, copied) in found.items())
    )


def _copies(width: int) -> tuple[int, int, int]:
    """Nested sequences of wide left operands, with every event at every instant; m, n and the copies at the last."""
    operands: list[Expression] = [Identifier(f"x{n}") for n in range(width)]
    wide = reduce(lambda left, right: left + right, operands)
    ticks = 8 * width
    for _ in range(width):
        wide = Operation("seq", (wide, parse(f"B | (B ; B)[{ticks}]")), label=ticks)
    made: list[Figure4Sequence] = []

    def sequence(operation: Operation) -> Figure4Sequence:
        made.append(Figure4Sequence(0 if operation.label is None else int(operation.label)))
        return made[-1]

    algorithm = PrintedAlgorithm(wide, sequence)
    names = [f"x{n}" for n in range(width)] + ["B"]
    before = 0
    for time in range(ticks + 2 * width):
        before = sum(one.copied for one in made)
        algorithm.execute(time, dict.fromkeys(names))
    return size(wide), ticks + 1, sum(one.copied for one in made) - before


def binary_search() -> Found:
    """The best candidate of n is found with at most ⌊log₂ n⌋ + 1 comparisons."""
    worst = {}
    for count in (1, 4, 16, 64, 256):
        queue = CandidateQueue()
        for time in range(count):
            queue.push(Instance.primitive("A", time))
        worst[count] = max(_comparisons(queue, time) for time in range(count + 1))
    right = all(most <= floor(log2(count)) + 1 for count, most in worst.items())
    return right, "comparisons at most, by n: " + _table(worst)


def _comparisons(queue: CandidateQueue, time: int) -> int:
    asked = 0

    class Counting(int):
        def __gt__(self, other: int) -> bool:
            nonlocal asked
            asked += 1
            return int(self) > other

    queue.latest_before(Counting(time))
    return asked


# ------------------------------------------------------------------------------------------------------ machinery


def _trace(text: str) -> Interpretation:
    return interpretation(
        Occurrence(name, int(time)) for name, _, time in (word.partition("@") for word in text.split())
    )


def _table(found: Mapping[int, object]) -> str:
    return ", ".join(f"{key}: {value}" for key, value in found.items())


COUNTS: Mapping[str, Callable[[], Found]] = {
    function.__name__.replace("_", " "): function
    for function in tuple(globals().values())
    if isinstance(function, FunctionType) and function.__annotations__ == {"return": "Found"}
}
