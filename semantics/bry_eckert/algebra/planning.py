"""Plans of a program (2007, Section 3; 2008, Sections 2.2 and 2.3), laws by which they are rewritten, orders of joins.

As translated, an expression has the form that the papers print: joins, then selections, then merging. A choice of an
order is a line for a rule, `F: c, d / e`: c and d are joined first, and their join is a materialization point that e is
joined with (Query Plan 2 of 2008, Figure 1). All plans of a program derive the same.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import islice, zip_longest
from math import inf
from typing import Any

from semantics.bry_eckert import terms
from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.distances import distances, of_condition
from semantics.bry_eckert.algebra.plans import AntiSemiJoin, Expression, Join, Merge, Name, Select, Timer, columns_of
from semantics.bry_eckert.checking import variable_types
from semantics.bry_eckert.programs import Aggregate, Atom, Program, Rule, Window
from semantics.bry_eckert.temporal import PRIME, Column, Moment, Temporal, end, inside, renamed
from semantics.bry_eckert.terms import Arithmetic, Comparison, Constant, Term, Variable, aggregate_type, type_of
from semantics.bry_eckert.values import contradictory
from semantics.errors import InputError


def plan_of(program: Program) -> plans.Plan:
    """The query plan of a program, as it is translated, once variables that comparisons equate are one (`unified`)."""
    program = unified(program)
    names = rule_names(program)
    definitions: list[plans.Definition] = []
    for type in program.signatures:
        parts = [(name, rule) for name, rule in names.items() if rule.head.type == type]
        for name, rule in parts:
            derives = type if len(parts) == 1 else None
            definitions.append(plans.Definition(name, expression_of(rule, program), derives))
        if len(parts) > 1:
            definitions.append(plans.Definition(type, plans.Union(tuple(name for name, _ in parts)), type))
    declared = program.declared.items()
    durations = ((name, type.within) for name, type in declared if type.within is not None)
    times = ((name, attribute) for name, type in declared for attribute in type.attributes)
    precisions = ((name, time.name, time.within) for name, time in times if time.within is not None)
    plan = plans.Plan(tuple(definitions), tuple(durations), program.axioms, tuple(precisions))
    empty: set[Name] = set()
    for part in definitions:
        if _is_empty(part, names.get(part.name), program, plan, empty):
            empty.add(part.name)
    return replace(plan, definitions=tuple(replace(part, empty=part.name in empty) for part in definitions))


def _is_empty(
    part: plans.Definition, rule: Rule | None, program: Program, plan: plans.Plan, empty: Collection[Name]
) -> bool:
    """Whether a point has no tuple because conditions contradict each other, or because others have none."""
    if isinstance(part.expression, plans.Union):
        return all(name in empty for name in part.expression.relations)
    assert rule is not None
    if any(atom.type in empty for atom in (*rule.atoms, *(window.atom for window in rule.collections))):
        return True
    known = distances(part.expression, plan)
    for condition in rule.temporal:  # of one with alternatives, all others may leave none
        known = of_condition(known, condition)
    return known.contradictory or contradictory(rule.comparisons, variable_types(rule, program.signatures))


def rule_names(program: Program) -> dict[Name, Rule]:
    """The rules by the names of their materialization points: the event type; of several rules, `F#1` and so on."""
    found: dict[Name, Rule] = {}
    for type in program.derived:
        rules = program.rules_of(type)
        for number, rule in enumerate(rules, 1):
            found[type if len(rules) == 1 else plans.Part(type, "rule", number)] = rule
    return found


def unified(program: Program) -> Program:
    """The program, of the same meaning, in which variables of one type outside windows are one if they are equated."""
    return replace(program, rules=tuple(_unified(rule, program) for rule in program.rules))


def _unified(rule: Rule, program: Program) -> Rule:
    for comparison in rule.comparisons:
        match comparison:
            case Comparison(Variable(kept), "=", Variable(gone)) if {kept, gone} <= rule.bound and kept != gone:
                types = variable_types(rule, program.signatures)
                if types[kept] == types[gone]:
                    body = tuple(_named(part, gone, kept) for part in rule.body if part is not comparison)
                    head = replace(rule.head, terms=tuple(_named(term, gone, kept) for term in rule.head.terms))
                    return _unified(replace(rule, head=head, body=body), program)
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
        case _ if isinstance(part, Temporal):
            return renamed(part, lambda each: Moment(kept) if isinstance(each, Moment) and each == gone else each)
    return part


def expression_of(rule: Rule, program: Program, joined: Expression | None = None) -> Expression:
    """The expression of a rule's body and head, whose time stamps are those of `RESULT`; its atoms may be joined."""
    if joined is None:
        atoms: list[Expression] = [base(atom) for atom in rule.atoms]
        joined = reduce(Join, atoms)
    for timing in rule.timers:
        joined = Timer(timing, joined)
    for window in rule.absences:
        within = inside(window.atom.identifier, window.window)
        joined = AntiSemiJoin(joined, base(window.atom, rule.bound), within)
    for window in rule.collections:
        within = inside(window.atom.identifier, window.window)
        joined = Select(within, Join(joined, base(window.atom)))
    for condition in (*rule.temporal, *rule.comparisons):
        joined = Select(condition, joined)
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
        return plans.Project(tuple(keys), Merge(plans.RESULT, rule.identifiers, joined))
    group = plans.Group(plans.RESULT, rule.identifiers, tuple(keys), tuple(aggregates), joined)
    return group if all(isinstance(term, Variable) for _, term in columns) else plans.Project(tuple(columns), group)


def _as_float(number: Term) -> Term:
    return Arithmetic("+", number, Constant(0.0))


def base(atom: Atom, outside: Iterable[str] | None = None) -> plans.Base:
    """The relation of an atomic event query; a variable of an absent event that is not bound `outside` is renamed."""
    arguments = (
        (name, Variable(f"{term.name}{PRIME}{atom.identifier}"))
        if outside is not None and isinstance(term, Variable) and term.name not in outside
        else (name, term)
        for name, term in atom.arguments
    )
    return plans.Base(atom.identifier, atom.type, tuple(arguments))


def rewritings(expression: Expression) -> Iterator[tuple[str, Expression]]:
    """The laws that apply to an expression by name, each with what it is by that law; the meaning is the same."""
    match expression:
        case Select(condition, Join(left, right)):
            if columns_of(condition) <= set(left.schema):
                yield "select_below_join_left", Join(Select(condition, left), right)
            if columns_of(condition) <= set(right.schema):
                yield "select_below_join_right", Join(left, Select(condition, right))
        case Select(condition, Select(other, operand)):
            yield "select_below_select", Select(other, Select(condition, operand))
        case Select(condition, Timer(timing, operand)):
            if columns_of(condition) <= set(operand.schema):
                yield "select_below_timer", Timer(timing, Select(condition, operand))
        case Select(condition, AntiSemiJoin(left, right, inside)):
            yield "select_below_absence", AntiSemiJoin(Select(condition, left), right, inside)
        case Select(condition, Merge(into, merged, operand)):
            if columns_of(condition).isdisjoint(plans.stamps([into])):
                yield "select_below_merge", Merge(into, merged, Select(condition, operand))
        case Timer(timing, Join(left, right)):
            in_left = end(timing.of) in left.schema
            yield "timer_below_join", Join(Timer(timing, left), right) if in_left else Join(left, Timer(timing, right))
        case AntiSemiJoin(Join(left, right), absent, inside):  # the window is in L, and S shares no data with R alone
            shared = set(absent.schema) & {*left.schema, *right.schema}
            if end(inside.right) in left.schema and shared <= set(left.schema):
                yield "absence_below_join", Join(AntiSemiJoin(left, absent, inside), right)
        case Join(left, right):
            yield "join_commutes", Join(right, left)
            if isinstance(left, Join):
                yield "join_associates", Join(left.left, Join(left.right, right))


def with_operands(expression: Expression, new: Iterable[Expression]) -> Expression:
    """The expression with other operands."""
    names = ("left", "right") if isinstance(expression, Join | AntiSemiJoin) else ("operand",)
    changed: dict[str, Any] = dict(zip(names, new, strict=False))
    return replace(expression, **changed) if changed else expression


def pushed_down(expression: Expression) -> Expression:
    """The expression with each selection, timer and absence as deep as it goes; operands keep their order."""
    return _settled(with_operands(expression, map(pushed_down, plans.operands(expression))))


def _settled(expression: Expression) -> Expression:
    """The same of an expression whose operands are so already."""
    for name, found in () if isinstance(expression, Join) else rewritings(expression):
        if name != "select_below_select":
            known = [part for operand in plans.operands(expression) for part in (operand, *plans.operands(operand))]
            parts = (part if any(part is one for one in known) else _settled(part) for part in plans.operands(found))
            return _settled(with_operands(found, parts))
        # A selection that stays must not keep the one above it from going further down.
        assert isinstance(found, Select)
        inner = _settled(found.operand)
        if inner != found.operand:
            return _settled(Select(found.condition, inner))
    return expression


def pushed(plan: plans.Plan) -> plans.Plan:
    """The plan with the expressions of all materialization points pushed down."""
    parts = (
        part if isinstance(part.expression, plans.Union) else replace(part, expression=pushed_down(part.expression))
        for part in plan.definitions
    )
    return replace(plan, definitions=tuple(parts))


MOST_ORDERS = 24  # limit of the orders of a rule's atoms that are tried


@dataclass(frozen=True)
class Choice:
    """Event identifiers in the order of joins; a group but the last one ends in a materialization point."""

    groups: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        return " / ".join(", ".join(group) for group in self.groups)


def read_choices(text: str, program: Program) -> dict[Name, Choice]:
    """The choices that a text states; raises `InputError` for a line without a rule, or not with all its atoms."""
    rules = {plans.named(name): (name, rule) for name, rule in rule_names(program).items()}
    found: dict[Name, Choice] = {}
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("  #")[0].strip()
        if not line or line.startswith("#"):
            continue
        said, _, groups = line.rpartition(":")
        if said.strip() not in rules:
            remedy = f"Write for example F: c, d / e. The rules: {', '.join(rules)}."
            raise InputError(f"{(said or groups).strip()!r} is no rule", place=f"line {number}", remedy=remedy)
        name, rule = rules[said.strip()]
        choice = Choice(tuple(tuple(map(str.strip, group.split(","))) for group in groups.split("/")))
        atoms = [atom.identifier for atom in rule.atoms]
        if sorted(name for group in choice.groups for name in group) != sorted(atoms):
            reason, remedy = f"{choice} does not join each atom once", f"The atoms: {', '.join(atoms)}."
            raise InputError(reason, place=f"line {number}", remedy=remedy)
        found[name] = choice
    return found


def planned(program: Program, choices: Mapping[Name, Choice]) -> plans.Plan:
    """The plan of a program with some choices; other rules are joined as they are written."""
    program = unified(program)
    rules, plan = rule_names(program), plan_of(program)
    definitions: list[plans.Definition] = []
    for part in plan.definitions:
        choice = choices.get(part.name)
        definitions += [part] if choice is None else _split(part, rules[part.name], choice, program)
    return pushed(replace(plan, definitions=tuple(definitions)))


def _split(part: plans.Definition, rule: Rule, choice: Choice, program: Program) -> Iterator[plans.Definition]:
    atoms = {atom.identifier: atom for atom in rule.atoms}
    joined: Expression | None = None
    for number, group in enumerate(choice.groups, 1):
        bases: list[Expression] = [base(atoms[name]) for name in group]
        joined = reduce(Join, bases if joined is None else [joined, *bases])
        if number < len(choice.groups):
            later = [atoms[name] for after in choice.groups[number:] for name in after]
            kept = _kept(joined, rule, {variable for atom in later for variable in atom.variables})
            yield plans.Definition(plans.Part(part.name, "join", number), kept, empty=part.empty)
            joined = plans.Point(plans.Part(part.name, "join", number), kept.schema)
    yield replace(part, expression=expression_of(rule, program, joined))


def _kept(joined: Expression, rule: Rule, later: set[str]) -> plans.Project:
    """Join with its conditions applied, without columns that nothing above needs."""
    needed: set[Column] = {*later, *(name for window in rule.windows for name in window.atom.variables)}
    for condition in (*rule.temporal, *rule.comparisons):
        needed |= columns_of(condition)
        if columns_of(condition) <= set(joined.schema):
            joined = Select(condition, joined)
    for term in rule.head.terms:
        needed |= {term.variable} if isinstance(term, Aggregate) else set(terms.variables(term))
    columns = tuple((name, Variable(name)) for name in plans.data_of(joined.schema) if name in needed)
    return plans.Project(columns, joined)


def candidates(rule: Rule) -> Iterator[Choice]:
    """Ways to join the atoms of a rule: in each order, with and without a materialization point after each join."""
    variables = {atom.identifier: frozenset(atom.variables) for atom in rule.atoms}
    for order in islice(_orders(variables, ()), MOST_ORDERS):
        yield Choice((order,))
        if len(order) > 2:
            yield Choice((order[:2], *((name,) for name in order[2:])))


def _orders(variables: Mapping[str, frozenset[str]], first: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The orders that begin with some atoms, in turns, and go on with one that shares a variable where there is one."""
    left = [name for name in variables if name not in first]
    if not left:
        yield first
        return
    bound = frozenset[str]().union(*(variables[name] for name in first))
    joined = [name for name in left if variables[name] & bound] or left
    for each in zip_longest(*(_orders(variables, (*first, name)) for name in joined)):
        yield from filter(None, each)


def chosen(program: Program, cost: Callable[[plans.Plan, float], float]) -> dict[Name, Choice]:
    """For each rule the choice with the least cost, one rule after the other; what is as written stays out of it."""
    found: dict[Name, Choice] = {}
    least = cost(planned(program, found), inf)
    for name, rule in rule_names(unified(program)).items():
        for choice in candidates(rule) if len(rule.atoms) > 1 else ():
            expected = cost(planned(program, {**found, name: choice}), least)
            if expected < least:
                least, found[name] = expected, choice
    return found
