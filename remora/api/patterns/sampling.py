"""Samples of a pattern, as a document, as lines of the protocol of programs, and as a module of pytest."""

import csv
from io import StringIO
from pprint import pformat
from typing import Any

from remora.api.arguments import require_whole
from remora.api.claiming.data import picked
from remora.api.patterns.patterns import PatternLike, as_pattern
from remora.terminal.console import JsonObject
from remora.terminal.progress import Tell, unheard
from semantics.atomic_files import to_json
from semantics.carlson_lisper.decisions import Trace
from semantics.carlson_lisper.samples import STEPS, Remark, Sample, Samples, moved
from semantics.carlson_lisper.samples import samples as samples_of
from semantics.errors import InputError
from semantics.systems import system_of_text

PYTEST = '''"""{about}: logs, and what is to be detected in them. Made by `remora sample`.

Fill in `detect`, or import this module's SAMPLES into another one.
"""

import pytest

PATTERN = {pattern!r}

# By name: the events of a log, each (time, type, value), and the (start, end) of each detection, by end.
SAMPLES = {samples}


def detect(pattern, events):
    """The (start, end) of each detection of a pattern in a log, by your engine."""
    raise NotImplementedError("call your engine here")


@pytest.mark.parametrize("name", SAMPLES)
def test_sample(name):
    events, expected = SAMPLES[name]
    assert sorted(map(tuple, detect(PATTERN, events))) == sorted(expected)
'''
"""A module of pytest that needs nothing but pytest."""


def samples(pattern: PatternLike, *, tick: str | None = None, steps: int = STEPS, tell: Tell = unheard) -> Samples:
    """Shortest logs of a pattern: that match, just fail, lie on a bound, in which an operator or a tie decides.

    Raises:
        InputError: it is no pattern with bounds that are numbers.
        EnginesDisagree: the semantics does not confirm what a log is to show.
    """
    require_whole("steps", steps, 1)
    if isinstance(pattern, str) and system_of_text(pattern).suffix:
        remedy = (
            "Put random cases to an engine with `remora campaign run --system …`, or two versions to `remora diff`."
        )
        raise InputError(f"{pattern} is a program; samples are made of patterns alone", remedy=remedy)
    return samples_of(as_pattern(pattern, tick), steps=steps, tell=tell)


def _rows(trace: Trace) -> list[list[Any]]:
    return [[each.time, each.event, each.value] for each in trace]


def _detections(sample: Sample) -> list[JsonObject]:
    return [
        {"start": each.start, "end": each.end, "instance": _rows(each.sorted_occurrences())}
        for each in sample.detections
    ]


def _remarks(remarks: tuple[Remark, ...]) -> list[dict[str, str]]:
    return [each._asdict() for each in remarks]


def samples_data(found: Samples) -> JsonObject:
    """Samples with all that they show, with the keys of `remora/samples/1`."""
    data = [
        {
            "name": sample.name,
            "events": _rows(sample.trace),
            "detections": _detections(sample),
            "shows": [
                {
                    **picked(one, "name", "kind", "says", "alone", "shortest"),
                    "pair": list(map(str, one.pair)),
                    "moved": _rows(moved(sample.trace, one.early)) if one.early else [],
                }
                for one in sample.reasons
            ],
        }
        for sample in found.samples
    ]
    remarks = {"never": _remarks(found.never), "undecided": _remarks(found.undecided)}
    return {"pattern": str(found.pattern), "samples": data, **remarks}


def case_lines(found: Samples) -> tuple[str, str]:
    """The samples as cases for a program that is a detector, one a line, and the answers to them."""
    cases, answers = [], []
    for number, sample in enumerate(found.samples):
        cases.append({"case": number, "pattern": str(found.pattern), "events": _rows(sample.trace)})
        answers.append({"case": number, "detections": _detections(sample)})
    one, other = ("".join(f"{to_json(each)}\n" for each in part) for part in (cases, answers))
    return one, other


def csv_text(sample: Sample) -> str:
    """The log of a sample as a table."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [("time", "event"), *((each.time, each.event) for each in sample.trace)]
    )
    return text.getvalue()


def pytest_module(found: Samples) -> str:
    """The samples as a module of pytest, in which `detect` is to be filled in."""
    data = {
        sample.name: ([tuple(row) for row in _rows(sample.trace)], [tuple(one.interval) for one in sample.detections])
        for sample in found.samples
    }
    about = ascii(f"Samples of {found.pattern}")[1:-1].replace('"', "'")
    return PYTEST.format(about=about, pattern=str(found.pattern), samples=pformat(data, width=118, sort_dicts=False))
