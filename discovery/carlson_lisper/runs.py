"""Runs: what an exploration knows after each size, in a folder, from which it goes on after it was ended."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from semantics.atomic_files import draft, to_json, write_text
from semantics.errors import InputError

Arrays = Mapping[str, NDArray[Any]]

SCHEMA = "remora/exploration/1"  # Another one where the same settings would give another exploration
_ANOTHER = "Name another folder, or explore with the settings of this one."


@dataclass(frozen=True)
class Run:
    """A folder for the states of an exploration, and all that the exploration depends on but the size."""

    folder: Path
    settings: Mapping[str, Any]

    def begin(self) -> None:
        """Make the folder, or see that it is of an exploration with the same settings.

        Raises:
            InputError: it is of another one, or of something else.
        """
        record = self.folder / "exploration.json"
        wanted = json.loads(to_json({"schema": SCHEMA, "remora": version("remora"), **self.settings}))
        if not record.exists():
            if self.folder.exists() and any(self.folder.iterdir()):
                reason = "it is no folder of an exploration, and not empty"
                raise InputError(reason, place=str(self.folder), remedy=_ANOTHER)
            write_text(record, to_json(wanted, indent=1) + "\n")
        try:
            found = dict(json.loads(record.read_text("utf-8")))
            other = sorted(name for name in {*wanted, *found} if wanted.get(name) != found.get(name))
        except (ValueError, TypeError) as error:
            reason = f"it is no record of an exploration: {error}"
            raise InputError(reason, place=str(record), remedy=_ANOTHER) from None
        if other:
            reason = f"the exploration here has another {', '.join(other)}"
            raise InputError(reason, place=str(record), remedy=_ANOTHER)

    def _state(self, size: int) -> Path:
        return self.folder / f"size-{size}.npz"

    def latest(self, size: int) -> tuple[int, dict[str, NDArray[Any]], dict[str, Any]] | None:
        """The state after the greatest size up to a given one: arrays, and a document.

        Raises:
            InputError: its file is damaged.
        """
        done = next((each for each in range(size, 0, -1) if self._state(each).exists()), 0)
        if not done:
            return None
        try:
            with np.load(self._state(done), allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            return done, arrays, json.loads(str(arrays.pop("document")))
        except Exception as error:  # NumPy and zipfile raise many sorts for a file that is damaged
            raise self.damaged(done, error) from None

    def damaged(self, size: int, error: Exception) -> InputError:
        """What is said of a state that cannot be read."""
        remedy = "Remove the file: its size is explored again."
        return InputError(
            f"the state after size {size} is damaged: {error}", place=str(self._state(size)), remedy=remedy
        )

    def keep(self, size: int, arrays: Arrays, document: Mapping[str, Any]) -> None:
        """Keep the state after a size, whole or not at all."""
        with draft(self._state(size)) as place, place.open("xb") as file:
            np.savez(file, allow_pickle=False, document=np.array(to_json(document)), **arrays)
