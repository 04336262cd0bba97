"""Gallina for what runs: operators, restriction policy, laws, steps and rules, written from their own records and code.

    python -m proofs.carlson_lisper.kernel.gallina > proofs/carlson_lisper/kernel/Generated.v

Formulas become propositions over streams. Steps and rules are translated from their syntax trees by
`smt.python_terms`; each becomes a decision tree, which `Figures.v` proves to compute what Figures 2, 4 and 5 say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from detectors.carlson_lisper.source.steps import (
    NON_OCCURRENCE,
    BoundedSequenceStep,
    CandidateQueue,
    ConjunctionStep,
    DisjunctionStep,
    NegationStep,
    RestrictionStep,
    SequenceStep,
)
from detectors.carlson_lisper.source.transformation import RULES, Transformed
from laws.carlson_lisper.claims import EquationClaim, laws
from semantics.carlson_lisper.expressions import BoundExtremum, BoundParameter, Operation, evaluate_bound, fold
from semantics.carlson_lisper.operators import OPERATORS, Operator
from semantics.carlson_lisper.restriction import PRIMITIVE, REM, SAME_INTERVALS, VALID_ABSENCE, VALID_INSTANCE, Relation
from semantics.formulas import (
    And,
    Compare,
    Difference,
    End,
    Exists,
    ForAll,
    Formula,
    In,
    Not,
    Or,
    Parameter,
    Same,
    Start,
    rename_streams,
)
from smt.carlson_lisper.step_terms import OperationTerm
from smt.python_terms import (
    FALSE,
    Execution,
    Interpreter,
    Made,
    Method,
    NotTranslated,
    Number,
    Opaque,
    Path,
    Term,
    Vocabulary,
    explore,
    merged,
)

# ---------------------------------------------------------------------------------------------------------- formulas

CONJUNCTION, DISJUNCTION = " /\\ ", " \\/ "

_NAMES = {"τ": "tau", "match": "found"}
"""Names that Gallina does not take."""


def _name(name: str) -> str:
    return _NAMES.get(name, name)


def _time(term: object) -> str:
    match term:
        case Start(variable):
            return f"(start {_name(variable)})"
        case End(variable):
            return f"(finish {_name(variable)})"
        case Parameter(name):
            return _name(name)
        case Difference(minuend, subtrahend):
            return f"({_time(minuend)} - {_time(subtrahend)})"
    raise NotTranslated(f"{term!r} is no time")


def proposition(formula: Formula) -> str:
    """A formula as a proposition; streams are predicates of instances."""
    match formula:
        case Compare(relation, left, right):
            return f"({_time(left)} {relation} {_time(right)})"
        case Same(left, right):
            return f"({_name(left)} = {_name(right)})"
        case In(variable, stream):
            return f"({_name(stream)} {_name(variable)})"
        case And(parts):
            return f"({CONJUNCTION.join(map(proposition, parts))})" if parts else "True"
        case Or((Not(premise), conclusion)):
            return f"({proposition(premise)} -> {proposition(conclusion)})"
        case Or(parts):
            return f"({DISJUNCTION.join(map(proposition, parts))})" if parts else "False"
        case Not(body):
            return f"(~ {proposition(body)})"
        case Exists(variable, stream, body):
            return f"(exists {_name(variable)}, {_name(stream)} {_name(variable)} /\\ {proposition(body)})"
        case ForAll(variable, stream, body):
            return f"(forall {_name(variable)}, {_name(stream)} {_name(variable)} -> {proposition(body)})"
    raise NotTranslated(f"{formula!r} is no formula of the kernel")


def operator_definition(operator: Operator) -> str:
    """An operator (Def. 3.9) as a function of streams."""
    parts = []
    for each in operator.comprehensions:
        variables = [variable for variable, _ in each.ranges]
        joined = each.result[0]
        for other in each.result[1:]:
            joined = f"(join {joined} {other})"
        ranges = [f"{stream} {variable}" for variable, stream in each.ranges]
        body = " /\\ ".join([*ranges, proposition(each.condition), f"e = {joined}"])
        parts.append(f"(exists {' '.join(variables)}, {body})")
    streams = " ".join(("S", "T")[: operator.arity])
    bound = " (tau : Z)" if operator.bounded else ""
    return (
        f"Definition {operator.name} ({streams} : stream){bound} : stream := fun e =>\n  "
        + " \\/\n  ".join(parts)
        + "."
    )


def relation_definitions(relation: Relation) -> list[str]:
    """A relation between streams: each of its conditions, and all of them."""
    left, right = map(_name, relation.streams)
    name = relation.name.replace(" ", "_")
    found = [
        f"Definition {name}{place} ({left} {right} : stream) : Prop := {proposition(condition)}."
        for place, condition in enumerate(relation.conditions, 1)
    ]
    every = " /\\ ".join(f"{name}{place} {left} {right}" for place in range(1, len(relation.conditions) + 1))
    return [*found, f"Definition {name} ({left} {right} : stream) : Prop := {every}."]


def _bound(bound: object) -> str:
    match bound:
        case int():
            return str(bound)
        case BoundParameter(name):
            return name
        case BoundExtremum(function, first, second):
            return f"(Z.{function} {_bound(first)} {_bound(second)})"
    raise NotTranslated(f"{bound!r} is no bound")


def _applied(operator: str, operands: Sequence[str], bound: object) -> str:
    return f"({' '.join([operator, *operands, *([] if bound is None else [_bound(bound)])])})"


def law_definition(law: EquationClaim) -> str:
    """A law as a proposition about arbitrary streams and bounds."""
    premises = [f"0 <= {name} -> " for name in law.parameters]
    premises += [f"primitive {name} -> " for name in sorted(law.primitive)]
    bounds = f" ({' '.join(law.parameters)} : Z)" if law.parameters else ""
    left, right = (fold(side, _name, _applied) for side in (law.equation.left, law.equation.right))
    streams = " ".join(law.variables)
    return (
        f"Definition {law.id.replace(':', '_')} : Prop :="
        f" forall ({streams} : stream){bounds}, {''.join(premises)}same {left} {right}."
    )


# ------------------------------------------------------------------------------------------------------------- steps


@dataclass(frozen=True)
class _Occurrence(Opaque):
    """An instance or ⟨⟩: a term of type `option inst`."""

    term: Term

    def attribute(self, name: str, execution: Execution) -> Any:
        """The start, the end, or the union with another one."""
        if name in ("start", "end"):
            return Number((f"o{name}", self.term))
        if name == "join":
            return Method(lambda _, other: _Occurrence(("ojoin", self.term, _occurrence(other))))
        return super().attribute(name, execution)


class _Queue(Opaque):
    """A queue of candidates: a term of type `list inst`, which methods replace."""

    def __init__(self, term: Term) -> None:
        self.term = term

    def attribute(self, name: str, execution: Execution) -> Any:
        """What the methods of `CandidateQueue` do; `Instances.v` has their definitions."""
        methods = {"latest_before": self._latest, "evict_before": self._evict, "push": self._push}
        return Method(methods[name]) if name in methods else super().attribute(name, execution)

    def _latest(self, _: Execution, time: Any) -> _Occurrence:
        return _Occurrence(("latest_before", self.term, _plain(time)))

    def _evict(self, _: Execution, time: Any) -> _Occurrence:
        evicted = ("evict_before", self.term, _plain(time))
        self.term = ("fst", evicted)
        return _Occurrence(("snd", evicted))

    def _push(self, _: Execution, instance: Any) -> None:
        self.term = ("push", self.term, _occurrence(instance))


NONE = _Occurrence("None")

_STEP_VOCABULARY = Vocabulary(((NON_OCCURRENCE, NONE), (CandidateQueue, Method(lambda _: _Queue("nil")))))

_TYPES = {"l": "option inst", "r": "option inst", "t": "Z", "q": "list inst"}
"""The types of the auxiliary variables, by the source's names."""

STEPS: Mapping[str, type] = {
    "dis": DisjunctionStep,
    "con": ConjunctionStep,
    "neg": NegationStep,
    "seq": SequenceStep,
    "bounded_seq": BoundedSequenceStep,
    "tim": RestrictionStep,
}
"""The steps of Figures 2 and 4, by the names that they have in the kernel."""


def _plain(value: Any) -> Term:
    match value:
        case Number(term, infinite) if infinite == FALSE:
            return term
        case int() if not isinstance(value, bool):
            return str(value) if value >= 0 else ("-", str(-value))
    raise NotTranslated(f"{value!r} is no time of the kernel")


def _occurrence(value: Any) -> Term:
    if isinstance(value, _Occurrence):
        return value.term
    raise NotTranslated(f"{value!r} is neither an instance nor ⟨⟩")


def _held(value: Any) -> Term:
    """What a variable of a step holds."""
    if isinstance(value, _Occurrence | _Queue):
        return value.term
    return _plain(value)


def _symbol(name: str) -> Any:
    match name:
        case "q":
            return _Queue("q")
        case "l" | "r":
            return _Occurrence(name)
    return Number(name)


def step_definitions(name: str, kind: Any) -> list[str]:
    """The initial state of a step, and what it does at one instant: its next state and its output."""
    variables: Mapping[str, str] = kind.VARIABLES
    ticks = [Number("ticks")] if name in ("bounded_seq", "tim") else []
    parameter = " (ticks : Z)" if ticks else ""

    def state(made: Made) -> tuple[Term, ...]:
        return tuple(_held(made.state[attribute]) for attribute in variables.values())

    def initial(execution: Execution) -> Term:
        return ("state", *state(Interpreter(execution, _STEP_VOCABULARY).call(kind, ticks)))

    def step(execution: Execution) -> Term:
        interpreter = Interpreter(execution, _STEP_VOCABULARY)
        made = interpreter.call(kind, ticks)
        made.state |= {attribute: _symbol(variable) for variable, attribute in variables.items()}
        output = interpreter.method(made, "step", [_Occurrence("left"), _Occurrence("right")])
        return ("outcome", ("state", *state(made)), _occurrence(output))

    type_ = " * ".join(_TYPES[variable] for variable in variables) or "unit"
    names = _state(list(variables)) if variables else "_"
    return [
        f"Definition {name}_initial : {type_} := {_tree(initial)}.",
        f"Definition {name}_code{parameter} (state : {type_}) (left right : option inst) : ({type_}) * option inst :=\n"
        f"  let '{names} := state in\n  {_tree(step)}.",
    ]


def _tree(run: Callable[[Execution], Term]) -> str:
    paths, _ = explore(run)
    return _term(merged([(path.terms, _finished(path)) for path in paths]))


def _finished(path: Path[Term]) -> Term:
    if path.result is None or path.duties or path.facts:
        raise NotTranslated(f"a way through the code ends in an exception: {path.duties}")
    return path.result


def _state(parts: Sequence[str]) -> str:
    return "tt" if not parts else parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


_INFIX = {"<": "<?", "=": "=?", "+": "+", "and": "&&", "or": "||"}


def _term(term: Term) -> str:
    match term:
        case str():
            return term
        case ("ite", test, yes, no):
            return f"if {_term(test)} then {_term(yes)}\n  else {_term(no)}"
        case ("state", *parts):
            return _state(list(map(_term, parts)))
        case ("outcome", *parts):
            return f"({', '.join(map(_term, parts))})"
        case ("not", part):
            return f"(negb {_term(part)})"
        case ("-", part):
            return f"(- {_term(part)})"
        case ("-", left, right):
            return f"({_term(left)} - {_term(right)})"
        case (str(head), *parts) if head in _INFIX:
            return f"({f' {_INFIX[head]} '.join(map(_term, parts))})"
        case (str(head), *parts):
            return f"({' '.join([head, *map(_term, parts)])})"
    raise NotTranslated(f"{term!r} is no term of the kernel")


# ------------------------------------------------------------------------------------------------------------- rules


@dataclass(frozen=True)
class _Expression(Opaque):
    """An arbitrary expression: a term of type `expr`."""

    term: Term

    def __or__(self, other: _Expression) -> _Expression:
        return _Expression(("Dis", self.term, other.term))

    def __add__(self, other: _Expression) -> _Expression:
        return _Expression(("Con", self.term, other.term))

    def __sub__(self, other: _Expression) -> _Expression:
        return _Expression(("Neg", self.term, other.term))


@dataclass(frozen=True)
class _Outcome(Opaque):
    """A transformed expression with its bound."""

    expression: Any
    bound: Any

    def attribute(self, name: str, execution: Execution) -> Any:
        """Its two parts."""
        return getattr(self, name) if name in ("expression", "bound") else super().attribute(name, execution)


def _label(value: Any) -> Term:
    match value:
        case Number(term, infinite):
            return ("label_of", infinite, term)
        case float():
            return "Inf"
    return ("Fin", _plain(value))


def _operation(_: Execution, operator: str, operands: Any, bound: Any = None, label: Any = None) -> _Expression:
    match operator, operands:
        case "seq", (_Expression(left), _Expression(right)) if bound is None and label is not None:
            return _Expression(("Seq", ("Some", _label(label)), left, right))
        case "tim", (_Expression(operand),) if label is None:
            return _Expression(("Tim", operand, _plain(Number(bound.term) if isinstance(bound, Number) else bound)))
    raise NotTranslated(f"an operation {operator!r} of another form")


_RULE_VOCABULARY = Vocabulary(
    (
        (Transformed, Method(lambda _, expression, bound: _Outcome(expression, bound))),
        (Operation, Method(_operation)),
        (evaluate_bound, Method(lambda _, bound: bound)),
    ),
    expressions=(_Expression,),
)


def rule_case(operator: Operator) -> str:
    """The case of an operator in the transformation; its operands are transformed by recursion."""
    names = ("a", "b")[: operator.arity]

    def run(execution: Execution) -> Term:
        def asked(request: Any) -> _Outcome:
            if not (isinstance(request, tuple) and len(request) == 2 and isinstance(request[0], _Expression)):
                raise NotTranslated("a rule asks for something else than an operand and a restriction")
            if request[0].term not in names:
                raise NotTranslated("a rule transforms something else than an operand")
            made = ("transformed", request[0].term, _label(request[1]))
            return _Outcome(_Expression(("fst", made)), Number(("value", ("snd", made)), ("infinite", ("snd", made))))

        operands = tuple(map(_Expression, names))
        operation = OperationTerm(operands, Number("own") if operator.bounded else None, with_label=False)
        limit = Number(("value", "limit"), ("infinite", "limit"))
        found = Interpreter(execution, _RULE_VOCABULARY, asked).call(RULES[operator.name], [operation, limit])
        if not isinstance(found, _Outcome) or not isinstance(found.expression, _Expression):
            raise NotTranslated("a rule returns something else than what is transformed")
        return ("outcome", found.expression.term, _label(found.bound))

    return f"  | {_HEADS[operator.name]} => {_tree(run)}"


_HEADS = {"dis": "Dis a b", "con": "Con a b", "neg": "Neg a b", "seq": "Seq _ a b", "tim": "Tim a own"}


# --------------------------------------------------------------------------------------------------------- the whole


def generated() -> str:
    """The text of `Generated.v`."""
    symmetric = rename_streams(PRIMITIVE.conditions[1], {"Q": "P"})
    lines = [
        "(* Written by `make kernel ARGS=--write` from semantics/, laws/ and detectors/; not to be edited. *)",
        "From Coq Require Import ZArith List Bool.",
        "From Remora Require Import Instances.",
        "Local Open Scope Z_scope.",
        "Section Generated.",
        "Context `{Instances}.",
        *map(operator_definition, OPERATORS.values()),
        *relation_definitions(REM),
        *relation_definitions(SAME_INTERVALS),
        f"Definition primitive (P : stream) : Prop :="
        f" {proposition(PRIMITIVE.conditions[0])} /\\ {proposition(symmetric)}.",
        f"Definition valid_instance (e : inst) (S : stream) (tau : Z) : Prop := {proposition(VALID_INSTANCE)}.",
        f"Definition valid_absence (S : stream) (tau : Z) : Prop := {proposition(VALID_ABSENCE)}.",
        *map(law_definition, laws()),
        *(line for name, kind in STEPS.items() for line in step_definitions(name, kind)),
        "End Generated.",
        "Fixpoint transformed (e : expr) (limit : label) : expr * label :=",
        "  match e with",
        "  | Ev p => (Ev p, Fin 0)",
        *map(rule_case, OPERATORS.values()),
        "  end.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(generated(), end="")
