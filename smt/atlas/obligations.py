"""Laws in settings as first-order obligations about instances, for operands that are any sets of them.

Where the same instances pair on both sides, both sides are equal. Otherwise an instance made of two is `(both x y)`,
and where pairs are beyond first-order logic, that of an arbitrary predicate; what is not proved may still be a law.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from laws.carlson_lisper.claims import EquationClaim
from semantics.atlas.catalogue import Context, Setting
from semantics.atlas.pairs import NotPairs, Pairs
from semantics.carlson_lisper.expressions import BoundParameter, Expression, Identifier, Operation, bound_parameters
from semantics.hinze_voisard.pairing import Listed
from smt.attempts import Attempt, Hypotheses, Provable, Search
from smt.obligations import Obligation, Theory
from smt.smtlib import LOGIC, SORT, TimeSort, conjunction, disjunction, negation
from smt.solvers.portfolio import Portfolio

CONSISTENT = 1_000_000  # The work of the first solver for a model of what an obligation assumes

_WRITTEN = tomllib.loads(Path(__file__).with_name("theory.toml").read_text("utf-8"))

THEORY = Theory(tuple(_WRITTEN["declarations"]), _WRITTEN["axioms"])
"""Instances: intervals, an order among those with equal intervals, and whether two share no occurrence."""

_FIRST = "(ite (<= (start x) (start y)) (start x) (start y))"
_LAST = "(ite (<= (end x) (end y)) (end y) (end x))"

COMPOSED = Theory(
    (*THEORY.declarations, "(declare-fun both (Instance Instance) Instance)"), {**THEORY.axioms, **_WRITTEN["both"]}
)
"""Instances, and the instance of the occurrences of two."""

_COMPARISONS: Mapping[str, str] = _WRITTEN["comparisons"]

Names = Mapping[str, str]  # The terms that stand for variables


@dataclass(frozen=True)
class Formula:
    """A formula about instances: its text by the terms for its variables and the number of quantifiers around it."""

    variables: tuple[str, ...]
    text: Callable[[Names, int], str]

    def at(self, *names: str) -> Formula:
        """The formula about instances with other names, in the order of its variables."""
        own = self.variables

        def text(terms: Names, depth: int) -> str:
            return self.text({old: terms[new] for old, new in zip(own, names, strict=True)}, depth)

        return Formula(names, text)


def stated(variables: str, formula: str) -> Formula:
    """The formula of a text in which variables, of one letter each, are whole words."""
    words = formula.replace("(", " ( ").replace(")", " ) ").split()

    def text(terms: Names, depth: int) -> str:
        joined = " ".join(terms.get(word, word) if word in variables else word for word in words)
        return joined.replace("( ", "(").replace(" )", ")")

    return Formula(tuple(variables), text)


class Formulas:
    """Connectives and quantifiers of formulas."""

    def all_of(self, *relations: Formula, but: Sequence[Formula] = ()) -> Formula:
        """The conjunction of formulas and of the negations of others."""

        def text(terms: Names, depth: int) -> str:
            refused = (negation(each.text(terms, depth)) for each in but)
            return conjunction([*(each.text(terms, depth) for each in relations), *refused])

        return Formula(_variables(*relations, *but), text)

    def any_of(self, *relations: Formula) -> Formula:
        """The disjunction."""

        def text(terms: Names, depth: int) -> str:
            return disjunction(each.text(terms, depth) for each in relations)

        return Formula(_variables(*relations), text)

    def exists(self, quantified: Sequence[str], relation: Formula) -> Formula:
        """The formula about the other instances for which there are such instances."""

        def text(terms: Names, depth: int) -> str:
            bound = {name: f"{name}{depth}" for name in quantified}
            declared = " ".join(f"({name} Instance)" for name in bound.values())
            return f"(exists ({declared}) {relation.text({**terms, **bound}, depth + 1)})"

        return Formula(tuple(name for name in relation.variables if name not in quantified), text)


_LOGIC = Formulas()


def _variables(*relations: Formula) -> tuple[str, ...]:
    return tuple(sorted({name for each in relations for name in each.variables}))


class FormulaPairs(Pairs[Formula]):
    """The pairs of a setting as formulas."""

    def compared(self, name: str) -> Formula:
        """A comparison between `x` and `y`."""
        if name not in _COMPARISONS:
            raise NotPairs("what lies between two instances is no matter of their intervals")
        return stated("xy", _COMPARISONS[name])

    def stored(self, left: Formula, right: Formula) -> Formula:
        """Not a formula of first-order logic."""
        raise NotPairs("what is open depends on all that was completed before")


def _lasts(setting: Setting, expression: Operation, span: str) -> Formula:
    """Condition that a span is at most the bound of an expression."""
    if isinstance(expression.operands[0], Operation) and setting.spans == "native":
        raise NotPairs("a native span takes part in the selection")
    if not isinstance(expression.bound, BoundParameter):
        raise NotPairs("a bound that is computed")
    return stated("xy" if "y" in span else "x", f"(<= {span} {expression.bound.name})")


def _instances(
    setting: Setting, expression: Expression, composed: Callable[[str, Formula, Formula], Formula]
) -> Formula:
    """The instances `x` of an expression, by what is made of the operands of a sequence or conjunction.

    Where the setting restricts what operators make, identifiers stand for what is restricted too.
    """
    found = _whole(setting, expression, composed)
    return FormulaPairs(_LOGIC, setting).whole_or_rem(found) if setting.restricted else found


def _whole(setting: Setting, expression: Expression, composed: Callable[[str, Formula, Formula], Formula]) -> Formula:
    """The instances `x` of an expression before it is restricted."""
    if isinstance(expression, Identifier):
        return stated("x", f"({expression.name} x)")
    assert isinstance(expression, Operation)
    operands = [_instances(setting, each, composed) for each in expression.operands]
    match expression.operator:
        case "dis":
            return _LOGIC.any_of(*operands)
        case "tim":
            return _LOGIC.all_of(operands[0], _lasts(setting, expression, "(- (end x) (start x))"))
        case "neg":
            inside = _LOGIC.all_of(operands[1].at("y"), stated("xy", _COMPARISONS["includes"]))
            return _LOGIC.all_of(operands[0], but=[_LOGIC.exists(["y"], inside)])
        case operator:
            return composed(operator, *operands)


def _operand(setting: Setting, expression: Expression) -> Formula:
    """The instances of an operand in which there is no sequence or conjunction."""

    def composed(operator: str, left: Formula, right: Formula) -> Formula:
        raise NotPairs("an operand is made of pairs itself")

    return _instances(setting, expression, composed)


def _paired(setting: Setting, pairs: FormulaPairs, expression: Expression) -> Formula:
    """The instances `x` and `y` that pair to make up an expression with one sequence or conjunction on each branch."""
    if not isinstance(expression, Operation):
        raise NotPairs("an operand is no pair")
    if expression.operator in ("seq", "con"):
        left, right = (_operand(setting, each) for each in expression.operands)
        if expression.operator == "seq":
            return pairs.sequence_pairs(left, right)
        found = pairs.conjunction_pairs(left, right)
        return _LOGIC.any_of(found, found.at("y", "x"))  # whichever is called the first
    if expression.operator == "dis":
        return _LOGIC.any_of(*(_paired(setting, pairs, each) for each in expression.operands))
    found = _paired(setting, pairs, expression.operands[0])
    if expression.operator == "tim":
        return _LOGIC.all_of(found, _lasts(setting, expression, f"(- {_LAST} {_FIRST})"))
    inside = stated("xyz", f"(and (<= {_FIRST} (start z)) (<= (end z) {_LAST}))")
    within = _LOGIC.all_of(_operand(setting, expression.operands[1]).at("z"), inside)
    return _LOGIC.all_of(found, but=[_LOGIC.exists(["z"], within)])


@dataclass(frozen=True)
class Same(Provable):
    """A law in a setting as obligations: what holds of `x` and `y` on one side is concluded of them on the other one.

    `parts` has what both sides say; `declared` what is arbitrary beside the operands, as commands.
    """

    claim: EquationClaim
    parts: Mapping[str, tuple[Formula, Formula]]
    heading: str
    declared: tuple[str, ...] = ()
    theory: Theory = THEORY
    concluded: Callable[[Formula], Formula] = lambda other: other
    ladder: tuple[Attempt, ...] = (Attempt((), {"z3": 3_000_000, "cvc5": 600_000}),)

    def obligations(self, time: TimeSort) -> list[Obligation]:
        """Two for each part, one for each direction."""
        return [
            self._obligation(f"{name}{direction}", one, self.concluded(other), time)
            for name, (left, right) in self.parts.items()
            for direction, one, other in (("⊆", left, right), ("⊇", right, left))
        ]

    def _obligation(self, direction: str, one: Formula, other: Formula, time: TimeSort) -> Obligation:
        law, terms = self.claim, {"x": "p", "y": "q"}
        parameters = sorted(bound_parameters(law.equation.left) | bound_parameters(law.equation.right))
        declared = [f"(declare-fun {name} (Instance) Bool)" for name in sorted(law.variables)]
        declared += [f"(declare-const {name} {SORT[time]})" for name in parameters]
        declared += [*self.declared, "(declare-const p Instance)", "(declare-const q Instance)"]
        heading, axioms = (f"{law.id} {direction}: {law.statement}", self.heading), tuple(self.theory.axioms)
        asserted, id = (one.text(terms, 0), negation(other.text(terms, 0))), f"{law.id}/{direction}"
        return Obligation(
            id, law.id, direction, heading, self.theory, axioms, time, LOGIC[time], tuple(declared), asserted
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
    """Obligation that the same instances pair on both sides of a law in a setting."""
    pairs = FormulaPairs(_LOGIC, setting)
    if setting.restricted or (setting.context and setting.context.together):
        raise NotPairs("an instance is made of more than a pair")
    left, right = (_paired(setting, pairs, side) for side in (law.equation.left, law.equation.right))
    return Same(law, {"": (left, right)}, f"In {setting.name}, the same instances pair on both sides.")


def same_lists(law: EquationClaim, setting: Setting) -> Provable:
    """Obligation that the duplicate lists of two conjunctions are the same: all else follows from these."""
    lists = isinstance(setting.pairing, Listed) and not setting.pairing.by_operand
    sides = [side for side in (law.equation.left, law.equation.right) if isinstance(side, Operation)]
    if not lists or [side.operator for side in sides] != ["con", "con"]:
        raise NotPairs("this is not about two conjunctions by duplicate lists")
    pairs = FormulaPairs(_LOGIC, replace(setting, pairing=Listed("all", "all", "keep")))
    views = [pairs.view(*(_operand(setting, each) for each in side.operands)) for side in sides]
    names = ("in the view ", "in one list ", "of each operand ")
    parts = dict(zip(names, zip(*views, strict=True), strict=True))
    return Same(law, parts, "The duplicate lists of both sides are the same.")


def same_places(law: EquationClaim, setting: Setting) -> Provable:
    """Obligation that the n-th instances pair with the same ones on both sides of a law about chronicle conjunctions.

    These pair the n-th instance of one operand in the order of time with the n-th one of the other, and n depends on
    nothing else.
    """

    def paired(side: Expression) -> Formula:
        oldest = isinstance(setting.conjoined, Context) and setting.conjoined.opens == "oldest"
        if not oldest or not isinstance(side, Operation) or side.operator != "con":
            raise NotPairs("this is not about two conjunctions of the oldest instances")
        left, right = map(str, side.operands)
        if not all(isinstance(operand, Identifier) for operand in side.operands):
            raise NotPairs("the places in what is composed are not known")
        found = stated("xy", f"(and ({left} x) ({right} y) (= (place_{left} x) (place_{right} y)))")
        return _LOGIC.any_of(found, found.at("y", "x"))

    return Same(
        law,
        {"": (paired(law.equation.left), paired(law.equation.right))},
        f"In {setting.name}, instances with equal places pair on both sides.",
        tuple(f"(declare-fun place_{name} (Instance) Int)" for name in sorted(law.variables)),
    )


def same_instances(law: EquationClaim, setting: Setting) -> Provable:
    """A law in a setting by its pairs: each instance of one side is one of the other, or is shown by one."""
    pairs = FormulaPairs(_LOGIC, setting)
    return _Composed(setting, pairs).related(law, f"In {setting.name}")


def same_whatever_pairs(law: EquationClaim, setting: Setting) -> Provable:
    """A law in a setting by what is so whatever pairs."""
    context = setting.conjoined if isinstance(setting.conjoined, Context) else None
    special = context is not None and (context.opens == "oldest" or (context.uses_up and not context.together))
    where = f" in the {context.name} context" if context is not None and special else ""
    return _Composed(setting, None).related(law, f"Over {setting.clock}{where}, whatever pairs")


@dataclass(frozen=True)
class _Composed:
    """What a setting makes of two operands, by its pairs; without, arbitrary predicates, by operator and operands.

    Of these is assumed, as commands, what is so in every setting: in the interval of each two instances of the operands
    lie, in turn in a sequence, that make it up.
    """

    setting: Setting
    pairs: FormulaPairs | None
    made: dict[tuple[str, str, str], str] = field(default_factory=dict)
    assumed: list[str] = field(default_factory=list)

    def related(self, law: EquationClaim, where: str) -> Provable:
        left, right = (
            _instances(self.setting, side, self._composed) for side in (law.equation.left, law.equation.right)
        )
        ladder = (Attempt(tuple(COMPOSED.axioms), {"z3": 250_000, "cvc5": 100_000}),)  # proofs take less than half
        words, concluded = "each instance of one side is one of the other.", Same.concluded
        if law.equation.relation == "~=":
            words = "for each instance of one side one of the other ends together with it and starts no earlier."
            concluded = _shown
        if law.equation.relation == "[=]":
            words = "each interval of an instance of one side is that of one of the other."
            concluded = _spanned
        return Same(law, {"": (left, right)}, f"{where}, {words}", tuple(self.assumed), COMPOSED, concluded, ladder)

    def _composed(self, operator: str, left: Formula, right: Formula) -> Formula:
        texts = (left.text({"x": "x"}, 0), right.text({"x": "x"}, 0))
        context = self.setting.conjoined if operator == "con" else self.setting.pairing
        if operator == "con" and texts[0] == texts[1] and isinstance(context, Context):
            if context.opens == "oldest":
                return left  # the n-th instance with the n-th one
            if context.uses_up and not context.together:  # what comes completes at once, and nothing stays open
                return _both(_LOGIC.all_of(left, right.at("y"), stated("xy", _COMPARISONS["end together"])))
        if self.pairs is None:
            return self._arbitrary(operator, left, right, texts)
        if isinstance(context, Context) and context.together:
            raise NotPairs("an instance is made of more than a pair")
        made = self.pairs.sequence_pairs if operator == "seq" else self.pairs.conjunction_pairs
        return _both(made(left, right))

    def _arbitrary(self, operator: str, left: Formula, right: Formula, texts: tuple[str, str]) -> Formula:
        """Whatever a setting makes of two operands: the same of the same ones."""
        key = (operator, *texts)
        if key not in self.made:
            name = self.made[key] = f"made_{len(self.made)}"
            follows = [stated("xy", _COMPARISONS[self.setting.clock])] if operator == "seq" else []
            interval = stated("wxy", "(and (= (start w) (start (both x y))) (= (end w) (end (both x y))))")
            pair = _LOGIC.all_of(left, right.at("y"), *follows)
            some = _LOGIC.exists(["x", "y"], _LOGIC.all_of(pair, interval)).text({"w": "w"}, 0)
            self.assumed.append(f"(declare-fun {name} (Instance) Bool)")
            self.assumed.append(f"(assert (forall ((w Instance)) (=> ({name} w) {some})))")
        return stated("x", f"({self.made[key]} x)")


def _both(pairs: Formula) -> Formula:
    """The instances `x` that are made of two that pair."""
    made = stated("uvx", "(= x (both u v))")
    return _LOGIC.exists(["u", "v"], _LOGIC.all_of(pairs.at("u", "v"), made))


def _shown(language: Formula) -> Formula:
    """The instances `x` with one of the language that ends together with it, and starts no earlier."""
    beside = stated("xy", "(and (= (end x) (end y)) (<= (start x) (start y)))")
    return _LOGIC.exists(["y"], _LOGIC.all_of(language.at("y"), beside))


def _spanned(language: Formula) -> Formula:
    """The instances `x` with one of the language that has the same interval."""
    beside = stated("xy", "(and (= (end x) (end y)) (= (start x) (start y)))")
    return _LOGIC.exists(["y"], _LOGIC.all_of(language.at("y"), beside))
