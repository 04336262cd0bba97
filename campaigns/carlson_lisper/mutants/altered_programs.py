"""Detectors with another text in one of their modules."""

from __future__ import annotations

from functools import lru_cache, partial

from campaigns.carlson_lisper.relations.resuming import Resumed
from campaigns.mutants.private_modules import PrivateModules
from detectors.carlson_lisper.adapters import AnyDetector, AnyFactory
from detectors.carlson_lisper.catalogue import CATALOGUE
from semantics.carlson_lisper.expressions import Expression

RESUMED = "-resumed"
"""What is put behind the name of a detector that is stored and taken up again all the time."""

LOADED = 64
"""So many changed programs are kept in memory for those who call mutants instead of asking for their factories."""


class AlteredProgram:
    """A detector with a change in its program; calling it makes the detector, as with any factory.

    Attributes:
        engine: the name of the altered detector in the catalogue, or such a name with `RESUMED` behind it.
        module: the name of the module that is changed.
    """

    name: str
    engine: str
    module: str

    def text(self) -> str:
        """The program of the module with the change."""
        raise NotImplementedError

    @property
    def altered(self) -> str:
        """The name of the detector that it was made from."""
        return self.engine.removesuffix(RESUMED)

    @property
    def unaltered(self) -> AnyFactory:
        """The detector without the fault."""
        return CATALOGUE[self.altered]

    def modules(self) -> PrivateModules:
        """The modules that the change reaches."""
        return PrivateModules(self.module, self.text(), self.name)

    def factory(self) -> AnyFactory:
        """Load the changed program: a factory of its detectors, which keeps it in memory.

        Raises:
            Exception: the changed program breaks down while it is loaded.
        """
        make: AnyFactory = self.modules().load("detectors.carlson_lisper.catalogue").CATALOGUE[self.altered]
        return make if self.engine == self.altered else partial(resumed_often, make)

    def __call__(self, expression: Expression) -> AnyDetector:
        """A fresh wrong detector for a ground expression."""
        return _loaded(self)(expression)


@lru_cache(maxsize=LOADED)
def _loaded(mutant: AlteredProgram) -> AnyFactory:
    return mutant.factory()


def resumed_often(make: AnyFactory, expression: Expression) -> AnyDetector:
    """A detector whose state goes through a snapshot every second instant, as `judge` never does by itself."""
    return Resumed(make, expression, lambda instant: instant % 2 == 0)
