"""Stages of the main job about the first system: claims, false equations, the record, errata, detectors, speed."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain
from typing import Any

from benchmarks.patterns import PATTERNS
from benchmarks.throughput import SUBJECTS, throughput
from benchmarks.timing import document as speeds
from benchmarks.timing import standing as speed_standing
from campaigns.carlson_lisper.mutants import MUTANTS
from campaigns.power import power_of
from campaigns.systems import cases_of
from laws.carlson_lisper.claims import EquationClaim
from laws.errata import wordings_of
from laws.standings import Standing, as_expected
from laws.systems import every_claim, every_false_claim
from laws.theorems import Theorem
from proofs.errata import check_every_erratum
from proofs.record import TIMES, certificate_differences, recorded, text_differences
from remora.api.claiming.claims import Checked, checked
from remora.api.claiming.data import canary_data, counterexample_data, obligations_data, outcomes_data, result_data
from remora.examples import EXAMPLES
from remora.systems.carlson_lisper.comparing import detected, read_log
from remora.verification.campaign import judged
from remora.verification.canaries import SelfCheck, self_checks
from remora.verification.engines import profiles, rules
from remora.verification.proofs import by_reason, prove_certified
from remora.verification.run import Plan, Run
from semantics.systems import DEFAULT_SYSTEM
from smt.attempts import ClaimResult
from smt.solvers.portfolio import Opinion


def claims(run: Run) -> Mapping[str, Any]:
    """Prove every claim, over dense time too, and test it; what is proved and refuted is a disagreement."""
    listed = every_claim()
    found = prove_certified(
        listed,
        (),
        run.portfolio,
        run.progress,
        times=TIMES,
        seed=run.seed,
        out=None,
        checker=run.checker,
        signature=run.signature,
    )
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
        rows.append(
            {
                **result_data(proof),
                "standing": standing.value,
                "tests": outcomes_data(tested),
                "counterexample": counterexample_data(proof.counterexample or tested.counterexample),
                "dense_time": "does not carry over" if over_dense is None else over_dense.standing.value,
                "obligations": [
                    *obligations_data(proof, certified),
                    *({**row, "id": f"{row['id']} over dense time"} for row in of_dense),
                ],
            }
        )
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
    dense = run.prove("canaries over dense time", alone, time="real")
    proofs = run.prove("canaries", false)
    for result in (*proofs, *dense):
        if result.standing is not Standing.REFUTED:
            standing = Standing.DISAGREEMENT if result.standing.unbounded else result.standing
            run.note(standing, f"{result.claim.id} is false and was not refuted: {result.claim.statement}")
    of_each = {result.claim.id: result for result in (*dense, *proofs)}
    return {"canaries": [canary_data(result) for result in of_each.values()]}


def record(run: Run) -> Mapping[str, Any]:
    """Compare the obligations with the committed record of proofs, and some certificates made anew with its own.

    The record is made with seed 0; with another seed an obligation may be proved under other axioms.
    """
    found = text_differences(
        (part.obligation for result in run.results for part in result.obligations), proved=run.seed == 0
    )
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
    rows = [
        {
            "solver": solver,
            "proofs": sum(one.proved for one in some),
            "asked": len(some),
            "seconds": sum(one.answer.seconds for one in some if one.answer is not None),
        }
        for solver, some in given.items()
    ]
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
    return {"detection": [detected(log, run.note) for log in run.each("detection", [*packaged, *run.logs])]}


def checks(run: Run) -> Mapping[str, Any]:
    """Give every checker something wrong, the campaign's judge included."""
    groups = self_checks(run.portfolio)
    found = [check() for check in run.each("self-checks", [*chain.from_iterable(groups.values())])]
    within = cases_of().KILLED_WITHIN
    with run.progress.stage("mutants", within) as advance:
        killed = power_of(
            DEFAULT_SYSTEM,
            run.seed,
            range(within),
            progress=lambda case, living: advance(f"{len(living)} alive", case + 1),
        )
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


PLAN = Plan(
    stages=(claims, canaries, record, solvers, detection, judged),
    beside=(errata, checks, rules, profiles),
    last=(speed,),
)
"""Stages of `remora verify`, in order."""
