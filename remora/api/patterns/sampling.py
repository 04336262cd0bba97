"""Samples of a pattern: as a document, as tables, as lines of the protocol of programs, as a module of pytest."""

import csv
from io import StringIO
from pathlib import Path
from pprint import pformat
from typing import Any

from remora.api.arguments import require_whole
from remora.api.claiming.data import picked
from remora.api.patterns.patterns import PatternLike, as_pattern
from remora.terminal.console import JsonObject
from remora.terminal.progress import Tell, unheard
from semantics.atomic_files import to_json
from semantics.carlson_lisper import samples as made
from semantics.carlson_lisper.decisions import Trace
from semantics.carlson_lisper.samples import STEPS, Sample, Samples
from semantics.errors import InputError
from semantics.systems import system_of_text

TOLD = ("name", "kind", "says", "alone", "shortest")


def samples(pattern: PatternLike, *, tick: str | None = None, steps: int = STEPS, tell: Tell = unheard) -> Samples:
    """Shortest logs of a pattern: that match, just fail, lie on a bound, in which an operator or a tie decides.

    Raises:
        InputError: it is no pattern with bounds that are numbers.
        EnginesDisagree: the semantics does not confirm what a log is to show.
    """
    require_whole("steps", steps, 1)
    if isinstance(pattern, str) and system_of_text(pattern).suffix:
        remedy = "Put random cases to an engine with `remora campaign run --system …`, or versions to `remora diff`."
        raise InputError(f"{pattern} is a program; samples are made of patterns alone", remedy=remedy)
    return made.samples(as_pattern(pattern, tick), steps=steps, tell=tell)


def _rows(trace: Trace) -> list[tuple[Any, ...]]:
    return [(each.time, each.event, each.value) for each in trace]


def _detections(sample: Sample) -> list[JsonObject]:
    return [picked(one, "start", "end") | {"instance": _rows(one.sorted_occurrences())} for one in sample.detections]


def samples_data(found: Samples) -> JsonObject:
    """Samples with all that they show, with the keys of `remora/samples/1`."""
    data = [
        {
            "name": each.name,
            "events": _rows(each.trace),
            "detections": _detections(each),
            "shows": [picked(one, *TOLD) | {"pair": [str(side) for side in one.pair]} for one in each.reasons],
        }
        for each in found.samples
    ]
    return {"pattern": str(found.pattern), "samples": data, "never": found.never, "undecided": found.undecided}


def tables(found: Samples) -> dict[str, str]:
    """The log of each sample as a table, by the name of a file."""
    files = {}
    for sample in found.samples:
        text = StringIO()
        csv.writer(text, lineterminator="\n").writerows([("time", "event", "value"), *_rows(sample.trace)])
        files[f"{sample.name}.csv"] = text.getvalue()
    return files


def case_lines(found: Samples) -> tuple[str, str]:
    """The samples as cases for a program that is a detector, one a line, and the answers to them."""
    cases, answers = "", ""
    for number, sample in enumerate(found.samples):
        cases += to_json({"case": number, "pattern": str(found.pattern), "events": _rows(sample.trace)}) + "\n"
        answers += to_json({"case": number, "detections": _detections(sample)}) + "\n"
    return cases, answers


def pytest_module(found: Samples) -> str:
    """The samples as a module of pytest, in which `detect` is to be filled in."""
    data = {one.name: (_rows(one.trace), [tuple(each.interval) for each in one.detections]) for one in found.samples}
    about = ascii(f"Samples of {found.pattern}")[1:-1].replace('"', "'")
    template = Path(__file__).with_name("samples.py.txt").read_text("utf-8")
    samples = pformat(data, width=118, compact=True, sort_dicts=False)
    return template.format(about=about, pattern=str(found.pattern), samples=samples)
