"""`remora detect`: what it prints and refuses; several patterns in one pass; detectors from outside; validated ones."""

import json
import sys
from pathlib import Path

import pytest

from smt.carlson_lisper.validation.validating import Outcome, Validation
from tests.remora.conftest import Remora, refused
from tests.remora.documents import intervals_of, rows, spans
from tests.tables import table

WATCHED = {"guessed": "(fail ; fail)[60] - ok", "fail | ok": "fail | ok", "recovered": "fail ; ok"}
VALIDATED = ("(B ; B)[20] - (P ; (P + T))", "((fail ; ok)[2] - c) ; fail[0]", "fail ; (ok ; fail)[5000]")


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch, logins: Path) -> None:
    """The current directory has detectors from outside, and files of patterns beside the log."""
    monkeypatch.chdir(Path(__file__).parents[1] / "campaigns")
    monkeypatch.setattr(sys, "path", list(sys.path))
    watched = "# what is watched\nguessed = (fail ; fail)[60] - ok\n\nfail | ok\n  recovered = fail ; ok\n"
    (logins.parent / "watched.txt").write_text(watched)


def test_a_pipe_gets_one_json_object_per_detection_and_nothing_else(remora: Remora, logins: Path) -> None:
    status, out, err = remora("detect", "(fail ; fail)[60] - ok", logins)
    assert (status, err.count("\n")) == (0, 1) and "rows share the time 9," in err
    instance = [{"event": "fail", "time": time, "value": "root"} for time in (1, 3)]
    assert rows(out) == [{"start": 1, "end": 3, "instance": instance}]
    assert remora("detect", "(fail ; fail)[60] - ok", logins, "--format", "json") == (0, out, err)


def test_a_missing_partition_is_one_of_its_own_and_text_and_numbers_stay_apart(remora: Remora, tmp_path: Path) -> None:
    trace = tmp_path / "t.jsonl"
    cases: list[dict[str, object]] = [{"case": 1}, {"case": "1"}, {"case": None}, {"case": 1}, {"case": None}]
    trace.write_text("".join(json.dumps({"time": n, "event": "a", **c}) + "\n" for n, c in enumerate(cases)))
    _, out, _ = remora("detect", "a ; a", trace, "--partition-by", "case")
    assert [(row["partition"], row["end"]) for row in rows(out)] == [(1, 3), (None, 4)]
    _, out, _ = remora("detect", "a ; a", trace, "--partition-by", "case", "--format", "text")
    assert out.splitlines()[1].startswith("(none)  [2, 4]")


def test_an_event_that_never_occurs_is_a_warning_with_a_similar_name(remora: Remora, logins: Path) -> None:
    said = "warning: Fail never occurs in the trace; did you mean fail?\n"
    assert remora("detect", "Fail ; ok", logins) == (0, "", said)


@pytest.mark.parametrize("detector", ["auto", "columns", "generated", "figure2", "figure4", "broken_detectors:Spans"])
def test_intervals_are_the_starts_and_ends_of_the_instances(remora: Remora, logins: Path, detector: str) -> None:
    for arguments in (("fail ; ok", logins), ("fail ; ok", logins, "--partition-by", "user")):
        instances = remora("detect", *arguments)[1]
        status, out, err = remora("detect", *arguments, "--intervals", "--detector", detector)
        assert (status, "warning" in err, intervals_of(out)) == (0, False, spans(instances))
        assert [row.get("partition") for row in rows(out)] == [r.get("partition") for r in rows(instances)]
    text = remora("detect", "fail", logins, "--intervals", "--detector", detector, "--format", "text")[1]
    assert text.startswith("[1, 1]\n[3, 3]\n")


def test_which_detector_was_taken_is_said_to_those_who_ask(remora: Remora, logins: Path) -> None:
    said = remora("detect", "fail ; ok", logins, "--verbose", "--engine", "columns")[2]
    assert said.startswith("note: the detector is columns: queries of Polars")
    steps = ("detect", "fail ; ok", logins, "--verbose", "--engine", "steps")
    assert "is generated: code generated for the expression" in remora(*steps, "--intervals")[2]
    assert "is figure4" in remora(*steps)[2]


@pytest.mark.parametrize("options", [(), ("--intervals",), ("--partition-by", "user")])
def test_several_patterns_find_what_each_finds_alone(remora: Remora, logins: Path, options: tuple[str, ...]) -> None:
    status, out, err = remora("detect", "--patterns", logins.parent / "watched.txt", logins, *options)
    assert status == 0 and "warning" not in err
    together = rows(out)
    assert [row["end"] for row in together] == sorted(row["end"] for row in together)
    for name, pattern in WATCHED.items():
        alone = rows(remora("detect", pattern, logins, *options)[1])
        assert [row for row in together if row["pattern"] == name] == [{"pattern": name, **row} for row in alone]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a ; b\nx = a ;\n", "watched.txt:2"),
        ("x = a\nx = b\n", "there are two patterns 'x'"),
        ("# nothing\n", "there is no pattern"),
        ("a[30s]\n", "watched.txt:1"),
    ],
)
def test_a_wrong_file_of_patterns_is_refused_with_its_line(remora: Remora, logins: Path, text: str, said: str) -> None:
    watched = logins.parent / "watched.txt"
    watched.write_text(text)
    assert said in refused(remora("detect", "--patterns", watched, logins)).replace("\n", "")


@pytest.mark.parametrize(("arguments", "said"), table(__file__, "apart"))
def test_what_does_not_go_together_is_refused(remora: Remora, logins: Path, arguments: str, said: str) -> None:
    names = {"logins.csv", "watched.txt", "s", "none", "none/found.csv"}
    words = [str(logins.parent / word) if word in names else word for word in arguments.split()]
    assert said in refused(remora("detect", *words))


@pytest.mark.parametrize(("name", "said"), table(__file__, "breaks"))
def test_a_detector_that_breaks_the_protocol_is_named(remora: Remora, logins: Path, name: str, said: str) -> None:
    status, _, err = remora("detect", "fail ; fail", logins, "--detector", f"broken_detectors:{name}")
    assert status == 1
    assert err.startswith(f"error: the detector broken_detectors:{name} {said}")
    assert "Traceback" not in err


@pytest.mark.parametrize("pattern", VALIDATED)
def test_every_pattern_runs_validated(remora: Remora, logins: Path, pattern: str) -> None:
    for options in ((), ("--intervals",)):
        status, out, err = remora("detect", pattern, logins, "--validated", *options)
        assert (status, out) == remora("detect", pattern, logins, *options)[:2], err


@pytest.mark.parametrize(("outcome", "ends"), [("refuted", 1), ("not validated", 2)])
def test_a_text_that_is_wrong_or_not_known_does_not_run(
    remora: Remora, logins: Path, outcome: Outcome, ends: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Validation(outcome, "for a reason", "z3", 0.0, "")
    monkeypatch.setattr("smt.carlson_lisper.validation.validating.validate", lambda _: found)
    status, out, err = remora("detect", "fail ; ok", logins, "--validated", "--intervals")
    assert (status, out) == (ends, "") and "for a reason" in err
    assert remora("detect", "fail ; ok", logins, "--validated", "--detector", "figure4")[0] == 0
