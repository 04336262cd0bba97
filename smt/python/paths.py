"""Ways through a program on arbitrary values: what is computed on each, under which conditions, by terms.

Where the code asks for a truth value, both answers are followed: `explore` returns one `Path` per way through the code.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Generic, TypeVar

from smt.smtlib import FALSE, TRUE, SExpression, conjunction, connective, disjunction, negation, written

Term = SExpression

ResultT = TypeVar("ResultT")

MAX_PATHS = 4_096  # More ways through one function are given up


class NotTranslated(RuntimeError):
    """Code has a form that is not understood; the text says where and why."""


class Raised(Exception):
    """The code ends in an exception on this way."""


def both(*parts: Term) -> Term:
    """The conjunction of formulas, without those that say nothing."""
    return connective("and", parts, TRUE, FALSE)


def either(*parts: Term) -> Term:
    """The disjunction of formulas, without those that say nothing."""
    return connective("or", parts, FALSE, TRUE)


def denied(part: Term) -> Term:
    """The negation of a formula."""
    if part in (TRUE, FALSE):
        return FALSE if part == TRUE else TRUE
    return part[1] if isinstance(part, tuple) and part[0] == "not" else ("not", part)


def numeral(value: int) -> Term:
    """An integer as a term."""
    return str(value) if value >= 0 else ("-", str(-value))


@dataclass(frozen=True)
class Number:
    """An arbitrary number, such as a time; ∞ under the formula `infinite`, where the term means nothing.

    What is known to be `natural` is compared with a negative number without a question.
    """

    term: Term
    infinite: Term = FALSE
    natural: bool = False

    @property
    def text(self) -> str:
        """The term in SMT-LIB."""
        return written(self.term)


@dataclass(frozen=True)
class Truth:
    """A truth value that depends on arbitrary ones."""

    term: Term


class Opaque:
    """A value of which a contract alone is known; `single` says that its identity says something."""

    single = False

    def attributes(self) -> Mapping[str, Any]:
        """The attributes and `Method`s by name; `len()`, `[]` and `del [:]` are those that Python's syntax calls."""
        return {}


@dataclass(frozen=True)
class Method:
    """A function that is known by its contract: it is given the execution and the arguments."""

    call: Callable[..., Any]


class Made:
    """An object that the code makes, of a class that is translated."""

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.state: dict[str, Any] = {}


@dataclass(frozen=True)
class Bound:
    """A function with the object that it is a method of."""

    function: FunctionType
    made: Made


@dataclass(frozen=True)
class Super:
    """The classes behind one in the order of an object, as `super` finds them."""

    owner: type
    made: Made


@dataclass(frozen=True)
class Vocabulary:
    """The objects that code may name besides constants, functions and classes that are translated themselves.

    These stand, by identity, for their meanings. On objects of types of expressions, operators `|`, `+`, `-` and some
    methods are applied as they are.
    """

    meanings: tuple[tuple[object, Any], ...] = ()
    expressions: type | tuple[type, ...] = ()
    methods: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Path(Generic[ResultT]):
    """One way through the code: its conditions, and its result; None if it ends in an exception.

    Facts are known of values that contracts provided; duties are preconditions of what the code called, which it has
    to have established, in words and as formulas.
    """

    terms: tuple[Term, ...]
    facts: tuple[str, ...]
    duties: tuple[tuple[str, str], ...]
    result: ResultT | None

    @property
    def conditions(self) -> tuple[str, ...]:
        """Path condition in SMT-LIB."""
        return tuple(map(written, self.terms))

    @property
    def condition(self) -> str:
        """The conditions and facts as one formula."""
        return conjunction((*self.conditions, *self.facts))


@dataclass
class Execution:
    """One way through the code: answers its questions according to a plan, and notes what it was asked."""

    plan: tuple[bool, ...] = ()
    answers: list[bool] = field(default_factory=list)
    conditions: list[Term] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    duties: list[tuple[str, str]] = field(default_factory=list)
    constants: dict[str, str] = field(default_factory=dict)

    def decide(self, formula: Term) -> bool:
        """The truth of a formula on this path; what follows from an earlier answer is not asked again."""
        if formula in (TRUE, FALSE):
            return formula == TRUE
        if formula in self.conditions:
            return True
        if denied(formula) in self.conditions:
            return False
        answer = self.plan[len(self.answers)] if len(self.answers) < len(self.plan) else True
        self.answers.append(answer)
        self.conditions.append(formula if answer else denied(formula))
        return answer

    def constant(self, hint: str, sort: str) -> str:
        """A new constant: an arbitrary value that a contract provides. Equal hints give equal names on all paths."""
        name = f"{hint}.{1 + sum(other.startswith(f'{hint}.') for other in self.constants)}"
        self.constants[name] = sort
        return name

    def require(self, what: str, formula: str) -> None:
        """Note a precondition that must follow from the conditions of the path so far."""
        so_far = [negation(part) for part in (*map(written, self.conditions), *self.facts)]
        self.duties.append((what, disjunction((*so_far, formula))))


def explore(run: Callable[[Execution], ResultT]) -> tuple[list[Path[ResultT]], dict[str, str]]:
    """Every path through a run, and the constants that contracts introduced, with their sorts."""
    paths: list[Path[ResultT]] = []
    constants: dict[str, str] = {}
    plans: list[tuple[bool, ...]] = [()]
    while plans:
        execution = Execution(plans.pop())
        result: ResultT | None = None
        try:
            result = run(execution)
        except Raised as error:
            execution.require(f"no {error}", FALSE)
        constants |= execution.constants
        paths.append(Path(tuple(execution.conditions), tuple(execution.facts), tuple(execution.duties), result))
        if len(paths) > MAX_PATHS:
            raise NotTranslated(f"there are more than {MAX_PATHS} ways through the code")
        for position in range(len(execution.plan), len(execution.answers)):
            plans.append((*execution.answers[:position], False))
    return paths, constants


def merged(ways: Sequence[tuple[tuple[Term, ...], Term]]) -> Term:
    """One term for all ways through the code, by the answers that they take; they part at their first question."""
    term = ways[0][1]
    if all(value == term for _, value in ways):
        return term
    first = ways[0][0][0]
    branches: tuple[list[tuple[tuple[Term, ...], Term]], ...] = ([], [])
    for (answer, *others), value in ways:
        if answer not in (first, denied(first)):
            raise NotTranslated("two ways through the code ask different things first")
        branches[answer != first].append((tuple(others), value))
    return ("ite", first, *map(merged, branches))
