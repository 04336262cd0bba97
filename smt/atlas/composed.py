"""Laws in settings as first-order obligations about instances, those of composite operands among them.

An instance of a sequence or conjunction is made of two instances, `(both x y)`. Where a setting's pairs are beyond
first-order logic, its instances are those of an arbitrary predicate, of which no more is assumed than what is so in
every setting: in the interval of each two instances of the operands lie, in turn in a sequence, that make it up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType

from laws.carlson_lisper.claims import EquationClaim
from semantics.atlas.catalogue import Setting
from semantics.atlas.pairs import CountingPairs
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation
from smt.atlas.obligations import THEORY, Formula, FormulaPairs, Formulas, NotPairs, Same, lasts, stated
from smt.attempts import Attempt, Provable
from smt.obligations import Theory

COMPOSED = Theory(
    (*THEORY.declarations, "(declare-fun both (Instance Instance) Instance)"),
    MappingProxyType(
        {
            **THEORY.axioms,
            "start of both": "(forall ((x Instance) (y Instance)) (= (start (both x y))"
            " (ite (<= (start x) (start y)) (start x) (start y))))",
            "end of both": "(forall ((x Instance) (y Instance)) (= (end (both x y))"
            " (ite (<= (end x) (end y)) (end y) (end x))))",
            "both apart": "(forall ((x Instance) (y Instance) (z Instance))"
            " (= (apart (both x y) z) (and (apart x z) (apart y z))))",
        }
    ),
)
"""Instances, and the instance of the occurrences of two."""

LADDER = (Attempt(tuple(COMPOSED.axioms), {"z3": 250_000, "cvc5": 100_000}),)
"""The work for an obligation: what is proved takes less than half of it."""


@dataclass(frozen=True)
class Composed:
    """The instances `x` of expressions in a setting.

    Attributes:
        pairs: its pairs; None: what pairs is arbitrary.
        made: the arbitrary predicates by operator and operands.
        assumed: what is assumed of them, as commands.
    """

    setting: Setting
    pairs: FormulaPairs | None
    made: dict[tuple[str, str, str], str] = field(default_factory=dict)
    assumed: list[str] = field(default_factory=list)

    def of(self, expression: Expression) -> Formula:
        """The instances of an expression.

        Raises:
            NotPairs: these formulas cannot say it.
        """
        logic = Formulas()
        if isinstance(expression, Identifier):
            return stated(("x",), f"({expression.name} x)")
        assert isinstance(expression, Operation)
        operands = [self.of(each) for each in expression.operands]
        match expression.operator:
            case "dis":
                return logic.any_of(*operands)
            case "neg":
                inside = stated(("x", "y"), "(and (<= (start x) (start y)) (<= (end y) (end x)))")
                return logic.all_of(operands[0], but=[logic.exists(["y"], logic.all_of(operands[1].at("y"), inside))])
            case "tim":
                native = self.setting.spans == "native" and isinstance(expression.operands[0], Operation)
                if native:
                    raise NotPairs("a native span takes part in the selection")
                return logic.all_of(operands[0], lasts(expression, "(- (end x) (start x))"))
            case operator:
                return self._composed(operator, operands[0], operands[1])

    def _composed(self, operator: str, left: Formula, right: Formula) -> Formula:
        logic = Formulas()
        texts = (left.text({"x": "x"}, 0), right.text({"x": "x"}, 0))
        context = self.setting.context
        if operator == "con" and texts[0] == texts[1] and context is not None:
            if context.opens == "oldest":
                return left  # the n-th instance with the n-th one
            if context.uses_up and not context.together:  # what comes completes at once, and nothing stays open
                together = stated(("x", "y"), "(= (end x) (end y))")
                return _both(logic.all_of(left, right.at("y"), together))
        if self.pairs is None:
            return self._arbitrary(operator, left, right, texts)
        if context is not None and context.together:
            raise NotPairs("an instance is made of more than a pair")
        if operator == "seq":
            return _both(self.pairs.sequence_pairs(left, right))
        return _both(self.pairs.conjunction_pairs(left, right))

    def _arbitrary(self, operator: str, left: Formula, right: Formula, texts: tuple[str, str]) -> Formula:
        """Whatever a setting makes of two operands: the same of the same ones."""
        key = (operator, *texts)
        if key not in self.made:
            name = self.made[key] = f"made_{len(self.made)}"
            follows = FormulaPairs(Formulas(), self.setting.clock, "unrestricted").compared(self.setting.clock)
            logic = Formulas()
            pair = logic.all_of(left, right.at("y"), *([follows] if operator == "seq" else []))
            interval = stated(("w", "x", "y"), "(and (= (start w) (start (both x y))) (= (end w) (end (both x y))))")
            some = logic.exists(["x", "y"], logic.all_of(pair, interval)).text({"w": "w"}, 0)
            self.assumed.append(f"(declare-fun {name} (Instance) Bool)")
            self.assumed.append(f"(assert (forall ((w Instance)) (=> ({name} w) {some})))")
        return stated(("x",), f"({self.made[key]} x)")


def _both(pairs: Formula) -> Formula:
    """The instances `x` that are made of two that pair."""
    made = stated(("u", "v", "x"), "(= x (both u v))")
    return Formulas().exists(["u", "v"], Formulas().all_of(pairs.at("u", "v"), made))


def same_instances(law: EquationClaim, setting: Setting) -> Provable:
    """A law in a setting by its pairs: each instance of one side is one of the other, or is shown by one.

    Raises:
        NotPairs: these obligations cannot say it.
    """
    try:
        pairs = FormulaPairs(Formulas(), setting.clock, setting.pairing)
    except CountingPairs as error:
        raise NotPairs(str(error)) from None
    return _related(law, Composed(setting, pairs), f"In {setting.name}")


def same_whatever_pairs(law: EquationClaim, setting: Setting) -> Provable:
    """A law in a setting by what is so whatever pairs.

    Raises:
        NotPairs: these obligations cannot say it.
    """
    context = setting.context
    special = context is not None and (context.opens == "oldest" or (context.uses_up and not context.together))
    where = f" in the {setting.pairing} context" if special else ""
    return _related(law, Composed(setting, None), f"Over {setting.clock}{where}, whatever pairs")


def _related(law: EquationClaim, sides: Composed, where: str) -> Provable:
    both = {"": (sides.of(law.equation.left), sides.of(law.equation.right))}
    detected = law.equation.relation == "~="
    words = "each instance of one side is one of the other."
    if detected:
        words = "for each instance of one side one of the other ends together with it and starts no earlier."
    return Same(
        law,
        both,
        f"{where}, {words}",
        tuple(sides.assumed),
        COMPOSED,
        _shown if detected else lambda other: other,
        LADDER,
    )


def _shown(language: Formula) -> Formula:
    """The instances `x` with one of the language that ends together with it, and starts no earlier."""
    beside = stated(("x", "y"), "(and (= (end x) (end y)) (<= (start x) (start y)))")
    return Formulas().exists(["y"], Formulas().all_of(language.at("y"), beside))
