"""Derived mutants: every small change of chosen definitions of the detectors, as data.

Nobody chose these faults: every small change of `campaigns.mutants.mutations` in the listed definitions is a
mutant, so their number says how much a campaign sees of what it was not told about.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial

from campaigns.carlson_lisper.relations.resuming import Resumed
from campaigns.mutants.mutations import Mutation, mutations
from campaigns.mutants.private_modules import PrivateModules, source
from detectors.carlson_lisper.adapters import AnyDetector, AnyFactory
from detectors.carlson_lisper.catalogue import CATALOGUE
from semantics.carlson_lisper.expressions import Expression

RESUMED = "-resumed"
"""What is put behind the name of a detector that is stored and taken up again all the time."""


@dataclass(frozen=True)
class Subject:
    """Definitions of a module that are altered, and the detector in which that has to show.

    Attributes:
        detector: its name in the catalogues, or one of those with `RESUMED` behind it.
        module: the name of the module.
        places: the definitions; see `campaigns.mutations.mutations`.
    """

    detector: str
    module: str
    places: tuple[str, ...]


SUBJECTS: tuple[Subject, ...] = (
    Subject(
        "figure2",
        "detectors.carlson_lisper.source.steps",
        (
            "DisjunctionStep.step",
            "ConjunctionStep",
            "NegationStep",
            "SequenceStep",
            "RestrictionStep.step",
            "CandidateQueue.push",
            "CandidateQueue.latest_before",
        ),
    ),
    Subject("figure2", "detectors.carlson_lisper.source.figure2", ("Figure2.__init__", "Figure2.step")),
    Subject(
        "figure2-resumed",
        "detectors.carlson_lisper.source.figure2",
        ("Figure2.restore", "Figure2._variables"),
    ),
    Subject("figure2-resumed", "detectors.carlson_lisper.snapshots", ("restored", "_plain", "_Stored")),
    Subject(
        "figure4",
        "detectors.carlson_lisper.source.steps",
        ("BoundedSequenceStep", "CandidateQueue.evict_before"),
    ),
    Subject("figure4", "detectors.carlson_lisper.source.figure4", ("_sequence",)),
    Subject(
        "figure4",
        "detectors.carlson_lisper.source.transformation",
        ("restricted", "_disjunction", "_conjunction", "_negation", "_sequence", "_restriction"),
    ),
    Subject("recent", "detectors.carlson_lisper.catalogue", ("_with_label",)),
    Subject("recent", "detectors.carlson_lisper.source.stores", ("StaticQueue.__init__", "StaticQueue.push")),
    Subject(
        "recent",
        "detectors.carlson_lisper.source.stores",
        ("StaticQueue.latest_before", "StaticQueue._position"),
    ),
    Subject(
        "recent", "detectors.carlson_lisper.source.stores", ("StaticQueue._halved", "RecentSequenceStep")
    ),
    Subject("figure3", "detectors.carlson_lisper.generated.programs", ("_sequence",)),
    Subject(
        "figure3-resumed", "detectors.carlson_lisper.generated.figure3", ("Figure3.step", "Figure3.restore")
    ),
    Subject(
        "generated",
        "detectors.carlson_lisper.generated.carried",
        ("needed", "carrying", "_carrying", "_Carried", "_values"),
    ),
    Subject(
        "generated",
        "detectors.carlson_lisper.generated.specialisation",
        ("StartRewriting.statements", "StartRewriting.none"),
    ),
    Subject(
        "generated", "detectors.carlson_lisper.generated.demand", ("demand", "read_by_step", "_read", "needs")
    ),
    Subject("generated", "detectors.carlson_lisper.generated.instants", ("start_variables", "_own")),
    Subject(
        "arrays",
        "detectors.carlson_lisper.arrays",
        ("Evaluation._of", "Evaluation.latest_so_far", "Evaluation.needed", "Evaluation._remembered"),
    ),
    Subject("register-machine", "detectors.carlson_lisper.register.runs", ("Runs.advance",)),
    Subject(
        "register-machine",
        "detectors.carlson_lisper.register.table",
        ("Table.cell", "Table.gap", "_cell", "_composed"),
    ),
    Subject(
        "register-machine",
        "detectors.carlson_lisper.register.walk",
        ("Walk.step", "Walk.wait", "Walk.starts", "Walk.place"),
    ),
)
"""What is altered. A definition that two detectors use in different ways is there twice."""


@dataclass(frozen=True)
class DerivedMutant:
    """A detector with one change in its program; calling it makes the detector, as with any factory.

    Attributes:
        name: the detector, the definition, the line in it, the change.
        altered: the name of the detector.
        module: the name of the module that is changed.
        mutation: the change.
    """

    name: str
    altered: str
    module: str
    mutation: Mutation = field(repr=False)

    @property
    def description(self) -> str:
        """What is changed, in one line."""
        return f"{self.module}, {self.mutation.description}"

    @property
    def text(self) -> str:
        """The program of the module with the change."""
        return ast.unparse(self.mutation.altered(source(self.module)))

    @property
    def unaltered(self) -> AnyFactory:
        """The detector without the fault."""
        return _factory(self.altered, CATALOGUE)

    def factory(self) -> AnyFactory:
        """Load the changed program: a factory of its detectors, which keeps it in memory.

        Raises:
            Exception: the changed program breaks down while it is loaded.
        """
        modules = PrivateModules(self.module, self.text, self.name)
        catalogue = modules.load("detectors.carlson_lisper.catalogue")
        return _factory(self.altered, catalogue.CATALOGUE)

    def __call__(self, expression: Expression) -> AnyDetector:
        """A fresh wrong detector for a ground expression."""
        return _loaded(self.name)(expression)


@cache
def derived_mutants() -> Mapping[str, DerivedMutant]:
    """All derived mutants by name, in the order of `SUBJECTS`."""
    return {mutant.name: mutant for subject in SUBJECTS for mutant in _of(subject)}


def _of(subject: Subject) -> Iterator[DerivedMutant]:
    for mutation in mutations(source(subject.module), subject.places):
        name = f"{subject.detector}:{subject.module.rpartition('.')[2]}.{mutation.name}"
        yield DerivedMutant(name, subject.detector, subject.module, mutation)


LOADED = 16
"""So many changed programs are kept in memory for those who call mutants instead of asking for their factories."""


@lru_cache(maxsize=LOADED)
def _loaded(name: str) -> AnyFactory:
    return derived_mutants()[name].factory()


def _factory(detector: str, catalogue: Mapping[str, AnyFactory]) -> AnyFactory:
    """The factory of a detector, from the catalogue."""
    name = detector.removesuffix(RESUMED)
    return catalogue[name] if name == detector else partial(resumed_often, catalogue[name])


def resumed_often(make: AnyFactory, expression: Expression) -> AnyDetector:
    """A detector whose state goes through a snapshot every second instant, as `judge` never does by itself."""
    return Resumed(make, expression, lambda instant: instant % 2 == 0)
