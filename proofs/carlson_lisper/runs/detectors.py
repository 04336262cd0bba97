"""The detector of Figure 4 on small expressions and traces, as a whole: what it outputs and what it keeps.

Its parts are proved one by one. This runs them together: the transformation, the choice of steps and the loop around
them. That no counterexample is found among what is tried proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from detectors.carlson_lisper.protocol import instants, run
from detectors.carlson_lisper.source.figure2 import Figure2, StepFactory
from detectors.carlson_lisper.source.figure4 import BOUNDED_STEPS, figure4
from proofs.carlson_lisper.runs.transformation import Trace, drawn_traces, expressions, traces
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Label, Operation, size
from semantics.carlson_lisper.interpretations import interpretation
from semantics.carlson_lisper.occurrences import Stream, by_end_time
from semantics.carlson_lisper.restriction import rem

SMALL = 4
"""Expressions of up to so many nodes are tried, larger ones if a sequence is outermost."""

EVERY = 8
"""Every so many-th trace over two event types is tried, and some with three."""


@dataclass(frozen=True)
class DetectorCounterexample:
    """A trace on which the detector of an expression is wrong.

    Attributes:
        expression: the expression.
        trace: the occurrences, by time.
        outputs: what the detector outputs.
        wrong: what is wrong, in words.
    """

    expression: Expression
    trace: Trace
    outputs: Stream
    wrong: str

    def summary(self) -> str:
        """The counterexample in one sentence."""
        where = ", ".join(map(str, self.trace)) or "(empty)"
        return f"the detector of {self.expression} on the trace {where}: {self.wrong}"

    def data(self) -> dict[str, Any]:
        """Plain data for a report."""
        return {
            "expression": str(self.expression),
            "occurrences": [occurrence._asdict() for occurrence in self.trace],
            "outputs": [repr(instance) for instance in by_end_time(self.outputs)],
            "wrong": self.wrong,
        }


def find_detector_counterexample(
    steps: Mapping[str, StepFactory] | None = None,
    detector: Callable[[Expression, Mapping[str, StepFactory]], Figure2] = figure4,
) -> DetectorCounterexample | None:
    """A smallest expression with a trace on which its detector is wrong; None if there is none among those tried.

    Args:
        steps: the steps of the detector; by default those of Figure 4.
        detector: what makes it; by default Figure 4.
    """
    tried = (*traces()[::EVERY], *drawn_traces()[:EVERY])
    for expression in expressions():
        outermost = isinstance(expression, Operation) and expression.operator == "seq"
        if size(expression) > SMALL and not outermost:
            continue
        for trace in tried:
            wrong, outputs = _wrong(expression, trace, steps or BOUNDED_STEPS, detector)
            if wrong:
                return DetectorCounterexample(expression, trace, outputs, wrong)
    return None


def _label(expression: Expression) -> Label | None:
    return expression.label if isinstance(expression, Operation) else None


def _wrong(
    expression: Expression,
    trace: Trace,
    steps: Mapping[str, StepFactory],
    detector: Callable[[Expression, Mapping[str, StepFactory]], Figure2],
) -> tuple[str, Stream]:
    scenario = interpretation(trace)
    outputs: Stream = frozenset()
    try:
        made = detector(expression, steps)
        outputs = frozenset(run(made, instants(scenario)))
        for node in made.state():
            if node.stored > node.bound:
                return f"{node.expression} keeps {node.stored} instances, more than {node.bound}", outputs
            assert isinstance(node.expression, Expression)
            if node.bound == UNBOUNDED and _label(node.expression) != UNBOUNDED:
                return f"{node.expression} has no bound on what it keeps", outputs
    except Exception as error:  # whatever a wrong detector may raise
        return f"it raises {type(error).__name__}: {error}", outputs
    meaning = denotation(expression, scenario)
    if not rem(meaning, outputs):
        shown = ", ".join(map(repr, by_end_time(outputs))) or "nothing"
        whole = ", ".join(map(repr, by_end_time(meaning))) or "no instance"
        return f"it outputs {shown}, which is no valid restriction of {whole}", outputs
    return "", outputs
