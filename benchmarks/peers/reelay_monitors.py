"""reelay from Python: monitors of past metric temporal logic in discrete time, which say when a formula holds.

A formula holds at an instant if some instance of the pattern ends there; where it starts, the logic cannot say.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks.subjects import Answer, NoQuery, Pattern, Prepared, Query, Subject, load
from benchmarks.traces import Trace
from semantics.carlson_lisper.expressions import identifiers

FORMULAS: Mapping[str, str] = {
    "i": "{B} and not ({P} or {T}) and ((not ({P} or {T})) since[1:2] ({B} and not ({P} or {T})))",
    "ii": "{B} and once[1:]{A}",
    "iii": "({A} and once[0:10]{B}) or ({B} and once[0:10]{A})",
    "iv": "{C} and once[1:5]({B} and once[1:]{A})",
}
"""By pattern. reelay reports an error of syntax on its standard error only, and monitors something else."""


def monitor(formula: str) -> Any:
    """A monitor that is told each tick what has changed, and answers at each tick.

    Raises:
        Absent: reelay is not installed.
    """
    return load("reelay").discrete_timed_monitor(pattern=formula, condense=False)


def changes(trace: Trace, names: list[str]) -> list[dict[str, bool]]:
    """For each tick which event types begin to occur and which cease to: what the monitors take, at its shortest."""
    letters = trace.letters(names)
    changed = letters ^ np.concatenate((letters[:1] ^ ((1 << len(names)) - 1), letters[:-1]))
    keys = (changed << len(names) | letters).tolist()
    made: dict[int, dict[str, bool]] = {}
    for key in set(keys):
        made[key] = {
            name: bool(key >> bit & 1) for bit, name in enumerate(names) if key >> (bit + len(names)) & 1
        }
    return [made[key] for key in keys]


def holds(watching: Any, updates: list[dict[str, bool]]) -> Answer:
    """The ticks at which the formula of a monitor holds."""
    update = watching.update
    ends = [time for time, changed in enumerate(updates) if update(changed)["value"]]
    return Answer(None, np.array(ends, np.int64))


def _prepare(pattern: Pattern, trace: Trace) -> Prepared:
    if pattern.id not in FORMULAS:
        raise NoQuery
    formula = FORMULAS[pattern.id]
    load("reelay")
    updates = changes(trace, sorted(identifiers(pattern.expression)))

    def fresh() -> Query:
        watching = monitor(formula)
        return lambda: holds(watching, updates)

    return fresh


SUBJECTS: tuple[Subject, ...] = (
    Subject("reelay monitor", "reelay", "each tick", _prepare, reports="ends", package="reelay"),
)
