"""The state of evaluators of any system, to be looked at and stored."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

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
        variables: the source's auxiliary variables by name (`l`, `r`, `t`, `q`), which may go on changing.
        stored: how many instances are kept.
        bound: the greatest number that the source allows; ∞ where it states none.
    """

    number: int
    expression: object
    variables: Mapping[str, object]
    stored: int
    bound: float
