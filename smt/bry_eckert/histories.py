"""Formulas about relations with definitions, and histories in which they hold or fail.

A definition has parameters and a body. Its arguments are put into the body as they are, so that an argument may be
the beginning of an application: where E stands for `(old now R)`, `(E t)` is `(old now R t)`. All variables that are
bound get names of their own, so that none of an argument is caught.

A history has finitely many tuples with what is in which relation, and when they occur. A solver proposes one; whether
a formula holds of it is evaluated here, by going through its tuples. Tuples are of kinds, such as those of a relation
and those of a join: what formulas apply one thing to is of one kind.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import count, pairwise, product
from types import MappingProxyType
from typing import Any, TypeAlias

from smt.s_expressions import SExpression, parse_all
from smt.smtlib import SORT, TimeSort, conjunction, disjunction
from smt.solvers.solver import Solver

QUANTIFIERS = ("forall", "exists")


class Definitions:
    """Definitions by name."""

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        self._known: dict[str, tuple[tuple[str, ...], SExpression]] = {}
        for name, text in texts:
            parameters, body = parse_all(text)
            self._known[name] = (tuple(map(str, parameters)), body)
        self._numbers = count(1)

    def expanded(self, formula: str) -> SExpression:
        """A formula with all definitions written out; no variable is bound in another one that was written out before.

        Raises:
            ValueError: a definition is applied to more or fewer arguments than it has parameters.
        """
        (parsed,) = parse_all(formula)
        return self._expanded(self._apart(parsed))

    def _expanded(self, part: SExpression) -> SExpression:
        if isinstance(part, str):
            return part
        head, *arguments = part
        if isinstance(head, tuple):
            return self._expanded((*head, *arguments))
        if head in QUANTIFIERS:
            variables, body = arguments
            return (head, variables, self._expanded(body))
        if head not in self._known:
            return (head, *map(self._expanded, arguments))
        parameters, body = self._known[head]
        if len(parameters) != len(arguments):
            raise ValueError(f"{head} has {len(parameters)} parameters, and {len(arguments)} arguments are given")
        return self._expanded(substituted(self._apart(body), dict(zip(parameters, arguments, strict=True))))

    def _apart(self, part: SExpression) -> SExpression:
        """A formula with names of their own for the variables that it binds."""
        if isinstance(part, str):
            return part
        if part and part[0] in QUANTIFIERS:
            quantifier, variables, body = part
            names = {name: f"{name}_{next(self._numbers)}" for name in bound_in(variables)}
            return (quantifier, substituted(variables, names), substituted(self._apart(body), names))
        return tuple(map(self._apart, part))


def bound_in(variables: SExpression) -> list[str]:
    """The names of the variables of a quantifier."""
    return [str(each[0]) for each in variables]


def substituted(part: SExpression, values: Mapping[str, SExpression]) -> SExpression:
    """An expression with other expressions in the places of some names."""
    if isinstance(part, str):
        return values.get(part, part)
    return tuple(substituted(each, values) for each in part)


def atoms(part: SExpression) -> set[str]:
    """The names in an expression."""
    return {part} if isinstance(part, str) else {name for each in part for name in atoms(each)}


TUPLE, TIME, BOOL = "Tuple", "Time", "Bool"

Vocabulary: TypeAlias = Mapping[str, tuple[str, ...]]
"""By name the sorts of the arguments and, last, of the value; a constant has no arguments."""

LARGEST = 3
"""Histories of up to so many tuples of each kind are looked for."""

LATEST = 9
"""Times from 0 to this one are tried first, which makes histories that are easy to read."""

BUDGET = 1_000_000
"""The work for one question when a history is looked for, in units of the solver."""


def declarations(vocabulary: Vocabulary, time: TimeSort) -> tuple[str, ...]:
    """The commands that declare a vocabulary, with the sort of tuples where there are any."""
    sorts = [f"(declare-sort {TUPLE} 0)"] if any(TUPLE in each for each in vocabulary.values()) else []
    return (*sorts, *_declared(vocabulary, {TIME: SORT[time]}))


def _declared(vocabulary: Vocabulary, sorts: Mapping[str, str]) -> Iterator[str]:
    for name, signature in vocabulary.items():
        *arguments, value = (sorts.get(sort, sort) for sort in signature)
        if arguments:
            yield f"(declare-fun {name} ({' '.join(arguments)}) {value})"
        else:
            yield f"(declare-const {name} {value})"


# ------------------------------------------------------------------------------------------------------- kinds


class Kinds:
    """The kinds of tuples in formulas: of variables, constants, arguments and values.

    A time stamp may be asked of tuples of any kind; a variable of which nothing else is said stands for all of them.
    """

    def __init__(self, vocabulary: Vocabulary, formulas: Iterable[SExpression]) -> None:
        self._vocabulary = vocabulary
        self._same: dict[str, str] = {}
        places = []
        for name, signature in vocabulary.items():
            if signature[-1] == TUPLE:
                places.append(name)
            if signature[-1] != TIME:
                places += [_place(name, number) for number in range(len(signature) - 1)]
        for formula in formulas:
            self._look(formula)
        self._kinds = {root: number for number, root in enumerate(dict.fromkeys(map(self._root, places)))}

    @property
    def count(self) -> int:
        """How many kinds there are."""
        return len(self._kinds)

    def of(self, name: str) -> int | None:
        """The kind of a variable, or of the value of something; None for any kind."""
        return self._kinds.get(self._root(name))

    def argument(self, name: str, number: int) -> int | None:
        """The kind of an argument of something; None for any kind."""
        return self.of(_place(name, number))

    def _root(self, place: str) -> str:
        while place in self._same:
            place = self._same[place]
        return place

    def _look(self, part: SExpression) -> str | None:
        """The place whose kind a term has, if it is a tuple; what has to be of one kind is noted."""
        if isinstance(part, str):
            return None if self._vocabulary.get(part, (TUPLE,)) != (TUPLE,) else part
        head, *arguments = part
        if head in QUANTIFIERS:
            self._look(arguments[1])
            return None
        places = [self._look(each) for each in arguments]
        assert isinstance(head, str)
        signature = self._vocabulary.get(head)
        if signature is None:
            if head == "=" and None not in places:
                self._join(*(place for place in places if place is not None))
            return None
        for number, place in enumerate(places):
            if place is not None and signature[-1] != TIME:
                self._join(place, _place(head, number))
        return head if signature[-1] == TUPLE else None

    def _join(self, *places: str) -> None:
        for one, other in pairwise(map(self._root, places)):
            if self._root(one) != self._root(other):
                self._same[self._root(one)] = self._root(other)


def _place(name: str, number: int) -> str:
    return f"{name} {number}"


# --------------------------------------------------------------------------------------------------- histories


@dataclass(frozen=True)
class History:
    """Tuples, which are numbers, and what a vocabulary has, by the tuples that it is applied to.

    Attributes:
        values: by name, for each combination of arguments, the value: a tuple, a time or whether it holds.
    """

    kinds: tuple[range, ...]
    known: Kinds
    vocabulary: Vocabulary
    values: Mapping[str, Mapping[tuple[int, ...], Any]]

    def holds(self, formula: SExpression) -> bool:
        """Whether a formula is true of it."""
        return bool(self._value(formula, {}))

    def _value(self, part: SExpression, bound: Mapping[str, int]) -> Any:
        if isinstance(part, str):
            if part in bound:
                return bound[part]
            return self.values[part][()] if part in self.values else _constant(part)
        head, *arguments = part
        if head in QUANTIFIERS:
            names, body = bound_in(arguments[0]), arguments[1]
            found = (
                self._value(body, {**bound, **dict(zip(names, chosen, strict=True))})
                for chosen in product(*(_tuples(self.kinds, self.known.of(name)) for name in names))
            )
            return all(found) if head == "forall" else any(found)
        assert isinstance(head, str)
        given = [self._value(each, bound) for each in arguments]
        return self.values[head][tuple(given)] if head in self.values else _OPERATIONS[head](given)

    def summary(self) -> str:
        """What is in it, in one line: each tuple with its relations and time stamps, then the constants."""
        tuples = [self._tuple(number) for kind in self.kinds for number in kind]
        constants = [
            f"{name} = {_shown(self.values[name][()], signature[0])}"
            for name, signature in self.vocabulary.items()
            if len(signature) == 1
        ]
        return "; ".join(part for part in (*tuples, ", ".join(constants)) if part)

    def _tuple(self, number: int) -> str:
        said = []
        for name, signature in self.vocabulary.items():
            for arguments, value in self.values[name].items():
                if arguments[:1] != (number,):
                    continue
                others = "".join(f" {_shown(one, TUPLE)}" for one in arguments[1:])
                if signature[-1] != BOOL:
                    said.append(f"{name}{others} = {_shown(value, signature[-1])}")
                elif value:
                    said.append(f"{name}{others}")
        return f"{_shown(number, TUPLE)}: {', '.join(said)}"


def _tuples(kinds: Sequence[range], kind: int | None) -> Sequence[int]:
    """The tuples of a kind, or all of them."""
    return [number for each in kinds for number in each] if kind is None else kinds[kind]


def found(vocabulary: Vocabulary, formulas: Sequence[SExpression], solver: Solver) -> History | None:
    """A history of which formulas are true, as a solver says; None if it finds none that is small enough."""
    known = Kinds(vocabulary, formulas)
    for size, latest in product(range(1, LARGEST + 1) if known.count else (0,), (LATEST, None)):
        kinds = tuple(range(kind * size, kind * size + size) for kind in range(known.count))
        cells = {
            name: list(product(*(_tuples(kinds, known.argument(name, number)) for number in range(len(signature) - 1))))
            for name, signature in vocabulary.items()
        }
        answer = solver.check(_question(History(kinds, known, vocabulary, {}), formulas, cells, latest), rlimit=BUDGET)
        if answer.status == "sat":
            values = {
                name: {cell: answer.values.get(_cell(name, cell), 0) for cell in of_name}
                for name, of_name in cells.items()
            }
            return History(kinds, known, vocabulary, values)
    return None


def _question(
    empty: History, formulas: Sequence[SExpression], cells: Mapping[str, Sequence[tuple[int, ...]]], latest: int | None
) -> str:
    """Whether there is such a history, without quantifiers: tuples are numbers, and each value has a name."""
    lines = ["(set-logic QF_UFLIA)", *_declared(empty.vocabulary, {TUPLE: "Int", TIME: "Int"})]
    for name, signature in empty.vocabulary.items():
        for cell in cells[name]:
            applied = f"({_cell(name, cell)})" if cell else name
            if cell:
                sort = BOOL if signature[-1] == BOOL else "Int"
                lines.append(f"(declare-const |{_cell(name, cell)}| {sort})")
                lines.append(f"(assert (= |{_cell(name, cell)}| {applied}))")
            least, most = 0, latest
            if signature[-1] == TUPLE:
                of_kind = _tuples(empty.kinds, empty.known.of(name))
                least, most = of_kind[0], of_kind[-1]
            if signature[-1] != BOOL and most is not None:
                lines.append(f"(assert (and (<= {least} {applied}) (<= {applied} {most})))")
    lines += [f"(assert {_ground(formula, empty)})" for formula in formulas]
    return "\n".join([*lines, "(check-sat)\n"])


def _cell(name: str, cell: Sequence[int]) -> str:
    return " ".join((name, *map(str, cell)))


def _ground(part: SExpression, empty: History) -> str:
    """A formula as text with each quantifier written out for the tuples of its kinds."""
    if isinstance(part, str):
        return part
    if part[0] in QUANTIFIERS:
        names, body = bound_in(part[1]), part[2]
        chosen = product(*(map(str, _tuples(empty.kinds, empty.known.of(name))) for name in names))
        parts = [_ground(substituted(body, dict(zip(names, one, strict=True))), empty) for one in chosen]
        return conjunction(parts) if part[0] == "forall" else disjunction(parts)
    return f"({' '.join(_ground(each, empty) for each in part)})"


def _shown(value: Any, sort: str) -> str:
    return f"tuple {value + 1}" if sort == TUPLE else str(value).lower()


def _constant(text: str) -> int | bool:
    return text == "true" if text in ("true", "false") else int(text)


def _chain(compare: Callable[[Any, Any], bool]) -> Callable[[list[Any]], bool]:
    return lambda given: all(compare(one, other) for one, other in pairwise(given))


def _difference(given: list[int]) -> int:
    first, *rest = given
    return reduce(operator.sub, rest, first) if rest else -first


_OPERATIONS: Mapping[str, Callable[[list[Any]], Any]] = MappingProxyType(
    {
        "and": all,
        "or": any,
        "not": lambda given: not given[0],
        "=>": lambda given: given[-1] or not all(given[:-1]),
        "ite": lambda given: given[1] if given[0] else given[2],
        "=": _chain(operator.eq),
        "<": _chain(operator.lt),
        "<=": _chain(operator.le),
        ">": _chain(operator.gt),
        ">=": _chain(operator.ge),
        "+": sum,
        "-": _difference,
    }
)
