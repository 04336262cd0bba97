"""Protocol of a system in the proofs: how each of its claims is proved."""

from __future__ import annotations

from typing import Protocol, cast

from laws.claims import Claim
from semantics.systems import system_of
from smt.attempts import Provable


class ProofsOfSystem(Protocol):
    """The proofs of a system; a module with this function is one."""

    def provable(self, claim: Claim) -> Provable:
        """The obligations of a claim of the system, and what refutes it."""


def provable_of(claim: Claim) -> Provable:
    """The obligations of any claim."""
    return cast(ProofsOfSystem, system_of(claim.system).module("proofs")).provable(claim)
