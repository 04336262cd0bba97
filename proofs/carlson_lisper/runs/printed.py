"""Figure 5 on small expressions: where the transformation that runs differs from what is printed.

All expressions of `proofs.carlson_lisper.runs.transformation` are transformed and compared with `as_printed`,
the loop around the rules included. That no difference is found among these proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from detectors.carlson_lisper.source.transformation import RULES, Rule, Transformed, transform
from proofs.carlson_lisper.printed.transformation import as_printed
from proofs.carlson_lisper.runs.transformation import LIMITS, Transform, drawn_expressions, expressions
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Identifier, Label


@dataclass(frozen=True)
class PrintedDifference:
    """An expression that is transformed otherwise than Figure 5 says.

    Attributes:
        expression: the expression E.
        limit: the restriction τ with which it is transformed.
        printed: what the figure says.
        ours: what comes of it, or what was raised.
    """

    expression: Expression
    limit: Label
    printed: Transformed
    ours: Transformed | str

    def summary(self) -> str:
        """The difference in one sentence."""
        ours = f"raises {self.ours}" if isinstance(self.ours, str) else f"= {_pair(self.ours)}"
        call = f"transform({self.expression}, {_label(self.limit)})"
        return f"{call} {ours}; Figure 5 says {_pair(self.printed)}"

    def data(self) -> dict[str, Any]:
        """Plain data for a report."""
        return {
            "expression": str(self.expression),
            "limit": _label(self.limit),
            "printed": _pair(self.printed),
            "ours": self.ours if isinstance(self.ours, str) else _pair(self.ours),
        }


def _label(label: Label) -> str:
    return "∞" if label == UNBOUNDED else str(label)


def _pair(outcome: Transformed) -> str:
    return f"⟨{outcome.expression}, {_label(outcome.bound)}⟩"


def find_difference_from_print(
    rules: Mapping[str, Rule] = RULES, *, transform: Transform = transform
) -> PrintedDifference | None:
    """A small expression that is transformed otherwise than it is printed; None if none of those tried is.

    Args:
        rules: the rules; by default those that run.
        transform: what applies the rules.
    """
    for expression in _tried():
        for limit in LIMITS:
            printed = as_printed(expression, limit)
            ours: Transformed | str
            try:
                ours = transform(expression, limit, rules)
                same = str(ours.expression) == str(printed.expression) and ours.bound == printed.bound
            except Exception as error:  # whatever a wrong rule may raise
                ours, same = f"{type(error).__name__}: {error}", False
            if not same:
                return PrintedDifference(expression, limit, printed, ours)
    return None


def _tried() -> Iterator[Expression]:
    yield Identifier("a")
    yield from expressions()
    yield from drawn_expressions()
