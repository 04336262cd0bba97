"""Formulas about relations with definitions, and histories in which they hold or fail.

An argument of a definition may be the beginning of an application: where E stands for `(old now R)`, `(E t)` is
`(old now R t)`. A history has finitely many tuples; a solver proposes it, and whether a formula holds is evaluated.
"""

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import count, pairwise, product
from typing import Any, TypeAlias

from smt.smtlib import SORT, SExpression, TimeSort, conjunction, disjunction, parse_all
from smt.solvers.portfolio import Solver

QUANTIFIERS = ("forall", "exists")


class Definitions:
    """Definitions by name."""

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        parsed = ((name, parse_all(text)) for name, text in texts)
        self._known = {name: (tuple(map(str, parameters)), body) for name, (parameters, body) in parsed}
        self._numbers = count(1)

    def expanded(self, formula: str) -> SExpression:
        """A formula with definitions written out, no variable caught; `ValueError` for a wrong number of arguments."""
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
        if isinstance(part, str):
            return part
        if part and part[0] in QUANTIFIERS:
            quantifier, variables, body = part
            names = {str(each[0]): f"{each[0]}_{next(self._numbers)}" for each in variables}
            return (quantifier, substituted(variables, names), substituted(self._apart(body), names))
        return tuple(map(self._apart, part))


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

LARGEST = 4  # histories of up to so many tuples are looked for

LATEST = 9  # times from 0 to this one are tried first, which makes histories that are easy to read

BUDGET = 1_000_000  # the work for one question when a history is looked for, in units of the solver


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


@dataclass(frozen=True)
class History:
    """Tuples, numbered from 0, and by name for all arguments the value; where a claim fails, a counterexample."""

    size: int
    vocabulary: Vocabulary
    values: Mapping[str, Mapping[tuple[int, ...], Any]]

    def holds(self, formula: SExpression) -> bool:
        """Whether a formula is true of it."""
        return bool(self._value(formula, {}))

    def _value(self, part: SExpression, bound: Mapping[str, int]) -> Any:
        if isinstance(part, str):
            if part in bound:
                return bound[part]
            if part in self.values:
                return self.values[part][()]
            return part == "true" if part in ("true", "false") else int(part)
        head, *arguments = part
        if head in QUANTIFIERS:
            names, body = [str(each[0]) for each in arguments[0]], arguments[1]
            found = (
                self._value(body, {**bound, **dict(zip(names, chosen, strict=True))})
                for chosen in product(range(self.size), repeat=len(names))
            )
            return all(found) if head == "forall" else any(found)
        assert isinstance(head, str)
        given = [self._value(each, bound) for each in arguments]
        return self.values[head][tuple(given)] if head in self.values else _OPERATIONS[head](given)

    def summary(self) -> str:
        """Content in one line: each tuple with its relations and time stamps, then the constants."""
        said: dict[int, list[str]] = {number: [] for number in range(self.size)}
        constants: list[str] = []
        for name, signature in self.vocabulary.items():
            for arguments, value in self.values[name].items():
                text = " ".join([name, *(_shown(one, TUPLE) for one in arguments[1:])])
                if signature[-1] != BOOL or not arguments:
                    text += f" = {_shown(value, signature[-1])}"
                if value or not arguments or signature[-1] != BOOL:
                    (said[arguments[0]] if arguments else constants).append(text)
        parts = [f"{_shown(number, TUPLE)}: {', '.join(texts)}" for number, texts in said.items()]
        return "; ".join(filter(None, (*parts, ", ".join(constants))))

    def data(self) -> dict[str, Any]:
        """Nothing besides the summary."""
        return {}


def found(vocabulary: Vocabulary, formulas: Sequence[SExpression], solver: Solver) -> History | None:
    """A history of which formulas are true, as a solver says; None if it finds none that is small enough."""
    has_tuples = any(TUPLE in signature for signature in vocabulary.values())
    for size, latest in product(range(1, LARGEST + 1) if has_tuples else (0,), (LATEST, None)):
        cells = {name: list(product(range(size), repeat=len(signature) - 1)) for name, signature in vocabulary.items()}
        answer = solver.check(_question(vocabulary, size, formulas, cells, latest), rlimit=BUDGET)
        if answer.status == "sat":
            values = {
                name: {cell: answer.values.get(_cell(name, cell), 0) for cell in of_name}
                for name, of_name in cells.items()
            }
            return History(size, vocabulary, values)
    return None


def _question(
    vocabulary: Vocabulary,
    size: int,
    formulas: Sequence[SExpression],
    cells: Mapping[str, Sequence[tuple[int, ...]]],
    latest: int | None,
) -> str:
    """Whether there is such a history, without quantifiers: tuples are numbers, and each value has a name."""
    lines = ["(set-logic QF_UFLIA)", *_declared(vocabulary, {TUPLE: "Int", TIME: "Int"})]
    for name, signature in vocabulary.items():
        most = size - 1 if signature[-1] == TUPLE else latest
        for cell in cells[name]:
            applied = f"({_cell(name, cell)})" if cell else name
            if cell:
                sort = BOOL if signature[-1] == BOOL else "Int"
                lines.append(f"(declare-const |{_cell(name, cell)}| {sort})")
                lines.append(f"(assert (= |{_cell(name, cell)}| {applied}))")
            if signature[-1] != BOOL and most is not None:
                lines.append(f"(assert (and (<= 0 {applied}) (<= {applied} {most})))")
    lines += [f"(assert {_ground(formula, size)})" for formula in formulas]
    return "\n".join([*lines, "(check-sat)\n"])


def _cell(name: str, cell: Sequence[int]) -> str:
    return " ".join((name, *map(str, cell)))


def _ground(part: SExpression, size: int) -> str:
    if isinstance(part, str):
        return part
    if part[0] in QUANTIFIERS:
        names, body = [str(each[0]) for each in part[1]], part[2]
        chosen = product(map(str, range(size)), repeat=len(names))
        parts = [_ground(substituted(body, dict(zip(names, one, strict=True))), size) for one in chosen]
        return conjunction(parts) if part[0] == "forall" else disjunction(parts)
    return f"({' '.join(_ground(each, size) for each in part)})"


def _shown(value: Any, sort: str) -> str:
    return f"tuple {value + 1}" if sort == TUPLE else str(value).lower()


def _chain(compare: Callable[[Any, Any], bool]) -> Callable[[list[Any]], bool]:
    return lambda given: all(compare(one, other) for one, other in pairwise(given))


_OPERATIONS: Mapping[str, Callable[[list[Any]], Any]] = {
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
    "-": lambda given: reduce(operator.sub, given) if len(given) > 1 else -given[0],
}
