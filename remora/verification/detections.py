"""Detections in logs compared with their meaning."""

from __future__ import annotations

import time
from collections.abc import Sequence

from detectors.carlson_lisper.catalogue import DEFAULT_DETECTOR, DETECTORS
from detectors.carlson_lisper.protocol import instants, run
from laws.standings import Standing
from remora.api.claiming.data import JsonObject
from remora.verification.logs import Log, comparable, compared_words, found_in
from remora.verification.trust import Complain
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.intervals import Membership, interval_denotation
from semantics.carlson_lisper.occurrences import Instance, Interpretation
from semantics.events import Interval
from semantics.traces.rows import Partition


def detected(log: Log, complain: Complain, *, told: bool) -> JsonObject:
    """Detections in a log compared with their meaning, and where they are, if that is to be told."""
    seconds, agree, breakdown, until = 0.0, True, "", list[str]()
    by_partition: dict[Partition, list[Instance]] = {}
    for key, scenario in log.scenarios.items():
        begin = time.perf_counter()
        found = by_partition.setdefault(key, [])
        try:
            found += run(DETECTORS[DEFAULT_DETECTOR](log.expression), instants(scenario))
        except Exception as error:  # whatever a detector raises is a result
            breakdown = breakdown or f": {type(error).__name__}: {error}"
        seconds += time.perf_counter() - begin
        part, last = comparable(log.expression, scenario)
        ended = found if last is None else [one for one in found if one.end <= last]
        agree = agree and not breakdown and _is_right(log.expression, part, ended)
        if last is not None:
            until.append(str(last if log.clock is None else log.clock.text(last)))
    if not agree:
        complain(
            Standing.REFUTED,
            f"{DEFAULT_DETECTOR} disagrees with the meaning of {log.expression} on {log.name}{breakdown}",
        )
    return {
        "expression": str(log.expression),
        "trace": log.name,
        "events": log.events,
        "detections": sum(map(len, by_partition.values())),
        "agree": agree,
        "detector": DEFAULT_DETECTOR,
        "seconds": round(seconds, 6),
        **({"compared": compared_words(until)} if until else {}),
        **(found_in(log, by_partition) if told else {}),
    }


def _is_right(expression: Expression, scenario: Interpretation, found: Sequence[Instance]) -> bool:
    """Whether instances have the starts and ends of the interval semantics, and are members of the denotation."""
    members = Membership(expression, scenario)
    expected = interval_denotation(expression, scenario).restricted()
    return [Interval(*instance.interval) for instance in found] == expected and all(
        instance in members for instance in found
    )
