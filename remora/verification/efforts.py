"""Efforts of a verification: how much each does, and how long it usually takes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Effort:
    """How much a verification does.

    Attributes:
        name: how it is asked for.
        examples: random cases of each kind per claim.
        cases: cases of the campaign.
        engines: random cases for the engines of rules, and for that of profiles.
        certificates: how many recorded certificates are made anew, chosen by the seed; None for all of them.
        throughput: whether speeds are measured, beside other tools where they are installed.
        usual: how long it takes on two cores, in words.
    """

    name: str
    examples: int
    cases: int
    engines: int
    certificates: int | None
    throughput: bool
    usual: str


QUICK = Effort("quick", 5, 200, 60, 3, False, "three minutes")
STANDARD = Effort("standard", 50, 2_000, 400, 10, True, "six minutes")
FULL = Effort("full", 500, 30_000, 6_000, None, True, "an hour")
