"""How much a verification does: quick, standard, full."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Effort:
    """How much a verification does.

    Attributes:
        name: how it is asked for.
        examples: random cases of each kind per claim.
        cases: cases of the campaign.
        variants: reorderings and renamings of each obligation that are asked as well.
        rules: random cases for the engines of rules, and for that of profiles.
        sabotages: how many sabotages of the verifier are tried, chosen by the seed; None for all of them.
        throughput: whether speeds are measured, beside other tools where they are installed.
        expected: the usual seconds of each stage, for the estimate of the remaining time.
    """

    name: str
    examples: int
    cases: int
    variants: int
    rules: int
    sabotages: int | None
    throughput: bool
    expected: dict[str, float] = field(default_factory=dict)


_FIXED = {
    "proofs": 9.0,
    "conclusions of proofs": 6.0,
    "canaries": 2.0,
    "conclusions of canaries": 0.5,
    "dense time": 9.0,
    "conclusions of dense time": 3.0,
    "neighbours": 13.0,
    "altered definitions": 6.0,
    "needed axioms": 10.0,
    "self-checks": 17.0,
    "detection": 0.5,
    "rules": 5.0,
    "profiles": 4.0,
    "mutants": 5.0,
}

_THROUGHPUT = {"throughput": 60.0, "scaling": 20.0}

QUICK = Effort(
    "quick",
    5,
    300,
    2,
    60,
    5,
    False,
    {**_FIXED, "stability": 12.0, "tests": 4.0, "campaign": 38.0, "sabotages": 8.0},
)
STANDARD = Effort(
    "standard",
    50,
    2_000,
    20,
    400,
    20,
    True,
    {**_FIXED, **_THROUGHPUT, "stability": 60.0, "tests": 30.0, "campaign": 90.0, "sabotages": 30.0},
)
FULL = Effort(
    "full",
    500,
    30_000,
    20,
    6_000,
    None,
    True,
    {**_FIXED, **_THROUGHPUT, "stability": 60.0, "tests": 250.0, "campaign": 1200.0, "sabotages": 400.0},
)
