"""Generated code that works with starts alone, for single instants."""

from __future__ import annotations

import re
from collections.abc import Mapping

from detectors.carlson_lisper.generated.demand import demand
from detectors.carlson_lisper.generated.instants import instant, mask, start_variables
from detectors.carlson_lisper.generated.programs import program
from detectors.carlson_lisper.protocol import event_types
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Time
from semantics.events import quoted


def start_program(expression: Expression) -> str:
    """The text of a function that makes a step from a time and a letter to the start of the current instance, or -1."""
    parts, names = demand(expression), event_types(expression)
    letters = ", ".join(f"{quoted(name)} is {1 << bit}" for bit, name in enumerate(names))
    lines, result = instant(parts, lambda types: f"letter & {mask(types, names)}")
    checked = """\
if time <= now:
    raise not_later(time, now)
now = time"""
    # The time is the same as `now`, and quicker to read.
    named = [line if line.startswith("#") else re.sub(r"\bnow\b", "time", line) for line in lines]
    return program(
        f"Detects the starts of {expression}. In a letter, {letters}.",
        [],
        start_variables(parts),
        "time, letter",
        [checked, *named, f"return {result}"],
    )


def _not_later(time: Time, now: Time) -> ValueError:
    return ValueError(f"time {time} is not later than time {now} of the instant before")


START_FUNCTIONS: Mapping[str, object] = {"not_later": _not_later}
"""What the programs for starts refer to."""
