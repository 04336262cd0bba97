"""Claims restated under other definitions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

from laws.carlson_lisper.altered.definitions import AlteredDefinition, Definitions
from laws.carlson_lisper.claims import Claim, DerivedStream, EquationClaim, RestrictionClaim
from semantics.carlson_lisper.expressions import BoundParameter, Expression, Operation, bottom_up
from semantics.carlson_lisper.restriction import (
    DOMINATED,
    PRIMITIVE,
    REM,
    SAME_INTERVALS,
    VALID_INSTANCE,
    primitive_conditions,
)
from semantics.errors import InputError
from semantics.formulas import (
    And,
    End,
    ForAll,
    Formula,
    In,
    implies,
    parts_of,
    rename_streams,
    renamed,
    with_parts,
)


def restate(claim: Claim, definitions: Definitions) -> Claim:
    """The claim with rem, ≅, valid, `~=` and event types defined otherwise, in assumptions and conclusions.

    An assumption that is no longer the source's becomes the premise of every conclusion. The operators are not part of
    a claim; whoever judges it is given them.
    """
    if isinstance(claim, EquationClaim):
        compared = claim.equation.relation == "~=" and definitions.dominated != DOMINATED
        conditioned = bool(claim.primitive) and definitions.primitive != PRIMITIVE
        return _written_out(claim, definitions) if compared or conditioned else claim
    names = (*claim.streams, *claim.derived)
    changes = tuple(_changes(definitions, names))
    conclusions = tuple((name, _restated(formula, changes)) for name, formula in claim.conclusions)
    if definitions.rem is REM or not claim.restrictions:
        return replace(claim, conclusions=conclusions)
    assumed = And(assumptions(claim, definitions))
    premised = tuple((name, implies(assumed, formula)) for name, formula in conclusions)
    return replace(claim, restrictions=(), conclusions=premised)


def assumptions(claim: RestrictionClaim, definitions: Definitions) -> tuple[Formula, ...]:
    """What a claim about restrictions assumes, as formulas about its streams."""
    return tuple(
        rename_streams(condition, {"S": whole, "S'": part})
        for whole, part in claim.restrictions
        for condition in definitions.rem.conditions
    )


def _written_out(claim: EquationClaim, definitions: Definitions) -> RestrictionClaim:
    """An equation as a claim about its streams, in which its relation and its side condition are formulas."""
    derived: dict[str, DerivedStream] = {}
    for side in (claim.equation.left, claim.equation.right):
        for node in bottom_up(side):
            if isinstance(node, Operation):
                if node.bound not in (None, BoundParameter("t")):
                    raise InputError(f"only the bound t can be written out, not {node.bound}", place=claim.id)
                derived[str(node)] = DerivedStream(node.operator, tuple(map(str, node.operands)))
    left, right = str(claim.equation.left), str(claim.equation.right)

    def half(inner: str, outer: str) -> Formula:
        if claim.equation.relation == "~=":
            return rename_streams(definitions.dominated, {"S": inner, "T": outer})
        return ForAll("x", inner, In("x", outer))

    halves = [("⊆", half(left, right)), ("⊇", half(right, left))]
    conditions = primitive_conditions(sorted(claim.primitive), definitions.primitive)
    return RestrictionClaim(
        claim.id,
        claim.statement,
        claim.variables,
        derived,
        (),
        tuple(
            (name, implies(And(tuple(conditions)), formula) if conditions else formula)
            for name, formula in halves[: 1 if claim.equation.relation == "<=" else 2]
        ),
        claim.source,
        claim.reading,
        expected=claim.expected,
    )


def _changes(definitions: Definitions, names: Sequence[str]) -> Iterator[tuple[Formula, Formula]]:
    """Formulas about the named streams that the definitions contain, and what takes their place."""
    pairs: list[tuple[tuple[str, ...], Formula, Formula]] = [
        (ours.streams, condition, other)
        for ours, others in ((REM, definitions.rem), (SAME_INTERVALS, definitions.same_intervals))
        for condition, other in zip(ours.conditions, others.conditions, strict=True)
    ]
    pairs.append((("S", "T"), DOMINATED, definitions.dominated))
    ours_valid, other_valid = (
        renamed(formula, times={"τ": End("e")}) for formula in (VALID_INSTANCE, definitions.valid_instance)
    )
    pairs.append((("S",), ours_valid, other_valid))
    for streams, ours_formula, other_formula in pairs:
        if ours_formula != other_formula:
            for chosen in product(names, repeat=len(streams)):
                named = dict(zip(streams, chosen, strict=True))
                yield rename_streams(ours_formula, named), rename_streams(other_formula, named)


def _restated(formula: Formula, changes: Sequence[tuple[Formula, Formula]]) -> Formula:
    for ours, other in changes:
        if formula == ours:
            return other
    return with_parts(formula, [_restated(part, changes) for part in parts_of(formula)])


def is_about(claim: Claim, altered: AlteredDefinition) -> bool:
    """Whether a claim speaks of the altered definition at all."""
    definitions = altered.definitions
    if restate(claim, definitions) != claim:
        return True
    match claim:
        case EquationClaim():
            used = _operators_of(claim.equation.left) | _operators_of(claim.equation.right)
        case RestrictionClaim():
            used = {derived.operator for derived in claim.derived.values()}
    return any(operator.name in used for operator in definitions.altered_operators)


def _operators_of(expression: Expression) -> set[str]:
    return {node.operator for node in bottom_up(expression) if isinstance(node, Operation)}
