"""Claims, proofs, checks and instances as plain data, for JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias, cast

from laws.standings import as_expected
from remora.terminal.texts import JsonObject as JsonObject
from remora.terminal.texts import to_json as to_json
from semantics.carlson_lisper.occurrences import Instance, Occurrence, Stream, by_end_time
from semantics.carlson_lisper.operators import OPERATORS
from semantics.events import Interval, Time, in_ticks

if TYPE_CHECKING:  # a detection is printed without a solver
    from laws.claims import Claim
    from laws.outcomes import Refutation, TestOutcome
    from proofs.certification import Certified
    from remora.api.claiming.claims import Checked
    from remora.verification.proofs import ProofRun
    from smt.attempts import ClaimResult, FailingRun, ObligationResult

Shown: TypeAlias = Callable[[Time], Time | str]
"""How times are shown: in ticks, or as ISO 8601."""


def occurrence_data(occurrence: Occurrence, time: Shown = in_ticks) -> JsonObject:
    """`{"event": …, "time": …, "value": …}`."""
    return {"event": occurrence.event, "time": time(occurrence.time), "value": occurrence.value}


def instance_data(instance: Instance, time: Shown = in_ticks) -> JsonObject:
    """`{"start": …, "end": …, "instance": […]}`."""
    return {
        "start": time(instance.start),
        "end": time(instance.end),
        "instance": [occurrence_data(occurrence, time) for occurrence in instance.sorted_occurrences()],
    }


def found_data(found: Instance | Interval, time: Shown = in_ticks) -> JsonObject:
    """An instance, or `{"start": …, "end": …}`, with times as a function shows them."""
    if isinstance(found, Instance):
        return instance_data(found, time)
    return {"start": time(found.start), "end": time(found.end)}


def stream_data(stream: Stream) -> list[JsonObject]:
    """The instances of a stream, by end time."""
    return [instance_data(instance) for instance in by_end_time(stream)]


def definitions_data() -> list[JsonObject]:
    """The operators as they are defined."""
    from semantics.carlson_lisper.notation import operator_text

    return [
        {
            "name": definition.name,
            "symbol": definition.symbol or "[t]",
            "title": definition.title,
            "text": operator_text(definition),
            "source": definition.source,
        }
        for definition in OPERATORS.values()
    ]


def claim_data(claim: Claim) -> JsonObject:
    """A claim without results."""
    from laws.theorems import Theorem

    data = _claim_data(claim)
    if isinstance(claim, Theorem):
        data |= {
            "scheme": claim.scheme,
            "rests_on": list(claim.rests_on),
            "trusts": list(claim.trusts),
            "not_in_dense_time": claim.dense,
        }
    return data


def _claim_data(claim: Claim) -> JsonObject:
    return {
        "id": claim.id,
        "kind": claim.id.partition(":")[0],
        "statement": claim.statement,
        "condition": claim.condition,
        "source": claim.source,
        "reading": claim.reading,
        "note": claim.note,
        "expected": claim.expected.value,
    }


def counterexample_data(found: Refutation | None) -> JsonObject | None:
    """A counterexample with what each side contains."""
    if found is None:
        return None
    from laws.carlson_lisper.checks.counterexamples import Counterexample, RestrictionCounterexample

    if isinstance(found, RestrictionCounterexample):
        return {
            "statement": found.statement,
            "conclusion": found.conclusion,
            "bound": found.bound,
            "streams": {name: stream_data(stream) for name, stream in found.streams.items()},
        }
    if not isinstance(found, Counterexample):
        return {"summary": found.summary(), **cast("FailingRun", found).data()}
    return {
        "statement": found.statement,
        "relation": found.relation,
        "parts_of_tick": found.parts_of_tick,
        "substitution": {name: str(value) for name, value in sorted(found.substitution.items())},
        "bounds": dict(found.bounds),
        "trace": [occurrence_data(occurrence) for occurrence in found.trace],
        "left": {"expression": str(found.left_expression), "instances": stream_data(found.left)},
        "right": {"expression": str(found.right_expression), "instances": stream_data(found.right)},
    }


def obligations_data(
    result: ClaimResult, certified: Mapping[str, Certified] | None = None
) -> list[JsonObject]:
    """The obligations of a claim with their standing, what each solver said, and certificates."""
    return [
        {
            **_certificate_data(part, certified or {}),
            **_accepted_data(part),
            "id": part.obligation.id,
            "claim": result.claim.id,
            "direction": part.obligation.direction,
            "standing": part.standing.value,
            "solver": part.solver,
            "seconds": round(part.seconds, 6),
            "rlimit": part.rlimit,
            "reason": part.reason,
            "hypotheses": part.hypotheses,
            "axioms": list(part.obligation.axioms),
            "time": part.obligation.time,
            "sha256": part.obligation.sha256,
            "size": len(part.obligation.text),
            "answers": [
                {
                    "solver": opinion.solver,
                    "strategy": opinion.strategy.name,
                    "status": answer.status,
                    "seconds": round(answer.seconds, 6),
                    "rlimit": answer.rlimit,
                    "reason": answer.reason,
                }
                for opinion in part.opinions
                if (answer := opinion.answer) is not None
            ],
        }
        for part in result.obligations
    ]


def _accepted_data(part: ObligationResult) -> JsonObject:
    """Who accepted the certificate that the record has of the same text."""
    from proofs.record import accepted_before

    by = accepted_before().get((part.obligation.name, part.obligation.sha256))
    return {"accepted_before": list(by)} if by else {}


def _certificate_data(part: ObligationResult, certified: Mapping[str, Certified]) -> JsonObject:
    found = certified.get(part.obligation.name)
    if found is None:
        return {}
    if found.certificate is None:
        return {"certificate": {"sha256": None, "checked": None, "detail": found.reason}}
    checked = None if found.checked is None else found.checked.accepted
    detail = "" if found.checked is None else found.checked.reason
    return {"certificate": {"sha256": found.certificate.sha256, "checked": checked, "detail": detail}}


def result_data(result: ClaimResult) -> JsonObject:
    """A claim with what became of it."""
    return {
        **claim_data(result.claim),
        "standing": result.standing.value,
        "reason": result.reason,
        "seconds": round(result.seconds, 6),
        "searched_occurrences": result.searched,
        "obligations": obligations_data(result),
        "counterexample": counterexample_data(result.counterexample),
    }


def canary_data(result: ClaimResult) -> JsonObject:
    """A false equation, and whether it was refuted as it must be."""
    data = result_data(result)
    return {**data, "ok": as_expected(result.standing, result.claim.expected)}


def outcomes_data(found: Checked) -> list[JsonObject]:
    """The outcomes of checking a claim on finitely many cases."""
    return [
        _outcome_data(outcome, seconds)
        for outcome, seconds in zip(found.outcomes, found.seconds, strict=True)
    ]


def _outcome_data(outcome: TestOutcome, seconds: float) -> JsonObject:
    return {
        "method": outcome.method,
        "standing": outcome.standing.value,
        "cases": outcome.cases,
        "bound": outcome.bound,
        "seconds": round(seconds, 6),
        "counterexample": counterexample_data(outcome.counterexample),
    }


def proof_run_data(found: ProofRun) -> JsonObject:
    """A run of proofs: claims, obligations, false equations and certificates."""
    return {
        "solver": " + ".join(found.solvers),
        "time": found.time,
        "seed": found.seed,
        "exit_status": int(found.exit_status),
        "claims": [result_data(result) for result in found.results],
        "obligations": [row for result in found.results for row in obligations_data(result, found.certified)],
        "canaries": [canary_data(result) for result in found.canaries],
        "not_in_dense_time": [{"id": claim.id, "reason": claim.dense} for claim in found.left_out],
        "rejected": [f"{name}: {why}" for name, why in found.rejected],
        "without_certificate": [f"{name}: {why}" for name, why in found.lacking],
    }
