"""Cases in groups: the same alone and together, judged as the ordinary judge would."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaigns.carlson_lisper.judge import Kind, judge
from campaigns.carlson_lisper.mutants.of_intervals import INTERVAL_MUTANTS, IntervalMutant
from campaigns.engine.rows import ROW_SCHEMA
from campaigns.judging.judgements import MEANING
from campaigns.vectorised import judging as vectorised
from campaigns.vectorised.cases import (
    LANES,
    MAX_TICKS,
    groups,
    make_group,
    vectorised_case,
)
from campaigns.vectorised.judging import BESIDE, FEW, GroupOutcome, judge_group
from campaigns.vectorised.oracle import (
    LANE_OPERATORS,
    LaneOperator,
    greatest,
    lane_denotation,
    so_far,
    up_to_greatest,
)
from campaigns.vectorised.rows import to_record_batch
from campaigns.vectorised.traces import Words, splitmix64
from campaigns.vectorised.ways import NOTHING, side_by_side
from detectors.carlson_lisper.adapters import AnyDetector, AnyFactory, SideBySide
from detectors.carlson_lisper.fast.batches import Batch
from detectors.carlson_lisper.interval_catalogue import INTERVAL_DETECTORS
from detectors.carlson_lisper.source.figure2 import Figure2
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up
from semantics.carlson_lisper.intervals import interval_denotation
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.errors import LimitExceeded

BATCH = {"batch": INTERVAL_DETECTORS["batch"]}

seeds = st.integers(-(2**70), 2**70)
group_numbers = st.integers(0, 10**12)
lanes = st.integers(0, LANES - 1)


# ------------------------------------------------------------------------------------------------------- cases


@given(seeds, group_numbers, lanes)
def test_a_case_is_the_same_alone_and_in_its_group(seed: int, group: int, lane: int) -> None:
    alone = vectorised_case(seed, group * LANES + lane)
    together = make_group(seed, group)
    assert alone == together.case(lane)
    assert alone.number == together.numbers[lane] == group * LANES + lane


def test_cases_do_not_depend_on_the_process() -> None:
    program = "from campaigns.vectorised.cases import vectorised_case as made\n"
    program += "for number in range(0, 9000, 129): print(made(7, number))"
    environment = {**os.environ, "PYTHONHASHSEED": "12345"}
    output = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert output.splitlines() == [str(vectorised_case(7, number)) for number in range(0, 9000, 129)]


def test_random_words_are_those_of_splitmix64() -> None:
    gamma, seed = 0x9E3779B97F4A7C15, 1234567
    states = np.array([(seed + gamma * step) % 2**64 for step in (1, 2, 3)], np.uint64)
    assert splitmix64(states).tolist() == [6457827717110365317, 3203168211198807973, 9817491932198370423]


@given(st.integers(0, 5000), st.integers(0, 5000))
def test_groups_hold_every_case_of_a_range_once(start: int, size: int) -> None:
    numbers = range(start, start + size)
    found = [group * LANES + lane for group, part in groups(numbers) for lane in range(LANES)[part]]
    assert found == list(numbers)


@settings(deadline=None)
@given(seeds, group_numbers, lanes)
def test_the_counts_and_letters_of_a_group_are_those_of_its_cases(seed: int, number: int, lane: int) -> None:
    group = make_group(seed, number)
    case = group.case(lane)
    assert group.instants[lane] == len({occurrence.time for occurrence in case.occurrences})
    assert group.occurrences[lane] == len(case.occurrences)
    assert all(0 <= occurrence.time < group.ticks <= MAX_TICKS for occurrence in case.occurrences)
    letters = group.letters(group.names)[:, lane].tolist()
    assert {
        Occurrence(name, tick)
        for tick, letter in enumerate(letters)
        for bit, name in enumerate(group.names)
        if letter >> bit & 1
    } == set(case.occurrences)


def test_cases_are_seldom_vacuous_and_seldom_equal() -> None:
    outcomes = [judge_group(5, number, {}) for number in range(60)]
    assert np.mean([outcome.vacuous.mean() for outcome in outcomes]) < 0.35
    distinct = [len(np.unique(outcome.group.planes, axis=1).T) for outcome in outcomes]
    assert np.mean(distinct) > 0.75 * LANES


# ------------------------------------------------------------------------------------------------------ oracle


def disagreements(seed: int, group: int, operators: Mapping[str, LaneOperator], step: int) -> int:
    """How many of some lanes of a group the semantics over matrices says something else of."""
    chosen = make_group(seed, group, slice(group % step, LANES, step))
    planes = dict(zip(chosen.names, chosen.planes, strict=True))
    stream = lane_denotation(chosen.expression, planes, chosen.ticks, operators)
    latest = greatest(stream)
    wrong = 0
    for place in range(len(chosen.lanes)):
        case = chosen.case(place)
        required = interval_denotation(case.expression, case.trace)
        starts = [0] * chosen.ticks
        for start, end in required.intervals():
            starts[end] |= 1 << start
        last = {end: start for start, end in required.restricted()}
        due = [last.get(end, -1) for end in range(chosen.ticks)]
        wrong += stream[:, place].tolist() != starts or latest[:, place].tolist() != due
    return wrong


@pytest.mark.parametrize("seed", range(3))
def test_the_semantics_over_lanes_is_the_one_over_matrices(seed: int) -> None:
    assert sum(disagreements(seed, group, LANE_OPERATORS, 41) for group in range(40)) == 0


def test_the_greatest_tick_of_a_set_is_found() -> None:
    sets = [0, 1, 2, 3, 5, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 53) + 1, (1 << 54) - 1]
    assert greatest(np.array(sets, np.uint64)).tolist() == [word.bit_length() - 1 for word in sets]


def _later_alone(operands: Sequence[Words], _bound: int) -> Words:
    return operands[0]


def _both_now(operands: Sequence[Words], _bound: int) -> Words:
    return LANE_OPERATORS["con"](operands, 0) & (operands[0] | operands[1])


def _blocked_by_now(operands: Sequence[Words], _bound: int) -> Words:
    return operands[0] & ~up_to_greatest(operands[1])


def _blocked_only_later(operands: Sequence[Words], _bound: int) -> Words:
    right = up_to_greatest(so_far(operands[1]))
    return operands[0] & ~(right >> np.uint64(1))


def _ended_until(operands: Sequence[Words], _bound: int) -> Words:
    left, right = operands
    latest = greatest(right).astype(np.intp)
    found = np.take_along_axis(so_far(left), np.maximum(latest, 0), axis=0)
    return np.where(latest >= 0, found, np.uint64(0))


def _a_tick_more(operands: Sequence[Words], bound: int) -> Words:
    return LANE_OPERATORS["tim"](operands, bound + 1)


ALTERED: list[tuple[str, LaneOperator]] = [
    ("dis", _later_alone),
    ("con", _both_now),
    ("neg", _blocked_by_now),
    ("neg", _blocked_only_later),
    ("seq", _ended_until),
    ("tim", _a_tick_more),
]


@pytest.mark.parametrize(("name", "wrong"), ALTERED, ids=lambda value: getattr(value, "__name__", value))
def test_a_wrong_operator_over_lanes_is_noticed(
    name: str, wrong: LaneOperator, monkeypatch: pytest.MonkeyPatch
) -> None:
    operators = {**LANE_OPERATORS, name: wrong}
    assert any(disagreements(0, group, operators, 41) for group in range(40))
    monkeypatch.setattr(vectorised, "lane_denotation", partial(lane_denotation, operators=operators))
    outcomes = (judge_group(0, group, {}) for group in range(40))
    faults = next(outcome.faults for outcome in outcomes if outcome.faults)
    assert {fault.kind for several in faults.values() for fault in several} == {Kind.DISAGREEMENT}


# -------------------------------------------------------------------------------------------------- detectors


def first_faults(mutant: IntervalMutant, limit: int) -> GroupOutcome:
    outcomes = (judge_group(0, number, {"mutant": mutant}) for number in range(limit))
    return next(outcome for outcome in outcomes if outcome.faults)


@pytest.mark.parametrize("name", ["batch", "generated"])
def test_right_detectors_pass_all_lanes(name: str) -> None:
    for number in range(6):
        outcome = judge_group(1, number, {name: INTERVAL_DETECTORS[name]})
        assert not outcome.faults and not outcome.refused and not outcome.refusals
        assert outcome.judgements.tolist() == [1] * LANES
        assert np.array_equal(outcome.detected[name], outcome.expected)


def test_other_detectors_are_tried_on_a_few_lanes_as_on_any_case() -> None:
    outcome = judge_group(1, 3, {**BATCH, "figure2": Figure2})
    assert not outcome.faults
    assert 0 < sum(outcome.judgements == 2) <= FEW
    assert set(outcome.judgements.tolist()) == {1, 2}


@pytest.mark.parametrize("name", [name for name, m in INTERVAL_MUTANTS.items() if m.altered == "batch"])
def test_wrong_detectors_side_by_side_are_found(name: str) -> None:
    outcome = first_faults(INTERVAL_MUTANTS[name], 20)
    (lane, faults), *_ = outcome.faults.items()
    (fault,) = faults
    assert lane in outcome.failing("mutant")
    assert (fault.detector, fault.relation) == ("mutant", MEANING)
    if not fault.detail.endswith(BESIDE):
        case = vectorised_case(0, int(outcome.group.numbers[lane]))
        verdict = judge(case, INTERVAL_MUTANTS[name])
        assert (verdict.kind, verdict.detail) == (fault.kind, fault.detail)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["match-stale", "match-of-match", "match-other-side", "snapshot-matches"])
def test_wrong_detectors_one_lane_after_the_other_are_found(name: str) -> None:
    assert first_faults(INTERVAL_MUTANTS[name], 40).failing("mutant")


class _LastLane(Batch):
    """Loses what the last of many lanes has to report."""

    def __init__(self, expression: Expression, traces: int) -> None:
        super().__init__(expression, traces, compiles=False)

    def run(self, *arguments: object, **options: object) -> object:  # type: ignore[override]
        outcomes = super().run(*arguments, **options)  # type: ignore[arg-type]
        if self._traces > 100:
            outcomes[:, -1] = self.none
        return outcomes


class _Crashing(Batch):
    """Does not survive that everything happens at one instant, at least twice in one trace."""

    def __init__(self, expression: Expression, traces: int) -> None:
        super().__init__(expression, traces, compiles=False)

    def run(self, letters: np.ndarray, *arguments: object, **options: object) -> object:  # type: ignore
        if np.any(np.sum(letters == (1 << len(self.names)) - 1, axis=0) >= 2):
            raise ArithmeticError("too much")
        return super().run(letters, *arguments, **options)  # type: ignore


class _CrashingTogether(Batch):
    """Does not survive many traces."""

    def __init__(self, expression: Expression, traces: int) -> None:
        if traces > 100:
            raise ArithmeticError("too many")
        super().__init__(expression, traces, compiles=False)


class _Refusing(Batch):
    """Takes event types alone."""

    def __init__(self, expression: Expression, traces: int) -> None:
        if isinstance(expression, Operation):
            raise LimitExceeded("this is not an event type")
        super().__init__(expression, traces, compiles=False)


def side(make: Callable[[Expression, int], Batch]) -> IntervalMutant:
    def adapter(expression: Expression) -> AnyDetector:
        return SideBySide(expression, make)

    return IntervalMutant(make.__name__, "batch", "", adapter)


def group_where(condition: Callable[[GroupOutcome], object]) -> int:
    return next(number for number in range(100) if condition(judge_group(0, number, {})))


def test_a_failure_that_a_case_does_not_show_alone_is_a_failure_that_says_so() -> None:
    number = group_where(lambda outcome: outcome.expected[-1])
    outcome = judge_group(0, number, {"last": side(_LastLane)})
    assert list(outcome.faults) == [LANES - 1]
    (fault,) = outcome.faults[LANES - 1]
    assert fault.kind is Kind.MISSING
    assert fault.detail.endswith(BESIDE)


def test_the_lane_at_which_a_detector_crashes_is_found() -> None:
    crashing = side(_Crashing)
    groups = (
        judge_group(0, n, {"crashing": crashing}) for n in range(1, 20)
    )  # in 0, it does not crash alone
    outcome = next(one for one in groups if one.faults)
    ((lane, (fault,)),) = outcome.faults.items()
    assert (fault.kind, fault.detail) == (Kind.CRASH, "ArithmeticError: too much")
    assert judge(outcome.group.case(lane), crashing).kind is Kind.CRASH
    assert outcome.judgements.sum() == 1


def test_a_crash_of_many_traces_alone_is_a_failure_that_says_so() -> None:
    outcome = judge_group(0, 1, {"together": side(_CrashingTogether)})
    ((_, (fault,)),) = outcome.faults.items()
    assert (fault.kind, fault.detail) == (Kind.CRASH, "ArithmeticError: too many" + BESIDE)


def test_a_refusal_is_one_of_every_lane() -> None:
    number = group_where(lambda outcome: isinstance(outcome.group.expression, Operation))
    outcome = judge_group(0, number, {"refusing": side(_Refusing), **BATCH})
    assert outcome.refused == (("refusing", "this is not an event type"),)
    assert outcome.judgements.tolist() == [1] * LANES
    rows = to_record_batch(outcome, "c", ROW_SCHEMA).to_pylist()
    assert all(
        row["refusals"] == [{"detector": "refusing", "reason": "this is not an event type"}] for row in rows
    )


def test_a_start_before_the_trace_is_not_taken_for_no_report() -> None:
    class TooOld(Batch):
        def __init__(self, expression: Expression, traces: int) -> None:
            super().__init__(expression, traces, compiles=False)

        def run(self, letters: np.ndarray, *arguments: object, **options: object) -> np.ndarray:
            return np.full(letters.shape, MAX_TICKS + 1 if self.ages else -7)

    reported = side_by_side(TooOld, Figure2, make_group(0, 0))
    assert not np.any(reported == NOTHING)
    assert np.all(reported < 0)


# ------------------------------------------------------------------------------------------------------- rows


def plain_rows(outcome: GroupOutcome, campaign: str, chosen: Iterable[int]) -> list[dict[str, object]]:
    """The rows of some lanes, one after the other."""
    group = outcome.group
    nodes = bottom_up(group.expression)
    rows: list[dict[str, object]] = []
    for lane in chosen:
        case = group.case(lane)
        faults = outcome.faults.get(lane, ())
        refusals = (*outcome.refused, *outcome.refusals.get(lane, ()))
        rows.append(
            {
                "campaign": campaign,
                "case": case.number,
                "profile": case.profile,
                "expression": str(case.expression),
                "operators": sorted({node.operator for node in nodes if isinstance(node, Operation)}),
                "instants": len({occurrence.time for occurrence in case.occurrences}),
                "occurrences": len(case.occurrences),
                "expected": len(interval_denotation(case.expression, case.trace).restricted()),
                "vacuous": not interval_denotation(case.expression, case.trace).restricted(),
                "literal": bool(outcome.literal[lane]),
                "relation": "",
                "judgements": int(outcome.judgements[lane]),
                "failures": [{**vars(fault), "kind": fault.kind.value} for fault in faults],
                "refusals": [{"detector": detector, "reason": reason} for detector, reason in refusals],
                "covered": [],
                "trace": case.trace_text if faults else None,
            }
        )
    return rows


def test_the_batch_of_a_group_has_one_row_per_case() -> None:
    def refusing(expression: Expression) -> AnyDetector:
        raise LimitExceeded("no")

    wrong = INTERVAL_MUTANTS["batch-rests"]
    detectors: dict[str, AnyFactory] = {"mutant": wrong, "no": side(_Refusing), "refusing": refusing, **BATCH}
    outcome = judge_group(0, first_faults(wrong, 20).group.number, detectors)
    batch = to_record_batch(outcome, "c0ffee", ROW_SCHEMA)
    batch.validate(full=True)
    assert batch.schema == ROW_SCHEMA
    assert batch.num_rows == LANES
    rows = batch.to_pylist()
    chosen = sorted({*range(0, LANES, 9), *outcome.refusals, *list(outcome.faults)[:20]})
    assert [rows[lane] for lane in chosen] == plain_rows(outcome, "c0ffee", chosen)
    assert to_record_batch(outcome, "c0ffee", ROW_SCHEMA, slice(7, 11)).to_pylist() == rows[7:11]
    assert outcome.faults and outcome.refusals and outcome.refused


def test_a_column_that_is_not_known_is_an_error() -> None:
    with pytest.raises(KeyError):
        to_record_batch(judge_group(0, 0, {}), "c", pa.schema([pa.field("mood", pa.string())]))
