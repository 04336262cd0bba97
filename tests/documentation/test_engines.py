"""Adapters of engines among the examples: those that are installed answer as their forms and the page say.

REMORA_EQL, REMORA_RTAMT and REMORA_FLINK name a Python that has the engine, where that of the tests has not.
"""

import json
import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from campaigns.carlson_lisper.cases import Case, generate
from campaigns.carlson_lisper.judge import Meaning
from semantics.carlson_lisper.expressions import identifiers
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse
from semantics.carlson_lisper.translation.chains import chain_of
from semantics.carlson_lisper.translation.models import MODELS
from semantics.errors import InputError
from tests.copies import ROOT

ENGINES = ROOT / "docs" / "examples" / "engines"
PACKAGES = {"eql": "eql", "rtamt": "rtamt", "flink": "pyflink", "duckdb": "duckdb", "polars": "polars"}
STORED = tomllib.loads(Path(__file__).with_name("engines.toml").read_text("utf-8"))["case"]

Pairs = list[tuple[int, int]]


def answers(engine: str, cases: Sequence[Case], options: str = "") -> list[dict[str, Any]]:
    """What an engine answers; the test is skipped where it is not installed."""
    python = os.environ.get(f"REMORA_{engine.upper()}", sys.executable)
    if subprocess.run([python, "-c", f"import {PACKAGES[engine]}"], capture_output=True, check=False).returncode:
        pytest.skip(f"{PACKAGES[engine]} is not installed; see {engine}.toml")
    asked = [
        {"case": each.number, "pattern": each.text, "events": [[o.time, o.event, o.value] for o in each.occurrences]}
        for each in cases
    ]
    run = subprocess.run(
        [python, str(ENGINES / f"{engine}_engine.py"), *shlex.split(options)],
        input="".join(f"{json.dumps(each)}\n" for each in asked),
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return [json.loads(line) for line in run.stdout.splitlines()]


def pairs(answer: dict[str, Any]) -> Pairs:
    return [(each["start"], each["end"]) for each in answer["detections"]]


def mentioned(number: int) -> Case:
    """A generated case with the events alone that its pattern mentions."""
    case = generate(1, number)
    names = identifiers(case.expression)
    return replace(case, occurrences=tuple(each for each in case.occurrences if each.event in names))


@pytest.mark.slow
@pytest.mark.parametrize("stored", STORED, ids=lambda stored: stored["thread"])
def test_what_a_public_thread_tells_of_is_seen_through_the_adapter(stored: dict[str, Any]) -> None:
    occurrences = tuple(Occurrence(event, time) for time, event in stored["events"])
    case = Case(0, 0, "stored", parse(stored["pattern"]), occurrences)
    assert [list(each) for each in Meaning(case).expected] == stored["detections"]
    (answer,) = answers(stored["engine"], [case], stored.get("options", ""))
    assert [list(each) for each in pairs(answer)] == stored["found"]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["duckdb", "polars"])
def test_engines_that_say_all_five_operators_agree_with_the_algebra(engine: str) -> None:
    cases = list(map(mentioned, range(25)))
    assert [pairs(each) for each in answers(engine, cases)] == [list(Meaning(each).expected) for each in cases]


@pytest.mark.slow
def test_the_model_of_eql_finds_what_its_engine_does_with_ties_and_without() -> None:
    taken = []
    for case in map(mentioned, range(1000)):
        names = {name.lower() for name in identifiers(case.expression)}  # the package ignores case
        with suppress(InputError):
            if len(names) == len(identifiers(case.expression)):
                taken.append((case, chain_of(case.expression)))
    found = answers("eql", [case for case, _ in taken])
    assert [pairs(each) for each in found] == [MODELS["eql"].found(chain, case.occurrences) for case, chain in taken]


def test_an_adapter_refuses_what_its_engine_does_not_say_and_goes_on() -> None:
    cases = [Case(0, number, "", parse(text), ()) for number, text in enumerate(["a + b", "a ; b"])]
    refused, answer = answers("eql", cases)
    assert "conjunction a + b" in refused["refused"]
    assert answer == {"case": 1, "detections": []}
