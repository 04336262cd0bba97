"""Stages of the main job: claims, false equations, the record, errata, detectors, engines, the campaign, speed."""

import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks.rules import CHAIN
from benchmarks.throughput import PATTERNS, SUBJECTS, throughput
from benchmarks.timing import document as speeds, standing as speed_standing
from campaigns.carlson_lisper.loading import ALL, named_detectors
from campaigns.carlson_lisper.mutants import MUTANTS
from campaigns.engine.campaign import CampaignFailed, run_campaign, run_locally
from campaigns.engine.settings import CampaignDirectory, Settings
from campaigns.power import power_of
from campaigns.systems import cases_of
from cluster.session import retrying_master
from detectors.hinze_voisard.engine import DEFAULT_DETECTOR
from laws.atlas.deciding import implications
from laws.carlson_lisper.claims import EquationClaim
from laws.claims import every_claim, every_false_claim
from laws.errata import wordings_of
from laws.standings import Standing, as_expected
from laws.theorems import Theorem
from proofs.atlas.proving import evidence
from proofs.atlas.record import document, recorded as recorded_atlas
from proofs.errata import check_every_erratum
from proofs.record import TIMES, certificate_differences, recorded, text_differences
from remora import __version__
from remora.api.arguments import prepare_folder
from remora.api.campaigning import campaign_data, campaign_standing
from remora.api.claiming.claims import Checked, checked
from remora.api.claiming.data import canary_data, counterexample_data, obligations_data, outcomes_data, result_data
from remora.examples import EXAMPLES, PROFILES, RULES
from remora.gate.decisions import texts_data, validated_texts
from remora.systems.bry_eckert.detection import read_program
from remora.systems.bry_eckert.explaining import plan_data
from remora.systems.carlson_lisper.comparing import detected, read_log
from remora.systems.hinze_voisard import explained, read_profiles
from remora.verification.canaries import SelfCheck, self_checks
from remora.verification.proofs import by_reason, prove_certified, prove_shown
from remora.verification.run import FULL, QUICK, STANDARD, Run
from reports.html import atlas_page
from reports.store import JSON_NAME
from semantics.atlas.catalogue import SETTINGS
from semantics.atomic_files import write_text
from semantics.bry_eckert.algebra.planning import planned, read_choices
from semantics.bry_eckert.checking import parse
from semantics.errors import InputError
from semantics.systems import DEFAULT_SYSTEM
from smt.attempts import ClaimResult
from smt.solvers.portfolio import Opinion

CAMPAIGN = "campaign"  # The folder beside the report with the campaign's rows
MOST_REFUSED = 0.01  # The share of cases that may be refused: of a case that is refused nothing is known

SAFE = ("", "no bound", "nothing is ever needed", "safe and tight")  # Decisions on a condition that is as it should be
SECOND_PLAN = "F: c, d / e"  # Query Plan 2 of Figure 1 of 2008, as a choice


def claims(run: Run) -> Mapping[str, Any]:
    """Prove every claim, over dense time too, and test it; what is proved and refuted is a disagreement."""
    listed = every_claim()
    checking = {"checker": run.checker, "signature": run.signature}
    found = prove_certified(listed, (), run.portfolio, run.progress, times=TIMES, seed=run.seed, **checking)
    for complaint in by_reason(found.rejected):
        run.note(Standing.UNKNOWN, f"the checker of certificates: {complaint}")
    run.results = list(found.results)
    proofs, certified = found.results[: len(listed)], found.certified
    dense = {result.claim.id: result for result in found.results[len(listed) :]}
    with run.progress.stage("tests", len(listed)) as advance:
        tests = checked(listed, run.effort.examples, run.seed, advance)
    rows = []
    for claim, proof, tested in zip(listed, proofs, tests, strict=True):
        standing, over_dense = combined(proof, tested), dense.get(claim.id)
        run.note(standing, f"{claim.id} is {standing.value}: {claim.statement}")
        if not (tested.outcomes or isinstance(claim, Theorem)):
            run.note(Standing.UNKNOWN, f"{claim.id} was tested on no case")
        if over_dense is not None and not as_expected(over_dense.standing, claim.expected):
            run.note(over_dense.standing, f"{claim.id} over dense time is {over_dense.standing.value}")
        of_dense = [] if over_dense is None else obligations_data(over_dense, certified)
        of_dense = [{**row, "id": f"{row['id']} over dense time"} for row in of_dense]
        row = {
            "standing": standing.value,
            "tests": outcomes_data(tested),
            "counterexample": counterexample_data(proof.counterexample or tested.counterexample),
            "dense_time": "does not carry over" if over_dense is None else over_dense.standing.value,
            "obligations": [*obligations_data(proof, certified), *of_dense],
        }
        rows.append({**result_data(proof), **row})
    return {"claims": rows}


def combined(proof: ClaimResult, tested: Checked) -> Standing:
    """The standing of a claim: that of its proof; a test can contradict it, and refute what was open."""
    standing = proof.standing
    for outcome in tested.outcomes:
        if outcome.standing is Standing.REFUTED:
            contradiction = standing.unbounded or standing is Standing.DISAGREEMENT
            standing = Standing.DISAGREEMENT if contradiction else Standing.REFUTED
        elif outcome.standing is Standing.ERROR:
            standing = Standing.DISAGREEMENT
    return standing


def canaries(run: Run) -> Mapping[str, Any]:
    """Refute the false equations, those of which each way to a proof is asked alone over dense time too."""
    false = every_false_claim()
    alone = [claim for claim in false if isinstance(claim, EquationClaim) and claim.alone]
    dense = prove_shown(alone, run.portfolio, run.progress, "canaries over dense time", time="real", seed=run.seed)
    proofs = prove_shown(false, run.portfolio, run.progress, "canaries", seed=run.seed)
    for result in (*proofs, *dense):
        if result.standing is not Standing.REFUTED:
            standing = Standing.DISAGREEMENT if result.standing.unbounded else result.standing
            run.note(standing, f"{result.claim.id} is false and was not refuted: {result.claim.statement}")
    of_each = {result.claim.id: result for result in (*dense, *proofs)}
    return {"canaries": [canary_data(result) for result in of_each.values()]}


def record(run: Run) -> Mapping[str, Any]:
    """Compare the obligations with the committed record of proofs, and some certificates made anew with its own."""
    obligations = (part.obligation for result in run.results for part in result.obligations)
    found = text_differences(obligations, proved=run.seed == 0)  # with another seed, perhaps under other axioms
    number = run.effort.certificates
    with run.progress.stage("recorded certificates", number or len(recorded())):
        found += certificate_differences(run.results, run.portfolio, sample=number, seed=run.seed)
    for difference in found:
        run.note(Standing.REFUTED, f"the record of proofs is another one: {difference}")
    return {"record": {"same": not found, "differences": found}}


def solvers(run: Run) -> Mapping[str, Any]:
    """Count what each solver was asked and proved, and find where two contradict each other."""
    given: dict[str, list[Opinion]] = {}
    disagreements = []
    for part in (part for result in run.results for part in result.obligations):
        for opinion in part.opinions:
            given.setdefault(opinion.solver, []).append(opinion)
        if {"sat", "unsat"} <= {opinion.status for opinion in part.opinions}:
            disagreements.append({"id": part.obligation.id, "detail": part.reason})
            run.note(Standing.DISAGREEMENT, f"solvers contradict each other about {part.obligation.id}")
    rows = []
    for solver, some in given.items():
        seconds = sum(one.answer.seconds for one in some if one.answer is not None)
        proofs = sum(one.proved for one in some)
        rows.append({"solver": solver, "proofs": proofs, "asked": len(some), "seconds": seconds})
    return {"solvers": {"rows": rows, "disagreements": disagreements}}


def errata(run: Run) -> Mapping[str, Any]:
    """Run the evidence for what is wrong in the source, and for what was checked and is right."""
    results = check_every_erratum(run.portfolio.solvers[0])
    for result in results:
        if not result.as_claimed:
            run.note(Standing.DISAGREEMENT, f"the evidence for {result.erratum.id} is another one")
    return {"errata": [result.to_data() for result in results], "wordings": wordings_of(DEFAULT_SYSTEM)}


def detection(run: Run) -> Mapping[str, Any]:
    """Detect patterns on the example traces and the user's, and compare with their meaning."""
    packaged = [read_log(f"{e.trace} (packaged example)", e.path, e.expression)[0] for e in EXAMPLES]
    with run.progress.stage("detection", None):
        return {"detection": [detected(log, run.note) for log in (*packaged, *run.logs)]}


def checks(run: Run) -> Mapping[str, Any]:
    """Give every checker something wrong, the campaign's judge included."""
    groups = self_checks(run.portfolio)
    with run.progress.stage("self-checks", None):
        found = [check() for check in chain.from_iterable(groups.values())]
    within = cases_of().KILLED_WITHIN
    with run.progress.stage("mutants", within) as advance:
        killed = power_of(DEFAULT_SYSTEM, run.seed, range(within), progress=advance)
    for name, mutant in MUTANTS.items():
        death = killed.deaths.get(name)
        said = f"not found within {within} cases" if death is None else f"case {death.case}: {death.kind.value}"
        what = f"a wrong detector is found: {mutant.what}"
        found.append(SelfCheck(f"mutant:{name}", what, death is not None, said))
    for each in found:
        if not each.ok:
            run.note(Standing.DISAGREEMENT, f"the check {each.id!r} failed: {each.detail}")
    altered = {name: each.engine for name, each in MUTANTS.items()}
    return {"checks": found, "power": {**killed.to_json(), "altered": altered}}


def speed(run: Run) -> Mapping[str, Any]:
    """Measure the detectors beside other tools, whose answers are checked first; nothing where that is left out."""
    if not run.effort.throughput:
        return {"throughput": None}
    with run.progress.stage("throughput", len(PATTERNS)):
        cases = throughput(list(PATTERNS.values()), (0.1,), SUBJECTS, 1_000_000, 3, run.seed)
        found = [row for rows in cases for row in rows]
    standing = speed_standing(found)
    if standing is not Standing.TESTED:
        said = "has a wrong answer" if standing is Standing.REFUTED else "broke down"
        run.note(standing, f"a tool or a detector whose speed was measured {said}")
    return {"throughput": speeds(found, run.seed)}


def rules(run: Run) -> Mapping[str, Any]:
    """Plans of rules with their conditions, and engines judged by random cases."""
    program, example = parse(CHAIN, "1h"), read_program(RULES)
    programs = {
        "2008, Figure 1, query plan 1": (program, planned(program, {})),
        "2008, Figure 1, query plan 2": (program, planned(program, read_choices(SECOND_PLAN, program))),
        RULES.name: (example, planned(example, {})),
    }
    plans = []
    for name, (program, plan) in programs.items():
        points = plan_data(program, plan)
        plans.append({"name": name, "program": str(program), "plan": points})
        for point, store in ((one, store) for one in points for store in one["stores"]):
            said = f"the condition of {store['relation']} in {point['name']} of {name} is {store['decision']}"
            run.note(stands(store["decision"]), said)
    return {"rules": {"plans": plans, "cases": judged_engines("bry_eckert", ("differencing", "nodes"), run)}}


def stands(decision: str) -> Standing:
    """How a decision on the condition of a store stands; that a solver gave up refutes nothing."""
    if decision in SAFE:
        return Standing.PROVED
    gave_up = decision == "not decided" or ("unknown" in decision and "not " not in decision)
    return Standing.UNKNOWN if gave_up else Standing.REFUTED


def profiles(run: Run) -> Mapping[str, Any]:
    """The profiles of the source, the committed atlas as a page and its counts, the engine judged by random cases."""
    file = read_profiles(PROFILES)
    counts: dict[str, Counter[str]] = {}
    cells = recorded_atlas()
    shown = document(cells.values(), __version__), implications(cells), evidence(cells.values())
    write_text(run.folder / "atlas.html", atlas_page(*shown))
    for cell in cells.values():
        counts.setdefault(SETTINGS[cell.setting].family, Counter())[cell.standing] += 1
    systems = Counter(setting.family for setting in SETTINGS.values())
    atlas = [
        {"family": family, "systems": systems[family], "cells": dict(sorted(found.items()))}
        for family, found in counts.items()
    ]
    found = {"profiles": [explained(file, one.name) for one in file.profiles], "atlas": atlas}
    return {"profiles": found | {"cases": judged_engines("hinze_voisard", (DEFAULT_DETECTOR,), run)}}


def judged_engines(system: str, engines: Sequence[str], run: Run) -> dict[str, Any]:
    """The judgements of engines, the failures among them, and how many cases an engine refused."""
    cases, failed = run.effort.engines, list[dict[str, Any]]()
    refused = judgements = expected = 0
    settings = Settings(system=system, seed=run.seed, cases=cases, detectors=tuple(engines))
    with run.progress.stage(system, cases) as advance:
        for row in run_locally(settings, 0, cases):
            advance("", row.case + 1)
            failed += [{"case": row.case, **failure} for failure in row.failures]
            refused += bool(row.refusals)
            judgements, expected = judgements + row.judgements, expected + row.expected
    who = " and ".join(engines)
    if failed:
        run.note(Standing.REFUTED, f"{len(failed)} judgements of the engines {who} failed")
    elif refused > MOST_REFUSED * cases or not expected:
        said = f"of {cases} cases {refused} were refused, and {expected} answers expected"
        run.note(Standing.UNKNOWN, f"too little is known of the engines {who}: {said}")
    asked = {"seed": run.seed, "cases": cases, "engines": list(engines)}
    return asked | {"judgements": judgements, "answers": expected, "failures": failed, "refused": refused}


def prepare(folder: Path, master: str) -> None:
    """Clear away the campaign of an earlier verification; `InputError` for what would spoil the end of this one."""
    try:
        retrying_master(master)
    except ValueError as error:
        raise InputError(str(error)) from None
    prepare_folder(folder)
    place = CampaignDirectory((folder / CAMPAIGN).absolute())
    if not place.path.exists() or (place.path.is_dir() and not any(place.path.iterdir())):
        return
    ours = place.record.is_file() and (
        (folder / JSON_NAME).is_file() or place.settings().cases in {e.cases for e in (QUICK, STANDARD, FULL)}
    )
    if not ours:
        said, remedy = "this is not from an earlier verification and would be replaced", "Move it away, or name another"
        raise InputError(said, place=str(place.path), remedy=f"{remedy} folder with --out.")
    shutil.rmtree(place.path)


def judged(run: Run) -> Mapping[str, Any]:
    """Judge every detector by a campaign of random cases on Spark; that it does not run fails the verification."""
    settings = Settings(seed=run.seed, cases=run.effort.cases, detectors=named_detectors((ALL,)))
    with run.progress.stage("campaign", settings.cases) as advance:
        advance("starting Spark", 0)

        def advanced(done: int, _total: int, failures: int) -> None:
            advance(f"{failures} failures" if failures else "", done)

        try:
            summary = run_campaign(run.folder / CAMPAIGN, settings, master=run.master, progress=advanced)
        except CampaignFailed as error:
            run.note(Standing.ERROR, f"the campaign did not run: {error.reason}")
            return {"campaign": {"seed": run.seed, "cases": 0, "failed": 0, "error": error.reason}}
    standing = campaign_standing(summary)
    if standing is not Standing.TESTED:
        failed = f"{summary.total.failures} of {summary.total.cases} campaign cases failed"
        tried = f"{len(summary.regressions.failures)} of {summary.regressions.tried} stored regressions"
        refusing = f"; every case was refused by {', '.join(summary.refusing)}" if summary.refusing else ""
        run.note(standing, f"{failed}, and {tried}{refusing}")
    texts = validated_texts(summary.settings)
    for check in texts:
        if check.standing is not Standing.PROVED:
            run.note(check.standing or Standing.UNKNOWN, f"generated texts of {check.detector}: {check.detail}")
    return {"campaign": {**campaign_data(summary, run.master), "texts": texts_data(texts)}}


PLAN = ((claims, canaries, record, solvers, detection, judged), (errata, checks, rules, profiles), (speed,))
"""Stages of `remora verify`: in order, beside these, last."""
