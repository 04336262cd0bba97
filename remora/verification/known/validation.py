"""Texts that were made for a pattern, right and wrong ones: which of them translation validation takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from detectors.carlson_lisper.generated.figure3 import Figure3
from detectors.carlson_lisper.generated.start_detector import Generated
from remora.verification.known.answers import Checks, Row
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse
from smt.carlson_lisper.validation.validating import LARGEST, validate, validated
from smt.solvers.solver import Answer

WRONG_STARTS = (
    ("a ; (b ; c)", "t4_5 = t5", "t4_5 = -1"),
    ("a ; (b ; c)", "t5 = time", "t4 = time"),
    ("(a ; b)[3] - c", "<= 3", "<= 4"),
    ("(a ; b)[3] - c", "letter & 4", "letter & 2"),
    ("a + b", "letter & 1", "letter & 3"),
    ("a + b", "time <= now", "time < now"),
    ("a ; b", "now = time", "now = now"),
    ("a ; b", "raise not_later(time, now)", "pass"),
    ("((a ; b)[2] - c) ; a", "<= 2", "<= 3"),
    ("a | b", "time if letter & 3 else -1", "time if not letter & 3 else -1"),
    ("a | b", "time if letter & 3 else -1", "time if letter & 1 or letter & 1 else -1"),
    ("a | b", "time if letter & 3 else -1", "time if letter & 1 and letter & 2 else -1"),
    ("a | b", "a3 = time", "a3 = min(time, 7)"),
    ("a + b", "                a3 = r3", "                a3 = r3\n                r3 = -1"),
    ("a ; b", "t3 = time", "t3 = time\n" + "        now = time\n" * 12 + "        t3 = -1"),
)
"""Patterns, what stands in the text for starts, and what makes it wrong."""

SAME_STARTS = (
    ("a | b", "letter & 3", "letter & 1 or letter & 2"),
    ("a | b", "time if letter & 3 else -1", "-1 if not letter & 3 else time"),
    ("a | b", "a3 = time if", "a3 = max(time, 0) if"),
    ("a | b", "a3 = time if", "a3 = min(time, time) if"),
)
"""Changes of such texts that make them do the same."""

WRONG_INSTANCES = (
    ("a + b", "l3 = a1", "l3 = a2"),
    ("a - b", "t3 = a2.start", "t3 = a2.end - 1"),
    ("a ; b", "q3.push(a1)", "q3.push(a2)"),
    ("a ; b", "t3 < a1.start", "t3 <= a1.start"),
    ("a | b", "a1.start <= a2.start", "a1.start < a2.start"),
    ("a - b", "'b' in occurrences", "'a' in occurrences"),
    ("a | b", "return a3", "return a1"),
    ("a ; (b ; c)[5000]", "now6 - 5000", "now6 - 4999"),
    ("a ; (b ; c)[5000]", "l6 = evicted6", "l6 = a1"),
    ("((a ; b)[2] - c) ; a", "<= 2", "<= 3"),
    ("(B ; B)[20] - (P ; (P + T))", "q8.push(a4)", "q8.push(a5)"),
    ("a + b", "l3.start < 0 or r3.start < 0 or", "l3.start < 0 or"),
    ("a + b", "(a1.start < 0 and a2.start < 0)", "not (a1.start < 0 and a2.start < 0)"),
)
"""The same of the text for whole instances."""


class GivesUp:
    """A solver that knows nothing."""

    name = "nobody"

    def check(self, text: str, *, rlimit: int, seed: int = 0) -> Answer:
        """No answer."""
        return Answer("unknown", self.name, 0.0, 0, "it gave up")


@dataclass
class _Made:
    """A detector of which the text and the values with which it begins are given."""

    expression: Expression
    text: str
    given: Mapping[str, object]

    def made(self) -> tuple[str, Mapping[str, object]]:
        """They."""
        return self.text, self.given


checks = Checks()
"""The checks of this module."""


@checks.known("validation", "a text that was made for a pattern is validated if it is right, and no other")
def _rows() -> Iterator[Row]:
    for wrong, instances in ((WRONG_STARTS, False), (WRONG_INSTANCES, True)):
        for pattern, before, after in wrong:
            text, given = made(pattern, instances=instances)
            yield f"the text for {pattern}", _holds(pattern, text, given), True
            yield f"{before!r} in the text for {pattern}", before in text, True
            yield f"{after!r} for {pattern}", _holds(pattern, text.replace(before, after), given), False
        for pattern in ("a - b", "a ; b"):
            text, given = made(pattern, instances=instances)
            other = {name: 7 if type(value) is int else value for name, value in given.items()}
            yield f"another beginning of {pattern}", _holds(pattern, text, other), False
    for pattern, before, after in SAME_STARTS:
        text, given = made(pattern, instances=False)
        yield f"{after!r} for {pattern}", _holds(pattern, text.replace(before, after), given), True
    large = parse(" | ".join(["a"] * (LARGEST + 1)))
    yield "a pattern that is too large", validate(Generated(large)).outcome, "not validated"
    text, given = made("a ; b", instances=False)
    for title, first, right in (
        ("as it is", given, True),
        ("with another beginning", dict.fromkeys(given, 7), False),
    ):
        yield f"the text for a ; b {title}", validate(_Made(parse("a ; b"), text, first)).holds, right
    yield "a solver that gives up", validated(parse("a ; b"), text, given, GivesUp()).holds, False


def made(pattern: str, *, instances: bool) -> tuple[str, Mapping[str, Any]]:
    """The text for a pattern, and the values with which it begins."""
    detector = Figure3(parse(pattern)) if instances else Generated(parse(pattern))
    return detector.made()


def _holds(pattern: str, text: str, given: Mapping[str, object]) -> bool:
    return validated(parse(pattern), text, given).holds
