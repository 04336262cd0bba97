"""The outcome of a check of a checker, and how questions with known answers become one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from inspect import signature
from typing import TypeVar

from smt.solvers.portfolio import Portfolio

Row = tuple[str, object, object]
"""A question in words, the answer, and the answer that is right."""

ENOUGH = 3
"""After so many wrong answers no more questions are asked."""


@dataclass(frozen=True)
class SelfCheck:
    """The outcome of giving a checker something wrong."""

    id: str
    what: str
    ok: bool
    detail: str


@dataclass(frozen=True)
class Known:
    """A check by questions whose answers are known."""

    id: str
    what: str
    rows: Callable[[], Iterable[Row]]

    def __call__(self) -> SelfCheck:
        """Ask the questions until some are answered wrongly; at least one is needed."""
        wrong: list[str] = []
        asked = 0
        for name, found, right in self.rows():
            asked += 1
            if found != right:
                wrong.append(f"{name}: {_short(found)}, not {_short(right)}")
            if len(wrong) == ENOUGH:
                break
        said = "; ".join(wrong) or f"{asked} questions were answered rightly"
        return SelfCheck(self.id, self.what, asked > 0 and not wrong, said)


RowsT = TypeVar("RowsT", bound=Callable[..., Iterable[Row]])


@dataclass
class Checks:
    """The checks of a module, in the order in which they are written."""

    asked: list[tuple[str, str, Callable[..., Iterable[Row]]]] = field(default_factory=list)

    def known(self, id: str, what: str) -> Callable[[RowsT], RowsT]:
        """Make a check of a function that asks questions; one with a parameter is given the solvers."""

        def taken(rows: RowsT) -> RowsT:
            self.asked.append((id, what, rows))
            return rows

        return taken

    def __call__(self, portfolio: Portfolio) -> list[Known]:
        """The checks, to be called."""
        return [
            Known(id, what, partial(rows, portfolio) if signature(rows).parameters else rows)
            for id, what, rows in self.asked
        ]


def _short(value: object) -> str:
    return str(getattr(value, "value", value))[:120]
