"""The protocol of a system in this room: its claims, as records."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, cast

from laws.claims import Claim, named
from laws.outcomes import TestOutcome
from semantics.systems import DEFAULT_SYSTEM, system_of, systems_in


class LawsOfSystem(Protocol):
    """The records of a system; a module with these functions is one.

    They are the claims that are to be proved, in their order, the false ones that every run must refute, and the
    executable checks of a claim; none where only a proof says something of it.
    """

    def everything(self) -> Sequence[Claim]: ...
    def canaries(self) -> Sequence[Claim]: ...
    def check(self, claim: Claim, *, examples: int, seed_number: int) -> Iterator[TestOutcome]: ...


def laws_of(system: str = DEFAULT_SYSTEM) -> LawsOfSystem:
    """The records of a system; InputError if there is none."""
    return cast(LawsOfSystem, system_of(system).module("laws"))


def every_claim() -> tuple[Claim, ...]:
    """The claims of all systems, in the order of the registry."""
    return tuple(claim for name in systems_in("laws") for claim in laws_of(name).everything())


def every_false_claim() -> tuple[Claim, ...]:
    """The false claims of all systems, in the order of the registry."""
    return tuple(claim for name in systems_in("laws") for claim in laws_of(name).canaries())


def find(names: Iterable[str]) -> tuple[Claim, ...]:
    """The claims with the given ids (`laws.claims.named`), of whichever system; InputError if there is none."""
    return named(names, (*every_claim(), *every_false_claim()))
