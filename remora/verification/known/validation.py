"""Texts that were made for a pattern, right and wrong ones: which of them translation validation takes."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from detectors.carlson_lisper.generated.figure3 import Figure3
from detectors.carlson_lisper.generated.start_detector import Generated
from remora.verification.known.answers import Checks, Row
from semantics.carlson_lisper.expressions import Expression
from semantics.carlson_lisper.syntax import parse
from smt.carlson_lisper.validation.validating import LARGEST, validate, validated
from smt.solvers.solver import Answer

_ROWS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))

WRONG_STARTS, SAME_STARTS, WRONG_INSTANCES = (
    tuple(map(tuple, _ROWS[name])) for name in ("starts", "same", "instances")
)
"""Patterns, what stands in the text that is made for each, and what takes its place."""


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
        return self.text, self.given


checks = Checks()


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
    for pattern in ("a | (b ; c)", "(a | (b ; c)) ; d", "(a ; b) ; (b ; c)"):
        for instances in (False, True):
            yield f"the text for {pattern}", _holds(pattern, *made(pattern, instances=instances)), True
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
