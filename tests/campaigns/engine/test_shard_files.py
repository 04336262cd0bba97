import hashlib
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from campaigns.engine.campaign import run_locally
from campaigns.engine.rows import Row, to_batch
from campaigns.engine.settings import Settings
from campaigns.engine.waves import Kernel, ShardWriter, write_rows

SETTINGS = Settings(seed=4, cases=40, detectors=("figure2", "mutant:seq-earliest"), constants=(37,))


def numbers(*cases: int) -> pa.RecordBatch:
    return pa.record_batch({"id": pa.array(cases, pa.int64())})


def rows_in(folder: Path) -> list[Row]:
    return [Row(**record) for record in pq.read_table(folder, partitioning=None).to_pylist()]


def test_a_shard_becomes_one_file_with_the_rows_of_a_plain_loop(tmp_path: Path) -> None:
    shard = [numbers(), numbers(*range(10, 30)), numbers(*range(30, 40))]
    (receipt,) = ShardWriter(Kernel(SETTINGS, ()), str(tmp_path / "wave=0"))(shard)
    written = tmp_path / "wave=0" / "part-000000000010.parquet"
    sha256 = hashlib.sha256(written.read_bytes()).hexdigest()
    assert receipt.to_pylist() == [{"file": written.name, "cases": 30, "sha256": sha256}]
    assert [path.name for path in (tmp_path / "wave=0").iterdir()] == ["part-000000000010.parquet"]
    assert rows_in(tmp_path / "wave=0") == list(run_locally(SETTINGS, 10, 40))


def test_a_shard_that_is_judged_twice_is_replaced_by_itself(tmp_path: Path) -> None:
    contents = []
    for _ in range(2):
        list(ShardWriter(Kernel(SETTINGS, ()), str(tmp_path))([numbers(*range(20))]))
        (file,) = tmp_path.iterdir()
        contents.append(file.read_bytes())
    assert contents[0] == contents[1]


@pytest.mark.parametrize("shard", [[], [numbers()]])
def test_a_shard_without_cases_has_no_file(tmp_path: Path, shard: list[pa.RecordBatch]) -> None:
    assert list(ShardWriter(Kernel(SETTINGS, ()), str(tmp_path))(shard)) == []
    assert list(tmp_path.iterdir()) == []


def test_a_shard_that_breaks_off_leaves_what_was_there(tmp_path: Path) -> None:
    batch = to_batch(run_locally(SETTINGS, 0, 5))

    def breaking() -> Iterator[pa.RecordBatch]:
        yield batch
        raise OSError("the machine is on fire")

    path = tmp_path / "part-0.parquet"
    assert write_rows(path, [batch]).cases == 5
    with pytest.raises(OSError, match="on fire"):
        write_rows(path, breaking())
    assert [file.name for file in tmp_path.iterdir()] == ["part-0.parquet"]
    assert pq.read_table(path).num_rows == 5
