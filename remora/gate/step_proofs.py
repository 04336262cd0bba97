"""Proofs about the steps of detectors: which claims there are, and their proofs until the time is up.

What Rocq's kernel has checked of our own steps, and of anybody's (Theorem 5.1 for steps that are right each), is not
proved again. A step of somebody else is translated for arbitrary values (`smt.python_terms`), which gives obligations;
where these are, letter by letter, the ones in the committed record of proofs, that proof is about this step as well.
The steps of somebody else are made and run in a process of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from time import monotonic
from typing import Any, TypeVar

from campaigns.judging.findings import Check
from campaigns.judging.isolation import Lost, OutOfTime, isolated
from campaigns.judging.verdicts import Kind
from detectors.carlson_lisper.adapters import AnyFactory
from detectors.carlson_lisper.source.figure2 import STEPS, StepFactory
from laws.carlson_lisper.catalogue import everything
from laws.carlson_lisper.invariants import STEP_LEMMAS
from laws.claims import Claim
from laws.standings import Standing, weakest
from proofs.carlson_lisper.proving import ScriptProof, kernel, provable
from proofs.carlson_lisper.step_runs import StepRun, WrongRun, tried_steps
from proofs.carlson_lisper.steps import Subject
from proofs.proving import RECORDED, resting, with_dependencies, with_kernel
from proofs.record import recorded
from semantics.carlson_lisper.expressions import UNBOUNDED, Identifier, Operation
from semantics.errors import InputError
from smt.attempts import ClaimResult, prove_all
from smt.obligations import Obligation
from smt.solvers.portfolio import Portfolio

NO_STEPS = "not proved: the detector has no step functions that can be translated"

LEMMAS: Mapping[str, str] = {
    "dis": "lemma:5.2",
    "con": "lemma:5.3",
    "neg": "lemma:5.4",
    "seq": "lemma:5.5",
    "tim": "lemma:5.6",
}
"""The lemma about the step of each operator."""

OTHER_STATE = "is about a state, and this step keeps another one"
"""The words about a lemma that is not proved of a step, and that no output contradicts."""

AS_RECORDED = "the same obligations as in the record of proofs"

MAKING = 5.0
"""How long it may take to make a step of somebody else, in seconds."""

LABELLED = "lemma:5.7"
WHOLE = "theorem:5.1"
FIGURE2 = (*LEMMAS.values(), WHOLE)
FIGURE4 = (*FIGURE2, LABELLED)

OWN: Mapping[str, tuple[str, ...]] = {"figure2": FIGURE2, "figure4": FIGURE4, "generated": FIGURE4}
"""The claims about the steps of the detectors of the catalogues; where code is made from steps, about these."""

Result = TypeVar("Result")


@dataclass(frozen=True)
class Steps:
    """Steps that are proved once for all detectors that have them.

    Attributes:
        steps: the steps by operator; None for those of the project.
    """

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
        if name not in OWN and isinstance(steps, Mapping) and steps.keys() & STEPS.keys():
            claims = _apart(partial(_claims_of, steps), MAKING)
            if isinstance(claims, Lost):
                claims = tuple(lemma for operator, lemma in LEMMAS.items() if operator in steps)
            shown.append(Steps((name,), claims, {**STEPS, **steps}))
        else:
            found.setdefault(OWN.get(name, ()), []).append(name)
    return [Steps(tuple(names), claims) for claims, names in found.items()] + shown


def _apart(work: Callable[[], Result], seconds: float) -> Result | Lost:
    """The result of work in a process of its own, which is lost at a curfew too."""
    try:
        return isolated(work, seconds=seconds)
    except OutOfTime:
        return Lost(Kind.TIMEOUT, "not finished within the budget")


def _claims_of(steps: Mapping[str, StepFactory]) -> tuple[str, ...]:
    claims = [lemma for operator, lemma in LEMMAS.items() if operator in steps]
    if len(claims) == len(LEMMAS):
        claims.append(WHOLE)
    if "seq" in steps and _labels_matter(steps["seq"]):
        claims.append(LABELLED)
    return tuple(claims)


def _labels_matter(sequence: StepFactory) -> bool:
    """Whether a labelled sequence has a step of its own."""
    operands = Identifier("A"), Identifier("B")
    try:
        kinds = {type(sequence(Operation("seq", operands, None, label))) for label in (UNBOUNDED, 2)}
    except Exception:  # whatever it raises, the lemma about it will say
        return False
    return len(kinds) > 1


def prove_steps(
    found: Sequence[Steps],
    portfolio: Portfolio,
    *,
    seed: int,
    until: float,
    progress: Callable[[str], None] = lambda claim: None,
) -> Iterator[Check]:
    """Prove the claims about steps; each becomes a check.

    Args:
        until: when to stop, on the clock of `time.monotonic`.
    """
    known = everything()
    by_id = {claim.id: claim for claim in known}
    shared: dict[str, ClaimResult] = {}
    for steps in found:
        results = dict(shared)
        about_others = set[str]()
        for claim in with_dependencies([by_id[name] for name in steps.claims], known):
            if claim.id in results:
                continue
            progress(claim.id)
            result = _proved(claim, steps, portfolio, seed, until)
            if result is None:
                break
            results[claim.id] = result
            if OTHER_STATE in result.reason:
                about_others.add(claim.id)
            if steps.steps is None or claim.id not in (*LEMMAS.values(), LABELLED):
                shared.setdefault(claim.id, result)
        settled = {result.claim.id: result for result in resting(results.values())}
        names = ", ".join(steps.detectors)
        for name in steps.claims:
            result, late = settled.get(name), "not reached within the budget"
            standing, said = (None, late) if result is None else (result.standing, result.reason)
            others = about_others & _needed(by_id[name], known)
            if standing is Standing.UNKNOWN and others:  # other stages say whether what it detects is right
                standing = None
                said = said if name in others else f"not proved: {name} rests on {', '.join(sorted(others))}"
            yield Check("proofs", name, names, standing, 0, said)


def _needed(claim: Claim, known: Sequence[Claim]) -> set[str]:
    """The claim, and those on which it rests."""
    return {each.id for each in with_dependencies([claim], known)}


def _proved(claim: Claim, steps: Steps, portfolio: Portfolio, seed: int, until: float) -> ClaimResult | None:
    """The result for a claim by itself; None if there was no time."""
    left = until - monotonic()
    work = partial(_standing, claim, steps, portfolio, seed, left > 0)
    answer = work() if steps.steps is None else _apart(work, min(max(left, 1.0), 3600.0))
    if isinstance(answer, Lost):
        if answer.kind is Kind.TIMEOUT:
            return None
        answer = Standing.ERROR, answer.detail
    if answer is None:
        return None
    standing, said = answer
    return ClaimResult(claim, standing, (), None, 0, 0.0, said)


def _standing(claim: Claim, steps: Steps, portfolio: Portfolio, seed: int, prove: bool) -> tuple[Standing, str] | None:
    subject = Subject(steps=steps.steps)
    about = provable(claim, subject)
    parts = about.obligations("int")
    is_ours = steps.steps is None or claim.id not in STEP_LEMMAS
    obsolete = kernel().get(claim.id) if is_ours else None
    if obsolete == "":
        return Standing.KERNEL_CHECKED, RECORDED
    found = None if obsolete else _recorded(parts)
    if found is not None:
        return found, AS_RECORDED
    if not prove:
        return None
    (result,) = prove_all([about], portfolio, seed=seed)
    if obsolete:
        (result,) = with_kernel([result])
    said = result.reason
    if result.counterexample is not None:
        said = result.counterexample.summary()
        is_inside = isinstance(result.counterexample, WrongRun) and result.counterexample.inside
        if is_inside and claim.id in STEP_LEMMAS and not _keeps_its_state(claim, subject):
            return Standing.UNKNOWN, f"not proved: {claim.id} {OTHER_STATE}: {said}"
    elif isinstance(about, ScriptProof) and about.objection and not result.standing.unbounded:
        said = about.objection
    return result.standing, said


def _keeps_its_state(claim: Claim, subject: Subject) -> bool:
    """Whether the step that a lemma is put to is of the class that the lemma is about."""
    theirs, own = (StepRun(next(tried_steps(STEP_LEMMAS[claim.id], about))).made for about in (subject, Subject()))
    return isinstance(theirs, type(own))


def _recorded(parts: Sequence[Obligation]) -> Standing | None:
    """How the record of proofs says that obligations stand; None if they are not the ones in the record."""
    rows = _record()
    found = [rows.get(part.name) for part in parts]
    if any(row is None or row["sha256"] != part.sha256 for row, part in zip(found, parts, strict=True)):
        return None
    standing = weakest(Standing(row["standing"]) for row in found if row is not None)
    return standing if standing.unbounded else None


@cache
def _record() -> Mapping[str, Mapping[str, Any]]:
    try:
        return recorded()
    except InputError:  # without a record everything is proved anew
        return {}
