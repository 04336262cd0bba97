"""Constants of the code under test: of which modules, and in which forms."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from campaigns.imports import MOST, harvested, imported
from detectors.carlson_lisper.source.figure2 import Figure2

SIZES = """
SIZE = 4_444
TABLE = {"a": [3_331, (3_332,)], 3_333: None}

class Store:
    room = 5_551
"""

OWN = """
import json
from harvest_sizes import Store
from semantics.events import Interval
from detectors.carlson_lisper.source import figure2

def detector(expression, limit=6_661):
    for number in (7_771, 10**4 + 1):
        if limit == number or 8_881.0 < 1:
            return Store()
    match limit:
        case 9_991:
            return int("12345")
"""


@pytest.fixture
def own(tmp_path: Path) -> Iterator[str]:
    """The name of a detector in a module that imports another one."""
    path = list(sys.path)
    (tmp_path / "harvest_sizes.py").write_text(SIZES)
    (tmp_path / "harvest_own.py").write_text(OWN)
    sys.path.insert(0, str(tmp_path))
    yield "harvest_own:detector"
    sys.path[:] = path
    for module in ("harvest_own", "harvest_sizes"):
        sys.modules.pop(module, None)


def test_integers_in_any_form_are_found_in_a_module_and_in_what_it_imports(own: str) -> None:
    found = harvested({own: imported(own)})
    here = {6_661, 7_771, 10_001, 8_881, 9_991, 12_345}
    there = {4_444, 3_331, 3_332, 3_333, 5_551}
    assert set(found) == here | there
    assert list(found) == sorted(found)


def test_those_of_python_of_packages_and_of_this_project_are_left_out(own: str) -> None:
    with_project = harvested({own: imported(own), "figure2": Figure2})
    assert set(harvested({own: imported(own)})) < set(with_project)
    assert harvested({"dumps": sys.modules["json"].dumps}) == ()
    assert harvested({"mutant:seq-newest": imported(own)}) == ()


def test_there_are_not_more_than_so_many(own: str, tmp_path: Path) -> None:
    (tmp_path / "harvest_own.py").write_text(f"NUMBERS = {tuple(range(100, 900))}\ndef detector(e): ...\n")
    assert len(harvested({own: imported(own)})) == MOST
