"""Known answers about gates: what is put to a detector, what is kept of its failures, and what that is worth."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock, patch

from campaigns.carlson_lisper.judge import judge
from campaigns.carlson_lisper.mutants.power import as_wrong
from campaigns.carlson_lisper.mutants.telling import MUTANTS
from campaigns.engine.execution import CampaignFailed
from campaigns.engine.failures import Examples, Failure
from campaigns.engine.rows import _row
from campaigns.engine.settings import Settings
from campaigns.judging.afresh import afresh, again_and_again, judged_again, made_small
from campaigns.judging.isolation import Child, Lost
from campaigns.judging.judgements import judge_case, judged_by
from campaigns.judging.minimise import minimise
from campaigns.judging.regressions import store, stored_regressions
from campaigns.judging.replays import replayed
from campaigns.judging.verdicts import MEANING, Cause, Kind, Verdict
from campaigns.mutants.power import Death, Power
from campaigns.systems import WrongDetector, cases_of
from detectors.carlson_lisper.generated.figure3 import Figure3
from detectors.carlson_lisper.generated.start_detector import Generated
from detectors.carlson_lisper.source.figure2 import Figure2
from laws.standings import Standing, weakest
from remora.api.detecting.validating import Refuted, default_of_instances, validated_name
from remora.api.judging import judge as judged_here
from remora.commands.gate import _of_logs as of_logs
from remora.judging import gate as gates
from remora.judging.budget import Clock
from remora.judging.cases import Cases, given_cases, random_cases, stored_cases
from remora.judging.conditions import decided, texts_data, validated_texts, with_texts
from remora.judging.engine import Engine
from remora.judging.findings import Examiner
from remora.judging.generator_mutants import _told
from remora.judging.results import Check, Finding, GateResult, Request
from remora.terminal.progress import Progress
from remora.verification.known.answers import Checks, Row
from remora.verification.known.judges.judging import FORGETTING, REGRESSION, WRONG, case_of, cause, summary
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse
from semantics.errors import InputError, LimitExceeded
from semantics.systems import DEFAULT_SYSTEM
from semantics.traces.reading import USUAL
from smt.carlson_lisper.validation.validating import Outcome, Validation

CASES = 100

_STAGES = (
    "regressions",
    "nearby",
    "logs",
    "laws",
    "proofs",
    "decisions",
    "mutants",
    "campaign",
    "worth",
)

checks = Checks()


class _Gate(gates.Gate):
    """A gate that is given what it has found, and remembers what it would put to its detectors."""

    def __init__(self, **given: Any) -> None:
        self.request = Request(("x",), Path(), cases=CASES)
        self.result = GateResult(self.request, cases=CASES)
        self.system = cases_of("carlson_lisper")
        self.clock = Clock(None)
        self.put: dict[str, Sequence[Cases]] = {}
        self.places: dict[str, Iterable[int]] = {}
        vars(self).update(given)

    def _put(
        self, stage: str, kinds: Sequence[Cases], places: Iterable[int], names: Sequence[str] = ()
    ) -> list[Check]:
        self.put[stage], self.places[stage] = kinds, places
        return []


@checks.known("stages of a gate", "a gate leaves nothing out, and says what its cases do not find")
def _stages() -> Iterator[Row]:
    for title, deaths, right in (
        ("found by the last case", {"m": CASES - 1}, Standing.TESTED),
        ("found by the first case after them", {"m": CASES}, Standing.UNKNOWN),
        ("not found", {}, Standing.UNKNOWN),
    ):
        died = {name: Death(case, Kind.MISSING, "") for name, case in deaths.items()}
        gate = _Gate(telling={"m": None})
        gate.worth(Power(0, CASES, died, () if died else ("m",)))
        yield f"a gate whose wrong detector is {title}", [one.standing for one in gate.result.checks], [right]
    gate = _Gate()
    gate.laws()
    laws = gate.put.get("laws", ())
    yield "laws that are put to a detector", len(laws), len(gate.system.laws())
    for law in laws:
        texts = {law.make(number).text for number in range(3)}
        yield f"whether the cases of {law.name} differ", len(texts) > 1, True
        told = [one.refused for one in law.outcomes(0, {"x": Figure2}, seconds=5.0, apart=False)]
        yield f"whether a case of {law.name} is refused", told, [False]
    gate = _Gate(known=(REGRESSION,))
    gate.nearby()
    yield "cases near a regression", list(gate.put), ["nearby"]
    gate = _Gate(request=Request(("x",), Path(), logs=((REGRESSION.case, ""), (REGRESSION.case, ""))))
    gate.logs()
    yield "windows of logs that are put to a detector", list(gate.places["logs"]), [0, 1]
    gate = _Gate(progress=Mock(stages=[]), **{stage: Mock() for stage in _STAGES})
    gate.run()
    yield "stages that are left out", [stage for stage in _STAGES if not vars(gate)[stage].called], []
    yield from _left_out()
    with Progress(quiet=True) as progress, patch.object(gates, "growing", lambda *_: ()):
        detectors = {"never": WRONG[Kind.MISSING][0]}
        engine = Engine(detectors, seconds=5.0, clock=Clock(None), keep=Path(), apart=False)
        gate = _Gate(known=(REGRESSION,), detectors=detectors, engine=engine, progress=progress)
        gate._show = lambda failures: None  # type: ignore[method-assign]
        gate.regressions()
        yield "a detector that fails a regression", gate.result.wrong(), ["never"]
        with TemporaryDirectory() as folder:
            store(Path(folder), [REGRESSION])
            known = gates.Gate(Request(("figure2",), Path(folder)), progress).known
        yield "regressions that are put to a detector", {str(one) for one in known} > {str(REGRESSION)}, True
    refused = replayed([REGRESSION], {"x": REFUSING}, seconds=5.0)
    yield "regressions that are refused", gates._of_regressions("x", refused, []).standing, Standing.UNKNOWN
    failed = summary(relations={"gap": 1}, causes=(cause(Kind.RELATION, "gap"),))
    on_spark = [one.standing for one in gates._spark_checks(failed, "figure2")]
    yield "a relation that fails on Spark", on_spark, [Standing.TESTED, Standing.REFUTED]
    gate = _Gate(progress=Progress(quiet=True))
    with patch.object(gates, "run_campaign", Mock(side_effect=CampaignFailed("it broke down"))):
        gate._on_spark(Settings(seed=0, cases=CASES, detectors=("figure2",)), "local[1]")
    yield "a campaign that breaks down", [one.standing for one in gate.result.checks], [Standing.ERROR]
    yield from _of_logs()


def _of_logs() -> Iterator[Row]:
    """What of two logs is put to a detector."""
    patterns = ("a", "a ; a")
    with TemporaryDirectory() as name:
        path = Path(name) / "log.csv"
        path.write_text("time,event\n" + "".join(f"{time},a\n" for time in range(200)), "utf-8")
        given = of_logs([(str(path), pattern) for pattern in patterns], USUAL, DEFAULT_SYSTEM)["logs"]
    last = {case.text: case.occurrences[-1].time for case, _ in given}
    yield "the ends of two logs", last, dict.fromkeys(patterns, 199)


def _left_out() -> Iterator[Row]:
    """What is put to solvers and to wrong detectors."""
    check = Check("proofs", "lemma:5.2", "x", Standing.UNKNOWN, 1)
    grown = replayed([REGRESSION], {"x": WRONG[Kind.MISSING][0]}, seconds=5.0).failures
    detectors = {"figure2": Figure2, "figure3": Figure3}
    request = Request(tuple(detectors), Path(), cases=CASES)
    with Progress(quiet=True) as progress:
        gate = _Gate(
            request=request,
            known=(),
            detectors=detectors,
            progress=progress,
            telling=as_wrong({"m": MUTANTS["seq-newest"]}),
        )
        with patch.object(gates, "prove_steps", lambda *_, **__: [check]):
            gate.proofs()
        yield "proofs of steps", gate.result.checks, [check]
        with patch.object(gates, "decided", lambda stage, *_: [replace(check, stage=stage)]):
            gate.decisions()
        yield "decisions", [one.stage for one in gate.result.checks[1:]], ["texts"]
        found = gate.mutants()
        yield "wrong detectors", None if found is None else list(found.deaths), ["m"]
        gate.telling = {"seq-newest": WrongDetector(lambda: Figure2, Figure2)}
        found = gate.mutants()
        yield "a right one called as one that was found", found and found.survivors, ("seq-newest",)
        engine = Engine(detectors, seconds=5.0, clock=Clock(None), keep=Path(), apart=False)
        gate = _Gate(request=request, detectors=detectors, engine=engine, progress=progress, known=())
        with patch.object(gates, "growing", lambda *_: grown):
            gate.regressions()
        yield "a detector that grows", gate.result.wrong(), ["x"]


@checks.known("kept failures", "a failure that is kept fails when it is judged again, and each one is")
def _kept() -> Iterator[Row]:
    case, wrong = REGRESSION.case, WRONG[Kind.MISSING][0]
    failed = judge(case, wrong)
    small = minimise(case, failed, lambda other: judge(other, wrong))
    got = (judge(small.case, wrong).ok, small.verdict.ok, small.complete)
    yield "a minimal case", got, (False, False, True)
    yield "its size", len(small.case.occurrences), 1
    crash = WRONG[Kind.CRASH][0]
    other = minimise(case, judge(case, crash), lambda _: failed)
    yield "what fails in another way", (other.case, other.verdict.kind), (case, Kind.CRASH)
    yield "a search that is cut short", minimise(case, failed, lambda _: failed, budget=2).complete, False
    for title, verdict, kind, kept in (
        ("fails again", failed, Kind.MISSING, True),
        ("failed in another way", judge(case, crash), Kind.MISSING, False),
    ):
        again, minimal = made_small(MEANING, case, verdict, wrong, seconds=5.0)
        yield f"what {title}", (again.kind, minimal is not None), (kind, kept)
    yield from _examined_failures(failed)
    with TemporaryDirectory() as name:
        before = Path(name) / "before"

        def at_first(_: object) -> Verdict:
            if before.exists():
                return Verdict(None, "", ())
            before.touch()
            return failed

        yield "what fails once", again_and_again(case, failed, at_first, seconds=5.0).ok, True
    found = judged_again("snapshot", case, crash, seconds=5.0)
    yield "what crashes, by a relation", found.kind, judged_by("snapshot", case, crash, seconds=5.0).kind
    ends = WRONG[Kind.TIMEOUT][0]
    large = Child(lambda: len(bytearray(2**28)), memory=64).result(5.0)
    yield "a process that takes too much memory", isinstance(large, Lost), Path("/proc/self/statm").is_file()
    yield "a process that is lost", afresh(case, lambda _: os._exit(0), seconds=5.0).kind, Kind.WORKER_LOST
    yield "a detector that blocks", judge(case, ends, seconds=0.05).kind, Kind.TIMEOUT
    law = replace(REGRESSION, relation="snapshot")
    both = replayed([REGRESSION, law, REGRESSION], {"x": wrong, "y": FORGETTING}, seconds=5.0)
    yield "failures of two regressions", (both.tried, len(both.failures)), (2, 2)
    with TemporaryDirectory() as name:
        folder = Path(name)
        yield "new ones", len(store(folder, [REGRESSION, law, REGRESSION])), 2
        yield "no new one", store(folder, [law]), []
        yield "what is stored", {one.name for one in stored_regressions(folder)}, {REGRESSION.name, law.name}
        later = [tuple(o._replace(time=o.time + n) for o in case.occurrences) for n in range(1, 120)]
        store(folder, [replace(law, case=replace(case, occurrences=each)) for each in later])
        yield "how many of many", len(stored_regressions(folder)), 2 + len(later)
        for path in folder.iterdir():
            path.write_text(path.read_text("utf-8").replace("remora/regression/1", "regression/0"), "utf-8")
        try:
            stored_regressions(folder)
            read = True
        except InputError:
            read = False
        yield "whether what is stored in another way is read", read, False


def _examined_failures(failed: Verdict) -> Iterator[Row]:
    """Failures of a campaign and of a gate that are looked at once more."""
    case, wrong = REGRESSION.case, WRONG[Kind.MISSING][0]
    causes = [Cause("x", MEANING, path, Kind.MISSING) for path in ("seq", "con")]
    right = Failure(case, causes[0], "", Verdict(None, "", ()))
    got = (right.reproduced, replace(right, verdict=failed).reproduced)
    yield "whether what passed fails again", got, (False, True)
    examples = Examples(Settings(seed=0, cases=3, detectors=("x",)), (), lambda _: None)
    with patch("campaigns.engine.failures.examined", lambda *_: right):
        examples.meet(dict.fromkeys(causes, (0, "")))
    yield "causes of which an example is kept", len(examples.found), 2
    found = Finding("campaign", "x", MEANING, Kind.MISSING, "", case, failed)
    examiner = Examiner({"x": wrong})
    for each in (found, found, replace(found, by="snapshot")):
        examiner.add(each)
    yield "findings of a gate", len(examiner.findings), 2
    kind = Cases("known", lambda _: case, lambda _: "")
    (outcome, other) = kind.outcomes(0, {"x": wrong, "y": Figure2}, seconds=5.0, apart=False)
    yield "outcomes of two detectors", (outcome.kind, other.kind), (Kind.MISSING, None)
    related = replace(kind, relation=lambda _: "snapshot")
    detectors: dict[str, Any] = {"x": wrong, "y": FORGETTING, "z": REFUSING}
    several = list(related.outcomes(0, detectors, seconds=5.0, apart=False))
    said = {(one.detector, one.by): one.kind for one in several}
    yield "those by a relation", said["x", MEANING], Kind.MISSING
    yield "a detector that is wrong by it", said["y", "snapshot"], Kind.RELATION
    yield "what is refused", [one.refused for one in several if one.detector == "z"], [True, True]
    with patch("remora.judging.findings.minimise", lambda *_: None):
        examiner = Examiner({"x": wrong})
        examiner._small = lambda *_: None  # type: ignore[method-assign]
        examiner.examine("campaign", kind, outcome)
    yield (
        "a failure that does not come again",
        [(one.kind, one.steady) for one in examiner.findings],
        [(Kind.MISSING, False)],
    )


class _Refusing(Figure2):
    """Takes nothing."""

    def __init__(self, expression: Expression) -> None:
        raise LimitExceeded("too large")


REFUSING = _Refusing
"""A detector that takes no pattern."""


@checks.known(
    "judgements", "each detector is judged by the meaning and by a relation, or counted as refusing"
)
def _judgements() -> Iterator[Row]:
    case = REGRESSION.case
    detectors = {"right": Figure2, "forgetting": FORGETTING, "refusing": _Refusing}
    found = judge_case(case, detectors, relation="snapshot", seconds=5.0)
    yield "judgements", found.judgements, 4
    got = [(one.detector, one.relation, one.kind) for one in found.faults]
    yield "faults", got, [("forgetting", "snapshot", Kind.RELATION)]
    yield "refusals", [name for name, _ in found.refusals], ["refusing"]
    several: dict[str, Any] = {**detectors, "silent": WRONG[Kind.MISSING][0], "other": _Refusing}
    row = _row("known", judge_case(case, several, relation="snapshot", seconds=5.0))
    yield "faults in a row", [each["detector"] for each in row.failures], ["forgetting", "silent"]
    yield "refusals in a row", [each["detector"] for each in row.refusals], ["refusing", "other"]
    yield from _put()
    for factory, passed in (
        (Figure2, True),
        (FORGETTING, True),
        (WRONG[Kind.MISSING][0], False),
        (REFUSING, False),
    ):
        judged = judged_here(factory, cases=20, laws=False, regressions=False)
        yield f"whether {factory} passed", bool(judged), passed


def _put() -> Iterator[Row]:
    """Kinds of cases one of which a detector fails."""

    def wrong_for_a(expression: Expression) -> Any:
        return (WRONG[Kind.MISSING][0] if str(expression) == "a" else Figure2)(expression)

    given = [(case_of("b", "b@0"), ""), (case_of("a", "a@0"), "")]
    of_relation = replace(REGRESSION, relation="snapshot")
    kinds: Sequence[tuple[str, Sequence[Cases], Any, int]] = (
        ("the second case that is given", [given_cases(given)], wrong_for_a, 2),
        ("a stored case of a relation", stored_cases([of_relation]), FORGETTING, 1),
        ("random cases of a relation", [random_cases(0, "snapshot")], FORGETTING, 20),
    )
    for title, some, detector, number in kinds:
        (check,) = Engine({"x": detector}, seconds=5.0).put("known", some, range(number), stop_after=1)
        yield f"a detector that fails {title}", check.standing, Standing.REFUTED


_OUTCOMES: Sequence[tuple[Outcome, Standing, type[Exception] | None]] = (
    ("validated", Standing.PROVED, None),
    ("not validated", Standing.UNKNOWN, InputError),
    ("refuted", Standing.REFUTED, Refuted),
)


_Text = tuple[str, Mapping[str, object]]

_CHANGED: Mapping[str, tuple[str, Callable[[str, Mapping[str, object]], _Text], Outcome]] = {
    "starts": (
        "Generated",
        lambda text, given: (text.replace("else -1", "else time"), given),
        "not validated",
    ),
    "instances": ("Figure3", lambda text, given: (text.replace(" <= ", " > "), given), "refuted"),
    "another beginning": (
        "Generated",
        lambda text, given: (text, {name: 7 if type(it) is int else it for name, it in given.items()}),
        "refuted",
    ),
}
"""A wrong text, of which detector, made how from the right one, and what becomes of it."""


def _changed_texts() -> Iterator[Row]:
    """Generators one of whose texts is wrong, and a validation that does not see it."""
    blind = Validation("validated", "", "nobody", 0.0, "")
    made: dict[str, Any] = {"Figure3": Figure3, "Generated": Generated}
    for title, (detector, change, right) in _CHANGED.items():

        def wrong(pattern: Expression, detector: str = detector, change: Any = change) -> SimpleNamespace:
            return SimpleNamespace(made=lambda: change(*made[detector](pattern).made()))

        modules: Any = Mock(load=Mock(return_value=SimpleNamespace(**{**made, detector: wrong})))
        yield f"a wrong text of {title}", _told("known", "", modules).outcome, right
        with patch("remora.judging.generator_mutants.validated", lambda *_: blind):
            yield f"a wrong text of {title} that is validated", _told("known", "", modules).outcome, "missed"


@checks.known("generated texts", "a text that is not validated is not called proved, and does not run")
def _texts() -> Iterator[Row]:
    yield from _changed_texts()
    (untried,) = texts_data([Check("texts", "generated texts", "x", None, 0)])
    yield "texts that were not tried", untried["standing"], Standing.UNKNOWN.value
    (check,) = validated_texts(Settings(seed=0, cases=5, detectors=("figure3",)))
    yield "texts of a campaign of 5 cases", (check.standing, 1 <= check.tried <= 5), (Standing.PROVED, True)
    for (one, stands, _), (other, then, _) in product(_OUTCOMES, repeat=2):
        both = Mock(side_effect=[Validation(outcome, "", "nobody", 0.0, "") for outcome in (one, other)])
        with patch("smt.carlson_lisper.validation.decisions.validate", both):
            (check,) = decided(
                "texts", "carlson_lisper", {"figure3": None}, ["a ; b", "a + b"], lambda _: True
            )
        yield f"texts that are {one} and {other}", (check.standing, check.tried), (weakest((stands, then)), 2)
    for outcome, stands, refusal in _OUTCOMES:
        given = Validation(outcome, "", "nobody", 0.0, "")
        with patch("smt.carlson_lisper.validation.decisions.validate", lambda _, given=given: given):
            (check,) = decided("texts", "carlson_lisper", {"figure3": None}, ["a ; b"], lambda _: True)
        yield f"a gate whose text is {outcome}", check.standing, stands
        with patch("smt.carlson_lisper.validation.validating.validate", lambda _, given=given: given):
            taken, _ = default_of_instances(parse("a ; b"), None)
        yield f"what runs by default where a text is {outcome}", taken, "figure4" if refusal else "figure3"
        worst = with_texts(Standing.TESTED, [check])
        yield f"a campaign whose text is {outcome}", worst, Standing.TESTED if refusal is None else stands
        with patch("smt.carlson_lisper.validation.validating.validate", lambda _, given=given: given):
            for intervals in (False, True):
                try:
                    validated_name("auto", parse("a ; b"), intervals=intervals)
                    raised: type[Exception] | None = None
                except (InputError, Refuted) as error:
                    raised = type(error)
                yield f"detection by a text that is {outcome}", raised, refusal
