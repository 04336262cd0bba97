"""Results as plain data: the one place where values of the project become JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from semantics.notation import operator_text
from semantics.occurrences import Instance, Occurrence, Stream, by_end_time
from semantics.operators import OPERATORS

if TYPE_CHECKING:  # a detection is printed without a solver
    from laws.claims import Claim
    from laws.counterexamples import Counterexample, RestrictionCounterexample
    from laws.outcomes import TestOutcome
    from smt.prove import ClaimResult

JsonObject = dict[str, Any]


def to_json(data: Mapping[str, Any], *, indent: int | None = None, ascii_only: bool = False) -> str:
    """JSON text; numbers that JSON does not have become their text, and with `ascii_only` characters escapes."""
    try:
        return json.dumps(data, ensure_ascii=ascii_only, indent=indent, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(data), ensure_ascii=ascii_only, indent=indent, allow_nan=False)


def _finite(data: Any) -> Any:
    if isinstance(data, float) and not math.isfinite(data):
        return str(data)
    if isinstance(data, Mapping):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, Sequence) and not isinstance(data, str):
        return [_finite(value) for value in data]
    return data


def occurrence_data(occurrence: Occurrence) -> JsonObject:
    """`{"event": …, "time": …, "value": …}`."""
    return {"event": occurrence.event, "time": occurrence.time, "value": occurrence.value}


def instance_data(instance: Instance) -> JsonObject:
    """`{"start": …, "end": …, "instance": […]}`."""
    return {
        "start": instance.start,
        "end": instance.end,
        "instance": [occurrence_data(occurrence) for occurrence in instance.sorted_occurrences()],
    }


def _stream_data(stream: Stream) -> list[JsonObject]:
    return [instance_data(instance) for instance in by_end_time(stream)]


def definitions_data() -> list[JsonObject]:
    """The operators as they are defined."""
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


def counterexample_data(found: Counterexample | RestrictionCounterexample | None) -> JsonObject | None:
    """A counterexample with what each side contains."""
    if found is None:
        return None
    from laws.counterexamples import RestrictionCounterexample

    if isinstance(found, RestrictionCounterexample):
        return {
            "statement": found.statement,
            "conclusion": found.conclusion,
            "bound": found.bound,
            "streams": {name: _stream_data(stream) for name, stream in found.streams.items()},
        }
    return {
        "statement": found.statement,
        "relation": found.relation,
        "substitution": {name: str(value) for name, value in sorted(found.substitution.items())},
        "bounds": dict(found.bounds),
        "trace": [occurrence_data(occurrence) for occurrence in found.trace],
        "left": {"expression": str(found.left_expression), "instances": _stream_data(found.left)},
        "right": {"expression": str(found.right_expression), "instances": _stream_data(found.right)},
    }


def obligations_data(result: ClaimResult) -> list[JsonObject]:
    """The obligations of a claim with their standing."""
    return [
        {
            "id": part.obligation.id,
            "claim": result.claim.id,
            "direction": part.obligation.direction,
            "standing": part.standing.value,
            "solver": part.answer.solver,
            "seconds": round(part.answer.seconds, 6),
            "rlimit": part.answer.rlimit,
            "reason": part.reason,
            "hypotheses": part.hypotheses,
            "axioms": list(part.obligation.axioms),
            "time": part.obligation.time,
            "sha256": part.obligation.sha256,
        }
        for part in result.obligations
    ]


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
    return {**data, "ok": result.standing is result.claim.expected}


def outcome_data(outcome: TestOutcome, seconds: float) -> JsonObject:
    """The outcome of testing a claim."""
    return {
        "method": outcome.method,
        "standing": outcome.standing.value,
        "cases": outcome.cases,
        "bound": outcome.bound,
        "seconds": round(seconds, 6),
        "counterexample": counterexample_data(outcome.counterexample),
    }
