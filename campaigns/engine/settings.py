"""The settings of a campaign: everything that its results depend on, and the file that keeps them."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from importlib.metadata import version
from typing import Any

from campaigns.judging.limits import MEMORY_LIMIT
from campaigns.judging.verdicts import TIME_LIMIT
from campaigns.systems import NO_CORPUS, Corpus, cases_of
from semantics.errors import InputError
from semantics.systems import DEFAULT_SYSTEM, system_of

SCHEMA = "remora/campaign/3"
"""The schema of `campaign.json`, and of the rows of cases beside it."""

REAL_SHARE = 50
"""How many of a hundred cases are made from real traces, where there are some."""

USUAL = ("usual",)
"""In the place of names: those that the system says."""

PACKAGES = ("remora", "pyspark", "pyarrow", "numpy")


@dataclass(frozen=True)
class Settings:
    """What a campaign does.

    Attributes:
        seed: determines the cases, together with their numbers.
        cases: how many there are; they are numbered from 0.
        detectors: the names of the detectors, as the system understands them.
        relations: the names of the relations, one of which is tried on each case besides its meaning; may be empty.
        profiles: how often each profile of cases is used.
        corpus: real traces, from windows of which a share of the cases is made.
        real: that share, in percent.
        seconds: how long a detector may take for one trace.
        memory: how much more memory than at its start a worker may take, in MiB.
        wave: how many cases a full wave has, which has no influence on the results; None to choose by the
            number of processors.
        system: the name of the system whose detectors are judged.
        constants: numbers from the code of the detectors, which some of the cases take as bounds and lengths, as it was
            when the campaign began; None to take them then.
    """

    seed: int = 0
    cases: int = 10_000
    detectors: tuple[str, ...] = USUAL
    relations: tuple[str, ...] = USUAL
    profiles: Mapping[str, int] = field(default_factory=dict)
    corpus: Corpus = NO_CORPUS
    real: int = REAL_SHARE
    seconds: float = TIME_LIMIT
    memory: int = MEMORY_LIMIT
    wave: int | None = None
    system: str = DEFAULT_SYSTEM
    constants: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        """Check the values, bring the weights into the order of the catalogue, and name each detector once.

        Raises:
            InputError: a value makes no sense.
        """
        cases = cases_of(self.system)
        known, profiles = tuple(cases.RELATIONS), self.profiles or cases.PROFILES
        relations = known if self.relations == USUAL else self.relations
        detectors = (cases.DEFAULT_DETECTOR,) if self.detectors == USUAL else self.detectors
        cases.maker(self.seed, profiles, self.corpus, 0)  # refuses profiles that it does not know
        ordered = {name: profiles[name] for name in cases.PROFILES if profiles.get(name)}
        object.__setattr__(self, "profiles", ordered)
        object.__setattr__(self, "detectors", tuple(dict.fromkeys(detectors)))
        unknown = [name for name in relations if name not in known]
        if unknown:
            raise InputError(
                f"no relation is called {unknown[0]!r}", remedy=f"The relations: {', '.join(known)}."
            )
        object.__setattr__(self, "relations", tuple(name for name in known if name in relations))
        if not self.corpus.traces:
            object.__setattr__(self, "corpus", NO_CORPUS)
            object.__setattr__(self, "real", 0)
        if not 0 <= self.real <= 100:
            raise InputError("the share of cases from real traces is a percentage from 0 to 100")
        if not self.detectors:
            raise InputError("a campaign has at least one detector")
        if self.cases < 1:
            raise InputError("a campaign has at least one case", remedy="Ask for 1 or more.")
        if self.seconds <= 0:
            raise InputError("the time limit for a case is more than 0 seconds")
        if self.memory < 1:
            raise InputError("the memory limit is at least 1 MiB")
        if not all(type(number) is int for number in self.constants or ()):
            raise InputError("the constants of a campaign are integers")
        if self.wave is not None and self.wave < 1:
            raise InputError("a wave has at least one case", remedy="Ask for 1 or more.")

    @property
    def campaign(self) -> str:
        """The campaign's id: the same for all settings that yield the same cases and verdicts."""
        # Campaigns were once also judged in groups; those that were not keep the id that they had.
        results = {**self.to_data(), "vectorised": False, "wave": None, "generation": self.generation}
        if self.system == DEFAULT_SYSTEM:
            del results["system"]
        if not self.constants:
            del results["constants"]
        return hashlib.sha256(json.dumps(results, sort_keys=True).encode()).hexdigest()[:16]

    @property
    def generation(self) -> int:
        """The version of the generation of cases."""
        return cases_of(self.system).GENERATION

    def to_data(self) -> dict[str, Any]:
        """As plain data; of the corpus, what stands for it."""
        return {f.name: getattr(self, f.name) for f in fields(self)} | {"corpus": self.corpus.digest}

    def with_constants(self, search_path: Sequence[str]) -> Settings:
        """The settings with the constants of the detectors as their code is at present, unless they have some."""
        if self.constants is not None:
            return self
        system = cases_of(self.system)
        detectors = {name: system.factory(name, search_path) for name in self.detectors}
        return replace(self, constants=system.constants(detectors))

    def difference(self, other: Settings) -> str:
        """In which settings, other than those that a beginning campaign fixes, another one differs; "" if in none."""
        return ", ".join(
            f"{name} {value!r} instead of {other.to_data()[name]!r}"
            for name, value in self.to_data().items()
            if name not in ("wave", "constants") and value != other.to_data()[name]
        )


def settings_to_json(settings: Settings) -> dict[str, Any]:
    """The contents of `campaign.json`: the settings, and with what they were carried out first."""
    return {
        "schema": SCHEMA,
        "campaign": settings.campaign,
        **settings.to_data(),
        "generation": settings.generation,
        "versions": {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}},
    }


def settings_from_json(text: str, place: str, corpus_of: Callable[[str], Corpus]) -> Settings:
    """The settings in the contents of a `campaign.json`.

    Args:
        corpus_of: the campaign's corpus, given the name of its system.

    Raises:
        InputError: it is something else, or made by a version that generates other cases.
    """
    try:
        record = json.loads(text)
        if record["schema"] != SCHEMA:
            raise InputError(f"the schema {record['schema']!r} is not {SCHEMA!r}", place=place)
        if record.get("vectorised"):
            raise InputError(
                "the campaign was judged in groups of traces, which this version does not do",
                place=place,
                remedy="Start a new campaign in another directory.",
            )
        generation = record["generation"]
        record.setdefault("system", DEFAULT_SYSTEM)
        record.setdefault("constants", [])
        corpus = corpus_of(system_of(record["system"]).name)
        values: dict[str, Any] = {f.name: record[f.name] for f in fields(Settings)}
        values |= {name: tuple(values[name]) for name in ("detectors", "relations")}
        if values["constants"] is not None:
            values["constants"] = tuple(values["constants"])
        digest = values.pop("corpus")
        values["corpus"] = corpus
        settings = Settings(**values)
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            "this is not the record of a campaign", place=place, remedy="Name another directory."
        ) from error
    if digest != corpus.digest:
        raise InputError(
            "the corpus of the campaign is missing or another one",
            place=place,
            remedy="Start a new campaign.",
        )
    if generation != settings.generation:
        raise InputError(
            f"the campaign has cases of generation {generation}; this version makes generation {settings.generation}",
            place=place,
            remedy="Start a new campaign in another directory.",
        )
    return settings
