"""Explorations on Spark: what is found does not depend on who computes it."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from discovery.carlson_lisper import on_spark
from discovery.carlson_lisper.exploring import explore
from discovery.carlson_lisper.fingerprints import Fingerprinting, locally
from laws.standings import Standing


@pytest.mark.slow
def test_workers_find_the_same_whatever_their_number(
    tmp_path: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def files(name: str, fingerprint: Fingerprinting) -> dict[str, bytes]:
        explore(
            "detection", 4, lambda claims: [(Standing.PROVED, None) for _ in claims], variables="AB",
            folder=tmp_path / name, fingerprint=fingerprint,
        )  # fmt: skip
        return {path.name: path.read_bytes() for path in sorted((tmp_path / name).iterdir())}

    here = files("here", locally)
    assert "size-4.npz" in here
    for workers in (1, 3):
        monkeypatch.setattr(on_spark, "processors", lambda _, workers=workers: workers)
        assert files(str(workers), on_spark.OnSpark(spark, least=10)) == here
