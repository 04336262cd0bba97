"""Evaluators of any system: one step per instant with events, and a state that can be looked at and stored."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol, TypeAlias, TypeVar

from semantics.events import Time

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
"""What JSON can say."""

Snapshot: TypeAlias = Mapping[str, Json]
"""The state of a detector as plain data, to be stored as JSON and restored by any process.

Those of this project say as `schema` and `expression` what they are, and as `now` the time of the last instant.
"""


class NodeState(NamedTuple):
    """What a detector remembers for one subexpression.

    Attributes:
        number: the subexpression's number i, counted bottom-up from 1.
        expression: the subexpression Eⁱ; its text is shown.
        variables: the source's auxiliary variables by name (`l`, `r`, `t`, `q`), as text for people.
        stored: how many instances are kept.
        bound: the greatest number that the source allows; ∞ where it states none.
    """

    number: int
    expression: object
    variables: Mapping[str, str]
    stored: int
    bound: float


GivenT = TypeVar("GivenT", contravariant=True)
FoundT = TypeVar("FoundT", covariant=True)


class Evaluator(Protocol[GivenT, FoundT]):
    """Says what ends at an instant, while time goes on.

    `step` is called once for each instant at which something occurs, in strictly increasing order of time. Evaluators
    have nothing in common that changes: what one is fed says nothing to another one, of the same expression or not.
    """

    def step(self, time: Time, given: GivenT, /) -> FoundT:
        """What ends at an instant, given what occurs at it, in the form that the system has for both."""

    def state(self) -> tuple[NodeState, ...]:
        """What is remembered now, by subexpression."""
