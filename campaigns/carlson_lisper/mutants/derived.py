"""Derived mutants: every small change of chosen definitions of the detectors (`derived.toml`).

Nobody chose these faults: every small change of `campaigns.mutants.mutations` in the listed definitions is a
mutant, so their number says how much a campaign sees of what it was not told about.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from campaigns.carlson_lisper.mutants.altered_programs import AlteredProgram
from campaigns.mutants.mutations import Mutation, mutations
from campaigns.mutants.private_modules import source


@dataclass(frozen=True)
class Subject:
    """Definitions of a module that are altered, and the detector in which that has to show.

    Attributes:
        detector: its name in the catalogues, or one of those with `RESUMED` behind it.
        places: the definitions; see `campaigns.mutations.mutations`.
    """

    detector: str
    module: str
    places: tuple[str, ...]


_ROWS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))["subject"]

SUBJECTS: tuple[Subject, ...] = tuple(
    Subject(row["detector"], f"detectors.carlson_lisper.{row['module']}", tuple(row["places"]))
    for row in _ROWS
)
"""What is altered."""


@dataclass(frozen=True, eq=False)
class DerivedMutant(AlteredProgram):
    """A detector with one change in its program.

    Attributes:
        mutation: the change; the name has the detector, the definition, the line in it, the change.
    """

    name: str
    engine: str
    module: str
    mutation: Mutation = field(repr=False)

    @property
    def description(self) -> str:
        """What is changed, in one line."""
        return f"{self.module}, {self.mutation.description}"

    def text(self) -> str:
        """The program of the module with the change."""
        return ast.unparse(self.mutation.altered(source(self.module)))


@cache
def derived_mutants() -> Mapping[str, DerivedMutant]:
    """All derived mutants by name, in the order of `SUBJECTS`."""
    return {mutant.name: mutant for subject in SUBJECTS for mutant in _of(subject)}


def _of(subject: Subject) -> Iterator[DerivedMutant]:
    for mutation in mutations(source(subject.module), subject.places):
        name = f"{subject.detector}:{subject.module.rpartition('.')[2]}.{mutation.name}"
        yield DerivedMutant(name, subject.detector, subject.module, mutation)
