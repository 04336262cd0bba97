import os
import subprocess
import sys
from dataclasses import replace
from functools import cache
from itertools import combinations_with_replacement, groupby, pairwise

import pytest

from campaigns.carlson_lisper.cases import MAX_INSTANTS, Case, generate
from campaigns.carlson_lisper.judge import Meaning
from campaigns.carlson_lisper.mutants import ALL
from campaigns.carlson_lisper.profiles import DEFAULT_WEIGHTS, PROFILES, profile_weights
from campaigns.choices import Source
from campaigns.mutants.power import power
from semantics.carlson_lisper.expressions import Operation, bottom_up, evaluate_bound, identifiers
from semantics.errors import InputError

# A change of these is a change of generation: raise `GENERATION` and replace them.
PINNED = {
    (7, 5): "a ; (b - c)  in  a@5 b@7 a@17",
    (7, 10): "b[0]  in  b(9007199254740993)@5 b(False)@7 b(2.5)@19",
    (7, 11): "a ; (a ; a)[32]  in  a@1 a@2 a@1441 a@1442 a@1473 a@1487 a@2928 a@3560",
    (7, 19): "(a | b) - (b + b)  in  a@0 b@1 a@2 b@16777214",
    (7, 26): "c ; ((d ; b) - (c ; b))  in  c@0 e@1 e@2 e@3 e@4 d@5 b@6",
    (7, 52): "(b ; a)[3]  in  b@0 a@1 b@2",
    (7, 53): "(c ; a)[129]  in  a@0 b@0 c@0 a@128 c@254 c@255 b@446",
    (7, 60): "c + c[0]  in  c@0 a@342 c@342 b@343 a@344 c@344 b@345 c@345",
    (7, 70): "b ; (a ; b) ; (a + b)[21]  in  b@1 a@20 a@21 b@42 a@61 b@82",
    (7, 95): "(b | (a ; a)) - (b | (a ; a))  in  a@0 a@2 b@6 c@7 c@8 b@10 b@11 c@11 b@13 b@15",
    (-1, 10**12 + 12): "a[0] + (a ; a)[128]  in  a@1 b@1 a@129 a@385 a@395",
    (-1, 10**12 + 20): "c[1][0]  in  c@0 c@3 a@14 a@15",
}

TEXTS_OF_MANY = (
    "from campaigns.carlson_lisper.cases import generate\nfor n in range(300): print(generate(3, n))"
)


@pytest.mark.parametrize(("numbers", "text"), PINNED.items())
def test_a_case_is_determined_by_seed_and_number(numbers: tuple[int, int], text: str) -> None:
    assert str(generate(*numbers)) == text


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_another_process_generates_the_same_cases(hash_seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    output = subprocess.run(
        [sys.executable, "-c", TEXTS_OF_MANY], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert output.splitlines() == [str(generate(3, number)) for number in range(300)]


def test_numbers_are_drawn_as_random_draws_them_in_every_version_of_python() -> None:
    source = Source("text")
    assert [source.below(1000) for _ in range(5)] == [725, 130, 734, 830, 679]


def test_a_trace_is_in_order_of_time_and_satisfies_definition_3_4() -> None:
    for number in range(300):
        case = generate(2, number)
        keys = [(o.time, o.event) for o in case.occurrences]
        assert keys == sorted(set(keys))
        assert case.trace.occurrences() == list(case.occurrences)
        assert len({time for time, _ in keys}) <= MAX_INSTANTS
        assert all(time >= 0 for time, _ in keys)


def test_the_instants_of_a_case_are_those_of_its_trace() -> None:
    for number in range(100):
        case = generate(4, number)
        flat = [(time, name, value) for time, at in case.instants() for name, value in at.items()]
        assert flat == [(o.time, o.event, o.value) for o in case.occurrences]


def test_every_profile_is_used_and_every_operator_is_frequent() -> None:
    cases = [generate(0, number) for number in range(500)]
    assert {case.profile for case in cases} == {name for name, weight in DEFAULT_WEIGHTS.items() if weight}
    nodes = [node for case in cases for node in bottom_up(case.expression)]
    for operator in ("dis", "con", "neg", "seq", "tim"):
        assert sum(isinstance(node, Operation) and node.operator == operator for node in nodes) > 200


@cache
def case_of(profile: str, number: int) -> Case:
    return generate(6, number, profile_weights({profile: 1}))


def cases_of(profile: str, count: int = 120) -> list[Case]:
    return [case_of(profile, number) for number in range(count)]


@cache
def spans_of(case: Case) -> set[int]:
    """How long instances are."""
    return {end - start for start, end in Meaning(case).expected}


def bounds_of(case: Case) -> set[int]:
    nodes = (node for node in bottom_up(case.expression) if isinstance(node, Operation))
    return {evaluate_bound(node.bound) for node in nodes if node.bound is not None}


def times_of(case: Case) -> list[int]:
    return sorted({o.time for o in case.occurrences})


def gaps_of(case: Case) -> list[int]:
    return [later - earlier for earlier, later in pairwise(times_of(case))]


def test_bounds_are_met_exactly_and_missed_by_one_tick() -> None:
    misses = set()
    for case in cases_of("boundary", 300):
        spans = {last - first for first, last in combinations_with_replacement(times_of(case), 2)}
        misses |= {span - bound for span in spans for bound in bounds_of(case)}
    assert {-1, 0, 1} <= misses


def test_few_cases_are_about_nothing_but_some_are() -> None:
    vacuous = sum(not Meaning(generate(9, number)).expected for number in range(500))
    assert 0.03 < vacuous / 500 < 0.2


def test_after_long_gaps_the_witness_happens_again() -> None:
    bounded = [case for case in cases_of("gaps") if any(bounds_of(case))]
    assert sum(max(gaps_of(case), default=0) > max(bounds_of(case)) for case in bounded) > len(bounded) / 2


def test_bursts_are_dense_and_far_apart() -> None:
    cases = cases_of("bursty")
    assert sum(gaps_of(case).count(1) >= 3 and max(gaps_of(case)) >= 9 for case in cases) > len(cases) / 3
    assert any(len(list(group)) >= 3 for case in cases for _, group in case.instants())


def test_some_traces_are_so_long_that_what_is_stored_has_to_grow() -> None:
    instants = [len(times_of(case)) for case in cases_of("long", 60)]
    assert max(instants) == PROFILES["long"].instants > 100
    assert sum(count > 64 for count in instants) > 20


def test_some_event_types_have_names_that_are_much_alike() -> None:
    names = {o.event for case in cases_of("wide") for o in case.occurrences}
    assert {"a", "A", "aa", "a_"} <= names


def test_some_expressions_have_more_event_types_than_bytes_or_words_have_bits() -> None:
    wide = [len(identifiers(case.expression)) for case in cases_of("wide")]
    assert sum(types > 8 for types in wide) > len(wide) / 3
    assert any(types > 16 for types in wide)
    crowded = [len(identifiers(case.expression)) for case in cases_of("crowded")]
    assert any(types > 32 for types in crowded) and any(types > 64 for types in crowded)


def test_some_instants_have_more_event_types_than_ten() -> None:
    for profile in ("wide", "crowded"):
        assert sum(any(len(at) > 10 for _, at in case.instants()) for case in cases_of(profile)) > 5


def test_some_event_types_have_names_that_a_program_may_use_for_itself() -> None:
    names = {name for case in cases_of("wide") for name in identifiers(case.expression)}
    assert {"now", "t1", "q1", "l1", "n1"} <= names


def test_some_operands_differ_in_their_brackets_only() -> None:
    differing = 0
    for case in cases_of("shapes"):
        parts = {part for part in bottom_up(case.expression) if isinstance(part, Operation)}
        differing += len({str(part).replace("(", "").replace(")", "") for part in parts}) < len(parts)
    assert differing > 20


@pytest.mark.parametrize("ticks", [32, 64, 127, 128, 254, 255, 256])
def test_instances_are_as_long_as_words_and_bytes_can_say_and_as_their_bounds_allow(ticks: int) -> None:
    bounded = [case for case in cases_of("limits", 700) if ticks in bounds_of(case)]
    assert any(ticks in spans_of(case) for case in bounded)
    assert any(first + ticks + 1 in times_of(case) for case in bounded for first in times_of(case))


def longest_and_ends(case: Case) -> tuple[int, list[int], list[int]]:
    """Of a sequence whose right side has a label: the label, starts of right instances so long, ends of left ones."""
    assert isinstance(case.expression, Operation)
    left, right = case.expression.operands
    assert isinstance(right, Operation) and right.bound is not None
    label = evaluate_bound(right.bound)
    starts = [s for s, e in Meaning(replace(case, expression=right)).expected if e - s == label]
    return label, starts, [end for _, end in Meaning(replace(case, expression=left)).expected]


def test_labels_that_people_are_fond_of_are_met_exactly_with_one_candidate_in_time_and_one_too_late() -> None:
    met = set()
    for case in cases_of("numbers", 600):
        root = case.expression
        if not isinstance(root, Operation) or root.operator != "seq":
            continue
        right = root.operands[1]
        if isinstance(right, Operation) and right.bound is not None:
            label, longest, ends = longest_and_ends(case)
            if any(start in ends and min(ends) < start for start in longest):
                met.add(label)
    assert len(met) > 30 and max(met) > 50_000


@pytest.mark.parametrize("ticks", [2**8, 2**10, 2**12])
def test_some_gaps_of_a_power_of_two_miss_a_bound_by_one_tick(ticks: int) -> None:
    assert any(ticks in bounds_of(case) and ticks + 1 in gaps_of(case) for case in cases_of("numbers", 1500))


@pytest.mark.parametrize("profile", ["powers", "sparse"])
def test_some_gaps_are_longer_than_fifty_bits_and_no_time_is_beyond_what_relations_may_add_to(
    profile: str,
) -> None:
    cases = cases_of(profile, 300)
    assert sum(max(gaps_of(case), default=0) > 2**50 for case in cases) > 15
    assert all(occurrence.time < 2**62 for case in cases for occurrence in case.occurrences)


@pytest.mark.parametrize("bits", [15, 16, 31, 32, 53])
def test_some_traces_lie_across_the_greatest_time_that_some_bits_can_say(bits: int) -> None:
    cases = cases_of("powers", 300)
    assert any(case.occurrences[0].time < 2**bits <= case.occurrences[-1].time for case in cases)


def test_bounds_can_be_as_great_as_expressions_may_say() -> None:
    bounds = set[int]().union(*(bounds_of(case) for case in cases_of("powers", 600)))
    assert max(bounds) > 2**59
    assert all({2**bits - 1, 2**bits, 2**bits + 1} & bounds for bits in (31, 32))


def test_runs_of_irrelevant_occurrences_lie_between_relevant_ones() -> None:
    longest = 0
    for case in cases_of("idle"):
        names = identifiers(case.expression)
        relevant = [not names.isdisjoint(at) for _, at in case.instants()]
        within = relevant[relevant.index(True) :] if True in relevant else []
        runs = [len(list(run)) for is_relevant, run in groupby(within) if not is_relevant]
        longest = max([longest, *runs])
    assert longest >= 33


def test_stretches_of_random_occurrences_are_longer_than_words() -> None:
    cases = cases_of("stretches", 60)
    lengths = [len(times_of(case)) for case in cases]
    assert max(lengths) > 250
    assert sum(count > 64 for count in lengths) > len(cases) / 4
    assert any(len(case.occurrences) > 1.5 * count for case, count in zip(cases, lengths, strict=True))


def test_queues_go_round_while_they_are_asked_for_what_is_oldest() -> None:
    round_and_old = 0
    for case in cases_of("round"):
        label, longest, ends = longest_and_ends(case)
        since = [sum(end < start for end in ends) for start in longest]
        round_and_old += any(pushed > 2 * (label + 2) for pushed in since)
    assert round_and_old > 40


@pytest.mark.parametrize(
    ("profile", "mutant"),
    [
        ("full", "full-twenty"),
        ("forbidden", "label-negation"),
        ("interleaved", "same-but-bound"),
        ("overtaken", "neg-forgets"),
        ("overtaken", "neg-recent"),
        ("round", "recent-place"),
    ],
)
def test_what_most_cases_miss_is_found_by_few_cases_of_the_profile_that_is_made_for_it(
    profile: str, mutant: str
) -> None:
    assert power({mutant: ALL[mutant]}, 6, 300, {profile: 1}).survivors == ()


def test_with_few_event_types_both_operands_are_often_the_same() -> None:
    same = [
        node.operands[0] == node.operands[1]
        for case in cases_of("few")
        for node in bottom_up(case.expression)
        if isinstance(node, Operation) and len(node.operands) == 2
    ]
    assert sum(same) > len(same) / 4


def test_some_subexpressions_happen_twice_and_some_nearly_so() -> None:
    twice = nearly = 0
    for number in range(400):
        nodes = bottom_up(generate(8, number).expression)
        operands = [operand for n in nodes if isinstance(n, Operation) for operand in n.operands]
        compound = [operand for operand in operands if isinstance(operand, Operation)]
        twice += len(set(compound)) < len(compound)
        bounded = {(n.operands, n.bound) for n in compound if n.operator == "tim"}
        nearly += len({inner for inner, _ in bounded}) < len(bounded)
    assert twice > 10 and nearly > 0


def test_values_are_attached_sometimes() -> None:
    shares = [any(o.value is not None for o in generate(0, number).occurrences) for number in range(400)]
    assert 0.05 < sum(shares) / len(shares) < 0.3


def test_some_values_are_easily_taken_for_none_or_for_others() -> None:
    values = [o.value for number in range(400) for o in generate(0, number).occurrences]
    assert any(value is False for value in values)
    assert any(isinstance(value, int) and float(value) != value for value in values)
    assert any(isinstance(value, str) and value.strip() != value for value in values)


@pytest.mark.parametrize("weights", [{"no-such": 1}, {"small": -1}, {"small": 0}, {}])
def test_weights_that_choose_nothing_are_refused(weights: dict[str, int]) -> None:
    with pytest.raises(InputError):
        profile_weights(weights)
