"""The detector with bounded memory: what it detects is what Figure 2 detects, with no more instances than promised."""

import pytest

from detectors.carlson_lisper.protocol import instants, run
from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.carlson_lisper.source.figure4 import figure4
from semantics.carlson_lisper.expressions import Expression, Identifier
from semantics.carlson_lisper.occurrences import Interpretation, Occurrence, interpretation
from semantics.carlson_lisper.syntax import parse


def spans(detector: Figure2, trace: Interpretation) -> list[tuple[int, int]]:
    return [instance.interval for instance in run(detector, instants(trace))]


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
