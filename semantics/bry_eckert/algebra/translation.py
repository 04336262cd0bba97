"""The translation of programs into query plans (2007, Section 3; 2008, Sections 2.2 and 2.3).

The plan has one materialization point for each rule, and one that is a union for each event type of several rules.
Its expressions have the form that the papers print: all joins first, then selections, then merging.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from typing import Any

from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.checking import variable_types
from semantics.bry_eckert.programs import Aggregate, Atom, BodyPart, Program, Rule, Window
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
    return plans.Plan(tuple(definitions), **believed_of(program))


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
                    body = tuple(_renamed(part, gone, kept) for part in rule.body if part is not comparison)
                    terms = tuple(_with_name(term, gone, kept) for term in rule.head.terms)
                    return _unified(replace(rule, head=replace(rule.head, terms=terms), body=body), program)
    return rule


def _renamed(part: BodyPart, name: str, to: str) -> BodyPart:
    """A part of a body with another name of a variable."""
    match part:
        case Atom():
            return _atom_renamed(part, name, to)
        case Window():
            return replace(part, atom=_atom_renamed(part.atom, name, to))
        case Comparison(left, sign, right):
            return Comparison(_with_name(left, name, to), sign, _with_name(right, name, to))
        case Related() | Within() | Apart():
            return renamed(part, lambda each: Moment(to) if isinstance(each, Moment) and each == name else each)
        case _:
            return part


def _atom_renamed(atom: Atom, name: str, to: str) -> Atom:
    return replace(atom, arguments=tuple((called, _with_name(term, name, to)) for called, term in atom.arguments))


def _with_name(term: Any, name: str, to: str) -> Any:
    """A term of a head or a body with another name of a variable."""
    match term:
        case Variable():
            return Variable(to) if term.name == name else term
        case Aggregate():
            return replace(term, variable=to) if term.variable == name else term
        case Arithmetic(sign, left, right):
            return Arithmetic(sign, _with_name(left, name, to), _with_name(right, name, to))
        case _:
            return term


def believed_of(program: Program) -> dict[str, Any]:
    """Assumptions of a plan about the log, as its program states them: its durations, precisions and axioms."""
    declared = program.declared.items()
    durations = ((name, type.within) for name, type in declared if type.within is not None)
    precisions = (
        (name, attribute.name, attribute.within)
        for name, type in declared
        for attribute in type.attributes
        if attribute.within is not None
    )
    return {"durations": tuple(durations), "precisions": tuple(precisions), "axioms": program.axioms}


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
    outside: tuple[plans.Condition, ...] = (*rule.temporal, *rule.comparisons)
    collected = joined
    for window in rule.collections:
        within = inside(window.atom.identifier, window.window)
        collected = plans.Select(within, plans.Join(collected, base(window.atom)))
    selected = reduce(lambda operand, condition: plans.Select(condition, operand), outside, collected)
    signature = program.signatures[rule.head.type]
    names = rule.attributes([attribute.name for attribute in signature.attributes])
    columns = tuple(zip(names, rule.head.terms, strict=True))
    types = variable_types(rule, program.signatures)
    keys = tuple(
        (name, as_float(term) if signature.types[name] == "float" and type_of(term, types) == "int" else term)
        for name, term in columns
        if not isinstance(term, Aggregate)
    )
    if not rule.collections:
        return plans.Project(keys, plans.Merge(RESULT, rule.identifiers, selected))
    aggregates = tuple((name, term) for name, term in columns if isinstance(term, Aggregate))
    group = plans.Group(RESULT, rule.identifiers, keys, aggregates, selected)
    whole = {
        name
        for name, aggregate in aggregates
        if signature.types[name] == "float" and aggregate_type(aggregate.function, types[aggregate.variable]) == "int"
    }
    if not whole:
        return group
    computed = ((name, Variable(name)) for name, _ in (*keys, *aggregates))
    return plans.Project(tuple((name, as_float(term) if name in whole else term) for name, term in computed), group)


def as_float(number: Term) -> Term:
    """An int as the float that an attribute of this type holds."""
    return Arithmetic("+", number, Constant(0.0))


def base(atom: Atom, outside: Iterable[str] | None = None) -> plans.Base:
    """The relation of an atomic event query.

    A variable of an absent event that is not bound outside is its own: it is renamed, so that no other one of the same
    name joins with it.
    """

    def term(given: Variable | Constant) -> Variable | Constant:
        if outside is not None and isinstance(given, Variable) and given.name not in outside:
            return Variable(f"{given.name}#{atom.identifier}")
        return given

    return plans.Base(atom.identifier, atom.type, tuple((name, term(given)) for name, given in atom.arguments))
