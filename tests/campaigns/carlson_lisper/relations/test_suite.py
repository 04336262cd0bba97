"""Each law by itself: its instances are right, a right detector passes, and what is no law is found out."""

from collections.abc import Mapping
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.carlson_lisper.cases import generate
from campaigns.carlson_lisper.judge import judge
from campaigns.carlson_lisper.mutants import TELLING
from campaigns.carlson_lisper.relations import judge_law, law_case, wrong_side
from campaigns.carlson_lisper.rewriting import equations, instance_of, other_side, telling_side
from campaigns.choices import Source
from campaigns.judging.judgements import judged_by
from campaigns.judging.verdicts import Kind
from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.protocol import NodeState
from laws.carlson_lisper.claims import EquationClaim, canaries
from semantics.carlson_lisper.expressions import bound_parameters, identifiers
from semantics.carlson_lisper.intervals import interval_denotation
from semantics.carlson_lisper.occurrences import Instance, Time, Value
from semantics.carlson_lisper.syntax import parse, parse_equation

LAWS = {law.id: law for law in equations()}
FALSE = [
    claim
    for claim in canaries()
    if isinstance(claim, EquationClaim)
    and claim.equation.relation == "=="
    and claim.statement != "A + A == A"  # has the same detections all the same: detection:1
]


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS.keys())
def test_one_side_of_every_law_tells_the_other(law: EquationClaim) -> None:
    side = telling_side(law)
    assert identifiers(side) == set(law.variables)
    assert bound_parameters(side) == set(law.parameters)


def test_an_equation_of_which_no_side_tells_the_other_is_refused() -> None:
    with pytest.raises(ValueError, match="neither side"):
        telling_side(EquationClaim("mine", parse_equation("A | B == A | C")))


@given(st.sampled_from(list(LAWS.values())), st.integers(0, 2**32))
def test_both_sides_of_a_case_of_a_law_have_the_same_detections(law: EquationClaim, seed: int) -> None:
    case = law_case(law, seed, 0)
    both = other_side(law, case.expression)
    assert both is not None
    assert both.left == case.expression != both.right
    restricted = [list(interval_denotation(side, case.trace).restricted()) for side in both[1:]]
    assert restricted[0] == restricted[1]


@given(st.sampled_from(list(LAWS.values())), st.integers(0, 2**32))
def test_an_instance_of_a_law_is_one_whose_other_side_is_found_again(law: EquationClaim, seed: int) -> None:
    both = instance_of(law, generate(seed, 0).expression, Source(str(seed)))
    if both is not None:
        sides = (both.left, both.right) if telling_side(law) == law.equation.left else (both.right, both.left)
        assert other_side(law, sides[0]) == (law.id, *sides)


@pytest.mark.parametrize(
    ("law", "expression"),
    [
        ("law:23", "(a ; b)[3]"),
        ("primitive:1", "((a | b) + (a | b)) - c"),
        ("law:3", "a ; b"),
        ("law:12", "a - (b - c)"),
    ],
)
def test_what_is_no_instance_of_a_law_has_no_other_side(law: str, expression: str) -> None:
    assert other_side(LAWS[law], parse(expression)) is None


def test_the_cases_of_a_law_follow_from_seed_and_number_and_most_have_something_to_detect() -> None:
    cases = [law_case(law, 0, number) for law in LAWS.values() for number in range(3)]
    assert cases == [law_case(law, 0, number) for law in LAWS.values() for number in range(3)]
    assert len({(case.expression, case.occurrences) for case in cases}) > 0.9 * len(cases)
    telling = [case for case in cases if interval_denotation(case.expression, case.trace).restricted()]
    assert len(telling) > 0.8 * len(cases)


def test_a_right_detector_violates_no_law() -> None:
    for law in LAWS.values():
        assert all(judge_law(law, law_case(law, 5, number), Figure2, seconds=5).ok for number in range(2))


@pytest.mark.parametrize("claim", FALSE, ids=[claim.statement for claim in FALSE])
def test_what_is_no_law_is_found_out_by_a_right_detector(claim: EquationClaim) -> None:
    """Of which neither side is wrong by the semantics."""
    cases = (law_case(claim, 0, number) for number in range(300))
    case = next(case for case in cases if judge_law(claim, case, Figure2, seconds=5).kind is not None)
    assert wrong_side(claim, case, partial(judge, factory=Figure2, seconds=5)) is None


def test_the_side_of_a_violated_law_that_is_wrong_is_named() -> None:
    mutant, law = TELLING["seq-newest"], LAWS["law:6"]
    cases = (law_case(law, 0, number) for number in range(100))
    case = next(case for case in cases if judge_law(law, case, mutant, seconds=5).kind is not None)
    assert judged_by(law.id, case, mutant, seconds=5).kind is Kind.RELATION
    found = wrong_side(law, case, partial(judge, factory=mutant, seconds=5))
    assert found is not None
    assert found[1].kind is Kind.MISSING


class Whimsical:
    """Reports something else each time that one is made."""

    made = 0

    def __init__(self, _: object) -> None:
        Whimsical.made += 1
        self.report = Whimsical.made % 2 == 0

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        return Instance.primitive("a", time) if self.report and "a" in occurrences else None

    def state(self) -> tuple[NodeState, ...]:
        return ()


def test_a_detector_that_is_not_the_same_every_time_is_found_out_by_a_law() -> None:
    case = law_case(LAWS["law:2"], 0, 1)
    assert any(judge_law(LAWS["law:2"], case, Whimsical, seconds=5).kind is not None for _ in range(2))
