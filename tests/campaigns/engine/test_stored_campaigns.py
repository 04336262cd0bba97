"""Stored campaigns: what is there is counted, what is missing is judged again, what was altered is told."""

import shutil
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from campaigns.engine.campaign import CampaignFailed, run_campaign, run_locally
from campaigns.engine.rows import ROW_SCHEMA, Row, Shard, checksum, is_whole, to_batch, waves_of, write_receipts
from campaigns.engine.settings import CampaignDirectory, Settings
from campaigns.engine.summary import EXAMINED, CauseCount, Share, worth_examining
from campaigns.judging.verdicts import Cause, Kind
from semantics.errors import InputError
from tests.campaigns.written import cause_of, rows_in

DETECTORS = ("figure2", "mutant:seq-newest", "mutant:tim-long")
SETTINGS = Settings(seed=9, cases=40, detectors=DETECTORS, wave=15, constants=())


@cache
def judged() -> tuple[Row, ...]:
    """All rows of the campaign, which are the same in every test."""
    return tuple(run_locally(SETTINGS, 0, SETTINGS.cases))


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a campaign whose waves have been judged."""
    place = CampaignDirectory(tmp_path_factory.mktemp("campaign"))
    place.write_settings(SETTINGS)
    for number, due in enumerate(waves_of(SETTINGS)):
        write_receipts(place.wave(number), [Shard(SETTINGS, (), str(place.wave(number))).judged(list(due))])
    return place.path


@pytest.fixture
def place(tmp_path: Path, written: Path) -> CampaignDirectory:
    """The same; its name has characters that patterns of paths know."""
    return CampaignDirectory(shutil.copytree(written, tmp_path / "a [strange]* 'name'"))


@pytest.fixture
def without_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("campaigns.engine.campaign.spark_session", None)
    monkeypatch.setattr("campaigns.engine.campaign.own_regressions", list)
    monkeypatch.setattr("campaigns.engine.campaign.made_small", lambda *given, **_: (given[2], None))


def share(rows: list[Row], detector: str = "") -> Share:
    def count(name: str) -> int:
        found = ({one["detector"] for one in getattr(row, name)} for row in rows)
        return sum(detector in names if detector else bool(names) for names in found)

    return Share(len(rows), sum(row.vacuous for row in rows), count("failures"), count("refusals"))


@pytest.mark.slow
@pytest.mark.usefixtures("without_spark")
def test_a_campaign_of_which_nothing_is_missing_is_counted_without_spark(place: CampaignDirectory) -> None:
    rows, told, shown = list(judged()), list[tuple[int, int, int]](), list[Any]()
    summary = run_campaign(place.path, SETTINGS, progress=lambda *state: told.append(state), show=shown.append)
    assert rows_in(place.path) == rows
    assert (summary.total, summary.judged_now) == (share(rows), 0)
    assert summary.judgements == sum(row.judgements for row in rows)
    assert summary.literal == sum(row.literal for row in rows)
    assert summary.detectors == {name: share(rows, name) for name in SETTINGS.detectors}
    assert summary.detectors["figure2"].failures == 0 < summary.detectors["mutant:tim-long"].failures
    assert summary.relations == dict(sorted(Counter(row.relation for row in rows if row.relation).items()))
    profiles = sorted({row.profile for row in rows})
    assert summary.profiles == {name: share([row for row in rows if row.profile == name]) for name in profiles}
    assert summary.operators["seq"] == share([row for row in rows if "seq" in row.operators])
    failures = [(cause_of(f), row.case) for row in rows for f in row.failures]
    count, first = Counter(cause for cause, _ in failures), dict(reversed(failures))
    assert {each.cause: (each.cases, each.first) for each in summary.causes} == {c: (count[c], first[c]) for c in count}
    assert [found.cases for found in summary.causes] == sorted(count.values(), reverse=True)
    assert (told[0], told[-1]) == ((0, 40, 0), (40, 40, summary.total.failures))
    assert tuple(shown) == summary.failures and {found.cause for found in summary.failures} <= first.keys()
    assert place.summary.is_file() and list(place.regressions.glob("*.json")), "what failed is kept"


def _rewritten(place: CampaignDirectory, settings: Settings, cases: list[int]) -> None:
    for path in place.wave(1).glob("*.parquet"):
        path.unlink()
    write_receipts(place.wave(1), [Shard(settings, (), str(place.wave(1))).judged(cases)])


DUE = list(waves_of(SETTINGS)[1])
OTHER = Settings(seed=10, cases=40, detectors=("figure2",), wave=15, constants=())
DAMAGE: dict[str, Callable[[CampaignDirectory], object]] = {
    "shard lost": lambda place: next(place.wave(1).glob("*.parquet")).unlink(),
    "shard damaged": lambda place: next(place.wave(1).glob("*.parquet")).write_bytes(b"PAR1"),
    "receipts lost": lambda place: (place.wave(1) / "_receipts.json").unlink(),
    "receipts damaged": lambda place: (place.wave(1) / "_receipts.json").write_text('[{"file": 1}]'),
    "of another campaign": lambda place: _rewritten(place, OTHER, DUE),
    "a case too few": lambda place: _rewritten(place, SETTINGS, DUE[:-1]),
    "a case twice": lambda place: _rewritten(place, SETTINGS, [*DUE[:-1], DUE[0]]),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_wave_of_which_a_case_is_not_there_exactly_once_is_not_whole(place: CampaignDirectory, damage: str) -> None:
    due = waves_of(SETTINGS)[1]
    assert is_whole(place.wave(1), SETTINGS.campaign, due)
    DAMAGE[damage](place)
    assert not is_whole(place.wave(1), SETTINGS.campaign, due)
    assert is_whole(place.wave(0), SETTINGS.campaign, waves_of(SETTINGS)[0])


def _row_lost(path: Path) -> None:
    pq.write_table(pq.read_table(path).slice(1), path)


def _row_doubled(path: Path) -> None:
    pq.write_table(pq.read_table(path).slice(0, 1), path.with_name("part-1.parquet"))


@pytest.mark.parametrize(
    ("damage", "said"), [(_row_lost, "its checksum is not that of its receipt"), (_row_doubled, "it has no receipt")]
)
def test_rows_that_were_altered_are_bad_input_with_place_and_remedy(
    place: CampaignDirectory, damage: Callable[[Path], None], said: str
) -> None:
    damage(next(place.wave(0).glob("*.parquet")))
    with pytest.raises(InputError, match=said) as error:
        is_whole(place.wave(0), SETTINGS.campaign, waves_of(SETTINGS)[0])
    assert "wave=0" in error.value.place and "judges its cases again" in error.value.remedy


def test_waves_cover_all_cases_and_begin_small() -> None:
    plan = waves_of(Settings(cases=100_000, wave=20_000))
    assert [number for wave in plan for number in wave] == list(range(100_000))
    assert [len(wave) for wave in plan] == [1000, 5000, 20_000, 20_000, 20_000, 20_000, 14_000]
    assert [len(wave) for wave in waves_of(Settings(cases=7, wave=3))] == [3, 3, 1]


@pytest.mark.slow
def test_a_shard_becomes_one_file_with_the_rows_of_a_plain_loop_and_is_replaced_by_itself(tmp_path: Path) -> None:
    shard, written = Shard(SETTINGS, (), str(tmp_path)), tmp_path / "part-000000000010.parquet"
    numbers: tuple[range, ...] = (range(0), range(10, 20), range(20, 25))
    batches = [pa.record_batch({"id": pa.array(some, pa.int64())}) for some in numbers]
    contents = set()
    for _ in range(2):
        (receipt,) = shard(batches)
        assert receipt.to_pylist() == [{"file": written.name, "cases": 15, "sha256": checksum(written)}]
        assert list(tmp_path.iterdir()) == [written]
        contents.add(written.read_bytes())
    assert len(contents) == 1
    assert [Row(**record) for record in pq.read_table(written).to_pylist()] == list(judged()[10:25])
    assert list(shard([batches[0]])) == []


def test_a_shard_that_breaks_off_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaking(*_: object, **__: object) -> Any:
        yield judged()[0]
        raise OSError("the machine is on fire")

    shard = Shard(SETTINGS, (), str(tmp_path))
    shard.judged([0, 1])
    (before,) = (path.read_bytes() for path in tmp_path.iterdir())
    monkeypatch.setattr("campaigns.engine.rows.judged_rows", breaking)
    with pytest.raises(OSError, match="on fire"):
        shard.judged([0, 1])
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [before]


@pytest.mark.slow
def test_a_row_describes_its_case_and_its_failure(broken: str) -> None:
    settings = Settings(seed=0, detectors=(f"{broken}Selective", "mutant:tim-long"), relations=(), constants=())
    rows = list(run_locally(settings, 0, 80))
    assert to_batch(rows).schema == ROW_SCHEMA
    failed = next(row for row in rows if row.failures)
    assert failed.failures[0]["detector"] == "mutant:tim-long" and "tim" in failed.failures[0]["path"]
    assert failed.trace and "tim" in failed.operators
    assert all((row.trace is None) == (not row.failures) for row in rows)
    refused = [row for row in rows if row.refusals]
    assert 0 < len(refused) < len(rows)
    assert all(row.judgements == 2 - len(row.refusals) for row in rows)


def test_each_detector_gets_an_example_however_many_causes_another_one_has() -> None:
    names = [*("first " * (EXAMINED + 3)).split(), "second", "second"]
    causes = [Cause(name, "meaning", f"path {place}", Kind.MISSING) for place, name in enumerate(names)]
    counts = [CauseCount(cause, 1, place, "") for place, cause in enumerate(causes)]
    chosen = [found.cause for found in worth_examining(reversed(counts), ())]
    assert chosen == [*causes[:EXAMINED], causes[-2]]
    assert worth_examining(counts, chosen) == []


@pytest.mark.slow
@pytest.mark.usefixtures("without_spark")
def test_a_disk_that_cannot_be_written_is_a_failure_with_a_plain_reason(
    place: CampaignDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "some words", "summary.json")

    monkeypatch.setattr("campaigns.engine.campaign.write_json", full)
    with pytest.raises(CampaignFailed, match=r"^the disk is full$"):
        run_campaign(place.path, SETTINGS)
