"""Known answers about ends: the exit status of each command and what stands in files, for results that are given."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from itertools import product
from pathlib import Path
from signal import SIGINT, SIGTERM
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock, patch

from click.testing import CliRunner, Result

from benchmarks.checks import OracleDiffers
from campaigns.engine.execution import CampaignFailed
from campaigns.engine.summary import Share
from campaigns.judging.judgements import judge_case
from campaigns.judging.regressions import store
from campaigns.judging.replays import replayed
from campaigns.judging.verdicts import Kind
from campaigns.mutants.power import Power
from cluster.session import SparkUnavailable
from detectors.bry_eckert.catalogue import COLLECTING
from detectors.carlson_lisper.source.figure2 import Figure2
from detectors.hinze_voisard.engine import Engine, notifications
from laws.outcomes import TestOutcome
from laws.standings import Standing
from laws.systems import find
from proofs.certification import Certified
from remora.api.campaigning import Campaign
from remora.api.claiming.claims import Answers, Checked, Proof
from remora.api.detecting.detection import WrongDetector
from remora.api.detecting.validating import Refuted
from remora.api.patterns.comparisons import Comparison, _levels, compare
from remora.atlas.mona import Opinions
from remora.bry_eckert.breaches import LogWatch
from remora.bry_eckert.commands import bench as bench_rules
from remora.bry_eckert.commands import explain as explain_rules
from remora.bry_eckert.detect import detect as detect_rules
from remora.bry_eckert.printing import end_by
from remora.bry_eckert.programs import safe_engine
from remora.commands.atlas import atlas
from remora.commands.benchmarks.bench import bench
from remora.commands.campaigns.power import campaign_power
from remora.commands.campaigns.results import replay_case
from remora.commands.campaigns.run import run as campaign_run
from remora.commands.detect import detect
from remora.commands.doctor import Item
from remora.commands.equiv import equiv
from remora.commands.explain import explain
from remora.commands.gate import gate
from remora.commands.prove import prove
from remora.commands.report import report
from remora.commands.stream import stream
from remora.commands.test import test
from remora.commands.verify import verify
from remora.examples import EXAMPLES
from remora.hinze_voisard.bench import bench as bench_profiles
from remora.hinze_voisard.explaining import explained
from remora.hinze_voisard.own_logs import Compared as OfPartition
from remora.hinze_voisard.own_logs import _differences, compared
from remora.hinze_voisard.own_logs import verify as verify_log
from remora.judging.cases import RANDOM, random_cases
from remora.judging.generator_mutants import Told
from remora.judging.output.junit import junit
from remora.judging.output.markdown import markdown
from remora.judging.output.reports import gate_data
from remora.judging.results import Check, GateResult, Request
from remora.terminal.interrupts import _Watch
from remora.terminal.subcommands import remora
from remora.testing import detector_suite
from remora.verification.known.answers import Checks, Row, always
from remora.verification.known.judges.gates import REFUSING
from remora.verification.known.judges.judging import REGRESSION, WRONG, cause, summary
from remora.verification.known.verdicts import result
from remora.verification.proofs import ProofRun
from reports.comparing.changes import Difference
from reports.comparing.comparison import ReportComparison as Compared
from reports.writing.junit import Suite, TestCase, junit_xml
from semantics.bry_eckert.algebra.translation import plan_of
from semantics.bry_eckert.checking import parse as rules
from semantics.carlson_lisper.languages.decisions import EnginesDisagree
from semantics.carlson_lisper.syntax import parse
from semantics.errors import LimitExceeded
from semantics.events import Event
from semantics.hinze_voisard.evaluation import Found
from semantics.hinze_voisard.syntax import parse as profiles
from semantics.traces.instants import Instant
from semantics.traces.rows import NOWHERE
from semantics.traces.rows import Row as LogRow
from smt.attempts import ClaimResult
from smt.certificates import Certificate
from smt.certificates import Checked as Accepted

S = Standing
_ENDS: Mapping[Standing, int] = {S.TESTED: 0, S.UNKNOWN: 3, S.REFUTED: 1, S.DISAGREEMENT: 4, S.ERROR: 5}

checks = Checks()


def _ended(command: Any, arguments: list[str], given: Mapping[str, object]) -> int:
    """The exit status of a command with arguments, where something is given in the place of what it does."""
    ended = _run(command, arguments, given)
    return ended.exit_code if isinstance(ended.exception, SystemExit | None) else -1


def _run(command: Any, arguments: list[str], given: Mapping[str, object]) -> Result:
    """What became of it, with what it printed."""
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory())
        for name, value in given.items():
            stack.enter_context(patch(name, value))
        words = [each.replace("DIR", folder) for each in arguments]
        return CliRunner().invoke(command, words, **remora.context_settings)


def _proofs(standing: Standing, *, canary: Standing = S.REFUTED, rejected: bool = False) -> ProofRun:
    (law,) = find(["law:2"])
    one, false = (ClaimResult(law, each, (), None, 0, 0.0) for each in (standing, canary))
    complaints = (("x", "not accepted"),) if rejected else ()
    return ProofRun((one,), (false,), (), "int", 0, (), {}, complaints, ())


def _gated(standing: Standing | None) -> GateResult:
    return GateResult(Request(("x",), Path()), [Check("laws", RANDOM, "x", standing, 1)])


_PROVE = "remora.commands.prove."
_RUN = "remora.verification.proofs."
_VERIFICATION = "remora.verification.stages.Verification"
_LOG = str(EXAMPLES[0].path.with_name("logins.csv"))


@checks.known("exit statuses", "a command ends as what it found stands")
def _commands() -> Iterator[Row]:
    (law,) = find(["law:2"])
    for proof in (S.AGREED, S.PROVED, S.UNKNOWN, S.REFUTED, S.DISAGREEMENT, S.ERROR):
        given = {_PROVE + "prove_certified": always(_proofs(proof)), _PROVE + "gone": always([])}
        yield f"prove: {proof.value}", _ended(prove, ["2"], given), _ENDS.get(proof, 0)
        true = bool(Proof(ClaimResult(law, proof, (), None, 0, 0.0)))
        yield f"a proof that is {proof.value}, as a condition", true, proof.unbounded
    for title, proofs, lost, end in (
        ("a false equation that is proved", _proofs(S.AGREED, canary=S.AGREED), [], 4),
        ("a certificate that is not accepted", _proofs(S.AGREED, rejected=True), [], 3),
        ("a lost obligation", _proofs(S.AGREED), ["x: lost"], 1),
    ):
        given = {_PROVE + "prove_certified": always(proofs), _PROVE + "gone": always(lost)}
        yield f"prove: {title}", _ended(prove, ["2"], given), end
        yield f"a run of proofs: {title}", int(proofs.exit_status), 0 if lost else end
    made = Certificate("", "", "", "", (), 0)
    for accepted in product((True, False), repeat=2):
        parts = (Certified(made, "", Accepted(yes, "")) for yes in accepted)
        twice: list[object] = [([result(S.AGREED)], {str(n): one}) for n, one in enumerate(parts)]
        given = {
            **dict.fromkeys((_RUN + "prove_shown", _RUN + "without_certificate"), always([])),
            _RUN + "with_certificates_made": Mock(side_effect=twice),
            **dict.fromkeys((_PROVE + "require_checker", _PROVE + "gone"), always([])),
            _PROVE + "startable": Path,
        }
        got = _ended(prove, ["2", "--time", "both", "--checker", "x"], given)
        yield f"prove over both times, certificates accepted: {accepted}", got, 0 if all(accepted) else 3
    for texts, certificates in (([], []), (["x"], []), ([], ["x"])):
        given = {
            _PROVE + "prove_shown": always([]),
            _PROVE + "differences": always(texts),
            _PROVE + "certificate_differences": always(certificates),
        }
        ends = int(bool(texts or certificates))
        yield f"prove --replay: {texts}, {certificates}", _ended(prove, ["2", "--replay"], given), ends
    shown, differing = Mock(return_value=[result(S.AGREED)]), Mock(return_value=[])
    given = {
        _PROVE + "prove_shown": shown,
        _PROVE + "differences": differing,
        _PROVE + "certificate_differences": always([]),
    }
    ended = _ended(prove, ["2", "--replay"], given), shown.call_count, len(differing.call_args.args[0])
    yield "prove --replay over both times", ended, (0, 2, 2)
    for broke, removed in product(([], ["x"]), repeat=2):
        since = {"broke": broke, "removed": removed}
        given = {_PROVE + "at_revision": always({}), _PROVE + "changes": always(since)}
        yield f"prove --diff: {since}", _ended(prove, ["--diff", "HEAD"], given), len(broke)
    for standing, end in _ENDS.items():
        answers = Answers((Checked(law, (TestOutcome("known", standing, 1, ""),)),))
        got = _ended(test, ["2"], {"remora.commands.test.checked": always(answers)})
        yield f"test: {standing.value}", got, end
        gated = _gated(standing)
        given = {"remora.judging.gate.Gate": always(SimpleNamespace(run=always(gated), result=gated))}
        yield f"gate: {standing.value}", _ended(gate, ["--cases", "1", "--regressions", "DIR"], given), end
        yield f"the JSON of a gate: {standing.value}", gate_data(gated)["green"], end == 0
        yield "its sign in Markdown", markdown(gated).startswith("## ✅"), end == 0
        written = {"verdict": {"exit_status": end, "summary": "", "counts": {}, "problems": []}}
        run = SimpleNamespace(run=always(written), warnings=[])
        given = {
            _VERIFICATION: always(run),
            "remora.verification.campaign.prepare": always(None),
            "reports.store.write_report": always(None),
        }
        yield f"verify: {standing.value}", _ended(verify, ["--out", "DIR"], given), end
    for command, words, name in (
        (
            gate,
            ["--detector", "figure2", "--detector", "figure3", "--cases", "1"],
            "remora.judging.gate.Gate",
        ),
        (verify, ["--out", "DIR", "--log", _LOG, "fail", "--log", _LOG, "ok"], _VERIFICATION),
    ):
        made = Mock(side_effect=SystemExit(7))
        yield f"{name} with two of something", _ended(command, words, {name: made}), 7
        request, *others = made.call_args.args
        asked = request.detectors if command is gate else tuple(str(one.expression) for one in others[2])
        yield f"what {name} is given", asked, ("figure2", "figure3") if command is gate else ("fail", "ok")
    undecided = [Check("texts", "generated texts", "x", S.UNKNOWN, 1)]
    failed = replayed([REGRESSION], {"figure2": WRONG[Kind.MISSING][0]}, seconds=5.0)
    refusing = Share(3, 0, 0, 3)
    for title, found, checked, end in (
        ("no failure", summary(), [], 0),
        ("a stored case", summary(regressions=failed), [], 1),
        ("all cases refused", summary(total=refusing, detectors={"figure2": refusing}), [], 3),
        ("a failure", summary(causes=(cause(Kind.MISSING),)), [], 1),
        ("judges that disagree", summary(causes=(cause(Kind.DISAGREEMENT),)), [], 4),
        ("a text that is not decided", summary(), undecided, 3),
        ("a text that is refuted", summary(), [replace(undecided[0], standing=S.REFUTED)], 1),
    ):
        given = {
            "remora.commands.campaigns.run._carried_out": always(found),
            "remora.commands.campaigns.run.validated_texts": always(checked),
        }
        words = ["DIR/x", "--detector", "figure2"]
        yield f"campaign run: {title}", _ended(campaign_run, words, given), end
        said = json.loads(_run(campaign_run, [*words, "--format", "json"], given).stdout)
        yield f"its JSON: {title}", _ENDS[S(said["standing"])], end
        told = len(said["regressions"]["failures"]), said["refused"]
        yield f"what it tells: {title}", told, (len(found.regressions.failures), found.total.refused)
        yield f"as a condition: {title}", bool(Campaign(found, "")), end == 0 or bool(checked)
    given = {"remora.commands.campaigns.run.run_campaign": Mock(side_effect=CampaignFailed("known"))}
    yield "campaign run: a breakdown", _ended(campaign_run, ["DIR/x", "--detector", "figure2"], given), 5
    for survivors, end in (((), 0), (("seq-newest",), 1)):
        given = {"remora.commands.campaigns.power.power": always(Power(0, 1, {}, survivors))}
        yield f"campaign power: {survivors} survive", _ended(campaign_power, ["--cases", "1"], given), end
    for outcome, end in (("refuted", 0), ("missed", 4)):
        given = {"remora.judging.generator_mutants.told": always([Told("known", "", outcome)])}  # type: ignore[arg-type]
        yield (
            f"campaign power: a text that is {outcome}",
            _ended(campaign_power, ["--texts", "1"], given),
            end,
        )
    for kind, end in (("better", 0), ("worse", 1)):
        changed = Compared((), (Difference(kind, "claim", "x", "", "", ""),))  # type: ignore[arg-type]
        given = {
            "reports.store.read_report": always({}),
            "reports.comparing.comparison.compare": always(changed),
        }
        yield f"report --compare: something {kind}", _ended(report, ["--compare", "DIR", "DIR"], given), end
    for said in ([], ["x"]):
        given = {
            "remora.commands.atlas.replay": always(said),
            "remora.commands.atlas.installed": always(None),
        }
        yield f"atlas --replay: {said}", _ended(atlas, ["--replay"], given), len(said)
        given |= {
            "remora.commands.atlas.installed": always("mona"),
            "remora.commands.atlas.opinions": always(Opinions(1, 1, ("x",))),
        }
        yield f"atlas --replay: {said}, and MONA contradicts", _ended(atlas, ["--replay"], given), 4
    yield from _comparisons()
    yield from _detections()
    yield from _engines()
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
                settings=always(settings)
            ),
            "remora.commands.campaigns.results.replay": always(judged),
            "remora.commands.campaigns.results.DrawnFailures": always(Mock()),
            "remora.commands.campaigns.results.examined": always(None),
        }
        yield f"campaign replay: a detector that is {name}", _ended(replay_case, ["DIR", "1"], given), end
        said = json.loads(_run(replay_case, ["DIR", "1", "--format", "json"], given).stdout)["ok"]
        yield f"its JSON: a detector that is {name}", said, end == 0
    for number, end in ((None, 130), (SIGINT, 130), (SIGTERM, 143)):
        watch = _Watch()
        watch.number = number
        yield f"a command that the signal {number} ends", watch.status, end
    for broken, end in ((0, 0), (1, 1), (2, 1)):
        given = {
            "remora.terminal.streaming.open_checkpoint": always(None),
            "remora.terminal.streaming._carried_out": always(Counter(broken=broken)),
        }
        yield f"stream: {broken} rows break axioms", _ended(stream, ["a", "DIR", "--key", "k"], given), end
    given = {
        "remora.terminal.streaming.open_checkpoint": always(None),
        "remora.terminal.streaming.spark_session": Mock(side_effect=SparkUnavailable("known")),
    }
    yield "stream: a breakdown", _ended(stream, ["a", "DIR", "--key", "k"], given), 5


def _detections() -> Iterator[Row]:
    """The ends of detections, and of comparisons of logs."""
    log = _LOG
    breaking = SimpleNamespace(relevant=("fail",), instant=Mock(side_effect=WrongDetector("is wrong")))
    made: Mapping[str, object]
    wrong, patterns = Refuted("it is wrong"), ["--patterns", log]
    for title, options, made, end in (
        ("right", ["fail"], {}, 0),
        ("wrong", ["fail", "--detector", "figure2"], {"Detection": always(breaking)}, 1),
        ("refuted", ["fail", "--validated"], {"validated_name": Mock(side_effect=wrong)}, 1),
        ("validated for several patterns", [*patterns, "--validated"], {"validated_name": always("auto")}, 0),
        (
            "refuted for the last of several",
            [*patterns, "--validated"],
            {"validated_name": Mock(side_effect=["auto", wrong])},
            1,
        ),
    ):
        given = {f"remora.commands.detect.{name}": value for name, value in made.items()}
        given["remora.commands.detect.read_patterns"] = always({"x": parse("fail"), "y": parse("ok")})
        yield f"detect: a detector that is {title}", _ended(detect, [*options, log], given), end
    files = [log.replace("logins.csv", name) for name in ("logistics.profile", "logistics.jsonl")]
    for said in ([], ["x"]):
        alone = [Found("P", 0, 1, ())] * len(said)
        for title, meant, ran in (("definition", alone, []), ("engine", [], alone)):
            yield f"what the {title} says alone", len(list(_differences(meant, iter(ran)))), len(said)
        given = {"remora.hinze_voisard.own_logs._differences": always(said)}
        yield f"profiles verify: {said}", _ended(verify_log, files, given), len(said)
    parts = (OfPartition(each, 1, 0, 0, said) for each, said in (("x", ()), ("y", ("wrong",))))
    given = {
        "remora.hinze_voisard.own_logs.by_partition": always({"x": [], "y": []}),
        "remora.hinze_voisard.own_logs.compared": Mock(side_effect=parts),
    }
    yield "profiles verify: differences in the second partition", _ended(verify_log, files, given), 1
    file = profiles('class a = event(name = "a")\nclass b = event(name = "b")\nprofile P = ((a ; b) , b)[5]')
    yield "a part without a bound in a profile", explained(file, "P")["bounded"], False
    events = [Event(name, time, time, {}) for time, name in enumerate("ab" * 10)]
    right = list(notifications(Engine(file), events))
    for until in (0, 3, 15, 20):
        silent = always([one for one in right if one.time < until])
        with patch.multiple("remora.hinze_voisard.own_logs", notifications=silent, INSTANTS=5):
            differ = bool(compared(file, None, events).differences)
        yield f"profiles verify: an engine that is silent from {until} on", differ, until < 20
    for broken, end in ((None, 0), (Mock(summary=list), 1)):
        try:
            end_by(broken)  # type: ignore[arg-type]
            ended: object = 0
        except SystemExit as error:
            ended = error.code
        yield "a log that breaks an axiom" if broken else "a log that breaks none", ended, end
    for axiom, bounds in (("axiom D(t) unique\n", "1 store has no bound"), ("", "Every store has a bound")):
        program = rules(f"event D(t: int) within 0\n{axiom}F(t) <- d: D(t)\n")
        given = {"remora.bry_eckert.commands.read_program": always(program)}
        told = _run(explain_rules, ["x.rules"], given).stdout
        yield f"what is said of memory, with {axiom or 'no axiom'}", bounds in told, True
        watch = LogWatch(program)
        for time, several in ((1, (1,)), (2, (2, 1))):
            rows = tuple(LogRow(time, "D", time, {"t": t}, None, NOWHERE, 1) for t in several)
            seen = list(watch.see(Instant(time, rows)))
        yield f"breaches by the second of two rows, with {axiom or 'no axiom'}", len(seen), len(axiom) and 1
        yield f"whether there are any, with {axiom or 'no axiom'}", bool(watch.breaches), bool(axiom)


def _engines() -> Iterator[Row]:
    """The ends of commands whose engines disagree, and engines of rules on logs that break what they believe."""
    for command, words, name, error in (
        (equiv, ["a", "b"], "remora.commands.equiv.compare", EnginesDisagree("known")),
        (bench, ["--quick"], "remora.commands.benchmarks.bench.measured", OracleDiffers("known")),
        (bench_profiles, [], "remora.hinze_voisard.bench.measured", ValueError("known")),
        (bench_rules, ["--no-spark"], "benchmarks.rules.measured", ValueError("known")),
    ):
        given = {name: Mock(side_effect=error), "benchmarks.rules.scaled": always(())}
        yield f"{name}: engines that disagree", _ended(command, words, given), 4
    text = "event D(t: int) within 0\naxiom D(t) unique\nF(t) <- d: D(t)\n"
    doubt = SimpleNamespace(point="F", number=0)
    for engine, (_, storing) in COLLECTING.items():
        with patch("smt.bry_eckert.relevance.doubtful", always([doubt])):
            taken, plan, said = safe_engine(engine, rules(text), plan_of(rules(text)))
        safe = taken == storing if storing else plan.doubtful == {("F", 0)}
        yield f"the engine {engine} where a condition is in doubt", (safe, len(said)), (True, 1)
    with TemporaryDirectory() as name:
        program, log = Path(name, "x.rules"), Path(name, "log.csv")
        program.write_text(text, "utf-8")
        for second, options in product((1, 2), ([], ["--corrections", "--lateness", "1"])):
            log.write_text(f"time,event,t\n1,D,1\n2,D,{second}\n", "utf-8")
            got = _ended(detect_rules, [str(program), str(log), *options], {})
            yield f"detect by rules on values 1 and {second}, {options}", got, int(second == 1)
    for state in ("ok", "missing", "unsupported"):
        item = Item("known", state, True)
        yield f"what is required and {state}", item.fails, state != "ok"


def _comparisons() -> Iterator[Row]:
    a, b = parse("a"), parse("b")
    for holds, end in ((True, 0), (False, 1), (None, 3)):
        found = compare(a, a if holds else b, "detection", "equivalence")
        if holds is None:
            found = Comparison(a, b, "detection", "equivalence", None, "")
        yield f"a comparison that {holds} holds", (int(found.exit_status), bool(found)), (end, holds is True)
        given = {"remora.commands.equiv.compare": always(found)}
        yield f"equiv: {holds}", _ended(equiv, ["a", "b"], given), end
    with patch("remora.api.patterns.comparisons._proved", always(None)):
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
    for text, end in (("a ; b", 1), ("a - a", 0)):
        yield f"equiv --empty: {text}", _ended(equiv, [text, "--empty"], {}), end
    yield "patterns of the same detections", (found.holds, found.levels["intervals"]), (True, False)


_SUITE = detector_suite(Figure2, cases=250)


def _elements(text: str) -> tuple[int, ...]:
    return tuple(text.count(f"<{each} ") for each in ("failure", "error", "skipped"))


@checks.known(
    "test results", "what failed is no success in JUnit XML, and fails a test of the plugin", varies=True
)
def _test_results() -> Iterator[Row]:
    for outcome, elements in (
        ("passed", (0, 0, 0)),
        ("failure", (1, 0, 0)),
        ("error", (0, 1, 0)),
        ("skipped", (0, 0, 1)),
    ):
        text = junit_xml("known", [Suite("known", [TestCase("x", "y", outcome)])])  # type: ignore[arg-type]
        yield f"a test case that ended with {outcome}", _elements(text), elements
    for standing, elements in (
        (S.TESTED, (0, 0, 0)),
        (S.REFUTED, (1, 0, 0)),
        (S.DISAGREEMENT, (1, 0, 0)),
        (S.UNKNOWN, (0, 1, 0)),
        (S.ERROR, (0, 1, 0)),
        (None, (0, 0, 1)),
    ):
        yield f"a gate in JUnit XML: {standing}", _elements(junit(_gated(standing))), elements
    try:
        from remora.judging.pytest_plugin import DetectorFailed, SuiteItem, suite_cases
    except ImportError:  # pytest is not installed, and there is no plugin
        return
    with TemporaryDirectory() as folder:
        store(Path(folder), [REGRESSION])
        of_suite = {name: len(numbers) for name, _, numbers in suite_cases(_SUITE, Path(folder))}
    random = sum(number for name, number in of_suite.items() if name.startswith("cases:"))
    yield "random cases of a suite", random, _SUITE.cases
    yield "a stored case of a suite", f"regression:{REGRESSION.name}" in of_suite, True
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
