"""Programs in other languages, judged behind the protocol of cases."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from campaigns.carlson_lisper.cases import generate
from campaigns.carlson_lisper.judge import judge
from campaigns.carlson_lisper.loading import any_factory
from campaigns.histories import event_row
from campaigns.judging.verdicts import Kind, Verdict
from campaigns.systems import cases_of
from detectors.processes import program
from remora.cli import main
from semantics.errors import InputError
from semantics.events import Event
from semantics.hinze_voisard.evaluation import said_data
from tests.campaigns.written import case
from tests.copies import ROOT
from tests.tables import table

EXAMPLES = ROOT / "docs" / "examples" / "programs"

ANSWERING = """
import json, sys
for line in sys.stdin:
    case = json.loads(line)
    if case.get("pattern") not in ("a ; b", "a ; (b | c)", "(a ; b)[6]"):
        print(json.dumps({"case": case["case"], "refused": "another pattern"}), flush=True)
        continue
    ends = sorted({time for time, event, value in case.get("events", ()) if event == "b"})
    latest = lambda end: max((time for time, event, value in case["events"] if event == "a" and time < end), default=-1)
    found = [{"start": latest(end), "end": end} for end in ends if latest(end) >= 0]
    answer = {"detections": found}
    CHANGE
    print(json.dumps({"case": case["case"], **answer}), flush=True)
"""
"""A right detector of `a ; b`, in which one line may be changed."""

Written = Callable[..., str]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """The name of a program that is `ANSWERING` with a line, by a form with more in it."""

    def write(change: str = "pass", **form: Any) -> str:
        (tmp_path / "mine.py").write_text(ANSWERING.replace("CHANGE", change))
        declared = {"command": f"{sys.executable} mine.py", **form}
        (tmp_path / "mine.toml").write_text("".join(f"{name} = {json.dumps(one)}\n" for name, one in declared.items()))
        return str(tmp_path / "mine.toml")

    return write


def verdict(name: str, trace: str = "a@0 b@1 a@2 b@5 b@6", pattern: str = "a ; b") -> Verdict:
    """The verdict on a program for a pattern and a trace."""
    rows = (word.split("@") for word in trace.split())
    return judge(case(pattern, *((event, int(time)) for event, time in rows)), any_factory(name))


@pytest.mark.parametrize(
    ("form", "needs", "cases"),
    [("detector_js.toml", "node", 60), ("detector_c.toml", "cc", 60), ("sequences.toml", "mawk", 200)],
)
def test_the_examples_are_right(form: str, needs: str, cases: int, tmp_path: Path) -> None:
    if shutil.which(needs) is None:
        pytest.skip(f"{needs} is not installed")
    folder = shutil.copytree(EXAMPLES, tmp_path / "programs")
    if needs == "cc":
        subprocess.run(["cc", "-O1", "-o", "detector", "detector.c"], cwd=folder, check=True)
    factory, judged = any_factory(form, [str(folder)]), 0
    for number in range(cases):
        found = judge(generate(11, number), factory)
        assert found.kind is None, f"case {number}: {found.detail}"
        judged += not found.refused
    assert judged >= 10


@pytest.mark.parametrize(("change", "kind", "said"), table(__file__, "instead"))
def test_what_a_program_does_instead_of_a_right_answer_is_told_with_its_case(
    change: str, kind: str, said: str, written: Written
) -> None:
    found = verdict(written(change, seconds=0.5 if kind == Kind.TIMEOUT else 5.0))
    assert (found.kind or "") == kind
    assert said in found.detail + found.refusal


@pytest.mark.parametrize(("form", "pattern", "trace", "said"), table(__file__, "excluded"))
def test_what_the_form_excludes_is_refused(
    form: dict[str, Any], pattern: str, trace: str, said: str, written: Written
) -> None:
    assert said in verdict(written(**form), trace, pattern).refusal
    assert verdict(written(**form), "a@0 b@1", "a ; b").ok


@pytest.mark.parametrize(("old", "new"), [("last[id]", "last[0]"), (", id, last", ", 1, last")])
def test_a_program_that_mixes_up_the_cases_that_are_open_is_wrong(old: str, new: str, tmp_path: Path) -> None:
    if shutil.which("mawk") is None:
        pytest.skip("mawk is not installed")
    shutil.copy(EXAMPLES / "sequences.toml", tmp_path)
    (tmp_path / "sequences.awk").write_text((EXAMPLES / "sequences.awk").read_text().replace(old, new))
    assert verdict(str(tmp_path / "sequences.toml")).kind is not None


@pytest.mark.parametrize(
    ("form", "change", "wrong"),
    [
        ({"compared": "ends"}, "for one in found: one['start'] = 0", "found.pop(0)"),
        ({"compared": "first"}, "del found[1:]", "found.pop(0)"),
        (
            {"matches": "all"},
            "pairs = [(s, e) for s, x, _ in case['events'] for e in ends if x == 'a' and s < e]\n"
            "    answer = {'detections': [{'start': s, 'end': e} for s, e in pairs]}",
            "pass",
        ),
    ],
)
def test_a_difference_of_policy_that_is_declared_is_no_fault(
    form: dict[str, Any], change: str, wrong: str, written: Written
) -> None:
    assert verdict(written(change, **form)).ok
    if form != {"compared": "first"}:
        assert verdict(written(change)).kind is not None, "it is one where nothing is declared"
    assert verdict(written(wrong, **form)).kind is not None, "and another fault is found"


def test_a_program_detects_in_a_log(written: Written, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "log.csv").write_text("time,event,user\n0,a,u\n1,a,v\n2,b,u\n9,b,v\n")
    log = [str(tmp_path / "log.csv"), "--partition-by", "user", "--intervals"]
    said = []
    for change, status in (("pass", 0), (None, 0), ("sys.exit(1)", 1)):
        detector = written(change) if change else "figure4"
        with pytest.raises(SystemExit, match=str(status)):
            main(["detect", "a ; b", *log, "--detector", detector])
        said.append(capsys.readouterr())
    assert said[0].out == said[1].out != ""
    assert "ended with status 1 (case " in said[2].err


@pytest.mark.parametrize("system", ["bry_eckert", "hinze_voisard"])
def test_programs_of_rules_and_profiles_are_judged(system: str, tmp_path: Path) -> None:
    cases, language = cases_of(system), {"bry_eckert": "rules", "hinze_voisard": "profiles"}[system]
    made = cases.maker(3, cases.PROFILES, None, 0)
    asked = next(one for one in map(made, range(40)) if cases.meaning(one).said)
    answers = list(map(answer_row, cases.meaning(asked).said))
    verdicts = []
    between = {**answers[0], "time": answers[0]["time"] + 0.5}
    for said in (answers, answers[1:], [*answers, answers[0]], [between, *answers[1:]]):
        (tmp_path / "said.json").write_text(json.dumps(said))
        (tmp_path / "mine.py").write_text(
            "import json, sys\nfor line in sys.stdin:\n    case = json.loads(line)\n"
            f"    assert case['{language}'] and case['events']\n"
            "    print(json.dumps({'case': case['case'], 'answers': json.load(open('said.json'))}), flush=True)\n"
        )
        factory = cases.factory(f"command: {sys.executable} mine.py", [str(tmp_path)])
        verdicts.append(cases.judge(asked, factory, seconds=5.0, meaning=cases.meaning(asked)))
    assert verdicts[0].ok
    assert verdicts[1].kind is Kind.MISSING
    assert verdicts[2].kind in (Kind.PROTOCOL, Kind.SPURIOUS)
    assert "no time" in verdicts[3].detail
    (tmp_path / "ends.toml").write_text('command = "x"\ncompared = "ends"')
    with pytest.raises(InputError, match="says nothing of"):
        cases.factory("ends.toml", [str(tmp_path)])


def answer_row(answer: Any) -> dict[str, Any]:
    """An answer as `remora detect` prints it."""
    return event_row(answer) if isinstance(answer, Event) else said_data(answer)


@pytest.mark.parametrize(("name", "text", "said"), table(__file__, "unusable"))
def test_a_form_that_cannot_be_used_is_told(name: str, text: str, said: str, tmp_path: Path) -> None:
    if text:
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=said):
        program(name, [str(tmp_path)])


@pytest.mark.slow
def test_what_a_program_does_wrong_on_a_log_is_reduced_to_the_smallest_case(
    written: Written, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "".join(f"{time},{event},u\n" for time, event in [(3, "x"), (7, "a"), (20, "a"), (31, "b"), (99, "b")])
    (tmp_path / "log.csv").write_text(f"time,event,value\n{rows}")
    name = written("for one in found: one['start'] -= one['start'] > 9", operators=[";"])
    with pytest.raises(SystemExit, match="1"):
        main(["reduce", "a ; b", str(tmp_path / "log.csv"), "--detector", name, "--regressions", str(tmp_path / "r")])
    said = capsys.readouterr().out
    assert "\na ; b\n" in said and "at 11: one from 9 to 11 reported, one from 10 expected" in said, said
