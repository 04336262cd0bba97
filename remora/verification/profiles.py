"""Verification of profiles: those of the source, the atlas, the engine judged by random cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from detectors.hinze_voisard.catalogue import DEFAULT_DETECTOR
from proofs.atlas.record import recorded
from remora.examples import PROFILES
from remora.systems.hinze_voisard import explained, read_profiles
from remora.verification.engines import judged_engines
from semantics.settings.catalogue import SETTINGS

ENGINES = (DEFAULT_DETECTOR,)


def verified_profiles(cases: int, seed: int, advance: Callable[[str, int], object]) -> dict[str, Any]:
    """The profiles of the source, counts of the committed atlas, and judgements, as plain data."""
    file = read_profiles(PROFILES)
    counts: dict[str, Counter[str]] = {}
    for cell in recorded().values():
        counts.setdefault(SETTINGS[cell.setting].family, Counter())[cell.standing] += 1
    systems = Counter(setting.family for setting in SETTINGS.values())
    return {
        "profiles": [explained(file, one.name) for one in file.profiles],
        "atlas": [
            {"family": family, "systems": systems[family], "cells": dict(sorted(found.items()))}
            for family, found in counts.items()
        ],
        "cases": judged_engines("hinze_voisard", ENGINES, cases, seed, advance),
    }
