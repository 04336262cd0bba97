"""Gallina for what runs: operators, restriction policy, laws, steps and rules, written from their own records and code.

    python -m proofs.carlson_lisper.kernel.gallina > proofs/carlson_lisper/kernel/Generated.v

Formulas become propositions over streams; for the code see `proofs.carlson_lisper.kernel.programs`.
"""

from collections.abc import Sequence

from laws.carlson_lisper.claims import EquationClaim, laws
from proofs.carlson_lisper.kernel.programs import all_steps, queue_definitions, rule_case
from semantics import formulas
from semantics.carlson_lisper.expressions import BoundExtremum, BoundParameter, fold
from semantics.carlson_lisper.operators import OPERATORS, Operator
from semantics.carlson_lisper.restriction import PRIMITIVE, REM, SAME_INTERVALS, VALID_ABSENCE, VALID_INSTANCE, Relation
from semantics.formulas import And, Compare, End, Exists, ForAll, Formula, In, Not, Or, Parameter, Same, Start, renamed
from smt.python.paths import NotTranslated

CONJUNCTION, DISJUNCTION = " /\\ ", " \\/ "

_NAMES = {"τ": "tau", "match": "found"}  # Names that Gallina does not take


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
        case formulas.Difference(minuend, subtrahend):
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


def generated() -> str:
    """The text of `Generated.v`."""
    symmetric = renamed(PRIMITIVE.conditions[1], streams={"Q": "P"})
    lines = [
        "(* Written by `make kernel ARGS=--write` from semantics/, laws/ and detectors/; not to be edited. *)",
        "From Coq Require Import ZArith List Bool.",
        "From Remora Require Import Instances.",
        "Import ListNotations.",
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
        *queue_definitions(),
        *all_steps(),
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
