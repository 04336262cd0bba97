"""Rules of the planner beside the claims that they rest on.

The claim for a rule has its name. Both sides of the claim are read as expressions of the algebra, over relations with a
column that all share and some of their own; the rule has to make the right one of the left one, and nothing where a
condition is about another relation. So a rule without a claim is noticed, and one that does other things than are
proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from laws.bry_eckert.claims import TupleClaim
from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.planning import Rewriting
from semantics.bry_eckert.algebra.translation import RESULT
from semantics.bry_eckert.temporal import Timing, inside
from semantics.bry_eckert.terms import Comparison, Constant, Variable
from smt.s_expressions import SExpression, parse_all

GROUP = "rules:rewriting/"


def claims_of(rule: str, claims: Sequence[TupleClaim]) -> list[TupleClaim]:
    """The claims for a rule, one for each of its cases."""
    name = GROUP + rule.replace("_", "-")
    return [claim for claim in claims if claim.id.partition(".")[0] == name]


def objections(rules: Mapping[str, Rewriting], claims: Sequence[TupleClaim]) -> Iterator[str]:
    """What speaks against rules: that there is no claim for one, or that it does something else, or too much."""
    for name, rule in rules.items():
        found = claims_of(name, claims)
        if not found:
            yield f"{name} has no claim"
        for claim in found:
            left, right = sides(claim)
            if rule(left) != right:
                yield f"{name} does not do what {claim.id} says"
            for other in _elsewhere(claim):
                proved = [made for given, made in map(sides, found) if given == other]
                if rule(other) not in (None, *proved):
                    yield f"{name} does something where {claim.id} does not apply"


def sides(claim: TupleClaim) -> tuple[plans.Expression, plans.Expression]:
    """Both sides of an equation of relations, as expressions.

    Raises:
        ValueError: the claim is no such equation.
    """
    left, right = _formulas(claim)
    reading = _Reading(_about(claim))
    return reading.expression(left), reading.expression(right)


def _elsewhere(claim: TupleClaim) -> Iterator[plans.Expression]:
    """The left side with a condition or a timer that is about another relation than is given."""
    left, _ = _formulas(claim)
    for name, relation in _about(claim).items():
        for other in claim.relations:
            if other.isupper() and other != relation:
                yield _Reading({**_about(claim), name: other}).expression(left)


def _formulas(claim: TupleClaim) -> tuple[SExpression, SExpression]:
    match parse_all(claim.says):
        case [("=", (*left, "t"), (*right, "t"))]:
            return tuple(left), tuple(right)
    raise ValueError(f"{claim.id} is no equation of relations")


def _about(claim: TupleClaim) -> dict[str, str]:
    """By condition or timer, the relation whose columns it is about: `(about c onR t)` is given of a c about R."""
    parsed = [one for text in claim.given for one in parse_all(text)]
    return {str(one[1]): str(one[2])[2:3] for one in parsed if isinstance(one, tuple) and one[0] == "about"}


@dataclass(frozen=True)
class _Reading:
    """Expressions of formulas; a condition is about the first relation to which it is put, if nothing else is said."""

    about: dict[str, str]

    def expression(self, part: SExpression) -> plans.Expression:
        """The expression that a part of a formula stands for."""
        match part:
            case str(name) | (str(name),):
                return _relation(name)
            case ("select", str(name), operand):
                inner = self.expression(operand)
                about = self._of(name, inner)
                return plans.Select(Comparison(Variable(f"{about}_{name}"), "<", Constant(0)), inner)
            case ("join", _, _, left, right):
                return plans.Join(self.expression(left), self.expression(right))
            case ("timer", _, str(name), operand):
                inner = self.expression(operand)
                return plans.Timer(Timing("w", "extend", self._of(name, inner), 5), inner)
            case ("absent", _, left, right):
                kept, absent = self.expression(left), self.expression(right)
                return plans.AntiSemiJoin(kept, absent, inside(_first(absent), _first(kept)))
            case ("image", _, operand):
                inner = self.expression(operand)
                return plans.Merge(RESULT, plans.identifiers_of(inner.schema), inner)
        raise ValueError(f"{part} is no expression of relations")

    def _of(self, name: str, operand: plans.Expression) -> str:
        return self.about.setdefault(name, _first(operand))


def _first(expression: plans.Expression) -> str:
    return next(name for part in plans.read(expression) for name in plans.identifiers_of(part.schema))


def _relation(name: str) -> plans.Base:
    """A relation of a name, with the column `shared`, and for each condition one of its own."""
    own = (f"{name}_{condition}" for condition in ("c", "d"))
    return plans.Base(name, name, tuple((column, Variable(column)) for column in ("shared", *own)))
