"""Explanations and comparisons of patterns as plain data, for `--format json`.

Schemas `remora/explain/1` and `remora/equiv/1` say what each key means; a number that is infinite or not known is null.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from detectors.carlson_lisper.source.bounds import PartBounds, Quantity
from detectors.carlson_lisper.source.unbounded import Fault
from laws.standings import ExitStatus
from remora.api.claiming.data import JsonObject, occurrence_data, stream_data
from remora.api.detecting.running import Running
from remora.api.patterns.comparisons import Comparison
from remora.api.patterns.explanations import DETECTOR, TOTALS, Explanation, operator
from remora.api.patterns.possibilities import Occurring
from semantics.carlson_lisper.decisions import Decision, Witness
from semantics.carlson_lisper.expressions import UNBOUNDED, Expression, Operation
from semantics.carlson_lisper.occurrences import Stream

if TYPE_CHECKING:  # SymPy is imported only where a formula is asked for
    from detectors.carlson_lisper.source.cost import Cost

# ----------------------------------------------------------------------------------------------------- explanations


def explanation_data(found: Explanation) -> JsonObject:
    """An explanation, with the keys of `remora/explain/1`."""
    bounds = found.bounds
    return {
        "expression": str(found.pattern),
        "bounds": dict(found.values or {}),
        "transformed": None if bounds is None else str(bounds.expression),
        "detector": DETECTOR,
        "running": None if found.running is None else _running_data(found.running),
        "starts": None if found.running is None else found.running.starts,
        "registers": None,  # kept for readers of the schema: no register machine is made
        "validations": {}
        if found.running is None
        else {
            name: {"outcome": each.outcome, "reason": each.reason}
            for name, each in found.running.validations.items()
        },
        "choices": [] if found.running is None else _choices_data(found.running),
        "code": None if found.code is None else {"kind": found.code[0], "text": found.code[1]},
        "bounded": found.bounded,
        "length": None if bounds is None else _finite(bounds.length),
        "total": None if bounds is None else {name: _finite(getattr(bounds, name)) for name in TOTALS},
        "subexpressions": [] if bounds is None else [_part_data(part) for part in bounds.parts],
        "faults": [_fault_data(fault, found.text) for fault in found.faults],
        "remedies": list(found.remedies),
        "formulas": None if found.cost is None else _formulas_data(found.cost, found.named),
        "possibility": None if found.answer is None else _occurring_data(found.answer),
        "exit_status": int(found.exit_status),
    }


def _part_data(part: PartBounds) -> JsonObject:
    label = part.expression.label if isinstance(part.expression, Operation) else None
    return {
        "number": part.number,
        "expression": str(part.expression),
        "operator": operator(part),
        "label": None if label is None else _finite(label),
        "length": _finite(part.length),
        "instance_occurrences": part.width,
        **{name: _finite(getattr(part, name)) for name in TOTALS},
    }


def _fault_data(fault: Fault, text: Callable[[Expression], str]) -> JsonObject:
    return {
        "number": fault.sequence.number,
        "expression": text(fault.sequence.expression),
        "right": text(fault.right.expression),
        "causes": [text(cause.expression) for cause in fault.causes],
    }


def _formulas_data(cost: Cost, named: tuple[Expression, Mapping[str, int]]) -> JsonObject:
    from detectors.carlson_lisper.source.cost import formula_text

    return {
        "expression": str(named[0]),
        "transformed": cost.transformed,
        "bounds": dict(named[1]),
        **{name: formula_text(getattr(cost.bounds, name)) for name in ("length", *TOTALS)},
    }


def _finite(quantity: Quantity) -> int | None:
    return None if quantity == UNBOUNDED else int(quantity)


def _running_data(running: Running) -> JsonObject:
    return {"detector": DETECTOR, **{name: _finite(getattr(running.default, name)) for name in TOTALS}}


def _choices_data(running: Running) -> list[JsonObject]:
    return [
        {
            "wanted": choice.wanted,
            "feed": choice.feed,
            "detector": choice.detector,
            "reason": choice.reason,
            "bounded": choice.bounded,
        }
        for choice in running.choices
    ]


def _occurring_data(answer: Occurring) -> JsonObject:
    found = answer.found
    return {
        "occurs": answer.occurs,
        "reason": answer.reason,
        "decided_instants": answer.decided_instants,
        "shortest": None if found is None else found.shortest,
        "trace": None if found is None else [occurrence_data(o) for o in found.trace or ()],
        "instances": None if found is None else stream_data(found.instances),
    }


# ------------------------------------------------------------------------------------------------------ comparisons


def _undecided_data(left: Expression, right: Expression | None, verdict: str, instants: int) -> JsonObject:
    return {
        "left": str(left),
        "right": None if right is None else str(right),
        "holds": None,
        "verdict": verdict,
        "decided_instants": instants,
        "exit_status": int(ExitStatus.INCONCLUSIVE),
    }


def comparison_data(found: Comparison) -> JsonObject:
    """What the automata decided, what solvers proved in their place, or that neither helps."""
    if found.holds is None:
        return _undecided_data(found.left, found.right, found.verdict, found.decided_instants)
    said: JsonObject = {
        "left": str(found.left),
        "right": str(found.right),
        "level": found.level,
        "relation": found.relation,
        "holds": found.holds,
        "verdict": found.verdict,
    }
    if found.decision is None:
        assert found.standing is not None  # solvers proved it
        said |= {"standing": found.standing.value, "obligations": list(found.obligations)}
    else:
        witness = found.witness
        said |= {
            "levels": dict(found.levels),
            **found.converse,
            "states": list(found.decision.states),
            "steps": found.decision.steps,
            "witness": None if witness is None else _witness_data(found.decision, witness),
        }
    return {**said, "exit_status": int(found.exit_status)}


def _side_data(expression: Expression, stream: Stream) -> JsonObject:
    return {"expression": str(expression), "instances": stream_data(stream)}


def _witness_data(decision: Decision, witness: Witness) -> JsonObject:
    return {
        "trace": [occurrence_data(occurrence) for occurrence in witness.trace],
        "holder": witness.holder,
        "shortest": witness.shortest,
        "left": _side_data(decision.left, witness.left),
        "right": _side_data(decision.right, witness.right),
    }


def emptiness_data(pattern: Expression, answer: Occurring) -> JsonObject:
    """Whether a pattern can never occur, with a trace on which it does."""
    if answer.occurs is None:
        return _undecided_data(pattern, None, f"undecided: {answer.reason}", answer.decided_instants)
    found, witness = answer.found, None
    if found is not None:
        trace = [occurrence_data(occurrence) for occurrence in found.trace or ()]
        witness = {"trace": trace, "shortest": found.shortest, "left": _side_data(pattern, found.instances)}
    return {
        "left": str(pattern),
        "right": None,
        "relation": "emptiness",
        "holds": not answer.occurs,
        "verdict": answer.verdict,
        "witness": witness,
        "exit_status": int(ExitStatus.REFUTED if answer.occurs else ExitStatus.AS_CLAIMED),
    }
