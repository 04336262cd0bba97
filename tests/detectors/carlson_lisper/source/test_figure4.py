"""The detector with bounded memory: what it detects is what Figure 2 detects, with no more instances than promised."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.carlson_lisper.protocol import instants, run
from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.carlson_lisper.source.figure4 import BOUNDED_STEPS, figure4
from detectors.carlson_lisper.source.steps import BoundedSequenceStep, SequenceStep
from laws.carlson_lisper.checks.strategies import expressions, traces
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Identifier, Operation
from semantics.carlson_lisper.interpretations import Interpretation, interpretation
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse

quick = settings(deadline=None, max_examples=80)


def spans(detector: Figure2, trace: Interpretation) -> list[tuple[int, int]]:
    return [instance.interval for instance in run(detector, instants(trace))]


@quick
@given(expressions(max_bound=4), traces(), st.integers(10**6, 10**12))
def test_a_huge_gap_changes_nothing_but_what_spans_it(
    expression: Expression, trace: Interpretation, gap: int
) -> None:
    later = [Occurrence(o.event, o.time + gap) for o in trace.occurrences()]
    both = interpretation([*trace.occurrences(), *later])
    assert spans(figure4(expression), both) == spans(Figure2(expression), both)


# -------------------------------------------------------------------------------------------------- bounded memory


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("a ; b", 2),
        ("a ; (b + c)[3]", 5),
        ("(B ; B)[2] - (P ; (P + T))", 4),
        ("(a ; (b + a))[4]", 6),
    ],
)
def test_the_queue_of_a_labelled_sequence_is_bounded_on_an_endless_trace(text: str, most: int) -> None:
    detector = figure4(parse(text))
    everything = dict.fromkeys(("a", "b", "c", "B", "P", "T"))
    stored = 0
    for time in range(300):
        chosen = {event: None for place, event in enumerate(everything) if (time + place) % 3 or place < 1}
        detector.step(time, chosen)
        for node in detector.state():
            if isinstance(node.expression, Operation) and node.expression.operator == "seq":
                assert node.bound < UNBOUNDED
                stored = max(stored, node.stored)
    assert 1 <= stored <= most


def test_example_6_1_keeps_few_instances_where_figure_2_keeps_all() -> None:
    pattern = parse("(B ; B)[2] - (P ; (P + T))")
    bounded, unbounded = figure4(pattern), Figure2(pattern)
    for time in range(500):
        for detector in (bounded, unbounded):
            detector.step(time, {"B": None, "P": None})
    assert sum(node.stored for node in bounded.state()) <= 10
    assert sum(node.stored for node in unbounded.state()) >= 1_000


def test_a_sequence_without_a_finite_label_is_that_of_figure_2() -> None:
    operands = (Identifier("a"), Identifier("b"))
    assert type(BOUNDED_STEPS["seq"](Operation("seq", operands, label=UNBOUNDED))) is SequenceStep
    assert type(BOUNDED_STEPS["seq"](Operation("seq", operands, label=0))) is BoundedSequenceStep
    with pytest.raises(ValueError, match="no label"):
        BOUNDED_STEPS["seq"](Operation("seq", operands))
    (node,) = (n for n in figure4(parse("a ; (b + c)")).state() if n.expression == transformed("a ; (b + c)"))
    assert node.bound == UNBOUNDED


def transformed(text: str) -> Expression:
    return figure4(parse(text)).expression


@pytest.mark.parametrize("label", [0, 1])
def test_a_label_that_is_too_short_is_not_trusted(label: int) -> None:
    pattern = parse(f"a ;[{label}] (b + c)")
    trace = interpretation([Occurrence("a", 0), Occurrence("b", 1), Occurrence("a", 3), Occurrence("c", 9)])
    assert spans(figure4(pattern), trace) == spans(Figure2(pattern), trace) == [(0, 9)]


def test_deep_expressions_are_detected() -> None:
    right: Expression = Identifier("a")
    left: Expression = Identifier("a")
    for _ in range(200):
        right = Identifier("b").then(right)
        left = (left.then(Identifier("b")) | Identifier("a"))[7]
    for expression in (right, left):
        detector, other = figure4(expression), Figure2(expression)
        for time in range(12):
            occurring = {"ab"[time % 2]: None}
            first, second = detector.step(time, occurring), other.step(time, occurring)
            assert (first and first.interval) == (second and second.interval)
