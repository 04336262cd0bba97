"""Wrong engines, as data (`mutants.toml`): each replaces one text in the program of an engine by another one.

The altered module is loaded privately (`campaigns.mutants.private_modules`), so that nothing else notices.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from campaigns.mutants.private_modules import PrivateModules, path_of
from detectors.bry_eckert.catalogue import EngineFactory


@dataclass(frozen=True)
class Mutant:
    """A wrong engine.

    Attributes:
        name: its name.
        engine: the engine that is altered.
        module: the module of `detectors.bry_eckert` in which it is.
        before: the text that is replaced; it is there exactly once.
        after: the text in its place.
        what: what is wrong, in a few words.
    """

    name: str
    engine: str
    module: str
    before: str
    after: str
    what: str

    def text(self) -> str:
        """The text of the altered module.

        Raises:
            LookupError: what is to be replaced is not there exactly once.
        """
        text = Path(path_of(self._module)).read_text("utf-8")
        if text.count(self.before) != 1:
            raise LookupError(
                f"{self.name}: {self.before!r} is {text.count(self.before)} times in {self._module}"
            )
        return text.replace(self.before, self.after)

    @property
    def _module(self) -> str:
        return f"detectors.bry_eckert.{self.module}"

    def factory(self) -> EngineFactory:
        """Makes wrong engines."""
        modules = PrivateModules(self._module, self.text(), f"mutant {self.name}")
        found: EngineFactory = modules.load("detectors.bry_eckert.catalogue").ENGINES[self.engine]
        return found


def _mutants() -> Iterator[tuple[str, Mutant]]:
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    for row in data["mutant"]:
        yield row["name"], Mutant(**row)


MUTANTS: Mapping[str, Mutant] = MappingProxyType(dict(_mutants()))
"""The wrong engines by name."""
