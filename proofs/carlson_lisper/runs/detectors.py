"""The detector of Figure 4 on small expressions and traces, as a whole: what it outputs and what it keeps.

Its parts are proved one by one. This runs them together: the transformation, the choice of steps and the loop around
them. That no counterexample is found among what is tried proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import TypeAlias

from detectors.carlson_lisper.protocol import instants, run
from detectors.carlson_lisper.source.figure2 import Figure2, StepFactory
from detectors.carlson_lisper.source.figure4 import BOUNDED_STEPS, figure4
from proofs.carlson_lisper.runs.transformation import Trace, drawn_traces, expressions, trace_text, traces
from proofs.carlson_lisper.runs.wrong_runs import WrongRun, first
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Label, Operation, size
from semantics.carlson_lisper.occurrences import Stream, by_end_time, interpretation
from semantics.carlson_lisper.restriction import rem

Tried: TypeAlias = tuple[Expression, Trace]

SMALL = 4
"""Expressions of up to so many nodes are tried, larger ones if a sequence is outermost."""

EVERY = 8
"""Every so many-th trace over two event types is tried, and some with three."""


def find_detector_counterexample(
    steps: Mapping[str, StepFactory] | None = None,
    detector: Callable[[Expression, Mapping[str, StepFactory]], Figure2] = figure4,
) -> WrongRun[Tried] | None:
    """A smallest expression with a trace on which its detector is wrong; None if there is none among those tried."""
    tried = (*traces()[::EVERY], *drawn_traces()[:EVERY])
    chosen = (each for each in expressions() if size(each) <= SMALL or _is_sequence(each))

    def fails(each: Tried) -> WrongRun[Tried] | None:
        expression, trace = each
        wrong, outputs = _wrong(each, lambda: detector(expression, steps or BOUNDED_STEPS))
        if not wrong:
            return None
        plain = {
            "expression": str(expression),
            "occurrences": [occurrence._asdict() for occurrence in trace],
            "outputs": [repr(instance) for instance in by_end_time(outputs)],
            "wrong": wrong,
        }
        said = f"the detector of {expression} on the trace {trace_text(trace)}: {wrong}"
        return WrongRun(each, "detector", said, plain)

    return first(product(chosen, tried), fails)


def _is_sequence(expression: Expression) -> bool:
    return isinstance(expression, Operation) and expression.operator == "seq"


def _label(expression: Expression) -> Label | None:
    return expression.label if isinstance(expression, Operation) else None


def _wrong(tried: Tried, make: Callable[[], Figure2]) -> tuple[str, Stream]:
    """What is wrong with a detector of an expression on a trace, in words, and what it outputs."""
    expression, trace = tried
    scenario = interpretation(trace)
    outputs: Stream = frozenset()
    try:
        made = make()
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
