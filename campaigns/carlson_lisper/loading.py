"""Detectors by name: those of the catalogues, the mutants, and any that Python can import."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, cast

from campaigns.imports import named
from campaigns.mutants import Mutant
from detectors.carlson_lisper.catalogue import CATALOGUE, DETECTORS, VERIFIED
from detectors.carlson_lisper.programs import OfProgram
from detectors.carlson_lisper.protocol import DetectorFactory
from detectors.processes import program
from detectors.protocol import is_program

if TYPE_CHECKING:
    from detectors.carlson_lisper.adapters import AnyFactory

ALL = "all"  # Stands for every detector of the catalogues


def named_detectors(names: Iterable[str]) -> tuple[str, ...]:
    """The names, with those of the catalogues in the place of `ALL`."""
    return tuple(one for name in names for one in (CATALOGUE if name == ALL else [name]))


def any_factory(name: str, search_path: Sequence[str] = ()) -> AnyFactory:
    """The factory of a detector that may report starts and ends alone, by its name; see `campaigns.imports.named`."""
    if is_program(name):
        return cast("AnyFactory", OfProgram(program(name, search_path)))
    return named(name, {**CATALOGUE, VERIFIED.name: VERIFIED}, _mutants, search_path)


def detector_factory(name: str, search_path: Sequence[str] = ()) -> DetectorFactory:
    """The factory of a detector that reports instances, by its name; see `campaigns.imports.named`."""
    if is_program(name):
        return cast(DetectorFactory, OfProgram(program(name, search_path)))
    return cast(DetectorFactory, named(name, {**DETECTORS, VERIFIED.name: VERIFIED}, _mutants, search_path))


def _mutants() -> Mapping[str, Mutant]:
    from campaigns.carlson_lisper import mutants  # reads their file, which other detectors do not need

    return mutants.MUTANTS
