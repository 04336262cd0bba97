"""Claims of any system: what is claimed, where it is from, how it should stand; and where a system has its records."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Protocol, TypeVar, cast

from laws.outcomes import TestOutcome
from laws.standings import Standing
from semantics.errors import InputError, nearest
from semantics.systems import DEFAULT_SYSTEM, system_of, systems_in

TIMES = ("int", "real")  # The temporal domains: natural numbers (Def. 3.1), and dense time.


class Claim(Protocol):
    """A claim as every room sees it; each system has records of its own for what it says.

    The condition is the side condition in words, the source where it is stated ("" where that is nowhere), the reading
    its meaning in words, the note a remark about the printed form. `expected` is the standing that a right project
    reaches, `times` are the temporal domains over which it is claimed.
    """

    @property
    def id(self) -> str: ...
    @property
    def system(self) -> str: ...
    @property
    def statement(self) -> str: ...
    @property
    def condition(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def reading(self) -> str: ...
    @property
    def note(self) -> str: ...
    @property
    def expected(self) -> Standing: ...
    @property
    def times(self) -> tuple[str, ...]: ...


ClaimT = TypeVar("ClaimT", bound=Claim)


def stated(claim: Claim) -> str:
    """Statement with its side condition, without which it may be false."""
    return f"{claim.statement}, where {claim.condition}" if claim.condition else claim.statement


def named(names: Iterable[str], known: Sequence[ClaimT]) -> tuple[ClaimT, ...]:
    """The claims with ids among those that are known, or InputError; a number is a law, a name also its parts."""
    found: list[ClaimT] = []
    for name in names:
        wanted = f"law:{name}" if name.isdecimal() else name
        matching = [claim for claim in known if claim.id == wanted or is_part(claim.id, wanted)]
        if not matching:
            whole = {claim.id.rpartition(".")[0] for claim in known} - {"", wanted}
            otherwise = "A conjecture of your own needs ==, <=, [=] or ~=."
            near = nearest(wanted, whole | {claim.id for claim in known}, otherwise)
            raise InputError(f"there is no claim {name!r}", remedy=f"{near} `remora laws list` names them all.")
        found += [claim for claim in matching if claim not in found]
    return tuple(found)


def is_part(claim: str, whole: str) -> bool:
    """Whether a claim is a part of another one: `theorem:4.6.seq` of `theorem:4.6`, which is none of `theorem:4`."""
    return claim.startswith(f"{whole}.") and not whole.rpartition(":")[2].isdecimal()


class LawsOfSystem(Protocol):
    """The records of a system; a module with these functions is one.

    They are the claims that are to be proved, in their order, the false ones that a run of all must refute, and the
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


def false_beside(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """The false claims of the same systems that have between them each sign that they share with the claims.

    First those that are searched for a counterexample, then those of which each way to a proof is asked alone.
    """
    found: dict[str, Claim] = {}
    for claim, alone in product(claims, (False, True)):
        due = _signs(claim)
        for false in laws_of(claim.system).canaries():
            if getattr(false, "alone", False) is alone and due & _signs(false):
                found[false.id], due = false, due - _signs(false)
    return tuple(found.values())


def _signs(claim: Claim) -> set[str]:
    """The signs of operators and relations in a statement; "" is in all."""
    return {"", *re.findall(r"\[=\]|[^A-Za-z0-9 (),.]|max|min", claim.statement)}


def find(names: Iterable[str]) -> tuple[Claim, ...]:
    """The claims with the given ids (`named`), of whichever system; InputError if there is none."""
    return named(names, (*every_claim(), *every_false_claim()))
