"""Sabotages carried out one after the other, each in a process of its own: whether the check that is named notices."""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass

from campaigns.judging.isolation import Child, Lost
from remora.verification.sabotage.checks import complaint, fast_checks
from remora.verification.sabotage.edits import Sabotage, applied
from reports.results import audits as results
from semantics.errors import InputError
from smt.solvers.portfolio import installed

LIMIT = 300.0
"""How long a check may take under a sabotage, in seconds: many times as long as any takes on an idle machine."""

SOLVER_SECONDS = 20.0
"""The time limit of a solver behind its budget, as a sabotage may take away the budget."""

PROCESSES = 2


@dataclass(frozen=True)
class Noticed:
    """What became of a sabotage.

    Attributes:
        by: the check that noticed, which is the one that is named; "" if it did not.
        said: what it said, or why it said nothing.
    """

    sabotage: Sabotage
    by: str
    said: str
    seconds: float
    ended: bool = True

    @property
    def row(self) -> results.Sabotage:
        """The row in a report."""
        kept = {
            name: text for name, text in asdict(self.sabotage).items() if name not in ("seen_by", "needs")
        }
        expected, seconds = self.sabotage.seen_by, round(self.seconds, 2)
        return results.Sabotage(
            **kept, expected=expected, noticed=self.by, said=self.said[:300], seconds=seconds
        )


def carried_out(
    sabotages: Sequence[Sabotage], progress: Callable[[str, int], object] = lambda name, done: None
) -> Iterator[Noticed]:
    """Carry out sabotages, two at a time, and say of each whether its check noticed, in their order.

    Args:
        progress: told the name of each that is done, and how many are.
    """
    waiting = deque(sabotages)
    running: deque[tuple[Sabotage, Child[Noticed]]] = deque()
    done = 0
    while waiting or running:
        while waiting and len(running) < PROCESSES:
            sabotage = waiting.popleft()
            running.append((sabotage, Child(lambda sabotage=sabotage: _quietly(sabotage))))  # type: ignore[misc]
        sabotage, child = running.popleft()
        found = child.result(LIMIT)
        done += 1
        progress(sabotage.id, done)
        yield _lost(sabotage, found) if isinstance(found, Lost) else found


def _lost(sabotage: Sabotage, how: Lost) -> Noticed:
    """What a process said that was lost, which is no check's complaint: a slow machine ends no check in time."""
    return Noticed(sabotage, "", how.detail, LIMIT, ended=False)


def put(sabotage: Sabotage) -> Noticed:
    """Carry out a sabotage in this process, and undo it."""
    begin = time.perf_counter()
    try:
        with applied(sabotage), installed(SOLVER_SECONDS) as portfolio:
            checks = fast_checks(portfolio)
            if sabotage.seen_by not in checks:
                raise InputError(f"there is no check {sabotage.seen_by!r}", place=sabotage.id)
            said = complaint(checks[sabotage.seen_by])
            by = sabotage.seen_by if said else ""
    except Exception as error:  # the catalogue is not of this program; what checks raise is a complaint
        by, said = "", f"it cannot be applied: {type(error).__name__}: {error}"
    return Noticed(sabotage, by, said, time.perf_counter() - begin)


def _quietly(sabotage: Sabotage) -> Noticed:
    """The same without a word on the terminal, which is the parent's."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(null, stream)
    return put(sabotage)


def main(arguments: Sequence[str]) -> int:
    """Carry out the sabotages that are named, or all; 1 if one is not noticed.

    python -m remora.verification.sabotage.running [ID...]
    """
    from remora.verification.sabotage.edits import catalogue

    chosen = [each for each in catalogue() if not arguments or each.id in arguments]
    missed = 0
    for found in carried_out(chosen):
        missed += not found.by
        mark = f"seen by {found.by}" if found.by else "NOT SEEN" if found.ended else "NOT FINISHED"
        print(f"{found.sabotage.id:40} {found.seconds:6.1f} s  {mark}: {found.said[:110]}", flush=True)
    print(f"{len(chosen)} sabotages, {missed} not noticed")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
