"""Known answers about a verification as a whole: what each stage finds is in its verdict."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from copy import copy
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest.mock import Mock, patch

from benchmarks.checks import OracleDiffers
from benchmarks.subjects import OURS
from campaigns.carlson_lisper.mutants.telling import MUTANTS
from campaigns.engine.campaign import CampaignFailed
from campaigns.engine.summary import Share
from campaigns.judging.verdicts import Kind
from campaigns.mutants.power import Power
from detectors.carlson_lisper.catalogue import DEFAULT_DETECTOR
from detectors.carlson_lisper.source.figure2 import Figure2
from laws.carlson_lisper.altered.alterations import ALTERATIONS
from laws.carlson_lisper.altered.definitions import altered_definitions
from laws.carlson_lisper.altered.neighbours import Neighbour
from laws.carlson_lisper.claims import EquationClaim
from laws.claims import Claim
from laws.errata import Erratum
from laws.outcomes import TestOutcome
from laws.standings import ExitStatus, Standing
from laws.systems import every_claim, every_false_claim, find
from proofs.certification import Certified
from proofs.errata import ErratumResult, EvidenceResult
from proofs.names import row_id
from remora.api.claiming.claims import Checked, checked
from remora.examples import EXAMPLES
from remora.judging.generator_mutants import Told
from remora.judging.results import Check
from remora.terminal.progress import Progress
from remora.verification.amounts import LISTED, other
from remora.verification.beside import going_on
from remora.verification.efforts import QUICK, sample
from remora.verification.known.answers import Checks, Row, SelfCheck, always
from remora.verification.known.judges.judging import WRONG, cause, summary
from remora.verification.known.verdicts import result
from remora.verification.logs import Log
from remora.verification.sabotage.edits import Sabotage
from remora.verification.throughput import exit_status as throughput_status
from semantics.carlson_lisper.interpretations import interpretation
from semantics.carlson_lisper.occurrences import Occurrence
from semantics.carlson_lisper.syntax import parse
from smt.attempts import ClaimResult
from smt.audit.needed_axioms import NeedsReport
from smt.audit.stability import Stability
from smt.carlson_lisper.alterations import AlterationDecision
from smt.carlson_lisper.neighbours import Decision
from smt.certificates import Certificate
from smt.certificates import Checked as Accepted
from smt.solvers.portfolio import Portfolio
from smt.solvers.questions import Outcome
from smt.solvers.z3_solver import Z3

if TYPE_CHECKING:  # which has these checks among its own
    from remora.verification.stages import Verification

S = Standing

checks = Checks()


def _run() -> Verification:
    """A run that has found one claim to be agreed."""
    from remora.verification.stages import Verification

    run = object.__new__(Verification)
    run.standings, run.problems, run.warnings = [S.AGREED], [], []
    run.effort, run.seed, run.progress = QUICK, 0, Progress(quiet=True)
    return run


def _broken(_: object) -> Any:
    raise RuntimeError("it broke down")


@checks.known("verification", "a verification is green when all of it is as claimed")
def _verification() -> Iterator[Row]:
    from remora.verification.sabotage.checks import _canaries, _errata, _mutants, complaint
    from remora.verification.verified import Verified

    (law,) = find(["law:2"])
    for proof in Standing:
        for test in (S.TESTED, S.REFUTED, S.ERROR):
            outcome = TestOutcome("known", test, 1, "")
            both = Verified(ClaimResult(law, proof, (), None, 0, 0.0), Checked(law, (outcome,), (0.0,)), None)
            right = _with_test(proof, test)
            said = both.standing, both.to_data()["standing"]
            yield f"{proof.value} and a test that is {test.value}", said, (right, right.value)
    for standing, end in (
        (S.AGREED, ExitStatus.AS_CLAIMED),
        (S.UNKNOWN, ExitStatus.INCONCLUSIVE),
        (S.REFUTED, ExitStatus.REFUTED),
        (S.DISAGREEMENT, ExitStatus.DISAGREEMENT),
        (S.ERROR, ExitStatus.INFRASTRUCTURE),
    ):
        run = _run()
        run._record(standing, "a problem")
        verdict = run.verdict([])
        yield f"a run with {standing.value}", verdict["exit_status"], int(end)
        yield "what is named", bool(verdict["problems"]), end is not ExitStatus.AS_CLAIMED
    yield "a check that notices nothing", complaint(lambda: ""), ""
    yield "one that notices something", complaint(lambda: "no"), "no"
    yield "one that breaks down", bool(complaint(partial(_broken, None))), True
    for standing, noticed in ((S.REFUTED, False), (S.AGREED, True), (S.UNKNOWN, True)):
        with patch(_CHECKS + "prove_claims", always([result(standing)])):
            yield f"a false equation that is {standing.value}", bool(_canaries(Portfolio([Z3()]))), noticed
    for errata, noticed in (([], True), ([ErratumResult(_ERRATUM, ())], True)):
        with patch(_CHECKS + "check_every_erratum", always(errata)):
            yield f"{len(errata)} errata", bool(_errata(Portfolio([Z3()]))), noticed
    with patch(_CHECKS + "power", always(Power(0, 1, {}, _MISSED))):
        yield "a wrong detector that survives", bool(_mutants()), True
    run = _run()
    run._tried("known", partial(_broken, None))
    yield "a stage that breaks down", run.verdict([])["exit_status"], int(ExitStatus.INFRASTRUCTURE)
    for title, stage, found in (
        ("breaks down", _broken, S.ERROR),
        ("ends its process", lambda _: os._exit(0), S.ERROR),
        ("finds something", lambda run: run._record(S.REFUTED, "a problem"), S.REFUTED),
    ):
        run = _run()
        run.power = {}
        changed = patch(
            _STAGES + "Verification.beside", lambda run, stage=stage: {"known": partial(stage, run)}
        )
        with changed, going_on(copy(run)._found_beside) as awaited:
            run._taken(awaited)
        yield f"a stage beside the others that {title}", run.standings[1:], [found]
    run, done = _run(), Mock()
    run.power, run.stages_beside = {}, ()
    stages = {"first": done.first, "beside": done.beside, "last": lambda: run._record(S.REFUTED, "a problem")}
    changed_stages: dict[str, Any] = {
        "stages": always(stages),
        "beside": always({"beside": done.beside}),
        "claims": always([]),
    }
    with patch.multiple(run, **changed_stages):
        report = run._run("known", always({"beside": "found beside"}))
    got = done.first.called, report["beside"], report["verdict"]["exit_status"]
    yield "a run of three stages", got, (True, "found beside", int(ExitStatus.REFUTED))
    for number, chosen in ((2, 2), (9, 5), (None, 5)):
        some = sample(range(5), number, 0)
        yield f"{number} of five", (len(some), sorted(set(some))), (chosen, some)
    yield from _all_of_them()


def _all_of_them() -> Iterator[Row]:
    """Whether each of several is asked, and heard."""
    from remora.verification.sabotage.running import Noticed, carried_out, put
    from remora.verification.selfchecks import _alteration_check

    for number in (None, 2):
        run = _run()
        run.effort = replace(QUICK, audited=number, certificates=number)
        run.results = [replace(result(S.AGREED, "unsat"), claim=claim) for claim in every_claim()[:9]]
        yield f"how many of nine are audited, of {number}", len(run.audited), number or 9
        made, run.portfolio = Mock(return_value=[]), Portfolio([Z3()])
        with (
            patch(_STAGES + "certificate_differences", made),
            patch(_STAGES + "text_differences", always([])),
        ):
            run.record()
        yield "how many certificates are made anew", made.call_args.kwargs["sample"], number
    several = [replace(_SOMETHING, id=str(each)) for each in range(3)]
    with patch("remora.verification.sabotage.running._quietly", lambda one: Noticed(one, "", "", 0.0)):
        names = [found.sabotage.id for found in carried_out(several)]
    yield "sabotages of which is said what became of them", names, ["0", "1", "2"]
    yield "one that cannot be applied", put(replace(_SOMETHING, module="laws.standings")).by, ""
    for name in ("prove", "check_exhaustively"):
        with patch(f"remora.verification.selfchecks.{name}", always(SimpleNamespace(standing=S.AGREED))):
            said = _alteration_check(ALTERATIONS[0], Portfolio([Z3()]))()
        yield f"a law under an altered operator that {name} does not refute", said.ok, False


def _with_test(proof: Standing, test: Standing) -> Standing:
    if test is S.TESTED:
        return proof
    contradicted = test is S.ERROR or proof.unbounded or proof is S.DISAGREEMENT
    return S.DISAGREEMENT if contradicted else S.REFUTED


# --------------------------------------------------------------------------------------------------------- stages

_CHECKS = "remora.verification.sabotage.checks."
_STAGES = "remora.verification.stages."
_TRUST = "remora.verification.trust."
_CAMPAIGN = "remora.verification.campaign."
_DETECTORS = "remora.verification.detections.DETECTORS"
_SOMETHING = Sabotage("known", "something", "m", "d", "a", "b", "c")
_ERRATUM = Erratum("known", "", "", "", "", "", "", ())
_MISSED = ("m",)


def _raising(error: Exception) -> Callable[..., Any]:
    def raised(*_: object, **__: object) -> Any:
        raise error

    return raised


def _rules(decision: str = "", joining: str = "", **judged: Any) -> dict[str, Any]:
    store = {"relation": "r", "decision": decision, "joining": joining}
    plans = [{"name": "p", "plan": [{"name": "d", "stores": [store]}]}]
    right = {"engines": ["e"], "cases": 200, "answers": 9, "failures": [], "refused": 2}
    return {"plans": plans, "cases": {**right, **judged}}


def _neighbours(standing: Standing) -> list[Decision]:
    (law,) = find(["law:2"])
    assert isinstance(law, EquationClaim)
    return [Decision(Neighbour("law:2~1", "law:2", "operator", "something", law), standing)]


_Given = Mapping[str, Any]


def _bad() -> Iterator[tuple[str, str, _Given, list[Standing]]]:
    """For each stage what is wrong, what is given in the place of what there is, and what has to be recorded."""
    given: dict[str, Any]
    from remora.verification.sabotage.running import Noticed

    agreed, unknown = result(S.AGREED), result(S.UNKNOWN)
    yield "canaries", "a false equation that is proved", {"_prove": always([agreed])}, [S.DISAGREEMENT]
    yield "canaries", "a false equation that is open", {"_prove": always([unknown])}, [S.UNKNOWN]
    for name in ("text_differences", "certificate_differences"):
        yield "record", f"a difference, by {name}", {name: always(["another"])}, [S.REFUTED]
    for evidence in ((), (EvidenceResult("known", "", "", "", False),)):
        given = {"check_every_erratum": always((ErratumResult(_ERRATUM, evidence),))}
        yield "errata", "evidence that is another one", given, [S.DISAGREEMENT]
    yield "wordings", "a breakdown", {"wordings_of": _raising(ValueError("broken"))}, [S.ERROR]
    for standing in (S.UNKNOWN, S.DISAGREEMENT):
        given = {_TRUST + "decide_all": always(_neighbours(standing)), _TRUST + "all_neighbours": always(())}
        yield "neighbours", f"a neighbour that is {standing.value}", given, [standing]
    for proved, left in (((), ()), (("law:2",), ("law:3",))):
        altered = altered_definitions()[0]
        given = {
            _TRUST + "altered_definitions": always((altered,)),
            _TRUST + "decide_alteration": always(AlterationDecision(altered, None, proved, left)),
            _TRUST + "noticed_by_lemma": always(None),
        }
        yield "alterations", "a definition that nothing notices", given, [S.UNKNOWN]
    yield "axioms", "no proof", {_TRUST + "needed_axioms": always(NeedsReport((), ()))}, [S.UNKNOWN]
    given = {_TRUST + "is_installed": always(False)}
    lost = Stability("known", "z3 1", Outcome("unsat", 1), (Outcome("unknown", 1),))
    yield "stability", "no proof", {**given, _TRUST + "stability": always(())}, [S.UNKNOWN]
    yield "stability", "an unstable proof", {**given, _TRUST + "stability": always((lost,))}, [S.UNKNOWN]
    both = [result(S.DISAGREEMENT, "unsat", "sat")]
    yield "solvers", "a contradiction", {"results": both}, [S.DISAGREEMENT]
    given = {
        "self_checks": always({}),
        "power": always(Power(0, 1, {}, ())),
        "changed_generators": always([]),
        "TELLING": {},
    }
    failed = SelfCheck("known", "", False, "")
    yield (
        "checks",
        "a check that fails",
        {**given, "self_checks": always({"x": [lambda: failed]})},
        [S.DISAGREEMENT],
    )
    survivor = {"power": always(Power(0, 1, {}, _MISSED)), "TELLING": {"m": MUTANTS["seq-newest"]}}
    yield "checks", "a wrong detector that survives", {**given, **survivor}, [S.DISAGREEMENT]
    missed = {"changed_generators": always(["g"]), "told": always([Told("g", "", "missed")])}
    yield "checks", "a wrong text that is validated", {**given, **missed}, [S.DISAGREEMENT]
    unseen = {"sample": always([_SOMETHING]), "carried_out": always([Noticed(_SOMETHING, "", "", 0.0)])}
    yield "sabotages", "one that is not noticed", unseen, [S.DISAGREEMENT]
    slow = {**unseen, "carried_out": always([Noticed(_SOMETHING, "", "", 0.0, ended=False)])}
    yield "sabotages", "one whose check takes too long", slow, [S.UNKNOWN]
    for kind in (Kind.MISSING, Kind.SPURIOUS, Kind.WRONG_START, Kind.NOT_AN_INSTANCE, Kind.CRASH):
        wrong = {_DETECTORS: {DEFAULT_DETECTOR: WRONG[kind][0]}, "EXAMPLES": EXAMPLES[:1]}
        yield "detection", f"a detector that is wrong: {kind}", wrong, [S.REFUTED]
    several = interpretation(Occurrence("a", time) for time in range(5))
    once = iter(WRONG[Kind.MISSING][:1])
    for title, factory, partitions in (
        ("in the first partition alone", lambda pattern: next(once, Figure2)(pattern), ("x", "y")),
        ("in a trace that is compared in part", WRONG[Kind.MISSING][1], (None,)),
    ):
        log = Log("known", parse("a"), dict.fromkeys(partitions, several), 5)
        given = {
            _DETECTORS: {DEFAULT_DETECTOR: factory},
            "EXAMPLES": (),
            "logs": [log],
            "remora.verification.logs.MAX_INSTANTS": 3,
        }
        yield "detection", f"a detector that is wrong {title}", given, [S.REFUTED]
    for decision, joining, right in (
        ("not safe", "", S.REFUTED),
        ("safe, not tight", "", S.REFUTED),
        ("safe and minimal, not tight", "", S.REFUTED),
        ("safe, not tight for a.s, tightness unknown for b.s", "", S.REFUTED),
        ("safe, tightness unknown", "", S.UNKNOWN),
        ("not decided", "", S.UNKNOWN),
        ("safe, tight and minimal", "c.s >= now: not safe", S.REFUTED),
        ("safe, tight and minimal", "c.s >= now: not decided", S.UNKNOWN),
    ):
        given = {"verified_rules": always(_rules(decision, joining))}
        yield "rules", f"conditions that are {decision} {joining}", given, [right]
    for stage, verified in (("rules", "verified_rules"), ("profiles", "verified_profiles")):
        for judged, right in (
            ({"failures": ["one"]}, S.REFUTED),
            ({"refused": 3}, S.UNKNOWN),
            ({"answers": 0}, S.UNKNOWN),
        ):
            yield stage, f"engines with {judged}", {verified: always(_rules(**judged))}, [right]
    yield "side_by_side", "a breakdown", {"side_by_side": _raising(ValueError("broken"))}, [S.ERROR]
    given = {"effort": replace(QUICK, throughput=True)}
    differs = {**given, "measured": _raising(OracleDiffers("known"))}
    yield "throughput", "engines that contradict each other", differs, [S.DISAGREEMENT]
    for status, right in ((ExitStatus.REFUTED, S.REFUTED), (ExitStatus.INFRASTRUCTURE, S.ERROR)):
        ended = {**given, "measured": always(((), ())), "throughput_status": always(status)}
        yield "throughput", f"an end with {status.name}", ended, [right]
    ended = {_CAMPAIGN + "run_campaign": _raising(CampaignFailed("it broke down"))}
    yield "campaign", "a breakdown", ended, [S.ERROR]
    found = summary(causes=(cause(Kind.MISSING),), total=Share(3, 0, 1))
    yield "campaign", "a failure", {_CAMPAIGN + "run_campaign": always(found)}, [S.REFUTED]
    found = summary(detectors={"right": Share(3, 0, 0), "refusing": Share(3, 0, 0, 3)})
    yield "campaign", "a detector that refuses all", {_CAMPAIGN + "run_campaign": always(found)}, [S.UNKNOWN]
    for standing in (S.UNKNOWN, S.REFUTED):
        check = Check("texts", "generated texts", "x", standing, 1, "")
        texts = {
            _CAMPAIGN + "run_campaign": always(summary()),
            _CAMPAIGN + "validated_texts": always([check]),
        }
        yield "campaign", f"texts that are {standing.value}", texts, [standing]


@checks.known("stages", "what a stage of a verification finds is recorded")
def _found() -> Iterator[Row]:
    from remora.verification.stages import Verification

    (law,) = find(["law:2"])
    empty = {name: always([]) for name in ("text_differences", "certificate_differences")}

    def recorded(stage: str, given: _Given, *, counted: bool = False) -> list[Standing]:
        run = _run()
        run.results, run.logs, run.master = [], [], "local[1]"
        run.checker, run.signature, run.portfolio, run.folder = None, None, Portfolio([Z3()]), Path()
        with ExitStack() as stack:
            for name, value in {"every_claim": always((law,)), **empty, **given}.items():
                changed: Any = patch(name if "." in name else _STAGES + name, value)
                if name in vars(run) or name in vars(Verification):
                    changed = patch.object(run, name, value)
                stack.enter_context(changed)
            if not counted:
                stack.enter_context(patch(_TRUST + "other", always("")))
            run._tried(stage, {"claims": run.claims, **run.stages()}[stage])
        return run.standings[1:]

    for status, family, ended in (
        ("wrong", OURS, ExitStatus.REFUTED),
        ("wrong", "others", ExitStatus.REFUTED),
        ("failed", OURS, ExitStatus.REFUTED),
        ("failed", "others", ExitStatus.INFRASTRUCTURE),
        ("right", OURS, ExitStatus.AS_CLAIMED),
    ):
        one = SimpleNamespace(status=status, subject=SimpleNamespace(family=family))
        timings: Any = [SimpleNamespace(measurements=[one])]
        yield f"an answer of {family} that is {status}", throughput_status(timings), ended
    seen = set()
    for stage, title, given, right in _bad():
        seen.add(stage)
        yield f"{stage}: {title}", recorded(stage, given), right
    yield "stages without a wrong input", sorted(_run().stages().keys() - seen), []
    yield from _claims(recorded, law)


@checks.known("amounts", "what there is to be put to the test is what is on record")
def _amounts() -> Iterator[Row]:
    for what, names in LISTED.items():
        if what != "neighbours":  # which take longest to list; the stage of that name counts them
            there = list(names())
            yield what, other(what, there), ""
            yield f"{what}, one less", bool(other(what, there[1:])), True
            yield f"{what}, another for one", bool(other(what, ["another", *there[1:]])), True
    yield "something else", bool(other("something else", [])), True
    yield "claims that may be refuted", [one.id for one in every_claim() if not one.expected.unbounded], []
    false = [one.id for one in every_false_claim() if one.expected is not S.REFUTED]
    yield "false equations that may be proved", false, []
    for name, ways in (("law:2", 3), ("theorem:4.5", 2), ("lemma:5.2", 0)):
        (one,) = checked(find([name]), 1, 0)
        yield f"ways in which {name} is checked", len(one.outcomes), ways


def _claims(recorded: Callable[..., list[Standing]], law: Claim) -> Iterator[Row]:
    given: _Given

    def proving(ints: ClaimResult, reals: ClaimResult) -> Callable[..., list[ClaimResult]]:
        return lambda stage, claims, time="int": [ints if time == "int" else reals]

    as_claimed, wrong = result(S.AGREED), result(S.UNKNOWN)
    outcome = TestOutcome("known", S.TESTED, 1, "")
    for title, results, outcomes, right in (
        ("as claimed", (as_claimed, as_claimed), (outcome,), [S.AGREED]),
        ("open", (wrong, as_claimed), (outcome,), [S.UNKNOWN]),
        ("open over dense time", (as_claimed, wrong), (outcome,), [S.AGREED, S.UNKNOWN]),
        ("not tested", (as_claimed, as_claimed), (), [S.AGREED, S.UNKNOWN]),
    ):
        given = {"_prove": proving(*results), "checked": always([Checked(law, outcomes)])}
        yield f"a claim that is {title}", recorded("claims", given), right
    proved = result(S.AGREED, "unsat", "unsat")
    name = row_id(proved.obligations[0].obligation)
    (part,) = proved.obligations
    dense = replace(proved, obligations=(replace(part, obligation=replace(part.obligation, time="real")),))
    over_dense = row_id(dense.obligations[0].obligation)
    accepted = Certified(Certificate("", "", "", "", (), 0), "", Accepted(True, ""))
    for title, certified, right in (
        ("rejected", {name: Certified(None, "none"), over_dense: accepted}, [S.UNKNOWN, S.AGREED]),
        ("not made", {over_dense: accepted}, [S.UNKNOWN, S.AGREED]),
        ("not made over dense time", {name: accepted}, [S.UNKNOWN, S.AGREED]),
    ):
        given = {
            "_prove": proving(proved, dense),
            "checked": always([Checked(law, (outcome,))]),
            "checker": Path("checker"),
            "with_certificates_made": lambda results, *_, certified=certified: (results, certified),
        }
        yield f"a certificate that is {title}", recorded("claims", given), right
    few: Mapping[str, _Given] = {
        "canaries": {"_prove": always([result(S.REFUTED)])},
        "errata": {"check_every_erratum": always(())},
        "neighbours": {
            _TRUST + "decide_all": always(_neighbours(S.REFUTED)),
            _TRUST + "all_neighbours": always(()),
        },
        "alterations": {_TRUST + "altered_definitions": always(())},
        "rules": {"verified_rules": always(_rules())},
        "profiles": {"verified_profiles": always(_rules())},
        "sabotages": {"catalogue": always(()), "sample": always([]), "carried_out": always([])},
    }
    for stage, given in few.items():
        yield f"{stage}: fewer than are on record", recorded(stage, given, counted=True), [S.REFUTED]
    every = {_TRUST + "decide_all": lambda listed, **_: [Decision(each, S.REFUTED) for each in listed]}
    yield "neighbours: all that there are", recorded("neighbours", every, counted=True), []
