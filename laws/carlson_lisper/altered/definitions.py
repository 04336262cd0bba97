"""Definitions on which claims rest, as one value in which each can be altered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from laws.carlson_lisper.altered.changed_formulas import ChangedFormula, changed_comparisons
from semantics.carlson_lisper import restriction
from semantics.carlson_lisper.operators import OPERATORS, Operator, Operators
from semantics.formulas import Formula


@dataclass(frozen=True)
class Definitions:
    """The definitions: operators (Def. 3.10), rem (3.12), ≅ (4.3), valid (5.2), event types (3.3, 3.4), and `~=`.

    Attributes:
        altered_operators: operators that take the place of the source's, by their names.
        rem: the restriction policy.
        same_intervals: the relation ≅.
        valid_instance: valid(e, S, τ) for an instance e.
        valid_absence: valid(⟨⟩, S, τ).
        dominated: one half of `~=`, the same detections.
        primitive: what holds of the streams of event types.
    """

    altered_operators: tuple[Operator, ...] = ()
    rem: restriction.Relation = restriction.REM
    same_intervals: restriction.Relation = restriction.SAME_INTERVALS
    valid_instance: Formula = restriction.VALID_INSTANCE
    valid_absence: Formula = restriction.VALID_ABSENCE
    dominated: Formula = restriction.DOMINATED
    primitive: restriction.Relation = restriction.PRIMITIVE

    @property
    def operators(self) -> Operators:
        """The operators by name."""
        if not self.altered_operators:
            return OPERATORS
        return {**OPERATORS, **{operator.name: operator for operator in self.altered_operators}}


SOURCE = Definitions()
"""The definitions as the source has them."""


@dataclass(frozen=True)
class AlteredDefinition:
    """The source's definitions with one thing changed in one of them.

    Attributes:
        id: such as `seq~1`, `rem.2~3`, `valid~1`; another sign than `~` says what kind of change it is.
        name: the definition: an operator's name, `rem`, `≅`, `valid`, `~=` or `primitive`.
        what: what was changed, in words.
        definitions: all definitions, this one altered.
    """

    id: str
    name: str
    what: str
    definitions: Definitions


@cache
def altered_definitions() -> tuple[AlteredDefinition, ...]:
    """Every change of one comparison in Def. 3.3, 3.4, 3.10, 3.12, 4.3, 5.2 and the definition of `~=`."""
    relations = (altered(place, changed_comparisons(place.formula), "~") for place in places())
    return (*_operators(), *(each for some in relations for each in some))


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


@dataclass(frozen=True)
class _Place:
    """A formula in the definitions.

    Attributes:
        id: what a change of it is called, up to its number.
        words: where it stands.
        instances: the instances that it speaks of and does not quantify over.
    """

    id: str
    name: str
    words: str
    formula: Formula
    streams: tuple[str, ...]
    definitions: Callable[[Formula], Definitions]
    instances: tuple[str, ...] = ()


def places() -> Iterator[_Place]:
    """The formulas outside the definitions of operators."""
    yield from _conditions("rem", restriction.REM, lambda other: Definitions(rem=other))
    yield from _conditions("≅", restriction.SAME_INTERVALS, lambda other: Definitions(same_intervals=other))
    yield _Place(
        "valid.1",
        "valid",
        "the definition of valid for an instance",
        restriction.VALID_INSTANCE,
        ("S",),
        lambda formula: Definitions(valid_instance=formula),
        ("e",),
    )
    yield _Place(
        "valid.2",
        "valid",
        "the definition of valid for the non-occurrence",
        restriction.VALID_ABSENCE,
        ("S",),
        lambda formula: Definitions(valid_absence=formula),
    )
    yield _Place(
        "~=",
        "~=",
        "the definition of ~=",
        restriction.DOMINATED,
        ("S", "T"),
        lambda formula: Definitions(dominated=formula),
    )
    yield from _conditions("primitive", restriction.PRIMITIVE, lambda other: Definitions(primitive=other))


def _conditions(
    name: str, relation: restriction.Relation, definitions: Callable[[restriction.Relation], Definitions]
) -> Iterator[_Place]:
    for place, condition in enumerate(relation.conditions):

        def others(formula: Formula, place: int = place) -> Definitions:
            conditions = (*relation.conditions[:place], formula, *relation.conditions[place + 1 :])
            return definitions(replace(relation, conditions=conditions))

        words = f"condition {place + 1} of {name}"
        yield _Place(f"{name}.{place + 1}", name, words, condition, relation.streams, others)


def altered(place: _Place, changes: Iterable[ChangedFormula], sign: str) -> Iterator[AlteredDefinition]:
    """The definitions with each of some changes in a place."""
    for number, changed in enumerate(changes, start=1):
        yield AlteredDefinition(
            f"{place.id}{sign}{number}",
            place.name,
            f"in {place.words}, {changed.what}",
            place.definitions(changed.formula),
        )
