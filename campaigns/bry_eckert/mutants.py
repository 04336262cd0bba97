"""Wrong engines, as data (`mutants.toml`): each replaces one text in the program of an engine by another one.

The altered module is loaded privately (`campaigns.mutants.private_modules`), so that nothing else notices.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType

from campaigns.bry_eckert.relations import turned_plan
from campaigns.mutants.private_modules import PrivateModules, path_of
from detectors.bry_eckert.catalogue import ENGINES, EngineFactory
from detectors.bry_eckert.protocol import Engine
from semantics.bry_eckert.plans import Plan
from semantics.bry_eckert.programs import Program


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
        plan: the plan that the engine takes in the place of the given one; "turned" for one whose joins have their
            operands exchanged, "" for none: a fault about a right side needs a plan that has something there.
    """

    name: str
    engine: str
    module: str
    before: str
    after: str
    what: str
    plan: str = ""

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
        return self._planned(modules.load("detectors.bry_eckert.catalogue").ENGINES[self.engine])

    @property
    def unaltered(self) -> EngineFactory:
        """Makes engines without the fault."""
        return self._planned(ENGINES[self.engine])

    def _planned(self, factory: EngineFactory) -> EngineFactory:
        return partial(_turned, factory) if self.plan == "turned" else factory


def _turned(factory: EngineFactory, program: Program, plan: Plan, points: frozenset[str]) -> Engine:
    return factory(program, turned_plan(program), points)


def _mutants() -> Iterator[tuple[str, Mutant]]:
    data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    for row in data["mutant"]:
        yield row["name"], Mutant(**row)


MUTANTS: Mapping[str, Mutant] = MappingProxyType(dict(_mutants()))
"""The wrong engines by name."""
