"""The report's parts about this algebra, behind the protocol of reports (`reports.systems.ReportsOfSystem`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from reports.carlson_lisper.records import counterexample_timeline as counterexample_timeline
from reports.carlson_lisper.records import failure_timeline as failure_timeline
from reports.carlson_lisper.records import in_words as in_words
from reports.carlson_lisper.records import is_drawn as is_drawn
from reports.carlson_lisper.records import is_unary, shown_instance, wrong_output
from reports.carlson_lisper.separating_cases import separating_cases, side_by_side_lines, sources
from reports.systems import Section
from semantics.carlson_lisper.syntax import parse_equation
from semantics.errors import InputError


def is_equation(text: str) -> bool:
    """Whether a text is an equation between expressions."""
    try:
        parse_equation(text)
    except InputError:
        return False
    return True


def in_templates() -> Mapping[str, Callable[..., Any]]:
    """What the templates of counterexamples and of other engines call."""
    return {
        "is_unary": is_unary,
        "shown_instance": shown_instance,
        "wrong_output": wrong_output,
        "separating_cases": separating_cases,
        "sources": sources,
    }


def sections(report: Mapping[str, Any]) -> tuple[Section, ...]:
    """Other engines on the traces that tell them apart."""
    rows = tuple(side_by_side_lines(report))
    if not rows:
        return ()
    return (
        Section(
            f"Other engines on {len(rows)} separating cases",
            columns=("Side by side", "Trace", "Here", "Otherwise"),
            rows=rows,
            template="carlson_lisper/side_by_side.html.jinja",
        ),
    )
