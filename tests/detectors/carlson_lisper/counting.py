"""A detector whose steps are counted and whose stored instances are looked at, to be compared with stated bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

from detectors.carlson_lisper.source.figure2 import BOUNDED_STEPS, Figure2, StepFactory
from detectors.carlson_lisper.source.steps import NON_OCCURRENCE, Step
from detectors.carlson_lisper.source.transformation import transform
from semantics.carlson_lisper.expressions import Expression, Label, Operation
from semantics.carlson_lisper.occurrences import Instance, Time, Value

CHECKED_BY_THE_DETECTOR = 1
"""One comparison per instant makes sure that time goes on; it belongs to no subexpression."""


class Counter:
    """How many steps were done, as `detectors.carlson_lisper.source.bounds` defines them."""

    def __init__(self) -> None:
        self.steps = 0


def counted_time(counter: Counter) -> Callable[[int], Time]:
    """Makes times whose comparisons are counted; what is computed from them is one too."""

    class Counted(int):
        pass

    def comparing(operation: str) -> Callable[[int, int], bool]:
        def compare(one: int, other: int) -> bool:
            counter.steps += 1
            return bool(getattr(int, operation)(one, other))

        return compare

    def computing(operation: str) -> Callable[[int, int], int]:
        return lambda one, other: Counted(getattr(int, operation)(one, other))

    for operation in ("__lt__", "__le__", "__gt__", "__ge__"):
        setattr(Counted, operation, comparing(operation))
    for operation in ("__sub__", "__add__"):
        setattr(Counted, operation, computing(operation))
    return Counted


class CountedOccurrences(dict[str, Value]):
    """What occurs at an instant; each look is counted."""

    counter: Counter

    def __contains__(self, name: object) -> bool:
        self.counter.steps += 1
        return super().__contains__(name)


class CountedQueue:
    """A queue whose operations are counted, besides the comparisons of its searches."""

    def __init__(self, queue: Any, counter: Counter) -> None:
        self.queue = queue
        self.counter = counter

    def __getattr__(self, operation: str) -> Any:
        self.counter.steps += 1
        return getattr(self.queue, operation)

    def contents(self) -> list[Instance]:
        found: list[Instance] = self.queue.contents()
        return found

    def __len__(self) -> int:
        return len(self.queue)


class CountedStep:
    """A step, the most that one call of it took, and the most that it kept."""

    VARIABLES: ClassVar[Mapping[str, str]] = {}

    def __init__(self, step: Step, counter: Counter) -> None:
        self.inner = step
        self.counter = counter
        self.bound: Label = step.bound
        self.steps = 0
        if hasattr(step, "queue"):
            step.queue = CountedQueue(step.queue, counter)

    def step(self, left: Instance, right: Instance) -> Instance:
        before = self.counter.steps
        result = self.inner.step(left, right)
        self.steps = max(self.steps, self.counter.steps - before)
        return result

    def variables(self) -> Mapping[str, object]:
        return self.inner.variables()

    def stored(self) -> int:
        return self.inner.stored()

    def kept(self) -> list[Instance]:
        """The instances in the auxiliary variables, found without asking the step how many there are."""
        found: list[Instance] = []
        for variable in self.variables().values():
            if isinstance(variable, CountedQueue):
                found += variable.contents()
            elif isinstance(variable, Instance) and variable is not NON_OCCURRENCE:
                found.append(variable)
        return found


class Measured:
    """Runs a detector of an expression and keeps the greatest of what is measured.

    Attributes:
        steps: the most steps at one instant.
        instances: the most instances kept after an instant.
        occurrences: the most occurrences that these had together.
        length: the longest instance of the expression, in ticks.
        by_part: the most steps, instances, occurrences by the number of the subexpression.
    """

    def __init__(self, expression: Expression, steps: Mapping[str, StepFactory] = BOUNDED_STEPS) -> None:
        self.counter = Counter()
        self.time = counted_time(self.counter)
        self.made: list[CountedStep] = []
        factories = {name: self._counted(factory) for name, factory in steps.items()}
        self.detector = Figure2(transform(expression).expression, factories)
        self.numbers = [node.number for node in self.detector.state()]
        self.by_part = dict.fromkeys(self.numbers, (0, 0, 0))
        self.steps = self.instances = self.occurrences = self.length = 0

    def _counted(self, factory: StepFactory) -> StepFactory:
        def make(operation: Operation) -> Step:
            self.made.append(CountedStep(factory(operation), self.counter))
            return self.made[-1]

        return make

    def run(self, trace: Iterable[tuple[Time, Iterable[str]]]) -> Measured:
        """Step through a trace."""
        with _counted_non_occurrence(self.time):
            for time, events in trace:
                occurrences = CountedOccurrences(dict.fromkeys(events))
                occurrences.counter = self.counter
                before = self.counter.steps
                result = self.detector.step(self.time(time), occurrences)
                taken = self.counter.steps - before - CHECKED_BY_THE_DETECTOR
                self._look(taken, result)
        return self

    def _look(self, taken: int, result: Instance | None) -> None:
        kept = [step.kept() for step in self.made]
        sizes = [sum(len(instance.occurrences) for instance in instances) for instances in kept]
        for number, step, instances, size in zip(self.numbers, self.made, kept, sizes, strict=True):
            old = self.by_part[number]
            self.by_part[number] = (step.steps, max(old[1], len(instances)), max(old[2], size))
        self.steps = max(self.steps, taken)
        self.instances = max(self.instances, sum(map(len, kept)))
        self.occurrences = max(self.occurrences, sum(sizes))
        if result is not None:
            self.length = max(self.length, int(result.end) - int(result.start))


@contextmanager
def _counted_non_occurrence(time: Callable[[int], Time]) -> Iterator[None]:
    """Comparisons with the time of ⟨⟩ are counted meanwhile."""
    NON_OCCURRENCE.start = NON_OCCURRENCE.end = time(-1)
    try:
        yield
    finally:
        NON_OCCURRENCE.start = NON_OCCURRENCE.end = -1
