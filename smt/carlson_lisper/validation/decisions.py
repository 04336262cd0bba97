"""The detectors whose text is validated for the pattern at hand, by their names in the catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from detectors.carlson_lisper.generated import Generated
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse
from smt.carlson_lisper.validation.validating import Validatable, Validation, validate

MADE: Mapping[str, Callable[[Expression], Validatable]] = {"generated": Generated}


@dataclass(frozen=True)
class OfPattern:
    """What is known of a detector's text for a pattern."""

    detector: str
    validation: Validation

    @property
    def holds(self) -> bool | None:
        """Whether it is right: it is validated; it is refuted; or neither."""
        return {"validated": True, "refuted": False}.get(self.validation.outcome)

    @property
    def besides(self) -> str:
        """Nothing."""
        return ""

    def __str__(self) -> str:
        return f"the text of {self.detector} is {self.validation}"


def decisions(text: str, detector: str) -> Iterator[OfPattern]:
    """The validation of the text that a detector has for a pattern; none for one of which no text is validated."""
    if detector in MADE:
        yield OfPattern(detector, validate(MADE[detector](parse(text))))
