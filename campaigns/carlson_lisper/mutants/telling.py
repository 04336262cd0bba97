"""Detectors that are wrong on purpose, as data (`telling.toml`): the canaries of every campaign.

Each replaces one text in the program of a detector: a step as a programmer would get it wrong, a fault that needs a
gap, a full store or an odd name, a fault of what faster detectors have beyond Figure 2. Generated cases that do not
find every one of them wrong are not worth believing when they find nothing wrong with a detector.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from campaigns.carlson_lisper.mutants.altered_programs import AlteredProgram
from campaigns.histories import Mutant, mutants_in
from detectors.carlson_lisper.adapters import AnyDetector, AnyFactory
from semantics.carlson_lisper.expressions import Expression

KILLED_WITHIN = 10_000
"""Every mutant has to be found wrong within so many cases from number 0, whatever the seed."""


class WrongDetector(Protocol):
    """A detector that is wrong on purpose, beside the one that it was made from."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def description(self) -> str:
        """What is wrong, in one sentence."""

    @property
    def unaltered(self) -> AnyFactory:
        """The detector without the fault."""

    def __call__(self, expression: Expression) -> AnyDetector:
        """A fresh wrong detector for a ground expression."""


@dataclass(frozen=True)
class TellingMutant(AlteredProgram, Mutant):
    """A wrong detector.

    Attributes:
        operator: that of the altered step, by its name in Def. 3.10; "" where something else is altered.
    """

    operator: str = ""

    text = Mutant.text

    @property
    def description(self) -> str:
        """What is wrong, in one sentence."""
        return self.what


_ROWS = mutants_in(Path(__file__).with_suffix(".toml"), "detectors.carlson_lisper.")

THOUGHT_OF: Mapping[str, TellingMutant] = MappingProxyType(
    {row["name"]: TellingMutant(**row) for row in _ROWS}
)

MUTANTS: Mapping[str, TellingMutant] = MappingProxyType(
    {name: mutant for name, mutant in THOUGHT_OF.items() if mutant.operator}
)
"""Those in which one step of Figure 2 is altered."""
