"""The comparison of queues compares answers before it shows a speed."""

import pytest

from benchmarks import queues
from detectors.carlson_lisper.catalogue import DETECTORS
from detectors.carlson_lisper.source.figure2 import Figure2
from semantics.carlson_lisper.syntax import parse


def test_each_bound_and_density_gets_a_line_with_every_queue(capsys: pytest.CaptureFixture[str]) -> None:
    queues.main(["--instants", "300", "--repetitions", "1", "--bounds", "2,9", "--densities", "0.5"])
    heading, *lines = capsys.readouterr().out.splitlines()
    assert heading.split() == ["bound", "p(A)", *queues.NAMES]
    assert [line.split()[:2] for line in lines] == [["2", "0.5"], ["9", "0.5"]]


def test_a_queue_that_finds_other_instances_ends_the_comparison(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {**DETECTORS, "ring": lambda expression: Figure2(parse("A ; C"))}
    monkeypatch.setattr(queues, "DETECTORS", wrong)
    with pytest.raises(SystemExit, match="ring finds other instances"):
        queues.main(["--instants", "300", "--repetitions", "1", "--bounds", "9"])
