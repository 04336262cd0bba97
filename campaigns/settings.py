"""The settings of a campaign: everything that its results depend on, and the file that keeps them."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from importlib.metadata import version
from typing import Any

from campaigns.cases import GENERATION
from campaigns.judge import TIME_LIMIT
from campaigns.profiles import DEFAULT_WEIGHTS, PROFILES, profile_weights
from detectors.catalogue import DEFAULT_DETECTOR
from semantics.errors import InputError

SCHEMA = "remora/campaign/2"
"""The schema of `campaign.json`, and of the rows of cases beside it."""

PACKAGES = ("remora", "pyspark", "pyarrow", "numpy")


@dataclass(frozen=True)
class Settings:
    """What a campaign does.

    Attributes:
        seed: determines the cases, together with their numbers.
        cases: how many there are; they are numbered from 0.
        detector: the name of the detector, as `campaigns.loading.detector_factory` understands it.
        profiles: how often each profile of cases is used.
        seconds: how long the detector may take for one case.
        wave: how many cases a full wave has, which has no influence on the results; None to choose by the
            number of processors.
    """

    seed: int = 0
    cases: int = 10_000
    detector: str = DEFAULT_DETECTOR
    profiles: Mapping[str, int] = field(default_factory=lambda: dict(DEFAULT_WEIGHTS))
    seconds: float = TIME_LIMIT
    wave: int | None = None

    def __post_init__(self) -> None:
        """Check the values and bring the weights into the order of the catalogue.

        Raises:
            InputError: a value makes no sense.
        """
        profile_weights(self.profiles)
        ordered = {name: self.profiles[name] for name in PROFILES if self.profiles.get(name)}
        object.__setattr__(self, "profiles", ordered)
        if self.cases < 1:
            raise InputError("a campaign has at least one case")
        if self.seconds <= 0:
            raise InputError("the time limit for a case is more than 0 seconds")
        if self.wave is not None and self.wave < 1:
            raise InputError("a wave has at least one case")

    @property
    def campaign(self) -> str:
        """The campaign's id: the same for all settings that yield the same cases and verdicts."""
        results = {**asdict(self), "wave": None, "generation": GENERATION}
        return hashlib.sha256(json.dumps(results, sort_keys=True).encode()).hexdigest()[:16]

    def difference(self, other: Settings) -> str:
        """In which settings, other than the size of waves, another campaign differs; "" if in none."""
        return ", ".join(
            f"{f.name} {getattr(self, f.name)!r} instead of {getattr(other, f.name)!r}"
            for f in fields(self)
            if f.name != "wave" and getattr(self, f.name) != getattr(other, f.name)
        )


def settings_to_json(settings: Settings) -> dict[str, Any]:
    """The contents of `campaign.json`: the settings, and with what they were carried out first."""
    return {
        "schema": SCHEMA,
        "campaign": settings.campaign,
        **asdict(settings),
        "generation": GENERATION,
        "versions": {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}},
    }


def settings_from_json(text: str, place: str) -> Settings:
    """The settings in the contents of a `campaign.json`.

    Args:
        text: the contents.
        place: where they are from, for errors.

    Raises:
        InputError: it is something else, or made by a version that generates other cases.
    """
    try:
        record = json.loads(text)
        if record["schema"] != SCHEMA:
            raise InputError(f"the schema {record['schema']!r} is not {SCHEMA!r}", place=place)
        generation = record["generation"]
        settings = Settings(**{f.name: record[f.name] for f in fields(Settings)})
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            "this is not the record of a campaign", place=place, remedy="Name another directory."
        ) from error
    if generation != GENERATION:
        raise InputError(
            f"the campaign has cases of generation {generation}; this version makes generation {GENERATION}",
            place=place,
            remedy="Start a new campaign in another directory.",
        )
    return settings
