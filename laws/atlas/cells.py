"""Cells of the atlas: a law in a setting is proved, decided for event types, refuted by a trace, or tested."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from operator import or_
from typing import Any, Literal, TypeAlias

from laws.atlas.cases import GREATER, LONGER, RANDOM, SETS, Level, OperandsOnTrace, instances
from laws.carlson_lisper.claims import EquationClaim, laws, own
from semantics.atlas.catalogue import Setting
from semantics.atlas.literal import TIES, Definitions
from semantics.carlson_lisper.expressions import BoundValues, Expression, Identifier, Operation, evaluate_bound
from semantics.carlson_lisper.syntax import parse
from semantics.hinze_voisard.pairing import Instances
from semantics.shrinking import smallest

Operands: TypeAlias = Mapping[str, Instances]
"""Meanings of the identifiers of an expression."""

Meaning: TypeAlias = Callable[[Operands, BoundValues], Instances]
"""The instances of an expression, by its operands and the values of its bounds."""


@cache
def meaning(expression: Expression, system: Setting | Definitions) -> Meaning:
    """The meaning of an expression in a setting, or by its definitions, none of whose running code is used.

    A bound is native to a sequence or conjunction where the text has it there, `(A ; B)[t]`, and else a filter.
    """
    if isinstance(expression, Identifier):
        name = expression.name
        return lambda operands, bounds: operands[name]
    assert isinstance(expression, Operation)
    binary = {"dis": or_, "con": system.conjunction, "neg": system.negation, "seq": system.sequence}
    operands_, bound = expression.operands, expression.bound
    if expression.operator != "tim":
        apply = binary[expression.operator]
        left, right = (meaning(operand, system) for operand in operands_)
        return lambda operands, bounds: apply(left(operands, bounds), right(operands, bounds))
    assert bound is not None
    (inner,) = operands_
    if system.spans == "native" and isinstance(inner, Operation) and inner.operator in ("seq", "con"):
        native: Callable[..., Instances] = binary[inner.operator]
        one, other = (meaning(each, system) for each in inner.operands)
        return lambda operands, bounds: native(
            one(operands, bounds), other(operands, bounds), evaluate_bound(bound, bounds)
        )
    of = meaning(inner, system)
    return lambda operands, bounds: system.restriction(of(operands, bounds), evaluate_bound(bound, bounds))


Standing: TypeAlias = Literal["proved", "decided", "tested", "refuted"]
"""Standing of a cell, the best first."""

RELATIONS = ("included", "includes", "intervals", "instants")
"""Relation that may remain where two sides differ: inclusion either way, equal intervals, equal ends."""

_ELSE = f"; for composite operands {RANDOM + SETS + GREATER:,} random cases show no difference"

REASONS = {
    "common operators": "proved for the first system (proofs/record.json), and no operator of the law differs between"
    " settings",
    "operators of the first system": "proved for the first system (proofs/record.json), whose operators the law has"
    " here too",
    "solvers": "both solvers proved it for the setting's own definitions",
    "pairs": "both solvers proved that the same instances pair on both sides",
    "lists": "both solvers proved that the duplicate lists of both sides are the same, on which alone depends what"
    " pairs and what is used up",
    "places": "both solvers proved that the n-th instance of an operand pairs with the same n-th one on both sides",
    "whatever pairs": "both solvers proved it of whatever instances pair, in turn in a sequence",
    "instances": "both solvers proved of each instance of one side, made of pairs of pairs too, that the other side has"
    " it or shows it",
    "no bounds": "an event type lasts no time, so that for event types both sides are the same expression" + _ELSE,
    "automata": "automata show that for event types no trace tells both sides apart" + _ELSE,
    "counting": f"no counterexample among all traces within the bound and {LONGER:,} longer ones for event types as"
    f" operands, different or the same, nor among {RANDOM + SETS + GREATER:,} random cases with composite operands;"
    " automata do not reach so far: the setting uses up event by event, and what depends on how often that was done is"
    " beyond them, or a bound of the law compares distances",
}
"""Why a law is proved in a setting, decided for event types, or only tested."""

LAWS: tuple[EquationClaim, ...] = (*laws(), *(each for each in own() if isinstance(each, EquationClaim)))
"""The rows: the laws of the first system's source, then those of our own."""


@dataclass(frozen=True)
class Proof:
    """A proof by two solvers of a law for all operands: a key of `REASONS`, the hash of the texts, their names."""

    why: str
    obligations: str
    solvers: tuple[str, ...]


@dataclass(frozen=True)
class Cell:
    """A law in a setting, and `why` it is proved or decided, or only tested: a key of `REASONS`.

    Where it is refuted, there are the weakest operands on which it fails, the strongest relation that no case on these
    contradicts, if any, and the smallest case, which fails in every order of ties, or `by_ties` in some alone.
    """

    law: str
    setting: str
    standing: Standing
    why: str = ""
    level: Level | Literal[""] = ""
    remains: str = ""
    case: OperandsOnTrace | None = None
    by_ties: bool = False
    cases: int = 0
    proof: Proof | None = None


def replayed(law: EquationClaim, system: Setting | Definitions, case: OperandsOnTrace) -> tuple[Instances, Instances]:
    """The instances of both sides of a law on a case."""
    types = instances(case.trace)
    operands = {name: _operand(text, system)(types, {}) for name, text in case.operands.items()}
    left, right = (meaning(side, system) for side in (law.equation.left, law.equation.right))
    return left(operands, case.bounds), right(operands, case.bounds)


@cache
def _operand(text: str, system: Setting | Definitions) -> Meaning:
    return meaning(parse(text), system)


def firmly(law: EquationClaim, setting: Setting, case: OperandsOnTrace) -> bool:
    """Whether both sides of a law differ on a case in every order of ties."""
    both = (replayed(law, Definitions(setting, ties), case) for ties in TIES)
    return not any(relates(law.equation.relation, *sides) for sides in both)


def relates(name: str, left: Instances, right: Instances) -> bool:
    """Whether a relation holds between the instances of two sides: one of `RELATIONS`, or that of an equation."""
    match name:
        case "==":
            return left == right
        case "~=":  # the latest start by each time of detection
            return {one.end: one.start for one in sorted(left)} == {one.end: one.start for one in sorted(right)}
        case "included" | "<=":
            return left <= right
        case "includes":
            return left >= right
        case "intervals":
            return {one[:2] for one in left} == {one[:2] for one in right}
        case _:
            return {one.end for one in left} == {one.end for one in right}


def shrunk(
    case: OperandsOnTrace, differs: Callable[[OperandsOnTrace], bool], *, simpler: bool = True
) -> OperandsOnTrace:
    """A case as small as single steps make it: fewer events, earlier times, smaller bounds, simpler operands."""
    return smallest(case, lambda found: filter(differs, _smaller(found, simpler=simpler)))


def _smaller(case: OperandsOnTrace, *, simpler: bool) -> Iterator[OperandsOnTrace]:
    for place in range(len(case.trace)):
        rest = case.trace[:place] + case.trace[place + 1 :]
        first = rest[0][1] if rest else 0
        yield replace(case, trace=tuple((name, time - first) for name, time in rest))
    for time in range(1, case.trace[-1][1] + 1 if case.trace else 1):
        if all(at != time for _, at in case.trace):
            yield replace(case, trace=tuple((name, at - (at > time)) for name, at in case.trace))
    for name, value in case.bounds.items():
        yield from (replace(case, bounds={**case.bounds, name: less}) for less in range(value))
    for name, text in case.operands.items() if simpler else ():
        for part in _parts(parse(text)):
            yield replace(case, operands={**case.operands, name: str(part)})


def _parts(expression: Expression) -> Iterator[Expression]:
    """An expression with an operand in the place of an operation."""
    if not isinstance(expression, Operation):
        return
    yield from expression.operands
    for place, operand in enumerate(expression.operands):
        for part in _parts(operand):
            operands = (*expression.operands[:place], part, *expression.operands[place + 1 :])
            yield Operation(expression.operator, operands, expression.bound)


def cell_data(cell: Cell) -> dict[str, Any]:
    """A cell as plain data."""
    data: dict[str, Any] = {"law": cell.law, "system": cell.setting, "standing": cell.standing}
    data |= {name: getattr(cell, name) for name in _TOLD if getattr(cell, name)}
    if cell.case is not None:
        data["trace"] = [list(event) for event in cell.case.trace]
        data |= {"operands": dict(cell.case.operands), "bounds": dict(cell.case.bounds)}
    if cell.proof is not None:
        data |= {"obligations": cell.proof.obligations, "solvers": list(cell.proof.solvers)}
    return data


_TOLD = ("why", "level", "remains", "by_ties", "cases")


def cell_from(data: Mapping[str, Any]) -> Cell:
    """The cell that `cell_data` has written."""
    case = proof = None
    if "trace" in data:
        trace = tuple((str(name), int(time)) for name, time in data["trace"])
        case = OperandsOnTrace(trace, data["operands"], data["bounds"])
    if "obligations" in data:
        proof = Proof(data["why"], data["obligations"], tuple(data["solvers"]))
    told = {name: data[name] for name in _TOLD if name in data}
    return Cell(data["law"], data["system"], data["standing"], case=case, proof=proof, **told)
