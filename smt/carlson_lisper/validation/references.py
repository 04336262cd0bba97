"""The proved steps of one pattern at one instant: their own methods, run on terms for arbitrary values.

A pattern is transformed (Section 6), and the step of each of its subexpressions runs once, operands first, as in
Figure 2. What a step is given are terms: instances as they are, or their starts alone.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, Step
from detectors.carlson_lisper.source.transformation import transform
from semantics.carlson_lisper.expressions import Expression, Identifier, Operation, bottom_up
from smt.carlson_lisper.validation.texts import INSTANCE, NONE, QUEUE, TIME, Value, occurs, primitive
from smt.execution import Execution, ExecutionFailed, SymbolicTime, explore, number
from smt.smtlib import negation


class Level(Protocol):
    """What instances are: themselves, or their starts."""

    none: str
    sort: str

    @abstractmethod
    def primitive(self, name: str) -> str:
        """The instance of an event type that occurs now."""

    @abstractmethod
    def start(self, term: str) -> str:
        """The start of an instance."""

    @abstractmethod
    def end(self, term: str) -> str:
        """The end of an instance that is current, or any where the level has it."""

    @abstractmethod
    def join(self, one: str, other: str) -> str:
        """The union of two instances."""

    @abstractmethod
    def latest_before(self, queue: str, time: str) -> str:
        """What is found among the candidates of a sequence."""

    @abstractmethod
    def evicted(self, queue: str, time: str) -> str:
        """The candidates without those that end before a time."""

    @abstractmethod
    def push(self, queue: str, term: str) -> str:
        """The candidates with one more."""


class Starts:
    """The starts of instances; ⟨⟩ is -1, what is current ends now, and a queue is named by the side that it is about.

    The candidates of a sequence are what its lemma says of them: the latest start before a time is that of all
    instances that its left side has had, whatever was pushed.

    Attributes:
        asked: the latest starts that were asked for: the side, the time, and the term.
    """

    none = "(- 1)"
    sort = TIME

    def __init__(self) -> None:
        self.asked: dict[str, tuple[str, str]] = {}

    def latest(self, side: int | str, time: str) -> str:
        """The greatest start of an instance of a subexpression that ended before a time, or -1."""
        term = f"(latest.{side} {time})"
        self.asked[term] = (str(side), time)
        return term

    def primitive(self, name: str) -> str:
        """It starts now."""
        return "time"

    def start(self, term: str) -> str:
        """Itself."""
        return term

    def end(self, term: str) -> str:
        """Now, if it is there."""
        return f"(ite (< {term} 0) (- 1) time)"

    def join(self, one: str, other: str) -> str:
        """The earlier start."""
        return f"(ite (<= {one} {other}) {one} {other})"

    def latest_before(self, queue: str, time: str) -> str:
        """The latest start of the side."""
        return self.latest(queue, time)

    def evicted(self, queue: str, time: str) -> str:
        """The same side."""
        return queue

    def push(self, queue: str, term: str) -> str:
        """The same side."""
        return queue


class Instances:
    """Instances as they are, of an uninterpreted sort, and candidates of another."""

    none = NONE
    sort = INSTANCE

    def primitive(self, name: str) -> str:
        """One occurrence."""
        return primitive(name)

    def start(self, term: str) -> str:
        """By a function."""
        return f"(start {term})"

    def end(self, term: str) -> str:
        """By a function."""
        return f"(end {term})"

    def join(self, one: str, other: str) -> str:
        """By a function."""
        return f"(join {one} {other})"

    def latest_before(self, queue: str, time: str) -> str:
        """By a function of what was pushed."""
        return f"(latest_before {queue} {time})"

    def evicted(self, queue: str, time: str) -> str:
        """By a function of what was pushed."""
        return f"(evicted {queue} {time})"

    def push(self, queue: str, term: str) -> str:
        """By a function."""
        return f"(push {queue} {term})"


class _Instance:
    """An instance or ⟨⟩, as a term."""

    def __init__(self, term: str, level: Level, execution: Execution) -> None:
        self.term, self.level, self.execution = term, level, execution

    @property
    def start(self) -> SymbolicTime:
        return SymbolicTime(self.level.start(self.term), self.execution)

    @property
    def end(self) -> SymbolicTime:
        return SymbolicTime(self.level.end(self.term), self.execution)

    def join(self, other: object) -> _Instance:
        return _Instance(self.level.join(self.term, _term(other, self.level)), self.level, self.execution)


class _Queue:
    """The candidates of a sequence, as a term."""

    def __init__(self, term: str, level: Level, execution: Execution) -> None:
        self.term, self.level, self.execution = term, level, execution

    def latest_before(self, time: SymbolicTime) -> _Instance:
        return _Instance(self.level.latest_before(self.term, time.term), self.level, self.execution)

    def evict_before(self, time: SymbolicTime) -> _Instance:
        found = self.latest_before(time)  # by the contract of a queue
        self.term = self.level.evicted(self.term, time.term)
        return found

    def push(self, instance: object) -> None:
        self.term = self.level.push(self.term, _term(instance, self.level))


def _term(value: object, level: Level) -> str:
    if value is NON_OCCURRENCE:
        return level.none
    if isinstance(value, int):
        return number(value)
    if isinstance(value, _Instance | _Queue | SymbolicTime):
        return value.term
    raise ExecutionFailed(f"a {type(value).__name__} is no term")


@dataclass(frozen=True)
class Reference:
    """What the proved steps do at an instant.

    Attributes:
        after: the auxiliary variables at the end, by the source's name and the number of the subexpression.
        nodes: the subexpressions, bottom-up; the first has the number 1.
    """

    nodes: tuple[Expression, ...]
    definitions: list[tuple[str, Value]] = field(default_factory=list)
    after: dict[str, Value] = field(default_factory=dict)

    @property
    def result(self) -> str:
        """The current instance of the pattern."""
        return current(len(self.nodes))


def current(number: int) -> str:
    """The current instance of a subexpression."""
    return f"current.{number}"


def numbered(expression: Expression) -> tuple[Expression, ...]:
    """The subexpressions of the transformed pattern, bottom-up, each once."""
    return bottom_up(transform(expression).expression)


Factory = Callable[[int, Operation], Step]
"""Makes the proved step of a subexpression."""

Before = Callable[[str, int, tuple[int, int]], Value]
"""The value of an auxiliary variable before: by its name, the number of the subexpression, those of its operands."""


def reference(expression: Expression, level: Level, step: Factory, before: Before) -> Reference:
    """Run the proved steps of a pattern at the instant `time`.

    Raises:
        ExecutionFailed: a step cannot be run on terms.
    """
    found = Reference(numbered(expression))
    numbers = {node: place for place, node in enumerate(found.nodes, start=1)}
    for node, place in numbers.items():
        if isinstance(node, Identifier):
            term = f"(ite {occurs(node.name)} {level.primitive(node.name)} {level.none})"
            found.definitions.append((current(place), Value(term, level.sort)))
            continue
        assert isinstance(node, Operation)
        operands = numbers[node.operands[0]], numbers[node.operands[-1]]
        values = {name: before(name, place, operands) for name in type(step(place, node)).VARIABLES}
        result, after = _after(lambda node=node, place=place: step(place, node), level, operands, values)  # type: ignore[misc]
        for name, value in after.items():
            defined = Value(f"due.{name}{place}", value.sort)
            if value.sort == QUEUE and level.sort == TIME:
                continue
            found.definitions.append((defined.term, value))
            found.after[f"{name}{place}"] = defined
        found.definitions.append((current(place), Value(result, level.sort)))
    return found


def _after(
    make: Callable[[], Step], level: Level, operands: tuple[int, int], values: Mapping[str, Value]
) -> tuple[str, dict[str, Value]]:
    """The result of a step and its variables afterwards, each as one term for all ways through the step."""

    def run(execution: Execution) -> tuple[str, dict[str, str]]:
        made = make()
        for name, value in values.items():
            setattr(made, made.VARIABLES[name], _held(value, level, execution))
        left, right = (_Instance(current(place), level, execution) for place in operands)
        result = made.step(cast(Any, left), cast(Any, right))
        return _term(result, level), {
            name: _term(getattr(made, attribute), level) for name, attribute in made.VARIABLES.items()
        }

    paths, _ = explore(run)
    outcomes = []
    for path in paths:
        if path.result is None or path.duties:
            raise ExecutionFailed("; ".join(what for what, _ in path.duties))
        outcomes.append((path.conditions, path.result))
    result = _chosen([(condition, outcome[0]) for condition, outcome in outcomes])
    after = {
        name: Value(_chosen([(condition, outcome[1][name]) for condition, outcome in outcomes]), value.sort)
        for name, value in values.items()
    }
    return result, after


def _held(value: Value, level: Level, execution: Execution) -> object:
    if value.sort == QUEUE:
        return _Queue(value.term, level, execution)
    # A time and the start of an instance are the same sort, and answer to what a step asks of either.
    return (
        _Held(value.term, level, execution)
        if level.sort == value.sort == TIME
        else (
            SymbolicTime(value.term, execution)
            if value.sort == TIME
            else _Instance(value.term, level, execution)
        )
    )


class _Held(SymbolicTime):
    """A start that stands for a time or an instance."""

    def __init__(self, term: str, level: Level, execution: Execution) -> None:
        super().__init__(term, execution)
        self._instance = _Instance(term, level, execution)

    @property
    def start(self) -> SymbolicTime:
        return self._instance.start

    @property
    def end(self) -> SymbolicTime:
        return self._instance.end

    def join(self, other: object) -> _Instance:
        return self._instance.join(other)


def _chosen(ways: list[tuple[tuple[str, ...], str]]) -> str:
    """One term for all ways through a step, each with the answers that it takes; they part at their first question."""
    term = ways[0][1]
    if all(value == term for _, value in ways):
        return term
    first = ways[0][0][0]
    branches: tuple[list[tuple[tuple[str, ...], str]], ...] = ([], [])
    for (answer, *others), value in ways:
        if answer not in (first, negation(first)):
            raise ExecutionFailed("two ways through the code ask different things first")
        branches[answer != first].append((tuple(others), value))
    yes, no = map(_chosen, branches)
    return f"(ite {first} {yes} {no})"
