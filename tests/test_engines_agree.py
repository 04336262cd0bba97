"""Three engines on the same questions: automata, solvers, and evaluation of all short traces. None contradicts another.

Each engine errs in its own way, if it errs: the automata are exact but intricate, the solver proves from an encoding,
and evaluation is the definition itself on finitely many traces. A question is a pair of ground expressions and a level.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from random import Random

import pytest

from laws.carlson_lisper.altered.alterations import ALTERATIONS, Alteration
from laws.carlson_lisper.claims import EquationClaim, laws
from laws.standings import Standing
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import (
    Expression,
    Identifier,
    Operation,
    bottom_up,
    identifiers,
    substitute,
    with_bounds,
)
from semantics.carlson_lisper.interpretations import Interpretation, interpretation
from semantics.carlson_lisper.languages.decisions import (
    LEVELS,
    Decision,
    Level,
    decide,
    decide_equation,
    related,
)
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.operators import OPERATORS, Operators
from semantics.carlson_lisper.syntax import Equation
from smt.carlson_lisper.law_proofs import LADDER, prove
from smt.solvers.portfolio import Portfolio
from smt.solvers.z3_solver import Z3

NAMES = ("a", "b")
BINARY = tuple(name for name, definition in OPERATORS.items() if definition.arity == 2)


@dataclass(frozen=True)
class Pair:
    """Two expressions, and what is known about them beforehand."""

    left: Expression
    right: Expression
    equal: bool = False


def random_expression(random: Random, operators: int, names: tuple[str, ...] = NAMES) -> Expression:
    if not operators:
        return Identifier(random.choice(names))
    name = random.choice([*BINARY, "tim"])
    if name == "tim":
        return random_expression(random, operators - 1, names)[random.randrange(4)]
    left = random.randrange(operators)
    operands = (
        random_expression(random, left, names),
        random_expression(random, operators - 1 - left, names),
    )
    return Operation(name, operands)


def random_pairs(random: Random, count: int, operators: int = 4) -> Iterator[Pair]:
    for _ in range(count):
        yield Pair(
            random_expression(random, random.randint(1, operators)),
            random_expression(random, random.randint(1, operators)),
        )


def law_instances(
    random: Random, count: int, some: tuple[EquationClaim, ...] | None = None
) -> Iterator[Pair]:
    """Both sides of a law with ground expressions put in: the same meaning."""
    for _ in range(count):
        law = random.choice(some or laws())
        chosen: dict[str, Expression] = {
            name: Identifier(random.choice(NAMES))
            if name in law.primitive
            else random_expression(random, random.randrange(3))
            for name in law.variables
        }
        bounds = {name: random.randrange(4) for name in law.parameters}
        sides = [law.equation.left, law.equation.right]
        left, right = (with_bounds(substitute(side, chosen), bounds) for side in sides)
        yield Pair(left, right, equal=law.equation.relation == "==")


def mutated(random: Random, expression: Expression) -> Expression:
    """The expression with one operator, operand order or bound changed."""
    target = random.choice([node for node in bottom_up(expression) if isinstance(node, Operation)])
    if target.operator == "tim":
        assert isinstance(target.bound, int)
        changed: Expression = replace(target, bound=target.bound + 1)
    elif random.random() < 0.5:
        changed = replace(target, operands=target.operands[::-1])
    else:
        changed = replace(target, operator=random.choice(BINARY))

    def rebuilt(node: Expression) -> Expression:
        if node == target:
            return changed
        if isinstance(node, Operation):
            return replace(node, operands=tuple(map(rebuilt, node.operands)))
        return node

    return rebuilt(expression)


def mutations(random: Random, count: int) -> Iterator[Pair]:
    for pair in law_instances(random, count):
        if isinstance(pair.left, Operation):
            yield Pair(mutated(random, pair.left), pair.right)


def short_traces(instants: int) -> list[Interpretation]:
    subsets = [[name for bit, name in enumerate(NAMES) if number >> bit & 1] for number in range(4)]
    return [
        interpretation(Occurrence(name, time) for time, letter in enumerate(word) for name in letter)
        for word in product(subsets, repeat=instants)
        if word[0]
    ]


SHORT_TRACES = short_traces(3)


# ------------------------------------------------------------------------------------------------ the comparisons


def evaluated_differences(pair: Pair, operators: Operators = OPERATORS) -> dict[Level, Interpretation]:
    """By level, the first trace of three instants on which evaluation finds the expressions not equivalent."""
    found: dict[Level, Interpretation] = {}
    for scenario in SHORT_TRACES:
        left, right = (denotation(side, scenario, operators=operators) for side in (pair.left, pair.right))
        for level in LEVELS:
            if level not in found and not related(level, "equivalence", left, right):
                found[level] = scenario
        if len(found) == len(LEVELS):
            break
    return found


def contradiction(decision: Decision, difference: Interpretation | None) -> str:
    """What automata and evaluation contradict each other in; "" if in nothing."""
    told = f"{decision.left} and {decision.right} up to {decision.level}"
    if decision.holds and difference is not None:
        return f"{told}: decided equivalent, evaluation differs on {difference.occurrences()}"
    if decision.witness is not None:
        span = decision.witness.trace[-1].time
        if difference is None and span < 3:
            return f"{told}: decided different on {decision.witness.trace}, which evaluation has seen"
        if difference is not None and span >= 3:
            return f"{told}: {decision.witness.trace} is no shortest trace"
    return ""


def check_by_evaluation(pairs: Iterator[Pair]) -> dict[str, int]:
    counts = {"equivalent": 0, "different": 0}
    for pair in pairs:
        differences = evaluated_differences(pair)
        for level in LEVELS:
            decision = decide(pair.left, pair.right, level)
            found = contradiction(decision, differences.get(level))
            assert not found, found
            assert decision.holds or not pair.equal, f"{pair.left} == {pair.right} is an instance of a law"
            counts["equivalent" if decision.holds else "different"] += 1
    return counts


def check_by_solver(pairs: Iterator[Pair]) -> Counter[Standing]:
    counts: Counter[Standing] = Counter()
    solver = Portfolio([Z3()])  # one for all pairs: the laws that derivations use are proved once
    for number, pair in enumerate(pairs):
        names = identifiers(pair.left) | identifiers(pair.right)
        equation = Equation(pair.left, pair.right, "~=" if number % 2 else "==")
        claim = EquationClaim(f"pair:{number}", equation, names)
        decision = decide_equation(equation)
        result = prove(claim, solver, ladder=LADDER[:1])
        told = f"{claim.statement}: {result.standing.value}, decided {decision.holds}"
        assert result.standing is not Standing.DISAGREEMENT, told
        if result.standing in (Standing.PROVED, Standing.REFUTED):
            assert (result.standing is Standing.PROVED) == decision.holds, told
        counts[result.standing] += 1
    return counts


def all_pairs(random: Random, count: int) -> Iterator[Pair]:
    yield from random_pairs(random, count)
    yield from law_instances(random, count)
    yield from mutations(random, count)


# ------------------------------------------------------------------------------------------------------ the tests


@pytest.mark.parametrize(
    ("seed", "count", "least"), [(1, 30, 20), pytest.param(3, 100, 125, marks=pytest.mark.slow)]
)
def test_automata_and_evaluation_of_all_short_traces_agree(seed: int, count: int, least: int) -> None:
    counts = check_by_evaluation(all_pairs(Random(seed), count))
    assert min(counts.values()) > least


@pytest.mark.parametrize(
    ("seed", "count", "proved", "refuted"),
    [pytest.param(4, 30, 22, 15, marks=pytest.mark.slow)],
)
def test_automata_and_the_solver_agree(seed: int, count: int, proved: int, refuted: int) -> None:
    counts = check_by_solver(all_pairs(Random(seed), count))
    assert counts[Standing.PROVED] > proved
    assert counts[Standing.REFUTED] > refuted


@pytest.mark.parametrize("alteration", ALTERATIONS, ids=lambda alteration: alteration.operator)
def test_engines_that_use_different_definitions_are_caught(alteration: Alteration) -> None:
    claims = tuple(law for law in laws() if law.id == alteration.law)

    def is_caught(pair: Pair) -> bool:
        differences = evaluated_differences(pair)
        decisions = (
            decide(pair.left, pair.right, level, operators=alteration.operators()) for level in LEVELS
        )
        return any(contradiction(decision, differences.get(decision.level)) for decision in decisions)

    assert any(map(is_caught, law_instances(Random(5), 200, claims)))
