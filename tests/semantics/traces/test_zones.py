"""The offsets of time zones, against the reader of single times."""

import random
from datetime import UTC, datetime, timedelta
from fractions import Fraction

import numpy as np
import pytest

from semantics.clock import Clock, zone_of
from semantics.errors import InputError
from semantics.traces.instants import ReadReport
from semantics.traces.reading import Reading
from semantics.traces.rows import Origin
from semantics.traces.scanning import NEVER
from semantics.traces.times import Times
from semantics.traces.zones import offsets_of

ZONES = (
    *("UTC", "+05:45", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Africa/Monrovia"),
    *("Asia/Kathmandu", "Pacific/Apia", "America/Sao_Paulo", "Africa/Casablanca", "Antarctica/Troll"),
)


@pytest.mark.parametrize("name", ZONES)
def test_an_offset_is_that_of_a_single_time_or_it_is_left_to_its_reader(name: str) -> None:
    zone = zone_of(name)
    offsets = offsets_of(zone)
    clock = Clock(Fraction(1), zone)
    times = Times(clock, Reading(tick="1s", zone=name), Origin("log"), ReadReport())
    rng = random.Random(name)
    near = [int(each) // 10**9 + change for each in offsets.begins[1:] for change in (-60, -1, 0, 1, 59, 60)]
    left = 0
    for second in [
        *rng.sample(near, min(len(near), 600)),
        *(rng.randrange(10**5, 4 * 10**9) for _ in range(400)),
    ]:
        ahead = int(offsets.of(np.array([second * 10**9]))[0])
        try:
            time = times.of(
                (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=second)).isoformat()[:19], 1
            )
        except InputError:
            assert ahead == NEVER or second * 10**9 < ahead
        else:
            left += ahead == NEVER
            assert ahead == NEVER or time == second - ahead // 10**9
    assert left <= 5
