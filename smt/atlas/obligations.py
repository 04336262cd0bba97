"""Laws in settings as first-order obligations about pairs, for operands that are any sets of instances.

A side of a law is made of pairs: its sequence or conjunction says which instances pair, and what stands around it
leaves some of them out. Where the same instances pair on both sides, both sides are equal. The converse does not hold:
what is not proved may still be a law.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from laws.carlson_lisper.claims import EquationClaim
from semantics.atlas.catalogue import Setting
from semantics.atlas.pairs import CountingPairs, Pairs
from semantics.carlson_lisper.expressions import BoundParameter, Expression, Identifier, Operation, bound_parameters
from semantics.hinze_voisard.pairing import Listed
from smt.attempts import Attempt, Hypotheses, Provable, Search
from smt.obligations import Obligation, Theory
from smt.smtlib import LOGIC, SORT, TimeSort, conjunction, disjunction, negation
from smt.solvers.portfolio import Portfolio

LADDER = (Attempt((), {"z3": 3_000_000, "cvc5": 600_000}),)
"""The work for an obligation."""

CONSISTENT = 1_000_000
"""The work of the first solver for a model of what an obligation assumes."""

THEORY = Theory(
    (
        "(declare-sort Instance 0)",
        "(declare-fun start (Instance) {time})",
        "(declare-fun end (Instance) {time})",
        "(declare-fun rank (Instance) Int)",
        "(declare-fun apart (Instance Instance) Bool)",
    ),
    MappingProxyType(
        {
            "interval": "(forall ((x Instance)) (<= (start x) (end x)))",
            "rank": "(forall ((x Instance) (y Instance)) (=> (= (rank x) (rank y)) (= x y)))",
            "apart": "(forall ((x Instance) (y Instance)) (= (apart x y) (apart y x)))",
            "not apart": "(forall ((x Instance)) (not (apart x x)))",
        }
    ),
)
"""Instances: intervals, an order among those with equal intervals, and whether two share no occurrence."""

_COMPARISONS = {
    "points": "(< (end x) (end y))",
    "intervals": "(< (end x) (start y))",
    "starts not later": "(<= (start x) (start y))",
    "ends earlier": "(< (end x) (end y))",
    "ends not later": "(<= (end x) (end y))",
    "end together": "(= (end x) (end y))",
    "precedes": "(or (< (end x) (end y)) (and (= (end x) (end y)) (or (< (start x) (start y))"
    " (and (= (start x) (start y)) (< (rank x) (rank y))))))",
    "includes": "(and (<= (start x) (start y)) (<= (end y) (end x)))",
    "apart": "(apart x y)",
}

Names = Mapping[str, str]
"""The terms that stand for variables."""


class NotPairs(ValueError):
    """A law or a setting whose sides these obligations cannot say."""


@dataclass(frozen=True)
class Formula:
    """A formula of first-order logic about instances.

    Attributes:
        text: the formula by the terms for its variables and the number of quantifiers around it.
    """

    variables: tuple[str, ...]
    text: Callable[[Names, int], str]

    def at(self, *names: str) -> Formula:
        """The formula about instances with other names, in the order of its variables."""
        own = self.variables

        def text(terms: Names, depth: int) -> str:
            return self.text({old: terms[new] for old, new in zip(own, names, strict=True)}, depth)

        return Formula(names, text)


class Formulas:
    """Connectives and quantifiers of formulas."""

    def all_of(self, *relations: Formula, but: Sequence[Formula] = ()) -> Formula:
        """The conjunction of formulas and of the negations of others."""
        return Formula(
            _variables([*relations, *but]),
            lambda terms, depth: conjunction(
                [*(each.text(terms, depth) for each in relations), *(negation(each.text(terms, depth)) for each in but)]
            ),
        )

    def any_of(self, *relations: Formula) -> Formula:
        """The disjunction."""
        return Formula(
            _variables(relations), lambda terms, depth: disjunction(each.text(terms, depth) for each in relations)
        )

    def exists(self, quantified: Sequence[str], relation: Formula) -> Formula:
        """The formula about the other instances for which there are such instances."""

        def text(terms: Names, depth: int) -> str:
            bound = {name: f"{name}{depth}" for name in quantified}
            declared = " ".join(f"({name} Instance)" for name in bound.values())
            return f"(exists ({declared}) {relation.text({**terms, **bound}, depth + 1)})"

        return Formula(tuple(name for name in relation.variables if name not in quantified), text)


class FormulaPairs(Pairs[Formula]):
    """The pairs of a setting as formulas."""

    def compared(self, name: str) -> Formula:
        """A comparison between `x` and `y`."""
        return stated(("x", "y"), _COMPARISONS[name])

    def stored(self, left: Formula, right: Formula) -> Formula:
        """Not a formula of first-order logic."""
        raise NotPairs("what is open depends on all that was completed before")


def _variables(relations: Sequence[Formula]) -> tuple[str, ...]:
    return tuple(sorted({name for each in relations for name in each.variables}))


def stated(variables: tuple[str, ...], formula: str) -> Formula:
    """The formula of a text in which variables are whole words."""
    words = formula.replace("(", " ( ").replace(")", " ) ").split()

    def text(terms: Names, depth: int) -> str:
        joined = " ".join(terms.get(word, word) if word in variables else word for word in words)
        return joined.replace("( ", "(").replace(" )", ")")

    return Formula(variables, text)


@dataclass(frozen=True)
class Sides:
    """The sides of a law in a setting as formulas about instances `x` and `y` that pair."""

    setting: Setting
    pairs: FormulaPairs

    def of(self, expression: Expression) -> Formula:
        """The pairs that make up an expression.

        Raises:
            NotPairs: it has more than one sequence or conjunction within each other, or none.
        """
        logic = self.pairs.logic
        if not isinstance(expression, Operation):
            raise NotPairs("an operand is no pair")
        if expression.operator == "dis":
            return logic.any_of(*map(self.of, expression.operands))
        if expression.operator == "tim":
            native = isinstance(expression.operands[0], Operation) and self.setting.spans == "native"
            if native:
                raise NotPairs("a native span takes part in the selection")
            return logic.all_of(self.of(expression.operands[0]), lasts(expression, _SPAN))
        if expression.operator == "neg":
            within = logic.all_of(self.operand(expression.operands[1]).at("z"), stated(("x", "y", "z"), _WITHIN))
            return logic.all_of(self.of(expression.operands[0]), but=[logic.exists(["z"], within)])
        left, right = map(self.operand, expression.operands)
        if expression.operator == "seq":
            return self.pairs.sequence_pairs(left, right)
        found = self.pairs.conjunction_pairs(left, right)
        return logic.any_of(found, found.at("y", "x"))  # whichever is called the first

    def operand(self, expression: Expression) -> Formula:
        """The instances `x` of an operand, which is made of arbitrary sets.

        Raises:
            NotPairs: there is a sequence or conjunction in it.
        """
        logic = self.pairs.logic
        if isinstance(expression, Identifier):
            return stated(("x",), f"({expression.name} x)")
        assert isinstance(expression, Operation)
        match expression.operator:
            case "dis":
                return logic.any_of(*map(self.operand, expression.operands))
            case "tim":
                return logic.all_of(self.operand(expression.operands[0]), lasts(expression, "(- (end x) (start x))"))
            case "neg":
                left, right = map(self.operand, expression.operands)
                inside = logic.all_of(right.at("y"), self.pairs.compared("includes"))
                return logic.all_of(left, but=[logic.exists(["y"], inside)])
            case _:
                raise NotPairs("an operand is made of pairs itself")


_FIRST = "(ite (<= (start x) (start y)) (start x) (start y))"
_LAST = "(ite (<= (end x) (end y)) (end y) (end x))"
_SPAN = f"(- {_LAST} {_FIRST})"
_WITHIN = f"(and (<= {_FIRST} (start z)) (<= (end z) {_LAST}))"


def lasts(expression: Operation, span: str) -> Formula:
    """Condition that a span is at most the bound of an expression."""
    if not isinstance(expression.bound, BoundParameter):
        raise NotPairs("a bound that is computed")
    return stated(("x", "y") if "y" in span else ("x",), f"(<= {span} {expression.bound.name})")


@dataclass(frozen=True)
class Same(Provable):
    """A law in a setting as obligations: what holds of two instances on one side holds on the other one.

    Attributes:
        parts: what is said of two instances `x` and `y` by both sides.
        declared: what is arbitrary beside the operands, as commands.
        concluded: what is to be concluded from one side, by the formula of the other.
    """

    law: EquationClaim
    parts: Mapping[str, tuple[Formula, Formula]]
    heading: str
    declared: tuple[str, ...] = ()
    theory: Theory = THEORY
    concluded: Callable[[Formula], Formula] = lambda other: other
    ladder: tuple[Attempt, ...] = LADDER

    @property
    def claim(self) -> EquationClaim:
        """The law."""
        return self.law

    def obligations(self, time: TimeSort) -> list[Obligation]:
        """Two for each part, one for each direction."""
        return [
            self._obligation(f"{name}{direction}", one, self.concluded(other), time)
            for name, (left, right) in self.parts.items()
            for direction, one, other in (("⊆", left, right), ("⊇", right, left))
        ]

    def _obligation(self, direction: str, one: Formula, other: Formula, time: TimeSort) -> Obligation:
        terms = {"x": "p", "y": "q"}
        parameters = sorted(bound_parameters(self.law.equation.left) | bound_parameters(self.law.equation.right))
        return Obligation(
            f"{self.law.id}/{direction}",
            self.law.id,
            direction,
            (f"{self.law.id} {direction}: {self.law.statement}", self.heading),
            self.theory,
            tuple(self.theory.axioms),
            time,
            LOGIC[time],
            (
                *(f"(declare-fun {name} (Instance) Bool)" for name in sorted(self.law.variables)),
                *(f"(declare-const {name} {SORT[time]})" for name in parameters),
                *self.declared,
                "(declare-const p Instance)",
                "(declare-const q Instance)",
            ),
            (one.text(terms, 0), negation(other.text(terms, 0))),
        )

    def refute(self, effort: int, portfolio: Portfolio) -> Search:
        """Not looked for: other pairs may make the same instances."""
        return Search()

    def hypotheses(self, direction: str, portfolio: Portfolio) -> Hypotheses:
        """Whether there are instances that pair on one side."""
        asked = next(each for each in self.obligations("int") if each.direction == direction)
        assumed = asked.text.rpartition("(assert ")[0] + "(check-sat)\n"
        status = portfolio.solvers[0].check(assumed, rlimit=CONSISTENT).status
        if status == "unsat":
            return Hypotheses("they contradict each other", vacuous=True)
        return Hypotheses("satisfiable" if status == "sat" else "not known to be satisfiable")


def same_pairs(law: EquationClaim, setting: Setting) -> Provable:
    """Obligation that the same instances pair on both sides of a law in a setting.

    Raises:
        NotPairs: these obligations cannot say it.
    """
    try:
        pairs = FormulaPairs(Formulas(), setting.clock, setting.pairing)
    except CountingPairs as error:
        raise NotPairs(str(error)) from None
    if setting.context and setting.context.together:
        raise NotPairs("an instance is made of more than a pair")
    sides = Sides(setting, pairs)
    left, right = sides.of(law.equation.left), sides.of(law.equation.right)
    return Same(law, {"": (left, right)}, f"In {setting.name}, the same instances pair on both sides.")


def same_lists(law: EquationClaim, setting: Setting) -> Provable:
    """Obligation that the duplicate lists of two conjunctions are the same: all else follows from these.

    Raises:
        NotPairs: the law is about something else, or the setting has no such lists.
    """
    sides = (law.equation.left, law.equation.right)
    lists = isinstance(setting.pairing, Listed) and not setting.pairing.by_operand
    if not lists or not all(isinstance(side, Operation) and side.operator == "con" for side in sides):
        raise NotPairs("this is not about two conjunctions by duplicate lists")
    pairs = FormulaPairs(Formulas(), setting.clock, Listed("all", "all", "keep"))
    views = [
        pairs.view(*map(Sides(setting, pairs).operand, side.operands)) for side in sides if isinstance(side, Operation)
    ]
    names = ("in the view ", "in one list ", "of each operand ")
    return Same(
        law, dict(zip(names, zip(*views, strict=True), strict=True)), "The duplicate lists of both sides are the same."
    )


def same_places(law: EquationClaim, setting: Setting) -> Provable:
    """Obligation that the n-th instance pairs with the same one on both sides of a law about chronicle conjunctions.

    A chronicle conjunction pairs the n-th instance of one operand in the order of time with the n-th one of the other;
    the place n of an instance in an operand depends on nothing else.

    Raises:
        NotPairs: the law is about something else, or the setting is another one.
    """

    def paired(side: Expression) -> Formula:
        oldest = setting.context is not None and setting.context.opens == "oldest"
        if not oldest or not isinstance(side, Operation) or side.operator != "con":
            raise NotPairs("this is not about two conjunctions of the oldest instances")
        left, right = map(str, side.operands)
        if not all(isinstance(operand, Identifier) for operand in side.operands):
            raise NotPairs("the places in what is composed are not known")
        found = stated(("x", "y"), f"(and ({left} x) ({right} y) (= (place_{left} x) (place_{right} y)))")
        return Formulas().any_of(found, found.at("y", "x"))

    return Same(
        law,
        {"": (paired(law.equation.left), paired(law.equation.right))},
        f"In {setting.name}, instances with equal places pair on both sides.",
        tuple(f"(declare-fun place_{name} (Instance) Int)" for name in sorted(law.variables)),
    )
