"""A campaign of which nothing is missing is answered from what is stored, as if all had been counted anew."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from campaigns.carlson_lisper.coverage.behaviours import CoverageTable
from campaigns.engine.campaign import run_locally
from campaigns.engine.failures import Examples
from campaigns.engine.finished import finished
from campaigns.engine.rows import Row, to_batch
from campaigns.engine.settings import CampaignDirectory, Settings, write_json
from campaigns.engine.summary import CampaignSummary, CauseCount, Share, summary_from_json, summary_to_json
from campaigns.engine.waves import waves_of, write_receipts, write_rows
from campaigns.judging.regressions import RegressionOutcome
from campaigns.judging.verdicts import Cause, Kind
from semantics.errors import InputError

SETTINGS = Settings(
    seed=9, cases=120, detectors=("figure2", "mutant:seq-newest"), relations=(), wave=50, constants=()
)


@pytest.fixture
def place(tmp_path: Path) -> CampaignDirectory:
    """A campaign that has been carried out, with the summary that follows from its rows."""
    place = CampaignDirectory(tmp_path)
    place.write_settings(SETTINGS)
    for number, due in enumerate(waves_of(SETTINGS)):
        rows = to_batch(judged()[due.start : due.stop])
        receipt = write_rows(place.wave(number) / "part-0.parquet", [rows])
        write_receipts(place.wave(number), [receipt])
    write_json(place.summary, summary_to_json(counted(place)))
    return place


@cache
def judged() -> tuple[Row, ...]:
    """All rows of the campaign, which are the same in every test."""
    return tuple(run_locally(SETTINGS, 0, SETTINGS.cases))


def counted(place: CampaignDirectory) -> CampaignSummary:
    rows = judged()
    failures = [(failure, row.case) for row in rows for failure in row.failures]
    causes: dict[Cause, list[Any]] = {}
    for failure, case in failures:
        cause = Cause(failure["detector"], failure["relation"], failure["path"], Kind(failure["kind"]))
        causes.setdefault(cause, []).append((case, failure["detail"]))
    total = Share(len(rows), sum(row.vacuous for row in rows), len(failures))
    return CampaignSummary(
        directory=place.path,
        campaign=SETTINGS.campaign,
        settings=SETTINGS,
        total=total,
        judgements=sum(row.judgements for row in rows),
        literal=sum(row.literal for row in rows),
        detectors={"figure2": Share(total.cases, total.vacuous, 0), "mutant:seq-newest": total},
        relations={},
        operators={"seq": Share(3, 2, 1)},
        profiles={"dense": total},
        coverage=CoverageTable.of((row.case, row.covered) for row in rows),
        causes=tuple(CauseCount(cause, len(met), *met[0]) for cause, met in causes.items()),
        failures=(),
        regressions=RegressionOutcome(),
        judged_now=120,
        seconds=1.5,
    )


class NotExamined(Examples):
    """Makes no example small, which takes longer than all the rest: some tests ask only whether there is an answer."""

    def meet(self, causes: Mapping[Cause, tuple[int, str]]) -> None:
        pass


def answer(place: CampaignDirectory, examples: Examples) -> CampaignSummary | None:
    return finished(place, place.settings(), examples, RegressionOutcome(3))


def test_a_summary_comes_back_from_its_file(place: CampaignDirectory) -> None:
    summary = counted(place)
    assert len(summary.causes) > 1
    assert summary_from_json(json.loads(place.summary.read_text()), place.path, SETTINGS) == summary


def _without_summary(place: CampaignDirectory) -> None:
    place.summary.unlink()


def _summary_cut_off(place: CampaignDirectory) -> None:
    place.summary.write_bytes(place.summary.read_bytes()[:-50])


def _altered(name: str, value: object) -> Any:
    def alter(place: CampaignDirectory) -> None:
        write_json(place.summary, {**json.loads(place.summary.read_text()), name: value})

    return alter


def _another_first_case(place: CampaignDirectory) -> None:
    record = json.loads(place.summary.read_text())
    record["causes"][0]["first"] += 1
    write_json(place.summary, record)


def _shard_lost(place: CampaignDirectory) -> None:
    (place.wave(1) / "part-0.parquet").unlink()


def _shard_damaged(place: CampaignDirectory) -> None:
    path = place.wave(2) / "part-0.parquet"
    path.write_bytes(path.read_bytes()[:-100])


def _receipts_lost(place: CampaignDirectory) -> None:
    (place.wave(1) / "_receipts.json").unlink()


def _row_lost(place: CampaignDirectory) -> None:
    path = place.wave(2) / "part-0.parquet"
    pq.write_table(pq.read_table(path).slice(1), path)


def _row_doubled(place: CampaignDirectory) -> None:
    path = place.wave(0) / "part-0.parquet"
    pq.write_table(pq.read_table(path).slice(0, 1), path.with_name("part-1.parquet"))


def _failures_lost(place: CampaignDirectory) -> None:
    rows = to_batch(row._replace(failures=[]) for row in judged()[:50])
    write_rows(place.wave(0) / "part-0.parquet", [rows])


@pytest.mark.parametrize(
    "damage",
    [
        _without_summary,
        _summary_cut_off,
        _altered("failures", 0),
        _altered("cases", 119),
        _altered("causes", []),
        _altered("campaign", "another"),
        _altered("schema", "remora/campaign-summary/1"),
        _altered("coverage", None),
        _another_first_case,
        _shard_lost,
        _shard_damaged,
        _receipts_lost,
    ],
)
def test_where_anything_is_missing_or_does_not_fit_all_is_counted_anew(
    place: CampaignDirectory, damage: Any
) -> None:
    examples = NotExamined(SETTINGS, (), lambda failure: None)
    assert answer(place, examples) is not None
    damage(place)
    assert answer(place, examples) is None


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (_row_lost, "its checksum is not that of its receipt"),
        (_row_doubled, "it has no receipt"),
        (_failures_lost, "its checksum is not that of its receipt"),
    ],
)
def test_rows_that_were_altered_in_a_valid_file_are_told_with_place_and_remedy(
    place: CampaignDirectory, damage: Any, said: str
) -> None:
    damage(place)
    with pytest.raises(InputError, match=said) as error:
        answer(place, NotExamined(SETTINGS, (), lambda failure: None))
    assert error.value.place.startswith(str(place.cases))
    assert "judges its cases again" in error.value.remedy
