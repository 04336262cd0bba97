"""Resources of the detectors that run for a pattern."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from detectors.carlson_lisper.catalogue import (
    CATALOGUE,
    COLUMNS,
    DEFAULT_DETECTOR,
    DEFAULT_OF_INTERVALS,
    reason,
)
from detectors.carlson_lisper.source.bounds import Quantity, Resources, resources
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression

if TYPE_CHECKING:
    from smt.carlson_lisper.validation.validating import Validation

TAKEN = (
    ("instances", "rows", DEFAULT_DETECTOR),
    ("intervals", "rows", DEFAULT_OF_INTERVALS),
    ("both", "columns", COLUMNS),
)
"""What is wanted, how a trace is read, and the detector for it."""


@dataclass(frozen=True)
class Choice:
    """The detector that is taken where none is named.

    Attributes:
        wanted: whole instances, or starts and ends; both, where it is the same one.
        feed: rows or columns.
        detector: its name.
        reason: what it is, and what bounds its memory.
        bounded: whether its memory does not grow with the input.
    """

    wanted: str
    feed: str
    detector: str
    reason: str
    bounded: bool


@dataclass(frozen=True)
class Running:
    """What runs for a pattern.

    Attributes:
        default: the resources of `DEFAULT_DETECTOR`.
        starts: how many starts generated code keeps at most where starts and ends are enough.
        validations: of the text that is made for the pattern, by its detector, whether it was validated.
    """

    default: Resources
    starts: int
    validations: Mapping[str, Validation]
    choices: tuple[Choice, ...]


def running(pattern: Expression) -> Running:
    """What runs for a ground expression."""
    return Running(
        resources(pattern),
        _starts(pattern),
        _validations(pattern),
        tuple(
            Choice(wanted, feed, name, reason(name, pattern), CATALOGUE[name].is_bounded(pattern))
            for wanted, feed, name in TAKEN
        ),
    )


def _validations(pattern: Expression) -> dict[str, Validation]:
    from smt.carlson_lisper.validation.validating import (
        MADE,  # which brings the solver
        validate,
    )

    return {name: validate(MADE[name](pattern)) for name in ("generated",)}


def _starts(pattern: Expression) -> int:
    from detectors.carlson_lisper.generated import Generated

    return Generated(pattern).bound


# ------------------------------------------------------------------------------------------------------------- text


def running_text(running: Running) -> str:
    """The resources of what runs, in words."""
    bounds = running.default
    if bounds.instances == UNBOUNDED:
        return f"{DEFAULT_DETECTOR}: no bound"
    counts = [f"{bounds.instances:,} {_plural('instance', bounds.instances)}"]
    counts.append(f"{bounds.occurrences:,} {_plural('occurrence', bounds.occurrences)}")
    return (
        f"{DEFAULT_DETECTOR}: at most {counts[0]}, {counts[1]}; at most {bounds.steps:,} steps at one instant"
    )


def starts_text(running: Running) -> str:
    """What is kept where starts and ends are enough, in words."""
    return f"generated: at most {running.starts:,} {_plural('start', running.starts)}"


def validations_text(running: Running) -> str:
    """Whether the text that was made for the pattern does what the proved steps do, in words."""
    said = [name for name, found in running.validations.items() if found.holds]
    said += [
        f"{'wrong' if found.outcome == 'refuted' else 'not'} {name}: {found.reason}"
        for name, found in running.validations.items()
        if not found.holds
    ]
    return "; ".join(said)


def choice_lines(running: Running) -> list[tuple[str, str]]:
    """For what is wanted and how a trace is read, the detector and why."""
    said = {
        "instances": "whole instances, by rows",
        "intervals": "starts and ends, by rows",
        "both": "both, by columns",
    }
    return [(said[one.wanted], f"{one.detector}: {one.reason}") for one in running.choices]


def _plural(noun: str, number: Quantity) -> str:
    return noun if number == 1 else f"{noun}s"
