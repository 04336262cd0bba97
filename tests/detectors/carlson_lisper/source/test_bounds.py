"""Stated bounds on what a detector stores and does, against what it is seen to store and do."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from typing import cast

import pytest
from hypothesis import given, settings, strategies as st, target

from detectors.carlson_lisper.source.bounds import COSTS, Resources, StepCost, faults, resources, restricted_right_sides
from detectors.carlson_lisper.source.steps import SequenceStep, Step
from detectors.carlson_lisper.source.transformation import transform
from laws.carlson_lisper.checks.strategies import expressions, traces
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Operation, bottom_up
from semantics.carlson_lisper.occurrences import Interpretation, Time
from semantics.carlson_lisper.syntax import parse
from tests.detectors.carlson_lisper.counting import Measured
from tests.tables import table

quick = settings(deadline=None, max_examples=50)

Trace = list[tuple[Time, set[str]]]

EXCEEDED = "exceeds its bound"


def excess(bounds: Resources, measured: Measured) -> str:
    """What exceeds its bound, in words; "" if nothing does."""
    for part in bounds.parts:
        if part.number in measured.by_part:
            stated = (part.steps, part.instances, part.occurrences)
            for name, most, bound in zip(
                ("steps", "instances", "occurrences"), measured.by_part[part.number], stated, strict=True
            ):
                if most > bound:
                    return f"{name} of {part.expression}: {most} {EXCEEDED} {bound}"
    for name in ("steps", "instances", "occurrences", "length"):
        if getattr(measured, name) > getattr(bounds, name):
            return f"{name}: {getattr(measured, name)} {EXCEEDED} {getattr(bounds, name)}"
    return ""


@st.composite
def dense_traces(draw: st.DrawFn, events: Iterable[str] = "abc") -> Trace:
    """Traces that fill queues: something nearly everywhere, some events always, now and then a gap."""
    names = sorted(events)
    always = draw(st.sets(st.sampled_from(names)))
    time, trace = 0, []
    for _ in range(draw(st.integers(1, 40))):
        trace.append((time, always | draw(st.sets(st.sampled_from(names)))))
        time += draw(st.sampled_from((1, 1, 1, 1, 1, 2, 3, 9)))
    return trace


@pytest.mark.long
@settings(deadline=None, max_examples=50)
@given(expression=expressions(max_leaves=10, max_bound=5), trace=dense_traces())
def test_nothing_that_is_measured_exceeds_its_bound(expression: Expression, trace: Trace) -> None:
    bounds, measured = resources(expression), Measured(expression).run(trace)
    assert excess(bounds, measured) == ""
    if bounds.instances < UNBOUNDED:  # what comes close to it is tried further
        target(measured.occurrences / max(bounds.occurrences, 1), label="occurrences")
        target(measured.steps / bounds.steps, label="steps")


def worst_for_a_sequence(ticks: int) -> Trace:
    """a at every tick, until b starts what c ends, τ ticks later."""
    last = 2 * ticks + 3
    trace: Trace = [(time, {"a"}) for time in range(last + 1)]
    trace[last - ticks][1].add("b")
    trace[last][1].add("c")
    return trace


@pytest.mark.parametrize("ticks", [0, 1, 2, 3, 6, 7, 8, 30])
def test_the_bounds_of_a_labelled_sequence_are_attained(ticks: int) -> None:
    pattern = parse(f"a ; (b + c)[{ticks}]")
    sequence = resources(pattern).parts[-1]
    measured = Measured(pattern).run(worst_for_a_sequence(ticks))
    assert measured.by_part[sequence.number] == (sequence.steps, sequence.instances, sequence.occurrences)
    assert sequence.instances == ticks + 2
    assert sequence.steps == 11 + (ticks + 1).bit_length() + ticks.bit_length()


@pytest.mark.parametrize("pattern", ["a | b", "a + b", "a - b", "(a + b)[2]", "b ; a"])
def test_the_bounds_of_every_operator_are_attained_on_some_short_trace_and_exceeded_on_none(pattern: str) -> None:
    expression = parse(pattern)
    part = resources(expression).parts[-1]
    most = (0, 0, 0)
    for trace in short_traces():
        measured = Measured(expression).run(trace)
        most = tuple(map(max, most, measured.by_part[part.number]))  # type: ignore[assignment]
    assert most == (part.steps, part.instances, part.occurrences)


def short_traces(instants: int = 4) -> Iterable[Trace]:
    """All traces over two event types with something or nothing at each of a few instants."""
    sets: tuple[set[str], ...] = (set(), {"a"}, {"b"}, {"a", "b"})
    return ([*enumerate(chosen)] for chosen in product(sets, repeat=instants))


def test_stored_occurrences_are_attained_where_the_left_instances_are_wide() -> None:
    pattern = parse("(a ; b) ; (b + c)[5]")
    bounds = resources(pattern)
    measured = Measured(pattern).run([(time, {"a", "b"}) for time in range(20)])
    sequence = bounds.parts[-1].number
    assert measured.by_part[sequence][1:] == (7, 14)
    assert (bounds.parts[-1].instances, bounds.parts[-1].occurrences) == (7, 14)
    assert resources(parse("(a ; b) | c")).parts[-1].width == 2  # of alternatives the greater one


def test_an_unlabelled_sequence_stores_more_and_more_and_its_searches_take_longer() -> None:
    pattern = parse("a ; (b + c)")
    sequence = resources(pattern).parts[-1]
    assert (sequence.instances, sequence.steps) == (UNBOUNDED, UNBOUNDED)
    for length in (1, 10, 100, 127, 128):
        trace: Trace = [(time, {"a"}) for time in range(length + 1)]
        trace[1][1].add("b")
        trace[length][1].add("c")
        measured = Measured(pattern).run(trace)
        steps, instances, _ = measured.by_part[sequence.number]
        assert instances == length + 1
        assert steps == COSTS[SequenceStep].fixed + length.bit_length()


@pytest.mark.parametrize("step", [step for step in COSTS if step is not SequenceStep], ids=lambda step: step.__name__)
def test_a_cost_that_is_stated_too_low_is_noticed(step: type[Step], monkeypatch: pytest.MonkeyPatch) -> None:
    lower = replace(COSTS[step], fixed=COSTS[step].fixed - 1)
    monkeypatch.setitem(cast(dict[type[Step], StepCost], COSTS), step, lower)
    patterns = ["a | b", "a + b", "a - b", "(a + b)[2]", "b ; a", "b ; (a + b)"]
    assert any(
        excess(resources(parse(pattern)), Measured(parse(pattern)).run(trace)).startswith("steps")
        for pattern in patterns
        for trace in short_traces()
    )


@quick
@given(expressions(max_leaves=8))
def test_the_length_is_what_transform_returns_and_labels_are_lengths_of_right_sides(expression: Expression) -> None:
    bounds, outcome = resources(expression), transform(expression)
    assert (bounds.expression, bounds.length) == outcome
    lengths = {part.expression: part.length for part in bounds.parts}
    for part in lengths:
        if isinstance(part, Operation) and part.operator == "seq":
            assert lengths[part.operands[1]] == part.label


@quick
@given(expressions(), traces(max_size=6))
def test_none_is_longer_or_has_more_occurrences_than_is_stated(expression: Expression, trace: Interpretation) -> None:
    for part in resources(expression).parts:
        for instance in denotation(part.expression, trace):
            assert instance.end - instance.start <= part.length
            assert len(instance.occurrences) <= part.width


@quick
@given(expressions(max_leaves=10), st.integers(0, 9))
def test_a_restriction_on_the_right_side_of_what_is_at_fault_makes_all_bounds_finite(
    expression: Expression, ticks: int
) -> None:
    bounds = resources(expression)
    found = faults(bounds)
    assert bool(found) == (bounds.instances == UNBOUNDED)
    remedied = restricted_right_sides(bounds, ticks)
    assert resources(remedied).instances < UNBOUNDED
    for fault in found:
        assert (fault.sequence.instances, fault.right.length) == (UNBOUNDED, UNBOUNDED)
        within = bottom_up(fault.right.expression)
        assert fault.causes
        for cause in fault.causes:
            assert cause.expression in within
            assert cause.length == UNBOUNDED


@pytest.mark.parametrize(("pattern", "sequences", "causes", "remedied"), table(__file__, "at-fault"))
def test_the_sequences_at_fault_are_named_with_what_makes_them_so(
    pattern: str, sequences: list[str], causes: list[list[str]], remedied: str
) -> None:
    bounds = resources(parse(pattern))
    found = faults(bounds)
    assert [str(fault.sequence.expression) for fault in found] == sequences
    assert [[str(cause.expression) for cause in fault.causes] for fault in found] == causes
    assert str(restricted_right_sides(bounds, 7)) == remedied
