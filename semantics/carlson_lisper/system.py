"""The algebra as a system of the registry (`semantics.systems.SemanticsOfSystem`)."""

from __future__ import annotations

from collections.abc import Sequence

from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.interpretations import interpretation
from semantics.carlson_lisper.occurrences import Occurrence, by_end_time
from semantics.carlson_lisper.syntax import parse as parse
from semantics.carlson_lisper.traces import FORM as FORM
from semantics.events import Event


def evaluate(expression: Expression, trace: Sequence[Event]) -> list[Event]:
    """The instances of an expression (Def. 3.11) as events with the expression as their type."""
    occurrences = (Occurrence(event.type, event.time, event.attributes.get("value")) for event in trace)
    found = by_end_time(denotation(expression, interpretation(occurrences)))
    return [Event(str(expression), instance.start, instance.end) for instance in found]
