import pyarrow as pa
import pytest

from campaigns.carlson_lisper.cases import generate
from campaigns.engine.campaign import run_locally
from campaigns.engine.rows import ROW_SCHEMA, Row
from campaigns.engine.settings import Settings
from campaigns.engine.waves import Kernel, waves
from campaigns.judging.verdicts import Kind


def rows_of(batches: list[pa.RecordBatch]) -> list[Row]:
    return [Row(**record) for record in pa.Table.from_batches(batches).to_pylist()]


def test_waves_cover_all_cases_and_begin_small() -> None:
    plan = waves(100_000, 20_000)
    assert [number for wave in plan for number in wave] == list(range(100_000))
    assert [len(wave) for wave in plan] == [1000, 5000, 20_000, 20_000, 20_000, 20_000, 14_000]
    assert [len(wave) for wave in waves(7, 3)] == [3, 3, 1]


def test_the_kernel_makes_the_same_rows_as_a_plain_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("campaigns.engine.waves.BATCH", 80)
    settings = Settings(seed=4, cases=1500, detectors=("mutant:seq-earliest", "figure2"), constants=())
    numbers = [pa.record_batch({"id": list(range(10, 70))}), pa.record_batch({"id": list(range(70, 110))})]
    batches = list(Kernel(settings, ())(numbers))
    assert [batch.num_rows for batch in batches] == [80, 20]
    assert all(batch.schema == ROW_SCHEMA for batch in batches)
    assert rows_of(batches) == list(run_locally(settings, 10, 110))


def test_a_row_describes_its_case_and_its_failure() -> None:
    settings = Settings(seed=0, detectors=("figure2", "mutant:tim-long"), constants=())
    row = next(row for row in run_locally(settings, 0, 3000) if row.failures)
    case = generate(0, row.case)
    assert (row.campaign, row.profile) == (settings.campaign, case.profile)
    assert (row.expression, row.trace) == (str(case.expression), case.trace_text)
    assert "tim" in row.operators
    assert row.failures[0]["detector"] == "mutant:tim-long"
    assert row.failures[0]["kind"] in list(Kind)
    assert "tim" in row.failures[0]["path"]
    assert row.occurrences == len(case.occurrences)


def test_a_row_without_failure_has_no_trace() -> None:
    row = next(run_locally(Settings(), 0, 1))
    assert (row.failures, row.refusals, row.trace) == ([], [], None)
    assert row.judgements in (1, 2)


def test_a_case_beyond_the_limits_of_a_detector_is_judged_for_the_others(broken: str) -> None:
    settings = Settings(detectors=(f"{broken}Selective", "figure2"), relations=())
    rows = list(run_locally(settings, 0, 200))
    refused = [row for row in rows if row.refusals]
    assert 0 < len(refused) < len(rows)
    assert all(row.judgements == 2 - len(row.refusals) for row in rows)
