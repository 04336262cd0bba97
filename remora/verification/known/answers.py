"""The outcome of a check of a checker, and how questions with known answers become one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

Row = tuple[str, object, object]
"""A question in words, the answer, and the answer that is right."""


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
        """Ask all questions; at least one is needed."""
        rows = list(self.rows())
        wrong = [
            f"{name}: {_short(found)}, not {_short(right)}" for name, found, right in rows if found != right
        ]
        said = "; ".join(wrong[:3]) or f"{len(rows)} questions were answered rightly"
        return SelfCheck(self.id, self.what, bool(rows) and not wrong, said)


def _short(value: object) -> str:
    return str(getattr(value, "value", value))[:120]
