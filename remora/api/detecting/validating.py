"""Admission of detectors where only proved or validated ones may run."""

from __future__ import annotations

from detectors.carlson_lisper.catalogue import DEFAULT_DETECTOR, DETECTORS
from remora.api.detecting.makers import AUTO
from semantics.carlson_lisper.expressions import Expression
from semantics.errors import InputError

STARTS = "generated"
"""The detector of starts and ends whose text is validated."""


class Refuted(Exception):
    """The text that was made for a pattern detects something else than the proved steps; the text says where."""


def validated_name(name: str, pattern: Expression, *, intervals: bool) -> str:
    """The detector that runs for a pattern where it has to be proved or validated.

    Raises:
        InputError: it is neither proved, nor could the text that was made for the pattern be validated.
        Refuted: the text is wrong.
    """
    taken = (STARTS if intervals else DEFAULT_DETECTOR) if name == AUTO else name
    if taken in DETECTORS and DETECTORS[taken].proved:
        return taken
    if taken != STARTS:
        raise InputError(
            f"{taken} is neither proved nor validated",
            place="--validated",
            remedy="Take --detector figure4, whose steps are proved, or leave out --detector.",
        )
    from smt.carlson_lisper.validation.validating import (
        MADE,  # which brings the solver
        validate,
    )

    found = validate(MADE[taken](pattern))
    if found.outcome == "refuted":
        raise Refuted(f"the text of {taken} for {pattern} is wrong: {found.reason}")
    if not found.holds:
        raise InputError(
            f"the text of {taken} for {pattern} is {found}",
            place="--validated",
            remedy="Take --detector figure4, whose steps are proved.",
        )
    return taken
