"""Coverage of behaviours: those of the detectors that a campaign has met, and those that it has not.

A behaviour has a name, `group:what:which`, and is listed whether it is ever met or not; so a campaign can say what it
has not seen. What a case meets follows from the case alone. The names of one case are a row's list, so that whoever
has many rows counts them by name and hands the counts to a `CoverageTable`.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, cast

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.coverage.meetings import (
    BOUNDARIES,
    PAIRS,
    TIES,
    TRACES,
    Instants,
    note_meetings,
    observed_steps,
)
from campaigns.carlson_lisper.coverage.queues import QUEUES, Together, watched
from campaigns.carlson_lisper.coverage.steps import BRANCHES, FAMILIES, instrumented
from detectors.carlson_lisper.source.figure2 import STEPS, Figure2, StepFactory
from detectors.carlson_lisper.source.steps import SequenceStep, Step
from detectors.carlson_lisper.source.transformation import transform
from semantics.carlson_lisper.expressions import UNBOUNDED, Label, Operation, bottom_up, evaluate_bound

STRIDE = 8
"""The groups of `SAMPLED` are looked at in the cases whose number is a multiple of this."""

SAMPLED = frozenset({"branch", "queue"})
"""The groups that need instrumented steps, which take longer than the case itself."""

BEHAVIOURS: tuple[str, ...] = (*PAIRS, *BRANCHES, *QUEUES, *TIES, *BOUNDARIES, *TRACES)
"""All that can be covered, by group: `pair`, `branch`, `queue`, `tie`, `boundary`, `trace`.

There is nothing among them that no case can meet: the tests store a smallest case for each.
"""

GROUPS: tuple[str, ...] = tuple(dict.fromkeys(name.partition(":")[0] for name in BEHAVIOURS))


class _Notes(threading.local):
    """What is noted of one case at a time, and the steps that note it; a thread has its own."""

    def __init__(self) -> None:
        self.seen: set[str] = set()
        self.observed = observed_steps(self.seen.add)
        self.figure2: Mapping[str, StepFactory] = {}
        self.figure4: Mapping[str, StepFactory] = {}

    def instrument(self) -> None:
        """Make the steps, when they are first needed; it takes some milliseconds."""
        note = self.seen.add
        classes = {name: instrumented(family, note, watched) for name, family in FAMILIES.items()}
        make = partial(_made, classes)

        def restriction(operation: Operation) -> Step:
            return make("tim", evaluate_bound(0 if operation.bound is None else operation.bound))

        def labelled(operation: Operation) -> Step:
            if operation.label == UNBOUNDED:
                return SequenceStep()
            ticks = cast(int, operation.label)
            return Together(ticks, make("seq-figure4", ticks), note=note)

        stateless = {name: partial(_without_operation, make, name) for name in ("dis", "con", "neg", "seq")}
        self.figure2 = {**stateless, "tim": restriction}
        self.figure4 = {**STEPS, "seq": labelled}


def _made(classes: Mapping[str, type], name: str, *arguments: int) -> Step:
    return cast(Step, classes[name](*arguments))


def _without_operation(make: Callable[[str], Step], name: str, _: Operation) -> Step:
    return make(name)


_NOTES = _Notes()


def is_sampled(number: int) -> bool:
    """Whether the case with a number is one of those in which all groups are looked at."""
    return number % STRIDE == 0


def covered(case: Case, *, all_groups: bool | None = None) -> frozenset[str]:
    """The behaviours of `BEHAVIOURS` that a case meets.

    Args:
        all_groups: whether the groups of `SAMPLED` are looked at too; by default, the case's number says.
    """
    seen = _NOTES.seen
    seen.clear()
    instants = list(case.instants())
    note_meetings(case, instants, _NOTES.observed, seen.add)
    if is_sampled(case.number) if all_groups is None else all_groups:
        if not _NOTES.figure2:
            _NOTES.instrument()
        _run(Figure2(case.expression, _NOTES.figure2), instants)
        transformed = transform(case.expression).expression
        if any(isinstance(part, Operation) and _is_short(part.label) for part in bottom_up(transformed)):
            _run(Figure2(transformed, _NOTES.figure4), instants)
    return frozenset(seen)


def _run(detector: Figure2, instants: Instants) -> None:
    for now, occurrences in instants:
        detector.step(now, occurrences)


def _is_short(label: Label | None) -> bool:
    """Whether a sequence has a finite label; the others are those of Figure 2."""
    return label is not None and label != UNBOUNDED


@dataclass(frozen=True)
class GroupCoverage:
    """What was met of one group.

    Attributes:
        cases: in how many cases they were looked for.
        never: those that were not met, in the order of `BEHAVIOURS`.
    """

    group: str
    reached: int
    behaviours: int
    cases: int
    never: tuple[str, ...]

    @property
    def share(self) -> float:
        """The part that was met, from 0 to 1."""
        return self.reached / self.behaviours


@dataclass(frozen=True)
class CoverageTable:
    """How often each behaviour was met in some cases; tables of different cases add up.

    Attributes:
        counts: the number of cases by behaviour; one that is not named was not met.
        cases: how many cases there were.
        sampled: in how many of them the groups of `SAMPLED` were looked at.
    """

    counts: Mapping[str, int]
    cases: int
    sampled: int

    def __post_init__(self) -> None:
        """Refuse what cannot be.

        Raises:
            ValueError: a name is not in `BEHAVIOURS`, or is counted in more cases than there were.
        """
        unknown = sorted(self.counts.keys() - _ALL)
        if unknown:
            raise ValueError(f"no behaviour is called {unknown[0]!r}")
        for name, count in self.counts.items():
            if not 0 <= count <= self._looked_at(name.partition(":")[0]):
                raise ValueError(f"{name!r} cannot be met in {count:,} of these cases")

    @classmethod
    def of(cls, rows: Iterable[tuple[int, Iterable[str]]]) -> CoverageTable:
        """The table of rows: the number of each case with the names of what it covers."""
        counts: Counter[str] = Counter()
        cases = sampled = 0
        for number, names in rows:
            counts.update(names)
            cases += 1
            sampled += is_sampled(number)
        return cls(counts, cases, sampled)

    def __add__(self, other: CoverageTable) -> CoverageTable:
        """The table of the cases of both, which are different ones."""
        counts = Counter(self.counts) + Counter(other.counts)
        return CoverageTable(counts, self.cases + other.cases, self.sampled + other.sampled)

    def to_json(self) -> dict[str, Any]:
        """As plain data, with the groups."""
        return {
            "cases": self.cases,
            "sampled": self.sampled,
            "groups": [asdict(group) for group in self.groups()],
            "counts": dict(sorted(self.counts.items())),
        }

    @property
    def never(self) -> tuple[str, ...]:
        """The behaviours that were not met, in the order of `BEHAVIOURS`."""
        return tuple(name for name in BEHAVIOURS if not self.counts.get(name))

    def groups(self) -> tuple[GroupCoverage, ...]:
        """The groups, in order."""
        rows = []
        for group in GROUPS:
            names = [name for name in BEHAVIOURS if name.startswith(f"{group}:")]
            never = tuple(name for name in names if not self.counts.get(name))
            rows.append(
                GroupCoverage(group, len(names) - len(never), len(names), self._looked_at(group), never)
            )
        return tuple(rows)

    def _looked_at(self, group: str) -> int:
        return self.sampled if group in SAMPLED else self.cases


_ALL = frozenset(BEHAVIOURS)
