"""The outcome of a check of a checker, and how questions with known answers become one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

Row = tuple[str, object, object]
"""A question in words, the answer, and the answer that is right."""


ENOUGH = 3
"""After so many wrong answers no more questions are asked."""


@dataclass(frozen=True)
class SelfCheck:
    """The outcome of giving a checker something wrong.

    Attributes:
        id: a short name.
        what: what has to happen.
        ok: whether it did.
        detail: what happened.
    """

    id: str
    what: str
    ok: bool
    detail: str


@dataclass(frozen=True)
class Known:
    """A check by questions whose answers are known.

    Attributes:
        id: a short name.
        what: what has to happen.
        rows: asks them.
    """

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


def _short(value: object) -> str:
    return str(getattr(value, "value", value))[:120]
