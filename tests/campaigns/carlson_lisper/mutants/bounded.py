"""Evidence that a mutant is none: it is compared with the detector it was made from on every trace of a few ticks.

A bounded comparison is no proof, and what it says is always said with its bound: the expressions, the event types and
the ticks. A mutant that no campaign kills is called equivalent if a reason is known *and* this comparison agrees.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from campaigns.carlson_lisper.cases import Case
from campaigns.carlson_lisper.judge import observe
from campaigns.carlson_lisper.mutants import WrongDetector
from campaigns.mutants.power import ready
from detectors.carlson_lisper.adapters import AnyFactory
from semantics.carlson_lisper.occurrences import Occurrence, Time
from semantics.carlson_lisper.syntax import parse

SECONDS = 2.0
"""How long a detector may take for one of the short traces."""


@dataclass(frozen=True)
class Bound:
    """What is compared: every trace of so many instants over the event types, for each of the expressions.

    Attributes:
        expressions: as text.
        events: the event types.
        ticks: the number of instants, from time 0 on.
        apart: how many ticks after the instant before an instant is.
    """

    expressions: tuple[str, ...]
    events: str
    ticks: int
    apart: int = 1

    @property
    def traces(self) -> int:
        """How many traces there are."""
        return 1 << (len(self.events) * self.ticks)

    def __str__(self) -> str:
        """In one line."""
        spaced = f" that are {self.apart:,} apart" if self.apart > 1 else ""
        return (
            f"all {self.traces:,} traces of {self.ticks} ticks{spaced} over {', '.join(self.events)},"
            f" for {len(self.expressions)} expressions"
        )

    def cases(self) -> Iterator[Case]:
        """Each expression with each trace."""
        letters = [
            [name for place, name in enumerate(self.events) if number >> place & 1]
            for number in range(1 << len(self.events))
        ]
        for text in self.expressions:
            expression = parse(text)
            for number, word in enumerate(product(letters, repeat=self.ticks)):
                occurrences = [
                    Occurrence(name, place * self.apart)
                    for place, letter in enumerate(word)
                    for name in letter
                ]
                yield Case(0, number, "exhaustive", expression, tuple(occurrences))


SMALL = Bound(
    (
        "a | b", "a + b", "a - b", "a ; b", "(a ; b)[1]", "((a ; b) | c) - a", "c - ((a ; b) | c)",
        "((a ; b) | c) + (b | c)", "((a ; b) | c) ; b", "a ; (b ; c)[2]", "((a ; b) | c) ; (a ; c)[2]",
        "a ; (b + (c | a))[1]", "(a + b) - (b ; c)", "((a ; b)[2] - c) ; a[0]", "(a ; a)[2] + (b ; a)[1]",
        "(a ; (b - c)[1])[2]",
    ),
    "abc",
    3,
)  # fmt: skip
"""Every operator, alone and on operands whose instances end in another order than they start."""


def differences(mutants: Mapping[str, WrongDetector], bound: Bound = SMALL) -> dict[str, Case]:
    """The mutants that detect other starts and ends than the detector they were made from, or fail, and where first.

    Args:
        mutants: by name.
        bound: what is compared.
    """
    living: dict[str, tuple[AnyFactory, AnyFactory]] = {
        name: (ready(mutant), mutant.unaltered) for name, mutant in mutants.items()
    }
    found: dict[str, Case] = {}
    for case in bound.cases():
        due: dict[AnyFactory, object] = {}
        for name, (altered, unaltered) in list(living.items()):
            if unaltered not in due:
                due[unaltered] = _outcome(case, unaltered)
            if _outcome(case, altered) != due[unaltered]:
                found[name] = case
                del living[name]
    return found


def _outcome(case: Case, factory: AnyFactory) -> tuple[object, ...]:
    observed = observe(case, factory, SECONDS)
    spans: list[tuple[Time, Time, Time]] = [
        (now, report.start, report.end) for now, report in observed.reports.items()
    ]
    return tuple(spans), observed.failure and observed.failure[0], bool(observed.excess), observed.refusal
