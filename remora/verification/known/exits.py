"""Known answers about ends: the exit status of each command and what stands in files, for results that are given."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock, patch

import numpy as np
from click.testing import CliRunner

from benchmarks.checks import OracleDiffers, confirm_oracle
from benchmarks.patterns import PATTERNS
from benchmarks.subjects import Answer
from benchmarks.traces import Trace
from campaigns.judging.judgements import judge_case
from campaigns.judging.verdicts import Kind
from campaigns.mutants.power import Power
from detectors.carlson_lisper.source.figure2 import Figure2
from laws.outcomes import TestOutcome
from laws.standings import Standing
from laws.systems import find
from proofs.third_opinions import contradicted
from remora.api.claiming.claims import Answers, Checked, EnginesInDoubt, _require_sound
from remora.api.detecting.detection import WrongDetector
from remora.api.detecting.validating import Refuted
from remora.api.patterns.comparisons import Comparison, _levels, compare
from remora.atlas.mona import Opinions
from remora.bry_eckert.printing import end_by
from remora.commands.atlas import atlas
from remora.commands.campaigns.power import campaign_power
from remora.commands.campaigns.results import replay_case
from remora.commands.campaigns.run import run as campaign_run
from remora.commands.detect import detect
from remora.commands.equiv import equiv
from remora.commands.explain import explain
from remora.commands.gate import gate
from remora.commands.prove import prove
from remora.commands.report import report
from remora.commands.test import test
from remora.commands.verify import verify
from remora.examples import EXAMPLES
from remora.hinze_voisard.own_logs import _differences
from remora.hinze_voisard.own_logs import verify as verify_log
from remora.judging.cases import RANDOM, random_cases
from remora.judging.generator_mutants import Told
from remora.judging.output.reports import gate_data
from remora.judging.results import Check, GateResult, Request
from remora.terminal.subcommands import remora
from remora.verification.known.answers import Checks, Row
from remora.verification.known.judges.gates import REFUSING
from remora.verification.known.judges.judging import REGRESSION, WRONG, cause, summary
from remora.verification.known.verdicts import result
from remora.verification.proofs import ProofRun
from reports.comparing.changes import Difference
from reports.comparing.comparison import ReportComparison as Compared
from reports.writing.junit import Suite, TestCase, junit_xml
from semantics.carlson_lisper.syntax import parse
from semantics.errors import LimitExceeded
from semantics.hinze_voisard.evaluation import Found
from smt.attempts import ClaimResult
from smt.first_order.provers import Opinion, Outcome, understood
from smt.first_order.translation import Problem
from smt.solvers.programs import Ended
from smt.solvers.solver import Status

S = Standing
_ENDS: Mapping[Standing, int] = {S.TESTED: 0, S.UNKNOWN: 3, S.REFUTED: 1, S.DISAGREEMENT: 4, S.ERROR: 5}

checks = Checks()


def _given(value: object) -> Callable[..., Any]:
    return lambda *_, **__: value


def _ended(command: Any, arguments: list[str], given: Mapping[str, object]) -> int:
    """The exit status of a command with arguments, where something is given in the place of what it does."""
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        for name, value in given.items():
            stack.enter_context(patch(name, value))
        words = [each.replace("DIR", folder) for each in arguments]
        ended = CliRunner().invoke(command, words, **remora.context_settings)
    return ended.exit_code if isinstance(ended.exception, SystemExit | None) else -1


def _proofs(standing: Standing, *, canary: Standing = S.REFUTED, rejected: bool = False) -> ProofRun:
    (law,) = find(["law:2"])
    one, false = (ClaimResult(law, each, (), None, 0, 0.0) for each in (standing, canary))
    complaints = (("x", "not accepted"),) if rejected else ()
    return ProofRun((one,), (false,), (), "int", 0, (), {}, complaints, ())


_PROVE = "remora.commands.prove."


@checks.known("exit statuses", "a command ends as what it found stands")
def _commands() -> Iterator[Row]:
    (law,) = find(["law:2"])
    for proof in (S.AGREED, S.PROVED, S.UNKNOWN, S.REFUTED, S.DISAGREEMENT, S.ERROR):
        given = {_PROVE + "prove_certified": _given(_proofs(proof)), _PROVE + "gone": _given([])}
        yield f"prove: {proof.value}", _ended(prove, ["2"], given), _ENDS.get(proof, 0)
    for title, proofs, lost, end in (
        ("a false equation that is proved", _proofs(S.AGREED, canary=S.AGREED), [], 4),
        ("a certificate that is not accepted", _proofs(S.AGREED, rejected=True), [], 3),
        ("a lost obligation", _proofs(S.AGREED), ["x: lost"], 1),
    ):
        given = {_PROVE + "prove_certified": _given(proofs), _PROVE + "gone": _given(lost)}
        yield f"prove: {title}", _ended(prove, ["2"], given), end
        yield f"a run of proofs: {title}", int(proofs.exit_status), 0 if lost else end
    for texts, certificates in (([], []), (["x"], []), ([], ["x"])):
        given = {
            _PROVE + "prove_shown": _given([]),
            _PROVE + "differences": _given(texts),
            _PROVE + "certificate_differences": _given(certificates),
        }
        ends = int(bool(texts or certificates))
        yield f"prove --replay: {texts}, {certificates}", _ended(prove, ["2", "--replay"], given), ends
    for broke, removed in product(([], ["x"]), repeat=2):
        since = {"broke": broke, "removed": removed}
        given = {_PROVE + "at_revision": _given({}), _PROVE + "changes": _given(since)}
        yield f"prove --diff: {since}", _ended(prove, ["--diff", "HEAD"], given), len(broke)
    for standing, end in _ENDS.items():
        answers = Answers((Checked(law, (TestOutcome("known", standing, 1, ""),)),))
        got = _ended(test, ["2"], {"remora.commands.test.checked": _given(answers)})
        yield f"test: {standing.value}", got, end
        result = GateResult(Request(("x",), Path()), [Check("laws", RANDOM, "x", standing, 1)])
        given = {"remora.judging.gate.Gate": _given(SimpleNamespace(run=_given(result), result=result))}
        yield f"gate: {standing.value}", _ended(gate, ["--cases", "1", "--regressions", "DIR"], given), end
        yield f"the JSON of a gate: {standing.value}", gate_data(result)["green"], end == 0
        written = {"verdict": {"exit_status": end, "summary": "", "counts": {}, "problems": []}}
        run = SimpleNamespace(run=_given(written), warnings=[])
        given = {
            "remora.verification.stages.Verification": _given(run),
            "remora.verification.campaign.prepare": _given(None),
            "reports.store.write_report": _given(None),
        }
        yield f"verify: {standing.value}", _ended(verify, ["--out", "DIR"], given), end
    undecided = [Check("texts", "generated texts", "x", S.UNKNOWN, 1)]
    for title, found, checked, end in (
        ("no failure", summary(), [], 0),
        ("a failure", summary(causes=(cause(Kind.MISSING),)), [], 1),
        ("judges that disagree", summary(causes=(cause(Kind.DISAGREEMENT),)), [], 4),
        ("a text that is not decided", summary(), undecided, 3),
        ("a text that is refuted", summary(), [replace(undecided[0], standing=S.REFUTED)], 1),
    ):
        given = {
            "remora.commands.campaigns.run._carried_out": _given(found),
            "remora.commands.campaigns.run.validated_texts": _given(checked),
        }
        yield f"campaign run: {title}", _ended(campaign_run, ["DIR/x", "--detector", "figure2"], given), end
    for survivors, end in (((), 0), (("seq-newest",), 1)):
        given = {"remora.commands.campaigns.power.power": _given(Power(0, 1, {}, survivors))}
        yield f"campaign power: {survivors} survive", _ended(campaign_power, ["--cases", "1"], given), end
    for outcome, end in (("refuted", 0), ("missed", 4)):
        given = {"remora.judging.generator_mutants.told": _given([Told("known", "", outcome)])}  # type: ignore[arg-type]
        yield (
            f"campaign power: a text that is {outcome}",
            _ended(campaign_power, ["--texts", "1"], given),
            end,
        )
    for kind, end in (("better", 0), ("worse", 1)):
        changed = Compared((), (Difference(kind, "claim", "x", "", "", ""),))  # type: ignore[arg-type]
        given = {
            "reports.store.read_report": _given({}),
            "reports.comparing.comparison.compare": _given(changed),
        }
        yield f"report --compare: something {kind}", _ended(report, ["--compare", "DIR", "DIR"], given), end
    for said in ([], ["x"]):
        given = {
            "remora.commands.atlas.replay": _given(said),
            "remora.commands.atlas.installed": _given(None),
        }
        yield f"atlas --replay: {said}", _ended(atlas, ["--replay"], given), len(said)
        given |= {
            "remora.commands.atlas.installed": _given("mona"),
            "remora.commands.atlas.opinions": _given(Opinions(1, 1, ("x",))),
        }
        yield f"atlas --replay: {said}, and MONA contradicts", _ended(atlas, ["--replay"], given), 4
    yield from _comparisons()
    yield from _detections()
    for steps, end in (("100000", 0), ("1", 3)):
        yield (
            f"explain within {steps} steps",
            _ended(explain, ["((a + b) ; (c + d)) - (a ; c)", "--steps", steps], {}),
            end,
        )
    settings = SimpleNamespace(detectors=("figure2",), seconds=5.0, seed=0)
    for name, factory, end in (
        ("right", Figure2, 0),
        ("wrong", WRONG[Kind.MISSING][0], 1),
        ("refusing", REFUSING, 3),
    ):
        judged = judge_case(REGRESSION.case, {"figure2": factory}, seconds=5.0)
        given = {
            "remora.commands.campaigns.results.CampaignDirectory": lambda _: SimpleNamespace(
                settings=_given(settings)
            ),
            "remora.commands.campaigns.results.replay": _given(judged),
            "remora.commands.campaigns.results.DrawnFailures": _given(Mock()),
            "remora.commands.campaigns.results.examined": _given(None),
        }
        yield f"campaign replay: a detector that is {name}", _ended(replay_case, ["DIR", "1"], given), end


def _detections() -> Iterator[Row]:
    """The ends of detections, and of comparisons of logs."""
    log = str(EXAMPLES[0].path.with_name("logins.csv"))
    breaking = SimpleNamespace(relevant=("fail",), instant=Mock(side_effect=WrongDetector("is wrong")))
    made: Mapping[str, object]
    for title, options, made, end in (
        ("right", [], {}, 0),
        ("wrong", ["--detector", "figure2"], {"Detection": _given(breaking)}, 1),
        ("refuted", ["--validated"], {"validated_name": Mock(side_effect=Refuted("it is wrong"))}, 1),
    ):
        given = {f"remora.commands.detect.{name}": value for name, value in made.items()}
        yield f"detect: a detector that is {title}", _ended(detect, ["fail", log, *options], given), end
    files = [log.replace("logins.csv", name) for name in ("logistics.profile", "logistics.jsonl")]
    for said in ([], ["x"]):
        alone = [Found("P", 0, 1, ())] * len(said)
        for title, meant, ran in (("definition", alone, []), ("engine", [], alone)):
            yield f"what the {title} says alone", len(list(_differences(meant, iter(ran)))), len(said)
        given = {"remora.hinze_voisard.own_logs._differences": _given(said)}
        yield f"profiles verify: {said}", _ended(verify_log, files, given), len(said)
    for broken, end in ((None, 0), (Mock(summary=list), 1)):
        try:
            end_by(broken)  # type: ignore[arg-type]
            ended: object = 0
        except SystemExit as error:
            ended = error.code
        yield "a log that breaks an axiom" if broken else "a log that breaks none", ended, end


def _comparisons() -> Iterator[Row]:
    a, b = parse("a"), parse("b")
    for holds, end in ((True, 0), (False, 1), (None, 3)):
        found = compare(a, a if holds else b, "detection", "equivalence")
        if holds is None:
            found = Comparison(a, b, "detection", "equivalence", None, "")
        yield f"a comparison that {holds} holds", (int(found.exit_status), bool(found)), (end, holds is True)
        given = {"remora.commands.equiv.compare": _given(found)}
        yield f"equiv: {holds}", _ended(equiv, ["a", "b"], given), end
    with patch("remora.api.patterns.comparisons._proved", _given(None)):
        for steps in (1, 3, 10):
            found = compare(
                parse("a ; (b ; a)"), parse("a ; (b ; a)[7]"), "detection", "equivalence", steps=steps
            )
            yield f"a comparison of {steps} steps", found.holds, None
    decider: Any = SimpleNamespace(decide=Mock(side_effect=LimitExceeded("too large")))
    for level, holds in (("detection", True), ("meaning", False)):
        decided: Any = SimpleNamespace(left=a, right=b, level=level, relation="equivalence", holds=holds)
        levels = _levels(decider, decided)
        undecided = [said for name, said in levels.items() if name != level]
        yield f"levels that are too large, where {level} is {holds}", undecided, [None, None]
    found = compare(parse("b | (a ; b)"), b, "detection", "equivalence")
    yield "patterns of the same detections", (found.holds, found.levels["intervals"]), (True, False)


@checks.known("test results", "what failed is no success in JUnit XML, and fails a test of the plugin")
def _test_results() -> Iterator[Row]:
    for outcome, elements in (
        ("passed", (0, 0, 0)),
        ("failure", (1, 0, 0)),
        ("error", (0, 1, 0)),
        ("skipped", (0, 0, 1)),
    ):
        text = junit_xml("known", [Suite("known", [TestCase("x", "y", outcome)])])  # type: ignore[arg-type]
        found = tuple(text.count(f"<{each} ") for each in ("failure", "error", "skipped"))
        yield f"a test case that ended with {outcome}", found, elements
    try:
        from remora.judging.pytest_plugin import DetectorFailed, SuiteItem
    except ImportError:  # pytest is not installed, and there is no plugin
        return
    for kind in (None, Kind.MISSING, Kind.SPURIOUS):
        factory = Figure2 if kind is None else WRONG[kind][0]
        with TemporaryDirectory() as folder:
            item = SimpleNamespace(
                suite=SimpleNamespace(factory=factory, seconds=5.0),
                folder=Path(folder),
                cases=random_cases(0),
                numbers=range(20),
                user_properties=[],
            )
            try:
                SuiteItem.runtest(item)  # type: ignore[arg-type]
                failed = False
            except DetectorFailed:
                failed = True
        yield f"the plugin on a detector that is wrong: {kind}", failed, kind is not None


@checks.known("doubts", "an engine that is wrong about what is known is noticed before it is believed")
def _doubts() -> Iterator[Row]:
    (law,) = find(["law:2"])
    for standing, right in ((S.REFUTED, False), (S.AGREED, True), (S.UNKNOWN, True)):
        results = [ClaimResult(law, standing, (), None, 0, 0.0)]
        with patch("proofs.proving.prove_claims", _given(results)):
            try:
                _require_sound.__wrapped__("int")
                doubted = False
            except EnginesInDoubt:
                doubted = True
        yield f"a false equation that is {standing.value}", doubted, right
    pattern = PATTERNS["ii"]
    trace = Trace(8, {name: np.arange(0, 8, 2) + place % 2 for place, name in enumerate("ABCDEPT")})
    nothing = Answer(np.array([], np.int64), np.array([], np.int64))
    for title, given, right in (
        ("right", (), False),
        ("wrong", (patch("benchmarks.checks.oracle", _given(nothing)),), True),
    ):
        with ExitStack() as stack:
            for each in given:
                stack.enter_context(each)
            try:
                confirm_oracle(pattern, trace)
                differs = False
            except OracleDiffers:
                differs = True
        yield f"an oracle that is {title}", differs, right
    opinions: tuple[tuple[Outcome, Status, bool], ...] = (
        ("proved", "unsat", False),
        ("proved", "sat", True),
        ("refuted", "unsat", True),
        ("open", "sat", False),
    )
    for outcome, status, contrary in opinions:
        (part,) = result(S.PROVED if status == "unsat" else S.UNKNOWN, status).obligations
        said = contradicted(part, Opinion(outcome))
        yield f"a prover that says {outcome}, a solver that says {status}", bool(said), contrary
    for word, meant in (
        ("Theorem", "proved"),
        ("CounterSatisfiable", "refuted"),
        ("GaveUp", "open"),
        ("ResourceOut", "open"),
        ("Timeout", "open"),
        ("Unknown", "open"),
    ):
        ended = Ended(f"# SZS status {word}\n", 0, False)
        yield f"a prover that ends with {word}", understood(ended, Problem("", True)).outcome, meant
    got = understood(Ended("# SZS status CounterSatisfiable\n", 0, False), Problem("", False)).outcome
    yield "a prover without arithmetic", got, "open"
