"""Settings of a campaign, everything that its results depend on; and the directory that keeps them."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from campaigns.judging.isolation import MEMORY_LIMIT
from campaigns.judging.verdicts import TIME_LIMIT
from campaigns.systems import NO_CORPUS, Factory, cases_of
from semantics.atomic_files import write_text
from semantics.errors import InputError
from semantics.systems import DEFAULT_SYSTEM, system_of

SCHEMA = "remora/campaign/3"  # The schema of `campaign.json`, and of the rows of cases beside it
REAL_SHARE = 50  # How many of a hundred cases are made from real traces, where there are some
USUAL = ("usual",)  # In the place of names: those that the system says


@dataclass(frozen=True)
class Settings:
    """Settings of a campaign; the weights of its profiles are put into the order of the catalogue."""

    seed: int = 0  # determines the cases, together with their numbers, which begin at 0
    cases: int = 10_000
    detectors: tuple[str, ...] = USUAL
    relations: tuple[str, ...] = USUAL  # one of these is tried on each case besides its meaning; may be empty
    profiles: Mapping[str, int] = field(default_factory=dict)  # how often each profile of cases is used
    corpus: Any = NO_CORPUS  # real traces, from windows of which `real` percent of the cases are made
    real: int = REAL_SHARE
    seconds: float = TIME_LIMIT  # how long a detector may take for one trace
    memory: int = MEMORY_LIMIT  # how many MiB a worker may take besides
    wave: int | None = None  # how many cases a full wave has, whatever the results; None: by the number of processors
    system: str = DEFAULT_SYSTEM
    constants: tuple[int, ...] | None = None  # numbers from the code of the detectors; None to take them at the begin

    def __post_init__(self) -> None:
        """Check the values, and name each detector once; `InputError` where a value makes no sense."""
        cases = cases_of(self.system)
        known, profiles = tuple(cases.RELATIONS), self.profiles or cases.PROFILES
        relations = known if self.relations == USUAL else self.relations
        detectors = (cases.DEFAULT_DETECTOR,) if self.detectors == USUAL else self.detectors
        cases.maker(self.seed, profiles, self.corpus, 0)  # refuses profiles that it does not know
        unknown = [name for name in relations if name not in known]
        if unknown:
            raise InputError(f"no relation is called {unknown[0]!r}", remedy=f"The relations: {', '.join(known)}.")
        values = {
            "profiles": {name: profiles[name] for name in cases.PROFILES if profiles.get(name)},
            "detectors": tuple(dict.fromkeys(detectors)),
            "relations": tuple(name for name in known if name in relations),
        }
        without = {} if self.corpus.traces else {"corpus": NO_CORPUS, "real": 0}
        for name, value in (values | without).items():
            object.__setattr__(self, name, value)
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
        generation = cases_of(self.system).GENERATION
        results = {**self.to_data(), "vectorised": False, "wave": None, "generation": generation}
        unsaid = {"system": self.system == DEFAULT_SYSTEM, "constants": not self.constants}
        results = {name: value for name, value in results.items() if not unsaid.get(name)}
        return hashlib.sha256(json.dumps(results, sort_keys=True).encode()).hexdigest()[:16]

    def to_data(self) -> dict[str, Any]:
        """Settings as plain data, with the hash of the corpus in its place."""
        return {f.name: getattr(self, f.name) for f in fields(self)} | {"corpus": self.corpus.digest}

    def factories(self, search_path: Sequence[str]) -> dict[str, Factory]:
        """The factories of the detectors by name; `InputError` if there is no such detector."""
        return {name: cases_of(self.system).factory(name, search_path) for name in self.detectors}

    def with_constants(self, search_path: Sequence[str]) -> Settings:
        """The settings with the constants of the detectors as their code is at present, unless they have some."""
        if self.constants is not None:
            return self
        return replace(self, constants=cases_of(self.system).constants(self.factories(search_path)))


def settings_to_json(settings: Settings) -> dict[str, Any]:
    """The contents of `campaign.json`: the settings, and the versions with which they were first carried out."""
    packages = {name: version(name) for name in ("remora", "pyspark", "pyarrow", "numpy")}
    return {
        "schema": SCHEMA,
        "campaign": settings.campaign,
        **settings.to_data(),
        "generation": cases_of(settings.system).GENERATION,
        "versions": {"python": platform.python_version(), **packages},
    }


class CampaignDirectory:
    """A campaign: settings, real traces if any, summary, small failures, and `cases/wave=k/*.parquet`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.record, self.corpus = path / "campaign.json", path / "corpus.parquet"
        self.summary, self.regressions = path / "summary.json", path / "regressions"

    def wave(self, number: int) -> Path:
        """The folder with the rows of one wave."""
        return self.path / "cases" / f"wave={number}"

    def settings(self) -> Settings:
        """The settings of the campaign that is here; `InputError` for none, or one of a version with other cases."""

        def refused(reason: str, remedy: str = "Start a new campaign in another directory.") -> InputError:
            return InputError(reason, place=str(self.record), remedy=remedy)

        try:
            record = json.loads(self.record.read_text(encoding="utf-8"))
            if record["schema"] != SCHEMA:
                raise refused(f"the schema {record['schema']!r} is not {SCHEMA!r}")
            if record.get("vectorised"):
                raise refused("its cases were judged in groups of traces")
            made = record["generation"]
            record = {"system": DEFAULT_SYSTEM, "constants": [], **record}
            corpus = cases_of(system_of(record["system"]).name).load_corpus(self.corpus)
            values: dict[str, Any] = {f.name: record[f.name] for f in fields(Settings)}
            for name in ("detectors", "relations", "constants"):
                values[name] = None if values[name] is None else tuple(values[name])
            settings = Settings(**{**values, "corpus": corpus})
        except (OSError, UnicodeDecodeError) as error:
            raise refused("there is no campaign here", "It has no readable campaign.json.") from error
        except (json.JSONDecodeError, KeyError, TypeError, AttributeError) as error:
            raise refused("this is not the record of a campaign", "Name another directory.") from error
        if values["corpus"] != corpus.digest:
            raise refused("the corpus of the campaign is missing or another one")
        if made != (generation := cases_of(settings.system).GENERATION):
            said = f"the campaign has cases of generation {made}; this version makes generation {generation}"
            raise refused(said)
        return settings

    def adopt(self, settings: Settings) -> Settings:
        """The given settings, with waves and constants of a begun campaign; `InputError` where other ones are here."""
        place, another = str(self.path), "Name another directory."
        if not self.path.exists() or (self.path.is_dir() and not any(self.path.iterdir())):
            return settings
        if not self.record.is_file():
            raise InputError("this is not empty and not a campaign", place=place, remedy=another)
        found, asked = self.settings(), settings.to_data()
        difference = [
            f"{name} {value!r} instead of {asked[name]!r}"
            for name, value in found.to_data().items()
            if name not in ("wave", "constants") and value != asked[name]
        ]
        if difference:
            said = f"the campaign here has other settings: {', '.join(difference)}"
            raise InputError(said, place=place, remedy=f"{another[:-1]}, or resume this one with its own settings.")
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
