"""How traces are fed to detectors of intervals when they are tried on cases."""

import pytest
from hypothesis import given, settings

from detectors.carlson_lisper.adapters import MAX_SPAN, SideBySide, Stretched, letter_of
from detectors.carlson_lisper.fast.batches import Batch
from detectors.carlson_lisper.generated.generated import Generated
from detectors.carlson_lisper.protocol import instants
from detectors.carlson_lisper.steppers import Spans
from laws.carlson_lisper.checks.strategies import expressions, traces
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.interpretations import Interpretation
from semantics.carlson_lisper.intervals import interval_denotation
from semantics.carlson_lisper.syntax import parse
from semantics.errors import LimitExceeded

quick = settings(deadline=None, max_examples=60)
SEQUENCE = parse("a ; b")


@quick
@given(expressions(max_leaves=5), traces())
def test_each_adapter_reports_the_restricted_intervals(expression: Expression, trace: Interpretation) -> None:
    feed = list(instants(trace))
    expected = interval_denotation(expression, trace).restricted()
    stepping = Spans(Generated(expression, compiles=False))
    assert [found for time, occurring in feed if (found := stepping.step(time, occurring))] == expected
    stretched = Stretched(expression, lambda same: Generated(same, compiles=False))
    assert stretched.detect_trace(feed) == expected
    try:
        batch = SideBySide(expression, lambda same, traces: Batch(same, traces, compiles=False))
    except LimitExceeded:
        return
    assert batch.detect_trace(feed) == expected


def test_events_without_a_name_are_left_out_of_a_letter() -> None:
    assert letter_of(("a", "b"), {"c": 1, "b": None}) == 2
    assert Spans(Generated(parse("a | b"), compiles=False)).step(4, {"c": 1, "b": None}) == (4, 4)


def test_a_trace_of_too_many_ticks_is_not_taken_side_by_side() -> None:
    batch = SideBySide(SEQUENCE, lambda same, traces: Batch(same, traces, compiles=False))
    with pytest.raises(LimitExceeded, match="tick by tick"):
        batch.detect_trace([(0, {"a": None}), (MAX_SPAN, {"b": None})])
    assert batch.detect_trace([]) == []
