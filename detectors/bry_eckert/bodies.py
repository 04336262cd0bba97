"""Bodies of rules and the joins that are generated for them, as text.

Joins commute with selections, timers and anti-semi-joins as long as time stamps stay, so an expression is a set of
inputs with conditions, timers and absences, and a head. Nothing of a user's text gets into a program but constants.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TypeAlias

from semantics.bry_eckert import terms
from semantics.bry_eckert.algebra import plans
from semantics.bry_eckert.algebra.distances import Distances, Relevance, distances, maximal, of_absence, only_partner
from semantics.bry_eckert.algebra.plans import Condition, Schema, columns_of, identifiers_of
from semantics.bry_eckert.temporal import Column, Difference, Stamp, Timing, end, is_stamp
from semantics.bry_eckert.terms import Arithmetic, Comparison, Constant, Term, Variable, variables
from semantics.errors import InputError

Input: TypeAlias = plans.Base | plans.Point  # a relation that a body reads

Headed: TypeAlias = plans.Merge | plans.Project | plans.Group | plans.Select


@dataclass(frozen=True)
class Absence:
    """A relation of which no tuple may lie in a window: its conditions, and what they imply of a joined tuple."""

    input: Input
    conditions: tuple[Condition, ...]
    distances: Distances


@dataclass(frozen=True)
class Body:
    """An expression in parts: inputs by number, then the relations of absences; the head is from the inside."""

    expression: plans.Expression
    inputs: tuple[Input, ...]
    timers: tuple[Timing, ...]
    conditions: tuple[Condition, ...]
    absences: tuple[Absence, ...]
    head: tuple[Headed, ...]
    distances: Distances

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        return tuple(plans.identifiers_of(given.schema) for given in self.inputs)

    @cached_property
    def late(self) -> tuple[int, ...]:
        """The inputs that always end before a timer, which is not relative to them: they are joined when it is due."""
        origins = {timing.of for timing in self.timers}
        return tuple(
            number
            for number, names in enumerate(self.names)
            if origins.isdisjoint(names) and any(self._before(number, timing.into) for timing in self.timers)
        )

    @cached_property
    def core(self) -> tuple[int, ...]:
        """The inputs that are joined as they arrive."""
        return tuple(number for number in range(len(self.inputs)) if number not in self.late)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The core inputs as what is new of them is joined, and then stored: before those that never end earlier."""

        def earlier(number: int) -> int:
            names = self.names[number]
            return sum(any(self._before(one, name, strict=False) for name in names) for one in self.core)

        return tuple(sorted(self.core, key=earlier))

    @cached_property
    def triggers(self) -> tuple[int, ...]:
        """The core inputs that can be the last to come: an end of theirs may be now, when all others have come."""

        def have_come(last: Stamp, place: int) -> Iterator[Difference]:
            for other, one in enumerate(self.order):
                for name in self.names[one]:
                    yield Difference(end(name), last, strict=other > place)

        return tuple(
            one
            for place, one in enumerate(self.order)
            if any(not self.distances.with_(have_come(end(name), place)).contradictory for name in self.names[one])
        )

    def lookups(self, number: int) -> tuple[Stamp, ...]:
        """The time stamps one of which is when a stored tuple is looked up: of a core input, those of the others."""
        core = [name for one in self.core if one != number for name in self.names[one]]
        timers = [timing.into for timing in self.timers]
        return tuple(map(end, core if number in self.core else [*core, *timers]))

    @property
    def relations(self) -> tuple[Input, ...]:
        """All relations that are read: the inputs, then those of the absences."""
        return (*self.inputs, *(absence.input for absence in self.absences))

    def relevance(self, number: int, plan: plans.Plan) -> tuple[Relevance, Relevance]:
        """How long a tuple of a relation is relevant: the maximal and the minimal condition."""
        given, inputs, partner = self.relations[number], len(self.inputs), self.partner(number)
        known = self.distances if number < inputs else self.absences[number - inputs].distances
        until = "" if partner is None else only_partner(given.schema, self.inputs[partner], plan)
        most = replace(maximal(known, given.schema, self.lookups(number)), until=until)
        return most, most.minimal(distances(given, plan))

    def partner(self, number: int) -> int | None:
        """The only input that a stored tuple of an input is looked up by: the other one of a core of two."""
        if number not in self.core or len(self.core) != 2:
            return None
        return next(one for one in self.core if one != number)

    def _before(self, number: int, identifier: str, *, strict: bool = True) -> bool:
        """Whether a tuple of an input always ends before an event; or no later, where it is not strict."""
        return all(
            self.distances.implies(Difference(end(name), end(identifier), strict=strict)) for name in self.names[number]
        )


def body_of(expression: plans.Expression, plan: plans.Plan) -> Body:
    """The parts of an expression; what computes or groups below a join needs a materialization point."""
    whole, head = expression, list[Headed]()
    while isinstance(expression, Headed):
        head.insert(0, expression)
        expression = expression.operand
    while head and isinstance(head[0], plans.Select):
        del head[0]
    expression = head[0].operand if head else whole
    inputs, timers = list[Input](), list[Timing]()
    conditions, absences = list[Condition](), list[Absence]()

    def collect(part: plans.Expression) -> None:
        match part:
            case plans.Base() | plans.Point():
                inputs.append(part)
            case plans.Join(left, right):
                collect(left)
                collect(right)
            case plans.Timer(timing, operand):
                collect(operand)
                timers.append(timing)
            case plans.Select(condition, operand):
                collect(operand)
                conditions.append(condition)
            case plans.AntiSemiJoin(left, right, inside):
                collect(left)
                known, selected = of_absence(expression, right, inside, plan), list[Condition]()
                while isinstance(right, plans.Select):
                    selected.append(right.condition)
                    right = right.operand
                assert isinstance(right, Input)
                absences.append(Absence(right, (inside, *selected), known))
            case _:
                raise InputError(f"a plan has {type(part).__name__.lower()} below a join")

    collect(expression)
    parts = tuple(inputs), tuple(timers), tuple(conditions), tuple(absences), tuple(head)
    return Body(whole, *parts, distances(expression, plan))


INDENT = "    "

_COMPUTED: Mapping[str, str] = {"+": "plus", "-": "minus", "*": "times", "/": "divided"}
"""What operators are called in a program."""

Key: TypeAlias = tuple[Column, ...]  # the columns by which an index of a store is hashed

Scope: TypeAlias = Mapping[Column, str]  # what has a value at a place of a program: by column the text of its value


def with_row(scope: Scope, number: int, given: Input) -> Scope:
    """The scope with a tuple of an input; a column that is there already keeps its text."""
    columns: dict[Column, str] = {column: f"r{number}[{place}]" for place, column in enumerate(given.schema)}
    return columns | dict(scope)


class Joins:
    """The text of `delta(now, new, due, found, wait)`, the keys of the indexes by relation, and values that it names.

    `new` has the new tuples of each relation; `wait` takes core tuples with the time at which their timers are due,
    `due` yields those, and `found` takes joined tuples.
    """

    def __init__(
        self, body: Body, *, counting: bool = False, drops: Callable[[int], bool] = lambda number: False
    ) -> None:
        self._body, self._counting, self.relations = body, counting, body.relations
        self.keys: dict[int, list[Key]] = {}
        self.values: dict[str, object] = {name: terms.ARITHMETIC[sign] for sign, name in _COMPUTED.items()}
        triggered: dict[int, list[str]] = {}
        for number in body.triggers:
            scope, others = with_row({}, number, self.relations[number]), [one for one in body.core if one != number]
            inner = self._checked({}, scope, self._joined(scope, others, self._timed))
            triggered[number] = [f"for r{number} in new[{number}]:", *_indented(inner)]
        due = self._due() if body.timers and triggered else []
        lines = []
        for number in (*body.order, *(n for n in range(len(self.relations)) if n not in body.order)):
            lines += triggered.get(number, [])
            if number in self.keys:
                lines += self._stored(number)
        dropping = [number for number in self.keys if drops(number)]
        lines += [line for number in dropping for line in self._gone(number)]
        for number in dropping:
            lines += [f"for key in gone_{number}:", f"{INDENT}drop_{number}(key)"]
        self.text = "\n".join(["def delta(now, new, due, found, wait):", *_indented([*lines, *due])]) + "\n"

    def _stored(self, number: int) -> list[str]:
        """What is stored of the new tuples of a relation: those that fulfil all conditions on its own columns."""
        scope = with_row({}, number, self.relations[number])
        lines = self._checked({}, scope, [f"store_{number}(r{number})"])
        if number >= len(self._body.inputs):
            own = self._body.absences[number - len(self._body.inputs)].conditions
            lines = self._guarded([one for one in own if columns_of(one) <= scope.keys()], scope, lines)
        return [f"for r{number} in new[{number}]:", *_indented(lines)]

    def _gone(self, number: int) -> list[str]:
        """The values of stored tuples of an input whose only partner has come, be it in this step or before."""
        partner = self._body.partner(number)
        assert partner is not None
        (key,) = self.keys[number]
        others, own = (_hashed(key, with_row({}, place, self.relations[place])) for place in (partner, number))
        lines = [f"gone_{number} = [{others} for r{partner} in new[{partner}]]"]
        if partner in self.keys:
            known = f"{own} in index_{partner}_0"
            lines.append(f"gone_{number} += [{own} for r{number} in new[{number}] if {known}]")
        return lines

    def _timed(self, scope: Scope) -> list[str]:
        if not self._body.timers:
            return self._finished(scope)
        lines, timed = self._timers(scope)
        ends = (timed[end(timing.into)] for timing in self._body.timers)
        waits = f"wait(max({', '.join(('now', *ends))}), ({self._core_rows()}))"
        return [*lines, *self._checked(scope, timed, [waits])]

    def _due(self) -> list[str]:
        scope: Scope = {}
        for number in self._body.core:
            scope = with_row(scope, number, self.relations[number])
        lines, timed = self._timers(scope)
        return [f"for {self._core_rows()} in due(now):", *_indented([*lines, *self._finished(timed)])]

    def _core_rows(self) -> str:
        return "".join(f"r{number}, " for number in self._body.core)

    def _timers(self, scope: Scope) -> tuple[list[str], Scope]:
        """The time stamps of the timers; one that would end before it starts ends the round of the loop."""
        lines: list[str] = []
        columns = dict(scope)
        for timing in self._body.timers:
            begin, finish = names = [f"{timing.into}_s", f"{timing.into}_e"]
            for name, (stamp, origin, ticks) in zip(names, timing.edges, strict=True):
                lines.append(f"{name} = {_moved(columns[origin], ticks)}")
                columns[stamp] = name
            lines += [f"if {finish} < {begin}:", f"{INDENT}continue"]
        return lines, columns

    def _finished(self, scope: Scope) -> list[str]:
        """The absences, as soon as all is there that they are about, and the late inputs, then the joined tuple."""
        outside = {column for given in self._body.inputs for column in given.schema}
        early, last = list[tuple[int, Absence]](), list[tuple[int, Absence]]()
        for number, absence in enumerate(self._body.absences, len(self._body.inputs)):
            own = set(absence.input.schema)
            about = {column for condition in absence.conditions for column in columns_of(condition)}
            if not absence.distances.contradictory:
                (early if (own & outside) | (about - own) <= scope.keys() else last).append((number, absence))

        def emitted(found: Scope) -> list[str]:
            row = ", ".join(found[column] for column in self._body.head[0].operand.schema)
            return self._without(found, last, [f"found(({row},))"])

        return self._without(scope, early, self._joined(scope, self._body.late, emitted))

    def _without(self, scope: Scope, absences: Sequence[tuple[int, Absence]], lines: list[str]) -> list[str]:
        """Loops that go on to some lines only if no tuple fulfils the conditions of an absence."""
        for number, absence in reversed(absences):
            setup, rows = self._looked_up(scope, number, absence.distances)
            inner = with_row(scope, number, self.relations[number])
            holds = " and ".join(self._tests(condition, inner) for condition in absence.conditions)
            breaks = [f"for r{number} in {rows}:", f"{INDENT}if {holds}:", f"{INDENT * 2}break", "else:"]
            lines = [*setup, *breaks, *_indented(lines)]
        return lines

    def _joined(self, scope: Scope, others: Sequence[int], rest: Callable[[Scope], list[str]]) -> list[str]:
        """Loops over the other inputs, the one that shares most columns first, and what is done inside."""
        if not others:
            return rest(scope)
        number = max(others, key=lambda other: (len(self._shared(scope, other)), -other))
        inner = with_row(scope, number, self.relations[number])
        lines = self._joined(inner, [other for other in others if other != number], rest)
        setup, rows = self._looked_up(scope, number, self._body.distances)
        return [*setup, f"for r{number} in {rows}:", *_indented(self._checked(scope, inner, lines))]

    def _checked(self, before: Scope, after: Scope, lines: list[str]) -> list[str]:
        """Some lines under the conditions whose columns are complete after, and were not before; {} is no scope yet."""
        there = [one for one in self._body.conditions if columns_of(one) <= after.keys()]
        return self._guarded([one for one in there if not (before and columns_of(one) <= before.keys())], after, lines)

    def _guarded(self, conditions: Sequence[Condition], scope: Scope, lines: list[str]) -> list[str]:
        tests = " and ".join(self._tests(one, scope) for one in conditions)
        return [f"if {tests}:", *_indented(lines)] if tests else lines

    def _shared(self, scope: Scope, number: int) -> Key:
        return tuple(c for c in plans.data_of(self.relations[number].schema) if c in scope)

    def _looked_up(self, scope: Scope, number: int, distances: Distances) -> tuple[list[str], str]:
        key = self._shared(scope, number)
        keys = self.keys.setdefault(number, [])
        if key not in keys:
            keys.append(key)
        times, rows = f"times_{number}", f"rows_{number}"
        lines = [f"{times}, {rows} = index_{number}_{keys.index(key)}.get({_hashed(key, scope)}, NOTHING)"]
        lows, highs = time_range(distances, self.relations[number].schema, filter(is_stamp, scope))
        low = _extreme("max", [_moved(scope[stamp], ticks) for stamp, ticks in lows.items()])
        high = _extreme("min", [_moved(scope[stamp], ticks) for stamp, ticks in highs.items()])
        found = rows
        if low or high:
            first = f"bisect_left({times}, {low})" if low else ""
            last = f"bisect_right({times}, {high})" if high else ""
            found = f"{rows}[{first}:{last}]"
        if self._counting:
            lines += [f"{rows} = {found}", f"counts[0] += len({rows})"]
            found = rows
        return lines, found

    def _tests(self, condition: Condition, scope: Scope) -> str:
        if isinstance(condition, Comparison):
            left, sign, right = condition.left, condition.operator, condition.right
            if sign != "!=" or (not isinstance(left, Arithmetic) and not isinstance(right, Arithmetic)):
                return f"{_term(left, scope)} {'==' if sign == '=' else sign} {_term(right, scope)}"
            name = f"holds_{len(self.values)}"
            self.values[name] = partial(terms.holds, condition)
            values = ", ".join(f"{v!r}: {scope[v]}" for v in dict.fromkeys(variables(condition)))
            return f"{name}({{{values}}})"
        alternatives = [" and ".join(_difference(part, scope) for part in parts) for parts in condition.alternatives()]
        return alternatives[0] if len(alternatives) == 1 else f"({' or '.join(alternatives)})"


def _indented(lines: Iterable[str]) -> list[str]:
    return [INDENT + line for line in lines] or [f"{INDENT}pass"]


def _hashed(key: Key, scope: Scope) -> str:
    values = [scope[column] for column in key]
    return values[0] if len(values) == 1 else f"({''.join(f'{value}, ' for value in values)})"


def _moved(text: str, ticks: int) -> str:
    return f"{text} {'-' if ticks < 0 else '+'} {abs(ticks)}" if ticks else text


def _extreme(function: str, texts: Sequence[str]) -> str:
    return f"{function}({', '.join(texts)})" if len(texts) > 1 else "".join(texts)


def _difference(difference: Difference, scope: Scope) -> str:
    later, earlier = (scope[stamp] for stamp in (difference.later, difference.earlier))
    sign = "<" if difference.strict else "<="
    return f"{later} - {earlier} {sign} {difference.bound}" if difference.bound else f"{later} {sign} {earlier}"


def _term(term: Term, scope: Scope) -> str:
    match term:
        case Variable(name):
            return scope[name]
        case Constant(value):
            return repr(value)
        case Arithmetic(sign, left, right):
            return f"{_COMPUTED[sign]}({_term(left, scope)}, {_term(right, scope)})"


def time_range(
    distances: Distances, stored: Schema, known: Iterable[Stamp]
) -> tuple[dict[Stamp, int], dict[Stamp, int]]:
    """Offsets in ticks: added to known time stamps, a joined stored tuple occurs no earlier, and no later."""
    ends = [end(name) for name in identifiers_of(stored)]
    lows, highs = dict[Stamp, int](), dict[Stamp, int]()
    for stamp in known:
        after = [d for e in ends if (d := distances[e, stamp]) is not None]
        before = [d for e in ends if (d := distances[stamp, e]) is not None]
        if after:
            lows[stamp] = -min(after)
        if len(before) == len(ends):
            highs[stamp] = max(before)
    return lows, highs
