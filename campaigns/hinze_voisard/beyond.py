"""Cases beyond the usual sizes: durations, and numbers of events, at which code may be wrong (`campaigns.lengths`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from campaigns.choices import Weights
from campaigns.hinze_voisard.cases import LIKENESSES, Likeness
from campaigns.lengths import Kind, Lengths


def _lasting(length: int) -> Likeness:
    return replace(LIKENESSES["plain"], unit=length, timed=0)


def _crowded(length: int) -> Likeness:
    return replace(LIKENESSES["long"], events=length + length // 3, least=length, most=length)


BEYOND: Mapping[str, Kind[Likeness]] = MappingProxyType(
    {
        "lasting": Kind(2, Lengths(14, 300, 10**15, Weights((-1, 0, 0, 0, 1))), _lasting),
        "crowded": Kind(1, Lengths(16, 60, 160, Weights((0, 1, 10))), _crowded),
    }
)
"""The kinds by name: all durations about one length; about so many events, and selections that count so far."""
