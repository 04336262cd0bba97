"""Protocol of a system in the proofs: how each of its claims is proved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, cast

from laws.claims import Claim
from semantics.systems import system_of
from smt.attempts import Provable


class ProofsOfSystem(Protocol):
    """The proofs of a system; a module with these functions is one."""

    def provable(self, claim: Claim) -> Provable:
        """The obligations of a claim of the system, and what refutes it."""

    def kernel(self) -> Mapping[str, str]:
        """The claims that a kernel has checked, each with why that does not count any more, or ""."""


def provable_of(claim: Claim) -> Provable:
    """The obligations of any claim."""
    return cast(ProofsOfSystem, system_of(claim.system).module("proofs")).provable(claim)


def kernel_of(system: str) -> Mapping[str, str]:
    """What a kernel has checked of a system's claims; see `ProofsOfSystem.kernel`."""
    return cast(ProofsOfSystem, system_of(system).module("proofs")).kernel()
