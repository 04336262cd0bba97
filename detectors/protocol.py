"""The state of evaluators of any system, to be looked at and stored."""

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"  # What JSON can say

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


COMMAND = "command:"  # The beginning of the name of a detector that is a program
FORMS = ".toml"  # The end of the name of a file that declares one


def is_program(name: str) -> bool:
    """Whether the name of a detector is that of a program."""
    return name.startswith(COMMAND) or name.endswith(FORMS)


class ProcessFailed(Exception):
    """A program that gave no answer to a case; the text says which, and how."""


class ProcessSlow(ProcessFailed):
    """A program that did not answer in time, which is not yet wrong."""
