"""Definitions as text: the operators and the relations in mathematical notation, written from the data."""

from semantics import formulas
from semantics.carlson_lisper.operators import BOUND_NAME, STREAM_NAMES, Operator
from semantics.carlson_lisper.restriction import Relation

_RELATIONS = {"<": "<", "<=": "≤", "=": "="}


def term_text(term: formulas.Term) -> str:
    """A time, such as `end(s) - start(s)`."""
    match term:
        case formulas.Start(variable) | formulas.End(variable):
            return f"{type(term).__name__.lower()}({variable})"
        case formulas.Parameter(name):
            return name
        case formulas.Difference(left, right):
            return f"{term_text(left)} - {term_text(right)}"


def formula_text(formula: formulas.Formula) -> str:
    """A formula, such as `¬∃ t ∈ T (start(s) ≤ start(t) ∧ end(t) ≤ end(s))`."""
    match formula:
        case formulas.Compare(relation, left, right):
            return f"{term_text(left)} {_RELATIONS[relation]} {term_text(right)}"
        case formulas.Same(left_name, right_name):
            return f"{left_name} = {right_name}"
        case formulas.In(variable, stream):
            return f"{variable} ∈ {stream}"
        case formulas.And(parts):
            return " ∧ ".join(map(_operand, parts)) or "true"
        case formulas.Or((formulas.Not(premise), conclusion)):
            return f"{_operand(premise)} ⇒ {_operand(conclusion)}"
        case formulas.Or(parts):
            return " ∨ ".join(map(_operand, parts))
        case formulas.Not(body):
            return f"¬{_operand(body)}"
        case formulas.Exists(variable, stream, body) | formulas.ForAll(variable, stream, body):
            sign = "∃" if isinstance(formula, formulas.Exists) else "∀"
            return f"{sign} {variable} ∈ {stream} ({formula_text(body)})"


def _operand(formula: formulas.Formula) -> str:
    text = formula_text(formula)
    return f"({text})" if isinstance(formula, formulas.And | formulas.Or) else text


def operator_text(definition: Operator) -> str:
    """The definition of an operator, such as `seq(S, T) = { s ∪ t | s ∈ S ∧ t ∈ T ∧ end(s) < start(t) }`."""
    arguments = [*STREAM_NAMES[: definition.arity], *([BOUND_NAME] if definition.bounded else [])]
    sets = []
    for comprehension in definition.comprehensions:
        parts = [f"{variable} ∈ {stream}" for variable, stream in comprehension.ranges]
        if comprehension.condition != formulas.TRUE:
            parts.append(_operand(comprehension.condition))
        sets.append(f"{{ {' ∪ '.join(comprehension.result)} | {' ∧ '.join(parts)} }}")
    return f"{definition.name}({', '.join(arguments)}) = {' ∪ '.join(sets)}"


def relation_text(relation: Relation) -> str:
    """The definition of a relation between streams, one condition per line."""
    head = f"{relation.name}({', '.join(relation.streams)}) holds if"
    return "\n".join([head, *(f"  {formula_text(condition)}" for condition in relation.conditions)])
