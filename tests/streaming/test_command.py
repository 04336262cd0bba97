"""That `remora stream` refuses what cannot be done before anything starts, and says why."""

import json
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from remora.cli import main
from remora.commands.stream import _text as text_of_pattern
from remora.terminal.streaming import _text
from semantics.clock import Clock
from streaming.errors import Refused, StreamFailed, explained
from streaming.times import line_in_times

Ended = tuple[int, str, str]


@pytest.fixture
def remora(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    def run(*arguments: object) -> Ended:
        with pytest.raises(SystemExit) as ending:
            main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        assert isinstance(ending.value.code, int)
        return ending.value.code, out, err

    return run


def test_a_folder_that_is_not_there_is_refused(remora: Callable[..., Ended], tmp_path: Path) -> None:
    status, _, err = remora("stream", "a ; b", tmp_path / "none", "--key", "user")
    assert (status, "there is no such folder" in err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["a ;"], "the text ends too early"),
        (["a", "--detector", "fast"], "there is no detector 'fast' for streams"),
        (["a", "--detector", "generated"], "generated detects starts and ends alone"),
        (["a", "--lateness", "-1"], "--lateness"),
        (["a", "--format", "parquet"], "Parquet is not printed"),
    ],
)
def test_what_is_not_suitable_is_refused(
    remora: Callable[..., Ended], tmp_path: Path, arguments: list[str], problem: str
) -> None:
    expression, *options = arguments
    status, _, err = remora("stream", expression, tmp_path, "--key", "user", *options)
    assert (status, problem in err) == (2, True), err


def test_a_checkpoint_that_is_something_else_is_refused(remora: Callable[..., Ended], tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "diary").mkdir()
    (tmp_path / "diary" / "monday.txt").write_text("dear diary")
    status, _, err = remora(
        "stream", "a", tmp_path / "in", "--key", "user", "--checkpoint", tmp_path / "diary"
    )
    assert (status, "not the checkpoint of a stream" in err) == (2, True)
    assert (tmp_path / "diary" / "monday.txt").exists()


def test_results_of_an_older_stream_are_not_mixed_with_new_ones(
    remora: Callable[..., Ended], tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "out" / "batch=000000").mkdir(parents=True)
    status, _, err = remora("stream", "a", tmp_path / "in", "--key", "user", "--out", tmp_path / "out")
    assert (status, "the folder has results" in err) == (2, True)


def test_a_checkpoint_of_another_lateness_is_refused(remora: Callable[..., Ended], tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    stored = {
        "schema": "remora/stream/1",
        "expression": "a",
        "wanted": "instances",
        "detector": "figure3",
        "lateness": 5,
        "key": "user",
        "source": str(tmp_path / "in"),
    }
    (tmp_path / "place").mkdir()
    (tmp_path / "place" / "remora.json").write_text(json.dumps(stored))
    arguments = ["stream", "a", tmp_path / "in", "--key", "user", "--checkpoint", tmp_path / "place"]
    status, _, err = remora(*arguments)
    assert (status, "the checkpoint belongs to the lateness 5, not to 0" in err) == (2, True)


def test_a_row_is_printed_for_people_as_well() -> None:
    row = {"start": 1, "end": 4, "partition": "u\x1b", "kind": "late"}
    assert _text({**row, "event": "fail"}, text_of_pattern) == "u\\x1b  late      [1, 4]  fail\n"
    occurrence = {"event": "fail", "time": 1, "value": "root"}
    assert _text({**row, "partition": None, "instance": [occurrence]}, text_of_pattern).endswith(
        "[1, 4]  fail(root)@1\n"
    )


def test_a_failure_of_spark_is_told_in_its_last_words() -> None:
    text = (
        "[STREAM_FAILED] Query terminated\nTraceback (most recent call last):\n  File x\n"
        "OSError: [Errno 28] No space left on device\n=== Streaming Query ===\nPlan"
    )
    failure = explained(Exception(text))
    assert isinstance(failure, StreamFailed)
    assert failure.reason == "OSError: [Errno 28] No space left on device"
    assert isinstance(explained(Exception("")), StreamFailed)


def test_a_refusal_keeps_its_parts_whatever_is_in_them() -> None:
    from semantics.errors import InputError

    error = InputError('remora>> "}\n', place="} remora>>", remedy="ü")
    found = explained(Exception(f"at\n{Refused(error)} remora>>\n{Refused(error)}"))
    assert isinstance(found, InputError)
    assert (found.place, found.reason, found.remedy) == (error.place, error.reason, error.remedy)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            {
                "start": 60,
                "end": 90,
                "instance": [{"event": "a", "time": 60, "value": 60}],
                "kind": "detected",
            },
            {
                "start": "1970-01-01T00:01:00Z",
                "end": "1970-01-01T00:01:30Z",
                "instance": [{"event": "a", "time": "1970-01-01T00:01:00Z", "value": 60}],
                "kind": "detected",
            },
        ),
        (
            {"start": 60, "time": 90, "event": "E", "end": 7},
            {"start": "1970-01-01T00:01:00Z", "time": "1970-01-01T00:01:30Z", "event": "E", "end": 7},
        ),
    ],
)
def test_times_of_a_row_are_shown_by_the_clock_and_nothing_else_is(
    line: dict[str, object], expected: dict[str, object]
) -> None:
    assert json.loads(line_in_times(json.dumps(line), Clock(Fraction(1)))) == expected
