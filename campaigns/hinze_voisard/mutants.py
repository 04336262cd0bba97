"""Wrong engines, as data (`mutants.toml`): each replaces one text in an engine or in the evaluation by another one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from campaigns.histories import Mutant, mutants_in
from campaigns.mutants.private_modules import PrivateModules
from detectors.hinze_voisard.catalogue import ENGINES, EngineFactory


@dataclass(frozen=True)
class ProfileMutant(Mutant):
    """A wrong engine; what it uses of the altered module reads the profiles anew."""

    def factory(self) -> EngineFactory:
        """Makes wrong engines."""
        modules = PrivateModules(self.module, self.text(), f"mutant {self.name}")
        make: EngineFactory = modules.load("detectors.hinze_voisard.catalogue").ENGINES[self.engine]
        parse = modules.load("semantics.hinze_voisard.syntax").parse
        return lambda file: make(parse(str(file)))

    @property
    def unaltered(self) -> EngineFactory:
        """Makes engines without the fault."""
        return ENGINES[self.engine]


MUTANTS: Mapping[str, ProfileMutant] = MappingProxyType(
    {row["name"]: ProfileMutant(**row) for row in mutants_in(Path(__file__).with_suffix(".toml"))}
)
"""The wrong engines by name."""
