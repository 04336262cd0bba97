"""That `remora stream` refuses what cannot be done before anything starts, and says why."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from remora.systems.carlson_lisper.face import _streamed as text_of_pattern
from remora.systems.protocol import _text
from semantics.clock import Clock
from semantics.errors import InputError
from streaming.folder import Refused, StreamFailed, explained
from streaming.run import line_in_times
from tests.remora.conftest import Remora, refused
from tests.tables import table


@pytest.mark.parametrize(("options", "problem"), table(__file__, "unsuitable"))
def test_what_is_not_suitable_or_somebody_elses_is_refused(
    remora: Remora, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: str, problem: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("in", "diary", "out/batch=000000", "place"):
        Path(folder).mkdir(parents=True)
    Path("diary/monday.txt").write_text("dear diary")
    stored = {"schema": "remora/stream/1", "expression": "a", "wanted": "instances", "detector": "figure4"}
    stored |= {"key": "user", "source": str(tmp_path / "in")}
    Path("place/remora.json").write_text(json.dumps({**stored, "lateness": 5}))
    assert problem in refused(remora("stream", "a", tmp_path / "in", "--key", "user", *options.split()))
    assert Path("diary/monday.txt").exists()


def test_a_row_is_printed_for_people_as_well() -> None:
    row = {"start": 1, "end": 4, "partition": "u\x1b", "kind": "late"}
    assert _text({**row, "event": "fail"}, text_of_pattern) == "u\\x1b  late      [1, 4]  fail\n"
    occurrence = {"event": "fail", "time": 1, "value": "root"}
    assert _text({**row, "partition": None, "instance": [occurrence]}, text_of_pattern).endswith(
        "[1, 4]  fail(root)@1\n"
    )


def test_a_failure_of_spark_is_told_in_its_last_words_and_a_refusal_keeps_its_parts() -> None:
    text = (
        "[STREAM_FAILED] Query terminated\nTraceback (most recent call last):\n  File x\n"
        "OSError: [Errno 28] No space left on device\n=== Streaming Query ===\nPlan"
    )
    failure = explained(Exception(text))
    assert isinstance(failure, StreamFailed)
    assert str(failure) == "OSError: [Errno 28] No space left on device"
    assert isinstance(explained(Exception("")), StreamFailed)
    error = InputError('remora>> "}\n', place="} remora>>", remedy="ü")
    found = explained(Exception(f"at\n{Refused(error)} remora>>\n{Refused(error)}"))
    assert isinstance(found, InputError)
    assert (found.place, found.reason, found.remedy) == (error.place, error.reason, error.remedy)


def test_times_of_a_row_are_shown_by_the_clock_and_nothing_else_is() -> None:
    first, last = "1970-01-01T00:01:00Z", "1970-01-01T00:01:30Z"
    of_pattern = {"start": 60, "end": 90, "instance": [{"event": "a", "time": 60, "value": 60}], "kind": "late"}
    instance = [{"event": "a", "time": first, "value": 60}]
    of_rules = {"start": 60, "time": 90, "event": "E", "end": 7}
    for line, expected in (
        (of_pattern, {"start": first, "end": last, "kind": "late", "instance": instance}),
        (of_rules, {"start": first, "time": last, "event": "E", "end": 7}),
    ):
        assert json.loads(line_in_times(json.dumps(line), Clock(Fraction(1)))) == expected
