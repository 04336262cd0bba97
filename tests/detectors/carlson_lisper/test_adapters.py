"""Detectors of intervals in the forms in which they are tried on cases."""

import pytest
from hypothesis import given, settings

from detectors.carlson_lisper.catalogue import INTERVAL_DETECTORS
from detectors.carlson_lisper.generated.start_detector import Generated
from detectors.carlson_lisper.protocol import instants
from detectors.carlson_lisper.steppers import Spans
from laws.carlson_lisper.checks.strategies import expressions, traces
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.interpretations import Interpretation
from semantics.carlson_lisper.intervals import interval_denotation
from semantics.carlson_lisper.syntax import parse


@pytest.mark.parametrize("name", INTERVAL_DETECTORS)
def test_each_adapter_reports_the_restricted_intervals(name: str) -> None:
    @settings(deadline=None, max_examples=60)
    @given(expressions(max_leaves=5), traces())
    def check(expression: Expression, trace: Interpretation) -> None:
        detector = INTERVAL_DETECTORS[name](expression)
        feed = list(instants(trace))
        if hasattr(detector, "detect_trace"):
            found = detector.detect_trace(feed)
        else:
            found = [each for time, occurring in feed if (each := detector.step(time, occurring))]
        assert found == interval_denotation(expression, trace).restricted()

    check()


def test_events_without_a_name_are_left_out_of_a_letter() -> None:
    assert Spans(Generated(parse("a | b"))).step(4, {"c": 1, "b": None}) == (4, 4)
