"""Wrong detectors of this algebra (`mutants.toml`): the canaries of every campaign.

Generated cases that do not find every one of them wrong are not worth believing when they find nothing wrong with a
detector.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from campaigns.mutants.mutants import Mutant, mutants_in
from detectors.carlson_lisper.adapters import AnyDetector, AnyFactory
from detectors.carlson_lisper.catalogue import CATALOGUE
from semantics.carlson_lisper.expressions import Expression


@dataclass(frozen=True)
class DetectorMutant(Mutant):
    """A wrong detector; calling it makes one for a ground expression, as with any factory.

    Attributes:
        operator: that of the altered step, by its name in Def. 3.10; "" where something else is altered.
    """

    operator: str = ""

    def factory(self) -> AnyFactory:
        """Load the altered program: the factory of its detectors."""
        make: AnyFactory = self.modules().load("detectors.carlson_lisper.catalogue").CATALOGUE[self.engine]
        return make

    @property
    def unaltered(self) -> AnyFactory:
        """The factory of the detectors without the fault."""
        return CATALOGUE[self.engine]

    def __call__(self, expression: Expression) -> AnyDetector:
        """A fresh wrong detector for a ground expression."""
        return _loaded(self)(expression)


@lru_cache(maxsize=64)
def _loaded(mutant: DetectorMutant) -> AnyFactory:
    return mutant.factory()


MUTANTS: Mapping[str, DetectorMutant] = MappingProxyType(
    {row["name"]: DetectorMutant(**row) for row in mutants_in(Path(__file__).with_suffix(".toml"))}
)
"""The wrong detectors by name."""
