"""The detectors by their names, ready to be fed one instant at a time."""

from __future__ import annotations

from dataclasses import dataclass

from detectors.carlson_lisper.catalogue import DETECTORS, INTERVAL_DETECTORS
from detectors.carlson_lisper.choice import Choice, Input, choose, named_choice
from detectors.carlson_lisper.steppers import Instances, InstanceSpans, Maker, Spans
from semantics.carlson_lisper.expressions import Expression
from semantics.errors import InputError

AUTO = "auto"
"""The name that leaves it to `detectors.carlson_lisper.choice`."""

OF_INTERVALS = tuple(
    name
    for name, one in INTERVAL_DETECTORS.items()
    if one.choosable is not None and "instants" in one.choosable.feeds
)
"""The detectors of starts and ends that have a name here: those that can be fed as rows come."""


@dataclass(frozen=True)
class Made:
    """A detector that is ready to be made.

    Attributes:
        name: of the detector.
        maker: makes a fresh one.
        reason: why it was taken.
        bounded: whether its memory is known not to grow with the input.
    """

    name: str
    maker: Maker
    reason: str
    bounded: bool = False


def by_name(name: str, pattern: Expression, input: Input, *, stored: str | None = None) -> Made | None:
    """The detector that a name stands for; None if no detector of the project has it.

    Args:
        name: `auto`, or one of `OF_INTERVALS` or of `detectors.carlson_lisper.catalogue.DETECTORS`.
        pattern: a ground expression.
        input: what is known of the input, for the chooser.
        stored: the detector that a stored state belongs to, which `auto` then stands for if it can be taken again.

    Raises:
        InputError: the detector does not do this.
    """
    if name == AUTO:
        before = None if stored is None else named_choice(stored, pattern, input)
        choice = before if isinstance(before, Choice) else choose(pattern, input)
        return _made(choice, choice.reason, pattern, input)
    if name in OF_INTERVALS and input.wanted != "intervals":
        raise InputError(f"{name} detects starts and ends alone", remedy="Add --intervals.")
    if name not in OF_INTERVALS and name not in DETECTORS:
        return None
    found = named_choice(name, pattern, input)
    if isinstance(found, Choice):
        return _made(found, "asked for", pattern, input)
    if name in OF_INTERVALS:
        raise InputError(f"{name} cannot be taken: {found}", remedy=f"Leave it to --detector {AUTO}.")
    kind, factory = InstanceSpans if input.wanted == "intervals" else Instances, DETECTORS[name]
    return Made(name, lambda: kind(factory, pattern), "asked for")


def _made(choice: Choice, reason: str, pattern: Expression, input: Input) -> Made:
    name = choice.name.removesuffix("-compiled")
    if input.wanted == "intervals":
        return Made(name, lambda: Spans(choice.make()), reason, choice.bounded)
    return Made(name, lambda: Instances(lambda _: choice.make(), pattern), reason, choice.bounded)
