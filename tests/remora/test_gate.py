"""The gate lets right detectors pass and finds out the others, within the time that it is given."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaigns.cases import Case
from campaigns.judge import Kind, Verdict
from campaigns.judgements import MEANING
from campaigns.mutants.catalogue import TELLING
from campaigns.regressions import Regression, store, stored_regressions
from campaigns.relations.suite import LawOutcome
from campaigns.rounds import rounds
from detectors.catalogue import DETECTORS
from detectors.figure2 import STEPS, Figure2
from detectors.interval_catalogue import INTERVAL_DETECTORS
from detectors.steps import NON_OCCURRENCE, DisjunctionStep
from laws.catalogue import everything
from laws.standings import ExitStatus, Standing
from remora.budget import Clock, duration, parse_budget
from remora.gate import Gate
from remora.gate_junit import junit
from remora.gate_markdown import DRAWN, FOLDED, markdown
from remora.gate_proofs import AS_RECORDED, NO_STEPS, OWN, prove_steps, steps_of
from remora.gate_reports import gate_data, lines, repeated
from remora.gate_results import Check, Finding, GateResult, Request
from remora.gate_sarif import sarif
from remora.gate_tallies import SuiteTally
from remora.progress import Progress
from semantics.errors import InputError, LimitExceeded
from semantics.expressions import Expression
from semantics.finite import Interval
from semantics.occurrences import Instance, Occurrence
from semantics.syntax import parse
from smt.portfolio import installed
from tests.reports.formats import read_junit, read_markdown, read_sarif

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = ROOT / "docs" / "examples"
PAGE = ROOT / "docs" / "gate.md"

Remora = Callable[..., tuple[int, str, str]]


def outcome(request: Request) -> GateResult:
    return Gate(request, Progress(quiet=True)).run()


def checks(result: GateResult, stage: str) -> dict[str, Check]:
    return {check.name: check for check in result.checks if check.stage == stage}


# ----------------------------------------------------------------------------------------------------- budgets


@given(st.integers(0, 20), st.integers(0, 59), st.integers(1, 59))
def test_a_budget_is_the_sum_of_its_parts(hours: int, minutes: int, seconds: int) -> None:
    assert parse_budget(f"{hours}h{minutes}m{seconds}s") == 3600 * hours + 60 * minutes + seconds
    assert parse_budget(f"{minutes}.5m") == 60 * minutes + 30


@pytest.mark.parametrize("text", ["", "2", "m", "2 m", "-2m", "0s", "2m!", "2d", "1e3s", "²m"])
def test_what_is_not_a_time_is_no_budget(text: str) -> None:
    with pytest.raises(InputError, match="is not a time"):
        parse_budget(text)


def test_a_duration_is_said_in_the_units_of_a_budget() -> None:
    assert [duration(seconds) for seconds in (0.42, 45, 120, 125, 3600, 4200)] == [
        "0.4 s",
        "45 s",
        "2 min",
        "2 min 5 s",
        "1 h",
        "1 h 10 min",
    ]


def test_a_share_of_a_budget_is_one_of_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 70.0
    monkeypatch.setattr("remora.budget.monotonic", lambda: now)
    clock = Clock(100.0)
    assert clock.until(0.5) == 120
    now = 130.0
    assert (clock.used, clock.until(0.5), clock.until()) == (60, 150, 170)
    now = 200.0
    assert clock.until() == 200
    assert Clock(None).until(0.1) == float("inf")


# ------------------------------------------------------------------------------------------------------ rounds


def squares(numbers: Sequence[int], apart: bool) -> list[int]:
    return [number**2 for number in numbers]


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_rounds_give_every_result_in_the_order_of_the_numbers(processes: int) -> None:
    found = rounds(squares, range(100), until=float("inf"), seconds=1, processes=processes)
    assert [result for some in found for result in some] == [number**2 for number in range(100)]


def test_rounds_that_have_no_time_still_do_something() -> None:
    found = [result for some in rounds(squares, range(100), until=0.0, seconds=1) for result in some]
    assert 1 <= len(found) < 100
    assert found == [number**2 for number in range(len(found))]


def test_a_lost_process_is_noticed_and_its_pieces_are_done_one_by_one() -> None:
    import os

    def work(numbers: Sequence[int], apart: bool) -> list[str]:
        if 5 in numbers and not apart:
            os._exit(0)
        return [f"{number} {apart}" for number in numbers]

    found = [r for some in rounds(work, range(9), until=float("inf"), seconds=1, processes=2) for r in some]
    assert [text.split()[0] for text in found] == [str(number) for number in range(9)]
    assert found[5] == "5 True"


# --------------------------------------------------------------------------------------------- what comes of it


def test_a_right_detector_passes_every_stage(tmp_path: Path) -> None:
    request = Request(("figure2",), tmp_path, budget=None, cases=30)
    result = outcome(request)
    standings = {check.standing for check in result.checks if check.stage != "mutants"}
    assert standings == {Standing.TESTED, Standing.AGREED}
    assert not result.findings
    assert not any(tmp_path.iterdir())
    assert len(checks(result, "laws")) == 44
    assert all(check.detail == AS_RECORDED for check in checks(result, "proofs").values())


def test_too_few_cases_to_find_wrong_detectors_are_no_answer(tmp_path: Path) -> None:
    result = outcome(Request(("figure2",), tmp_path, budget=None, cases=10))
    (check,) = checks(result, "mutants").values()
    assert check.standing is Standing.UNKNOWN
    assert "10 of them find" in check.detail
    assert result.status is ExitStatus.INCONCLUSIVE
    assert result.summary().startswith("No answer, which is not a yes")
    survivors = check.detail.partition("not found: ")[2].split(", ")
    assert set(survivors) < set(TELLING)


@pytest.mark.slow
def test_enough_cases_of_a_right_detector_are_green(tmp_path: Path) -> None:
    result = outcome(Request(("figure4",), tmp_path, budget=None, cases=800))
    assert result.status is ExitStatus.AS_CLAIMED
    assert result.summary() == "May go in: nothing was found against figure4."


@pytest.mark.parametrize(
    ("mutant", "stages"),
    [("seq-newest", {"regressions", "laws", "campaign"}), ("neg-forgets", {"regressions"})],
)
def test_a_wrong_detector_is_found_out(mutant: str, stages: set[str], tmp_path: Path) -> None:
    shown: list[Finding] = []
    request = Request((f"mutant:{mutant}",), tmp_path / "new", budget=None, cases=30)
    result = Gate(request, Progress(quiet=True), shown.append).run()
    failed = {check.stage for check in result.checks if check.standing is Standing.REFUTED}
    assert stages <= failed
    assert shown == result.findings
    assert result.status is ExitStatus.REFUTED
    assert result.summary() == f"May not go in: mutant:{mutant} failed."


def test_what_was_found_is_stored_and_fails_first_the_next_time(tmp_path: Path) -> None:
    request = Request(("mutant:seq-newest",), tmp_path, budget=None, cases=40)
    outcome(request)
    kept = stored_regressions(tmp_path)
    assert kept
    again = outcome(request)
    names = {
        finding.remark.split()[1].rstrip(",") for finding in again.findings if finding.stage == "regressions"
    }
    assert checks(again, "regressions")["stored regressions"].standing is Standing.REFUTED
    assert names
    assert stored_regressions(tmp_path) == kept


def test_a_number_of_cases_makes_the_same_result_every_time(tmp_path: Path) -> None:
    found = []
    for folder in (
        tmp_path / "1",
        tmp_path / "2",
    ):  # what the first run stores is not there in the second one
        request = Request(("mutant:con-earlier", "figure3"), folder, budget=None, cases=30)
        data = gate_data(outcome(request))
        del data["seconds"], data["stages"]
        found.append(json.dumps(data).replace(str(folder), ""))
    assert found[0] == found[1]


def test_a_budget_is_kept_to_and_the_number_of_cases_is_said(tmp_path: Path) -> None:
    result = outcome(Request(("figure2",), tmp_path, budget=4.0))
    assert result.cases >= 1
    assert checks(result, "campaign")["random cases"].tried == result.cases


@pytest.mark.parametrize(("name", "kind"), [("Vanishing", Kind.WORKER_LOST), ("Silent", Kind.MISSING)])
def test_a_detector_that_ends_its_process_does_not_end_the_gate(
    name: str, kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vanishing.py").write_text(
        "import os\n"
        "from detectors.figure2 import Figure2\n\n"
        "class Silent(Figure2):\n"
        "    def step(self, time, occurrences):\n"
        "        super().step(time, occurrences)\n\n"
        "class Vanishing(Figure2):\n"
        "    def step(self, time, occurrences):\n"
        "        if len(occurrences) > 1:\n"
        "            os._exit(0)\n"
        "        return super().step(time, occurrences)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    result = outcome(Request((f"vanishing:{name}",), tmp_path / "kept", budget=3.0))
    assert result.status is ExitStatus.REFUTED
    assert kind in {finding.kind for finding in result.findings}


def test_a_detector_that_never_ends_is_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "endless.py").write_text(
        "from detectors.figure2 import Figure2\n\n"
        "class Endless(Figure2):\n"
        "    def step(self, time, occurrences):\n"
        "        while len(occurrences) > 1:\n"
        "            pass\n"
        "        return super().step(time, occurrences)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    result = outcome(Request(("endless:Endless",), tmp_path / "kept", budget=2.0, seconds=0.05))
    assert result.status is ExitStatus.REFUTED
    assert Kind.TIMEOUT in {finding.kind for finding in result.findings}


class Choosy:
    """Takes nothing."""

    def __init__(self, expression: Expression) -> None:
        raise LimitExceeded(f"{expression} is not to my taste")


def test_a_detector_that_takes_no_case_is_not_green(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("remora.gate.any_factory", lambda name, search_path: Choosy)
    monkeypatch.setattr("campaigns.rows.any_factory", lambda name, search_path: Choosy)
    result = outcome(Request(("mine:Choosy",), tmp_path, budget=None, cases=5))
    assert result.status is ExitStatus.INCONCLUSIVE
    assert "took none of 5 cases" in checks(result, "campaign")["random cases"].detail
    assert {check.standing for check in checks(result, "laws").values()} == {None}


def test_a_law_without_a_case_leaves_the_gate_open_unless_a_detector_has_failed() -> None:
    tally = SuiteTally("laws", 5)
    passed = LawOutcome("law:1", 0, "mine", None, "", False, False)
    assert list(tally.add([(passed,)])) == []
    assert tally.check("law:1", "mine").standing is Standing.TESTED
    assert tally.check("law:2", "mine").standing is Standing.UNKNOWN
    failed = passed._replace(number=1, kind=Kind.MISSING, detail="at 1: nothing")
    assert list(tally.add([(failed,), (failed,)])) == [failed], "one of a kind is looked at"
    assert tally.check("law:1", "mine").standing is Standing.REFUTED
    assert tally.check("law:2", "mine").standing is None
    assert not tally.blocked
    list(tally.add([(failed._replace(kind=Kind.TIMEOUT),)]))
    assert tally.blocked


def test_a_module_that_ends_its_process_is_bad_input_and_not_green(
    remora: Remora, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "leaving.py").write_text("import os\nos._exit(0)\n")
    monkeypatch.syspath_prepend(tmp_path)
    status, _, err = remora("gate", "--cases", "5", "--detector", "leaving:Any")
    assert status == 2
    assert "cannot be imported" in err


def test_disagreement_and_infrastructure_come_before_everything_else(tmp_path: Path) -> None:
    result = GateResult(Request(("figure2",), tmp_path))
    ended = [result.status]
    for standing in (
        None,
        Standing.TESTED,
        Standing.PROVED,
        Standing.UNKNOWN,
        Standing.REFUTED,
        Standing.ERROR,
        Standing.DISAGREEMENT,
    ):
        result.checks.append(Check("laws", "law:1", "figure2", standing, 5, "said"))
        ended.append(result.status)
        assert result.summary()
    assert list(map(int, ended)) == [3, 3, 0, 0, 3, 1, 5, 4]


# ------------------------------------------------------------------------------------------------------- proofs


class LaterStep(DisjunctionStep):
    """Wrong: it takes the operand that started first."""

    def step(self, left: Instance, right: Instance) -> Instance:
        if left is NON_OCCURRENCE:
            return right
        return right if right.start < left.start else left


class OwnSteps(Figure2):
    steps = STEPS


class WrongSteps(Figure2):
    steps: ClassVar = {"dis": lambda _: LaterStep()}


def test_a_detector_without_steps_is_not_proved_and_that_is_said(tmp_path: Path) -> None:
    (found,) = steps_of({"one": lambda expression: Figure2(expression)})
    assert found.claims == ()
    result = outcome(Request(("mutant:seq-newest",), tmp_path, budget=None, cases=5))
    (check,) = checks(result, "proofs").values()
    assert (check.standing, check.detail) == (None, NO_STEPS)


def test_every_detector_of_the_catalogues_but_the_register_machine_has_claims_about_its_steps() -> None:
    names = {*DETECTORS, *INTERVAL_DETECTORS}
    assert OWN.keys() <= names
    assert all(name.startswith("register-machine") for name in names - OWN.keys())
    assert {claim for claims in OWN.values() for claim in claims} <= {claim.id for claim in everything()}


def test_the_steps_that_a_detector_shows_are_proved() -> None:
    (found,) = steps_of({"mine": OwnSteps})
    assert found.detectors == ("mine",)
    with installed() as portfolio:
        proofs = list(prove_steps([found], portfolio, seed=0, until=monotonic() + 300))
    assert [proof.claim for proof in proofs][-1] == "theorem:5.1"
    assert all(proof.standing is not None and proof.standing.unbounded for proof in proofs)


def test_a_wrong_step_is_refuted_by_a_run() -> None:
    (found,) = steps_of({"mine": WrongSteps})
    assert found.claims == ("lemma:5.2",)
    with installed() as portfolio:
        (proof,) = prove_steps([found], portfolio, seed=0, until=monotonic() + 300)
    assert proof.standing is Standing.REFUTED
    assert proof.detail


def test_what_there_was_no_time_to_prove_is_not_proved() -> None:
    (found,) = steps_of({"mine": WrongSteps})
    with installed() as portfolio:
        (proof,) = prove_steps([found], portfolio, seed=0, until=monotonic() - 1)
    assert (proof.standing, proof.detail) == (None, "not reached within the budget")


# ------------------------------------------------------------------------------------------------------ reports


def a_result(folder: Path) -> GateResult:
    result = GateResult(Request(("my:Own",), folder, seed=3), cases=17, seconds=1.5)
    case = Case(3, 4, "small", parse("a | b"), (Occurrence("a", 1),))
    verdict = Verdict(Kind.MISSING, "at 1: nothing reported", (Interval(1, 1),))
    result.findings.append(
        Finding(
            "laws", "my:Own", MEANING, Kind.MISSING, verdict.detail, case, verdict, "law:2, A | B", "r/1.json"
        )
    )
    result.checks += [
        Check("laws", "law:1", "my:Own", Standing.TESTED, 9),
        Check("laws", "law:2", "my:Own", Standing.REFUTED, 9, "1 of 9 cases failed: a | b & <that>"),
        Check("proofs", "steps", "my:Own", None, 0, NO_STEPS),
        Check("campaign", "random cases", "my:Own", Standing.TESTED, 17),
        Check("mutants", "telling mutants", "", Standing.UNKNOWN, 17, "too few\x00"),
    ]
    return result


def test_a_failure_is_drawn_with_where_it_is_kept(tmp_path: Path) -> None:
    (finding,) = a_result(tmp_path).findings
    text = lines(finding)
    assert "expected only" in text
    assert "at 1: nothing reported\nfound by: law:2, A | B\nstored: r/1.json\n" in text
    unseen = lines(replace(finding, verdict=None))
    assert "a | b  in  a@1" in unseen


def test_markdown_has_all_that_a_decision_needs(tmp_path: Path) -> None:
    text = markdown(a_result(tmp_path))
    assert text.startswith("## ❌ May not go in: my:Own failed.\n")
    order = [
        "`my:Own`: 1 of 3 checks failed: missing detection.",
        "expected only",
        "| laws | law:2: `A \\| B == B \\| A` | `my:Own` | 1 of 9 cases failed: a \\| b \\& \\<that\\> |",
        "### Open",
        "- telling mutants: too few",
        "### What was done",
        "expressions of depth 1 to",
        "### What this does not say",
        "- Nothing is proved:",
        f"- Skipped, proofs: steps: {NO_STEPS}.",
        "### The same cases again",
        repeated(a_result(tmp_path)),
        ", seed 3; it took 1.5 s.",
    ]
    places = [text.index(said) for said in order]
    assert places == sorted(places)
    page = read_markdown(text)
    assert [len(rows) for rows in page.tables] == [2, 5]
    assert page.tables[0][1][1] == "law:2: A | B == B | A"


def test_markdown_says_which_code_was_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "judged.py").write_text("import math\n\n\ndef make(expression):\n    return None\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    result = GateResult(Request(("judged:make", "figure3"), tmp_path))
    assert "`judged:make` stands at `judged.py:4`; the SHA-256 of that file begins with" in markdown(result)
    assert "figure3` stands" not in markdown(result)


def test_failures_beyond_a_few_are_folded_away_the_smallest_first(tmp_path: Path) -> None:
    result = a_result(tmp_path)
    (one,) = result.findings
    long = [
        replace(one.case, expression=parse(" | ".join("ab"[n % 2] for n in range(k)))) for k in (9, 7, 5, 3)
    ]
    result.findings[:0] = [replace(one, case=case) for case in long]
    text = markdown(result)
    shown, folded = text.split("<details>")
    assert shown.count("```text") == DRAWN
    assert shown.index("in `a | b`\n") < shown.index("in `a | b | a`\n")
    assert "2 more failures of my:Own" in folded
    result.findings += [replace(one, remark=str(number)) for number in range(FOLDED + 4)]
    text = markdown(result)
    assert text.count("```text") == DRAWN + FOLDED
    assert f"{len(result.findings) - DRAWN - FOLDED} more are in the result as JSON." in text


def test_files_that_keep_failures_are_named_once(tmp_path: Path) -> None:
    result = a_result(tmp_path)
    result.findings += result.findings
    text = markdown(result)
    assert "New files that keep what failed, for version control: `r/1.json`." in text
    result.findings = [replace(each, regression="") for each in result.findings]
    assert "New files" not in markdown(result)


@pytest.mark.parametrize(
    "hostile",
    [
        "```\n# x",
        "<script>",
        "| x |",
        "@someone",
        "a `b` c",
        "\x1b[31m",
        "</details>",
        "[x](y)",
        "    x",
        "&lt;",
    ],
)
def test_nothing_that_a_log_or_a_detector_says_becomes_markup(tmp_path: Path, hostile: str) -> None:
    plain = read_markdown(markdown(a_result(tmp_path)))
    result = a_result(tmp_path)
    (one,) = result.findings
    case = replace(one.case, occurrences=(Occurrence("a", 1, hostile),))
    result.findings = [replace(one, case=case, detail=hostile, remark=hostile)]
    result.findings += [replace(one, case=case, detector=hostile)] * (DRAWN + 1)
    result.checks[1] = replace(result.checks[1], detail=hostile, detector=hostile)
    result.checks[4] = replace(result.checks[4], detail=hostile)
    text = markdown(result)
    page = read_markdown(text)
    assert len(page.headings) == len(plain.headings) + DRAWN + 1
    assert len(page.fences) == len(plain.fences) + DRAWN + 1
    assert [len(rows) for rows in page.tables] == [2, 5]
    assert "\x1b" not in text
    assert "@someone" not in page.words


def test_json_says_what_text_says(tmp_path: Path) -> None:
    data = json.loads(json.dumps(gate_data(a_result(tmp_path))))
    assert (data["schema"], data["exit_status"], data["green"]) == ("remora/gate/1", 1, False)
    assert [check["standing"] for check in data["checks"]] == [
        "tested",
        "refuted",
        "skipped",
        "tested",
        "unknown",
    ]
    assert data["failures"][0]["expected"] == [[1, 1]]
    assert data["failures"][0]["regression"] == "r/1.json"


def test_junit_has_a_test_case_for_each_check(tmp_path: Path) -> None:
    root = read_junit(junit(a_result(tmp_path)))
    outcomes = {case.get("name"): [child.tag for child in case] for case in root.iter("testcase")}
    assert outcomes == {
        "law:1": ["system-out"],
        "law:2": ["failure", "system-out"],
        "steps": ["skipped", "system-out"],
        "random cases": ["system-out"],
        "telling mutants": ["error", "system-out"],
    }
    assert "expected only" in "".join(root.find(".//failure").itertext())  # type: ignore[union-attr]
    suites = {suite.get("name"): suite.attrib for suite in root}
    assert (suites["laws"]["tests"], suites["laws"]["failures"]) == ("2", "1")
    properties = {each.get("name"): each.get("value") for each in root.iter("property")}
    assert properties["seed"] == "3"
    assert properties["repeat"] == repeated(a_result(tmp_path))


def test_sarif_puts_what_is_wrong_where_the_detector_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "placed.py").write_text("import math\n\n\ndef make(expression):\n    return None\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    result = a_result(tmp_path)
    result.request = replace(result.request, detectors=("placed:make",))
    result.findings = [replace(one, detector="placed:make") for one in result.findings]
    result.checks = [
        replace(check, detector="placed:make" if check.detector else "") for check in result.checks
    ]
    result.checks.append(Check("proofs", "lemma:5.2", "placed:make", Standing.REFUTED, 0, "at 1 it is wrong"))
    run = read_sarif(sarif(result))
    found = [(each["ruleId"], each["locations"][0]["physicalLocation"]) for each in run["results"]]
    place = {"artifactLocation": {"uri": "placed.py"}, "region": {"startLine": 4, "endLine": 5}}
    assert found == [("detector/wrong", place), ("detector/step-refuted", place)]
    assert "expected only" in run["results"][0]["message"]["text"]
    (notification,) = run["invocations"][0]["toolExecutionNotifications"]
    assert notification["message"]["text"].startswith("mutants: telling mutants: too few")
    assert notification["level"] == "warning"


def test_a_detector_without_source_is_named_in_a_notification(tmp_path: Path) -> None:
    result = a_result(tmp_path)  # whose detector cannot be imported
    run = read_sarif(sarif(result))
    assert run["results"] == []
    levels = [each["level"] for each in run["invocations"][0]["toolExecutionNotifications"]]
    assert levels == ["error", "warning"]


# ------------------------------------------------------------------------------------------------ command line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--budget", "soon"), "the budget 'soon' is not a time"),
        (("--budget", "1m", "--cases", "5"), "--budget and --cases exclude each other"),
        (("--master", "local[*]"), "--master needs --cases"),
        (("--detector", "nix"), "no detector is called 'nix'"),
        (("--detector", "nix:nix"), "cannot be imported"),
        (("--cases", "0"), "0 is not in the range"),
    ],
)
def test_what_makes_no_sense_is_bad_input(remora: Remora, arguments: tuple[str, ...], said: str) -> None:
    status, out, err = remora("gate", *arguments)
    assert (status, out) == (2, "")
    assert said in err


def test_a_damaged_regression_is_bad_input(remora: Remora, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    status, _, err = remora("gate", "--cases", "5", "--detector", "figure2", "--regressions", tmp_path)
    assert status == 2
    assert "not a regression" in err


def test_the_command_writes_every_format(remora: Remora, tmp_path: Path) -> None:
    where = ("--regressions", tmp_path / "kept", "--out", tmp_path / "out")
    status, out, _ = remora("gate", "--cases", "10", "--detector", "mutant:seq-newest", *where)
    assert status == 1
    assert "expected only" in out
    assert out.rstrip().endswith("May not go in: mutant:seq-newest failed.")
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert written == {"gate.md", "gate.json", "gate.junit.xml", "gate.sarif"}
    assert json.loads((tmp_path / "out" / "gate.json").read_text("utf-8"))["exit_status"] == 1
    read_junit((tmp_path / "out" / "gate.junit.xml").read_text("utf-8"))
    (source,) = {
        str(each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]).rpartition("/")[2]
        for each in read_sarif((tmp_path / "out" / "gate.sarif").read_text("utf-8"))["results"]
    }
    assert source == "telling.py"


@pytest.mark.parametrize("form", ["json", "markdown", "junit", "sarif"])
def test_other_formats_are_all_that_is_printed(remora: Remora, tmp_path: Path, form: str) -> None:
    status, out, err = remora(
        "gate", "--cases", "5", "--detector", "figure2", "--regressions", tmp_path, "--format", form
    )
    assert (status, err) == (3, "")
    match form:
        case "json":
            assert json.loads(out)["exit_status"] == 3
        case "junit":
            assert read_junit(out).get("errors") == "1"
        case "sarif":
            assert read_sarif(out)["invocations"][0]["exitCode"] == 3
        case _:
            assert out.startswith("## ⚠️ No answer")


# ------------------------------------------------------------------------------------------------ documentation


def shown() -> list[tuple[str, str]]:
    blocks = re.findall(r"```console\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return [
        example
        for block in blocks
        for example in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    ]


def without_counts(text: str) -> list[str]:
    """The lines; numbers of cases in the table of stages are masked, everything else must be exact."""
    stage = re.compile(r"(regressions|nearby|laws|proofs|campaign|mutants) +")
    return [
        re.sub(r"[\d,]+", "#", line) if stage.match(line) else line.rstrip() for line in text.splitlines()
    ]


@pytest.mark.slow
def test_the_commands_of_the_page_print_what_it_shows(tmp_path: Path) -> None:
    folder = tmp_path / "examples"
    shutil.copytree(EXAMPLES, folder, ignore=shutil.ignore_patterns("__pycache__", "regressions"))
    assert len(shown()) >= 2
    for command, output in shown():
        run = subprocess.run(
            command,
            shell=True,
            cwd=folder,
            env={"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "COLUMNS": "100", "PYTHONUTF8": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert without_counts(run.stdout) == without_counts(output), command


def test_the_pre_commit_entry_and_the_workflow_call_commands_that_exist(remora: Remora) -> None:
    hooks = (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8")
    workflow = (EXAMPLES / "gate.yml").read_text("utf-8")
    _, text, _ = remora("gate", "--help")
    assert "entry: remora gate\n" in hooks
    for option in re.findall(r"--[a-z]+", hooks + workflow):
        assert option in text


# ------------------------------------------------------------------------------------------------ pytest plugin

pytest_plugins = ["pytester"]


def run_suite(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    known = "pytest11" in project.get("entry-points", {})
    plugin = () if known else ("-p", "remora.pytest_plugin")
    pytester.syspathinsert()
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", *plugin, *arguments)


@pytest.fixture
def suite(pytester: pytest.Pytester) -> Callable[..., pytest.RunResult]:
    """Runs a test module with a suite."""

    def run(module: str, *arguments: str) -> pytest.RunResult:
        pytester.makepyfile(test_mine="from remora.testing import detector_suite\n" + module)
        return run_suite(pytester, *arguments)

    return run


def test_one_line_gives_every_law_relation_regression_and_batch(
    suite: Callable[..., pytest.RunResult],
) -> None:
    found = suite(
        "from detectors.figure2 import Figure2\ntest_it = detector_suite(Figure2, cases=150)\n",
        "--collect-only",
        "-q",
    )
    names = {line.rpartition("::")[2] for line in found.outlines if "::" in line}
    assert {"law:36", "detection:7", "primitive:1", "relation:gap", "cases:0-99", "cases:100-149"} <= names
    assert any(name.startswith("regression:") for name in names)


def test_the_suite_of_a_right_detector_passes(suite: Callable[..., pytest.RunResult]) -> None:
    found = suite("from detectors.figure2 import Figure2\ntest_it = detector_suite(Figure2, cases=20)\n")
    outcomes = found.parseoutcomes()
    assert outcomes.keys() <= {"passed", "skipped"}
    assert outcomes["passed"] > 90


def test_what_a_detector_does_not_take_is_skipped_and_never_passed(
    suite: Callable[..., pytest.RunResult],
) -> None:
    module = (
        "from semantics.errors import LimitExceeded\n"
        "def refusing(expression): raise LimitExceeded('too much')\n"
        "test_it = detector_suite(refusing, cases=5)\n"
    )
    found = suite(module, "-rs")
    assert found.parseoutcomes().keys() == {"skipped"}
    found.stdout.fnmatch_lines(["*the detector took none of * cases*"])


def test_failures_of_the_suite_are_small_drawn_and_stored(
    suite: Callable[..., pytest.RunResult], pytester: pytest.Pytester
) -> None:
    module = (
        "from campaigns.mutants.catalogue import TELLING\n"
        "test_it = detector_suite(TELLING['seq-newest'], cases=100)\n"
    )
    found = suite(module)
    outcomes = found.parseoutcomes()
    assert outcomes["failed"] >= 3
    assert outcomes["passed"] > outcomes["failed"]
    found.stdout.fnmatch_lines(["*law:6*", "*expected only*", "*found by: law:6, A ; (B ; C)*", "*stored: *"])
    kept = stored_regressions(pytester.path / "regressions")
    assert kept
    assert all(len(regression.case.occurrences) <= 6 for regression in kept)


def test_a_stored_failure_is_a_test_case_of_its_own(
    suite: Callable[..., pytest.RunResult], pytester: pytest.Pytester
) -> None:
    case = Case(0, 0, "small", parse("a ; b"), (Occurrence("a", 0), Occurrence("b", 1)))
    regression = Regression(case, MEANING, "somebody's", Kind.MISSING.value, "")
    store(pytester.path / "regressions", [regression])
    found = suite(
        "from detectors.figure2 import Figure2\ntest_it = detector_suite(Figure2, cases=1)\n",
        "-k",
        regression.name,
    )
    found.assert_outcomes(passed=1, deselected=found.parseoutcomes()["deselected"])


def test_the_test_module_of_the_page_finds_the_detector_wrong(pytester: pytest.Pytester) -> None:
    (module,) = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    shutil.copy(EXAMPLES / "mydetector.py", pytester.path)
    pytester.makepyfile(test_mine=module.replace("(MyDetector)", "(MyDetector, cases=50)"))
    found = run_suite(pytester, "-k", "law or cases")
    assert {"passed", "failed"} <= found.parseoutcomes().keys()
    found.stdout.fnmatch_lines(["*a ; (a ; a)*", "*expected only*", "FAILED *law:6*"])


def test_suites_are_chosen_and_left_out_by_their_marker(suite: Callable[..., pytest.RunResult]) -> None:
    module = (
        "from detectors.figure2 import Figure2\n"
        "test_it = detector_suite(Figure2, cases=1)\n"
        "def test_other(): pass\n"
    )
    found = suite(module, "-m", "not remora", "--strict-markers")
    assert found.parseoutcomes()["passed"] == 1


def test_the_plugin_brings_nothing_heavy() -> None:
    code = "import sys, remora.pytest_plugin; print([n for n in sys.modules if n.split('.')[0] in WORDS])"
    words = "{'campaigns', 'laws', 'semantics', 'detectors', 'z3', 'numpy', 'pyspark', 'pyarrow'}"
    run = subprocess.run(
        [sys.executable, "-c", code.replace("WORDS", words)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    assert run.stdout == "[]\n"


def test_a_suite_of_something_that_makes_no_detectors_is_refused() -> None:
    from remora.testing import detector_suite

    with pytest.raises(TypeError, match="not by a str"):
        detector_suite("figure2")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="at least one case"):
        detector_suite(Figure2, cases=0)
