"""Traces on which a text detects something else than Figure 2: what shows that a text is wrong."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from detectors.carlson_lisper.generated import GLOBALS
from detectors.carlson_lisper.protocol import event_types
from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.generated_code import defined
from semantics.carlson_lisper.expressions import Expression, Operation, evaluate_bound
from smt.carlson_lisper.validation.references import numbered

TRACES, INSTANTS = 1_000, 8
"""So many traces of so many instants at most are tried to show that a text that was not validated is wrong."""

Trace = Sequence[tuple[int, list[str]]]


def parting(expression: Expression, text: str, given: Mapping[str, object]) -> str:
    """A trace on which the text detects something else than Figure 2, in words; nothing if none is found."""
    names = event_types(expression)
    numbers = random.Random(text)
    gaps = _gaps(expression)
    for _ in range(TRACES):
        now, trace = -1, []
        for _ in range(numbers.randint(1, INSTANTS)):
            now += numbers.choice(gaps)
            present = [name for name in names if numbers.random() < 0.5]
            if present:
                trace.append((now, present))
        said = _apart(expression, text, given, names, trace)
        if said:
            return said
    return ""


def _gaps(expression: Expression) -> list[int]:
    bounds = [
        evaluate_bound(node.bound)
        for node in numbered(expression)
        if isinstance(node, Operation) and node.bound is not None
    ]
    return sorted({1, 2, *(max(1, bound + by) for bound in bounds for by in (0, 1))})


def _apart(
    expression: Expression, text: str, given: Mapping[str, object], names: Sequence[str], trace: Trace
) -> str:
    due = Figure2(expression)
    told = "; ".join(f"{', '.join(present)} at {now}" for now, present in trace)
    try:
        step = _runnable(text, given, names)
        for now, present in trace:
            wanted = due.step(now, dict.fromkeys(present))
            found = step(now, present)
            right = -1 if wanted is None else wanted.start
            if found != right:
                return f"on {told}, it finds the start {found} at {now}, and {right} is right"
    except Exception as error:  # whatever a wrong text raises
        return f"on {told}, it breaks down: {type(error).__name__}: {error}"
    return ""


def _runnable(
    text: str, given: Mapping[str, object], names: Sequence[str]
) -> Callable[[int, Sequence[str]], object]:
    """The function of a text, from a time and event types to the start that it finds."""
    values = {name: copy.deepcopy(value) for name, value in given.items()}
    function: Any = defined(text, "detector", "<a text to be validated>", GLOBALS)
    step = function(**values)
    bits = {name: 1 << place for place, name in enumerate(names)}
    return lambda now, present: int(step(now, sum(bits[name] for name in present)))
