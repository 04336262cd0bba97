"""The report's parts about this algebra."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from reports.carlson_lisper import records
from reports.carlson_lisper.separating_cases import separating_cases, side_by_side_lines, sources
from reports.systems import ReportsOfSystem, Section
from semantics.carlson_lisper.syntax import parse_equation
from semantics.errors import InputError


class CarlsonLisperReports(ReportsOfSystem):
    """Drawings of instances, streams and histories; other engines beside this one."""

    is_drawn = staticmethod(records.is_drawn)
    in_words = staticmethod(records.in_words)
    counterexample_timeline = staticmethod(records.counterexample_timeline)
    failure_timeline = staticmethod(records.failure_timeline)

    def is_equation(self, text: str) -> bool:
        """Whether a text is an equation between expressions."""
        try:
            parse_equation(text)
        except InputError:
            return False
        return True

    def in_templates(self) -> Mapping[str, Callable[..., Any]]:
        """What the templates of counterexamples and of other engines call."""
        return {
            "detection_timeline": records.detection_timeline,
            "is_unary": records.is_unary,
            "shown_instance": records.shown_instance,
            "wrong_output": records.wrong_output,
            "separating_cases": separating_cases,
            "sources": sources,
        }

    def sections(self, document: Mapping[str, Any]) -> tuple[Section, ...]:
        """Other engines on the traces that tell them apart."""
        rows = tuple(side_by_side_lines(document))
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


REPORTS = CarlsonLisperReports()
