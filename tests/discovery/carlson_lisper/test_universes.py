"""Universes: what each level tells of streams."""

import numpy as np

from discovery.carlson_lisper.universes import universe


def test_detections_tell_for_each_end_the_greatest_start_and_no_more() -> None:
    asked = universe(0, 0, "detection", "AB")
    start, last = 0, next(place for place, (time, _) in enumerate(asked.intervals) if time > asked.intervals[0][0])
    long, short = asked.instances.index(1 << start | 1 << last), asked.instances.index(1 << last)
    planes = np.zeros((len(asked.instances), 3), np.uint64)
    planes[long, 0] = planes[short, 1] = planes[long, 2] = planes[short, 2] = 1  # the long one, the short one, both
    told = asked.told(planes)
    assert (told[:, 0] != told[:, 1]).any()
    assert (told[:, 1] == told[:, 2]).all()
