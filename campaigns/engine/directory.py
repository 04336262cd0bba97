"""The directory of a campaign: `campaign.json`, `cases/wave=k/*.parquet`, `summary.json`, `regressions/*.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from campaigns.engine.settings import Settings, settings_from_json, settings_to_json
from campaigns.systems import cases_of
from semantics.atomic_files import write_text
from semantics.errors import InputError


@dataclass(frozen=True)
class CampaignDirectory:
    """The directory of one campaign."""

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
    def cases(self) -> Path:
        """The folder with the rows of all waves."""
        return self.path / "cases"

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
        return self.cases / f"wave={number}"

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
        return settings_from_json(
            text, str(self.record), lambda name: cases_of(name).load_corpus(self.corpus)
        )

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
