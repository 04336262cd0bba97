"""What a change of a pattern, a file of patterns, rules or profiles does, and the workflow for a pull request."""

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given, settings

import remora as api
from campaigns.bry_eckert.changes import changed
from laws.carlson_lisper.checks.strategies import expressions
from laws.standings import ExitStatus
from semantics.carlson_lisper.denotation import denotation
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.occurrences import Occurrence, interpretation
from semantics.carlson_lisper.restriction import restriction
from tests.copies import ROOT
from tests.remora.conftest import Remora, refused

RULES = "event a(x: int)\nE(x) <- e: a(x), x > 1\n"
FILES = {
    "x.patterns": "fast = (fail ; ok)[30]\nsame = fail + fail\ngone = fail\n",
    "y.patterns": "fast = (fail ; ok)[60]\nsame = fail\ncome = ok\n",
    "bad.patterns": "x = a ;",
    "html.patterns": 'fast = "<b>|*" ; "`"\n',
    "x.profile": 'class a = event(name = "a")\nprofile P = a\n',
    "x.rules": RULES,
    "y.rules": RULES.replace("x > 1", "x >= 2"),
    "never.rules": f"{RULES}F() <- e: a(x), x > 1, x < 1\n",
    "hours.rules": f"tick = 1h\n{RULES}",
    "clock.rules": "event a(t: time within 9)\nE() <- e: a(t), {e, t} within 3\n",
    "clocks.rules": "event a(t: time within 9)\nE() <- e: a(t), {e, t} within 4\n",
    "who.csv": "time,event,who\n1,fail,u\n2,fail,v\n40,ok,u\n99,ok,v\n",
    "day.csv": "time,event\n2024-01-01T00:00:00Z,a\n2024-01-01T00:00:10Z,a\n2024-01-01T00:00:30Z,b\n",
    "a.jsonl": '{"time": 1, "event": "a", "x": 2}\n',
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The working directory has these files."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)


def _latest(pattern: Expression, rows: list[dict[str, Any]]) -> dict[int, int]:
    """By end the latest start, by the definition."""
    trace = interpretation(Occurrence(**row) for row in rows)
    return {one.end: one.start for one in restriction(denotation(pattern, trace))}


@settings(max_examples=60, deadline=None)
@given(expressions(max_leaves=3), expressions(max_leaves=3))
def test_the_verdict_is_that_of_equivalent_and_each_trace_shows_its_direction(old: Expression, new: Expression) -> None:
    found = api.diff(old, new)
    assert found.exit_status == api.equivalent(old, new).exit_status
    (part,) = found.parts
    assert bool(part.data) == (found.exit_status == ExitStatus.REFUTED)
    for way, (one, other) in {"lost": (old, new), "gained": (new, old)}.items():
        if way in part.data:
            has, not_so = (_latest(pattern, part.data[way]["trace"]) for pattern in (one, other))
            assert any(start > not_so.get(end, -1) for end, start in has.items())
        else:
            assert api.included(one, other).holds


@pytest.mark.usefixtures("files")
def test_files_are_compared_by_name_and_in_a_log(remora: Remora) -> None:
    words = ("diff", "x.patterns", "y.patterns", "who.csv", "--partition-by", "who", "--format", "json")
    document = json.loads(remora(*words)[1])
    kinds = {one["name"]: one["kind"] for one in document["parts"]}
    assert kinds == {"fast": "changed", "same": "same", "gone": "removed", "come": "added"}
    rows = [(row["partition"], row["kind"], (row["old"] or row["new"])["text"]) for row in document["log"]["listed"]]
    assert sorted(rows) == [
        ("u", "appeared", "come[40, 40]"),
        ("u", "appeared", "fast[1, 40]"),
        ("u", "vanished", "gone[1, 1]"),
        ("v", "appeared", "come[99, 99]"),
        ("v", "vanished", "gone[2, 2]"),
    ]
    status, out, _ = remora(*words, "--limit", "1")
    assert (status, len(json.loads(out)["log"]["listed"])) == (1, 1)
    assert json.loads(out)["log"]["counts"] == {"vanished": 2, "appeared": 3, "moved": 0, "same": 2}


@pytest.mark.usefixtures("files")
def test_a_detection_that_starts_at_another_time_moves_and_times_are_those_of_the_log(remora: Remora) -> None:
    status, out, _ = remora("diff", "a ; b", "(a ; b) | b", "day.csv", "--tick", "1s")
    assert (status, "0 vanished, 0 appeared, 1 moved, 0 the same" in out) == (1, True)
    assert "moved  [2024-01-01T00:00:10Z, 2024-01-01T00:00:30Z]  [2024-01-01T00:00:30Z, 2024-01-01T00:00:30Z]" in out


@pytest.mark.usefixtures("files")
def test_nothing_of_a_pattern_becomes_markup(remora: Remora) -> None:
    status, out, _ = remora("diff", "x.patterns", "html.patterns", "--format", "markdown")
    assert (status, '``"<b>\\|*" ; "`"``' in out) == (1, True)
    assert all("`" in line for line in out.split("```")[0].splitlines() if "<b>" in line)


CHANGES = [
    ("deliveries.rules", "within 24h", "within 25h", {"gained"}),
    ("deliveries.rules", "w: extend(o, 12h)", "w: extend(o, 11h)", {"lost", "gained"}),
    ("deliveries.rules", "n >= 10", "n > 10", {"lost"}),
    ("logistics.profile", ", cancelled)[14d]", ", cancelled)[20161min]", {"lost", "gained"}),
    ("logistics.profile", "time(14h)", "time(15h)", {"lost", "gained"}),
]
QUICK = (CHANGES[1], CHANGES[4])
"""Those that the pipeline looks at; the others take some seconds each."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "was", "now", "ways"),
    [pytest.param(*each, marks=[pytest.mark.long] * (each not in QUICK)) for each in CHANGES],
)
def test_a_bound_that_changes_by_a_tick_is_found_on_a_small_history(
    tmp_path: Path, name: str, was: str, now: str, ways: set[str]
) -> None:
    old, new = ROOT / "remora" / "examples" / name, tmp_path / name
    new.write_text(old.read_text("utf-8").replace(was, now))
    (part,) = api.diff(old, new).parts
    assert {*part.data} & {"lost", "gained"} == ways
    assert all(len(part.data[way]["trace"]) <= 4 for way in ways)


@pytest.mark.usefixtures("files")
def test_no_difference_of_rules_is_tested_and_a_rule_that_never_answers_is_not(remora: Remora) -> None:
    status, out, _ = remora("diff", "x.rules", "y.rules", "a.jsonl", "--cases", "40", "--seed", "3")
    assert (status, "equivalent" in out, "all logs" in out) == (0, False, False)
    assert "tested: no difference among 40 cases (seed 3)" in out
    assert "0 vanished, 0 appeared, 0 moved, 1 the same" in out
    status, out, _ = remora("diff", "x.rules", "never.rules", "--cases", "40")
    assert (status, "there are no answers in any case for F" in out) == (3, True)
    assert remora("diff", "x.rules", "x.rules")[0] == 0
    assert "gained: NEW has E()[" in remora("diff", "clock.rules", "clocks.rules")[1]


def test_histories_are_made_for_the_rules_alone_that_a_change_reaches() -> None:
    old = RULES + "event b(x: int)\nF(x) <- e: E(x)\nG(x) <- e: b(x)\n"
    names, texts = changed([old, old.replace("x > 1", "x > 2")])
    assert (set(names), ["F(x) <-" in text and "G(x)" not in text for text in texts]) == ({"E"}, [True, True])


def test_what_is_not_decided_is_never_green(remora: Remora, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("smt.carlson_lisper.law_proofs.prove_patterns", lambda *_, **__: None)
    sides = ("(a ; b)[400] + (b ; a)[300]", "(b ; a)[300] + (a ; b)[400]")
    status, out, _ = remora("diff", *sides, "--steps", "8000")
    assert (status, "not decided" in out) == (3, True)


REFUSED = [
    (["a ; b", "x.patterns"], "a pattern is compared with a file of patterns"),
    (["x.rules", "x.profile"], "two texts of one language are compared"),
    (["x.patterns", "none.patterns"], "none.patterns: this cannot be read"),
    (["x.patterns", "bad.patterns"], "bad.patterns:1, column"),
    (["x.rules", "none.rules"], "none.rules: the rules cannot be read"),
    (["x.rules", "hours.rules"], "the tick is not stated in x.rules, 1h in hours.rules"),
    (["a ; b", "a ; b", "-"], "the log is read twice"),
    (["a ; b", "a ;"], "the text ends too early"),
    (["a ; b", "a ; b", "--cases", "3"], "--cases is for rules and profiles"),
    (["x.rules", "x.rules", "--up-to", "meaning"], "--up-to is for patterns"),
]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("words", "said"), REFUSED)
def test_what_cannot_be_compared_is_bad_input(remora: Remora, words: list[str], said: str) -> None:
    assert said in refused(remora("diff", *words))


@pytest.mark.slow
def test_the_workflow_fails_where_detections_change_unless_that_is_expected(tmp_path: Path) -> None:
    workflow = (ROOT / "docs" / "examples" / "pattern-diff.yml").read_text("utf-8")
    step, program = dedent(workflow.rpartition("run: |\n")[2]), tmp_path / "bin" / "remora"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m remora "$@"\n')
    program.chmod(0o755)
    repository, summary = tmp_path / "it's a folder", tmp_path / "summary.md"
    repository.mkdir()
    around = {"PATH": f"{program.parent}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    around |= {f"GIT_{who}_{what}": "a@b" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}

    def run(*words: str, **more: str) -> int:
        return subprocess.run(words, cwd=repository, env=around | more, capture_output=True, check=False).returncode

    def ends(text: str, expected: str = "false") -> int:
        (repository / "my own.patterns").write_text(text)
        assert run("git", "add", "-A") == run("git", "commit", "-qm", "more", "--allow-empty") == 0
        more = {"BASE": "main", "EXPECTED": expected, "LOG": "", "GITHUB_STEP_SUMMARY": str(summary)}
        return run("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step, **more)

    assert run("git", "init", "-qb", "main") == 0
    assert ends("fast = (fail ; ok)[30]\n") == 0
    assert run("git", "checkout", "-qb", "change") == 0
    assert (ends("fast = (fail | fail) ; ok\n"), ends("fast = (fail ; (ok | ok))[30]\n")) == (1, 0)
    assert ends("fast = (fail", "true") == 2
    assert "the text ends too early" in summary.read_text("utf-8")
    assert run("git", "branch", "-f", "main") == 0  # what is broken there can be mended
    assert (ends("fast = ok"), ends("fast = ok", "true")) == (1, 0)
