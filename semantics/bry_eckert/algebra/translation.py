"""The translation of programs into query plans (2007, Section 3; 2008, Sections 2.2 and 2.3).

The plan has one materialization point for each rule, and one that is a union for each event type of several rules.
Its expressions have the form that the papers print: all joins first, then selections, then merging.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from typing import Any

from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.checking import variable_types
from semantics.bry_eckert.programs import Aggregate, Atom, Program, Rule, Window
from semantics.bry_eckert.temporal import Apart, Moment, Related, Within, inside, renamed
from semantics.bry_eckert.terms import Arithmetic, Comparison, Constant, Term, Variable, aggregate_type, type_of

RESULT = "#"
"""The identifier of the interval of a derived event; one that no rule can use."""


def plan_of(program: Program) -> plans.Plan:
    """The query plan of a program, as it is translated; rules of one event type are a union.

    Variables that a comparison equates are one (`unified`), so that joins are by them.
    """
    program = unified(program)
    names = rule_names(program)
    definitions: list[plans.Definition] = []
    for type in program.signatures:
        parts = [(name, rule) for name, rule in names.items() if rule.head.type == type]
        for name, rule in parts:
            definitions.append(plans.Definition(name, expression_of(rule, program), type if len(parts) == 1 else ""))
        if len(parts) > 1:
            definitions.append(plans.Definition(type, plans.Union(tuple(name for name, _ in parts)), type))
    declared = program.declared.items()
    durations = ((name, type.within) for name, type in declared if type.within is not None)
    precisions = (
        (name, attribute.name, attribute.within)
        for name, type in declared
        for attribute in type.attributes
        if attribute.within is not None
    )
    return plans.Plan(tuple(definitions), tuple(durations), program.axioms, tuple(precisions))


def rule_names(program: Program) -> dict[str, Rule]:
    """The rules by the names of their materialization points: the event type; of several rules, `F#1` and so on."""
    found: dict[str, Rule] = {}
    for type in program.derived:
        rules = program.rules_of(type)
        for number, rule in enumerate(rules, 1):
            found[type if len(rules) == 1 else fresh(f"{type}#{number}", program)] = rule
    return found


def fresh(name: str, program: Program) -> str:
    """A name of a materialization point that no event type has."""
    while name in program.signatures:
        name += "#"
    return name


def unified(program: Program) -> Program:
    """The program in which variables of atoms outside windows, of one type, are one where a comparison equates them.

    It derives the same; what a head calls its attributes stays.
    """
    return replace(program, rules=tuple(_unified(rule, program) for rule in program.rules))


def _unified(rule: Rule, program: Program) -> Rule:
    for comparison in rule.comparisons:
        match comparison:
            case Comparison(Variable(kept), "=", Variable(gone)) if {kept, gone} <= rule.bound and kept != gone:
                types = variable_types(rule, program.signatures)
                if types[kept] == types[gone]:
                    body = tuple(_named(part, gone, kept) for part in rule.body if part is not comparison)
                    terms = tuple(_named(term, gone, kept) for term in rule.head.terms)
                    return _unified(replace(rule, head=replace(rule.head, terms=terms), body=body), program)
    return rule


def _named(part: Any, gone: str, kept: str) -> Any:
    """A part of a body or a head, or of such a part, with another name of a variable."""
    match part:
        case Variable(name):
            return Variable(kept) if name == gone else part
        case Aggregate(_, name):
            return replace(part, variable=kept) if name == gone else part
        case Arithmetic() | Comparison():
            return replace(part, left=_named(part.left, gone, kept), right=_named(part.right, gone, kept))
        case Atom():
            return replace(part, arguments=tuple((name, _named(term, gone, kept)) for name, term in part.arguments))
        case Window():
            return replace(part, atom=_named(part.atom, gone, kept))
        case Related() | Within() | Apart():
            return renamed(part, lambda each: Moment(kept) if isinstance(each, Moment) and each == gone else each)
        case _:
            return part


def expression_of(rule: Rule, program: Program, joined: plans.Expression | None = None) -> plans.Expression:
    """The expression of a rule's body and head, whose time stamps are those of `RESULT`; its atoms may be joined."""
    if joined is None:
        atoms: list[plans.Expression] = [base(atom) for atom in rule.atoms]
        joined = reduce(plans.Join, atoms)
    for timing in rule.timers:
        joined = plans.Timer(timing, joined)
    for window in rule.absences:
        within = inside(window.atom.identifier, window.window)
        joined = plans.AntiSemiJoin(joined, base(window.atom, rule.bound), within)
    for window in rule.collections:
        within = inside(window.atom.identifier, window.window)
        joined = plans.Select(within, plans.Join(joined, base(window.atom)))
    for condition in (*rule.temporal, *rule.comparisons):
        joined = plans.Select(condition, joined)
    signature, types = program.signatures[rule.head.type], variable_types(rule, program.signatures)
    keys: list[tuple[str, Term]] = []
    aggregates: list[tuple[str, Aggregate]] = []
    columns: list[tuple[str, Term]] = []
    for name, term in zip(rule.attributes(list(signature.types)), rule.head.terms, strict=True):
        is_float, column = signature.types[name] == "float", Variable(name)
        if isinstance(term, Aggregate):
            aggregates.append((name, term))
            whole = is_float and aggregate_type(term.function, types[term.variable]) == "int"
            columns.append((name, _as_float(column) if whole else column))
        else:
            keys.append((name, _as_float(term) if is_float and type_of(term, types) == "int" else term))
            columns.append((name, column))
    if not rule.collections:
        return plans.Project(tuple(keys), plans.Merge(RESULT, rule.identifiers, joined))
    group = plans.Group(RESULT, rule.identifiers, tuple(keys), tuple(aggregates), joined)
    if all(isinstance(term, Variable) for _, term in columns):
        return group
    return plans.Project(tuple(columns), group)


def _as_float(number: Term) -> Term:
    """An int as the float that an attribute of this type holds."""
    return Arithmetic("+", number, Constant(0.0))


def base(atom: Atom, outside: Iterable[str] | None = None) -> plans.Base:
    """The relation of an atomic event query.

    A variable of an absent event that is not bound outside is its own: it is renamed, so that no other one of the same
    name joins with it.
    """
    arguments = (
        (name, Variable(f"{term.name}#{atom.identifier}"))
        if outside is not None and isinstance(term, Variable) and term.name not in outside
        else (name, term)
        for name, term in atom.arguments
    )
    return plans.Base(atom.identifier, atom.type, tuple(arguments))
