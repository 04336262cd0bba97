"""Generated joins: for each input of a body, the loops that join a new tuple with what is stored, as text.

A loop goes over the tuples with the same values in shared columns (a hash) whose occurrence times lie in the range that
the conditions imply (two binary searches); each condition is checked as soon as its columns are there. Nothing of a
user's text gets into a program but constants, as Python writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

from detectors.bry_eckert.bodies import Absence, Body, Input
from detectors.bry_eckert.stores import time_range
from semantics.bry_eckert import terms
from semantics.bry_eckert.algebra.distances import Distances
from semantics.bry_eckert.algebra.plans import Condition, Schema, columns_of
from semantics.bry_eckert.temporal import Column, Difference, end, is_stamp
from semantics.bry_eckert.terms import Arithmetic, Comparison, Constant, Term, Variable, variables_of

INDENT = "    "

_COMPUTED: Mapping[str, str] = MappingProxyType({"+": "plus", "-": "minus", "*": "times"})
"""What operators that always have a value are called in a program: an int and a float may not add up to a number."""

Key: TypeAlias = tuple[Column, ...]
"""The columns by which an index of a store is hashed."""


Scope: TypeAlias = Mapping[Column, str]
"""What has a value at a place of a program: by column the text of its value."""

Rest: TypeAlias = Callable[[Scope], list[str]]
"""What a program does in a scope."""


def with_row(scope: Scope, number: int, given: Input) -> Scope:
    """The scope with a tuple of an input; a column that is there already keeps its text."""
    columns: dict[Column, str] = {column: f"r{number}[{place}]" for place, column in enumerate(given.schema)}
    return columns | dict(scope)


class Joins:
    """The program of a body.

    Attributes:
        relations: all relations that are read: the inputs, then those of the absences.
        schema: the columns of the joined tuples.
        keys: by the number of a relation, the indexes of its store; one that no loop looks up is not stored.
        values: objects that the program names.
        text: a function `delta(now, new, due, found, wait)`. `new` has the new tuples of each relation; `wait` takes
            core tuples with the time at which their timers are due, `due` yields those that are due, and `found` takes
            joined tuples.
    """

    def __init__(
        self, body: Body, *, counting: bool = False, drops: Callable[[int], bool] = lambda number: False
    ) -> None:
        """Write the program."""
        self._body, self._counting = body, counting
        self.relations: tuple[Input, ...] = (*body.inputs, *(absence.input for absence in body.absences))
        self.schema: Schema = body.head[0].operand.schema
        self.keys: dict[int, list[Key]] = {}
        self.values: dict[str, object] = {name: terms.ARITHMETIC[sign] for sign, name in _COMPUTED.items()}
        self._core, self._late, order, triggers = (
            [body.inputs.index(given) for given in part] for part in (body.core, body.late, body.order, body.triggers)
        )
        triggered = {number: self._triggered(number) for number in triggers}
        due = self._due() if body.timers and triggers else []
        lines = []
        for number in (*order, *(n for n in range(len(self.relations)) if n not in order)):
            lines += triggered.get(number, [])
            if number in self.keys:
                lines += self._stored(number)
        dropping = [number for number in self.keys if drops(number)]
        for number in dropping:
            lines += self._gone(number)
        for number in dropping:
            lines += [f"for key in gone_{number}:", f"{INDENT}drop_{number}(key)"]
        self.text = "\n".join(["def delta(now, new, due, found, wait):", *_indented([*lines, *due])]) + "\n"

    # ---------------------------------------------------------------------------------------------- the parts

    def _triggered(self, number: int) -> list[str]:
        """What a new tuple of a core input leads to."""
        given = self.relations[number]
        scope = with_row({}, number, given)
        others = [other for other in self._core if other != number]
        inner = self._joined(scope, others, self._timed)
        return [f"for r{number} in new[{number}]:", *_indented(self._checked(None, scope, inner))]

    def _stored(self, number: int) -> list[str]:
        """What is stored of the new tuples of a relation: those that fulfil all conditions on its own columns."""
        scope = with_row({}, number, self.relations[number])
        lines = self._checked(None, scope, [f"store_{number}(r{number})"])
        if number >= len(self._body.inputs):
            absence = self._body.absences[number - len(self._body.inputs)]
            own = [one for one in absence.conditions if columns_of(one) <= scope.keys()]
            if own:
                tests = " and ".join(self._tests(condition, scope) for condition in own)
                lines = [f"if {tests}:", *_indented(lines)]
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
        """What a core tuple leads to: it waits for its timers; where there are none, it is finished."""
        if not self._body.timers:
            return self._finished(scope)
        lines, timed = self._timers(scope)
        ends = (timed[end(timing.into)] for timing in self._body.timers)
        waits = f"wait(max({', '.join(('now', *ends))}), ({self._core_rows()}))"
        return [*lines, *self._checked(scope, timed, [waits])]

    def _due(self) -> list[str]:
        """What core tuples lead to when their timers are due."""
        scope: Scope = {}
        for number in self._core:
            scope = with_row(scope, number, self.relations[number])
        lines, timed = self._timers(scope)
        return [f"for {self._core_rows()} in due(now):", *_indented([*lines, *self._finished(timed)])]

    def _core_rows(self) -> str:
        return "".join(f"r{number}, " for number in self._core)

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
        """The absences and the inputs that are joined late, then the joined tuple.

        An absence is looked for as soon as all is there that it is about.
        """

        def emitted(found: Scope) -> list[str]:
            row = ", ".join(found[column] for column in self.schema)
            return self._without(found, [a for a in absences if a not in early], [f"found(({row},))"])

        numbered = enumerate(self._body.absences, len(self._body.inputs))
        absences = [(number, absence) for number, absence in numbered if absence.possible]
        early = [(number, absence) for number, absence in absences if self._about(absence) <= scope.keys()]
        return self._without(scope, early, self._joined(scope, self._late, emitted))

    def _about(self, absence: Absence) -> set[Column]:
        """The columns of the joined tuple that an absence is about: what it shares with inputs, and its window."""
        outside = {column for given in self._body.inputs for column in given.schema}
        about = {column for condition in absence.conditions for column in columns_of(condition)}
        return (set(absence.input.schema) & outside) | (about - set(absence.input.schema))

    def _without(self, scope: Scope, absences: Sequence[tuple[int, Absence]], lines: list[str]) -> list[str]:
        for number, absence in reversed(absences):
            lines = self._absent(scope, number, absence, lines)
        return lines

    # ----------------------------------------------------------------------------------------- loops and checks

    def _joined(self, scope: Scope, others: Sequence[int], rest: Rest) -> list[str]:
        """Loops over the other inputs, the one that shares most columns first, and what is done inside."""
        if not others:
            return rest(scope)
        number = max(others, key=lambda other: (len(self._shared(scope, other)), -other))
        inner = with_row(scope, number, self.relations[number])
        lines = self._joined(inner, [other for other in others if other != number], rest)
        setup, rows = self._looked_up(scope, number, self._body.distances)
        return [*setup, f"for r{number} in {rows}:", *_indented(self._checked(scope, inner, lines))]

    def _absent(self, scope: Scope, number: int, absence: Absence, lines: list[str]) -> list[str]:
        """A loop that goes on to some lines only if no tuple fulfils the conditions of an absence."""
        setup, rows = self._looked_up(scope, number, absence.distances)
        inner = with_row(scope, number, self.relations[number])
        holds = " and ".join(self._tests(condition, inner) for condition in absence.conditions)
        breaks = [f"for r{number} in {rows}:", f"{INDENT}if {holds}:", f"{INDENT * 2}break", "else:"]
        return [*setup, *breaks, *_indented(lines)]

    def _checked(self, before: Scope | None, after: Scope, lines: list[str]) -> list[str]:
        """Some lines under the conditions whose columns are complete after, and were not before; None: nothing was."""
        due = [
            condition
            for condition in self._body.conditions
            if columns_of(condition) <= after.keys() and (before is None or not columns_of(condition) <= before.keys())
        ]
        if not due:
            return lines
        return [f"if {' and '.join(self._tests(condition, after) for condition in due)}:", *_indented(lines)]

    def _shared(self, scope: Scope, number: int) -> Key:
        return tuple(c for c in self.relations[number].schema if not is_stamp(c) and c in scope)

    def _looked_up(self, scope: Scope, number: int, distances: Distances) -> tuple[list[str], str]:
        """The lines that look tuples up, and the text of those that a loop goes over."""
        key = self._shared(scope, number)
        keys = self.keys.setdefault(number, [])
        if key not in keys:
            keys.append(key)
        hashed = _hashed(key, scope)
        times, rows = f"times_{number}", f"rows_{number}"
        lines = [f"{times}, {rows} = index_{number}_{keys.index(key)}.get({hashed}, NOTHING)"]
        low, high = self._range(scope, number, distances)
        found = rows
        if low or high:
            first = f"bisect_left({times}, {low})" if low else ""
            last = f"bisect_right({times}, {high})" if high else ""
            found = f"{rows}[{first}:{last}]"
        if self._counting:
            lines += [f"{rows} = {found}", f"counts[0] += len({rows})"]
            found = rows
        return lines, found

    def _range(self, scope: Scope, number: int, distances: Distances) -> tuple[str, str]:
        """The least and the greatest time at which a stored tuple can occur, as text; "" where nothing is known."""
        known = [column for column in scope if is_stamp(column)]
        low, high = time_range(distances, self.relations[number].schema, known)
        lower = [_moved(scope[stamp], ticks) for stamp, ticks in low.items()]
        upper = [_moved(scope[stamp], ticks) for stamp, ticks in high.items()]
        return _extreme("max", lower), _extreme("min", upper)

    def _tests(self, condition: Condition, scope: Scope) -> str:
        """A condition as text."""
        if isinstance(condition, Comparison):
            if _is_plain(condition.left) and _is_plain(condition.right):
                sign = {"=": "=="}.get(condition.operator, condition.operator)
                return f"{_term(condition.left, scope)} {sign} {_term(condition.right, scope)}"
            name = f"holds_{len(self.values)}"
            self.values[name] = partial(terms.holds, condition)
            values = ", ".join(f"{v!r}: {scope[v]}" for v in dict.fromkeys(variables_of(condition)))
            return f"{name}({{{values}}})"
        alternatives = [" and ".join(_difference(part, scope) for part in parts) for parts in condition.alternatives()]
        return alternatives[0] if len(alternatives) == 1 else f"({' or '.join(alternatives)})"


def _indented(lines: Iterable[str]) -> list[str]:
    return [INDENT + line for line in lines] or [f"{INDENT}pass"]


def _hashed(key: Key, scope: Scope) -> str:
    """The values of some columns as text, as an index is hashed by them."""
    values = [scope[column] for column in key]
    return values[0] if len(values) == 1 else f"({''.join(f'{value}, ' for value in values)})"


def _moved(text: str, ticks: int) -> str:
    if not ticks:
        return text
    return f"{text} + {ticks}" if ticks > 0 else f"{text} - {-ticks}"


def _extreme(function: str, texts: Sequence[str]) -> str:
    return f"{function}({', '.join(texts)})" if len(texts) > 1 else "".join(texts)


def _difference(difference: Difference, scope: Scope) -> str:
    later, earlier = (scope[stamp] for stamp in (difference.later, difference.earlier))
    sign = "<" if difference.strict else "<="
    if not difference.bound:
        return f"{later} {sign} {earlier}"
    return f"{later} - {earlier} {sign} {difference.bound}"


def _is_plain(term: Term) -> bool:
    """Whether a term always has a value: no part of it is divided."""
    return not isinstance(term, Arithmetic) or (term.operator != "/" and _is_plain(term.left) and _is_plain(term.right))


def _term(term: Term, scope: Scope) -> str:
    match term:
        case Variable(name):
            return scope[name]
        case Constant(value):
            return repr(value)
        case Arithmetic(sign, left, right):
            return f"{_COMPUTED[sign]}({_term(left, scope)}, {_term(right, scope)})"
