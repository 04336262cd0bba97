"""Static checks of programs: names, types, safety, hierarchy; what they find out is kept with the program."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from semantics.bry_eckert import terms
from semantics.bry_eckert.programs import Aggregate, Atom, Attribute, Axiom, EventType, Program, Rule, Unique, Window
from semantics.bry_eckert.syntax import Problem, at, parse_unchecked
from semantics.bry_eckert.temporal import Moment, Temporal, pairwise, renamed
from semantics.bry_eckert.terms import NOWHERE, TYPES, Constant, Place, Type, Variable, aggregate_type
from semantics.errors import ExpressionError, InputError, nearest
from semantics.events import quoted

MOST_RULES = 1_000  # of a program

MOST_DERIVED = 50  # so deep may derived events be derived from others

MOST_EVENTS = 16  # of a rule, those in windows too

MOST_PARTS = 100  # of the body of a rule; of events that are apart, each two count

COLUMNS = ("time", "start", "event")  # the columns of every log; no attribute has such a name

_SPLIT = "Split it: one program can read what another one derives."

Signatures: TypeAlias = Mapping[str, EventType]

NO_TYPES: Signatures = MappingProxyType({})


@contextmanager
def _placed(text: str, begin: Place) -> Iterator[None]:
    """A problem becomes an error with a place: its own, or where the rule or axiom begins."""
    try:
        yield
    except ExpressionError:
        raise
    except InputError as problem:
        place = getattr(problem, "at", NOWHERE)
        raise at(problem, text, begin if place == NOWHERE else place) from None


def parse(text: str, tick: str = "", known: Signatures = NO_TYPES) -> Program:
    """The program that a text states; every atom has the names of its attributes.

    `tick` is the length of a tick where the text states none, such as `1s`; event types that are `known` need no
    declaration, and are not derived. Raises `InputError` for what cannot be read or does not pass the static checks.
    """
    program = parse_unchecked(text, tick)
    if not program.rules:
        remedy = "Write one, such as comp(x) <- a: A(x), b: B(x), a before b."
        raise InputError("the program has no rule", remedy=remedy)
    if len(program.rules) > MOST_RULES:
        reason = f"the program has {len(program.rules):,} rules, more than the limit of {MOST_RULES:,}"
        raise at(InputError(reason, remedy=_SPLIT), text, program.rules[MOST_RULES].place)
    with _placed(text, NOWHERE):
        _check_declarations(program, known)
        program = replace(program, declared={**known, **program.declared})
        order = _hierarchy(program)
    axioms: list[Axiom] = []
    for axiom in program.axioms:
        with _placed(text, (axiom.line, 1)):
            axioms.append(_checked_axiom(axiom, program))
    signatures, checked = dict(program.declared), dict[int, Rule]()
    for type in order:
        declaration, derived = program.declared.get(type), list[EventType]()
        for number, rule in enumerate(program.rules):
            if rule.head.type == type:
                with _placed(text, rule.place):
                    checked[number] = _checked_rule(rule, signatures)
                    derived.append(_derived(checked[number], signatures, declaration, next(iter(derived), None)))
        # An attribute is a number with a fraction where one of the rules makes it so.
        common = (
            Attribute(
                name,
                "float" if any(other.types[name] == "float" for other in derived) else of_first,
                is_time=all(name in other.times for other in derived),
            )
            for name, of_first in derived[0].types.items()
        )
        signatures.setdefault(type, EventType(type, tuple(common)))
    rules = tuple(checked[number] for number in range(len(program.rules)))
    return replace(program, rules=rules, signatures=signatures, axioms=tuple(axioms))


def _hierarchy(program: Program) -> list[str]:
    """The derived event types in an order in which each one comes after those that its rules read."""
    depths: dict[str, int] = {}

    def visit(type: str, path: tuple[str, ...]) -> None:
        below = 0
        for atom in (atom for rule in program.rules_of(type) for atom in rule.read()):
            if atom.type in (*path, type):
                cycle = " <- ".join(map(quoted, (*path, type, atom.type)[(*path, type).index(atom.type) :]))
                remedy = "A program is hierarchical: no event type is derived from itself, directly or by others."
                raise Problem(f"the rules are recursive: {cycle}", remedy, atom.place)
            if atom.type in program.derived:
                if atom.type not in depths and len(path) < MOST_DERIVED:
                    visit(atom.type, (*path, type))
                below = max(below, depths.get(atom.type, MOST_DERIVED))
                if below >= MOST_DERIVED:
                    reason = f"{quoted(type)} is derived by more than {MOST_DERIVED} rules, one after the other"
                    raise Problem(reason, _SPLIT, atom.place)
        depths[type] = below + 1

    for type in program.derived:
        if type not in depths:
            visit(type, ())
    return list(depths)


def _check_declarations(program: Program, known: Signatures) -> None:
    for declared in program.declared.values():
        names = [attribute.name for attribute in declared.attributes]
        for number, attribute in enumerate(declared.attributes):
            if attribute.name in names[:number]:
                reason = f"{declared} has two attributes {attribute.name}"
                raise Problem(reason, "Give each a name of its own.", attribute.place)
            if attribute.name in COLUMNS:
                reason = f"{declared}: {attribute.name} is a column of every log, and no attribute"
                remedy = "Times are compared by temporal conditions, such as `o before s`."
                raise Problem(reason, remedy, attribute.place)
        if known.get(declared.name, declared) != declared:
            reason = f"{quoted(declared.name)} is declared in another way: {known[declared.name]}"
            raise Problem(reason, "Leave its declaration out.", declared.place)
        said = {declared.within, *(attribute.within for attribute in declared.attributes)}
        if declared.name in program.derived and said != {None}:
            reason = f"{declared.name} is derived, and its rules say how long it takes, and when its times are"
            raise Problem(reason, "Leave `within` out of its declaration.", declared.place)
    for rule in program.rules:
        if rule.head.type in known:
            reason = f"{quoted(rule.head.type)} is there already, from the log or derived by other rules"
            raise Problem(reason, "Give what these rules derive another name.", rule.place)


def _checked_axiom(axiom: Axiom, program: Program) -> Axiom:
    for type in axiom.types:
        if type in program.derived:
            reason = f"{quoted(type)} is derived, and an axiom is about the events of a log"
            raise Problem(reason, "Say it of the events that its rules read.")
        _signature(type, program.declared, NOWHERE)
    if isinstance(axiom, Unique):
        names = program.declared[axiom.type].types
        for name in axiom.attributes:
            if name not in names:
                raise Problem(f"{quoted(axiom.type)} has no attribute {quoted(name)}", _names(name, names))
        return axiom
    known, type = (axiom.first.identifier, axiom.second.identifier), axiom.first.type
    if type == axiom.second.type:
        reason = f"both events of the axiom are of the type {quoted(type)}"
        raise Problem(reason, f"An axiom orders two types; that there is one only is: axiom {quoted(type)}(…) unique")
    if known[0] == known[1]:
        raise Problem(f"the identifier {known[0]} is given twice", "Call them a and b.")
    first, second = (_named(atom, program.declared) for atom in (axiom.first, axiom.second))
    _bind([first, second], program.declared, {})
    times = _times((first, second), program.declared)
    conditions = tuple(_timed(each, known, times, "event", "time") for each in axiom.conditions)
    return replace(axiom, first=first, second=second, conditions=pairwise(conditions))


def _checked_rule(rule: Rule, signatures: Signatures) -> Rule:
    _check_identifiers(rule)
    body = list(rule.body)
    for number, part in enumerate(body):
        if isinstance(part, Atom):
            body[number] = _named(part, signatures)
        elif isinstance(part, Window):
            body[number] = replace(part, atom=_named(part.atom, signatures))
    rule = replace(rule, body=tuple(body))
    times = _times(rule.atoms, signatures)
    for number, part in enumerate(body):
        if isinstance(part, Temporal):
            body[number] = _timed(part, rule.identifiers, times, "event or timer", "variable that is a time")
    rule = replace(rule, body=tuple(body))
    types = variable_types(rule, signatures)
    for comparison in rule.comparisons:
        _check_bound(terms.variables(comparison), types, f"the condition {comparison}", comparison.place)
        try:
            terms.check(comparison, types)
        except InputError as error:
            raise Problem(error.reason, error.remedy, comparison.place) from None
    return rule


def _check_identifiers(rule: Rule) -> None:
    events = len(rule.atoms) + len(rule.windows)
    parts = len(rule.temporal) + sum(not isinstance(part, Temporal) for part in rule.body)
    for number, most, what in ((events, MOST_EVENTS, "events"), (parts, MOST_PARTS, "parts")):
        if number > most:
            remedy = "Derive an event from some of them by a rule of its own, and read that one."
            raise Problem(f"the rule has more than {most} {what} in its body", remedy)
    if not rule.atoms:
        remedy = "Write at least one atom with an identifier, such as o: order(id)."
        raise Problem("the rule has no event outside windows", remedy)
    identifiers = rule.identifiers
    places = [*(atom.place for atom in rule.atoms), *(timer.place for timer in rule.timers)]
    for number, name in enumerate(identifiers):
        if name in identifiers[:number]:
            remedy = "Give each event of a rule its own identifier."
            raise Problem(f"the identifier {name} is given twice", remedy, places[number])
    atoms = [atom.identifier for atom in rule.atoms]
    for timer in rule.timers:
        if timer.of not in atoms:
            reason = f"{timer.into} is relative to {timer.of}, which is no event outside windows"
            raise Problem(reason, _names(timer.of, atoms), timer.place)
    for window in rule.windows:
        if window.window not in identifiers:
            reason = f"the window {window.window} has no beginning and no end: no event or timer is called so"
            raise Problem(reason, _names(window.window, identifiers), window.atom.place)


def _timed(condition: Temporal, events: Iterable[str], times: Iterable[str], kind: str, other: str) -> Temporal:
    """A temporal condition on events, timers and variables that are times, these as moments."""
    for name in condition.identifiers:
        if name not in (known := {*events, *times}):
            remedy = f"{_names(name, known)} An attribute is declared as a time by {name}: time"
            raise Problem(f"{condition}: no {kind} is called {name}, and no {other}", remedy, condition.place)
    return renamed(condition, lambda name: name if name in events else Moment(name))


def _times(atoms: Iterable[Atom], signatures: Signatures) -> dict[str, None]:
    return {
        term.name: None
        for atom in atoms
        for name, term in atom.arguments
        if isinstance(term, Variable) and name in signatures[atom.type].times
    }


def _names(wrong: str, known: Iterable[str]) -> str:
    known = sorted(known)
    return nearest(wrong, known, f"There are {', '.join(known) or 'none'}.")


def _signature(type: str, signatures: Signatures, place: Place) -> EventType:
    if type not in signatures:
        remedy = f"{_names(type, signatures)} Or declare it: event {quoted(type)}(attribute: int)"
        raise Problem(f"the event type {quoted(type)} is neither declared nor derived", remedy, place)
    return signatures[type]


def _named(atom: Atom, signatures: Signatures) -> Atom:
    signature = _signature(atom.type, signatures, atom.place)
    names = list(signature.types)
    if atom.positional and atom.arguments and len(atom.arguments) != len(names):
        reason = f"{atom.query} has {len(atom.arguments)} arguments, and {signature} has {len(names)}"
        remedy = f"Write one for each attribute, in order, or name those that matter: {quoted(atom.type)}(… = x)"
        raise Problem(reason, remedy, atom.place)
    given = names if atom.positional else [name for name, _ in atom.arguments]
    arguments = tuple((name, term) for name, (_, term) in zip(given, atom.arguments, strict=False))
    for name, term in arguments:
        if name not in names:
            raise Problem(f"{quoted(atom.type)} has no attribute {quoted(name)}", _names(name, names), atom.place)
        if isinstance(term, Constant):
            _check_equal(name, signature.types[name], term, TYPES[type(term.value)], atom)
    return replace(atom, arguments=arguments)


def _check_equal(name: str, type: Type, term: object, given: Type, atom: Atom) -> None:
    if not terms.comparable(type, given):
        reason = f"{atom.query}: {name} is of type {type}, and {term} of type {given}: they cannot be compared"
        remedy = "Equal are numbers to numbers, text to text (in quotes), truth values to truth values."
        raise Problem(reason, remedy, atom.place)


def _bind(atoms: Iterable[Atom], signatures: Signatures, types: dict[str, Type]) -> None:
    for atom in atoms:
        for name, term in atom.arguments:
            if isinstance(term, Variable):
                type = signatures[atom.type].types[name]
                before = types.setdefault(term.name, type)
                _check_equal(name, type, term, before, atom)
                types[term.name] = "float" if "float" in (before, type) else before


def variable_types(rule: Rule, signatures: Signatures) -> dict[str, Type]:
    """The types of the variables that a head or a condition of a checked rule can use."""
    types: dict[str, Type] = {}
    _bind(rule.atoms, signatures, types)
    for window in rule.absences:
        _bind([window.atom], signatures, dict(types))
    outside = set(types)
    for window in rule.collections:
        for name in (types.keys() & window.atom.variables) - outside:
            remedy = "Give it two names; a variable that is bound outside windows selects in both."
            raise Problem(f"the variable {name} is collected in two windows", remedy, window.atom.place)
        _bind([window.atom], signatures, types)
    return types


def _derived(rule: Rule, signatures: Signatures, declared: EventType | None, first: EventType | None) -> EventType:
    """The event type of a rule's head; attributes are named as declared, as by the first rule, or by this one."""
    head, types, times = rule.head, variable_types(rule, signatures), _times(rule.atoms, signatures)
    given = [_term_type(term, types, rule) for term in head.terms]
    names = [
        name
        if name is not None
        else f"{term.function}_{term.variable}"
        if isinstance(term, Aggregate)
        else getattr(term, "name", None)
        for name, term in zip(head.names, head.terms, strict=True)
    ]
    known = declared or first
    if known is not None:
        expected = list(known.types)
        if len(expected) != len(names):
            reason = f"{head} has {len(names)} attributes, and {known} has {len(expected)}"
            remedy = "All rules for an event type derive the attributes of its declaration, or of its first rule."
            raise Problem(reason, remedy)
        written = [name for name in head.names if name is not None]
        if written and sorted(written) != sorted(expected):
            reason = f"the attributes of {known.name} are {', '.join(expected)}, and {head} names others"
            raise Problem(reason, "Name all of them, or none.")
        names = list(written or expected)
    attributes: list[Attribute] = []
    for name, term, type in zip(names, head.terms, given, strict=True):
        if name is None:
            remedy = f"Name it, as in {quoted(head.type)}(value = {term}), or declare the event type."
            raise Problem(f"the attribute {term} of {head} has no name", remedy)
        if names.count(name) > 1 or name in COLUMNS:
            reason = f"{name} is a column of every log" if name in COLUMNS else f"{head} has two attributes {name}"
            raise Problem(reason, f"Give it another name: {quoted(head.type)}(a = {term}).")
        attributes.append(Attribute(name, type, is_time=isinstance(term, Variable) and term.name in times))
    found = EventType(head.type, tuple(attributes))
    for attribute in () if known is None else known.attributes:
        type = found.types[attribute.name]
        if not terms.comparable(attribute.type, type):
            reason = f"{attribute.name} is of type {type} in {head}, and of type {attribute.type} in {known}"
            raise Problem(reason, "All rules for an event type derive values of the same types.")
        if declared is not None and attribute.type == "int" and type == "float":
            reason = f"{attribute.name} is declared as int, and derived as float"
            raise Problem(reason, f"Declare it as float: {found}")
    return found


def _term_type(term: terms.Term | Aggregate, types: Mapping[str, Type], rule: Rule) -> Type:
    where = f"the head {rule.head}"
    if not isinstance(term, Aggregate):
        _check_bound(terms.variables(term), types, where)
        return terms.type_of(term, types)
    if not rule.collections:
        remedy = "Collect events in a window: while w: collect a(x), where w is an event or a timer."
        raise Problem(f"{term} aggregates, and the rule collects nothing", remedy)
    _check_bound([term.variable], types, where)
    found = aggregate_type(term.function, types[term.variable])
    if found is None:
        reason = f"{term}: {term.variable} is of type {types[term.variable]}, and {term.function} takes numbers"
        raise Problem(reason, "count, min and max take text as well.")
    return found


def _check_bound(names: Iterable[str], types: Mapping[str, Type], where: str, place: Place = NOWHERE) -> None:
    for name in names:
        if name not in types:
            reason = f"the variable {name} in {where} is bound nowhere outside `not`"
            raise Problem(reason, f"An atom outside `not` binds it: o: order(…, {name}, …).", place)
