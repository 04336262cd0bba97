"""Claims of any system: what is claimed, where it is from, and how it should stand."""

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from laws.standings import Standing
from semantics.errors import InputError

TIMES = ("int", "real")
"""The temporal domains: natural numbers (Def. 3.1), and dense time."""


class Claim(Protocol):
    """A claim as every room sees it; each system has records of its own for what it says."""

    @property
    def id(self) -> str:
        """Its name, such as `law:14`."""

    @property
    def system(self) -> str:
        """The name of the system that it is about."""

    @property
    def statement(self) -> str:
        """Statement as text."""

    @property
    def condition(self) -> str:
        """The side condition in words; "" where there is none."""

    @property
    def source(self) -> str:
        """Where the source states it; "" for what the source does not state."""

    @property
    def reading(self) -> str:
        """Meaning in words."""

    @property
    def note(self) -> str:
        """Remark about the printed form."""

    @property
    def expected(self) -> Standing:
        """The standing that a right project reaches."""

    @property
    def times(self) -> tuple[str, ...]:
        """The temporal domains over which it is claimed."""


ClaimT = TypeVar("ClaimT", bound=Claim)


def stated(claim: Claim) -> str:
    """Statement with its side condition, without which it may be false."""
    return f"{claim.statement}, where {claim.condition}" if claim.condition else claim.statement


def named(names: Iterable[str], known: Sequence[ClaimT]) -> tuple[ClaimT, ...]:
    """The claims with the given ids among those that are known; a bare number is a law, `theorem:4.6` all its parts.

    Raises:
        InputError: there is no such claim.
    """
    found: list[ClaimT] = []
    for name in names:
        wanted = f"law:{name}" if name.isdecimal() else name
        matching = [claim for claim in known if claim.id == wanted or is_part(claim.id, wanted)]
        if not matching:
            raise InputError(
                f"there is no claim {name!r}",
                remedy="`remora laws list` names them all; a conjecture of your own needs ==, <= or ~=.",
            )
        found += [claim for claim in matching if claim not in found]
    return tuple(found)


def is_part(claim: str, whole: str) -> bool:
    """Whether a claim is a part of another one: `theorem:4.6.seq` is one of `theorem:4.6`."""
    return "." in whole and claim.startswith(f"{whole}.")
