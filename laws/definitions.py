"""The definitions that claims rest on, as one value in which one of them can be altered; claims restated under it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

from laws.changed_formulas import changed_comparisons
from laws.claims import Claim, EquationClaim, RestrictionClaim
from semantics.expressions import Expression, Operation, bottom_up
from semantics.formulas import And, Formula, implies, rename_streams
from semantics.operators import OPERATORS, Operator
from semantics.restriction import REM, SAME_INTERVALS, VALID_ABSENCE, VALID_INSTANCE, Relation


@dataclass(frozen=True)
class Definitions:
    """The definitions of the source: operators (Def. 3.10), rem (3.12), ≅ (4.3), valid (5.2).

    Attributes:
        altered_operators: operators that take the place of the source's, by their names.
        rem: the restriction policy.
        same_intervals: the relation ≅.
        valid_instance: valid(e, S, τ) for an instance e.
        valid_absence: valid(⟨⟩, S, τ).
    """

    altered_operators: tuple[Operator, ...] = ()
    rem: Relation = REM
    same_intervals: Relation = SAME_INTERVALS
    valid_instance: Formula = VALID_INSTANCE
    valid_absence: Formula = VALID_ABSENCE

    @property
    def operators(self) -> Mapping[str, Operator]:
        """The operators by name."""
        if not self.altered_operators:
            return OPERATORS
        return {**OPERATORS, **{operator.name: operator for operator in self.altered_operators}}


SOURCE = Definitions()
"""The definitions as the source has them."""


@dataclass(frozen=True)
class AlteredDefinition:
    """The source's definitions with one comparison changed in one of them.

    Attributes:
        id: such as `seq~1`, `rem.2~3`, `valid~1`.
        name: the definition: an operator's name, `rem`, `≅` or `valid`.
        what: what was changed, in words.
        definitions: all definitions, this one altered.
    """

    id: str
    name: str
    what: str
    definitions: Definitions


@cache
def altered_definitions() -> tuple[AlteredDefinition, ...]:
    """Every change of one comparison in Def. 3.10, 3.12, 4.3 and 5.2."""
    return (*_operators(), *_relation("rem", REM), *_relation("≅", SAME_INTERVALS), *_valid())


def _operators() -> Iterator[AlteredDefinition]:
    for operator in OPERATORS.values():
        number = 0
        for place, comprehension in enumerate(operator.comprehensions):
            for changed in changed_comparisons(comprehension.condition):
                number += 1
                other = replace(comprehension, condition=changed.formula)
                parts = (*operator.comprehensions[:place], other, *operator.comprehensions[place + 1 :])
                yield AlteredDefinition(
                    f"{operator.name}~{number}",
                    operator.name,
                    f"in the definition of {operator.name}, {changed.what}",
                    Definitions(altered_operators=(replace(operator, comprehensions=parts),)),
                )


def _relation(name: str, relation: Relation) -> Iterator[AlteredDefinition]:
    for place, condition in enumerate(relation.conditions):
        for number, changed in enumerate(changed_comparisons(condition), start=1):
            conditions = (*relation.conditions[:place], changed.formula, *relation.conditions[place + 1 :])
            other = replace(relation, conditions=conditions)
            yield AlteredDefinition(
                f"{name}.{place + 1}~{number}",
                name,
                f"in condition {place + 1} of {name}, {changed.what}",
                Definitions(rem=other) if name == "rem" else Definitions(same_intervals=other),
            )


def _valid() -> Iterator[AlteredDefinition]:
    number = 0
    for changed in changed_comparisons(VALID_INSTANCE):
        number += 1
        what = f"in the definition of valid for an instance, {changed.what}"
        yield AlteredDefinition(f"valid~{number}", "valid", what, Definitions(valid_instance=changed.formula))
    for changed in changed_comparisons(VALID_ABSENCE):
        number += 1
        what = f"in the definition of valid for the non-occurrence, {changed.what}"
        yield AlteredDefinition(f"valid~{number}", "valid", what, Definitions(valid_absence=changed.formula))


# ------------------------------------------------------------------------------------------------------ restating


def restate(claim: Claim, definitions: Definitions) -> Claim:
    """The claim with rem and ≅ defined otherwise, in its assumptions and its conclusions.

    An assumption that is no longer the source's rem becomes the premise of every conclusion. The operators are not
    part of a claim; whoever judges it is given them.
    """
    if isinstance(claim, EquationClaim):
        return claim
    conclusions = tuple((name, _restated(formula, claim, definitions)) for name, formula in claim.conclusions)
    if definitions.rem is REM:
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


def _restated(formula: Formula, claim: RestrictionClaim, definitions: Definitions) -> Formula:
    names = (*claim.streams, *claim.derived)
    for ours, others in ((REM, definitions.rem), (SAME_INTERVALS, definitions.same_intervals)):
        for condition, other in zip(ours.conditions, others.conditions, strict=True):
            for chosen in product(names, repeat=2):
                renamed = dict(zip(ours.streams, chosen, strict=True))
                if formula == rename_streams(condition, renamed):
                    return rename_streams(other, renamed)
    return formula


def is_about(claim: Claim, altered: AlteredDefinition) -> bool:
    """Whether a claim speaks of the altered definition at all."""
    definitions = altered.definitions
    match claim:
        case EquationClaim():
            used = _operators_of(claim.equation.left) | _operators_of(claim.equation.right)
        case RestrictionClaim():
            if restate(claim, definitions) != claim:
                return True
            used = {derived.operator for derived in claim.derived.values()}
    return any(operator.name in used for operator in definitions.altered_operators)


def _operators_of(expression: Expression) -> set[str]:
    return {node.operator for node in bottom_up(expression) if isinstance(node, Operation)}
