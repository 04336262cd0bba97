"""Cases beyond the usual sizes: durations, and numbers of events, at which code may be wrong (`campaigns.lengths`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from campaigns.bry_eckert.cases import PROFILES, Profile
from campaigns.choices import Weights
from campaigns.lengths import Kind, Lengths


def _lasting(length: int) -> Profile:
    return replace(PROFILES["plain"], events=14, unit=length)


def _crowded(length: int) -> Profile:
    return replace(PROFILES["windows"], rules=1, third=0, events=length + 20, span=2 * length)


BEYOND: Mapping[str, Kind[Profile]] = MappingProxyType(
    {
        "lasting": Kind(2, Lengths(14, 300, 10**15, Weights((-1, 0, 0, 0, 1))), _lasting),
        "crowded": Kind(1, Lengths(16, 60, 160, Weights((0, 1, 10))), _crowded),
    }
)
"""The kinds by name: all durations about one length, and about so many events."""
