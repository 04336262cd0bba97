"""Wrong engines, as data (`mutants.toml`): each replaces one text in the program of an engine by another one.

The altered module is loaded privately (`campaigns.mutants.private_modules`), so that nothing else notices.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType

from campaigns.bry_eckert.relations import turned_plan
from campaigns.histories import Mutant, mutants_in
from campaigns.mutants.private_modules import PrivateModules
from detectors.bry_eckert.catalogue import ENGINES, EngineFactory
from detectors.bry_eckert.protocol import Engine
from semantics.bry_eckert.algebra.plans import Plan
from semantics.bry_eckert.programs import Program

_FILE = Path(__file__).with_suffix(".toml")


@dataclass(frozen=True)
class PlannedMutant(Mutant):
    """A wrong engine.

    Attributes:
        plan: the plan that the engine takes in the place of the given one; "turned" for one whose joins have their
            operands exchanged, "" for none: a fault about a right side needs a plan that has something there.
    """

    plan: str = ""

    def factory(self) -> EngineFactory:
        """Makes wrong engines."""
        modules = PrivateModules(self.module, self.text(), f"mutant {self.name}")
        return self._planned(modules.load("detectors.bry_eckert.catalogue").ENGINES[self.engine])

    @property
    def unaltered(self) -> EngineFactory:
        """Makes engines without the fault."""
        return self._planned(ENGINES[self.engine])

    def _planned(self, factory: EngineFactory) -> EngineFactory:
        return partial(_turned, factory) if self.plan == "turned" else factory


def _turned(factory: EngineFactory, program: Program, plan: Plan, points: frozenset[str]) -> Engine:
    return factory(program, turned_plan(program), points)


MUTANTS: Mapping[str, PlannedMutant] = MappingProxyType(
    {row["name"]: PlannedMutant(**row) for row in mutants_in(_FILE, "detectors.bry_eckert.")}
)
"""The wrong engines by name."""
