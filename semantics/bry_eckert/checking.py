"""Static checks of programs: names, types, safety, hierarchy; what they find out is kept with the program.

A program that passes has a meaning: each variable of a head or a condition is bound, each comparison is between
values of one type, no rule depends on itself, and each window belongs to an event.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TypeVar

from semantics.bry_eckert import programs, terms
from semantics.bry_eckert.syntax import at, parse_unchecked
from semantics.bry_eckert.temporal import Moment, Temporal, renamed
from semantics.bry_eckert.terms import NOWHERE, Constant, Place, Type, Variable, aggregate_type
from semantics.errors import ExpressionError, InputError
from semantics.events import quoted

COLUMNS = ("time", "start", "event")
"""The columns of every log; no attribute has such a name."""

NO_TYPES: Mapping[str, programs.EventType] = MappingProxyType({})
"""No event types."""


_QUOTED_OR_COMMENT = re.compile(r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|#[^\n]*""")


def place_of(text: str, begin: Place, name: str) -> Place:
    """Where a name stands first from a place on, outside comments; that place where it is nowhere or empty."""
    lines = _QUOTED_OR_COMMENT.sub(_without_comment, text).splitlines()
    first, column = max(1, begin[0]), max(1, begin[1])
    for number, line in enumerate(lines[first - 1 :] if name else (), first):
        from_here = column - 1 if number == first else 0
        found = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)").search(line, from_here)
        if found:
            return number, found.start() + 1
    return first, column


def _without_comment(found: re.Match[str]) -> str:
    return " " * len(found[0]) if found[0].startswith("#") else found[0]


class _Problem(Exception):
    """What is wrong, what would help, the name that is at fault, where it is one, and from where on it stands."""

    def __init__(self, reason: str, remedy: str, name: str = "", place: Place = NOWHERE) -> None:
        super().__init__(reason)
        self.reason, self.remedy, self.name, self.place = reason, remedy, name, place

    def error(self, text: str, begin: Place) -> ExpressionError:
        """The error in a text; `begin` is the place of the rule or axiom."""
        place = begin if self.place == NOWHERE else self.place
        return at(self.reason, text, *place_of(text, place, self.name), self.remedy)


def parse(text: str, tick: str = "", known: Mapping[str, programs.EventType] = NO_TYPES) -> programs.Program:
    """The program that a text states; every atom has the names of its attributes.

    Args:
        text: the program.
        tick: the length of a tick where the text states none, such as `1s`.
        known: event types that need no declaration; the program may not derive them.

    Raises:
        InputError: it cannot be read, or does not pass the static checks; says where, why and what would help.
    """
    program = parse_unchecked(text, tick)
    if not program.rules:
        raise InputError(
            "the program has no rule", remedy="Write one, such as comp(x) <- a: A(x), b: B(x), a before b."
        )
    try:
        _check_declarations(program, known)
        program = replace(program, declared={**known, **program.declared})
        order = hierarchy(program)
    except _Problem as problem:
        raise problem.error(text, NOWHERE) from None
    axioms: list[programs.Axiom] = []
    for axiom in program.axioms:
        try:
            axioms.append(_checked_axiom(axiom, program))
        except _Problem as problem:
            raise problem.error(text, (axiom.line, 1)) from None
    signatures = dict(program.declared)
    checked: dict[int, programs.Rule] = {}
    for type in order:
        rules = [(place, rule) for place, rule in enumerate(program.rules) if rule.head.type == type]
        derived: list[programs.EventType] = []
        for place, rule in rules:
            try:
                checked[place] = _resolved(rule, signatures)
                types = variable_types(checked[place], signatures)
                _check_conditions(checked[place], types)
                declaration = program.declared.get(type)
                times = _times(checked[place].atoms, signatures)
                derived.append(_derived(checked[place], types, times, declaration or next(iter(derived), None)))
                _check_whole(derived[-1], declaration)
            except _Problem as problem:
                raise problem.error(text, rule.place) from None
        if type not in signatures:
            signatures[type] = _common(derived)
    return replace(
        program,
        rules=tuple(checked[place] for place in range(len(program.rules))),
        signatures=signatures,
        axioms=tuple(axioms),
    )


def hierarchy(program: programs.Program) -> tuple[str, ...]:
    """The derived event types in an order in which each one comes after those that its rules read.

    Raises:
        _Problem: the rules are recursive; shows the cycle.
    """
    found: list[str] = []
    reads = {
        type: dict.fromkeys(
            atom.type for rule in program.rules_of(type) for atom in rule.read() if atom.type in program.derived
        )
        for type in program.derived
    }

    def visit(type: str, path: tuple[str, ...]) -> None:
        if type in path:
            cycle = " <- ".join(map(quoted, (*path[path.index(type) :], type)))
            reading = (atom for rule in program.rules_of(path[-1]) for atom in rule.read())
            raise _Problem(
                f"the rules are recursive: {cycle}",
                "A program is hierarchical: no event type is derived from itself, directly or by others.",
                place=next(atom.place for atom in reading if atom.type == type),
            )
        if type not in found:
            for other in reads[type]:
                visit(other, (*path, type))
            found.append(type)

    for type in program.derived:
        visit(type, ())
    return tuple(found)


# --------------------------------------------------------------------------------------------------- declarations


def _check_declarations(program: programs.Program, known: Mapping[str, programs.EventType]) -> None:
    for declared in program.declared.values():
        names = [attribute.name for attribute in declared.attributes]
        for number, attribute in enumerate(declared.attributes):
            if attribute.name in names[:number]:
                raise _Problem(
                    f"{declared} has two attributes {attribute.name}",
                    "Give each a name of its own.",
                    place=attribute.place,
                )
            if attribute.name in COLUMNS:
                raise _Problem(
                    f"{declared}: {attribute.name} is a column of every log, and no attribute",
                    "Times are compared by temporal conditions, such as `o before s`.",
                    place=attribute.place,
                )
        if known.get(declared.name, declared) != declared:
            raise _Problem(
                f"{quoted(declared.name)} is declared in another way: {known[declared.name]}",
                "Leave its declaration out.",
                place=declared.place,
            )
        said = {declared.within, *(attribute.within for attribute in declared.attributes)}
        if declared.name in program.derived and said != {None}:
            raise _Problem(
                f"{declared.name} is derived, and its rules say how long it takes, and when its times are",
                "Leave `within` out of its declaration.",
                place=declared.place,
            )
    for rule in program.rules:
        if rule.head.type in known:
            raise _Problem(
                f"{quoted(rule.head.type)} is there already, from the log or derived by other rules",
                "Give what these rules derive another name.",
                place=rule.place,
            )


def _checked_axiom(axiom: programs.Axiom, program: programs.Program) -> programs.Axiom:
    """The axiom with the names of the attributes that are given by position, and with its times as moments."""
    for type in axiom.types:
        if type in program.derived:
            raise _Problem(
                f"{quoted(type)} is derived, and an axiom is about the events of a log",
                "Say it of the events that its rules read.",
                type,
            )
        if type not in program.declared:
            remedy = f"{_names(type, program.declared)} Or declare it: event {quoted(type)}(…)"
            raise _Problem(f"the event type {quoted(type)} is not declared", remedy, type)
    if not isinstance(axiom, programs.Always):
        names = program.declared[axiom.type].types
        for name in axiom.attributes:
            if name not in names:
                raise _Problem(f"{quoted(axiom.type)} has no attribute {quoted(name)}", _names(name, names), name)
        return axiom
    if axiom.first.type == axiom.second.type:
        raise _Problem(
            f"both events of the axiom are of the type {quoted(axiom.first.type)}",
            f"An axiom orders events of two types; that there is one only is written"
            f" axiom {quoted(axiom.first.type)}(…) unique",
            axiom.first.type,
        )
    known = (axiom.first.identifier, axiom.second.identifier)
    if known[0] == known[1]:
        raise _Problem(f"the identifier {known[0]} is given twice", "Call them a and b.", known[0])
    first, second = (_named(atom, program.declared) for atom in (axiom.first, axiom.second))
    _bindings([first, second], program.declared, {})
    times = _times((first, second), program.declared)
    for condition in axiom.conditions:
        for name in condition.identifiers:
            if name not in known and name not in times:
                reason = f"{condition}: no event is called {name}, and no time"
                raise _Problem(reason, _names(name, {*known, *times}), name)
    conditions = (renamed(each, lambda name: name if name in known else Moment(name)) for each in axiom.conditions)
    return replace(axiom, first=first, second=second, conditions=tuple(conditions))


# ---------------------------------------------------------------------------------------------------------- rules


def _resolved(rule: programs.Rule, signatures: Mapping[str, programs.EventType]) -> programs.Rule:
    """The rule with the names of the attributes that are given by position; checks names and identifiers."""
    _check_identifiers(rule)
    body = tuple(
        _named(part, signatures)
        if isinstance(part, programs.Atom)
        else replace(part, atom=_named(part.atom, signatures))
        if isinstance(part, programs.Window)
        else part
        for part in rule.body
    )
    return _with_moments(replace(rule, body=body), signatures)


def _check_identifiers(rule: programs.Rule) -> None:
    if not rule.atoms:
        raise _Problem(
            "the rule has no event outside windows", "Write at least one atom with an identifier, such as o: order(id)."
        )
    identifiers = rule.identifiers
    places = [*(atom.place for atom in rule.atoms), *(timer.place for timer in rule.timers)]
    for number, (name, place) in enumerate(zip(identifiers, places, strict=True)):
        if name in identifiers[:number]:
            raise _Problem(
                f"the identifier {name} is given twice", "Give each event of a rule its own identifier.", place=place
            )
    atoms, timers = {atom.identifier for atom in rule.atoms}, {timer.into for timer in rule.timers}
    for timer in rule.timers:
        if timer.of in timers:
            raise _Problem(
                f"{timer.into} is a timer of the timer {timer.of}",
                "A timer is relative to an event; derive the first one by a rule of its own, then refer to that.",
                place=timer.place,
            )
        if timer.of not in atoms:
            raise _Problem(
                f"{timer.into} is relative to {timer.of}, which no event has",
                _names(timer.of, atoms),
                timer.of,
                timer.place,
            )
    for window in (*rule.absences, *rule.collections):
        if window.window not in identifiers:
            raise _Problem(
                f"the window {window.window} has no beginning and no end: no event or timer is called so",
                _names(window.window, identifiers),
                place=window.atom.place,
            )


def _with_moments(rule: programs.Rule, signatures: Mapping[str, programs.EventType]) -> programs.Rule:
    """The rule in whose temporal conditions a name that no event or timer has is a variable that is a time."""
    times = _times(rule.atoms, signatures)

    def found(name: str, condition: Temporal) -> str:
        if name in rule.identifiers:
            return name
        if name in times:
            return Moment(name)
        known = {*rule.identifiers, *times}
        remedy = _names(name, known)
        reason = f"{condition}: no event or timer is called {name}"
        if name in rule.bound:
            reason += ", and the variable is no time"
            remedy = f"Declare the attribute that binds it as a time: {name}: {programs.TIME}"
        elif any(name in atom.variables for atom in rule.read()):
            reason += ", and the variable is bound in a window alone"
            remedy = f"Compare it as data, as in {name} < {next(iter(times), 'x')}."
        raise _Problem(reason, remedy, name, condition.place)

    body = (renamed(part, partial(found, condition=part)) if isinstance(part, Temporal) else part for part in rule.body)
    return replace(rule, body=tuple(body))


def _times(atoms: Iterable[programs.Atom], signatures: Mapping[str, programs.EventType]) -> dict[str, None]:
    """The variables that atoms bind to times."""
    return {
        term.name: None
        for atom in atoms
        for name, term in atom.arguments
        if isinstance(term, Variable) and name in signatures[atom.type].times
    }


def _names(wrong: str, known: Iterable[str]) -> str:
    """A remedy for a name that nothing has."""
    known = sorted(known)
    near = difflib.get_close_matches(wrong, known, 1)
    return f"Did you mean {near[0]}?" if near else f"There are {', '.join(known) or 'none'}."


def _named(atom: programs.Atom, signatures: Mapping[str, programs.EventType]) -> programs.Atom:
    signature = signatures.get(atom.type)
    if signature is None:
        raise _Problem(
            f"the event type {quoted(atom.type)} is neither declared nor derived",
            f"{_names(atom.type, signatures)} Or declare it: event {quoted(atom.type)}(…)",
            atom.type,
            _behind_identifier(atom),
        )
    names = [attribute.name for attribute in signature.attributes]
    if atom.positional and atom.arguments and len(atom.arguments) != len(names):
        raise _Problem(
            f"{atom.query} has {len(atom.arguments)} arguments, and {signature} has {len(names)}",
            f"Write one for each attribute, in order, or name those that matter: {quoted(atom.type)}({names[0]} = x)"
            if names
            else "Write none.",
            atom.type,
            _behind_identifier(atom),
        )
    given = zip(names, atom.arguments, strict=False) if atom.positional else ((n, (n, t)) for n, t in atom.arguments)
    arguments = tuple((name, term) for name, (_, term) in given)
    for name, term in arguments:
        if name not in names:
            reason = f"{quoted(atom.type)} has no attribute {quoted(name)}"
            raise _Problem(reason, _names(name, names), name, _behind_identifier(atom))
        if isinstance(term, Constant):
            _check_equal(name, signature.types[name], term, terms.type_of_value(term.value), atom)
    return replace(atom, arguments=arguments)


def _behind_identifier(atom: programs.Atom) -> Place:
    """The place of an atom behind its identifier, or that of its window, which may be called like what it reads."""
    line, column = atom.place
    return line, column + len(atom.identifier.partition("#")[0])


def _check_equal(name: str, type: Type, term: object, given: Type, atom: programs.Atom) -> None:
    if not terms.comparable(type, given):
        raise _Problem(
            f"{atom.query}: {name} is of type {type}, and {term} of type {given}: they cannot be compared",
            "Equal are numbers to numbers, text to text (in quotes), truth values to truth values.",
            atom.type,
            _behind_identifier(atom),
        )


def _bindings(
    atoms: Iterable[programs.Atom], signatures: Mapping[str, programs.EventType], types: dict[str, Type]
) -> None:
    """Add the types of the variables that the atoms bind."""
    for atom in atoms:
        for name, term in atom.arguments:
            if isinstance(term, Variable):
                type = signatures[atom.type].types[name]
                before = types.setdefault(term.name, type)
                _check_equal(name, type, term, before, atom)
                types[term.name] = "float" if "float" in (before, type) else before


def variable_types(rule: programs.Rule, signatures: Mapping[str, programs.EventType]) -> dict[str, Type]:
    """The types of the variables that a head or a condition of a checked rule can use."""
    types: dict[str, Type] = {}
    _bindings(rule.atoms, signatures, types)
    for window in rule.absences:
        _bindings([window.atom], signatures, dict(types))
    outside = set(types)
    for window in rule.collections:
        for name in window.atom.variables:
            if name in types and name not in outside:
                raise _Problem(
                    f"the variable {name} is collected in two windows",
                    "Give it two names; a variable that is bound outside windows selects in both.",
                    name,
                    window.atom.place,
                )
        _bindings([window.atom], signatures, types)
    return types


# ---------------------------------------------------------------------------------------------------------- heads


def _derived(
    rule: programs.Rule, types: Mapping[str, Type], times: Iterable[str], known: programs.EventType | None
) -> programs.EventType:
    """The event type of a rule's head; its attributes are named by `known`, else by the rule.

    `known` is the declaration of the event type, or what the first of its rules derives.
    """
    given = tuple(_term_type(term, types, rule) for term in rule.head.terms)
    names = [name or _own_name(term) for name, term in zip(rule.head.names, rule.head.terms, strict=True)]
    if known is not None:
        expected = [attribute.name for attribute in known.attributes]
        if len(expected) != len(names):
            raise _Problem(
                f"{rule.head} has {len(names)} attributes, and {known} has {len(expected)}",
                "All rules for an event type derive the attributes of its declaration, or of its first rule.",
            )
        written = [name for name in rule.head.names if name is not None]
        if written and sorted(written) != sorted(expected):
            raise _Problem(
                f"the attributes of {known.name} are {', '.join(expected)}, and {rule.head} names others",
                "Name all of them, or none.",
            )
        names = list(rule.head.names if written else expected)
    for name, term in zip(names, rule.head.terms, strict=True):
        if not name:
            raise _Problem(
                f"the attribute {term} of {rule.head} has no name",
                f"Name it, as in {quoted(rule.head.type)}(value = {term}), or declare the event type.",
            )
        if names.count(name) > 1:
            raise _Problem(
                f"{rule.head} has two attributes {name}", f"Name them: {quoted(rule.head.type)}(a = …, b = …)."
            )
        if name in COLUMNS:
            raise _Problem(f"{name} is a column of every log, and no attribute", "Give the attribute another name.")
    moments = [isinstance(term, Variable) and term.name in times for term in rule.head.terms]
    attributes = zip(names, given, moments, strict=True)
    found = programs.EventType(
        rule.head.type,
        tuple(programs.Attribute(name, type, is_time=is_time) for name, type, is_time in attributes if name),
    )
    if known is not None:
        for attribute in known.attributes:
            if not terms.comparable(attribute.type, found.types[attribute.name]):
                raise _Problem(
                    f"{attribute.name} is of type {found.types[attribute.name]} in {rule.head},"
                    f" and of type {attribute.type} in {known}",
                    "All rules for an event type derive values of the same types.",
                )
    return found


def _check_whole(derived: programs.EventType, declared: programs.EventType | None) -> None:
    for attribute in () if declared is None else declared.attributes:
        if attribute.type == "int" and derived.types[attribute.name] == "float":
            raise _Problem(
                f"{attribute.name} is declared as int, and derived as float", f"Declare it as float: {derived}"
            )


def _own_name(term: programs.HeadTerm) -> str | None:
    match term:
        case Variable(name):
            return name
        case programs.Aggregate():
            return term.column
        case _:
            return None


def _term_type(term: programs.HeadTerm, types: Mapping[str, Type], rule: programs.Rule) -> Type:
    if not isinstance(term, programs.Aggregate):
        _check_bound(terms.variables(term), types, rule, f"the head {rule.head}")
        return _typed(lambda: terms.type_of(term, types), rule.place)
    if not rule.collections:
        raise _Problem(
            f"{term} aggregates, and the rule collects nothing",
            "Collect events in a window: while w: collect a(x), where w is an event or a timer.",
            term.function,
        )
    _check_bound([term.variable], types, rule, f"the head {rule.head}")
    found = aggregate_type(term.function, types[term.variable])
    if found is None:
        raise _Problem(
            f"{term}: {term.variable} is of type {types[term.variable]}, and {term.function} takes numbers",
            "count, min and max take text as well.",
            term.function,
        )
    return found


_T = TypeVar("_T")


def _typed(check: Callable[[], _T], place: Place) -> _T:
    """What a check of types gives; what it refuses is said with a place."""
    try:
        return check()
    except InputError as error:
        raise _Problem(error.reason, error.remedy, place=place) from None


def _check_bound(
    names: Iterable[str], types: Mapping[str, Type], rule: programs.Rule, where: str, place: Place = NOWHERE
) -> None:
    for name in names:
        if name not in types:
            absent = any(name in window.atom.variables for window in rule.absences)
            reason = " (it occurs only in what is absent)" if absent else ""
            raise _Problem(
                f"the variable {name} in {where} is bound nowhere{reason}",
                "An atom outside `not` binds it: o: order(…, " + name + ", …).",
                name,
                place,
            )


def _check_conditions(rule: programs.Rule, types: Mapping[str, Type]) -> None:
    for comparison in rule.comparisons:
        where, place = f"the condition {comparison}", comparison.place
        _check_bound(terms.variables_of(comparison), types, rule, where, place)
        _typed(partial(terms.check, comparison, types), place)


def _common(derived: Sequence[programs.EventType]) -> programs.EventType:
    """The event type of several rules: an attribute is a number with a fraction where one of them makes it so."""
    first = derived[0]
    return programs.EventType(
        first.name,
        tuple(
            programs.Attribute(
                name,
                "float" if any(other.types[name] == "float" for other in derived) else type,
                is_time=all(name in other.times for other in derived),
            )
            for name, type in first.types.items()
        ),
    )
