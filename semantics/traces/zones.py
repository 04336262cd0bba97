"""Time zones as arrays: how far local times are ahead of UTC, for many of them at once."""

from __future__ import annotations

from datetime import UTC, datetime, timezone, tzinfo
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from semantics.traces.scanning import NEVER

LAST_YEAR: Final = 2100
"""The last year in which changes of clocks are known here."""

_DAY, _MINUTE, _SECOND = 86_400, 60, 1_000_000_000


class Offsets(NamedTuple):
    """How far local times are ahead of UTC.

    Attributes:
        begins: the local times from which on something holds, in nanoseconds from 1970; increasing, the first one
            before all times.
        ahead: how many nanoseconds, or `NEVER`; empty where there is no zone.
    """

    begins: NDArray[np.int64]
    ahead: NDArray[np.int64]

    def of(self, times: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of local times, in nanoseconds."""
        return self.ahead[np.searchsorted(self.begins, times, side="right") - 1]


def _offsets(begins: list[int], ahead: list[int]) -> Offsets:
    return Offsets(np.array(begins, np.int64), np.array(ahead, np.int64))


NO_ZONE = _offsets([], [])


@cache
def offsets_of(zone: tzinfo) -> Offsets:
    """The offsets of a zone: of one of an unchanging offset a single one, else as its days say, up to `LAST_YEAR`."""
    least = np.iinfo(np.int64).min

    def ahead(moment: int) -> int:
        offset = datetime.fromtimestamp(moment, zone).utcoffset()
        return 0 if offset is None else int(offset.total_seconds())

    if zone is UTC or isinstance(zone, timezone):
        return _offsets([least], [ahead(0) * _SECOND])
    begins, shifts, before = [least], [ahead(-2 * _DAY)], -2 * _DAY
    end = int(datetime(LAST_YEAR + 1, 1, 1, tzinfo=UTC).timestamp())
    for moment in range(-_DAY, end, _DAY):
        if ahead(moment) != shifts[-1]:
            known, changed = before, moment
            while changed - known > 1:
                middle = (known + changed) // 2
                known, changed = (middle, changed) if ahead(middle) == shifts[-1] else (known, middle)
            following = ahead(moment)
            first, last = sorted((changed + shifts[-1], changed + following))
            begins += [first // _MINUTE * _MINUTE, -(-last // _MINUTE) * _MINUTE]
            shifts += [-1, following]
        before = moment
    begins.append(end - _DAY)
    shifts.append(-1)
    unknown = range(1, len(shifts), 2)
    found = _offsets([least, *(each * _SECOND for each in begins[1:])], [each * _SECOND for each in shifts])
    found.ahead[list(unknown)] = NEVER
    return found
