"""Claims, proofs, checks and instances as plain data, for JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, cast

from laws.standings import as_expected
from remora.terminal.console import JsonObject as JsonObject
from semantics.carlson_lisper.occurrences import Stream, by_end_time, found_data, occurrence_data
from semantics.carlson_lisper.operators import OPERATORS

if TYPE_CHECKING:  # a detection is printed without a solver
    from laws.claims import Claim
    from laws.outcomes import Refutation
    from proofs.certification import Certified
    from remora.api.claiming.claims import Checked
    from smt.attempts import ClaimResult, FailingRun


def plain(value: Any) -> Any:
    """A value as JSON has it: dataclasses are objects, enumerations values, seconds rounded."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float):
        return round(value, 6)
    if value is None or isinstance(value, str | int):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return picked(value, *(field.name for field in fields(value)))
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, Iterable) else str(value)


def picked(value: object, *names: str) -> JsonObject:
    """Some attributes of a value, by their names."""
    return {name: plain(getattr(value, name)) for name in names}


def stream_data(stream: Stream) -> list[JsonObject]:
    """The instances of a stream, by end time."""
    return [found_data(instance) for instance in by_end_time(stream)]


def definitions_data() -> list[JsonObject]:
    """The operators as they are defined."""
    from semantics.carlson_lisper.notation import operator_text

    return [
        {**picked(one, "name", "title", "source"), "symbol": one.symbol or "[t]", "text": operator_text(one)}
        for one in OPERATORS.values()
    ]


def claim_data(claim: Claim) -> JsonObject:
    """A claim without results."""
    from laws.theorems import Theorem

    data = {
        "kind": claim.id.partition(":")[0],
        **picked(claim, "id", "statement", "condition", "source", "reading", "note", "expected"),
    }
    if isinstance(claim, Theorem):
        data |= {**picked(claim, "scheme", "rests_on", "trusts"), "not_in_dense_time": claim.dense}
    return data


def counterexample_data(found: Refutation | None) -> JsonObject | None:
    """A counterexample with what each side contains."""
    if found is None:
        return None
    from laws.carlson_lisper.checks.counterexamples import Counterexample, RestrictionCounterexample

    if isinstance(found, RestrictionCounterexample):
        streams = {name: stream_data(stream) for name, stream in found.streams.items()}
        return {**picked(found, "statement", "conclusion", "bound"), "streams": streams}
    if not isinstance(found, Counterexample):
        return {"summary": found.summary(), **cast("FailingRun", found).data()}
    return {
        **picked(found, "statement", "relation", "parts_of_tick", "bounds"),
        "substitution": {name: str(value) for name, value in sorted(found.substitution.items())},
        "trace": [occurrence_data(occurrence) for occurrence in found.trace],
        "left": {"expression": str(found.left_expression), "instances": stream_data(found.left)},
        "right": {"expression": str(found.right_expression), "instances": stream_data(found.right)},
    }


def obligations_data(result: ClaimResult, certified: Mapping[str, Certified] | None = None) -> list[JsonObject]:
    """The obligations of a claim with what each solver said, and who accepted the recorded certificate of each text."""
    from proofs.record import accepted_before

    rows = []
    for part in result.obligations:
        made, accepted = part.obligation, accepted_before().get((part.obligation.name, part.obligation.sha256))
        answers = [
            {"solver": one.solver, "strategy": one.strategy.name}
            | picked(one.answer, "status", "seconds", "rlimit", "reason")
            for one in part.opinions
            if one.answer is not None
        ]
        row = {
            **_certificate_data((certified or {}).get(made.name)),
            **({"accepted_before": list(accepted)} if accepted else {}),
            "claim": result.claim.id,
            **picked(made, "id", "direction", "axioms", "time", "sha256"),
            **picked(part, "standing", "solver", "seconds", "rlimit", "reason", "hypotheses"),
            "size": len(made.text),
            "answers": answers,
        }
        rows.append(row)
    return rows


def _certificate_data(found: Certified | None) -> JsonObject:
    if found is None:
        return {}
    if found.certificate is None:
        return {"certificate": {"sha256": None, "checked": None, "detail": found.reason}}
    checked, detail = (None, "") if found.checked is None else (found.checked.accepted, found.checked.reason)
    return {"certificate": {"sha256": found.certificate.sha256, "checked": checked, "detail": detail}}


def result_data(result: ClaimResult) -> JsonObject:
    """A claim with what became of it."""
    return {
        **claim_data(result.claim),
        **picked(result, "standing", "kernel", "reason", "seconds"),
        "searched_occurrences": result.searched,
        "obligations": obligations_data(result),
        "counterexample": counterexample_data(result.counterexample),
    }


def canary_data(result: ClaimResult) -> JsonObject:
    """A false equation, and whether it was refuted as it must be."""
    return {**result_data(result), "ok": as_expected(result.standing, result.claim.expected)}


def outcomes_data(found: Checked) -> list[JsonObject]:
    """The outcomes of checking a claim on finitely many cases."""
    return [
        {
            **picked(outcome, "method", "standing", "cases", "bound"),
            "seconds": plain(seconds),
            "counterexample": counterexample_data(outcome.counterexample),
        }
        for outcome, seconds in zip(found.outcomes, found.seconds, strict=True)
    ]
