"""The errors a user can cause: each says where, what is wrong and what to do about it."""

from __future__ import annotations


class InputError(ValueError):
    """Something the user wrote is not acceptable.

    Attributes:
        place: where it is (a file and line, a column of an expression), or "" when there is no place.
        remedy: what would make it acceptable, or "".
    """

    def __init__(self, reason: str, *, place: str = "", remedy: str = "") -> None:
        """Keep the three parts apart, so that every front end can lay them out."""
        super().__init__(reason)
        self.place = place
        self.reason = reason
        self.remedy = remedy

    def __str__(self) -> str:
        """One text: place, reason, remedy."""
        text = f"{self.place}: {self.reason}" if self.place else self.reason
        return f"{text}\n  {self.remedy}" if self.remedy else text

    def _render_traceback_(self) -> list[str]:
        """What IPython shows: the place of a user's mistake is not in our code."""
        return [f"{type(self).__name__}: {self}"]


class ExpressionError(InputError):
    """An expression, equation or bound that cannot be read; shows the text with a mark below the column."""

    WINDOW = 72

    def __init__(self, reason: str, text: str, column: int, *, remedy: str = "") -> None:
        """Take the whole text and the column, counted from 1, at which reading failed."""
        super().__init__(reason, place=f"column {column}", remedy=remedy)
        self.text = text
        self.column = column

    def __reduce__(self) -> tuple[type[ExpressionError], tuple[str, str, int], dict[str, object]]:
        """Pickle with all that is needed to build it again: errors travel between processes."""
        return (type(self), (self.reason, self.text, self.column), self.__dict__)

    def __str__(self) -> str:
        """The reason, the part of the text around the column with a caret, the remedy."""
        index = self.column - 1
        begin = max(0, index - self.WINDOW // 2)
        shown = self.text[begin : begin + self.WINDOW]
        window = "".join(character if character.isprintable() else " " for character in shown)
        before = "…" if begin else ""
        after = "…" if begin + self.WINDOW < len(self.text) else ""
        caret = " " * (index - begin + len(before)) + "^"
        lines = [f"{self.place}: {self.reason}", f"  {before}{window}{after}", f"  {caret}"]
        if self.remedy:
            lines += [f"  {line}" for line in self.remedy.splitlines()]
        return "\n".join(lines)


class LimitExceeded(InputError):
    """A computation that was stopped because its stated limit was reached; never a wrong answer."""
