"""Patterns as written beside the cheapest that say the same: how often these differ, and how long both take.

The corpus stands in `corpus.toml`. Both are measured on one trace, taking turns; where the cheaper one seems slower,
both are measured again, since what else a machine does is no property of a pattern.
"""

from __future__ import annotations

import time
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib import resources

from benchmarks.throughput import SUBJECTS, Pattern, Subject, difference, random_trace
from benchmarks.timing import Row, in_turns
from detectors.carlson_lisper.protocol import event_types
from discovery.carlson_lisper.optimisation.optimising import optimised
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse

MEASURED = ("figure4", "generated", "columns")  # The detectors, by their names among the subjects
OCCURRING, COLUMNS = 8_000, 200_000  # About so many instants at which something occurs; and for whole columns
MOST = 20_000_000  # No trace has more instants
FORMS = ("pattern", "optimised")  # The pattern as written, and what takes its place
AGAIN, TOLERATED = 4, 1.02  # So many times more is measured what seems to take more than so much of the time


@cache
def corpus() -> tuple[Expression, ...]:
    """The patterns of the corpus, each once."""
    data = tomllib.loads(resources.files("benchmarks").joinpath("corpus.toml").read_text("utf-8"))
    templates = [template for group in data["templates"].values() for template in group]
    filled = [template.format(**domain) for domain in data["domains"].values() for template in templates]
    return tuple(dict.fromkeys(map(parse, [*filled, *data["pages"]["patterns"]])))


def compared(
    patterns: Sequence[Expression], densities: Sequence[float], repetitions: int, seed: int
) -> Iterator[list[Row]]:
    """For each pattern what was measured of it and of the one in its place, none where it stays as it is."""
    subjects = [subject for subject in SUBJECTS if subject.name in MEASURED]
    for pattern in patterns:
        rows: list[Row] = []
        for density in densities:
            found = optimised(pattern, frequencies=dict.fromkeys(event_types(pattern), density))
            if found.is_cheaper:
                case = {"pattern": str(pattern), "optimised": str(found.result), "density": f"{density:g}"}
                rows += (row for one in subjects for row in _both(case, density, one, repetitions, seed))
        yield rows


def _both(case: Mapping[str, str], density: float, subject: Subject, repetitions: int, seed: int) -> list[Row]:
    instants = int(min(MOST, (COLUMNS if subject.by_columns else OCCURRING) / density))
    trace = random_trace(event_types(parse(case["pattern"])), density, instants, seed)
    runs = {form: subject.prepare(Pattern(case[form]), trace) for form in FORMS}
    ready = {form: run for form, run in runs.items() if run is not None}
    seconds: dict[str, tuple[float, ...]] = dict.fromkeys(FORMS, ())
    for _ in range(1 + AGAIN):
        answers, more = in_turns(ready, repetitions, time.process_time)
        seconds = {form: seconds[form] + more[form] for form in FORMS}
        if min(seconds["optimised"]) <= TOLERATED * min(seconds["pattern"]):
            break
    wrong = difference(answers["optimised"], answers["pattern"], instants)
    row = Row(case, subject.name, status="wrong" if wrong else "measured", detail=wrong, size=instants)
    return [
        replace(row, case={**case, "form": form}, found=len(answers[form][1]), seconds=seconds[form]) for form in FORMS
    ]


def shares(rows: Sequence[Row]) -> dict[str, list[float]]:
    """By detector the shares of its time that the cheaper patterns take, the least of all timings being compared."""
    found = defaultdict[str, list[float]](list)
    for one, other in zip(rows[::2], rows[1::2], strict=True):
        if one.seconds and other.seconds:
            found[one.subject].append(min(other.seconds) / max(min(one.seconds), 1e-9))
    return found
