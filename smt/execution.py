"""Symbolic execution: a step of a detector run on every input at once.

A symbolic value stands for an arbitrary instance or time, as an SMT-LIB term. Code that computes with it runs
unchanged; where it asks for a truth value (`if`, `and`, `max`, …), the run is repeated for both answers. `explore`
returns one `Path` per way through the code: under which conditions it is taken and what comes of it. A way that ends
in an exception becomes a duty: that its conditions cannot all hold. What the code does to a symbolic value that is not
defined here raises, so nothing is overlooked silently.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sized
from dataclasses import dataclass
from types import FunctionType, MethodType
from typing import Any, Generic, Protocol, TypeVar, cast

from smt.smtlib import FALSE, TRUE, conjunction, disjunction, negation

ResultT = TypeVar("ResultT")

MAX_PATHS = 4_096
"""More ways through one step than this mean a loop over a symbolic value."""

MAX_ANSWERS = 200
"""More questions on one way than this mean a loop over a symbolic value."""


class ExecutionFailed(RuntimeError):
    """The code cannot be executed on symbolic values as it is."""


@dataclass(frozen=True)
class Path(Generic[ResultT]):
    """One way through the code.

    Attributes:
        conditions: what holds when this way is taken.
        facts: what is known of values that a contract provided on the way.
        duties: what the code has to have established on the way: preconditions of what it called, in words and as
            a formula.
        result: what comes of it; None if the way ends in an exception.
    """

    conditions: tuple[str, ...]
    facts: tuple[str, ...]
    duties: tuple[tuple[str, str], ...]
    result: ResultT | None

    @property
    def condition(self) -> str:
        """The conditions and facts as one formula."""
        return conjunction((*self.conditions, *self.facts))


class Execution:
    """One run of the code: answers its questions according to a plan, and notes what it was asked."""

    def __init__(self, plan: tuple[bool, ...] = ()) -> None:
        """Start a run whose first answers are planned; later ones are yes."""
        self.plan = plan
        self.answers: list[bool] = []
        self.conditions: list[str] = []
        self.facts: list[str] = []
        self.duties: list[tuple[str, str]] = []
        self.constants: dict[str, str] = {}

    def decide(self, formula: str) -> bool:
        """The truth of a formula on this path; what follows from an earlier answer is not asked again."""
        if formula in (TRUE, FALSE):
            return formula == TRUE
        for known in self.conditions:
            if known == formula:
                return True
            if known == negation(formula):
                return False
        if len(self.answers) >= MAX_ANSWERS:
            raise ExecutionFailed(f"more than {MAX_ANSWERS} questions are asked on one way through the code")
        answer = self.plan[len(self.answers)] if len(self.answers) < len(self.plan) else True
        self.answers.append(answer)
        self.conditions.append(formula if answer else negation(formula))
        return answer

    def constant(self, hint: str, sort: str) -> str:
        """A new constant: an arbitrary value that a contract provides. Equal hints give equal names on all paths."""
        name = f"{hint}.{1 + sum(other.startswith(f'{hint}.') for other in self.constants)}"
        self.constants[name] = sort
        return name

    def require(self, what: str, formula: str) -> None:
        """Note a precondition that must follow from the conditions of the path so far."""
        so_far = [negation(part) for part in (*self.conditions, *self.facts)]
        self.duties.append((what, disjunction((*so_far, formula))))


def explore(run: Callable[[Execution], ResultT]) -> tuple[list[Path[ResultT]], dict[str, str]]:
    """Every path through a run, and the constants that contracts introduced, with their sorts.

    Raises:
        ExecutionFailed: there are too many paths.
    """
    paths: list[Path[ResultT]] = []
    constants: dict[str, str] = {}
    plans: list[tuple[bool, ...]] = [()]
    while plans:
        execution = Execution(plans.pop())
        result: ResultT | None = None
        try:
            result = run(execution)
        except Exception as error:  # whatever the code raises must be shown not to happen
            execution.require(f"no {type(error).__name__}: {error}", FALSE)
        constants |= execution.constants
        paths.append(
            Path(tuple(execution.conditions), tuple(execution.facts), tuple(execution.duties), result)
        )
        if len(paths) > MAX_PATHS:
            raise ExecutionFailed(f"there are more than {MAX_PATHS} paths through the code")
        for position in range(len(execution.plan), len(execution.answers)):
            plans.append((*execution.answers[:position], False))
    return paths, constants


class SymbolicTruth:
    """A truth value that depends on the symbolic values; asking for it forks the run."""

    def __init__(self, formula: str, execution: Execution) -> None:
        self.formula = formula
        self.execution = execution

    def __bool__(self) -> bool:
        """The answer on this path."""
        return self.execution.decide(self.formula)

    def __eq__(self, other: object) -> bool:
        """Whether both are true or both false."""
        return bool(self) == (bool(other) if isinstance(other, SymbolicTruth) else other)

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: object) -> int:
        """Truth values count as 0 and 1."""
        if not isinstance(other, (SymbolicTruth, int)):
            return NotImplemented
        return bool(self) + int(bool(other) if isinstance(other, SymbolicTruth) else other)

    __radd__ = __add__


class SymbolicTime:
    """A time, or a number of ticks, as a term.

    Attributes:
        term: the term; unused where the time is ∞.
        infinite: the formula under which it is ∞ (Section 6).
        natural: whether it is known to be at least 0, as all times are (Def. 3.1), so that a comparison with the
            start of ⟨⟩, which is -1, needs no fork.
    """

    def __init__(
        self, term: str, execution: Execution, infinite: str = FALSE, *, natural: bool = False
    ) -> None:
        self.term = term
        self.execution = execution
        self.infinite = infinite
        self.natural = natural
        self.value: int | None = None

    def _other(self, value: object) -> SymbolicTime:
        if isinstance(value, SymbolicTime):
            return value
        if isinstance(value, float) and math.isinf(value) and value > 0:
            return SymbolicTime("0", self.execution, TRUE)
        if isinstance(value, int) and not isinstance(value, bool):
            constant = SymbolicTime(number(value), self.execution)
            constant.value = value
            return constant
        raise ExecutionFailed(f"a time meets {value!r}")

    def _truth(self, formula: str) -> SymbolicTruth:
        return SymbolicTruth(formula, self.execution)

    def _less(self, other: SymbolicTime) -> str:
        if self.natural and other.value is not None and other.value <= 0 and self.infinite == FALSE:
            return FALSE
        if other.natural and self.value is not None and self.value < 0:
            return TRUE
        if self.term == other.term and self.infinite == other.infinite == FALSE:
            return FALSE
        return conjunction(
            (
                negation(self.infinite),
                disjunction((other.infinite, f"(< {self.term} {other.term})")),
            )
        )

    def __lt__(self, other: object) -> SymbolicTruth:
        """Earlier than; nothing finite is after ∞."""
        return self._truth(self._less(self._other(other)))

    def __gt__(self, other: object) -> SymbolicTruth:
        return self._truth(self._other(other)._less(self))

    def __le__(self, other: object) -> SymbolicTruth:
        return self._truth(negation(self._other(other)._less(self)))

    def __ge__(self, other: object) -> SymbolicTruth:
        return self._truth(negation(self._less(self._other(other))))

    def __eq__(self, other: object) -> SymbolicTruth:  # type: ignore[override]
        that = self._other(other)
        both = conjunction((self.infinite, that.infinite))
        neither = conjunction(
            (negation(self.infinite), negation(that.infinite), f"(= {self.term} {that.term})")
        )
        return self._truth(disjunction((both, neither)))

    def __ne__(self, other: object) -> SymbolicTruth:  # type: ignore[override]
        return self._truth(negation((self == other).formula))

    def __hash__(self) -> int:
        """By the term; equality forks, so a symbolic time is found in a table by identity only."""
        return hash(self.term)

    def __bool__(self) -> bool:
        """Whether it is not 0, as of any number."""
        return bool(self != 0)

    def _computed(self, operator: str, left: SymbolicTime, right: SymbolicTime) -> SymbolicTime:
        if self.execution.decide(left.infinite) or self.execution.decide(right.infinite):
            raise ExecutionFailed(f"{operator} on a time that may be ∞")
        return type(self)(f"({operator} {left.term} {right.term})", self.execution)

    def __add__(self, other: object) -> SymbolicTime:
        return self._computed("+", self, self._other(other))

    def __radd__(self, other: object) -> SymbolicTime:
        return self._computed("+", self._other(other), self)

    def __sub__(self, other: object) -> SymbolicTime:
        return self._computed("-", self, self._other(other))

    def __rsub__(self, other: object) -> SymbolicTime:
        return self._computed("-", self._other(other), self)


class SymbolicCount(SymbolicTime):
    """How many elements a symbolic collection has, to which truth values can be added as 0 and 1."""

    def _other(self, value: object) -> SymbolicTime:
        return super()._other(int(bool(value)) if isinstance(value, SymbolicTruth | bool) else value)


class Countable(Protocol):
    """A symbolic collection that knows how many elements it has."""

    def length(self) -> SymbolicCount:
        """How many elements there are."""


def length(collection: Countable | Sized) -> SymbolicCount | int:
    """What `len` means for symbolic collections as well; Python's own returns nothing but integers."""
    counted = getattr(collection, "length", None)
    return len(cast(Sized, collection)) if counted is None else cast(SymbolicCount, counted())


def with_length(method: Callable[[], object]) -> Callable[[], object]:
    """The code of a method, run with `length` where it says `len`.

    Raises:
        ExecutionFailed: it is no method that is written in Python.
    """
    function = getattr(method, "__func__", None)
    if not isinstance(function, FunctionType):
        raise ExecutionFailed(f"{method!r} is no method")
    names = {**function.__globals__, "len": length}
    same = FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    return MethodType(same, cast(Any, method).__self__)


def number(value: int) -> str:
    """An integer as an SMT-LIB term."""
    return str(value) if value >= 0 else f"(- {-value})"


class SymbolicInstance:
    """An arbitrary instance, as a term."""

    __slots__ = ("execution", "term")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, term: str, execution: Execution) -> None:
        self.term = term
        self.execution = execution

    @property
    def start(self) -> SymbolicTime:
        """The start of the instance."""
        return SymbolicTime(f"(start {self.term})", self.execution, natural=True)

    @property
    def end(self) -> SymbolicTime:
        """The end of the instance."""
        return SymbolicTime(f"(end {self.term})", self.execution, natural=True)

    def __eq__(self, other: object) -> SymbolicTruth:  # type: ignore[override]
        """Whether both are the same set; ⟨⟩ is none."""
        if not isinstance(other, SymbolicInstance):
            return SymbolicTruth(FALSE, self.execution)
        equal = TRUE if self.term == other.term else f"(= {self.term} {other.term})"
        return SymbolicTruth(equal, self.execution)

    def join(self, other: object) -> SymbolicInstance:
        """The union of two instances; the non-occurrence is none."""
        if not isinstance(other, SymbolicInstance):
            self.execution.require("only instances are joined", "false")
            return self
        return SymbolicInstance(f"(join {self.term} {other.term})", self.execution)
