"""The outcome of a check of a checker, and how questions with known answers become one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from inspect import signature
from typing import Any, TypeVar

from remora.verification.amounts import other
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
    """A check by questions whose answers are known.

    Attributes:
        varies: whether the number of questions depends on what is installed; otherwise it has to be that on record.
    """

    id: str
    what: str
    rows: Callable[[], Iterable[Row]]
    varies: bool = False

    @property
    def amount(self) -> str:
        """What the committed file of amounts calls the questions."""
        return f"questions of {self.id}"

    def __call__(self) -> SelfCheck:
        """Ask the questions until some are answered wrongly; at least one is needed, and all that are on record."""
        wrong: list[str] = []
        asked = 0
        for name, found, right in self.rows():
            asked += 1
            if found != right:
                wrong.append(f"{name}: {_short(found)}, not {_short(right)}")
            if len(wrong) == ENOUGH:
                break
        if not wrong and not self.varies:
            wrong += filter(None, [other(self.amount, numbers(asked))])
        said = "; ".join(wrong) or f"{asked} questions were answered rightly"
        return SelfCheck(self.id, self.what, asked > 0 and not wrong, said)


def numbers(count: int) -> Iterable[str]:
    """So many questions by name: a number, as what is asked in words need not be the same everywhere."""
    return map(str, range(count))


RowsT = TypeVar("RowsT", bound=Callable[..., Iterable[Row]])


@dataclass
class Checks:
    """The checks of a module, in the order in which they are written."""

    asked: list[tuple[str, str, Callable[..., Iterable[Row]], bool]] = field(default_factory=list)

    def known(self, id: str, what: str, *, varies: bool = False) -> Callable[[RowsT], RowsT]:
        """Make a check of a function that asks questions; one with a parameter is given the solvers."""

        def taken(rows: RowsT) -> RowsT:
            self.asked.append((id, what, rows, varies))
            return rows

        return taken

    def __call__(self, portfolio: Portfolio) -> list[Known]:
        """The checks, to be called."""
        return [
            Known(id, what, partial(rows, portfolio) if signature(rows).parameters else rows, varies)
            for id, what, rows, varies in self.asked
        ]


def always(value: object) -> Callable[..., Any]:
    """A function that gives a value, whatever it is given."""
    return lambda *_, **__: value


def _short(value: object) -> str:
    return str(getattr(value, "value", value))[:120]
