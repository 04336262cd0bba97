"""Proofs about the steps of detectors: which claims there are, and their proofs until the time is up.

What Rocq's kernel has checked is not proved again. A step of somebody else is translated for arbitrary values, in a
process of its own; where its obligations are, letter by letter, those in the record, that proof is about it as well.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from time import monotonic
from typing import Any, NamedTuple

from campaigns.engine.findings import Check
from campaigns.judging.isolation import Lost, OutOfTime, isolated
from campaigns.judging.verdicts import Kind
from detectors.carlson_lisper.adapters import AnyFactory
from detectors.carlson_lisper.source.figure2 import STEPS, StepFactory
from laws.carlson_lisper.claims import everything
from laws.carlson_lisper.invariants import STEP_LEMMAS
from laws.claims import Claim
from laws.standings import Standing, weakest
from proofs.carlson_lisper.proving import kernel, provable
from proofs.carlson_lisper.step_runs import WrongRun, step_runs
from proofs.carlson_lisper.steps import Subject
from proofs.proving import RECORDED, resting, with_dependencies, with_kernel
from proofs.record import recorded
from remora.terminal.progress import Tell, unheard
from semantics.carlson_lisper.expressions import UNBOUNDED, Identifier, Operation
from semantics.errors import InputError
from smt.attempts import ClaimResult, prove_all
from smt.obligations import Obligation
from smt.solvers.portfolio import Portfolio

NO_STEPS = "not proved: the detector has no step functions that can be translated"

OTHER_STATE = "is about a state, and this step keeps another one"
"""The words about a lemma that is not proved of a step, and that no output contradicts."""

AS_RECORDED = "the same obligations as in the record of proofs"

MAKING = 5.0  # How long it may take to make a step of somebody else, in seconds

LEMMAS = {"dis": "lemma:5.2", "con": "lemma:5.3", "neg": "lemma:5.4", "seq": "lemma:5.5", "tim": "lemma:5.6"}
"""The lemma about the step of each operator."""

LABELLED = "lemma:5.7"
FIGURE2 = (*LEMMAS.values(), "theorem:5.1")

OWN = {"figure2": FIGURE2, **dict.fromkeys(("figure4", "generated"), (*FIGURE2, LABELLED))}
"""The claims about the steps of the detectors of the catalogues; where code is made from steps, about these."""


class Steps(NamedTuple):
    """Steps, by operator, that are proved once for all detectors that have them; None for those of the project."""

    detectors: tuple[str, ...]
    claims: tuple[str, ...]
    steps: Mapping[str, StepFactory] | None = None


def steps_of(detectors: Mapping[str, AnyFactory]) -> list[Steps]:
    """The steps of detectors; those without any have no claims.

    A detector of somebody else shows its steps by an attribute `steps` of the class or function that makes it: a
    mapping from the names of operators to what makes their steps, as `detectors.carlson_lisper.source.figure2.STEPS`.
    """
    found: dict[tuple[str, ...], list[str]] = {}
    shown: list[Steps] = []
    for name, factory in detectors.items():
        steps = getattr(factory, "steps", None)
        if name in OWN or not isinstance(steps, Mapping) or not steps.keys() & STEPS.keys():
            found.setdefault(OWN.get(name, ()), []).append(name)
            continue
        claims = FIGURE2 if steps.keys() >= LEMMAS.keys() else tuple(LEMMAS[each] for each in LEMMAS if each in steps)
        if "seq" in steps and apart(partial(_labels_matter, steps["seq"]), MAKING) is True:
            claims = (*claims, LABELLED)
        shown.append(Steps((name,), claims, {**STEPS, **steps}))
    return [Steps(tuple(names), claims) for claims, names in found.items()] + shown


def apart(work: Callable[[], Any], seconds: float) -> Any:
    """The result of work in a process of its own, or `Lost`, at a curfew too."""
    try:
        return isolated(work, seconds=seconds)
    except OutOfTime:
        return Lost(Kind.TIMEOUT, "not finished within the budget")


def _labels_matter(sequence: StepFactory) -> bool:
    """Whether a labelled sequence has a step of its own."""
    operands = Identifier("A"), Identifier("B")
    try:
        kinds = {type(sequence(Operation("seq", operands, None, label))) for label in (UNBOUNDED, 2)}
    except Exception:  # whatever it raises, the lemma about it will say
        return False
    return len(kinds) > 1


def prove_steps(
    found: Sequence[Steps], portfolio: Portfolio, *, seed: int, until: float, progress: Tell = unheard
) -> Iterator[Check]:
    """Prove the claims about steps up to a time on the clock of `time.monotonic`; each becomes a check."""
    known = everything()
    by_id = {claim.id: claim for claim in known}
    shared: dict[str, ClaimResult] = {}
    for steps in found:
        results = dict(shared)
        for claim in with_dependencies([by_id[name] for name in steps.claims], known):
            if claim.id in results:
                continue
            progress(claim.id)
            result = _proved(claim, steps, portfolio, seed, until)
            if result is None:
                break
            results[claim.id] = result
            if steps.steps is None or claim.id not in STEP_LEMMAS:
                shared.setdefault(claim.id, result)
        others = {name for name, result in results.items() if OTHER_STATE in result.reason}
        settled = {result.claim.id: (result.standing, result.reason) for result in resting(results.values())}
        for name in steps.claims:
            standing, said = settled.get(name, (None, "not reached within the budget"))
            rests_on = others & {each.id for each in with_dependencies([by_id[name]], known)}
            if standing is Standing.UNKNOWN and rests_on:  # other stages say whether what it detects is right
                standing = None
                said = said if name in rests_on else f"not proved: {name} rests on {', '.join(sorted(rests_on))}"
            yield Check("proofs", name, ", ".join(steps.detectors), standing, 0, said)


def _proved(claim: Claim, steps: Steps, portfolio: Portfolio, seed: int, until: float) -> ClaimResult | None:
    """The result for a claim by itself; None if there was no time."""
    left = until - monotonic()
    work = partial(_standing, claim, steps, portfolio, seed, left > 0)
    answer = work() if steps.steps is None else apart(work, min(max(left, 1.0), 3600.0))
    if isinstance(answer, Lost):
        answer = None if answer.kind is Kind.TIMEOUT else (Standing.ERROR, answer.detail)
    return answer and ClaimResult(claim, answer[0], (), None, 0, 0.0, answer[1])


def _standing(claim: Claim, steps: Steps, portfolio: Portfolio, seed: int, prove: bool) -> tuple[Standing, str] | None:
    subject = Subject(steps=steps.steps)
    about = provable(claim, subject)
    is_lemma = claim.id in STEP_LEMMAS
    obsolete = None if is_lemma and steps.steps is not None else kernel().get(claim.id)
    if obsolete == "":
        return Standing.KERNEL_CHECKED, RECORDED
    found = None if obsolete else _recorded(about.obligations("int"))
    if found is not None:
        return found, AS_RECORDED
    if not prove:
        return None
    (result,) = prove_all([about], portfolio, seed=seed)
    if obsolete:
        (result,) = with_kernel([result])
    counterexample = result.counterexample
    if counterexample is None:
        objection = about.objection if is_lemma and not result.standing.unbounded else ""
        return result.standing, objection or result.reason
    said = counterexample.summary()
    if is_lemma and isinstance(counterexample, WrongRun) and counterexample.kind == "state":
        theirs, own = (next(step_runs(STEP_LEMMAS[claim.id], each)).begin() for each in (subject, Subject()))
        if not isinstance(theirs, type(own)):
            return Standing.UNKNOWN, f"not proved: {claim.id} {OTHER_STATE}: {said}"
    return result.standing, said


def _recorded(parts: Sequence[Obligation]) -> Standing | None:
    """How the record of proofs says that obligations stand; None if they are not the ones in the record."""
    try:
        rows = recorded()
    except InputError:  # without a record everything is proved anew
        return None
    if any(part.sha256 != rows.get(part.name, {}).get("sha256") for part in parts):
        return None
    standing = weakest(Standing(rows[part.name]["standing"]) for part in parts)
    return standing if standing.unbounded else None
