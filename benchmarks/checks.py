"""Checks of benchmark answers: each against the oracle, and all of them against each other."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from benchmarks.own import instances
from benchmarks.subjects import Answer, Pattern, Subject
from benchmarks.traces import Trace
from detectors.carlson_lisper.protocol import event_types
from detectors.carlson_lisper.source.figure2 import Figure2
from semantics.carlson_lisper.intervals import interval_denotation
from semantics.carlson_lisper.occurrences import Time

DENOTED = 400
"""The denotation judges the first so many instants of the trace; its cost grows with the square."""

JUDGED = 1_000_000
"""Where two answers differ within so many instants, the oracle says which is wrong."""


class OracleDiffers(Exception):
    """Figure 2 and the denotation differ: the testbed itself is wrong."""


def oracle(pattern: Pattern, trace: Trace) -> Answer:
    """What Figure 2 finds in a trace."""
    return instances(Figure2(pattern.expression), trace.occurring(event_types(pattern.expression)))


def confirm_oracle(pattern: Pattern, trace: Trace) -> None:
    """Make sure that Figure 2 finds what the definition says, on the beginning of a trace.

    Raises:
        OracleDiffers: it does not.
    """
    beginning = trace.prefix(DENOTED)
    restricted = interval_denotation(pattern.expression, beginning.interpretation()).restricted()
    denoted = Answer(
        np.array([interval.start for interval in restricted], np.int64),
        np.array([interval.end for interval in restricted], np.int64),
    )
    found = difference(oracle(pattern, beginning), denoted, DENOTED)
    if found is not None:
        raise OracleDiffers(f"Figure 2 is wrong on {pattern.expression} {found}")


@dataclass(frozen=True)
class Difference:
    """The first end at which two answers differ.

    Attributes:
        time: the end, in ticks.
        found: the start that was found, or None for no detection.
        expected: the start that was expected, or None.
        starts: whether starts are known on both sides.
    """

    time: Time
    found: Time | None
    expected: Time | None
    starts: bool

    def __str__(self) -> str:
        """In words."""
        return f"at {self.time}: found {self._shown(self.found)}, expected {self._shown(self.expected)}"

    def _shown(self, start: Time | None) -> str:
        if start is None:
            return "nothing"
        return f"[{start}, {self.time}]" if self.starts else "an end"


def malformed(answer: Answer) -> str | None:
    """Why an answer cannot be one: not one start for each end, or ends that do not increase."""
    if answer.starts is not None and len(answer.starts) != len(answer.ends):
        return f"{len(answer.starts)} starts and {len(answer.ends)} ends"
    wrong = np.flatnonzero(answer.ends[1:] <= answer.ends[:-1])
    if len(wrong):
        return f"the end {answer.ends[wrong[0] + 1]} comes after the end {answer.ends[wrong[0]]}"
    return None


def difference(found: Answer, expected: Answer, instants: int) -> Difference | None:
    """Where two answers first differ within so many instants; starts count where both have them."""
    starts = found.starts is not None and expected.starts is not None
    sides = []
    for side in (found, expected):
        count = int(np.searchsorted(side.ends, instants))
        sides.append((side.ends[:count], None if side.starts is None else side.starts[:count]))
    (ends, begun), (true_ends, true_begun) = sides
    common = min(len(ends), len(true_ends))
    unlike = ends[:common] != true_ends[:common]
    if begun is not None and true_begun is not None:
        unlike = unlike | (begun[:common] != true_begun[:common])
    place = int(np.argmax(unlike)) if unlike.any() else common
    if place == len(ends) == len(true_ends):
        return None
    times = [int(side[place]) for side in (ends, true_ends) if place < len(side)]
    time = min(times)

    def start(side_ends: NDArray[np.int64], side_starts: NDArray[np.int64] | None) -> Time | None:
        if place >= len(side_ends) or side_ends[place] != time:
            return None
        return 0 if side_starts is None else int(side_starts[place])

    return Difference(time, start(ends, begun), start(true_ends, true_begun), starts)


@dataclass
class Checker:
    """Compares the answers of many subjects on prefixes of one trace, and keeps only the longest of them.

    Detection looks at the past alone, so that the answer on a prefix is the beginning of the answer on the whole.

    Attributes:
        wrong: what is wrong with a subject, by its name.
    """

    pattern: Pattern
    trace: Trace
    wrong: dict[str, str] = field(default_factory=dict)
    _longest: dict[bool, tuple[Subject, int, Answer]] = field(default_factory=dict)
    _seen: dict[str, tuple[Subject, int]] = field(default_factory=dict)

    def check_small(self, subject: Subject, instants: int, answer: Answer) -> None:
        """Compare an answer on a short prefix with the oracle."""
        problem = malformed(answer)
        if problem is None:
            expected = oracle(self.pattern, self.trace.prefix(instants))
            found = difference(answer, expected, instants)
            problem = None if found is None else f"{found}"
        if problem is not None:
            self.wrong[subject.name] = problem

    def check(self, subject: Subject, instants: int, answer: Answer) -> None:
        """Compare an answer on a prefix of any length with those that were checked before."""
        problem = malformed(answer)
        if problem is not None:
            self.wrong[subject.name] = problem
        else:
            self._check_others(subject, instants, answer)

    def checked_instants(self, subject: Subject) -> int:
        """How far the answer of a subject was compared with that of another one."""
        instants = self._seen[subject.name][1]
        return max(
            (
                min(instants, other)
                for name, (_, other) in self._seen.items()
                if name != subject.name and name not in self.wrong
            ),
            default=min(instants, self._oracle_reach()),
        )

    def _oracle_reach(self) -> int:
        return min((instants for _, instants in self._seen.values()), default=0)

    def _check_others(self, subject: Subject, instants: int, answer: Answer) -> None:
        for complete in (True, False):
            known = self._longest.get(complete)
            if known is None:
                continue
            found = difference(answer, known[2], min(instants, known[1]))
            if found is None:
                continue
            right = self._judged(found.time)
            against = None if right is None else difference(answer, right, found.time + 1)
            if right is None or against is not None:
                self.wrong[subject.name] = str(against or f"{found} by {known[0].name}")
            if right is None or against is None:
                self._condemn(found.time, known[2], right)
            if subject.name in self.wrong:
                return
        self._seen[subject.name] = subject, instants
        for complete in {False, answer.starts is not None}:
            known = self._longest.get(complete)
            if known is None or known[1] < instants:
                self._longest[complete] = subject, instants, answer

    def _judged(self, time: Time) -> Answer | None:
        return oracle(self.pattern, self.trace.prefix(time + 1)) if time < JUDGED else None

    def _condemn(self, time: Time, answer: Answer, right: Answer | None) -> None:
        """All that reach beyond a time gave the same answer as one that is wrong then, or may be."""
        said = (
            f"at {time}: another subject found something else, too late in the trace for the oracle to judge"
        )
        if right is not None:
            said = str(difference(answer, right, time + 1))
        for name, (_, instants) in list(self._seen.items()):
            if instants > time:
                self.wrong[name] = said
                del self._seen[name]
        self._longest = {
            complete: known for complete, known in self._longest.items() if known[0].name in self._seen
        }
