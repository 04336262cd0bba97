"""The detectors of a keyed stream: one object serves all keys, each from its own snapshot."""

from __future__ import annotations

import json
from functools import lru_cache

from detectors.carlson_lisper.catalogue import AUTO, DETECTORS, OF_INTERVALS, Made, by_name
from detectors.carlson_lisper.steppers import Stepper
from detectors.protocol import Snapshot
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError


def resolve(name: str, expression: Expression, *, instances: bool) -> str:
    """The name of the detector that `auto` stands for; any other name, if it is one.

    Raises:
        InputError: there is no such detector, or it does not do this.
    """
    return _made(name, expression, instances).name


def is_bounded(name: str, expression: str, *, instances: bool) -> bool:
    """Whether the state of a detector is known not to grow with its input.

    Raises:
        InputError: there is no such detector, or it does not do this.
    """
    return _made(name, parse(expression), instances).bounded


@lru_cache(maxsize=8)
def finder(name: str, expression: str, *, instances: bool) -> tuple[Stepper, Snapshot]:
    """A detector and its initial state; made once in a process, since code may be generated for it.

    Args:
        name: as `resolve` gives it.
        expression: as it is printed.
        instances: whether instances are to be found.

    Raises:
        InputError: there is no such detector, or it does not do this.
    """
    made = _made(name, parse(expression), instances).maker()
    # Through JSON once, so that the initial state has the form of every later one.
    return made, json.loads(json.dumps(made.snapshot()))


def _made(name: str, expression: Expression, instances: bool) -> Made:
    made = by_name(name, expression, "instances" if instances else "intervals")
    if made is None:
        known = ", ".join((AUTO, *DETECTORS, *OF_INTERVALS))
        raise InputError(f"there is no detector {name!r} for streams", remedy=f"Known: {known}.")
    return made
