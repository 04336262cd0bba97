"""The ways in which a detector takes all lanes of a group.

One that takes traces side by side gets all lanes at once. One that takes a trace in stretches gets all lanes one after
the other, as one long trace: whether an instance spans an interval depends on what happens within it alone, so the
detections that start in the lane in which they end are those of the lane.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from campaigns.carlson_lisper.mutants.of_intervals import IntervalMutant
from campaigns.vectorised.cases import Group
from detectors.carlson_lisper.adapters import AnyFactory, BatchFactory, SideBySide, Stretched
from detectors.carlson_lisper.fast.batches import Batch
from detectors.carlson_lisper.feeding_plans import Instant
from detectors.carlson_lisper.interval_catalogue import Named
from semantics.carlson_lisper.expressions import Identifier

Reported: TypeAlias = NDArray[np.int32]
"""Shape (ticks, lanes): the start that a detector reported at each tick, `NOTHING` for no report."""

Way: TypeAlias = Callable[[AnyFactory, Group], Reported]
"""What a detector, by its factory, reports of all lanes of a group.

It raises `LimitExceeded` if the detector does not take the expression, and whatever the detector raises.
"""

NOTHING = -1
"""No report."""

_FAR = -2
"""A start that is no tick of the trace."""


def way_of(factory: AnyFactory) -> Way | None:
    """How all lanes are put to a detector; None if it has no way to take them."""
    return _way_of_our_own(factory) if isinstance(factory, Named | IntervalMutant) else None


@lru_cache(maxsize=64)
def _way_of_our_own(factory: Named | IntervalMutant) -> Way | None:
    adapter = factory(Identifier("a"))
    if isinstance(adapter, SideBySide):
        return partial(side_by_side, _batch_factory(adapter))
    return one_after_the_other if isinstance(adapter, Stretched) else None


def _batch_factory(adapter: SideBySide) -> BatchFactory:
    """Makes batches of any size of the kind that an adapter has."""
    batch = adapter.batch
    return partial(Batch, compiles=batch.compiles) if type(batch) is Batch else type(batch)


def side_by_side(make: BatchFactory, _factory: AnyFactory, group: Group) -> Reported:
    """What a batch reports of all lanes, which it takes in two stretches.

    Raises:
        LimitExceeded: the expression is not taken side by side.
    """
    batch = make(group.expression, len(group.lanes))
    letters = group.letters(batch.names)
    cut = 1 + group.number % (group.ticks - 1)
    outcomes = np.concatenate([batch.run(letters[:cut]), batch.run(letters[cut:])]).astype(np.int32)
    ends = np.arange(group.ticks, dtype=np.int32)[:, None]
    starts = ends - outcomes if batch.ages else outcomes
    starts = np.where(starts < 0, _FAR, starts)
    return np.where(outcomes == batch.none, NOTHING, starts)


def one_after_the_other(factory: AnyFactory, group: Group) -> Reported:
    """What a detector reports that takes all lanes as one trace, as far as it starts in the lane in which it ends.

    Raises:
        LimitExceeded: the expression is not taken.
    """
    detector = factory(group.expression)
    assert isinstance(detector, Stretched)
    found = np.array([*detector.detect_trace(in_a_row(group))], np.int64).reshape(-1, 2)
    reported = np.full((group.ticks, len(group.lanes)), NOTHING, np.int32)
    ends = np.clip(found[:, 1], 0, reported.size - 1)
    lanes, ticks = ends // group.ticks, ends % group.ticks
    starts = found[:, 0] - lanes * group.ticks
    inside = starts >= 0
    reported[ticks[inside], lanes[inside]] = starts[inside]
    astray = np.diff(ends, prepend=-1) <= 0  # the ends have to be in order,
    astray |= ends != found[:, 1]  # and in the trace
    reported[ticks[astray], lanes[astray]] = _FAR
    return reported


def in_a_row(group: Group) -> list[Instant]:
    """All lanes as one trace, one after the other."""
    letters = group.letters(group.names).T.ravel()
    times = np.flatnonzero(letters)
    happening = {
        letter: {name: None for bit, name in enumerate(group.names) if letter >> bit & 1}
        for letter in np.unique(letters).tolist()
    }
    return [
        (time, happening[letter])
        for time, letter in zip(times.tolist(), letters[times].tolist(), strict=True)
    ]
