"""Figure 5 on small expressions: where the transformation that runs differs from what is printed.

All expressions of `proofs.carlson_lisper.runs.transformation` are transformed and compared with `as_printed`,
the loop around the rules included. That no difference is found among these proves nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, product
from typing import TypeAlias

from detectors.carlson_lisper.source.transformation import RULES, Rule, Transformed, transform
from proofs.carlson_lisper.printed.transformation import as_printed
from proofs.carlson_lisper.runs.transformation import (
    LIMITS,
    Transform,
    drawn_expressions,
    expressions,
    label_text,
    outcome_text,
)
from proofs.carlson_lisper.runs.wrong_runs import WrongRun, first
from semantics.carlson_lisper.expressions import Expression, Identifier, Label

Tried: TypeAlias = tuple[Expression, Label]
"""An expression, and the restriction τ with which it is transformed."""


def find_difference_from_print(
    rules: Mapping[str, Rule] = RULES, *, transform: Transform = transform
) -> WrongRun[Tried] | None:
    """A small expression that is transformed otherwise than it is printed; None if none of those tried is."""

    def difference(tried: Tried) -> WrongRun[Tried] | None:
        expression, limit = tried
        printed = as_printed(expression, limit)
        try:
            ours = transform(expression, limit, rules)
            same = str(ours.expression) == str(printed.expression) and ours.bound == printed.bound
            words, told = outcome_text(ours), f"= {outcome_text(ours)}"
        except Exception as error:  # whatever a wrong rule may raise
            same, words = False, f"{type(error).__name__}: {error}"
            told = f"raises {words}"
        return None if same else _wrong(tried, printed, words, told)

    each = chain([Identifier("a")], expressions(), drawn_expressions())
    return first(product(each, LIMITS), difference)


def _wrong(tried: Tried, printed: Transformed, ours: str, told: str) -> WrongRun[Tried]:
    expression, limit = str(tried[0]), label_text(tried[1])
    says = outcome_text(printed)
    plain = {"expression": expression, "limit": limit, "printed": says, "ours": ours}
    said = f"transform({expression}, {limit}) {told}; Figure 5 says {says}"
    return WrongRun(tried, "print", said, plain)
