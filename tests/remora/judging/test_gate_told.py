"""What the gate says of a failure is true of a fresh process, and says which side is what; refusals are no passes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.mutants.catalogue import TELLING
from campaigns.carlson_lisper.mutants.power import Death, Power, power
from campaigns.carlson_lisper.relations.suite import LawOutcome
from campaigns.carlson_lisper.system import measure
from campaigns.judging.afresh import UNSTEADY
from campaigns.judging.regressions import stored_regressions
from campaigns.judging.verdicts import MEANING, Kind, Verdict
from detectors.carlson_lisper.source.figure2 import Figure2
from laws.standings import ExitStatus
from remora.judging.compared import drawing, sides_told
from remora.judging.gate import Gate
from remora.judging.known_deaths import known_deaths
from remora.judging.markdown import markdown
from remora.judging.output import print_findings
from remora.judging.related_cases import comparison
from remora.judging.reports import gate_data, lines, stage_lines
from remora.judging.results import Finding, GateResult, Request
from remora.judging.tallies import AFTER_A_FAILURE, AFTER_A_LOSS, TOO_SHORT, SuiteTally
from remora.terminal.progress import Progress
from reports.schemas import complaint
from reports.timeline import to_text
from semantics.carlson_lisper.expressions import Expression, Operation, bottom_up
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Time, Value
from semantics.carlson_lisper.syntax import parse
from semantics.errors import LimitExceeded
from semantics.events import Interval
from tests.remora.gates import a_result, checks, outcome

Remora = Callable[..., tuple[int, str, str]]


class Tired(Figure2):
    """Reports nothing from its thirteenth instance in a process on."""

    made = itertools.count()

    def __init__(self, expression: Expression) -> None:
        super().__init__(expression)
        self.silent = next(Tired.made) >= 12

    def step(self, time: Time, occurrences: Mapping[str, Value]) -> Instance | None:
        found = super().step(time, occurrences)
        return None if self.silent else found


class WithoutNegations(Figure2):
    """Refuses each negation."""

    def __init__(self, expression: Expression) -> None:
        parts = bottom_up(expression)
        if any(isinstance(part, Operation) and part.operator == "neg" for part in parts):
            raise LimitExceeded("negations are not taken")
        super().__init__(expression)


class NothingButOne(Figure2):
    """Takes one expression that no case has."""

    def __init__(self, expression: Expression) -> None:
        raise LimitExceeded(f"not taken today: {len(str(expression)) % 2}")


def told(result: GateResult) -> dict[str, tuple[str, str]]:
    return {stage: (word, said) for stage, word, said in stage_lines(result)}


# ------------------------------------------------------------------------------------------- fresh processes


def test_a_failure_that_does_not_come_again_alone_counts_and_is_not_stored(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    result = outcome(Request((f"{__name__}:Tired",), folder, budget=None, cases=60))
    assert result.status is ExitStatus.REFUTED
    assert result.findings
    for finding in result.findings:
        assert (finding.steady, finding.verdict, finding.regression) == (False, None, "")
        assert UNSTEADY in lines(finding)
    assert stored_regressions(folder) == []
    assert UNSTEADY.partition(":")[0] in markdown(result)
    data = gate_data(result)
    assert complaint("remora/gate/1", data) is None
    assert {failure["steady"] for failure in data["failures"]} == {False}


def test_of_failed_regressions_the_one_is_drawn_that_fails_alone(tmp_path: Path) -> None:
    result = outcome(Request(("mutant:neg-forgets",), tmp_path, budget=None, cases=5))
    (finding,) = [finding for finding in result.findings if finding.stage == "regressions"]
    assert finding.steady
    assert finding.verdict is not None


# ------------------------------------------------------------------------------------------------- refusals


@pytest.mark.usefixtures("few_mutants")
def test_refusals_are_said_with_their_reason_in_each_stage(tmp_path: Path) -> None:
    result = outcome(Request((f"{__name__}:WithoutNegations",), tmp_path, budget=None, cases=60))
    for stage in ("regressions", "nearby", "campaign"):
        word, said = told(result)[stage]
        assert word == "passed"
        assert "refused: negations are not taken" in said
    found = checks(result, "campaign")["random cases"]
    assert found.tried + found.refused == 60
    page = markdown(result)
    assert "refused: negations are not taken" in page
    assert page.count("`, law:") == 0, "a law more or less is no news"
    data = gate_data(result)
    assert complaint("remora/gate/1", data) is None
    (one,) = [each for each in data["checks"] if each["name"] == "random cases"]
    assert (one["refused"], one["reason"]) == (found.refused, "negations are not taken")


@pytest.mark.usefixtures("few_mutants")
def test_a_stage_in_which_everything_was_refused_has_not_passed(tmp_path: Path) -> None:
    result = outcome(Request((f"{__name__}:NothingButOne",), tmp_path, budget=None, cases=5))
    words = {stage: word for stage, (word, _) in told(result).items()}
    assert "passed" not in words.values()
    assert (words["regressions"], words["campaign"]) == ("open", "open")
    assert result.status is ExitStatus.INCONCLUSIVE
    assert "took none of" in checks(result, "regressions")["stored regressions"].detail


def test_the_reason_for_a_law_without_a_case_is_the_true_one() -> None:
    refused = LawOutcome("law:1", 0, "mine", None, "no sums", True, False)
    failed = LawOutcome("law:2", 0, "mine", Kind.MISSING, "at 1", False, False)
    tally = SuiteTally("laws", 5)
    list(tally.add([(refused,)]))
    check = tally.check("law:1", "mine")
    assert (check.refused, check.reason) == (1, "no sums")
    assert check.detail == "the detector took none of 1 cases: no sums"
    assert tally.check("law:3", "mine").detail == TOO_SHORT
    list(tally.add([(failed,)]))
    assert tally.check("law:3", "mine").detail == AFTER_A_FAILURE
    list(tally.add([(failed._replace(kind=Kind.TIMEOUT),)]))
    assert tally.check("law:3", "mine").detail == AFTER_A_LOSS


# ------------------------------------------------------------------------------------------------- protocol


def test_what_breaks_the_protocol_is_bad_input_for_gate_and_campaign(
    remora: Remora, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "formless.py").write_text(
        "class Formless:\n    def __init__(self, expression):\n        pass\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    for command in (("gate",), ("campaign", "run", tmp_path / "one.campaign")):
        status, out, err = remora(*command, "--cases", "5", "--detector", "formless:Formless")
        assert (status, out) == (2, "")
        assert (
            "formless.py:1: the detector formless:Formless makes a Formless, which has no method step" in err
        )
        assert "Give it step(time, occurrences)" in err


# ------------------------------------------------------------------------------------------------- memory


def test_memory_that_grows_is_told_with_expression_trace_amount_and_line(tmp_path: Path) -> None:
    name = "tests.campaigns.carlson_lisper.test_growth:Keeping"
    result = outcome(Request((name,), tmp_path, budget=None, cases=5))
    (finding,) = result.findings
    text = lines(finding)
    assert "(((a ; b)[6] + (c + a)) - d)[9]  in  a@0 c@1" in text
    assert " bytes a tick" in text
    assert "test_growth.py:" in text
    assert finding.regression == ""


# ------------------------------------------------------------------------------------------------- two sides


def test_sides_of_a_law_are_told_apart() -> None:
    verdict = Verdict(Kind.RELATION, "", (Interval(6, 6),), (Interval(1, 2),))
    assert sides_told("a | b", "b | a", verdict) == "at 2 it reports nothing for a | b, and [1, 2] for b | a"
    assert sides_told("a", "b", Verdict(None, "", (Interval(1, 2),), (Interval(1, 2),))) == ""


def test_a_law_is_drawn_with_its_two_sides() -> None:
    case = Case(0, 0, "small", parse("a | b"), (Occurrence("a", 1),))
    verdict = Verdict(Kind.RELATION, "", (Interval(1, 1),))
    text = to_text(drawing("mine", "law:2", "relation violated", case, verdict))
    assert text.startswith("A | B == B | A\nmine: relation violated by law:2\nleft:  a | b\nright: b | a\n")
    assert "left only" in text
    assert "expected" not in text


def test_a_relation_is_drawn_on_the_case_in_which_something_is_due() -> None:
    case = Case(0, 3, "small", parse("a"), (Occurrence("a", 49),))
    shifted = comparison("shifted", case)
    assert shifted is not None
    moved = shifted.after.occurrences[0].time
    assert moved != 49
    verdict = Verdict(Kind.RELATION, "", (Interval(moved, moved),))
    timeline = drawing("mine", "shifted", "relation violated", case, verdict)
    assert timeline.times == (moved,)
    assert {timeline.label(bar) for bar in timeline.bars} == {"due only"}
    assert "due is what follows from its reports on a  in  a@49" in timeline.captions
    assert comparison(MEANING, case) is None


def test_a_law_that_is_violated_says_for_which_side_the_detector_is_wrong(tmp_path: Path) -> None:
    result = outcome(Request(("mutant:tim-short",), tmp_path, budget=None, cases=44))
    found = [finding for finding in result.findings if finding.stage == "laws"]
    assert found
    for finding in found:
        assert finding.verdict is not None
        said = finding.remark if finding.by == MEANING else finding.detail
        assert "; by the semantics it is wrong for " in said
        assert " due" not in said


# ------------------------------------------------------------------------------------------------- drawings


def test_the_smallest_failure_is_drawn_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = a_result(tmp_path)
    big = result.findings[0]
    small = Case(3, 5, "small", parse("c"), (Occurrence("c", 1),))
    unseen = Case(3, 6, "small", parse("d"), ())
    verdict = Verdict(Kind.MISSING, "at 1", (Interval(1, 1),))
    result.findings += [
        Finding("campaign", "my:Own", MEANING, Kind.MISSING, "", unseen, None),
        Finding("campaign", "my:Own", MEANING, Kind.MISSING, "at 1", small, verdict),
    ]
    assert measure(small) < measure(big.case)
    assert [finding.case for finding in result.smallest_first()] == [small, big.case, unseen]
    print_findings(result)
    assert capsys.readouterr().out.startswith("c\nmy:Own: missing detection")


@pytest.mark.parametrize("last", range(9, 60, 3))
def test_the_label_of_a_bar_stands_beside_it(last: int) -> None:
    occurrences = tuple(Occurrence("a", time) for time in range(0, last + 1, 3))
    case = Case(0, 0, "small", parse("a"), occurrences)
    verdict = Verdict(Kind.MISSING, "", (Interval(last, last),))
    text = to_text(drawing("mine", MEANING, "missing detection", case, verdict))
    (line,) = [line for line in text.splitlines() if line.startswith("expected only")]
    assert line.endswith(f"[{last}, {last}]")
    assert max(map(len, text.splitlines())) <= 80


# ------------------------------------------------------------------------------------------------- mutants


def test_wrong_detectors_are_put_to_the_case_that_found_them_the_last_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = {name: TELLING[name] for name in ("seq-newest", "con-forgets", "neg-forgets")}
    monkeypatch.setattr("remora.judging.gate.TELLING", some)
    looked: list[int] = []
    monkeypatch.setattr("remora.judging.gate.power", noted(looked))
    found = Gate(Request(("figure2",), tmp_path), Progress(quiet=True)).mutants()
    assert found is not None
    assert set(found.deaths) == set(some)
    assert sum(looked) <= len(some), "one case for each, and no search"


@pytest.mark.parametrize("guess", [(), ((0, ["con-forgets"]), (1, ["no-such-mutant"]))])
def test_where_the_known_cases_find_nothing_all_of_them_are_tried(
    guess: tuple[tuple[int, list[str]], ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("remora.judging.gate.TELLING", {"con-forgets": TELLING["con-forgets"]})
    monkeypatch.setattr("remora.judging.gate.known_deaths", lambda seed, limit: iter(guess))
    found = Gate(Request(("figure2",), tmp_path, budget=None, cases=50), Progress(quiet=True)).mutants()
    assert found is not None
    assert set(found.deaths) == {"con-forgets"}


def test_where_all_are_known_to_be_found_later_it_is_the_cases_that_are_too_few(tmp_path: Path) -> None:
    gate = Gate(Request(("figure2",), tmp_path), Progress(quiet=True))
    gate.result.cases = 7
    deaths = {name: Death(9, Kind.MISSING, "") for name in TELLING}
    gate.worth(Power(0, 0, deaths, ()))
    (check,) = gate.result.checks
    assert check.detail.startswith(f"the cases are too few: 7 of them find 0 of the {len(TELLING)}")
    assert "the first 10 cases find all of them" in check.detail


def noted(looked: list[int]) -> Callable[..., object]:
    def noting(mutants: object, seed: int, cases: int, *, first: int, seconds: float) -> object:
        looked.append(cases - first)
        return power(mutants, seed, cases, first=first, seconds=seconds)  # type: ignore[arg-type]

    return noting


def test_known_cases_are_of_one_seed_ascending_and_no_more_than_are_asked_for() -> None:
    found = list(known_deaths(0, 100))
    assert [number for number, _ in found] == sorted({number for number, _ in found})
    assert all(number < 100 for number, _ in found)
    assert list(known_deaths(1, 100)) == []
    names = [name for _, names in known_deaths(0, 10**6) for name in names]
    assert len(names) == len(set(names))
    assert set(names) <= set(TELLING)


def test_most_known_cases_still_find_what_they_found() -> None:
    died = {
        name
        for number, names in known_deaths(0, 10**6)
        for name in power({n: TELLING[n] for n in names}, 0, number + 1, first=number, seconds=5).deaths
    }
    assert len(died) >= len(TELLING) / 2, "cases have changed: run `python -m remora.judging.known_deaths`"
