"""Failures that are kept: what is stored is read back, is tried first, and fails again."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.loading import any_factory
from campaigns.engine.campaign import examined
from campaigns.engine.rows import judged_rows
from campaigns.engine.settings import Settings
from campaigns.judging import regressions
from campaigns.judging.regressions import Regression, store, stored_regressions
from campaigns.judging.verdicts import MEANING, Kind
from campaigns.systems import cases_of
from detectors.carlson_lisper.source.figure2 import Figure2
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError
from tests.campaigns.written import cause_of

MUTANT = "mutant:neg-touching"


@cache
def found() -> list[Regression]:
    settings = Settings(seed=0, detectors=(MUTANT,), relations=())
    row = next(row for row in judged_rows(settings, range(1000)) if row.failures)
    return [examined(settings, row.case, cause_of(failure), failure["detail"]).regression for failure in row.failures]


def test_what_is_stored_is_read_back(tmp_path: Path) -> None:
    some, folder = found(), tmp_path / "new"
    assert store(folder, some) == [folder / f"{some[0].name}.json"]
    assert store(folder, some) == []
    profile = regressions.REGRESSION_PROFILE
    assert stored_regressions(folder) == [replace(one, case=replace(one.case, profile=profile)) for one in some]


def test_a_stored_case_fails_again_where_it_failed_and_nowhere_else(tmp_path: Path) -> None:
    store(tmp_path, found())
    (regression,) = stored_regressions(tmp_path)
    assert regression.verdict(any_factory(MUTANT)).kind == regression.kind
    assert regression.verdict(Figure2).ok
    outcome = regressions.replayed(
        [regression, regression], {MUTANT: any_factory(MUTANT), "figure2": Figure2}, seconds=5
    )
    assert (outcome.tried, [failure.detector for failure in outcome.failures]) == (1, [MUTANT])


def test_a_detector_that_ends_its_process_fails_regressions_like_any_other(broken: str) -> None:
    here = (str(Path(__file__).parents[1]),)
    detectors = {"deadly": any_factory(f"{broken}Exiting", here), "figure2": any_factory("figure2")}
    outcome = regressions.replayed(found(), detectors, seconds=5)
    assert {(failure.detector, failure.verdict.kind) for failure in outcome.failures} == {("deadly", Kind.WORKER_LOST)}


def test_where_snapshots_are_restored_is_stored_if_given_and_other_ways_are_passed_over(tmp_path: Path) -> None:
    plain = Case(0, 0, regressions.REGRESSION_PROFILE, parse("a"), (Occurrence("a", 1), Occurrence("a", 2)))
    cases = (plain, replace(plain, restored=(0, 2)))
    paths = store(tmp_path, [Regression(case, MEANING, "mine", Kind.MISSING.value, "") for case in cases])
    assert len(paths) == 2 and {one.case.restored for one in stored_regressions(tmp_path)} == {None, (0, 2)}
    ways = [{"way": way, "first": tick, "stop": tick} for way, tick in (("chunk", 0), ("snapshot", 5), ("sparse", 7))]
    paths[0].write_text(json.dumps({**json.loads(paths[0].read_text()), "fed": ways}))
    assert (5,) in {one.case.restored for one in stored_regressions(tmp_path)}


BACKWARDS = [{"way": "snapshot", "first": tick, "stop": tick} for tick in (4, 1)]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        *((text, "not a regression") for text in ("", "[]", "{}", '{"schema": "remora/other/1"}')),
        *(({"fed": fed}, "not a regression") for fed in (BACKWARDS, [7], [{"first": 0}])),
        ({"relation": "no-such"}, "no-such"),
    ],
)
def test_a_file_that_is_something_else_or_has_a_wrong_value_is_an_error_with_its_place(
    tmp_path: Path, change: str | dict[str, object], said: str
) -> None:
    (path,) = store(tmp_path, found())
    path.write_text(change if isinstance(change, str) else json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(InputError, match=said) as error:
        stored_regressions(tmp_path)
    assert error.value.place == str(path)
    assert stored_regressions(tmp_path / "missing") == []


@pytest.mark.parametrize("regression", regressions.own_regressions(), ids=str)
def test_the_source_passes_what_others_once_failed_and_these_fail_it_again(regression: Regression) -> None:
    cases = cases_of(regression.case.system)
    for right in ("figure2", "figure4") if cases is cases_of() else cases.ENGINES:  # type: ignore[attr-defined]
        assert not regression.verdict(cases.factory(right, ())).kind
    assert regression.verdict(cases.factory(regression.detector, ())).kind == regression.kind
