"""The settings of a campaign, everything that its results depend on; and the directory that keeps them."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from campaigns.choices import Source
from campaigns.judging.isolation import MEMORY_LIMIT
from campaigns.judging.verdicts import TIME_LIMIT
from campaigns.systems import NO_CORPUS, AnyCase, AnyCorpus, cases_of
from semantics.atomic_files import write_text
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
    """Settings of a campaign.

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
    corpus: AnyCorpus = NO_CORPUS
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
            raise InputError(f"no relation is called {unknown[0]!r}", remedy=f"The relations: {', '.join(known)}.")
        object.__setattr__(self, "relations", tuple(name for name in known if name in relations))
        if not self.corpus.traces:
            object.__setattr__(self, "corpus", NO_CORPUS)
            object.__setattr__(self, "real", 0)
        for is_right, reason in (
            (0 <= self.real <= 100, "the share of cases from real traces is a percentage from 0 to 100"),
            (self.detectors, "a campaign has at least one detector"),
            (self.cases >= 1, "a campaign has at least one case"),
            (self.seconds > 0, "the time limit for a case is more than 0 seconds"),
            (self.memory >= 1, "the memory limit is at least 1 MiB"),
            (all(type(number) is int for number in self.constants or ()), "the constants of a campaign are integers"),
            (self.wave is None or self.wave >= 1, "a wave has at least one case"),
        ):
            if not is_right:
                raise InputError(reason, remedy="Choose another value.")

    @property
    def campaign(self) -> str:
        """The campaign's id: the same for all settings that yield the same cases and verdicts."""
        # `vectorised` belongs to the ids of all campaigns that are stored.
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
        """Settings as plain data, with the hash of the corpus in its place."""
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


def maker_of(settings: Settings) -> Callable[[int], AnyCase]:
    """The function from numbers to the cases of a campaign."""
    made = cases_of(settings.system)
    return made.maker(settings.seed, settings.profiles, settings.corpus, settings.real, settings.constants or ())


def relation_of(settings: Settings, number: int) -> str:
    """The relation that is tried on a case; "" for none."""
    if not settings.relations:
        return ""
    source = Source(f"{settings.seed}:{number}:which relation")
    return settings.relations[source.below(len(settings.relations))]


def settings_to_json(settings: Settings) -> dict[str, Any]:
    """The contents of `campaign.json`: the settings, and the versions with which they were first carried out."""
    return {
        "schema": SCHEMA,
        "campaign": settings.campaign,
        **settings.to_data(),
        "generation": settings.generation,
        "versions": {"python": platform.python_version(), **{name: version(name) for name in PACKAGES}},
    }


def settings_from_json(text: str, place: str, corpus_of: Callable[[str], AnyCorpus]) -> Settings:
    """The settings in the contents of a `campaign.json`.

    Args:
        corpus_of: the campaign's corpus, given the name of its system.

    Raises:
        InputError: it is something else, or made by a version that generates other cases.
    """
    anew = "Start a new campaign in another directory."
    try:
        record = json.loads(text)
        if record["schema"] != SCHEMA:
            raise InputError(f"the schema {record['schema']!r} is not {SCHEMA!r}", place=place, remedy=anew)
        if record.get("vectorised"):
            raise InputError("its cases were judged in groups of traces", place=place, remedy=anew)
        generation = record["generation"]
        record = {"system": DEFAULT_SYSTEM, "constants": [], **record}
        corpus = corpus_of(system_of(record["system"]).name)
        values: dict[str, Any] = {f.name: record[f.name] for f in fields(Settings)}
        for name in ("detectors", "relations", "constants"):
            values[name] = None if values[name] is None else tuple(values[name])
        digest = values.pop("corpus")
        settings = Settings(**values, corpus=corpus)
    except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            "this is not the record of a campaign", place=place, remedy="Name another directory."
        ) from error
    if digest != corpus.digest:
        raise InputError(
            "the corpus of the campaign is missing or another one", place=place, remedy="Start a new campaign."
        )
    if generation != settings.generation:
        reason = f"the campaign has cases of generation {generation}; this version makes generation"
        raise InputError(f"{reason} {settings.generation}", place=place, remedy=anew)
    return settings


# ------------------------------------------------------------------------------------------------- the directory


@dataclass(frozen=True)
class CampaignDirectory:
    """A campaign: `campaign.json`, `cases/wave=k/*.parquet`, `summary.json`, `regressions/*.json`."""

    path: Path

    @property
    def record(self) -> Path:
        """The file with the settings."""
        return self.path / "campaign.json"

    @property
    def summary(self) -> Path:
        """The file with the results in short."""
        return self.path / "summary.json"

    @property
    def corpus(self) -> Path:
        """The file with the real traces that cases are made from, if there are any."""
        return self.path / "corpus.parquet"

    @property
    def regressions(self) -> Path:
        """The folder with the failures that were found, made small, as regressions."""
        return self.path / "regressions"

    def wave(self, number: int) -> Path:
        """The folder with the rows of one wave."""
        return self.path / "cases" / f"wave={number}"

    def settings(self) -> Settings:
        """The settings of the campaign that is here.

        Raises:
            InputError: there is none, or one of another version.
        """
        try:
            text = self.record.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(
                "there is no campaign here", place=str(self.path), remedy="It has no readable campaign.json."
            ) from error
        return settings_from_json(text, str(self.record), lambda name: cases_of(name).load_corpus(self.corpus))

    def adopt(self, settings: Settings) -> Settings:
        """The settings to go on with here: those given, with the waves and constants of a campaign that was begun.

        Raises:
            InputError: something else is here, or a campaign with other settings.
        """
        if not self.path.exists() or (self.path.is_dir() and not any(self.path.iterdir())):
            return settings
        if not self.record.is_file():
            raise InputError(
                "this is not empty and not a campaign", place=str(self.path), remedy="Name another directory."
            )
        found = self.settings()
        difference = found.difference(settings)
        if difference:
            raise InputError(
                f"the campaign here has other settings: {difference}",
                place=str(self.path),
                remedy="Name another directory for a new campaign, or resume this one with its own settings.",
            )
        return replace(settings, wave=found.wave, constants=found.constants)

    def write_settings(self, settings: Settings) -> None:
        """Write `campaign.json`, unless it is there."""
        if not self.record.exists():
            self.path.mkdir(parents=True, exist_ok=True)
            if settings.corpus.traces:
                cases_of(settings.system).write_corpus(self.corpus, settings.corpus)
            write_json(self.record, settings_to_json(settings))


def write_json(path: Path, contents: Mapping[str, Any]) -> None:
    """Write a file as a whole or not at all."""
    write_text(path, json.dumps(contents, indent=2, ensure_ascii=False) + "\n")
