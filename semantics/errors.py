"""What a user can get wrong: errors that say where, what it is and what to do about it; names that nothing has."""

from __future__ import annotations

import difflib
import json
import re
import sys
import unicodedata
from collections.abc import Collection, Iterable

from semantics.events import quoted

FEW = 8  # event types are listed where none of them is in the pattern


class InputError(ValueError):
    """Something the user wrote is not acceptable: where it is, the reason, and a remedy; "" where there is none."""

    def __init__(self, reason: str, *, place: str = "", remedy: str = "") -> None:
        super().__init__(reason)
        self.place, self.reason, self.remedy = place, reason, remedy

    def __str__(self) -> str:
        text = f"{self.place}: {self.reason}" if self.place else self.reason
        return f"{text}\n  {self.remedy}" if self.remedy else text

    def _render_traceback_(self) -> list[str]:
        """What IPython shows: the place of a user's mistake is not in our code."""
        return [f"{type(self).__name__}: {self}"]


def nearest(wrong: str, known: Iterable[str], otherwise: str) -> str:
    """The remedy for a name that is none: the known one that is most like it, or what is said where none is."""
    near = difflib.get_close_matches(wrong, sorted(known), 1)
    return f"Did you mean {near[0]}?" if near else otherwise


def unknown_events(expression_identifiers: Iterable[str], seen: Collection[str], place: str = "the trace") -> list[str]:
    """A message for each identifier that never occurs in a trace, with the name that was probably meant.

    Where none does, one more tells which event types there are. The place is less than the trace where that was not
    read to its end.
    """

    def usual(name: str) -> str:
        return unicodedata.normalize("NFKC", name)

    asked, messages, close = set(expression_identifiers), [], False
    meant = {part: name for name in sorted(seen) for part in re.split(r"\W+", name)}
    meant |= {usual(name).lower(): name for name in sorted(seen)}
    for name in sorted(asked.difference(seen)):
        near = difflib.get_close_matches(usual(name).lower(), meant, n=1)
        close = close or bool(near)
        likely = meant[near[0]] if near else ""
        told = json.dumps(likely) if usual(likely) == usual(name) else quoted(likely)  # they would look the same
        hint = f"; did you mean {told}?" if near else ""
        messages.append(f"{quoted(name)} never occurs in {place}{hint}")
    if asked and not seen:
        return [f"{place} has no rows"]
    if len(messages) == len(asked) and not close:
        few = ", ".join(map(quoted, sorted(seen)[:FEW]))
        more = f", and {len(seen) - FEW:,} more" if len(seen) > FEW else ""
        messages.append(f"the event types of {place} are {few}{more}")
    return messages


def require_few_digits(text: str) -> None:
    """Refuse a number with more digits than Python converts."""
    digits = max(map(len, re.findall(r"[0-9]+", text)), default=0)
    if digits > sys.get_int_max_str_digits() > 0:
        raise InputError(f"a number has {digits:,} digits", remedy="Write a smaller one.")


class ExpressionError(InputError):
    """An expression, equation or bound that cannot be read; shows the text with a mark below the column."""

    WINDOW = 72

    def __init__(self, reason: str, text: str, column: int, *, remedy: str = "") -> None:
        super().__init__(reason, place=f"column {column}", remedy=remedy)
        self.text, self.column = text, column

    def __reduce__(self) -> tuple[type[ExpressionError], tuple[str, str, int], dict[str, object]]:
        # errors travel between processes
        return (type(self), (self.reason, self.text, self.column), self.__dict__)

    def __str__(self) -> str:
        index = self.column - 1
        begin = max(0, index - self.WINDOW // 2)
        part = self.text[begin : begin + self.WINDOW]
        window = "".join(character if character.isprintable() else " " for character in part)
        before = "…" if begin else ""
        after = "…" if begin + self.WINDOW < len(self.text) else ""
        caret = " " * (index - begin + len(before)) + "^"
        shown = [f"{before}{window}{after}", caret, *self.remedy.splitlines()]
        return "\n  ".join([f"{self.place}: {self.reason}", *shown])


class LimitExceeded(InputError):
    """A computation that was stopped because its stated limit was reached; never a wrong answer."""


class EnginesDisagree(Exception):
    """The automata found a difference that the executable semantics does not confirm; a defect of the project."""
