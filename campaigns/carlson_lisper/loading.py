"""Detectors by name: those of the catalogues, the mutants, and any that Python can import."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from campaigns.imports import MUTANT, imported, names_code
from detectors.carlson_lisper.catalogue import CATALOGUE, DETECTORS, INTERVAL_DETECTORS, VERIFIED
from detectors.carlson_lisper.protocol import DetectorFactory
from semantics.errors import InputError

if TYPE_CHECKING:
    from detectors.carlson_lisper.adapters import AnyFactory

ALL = "all"  # Stands for every detector of the catalogues


def named_detectors(names: Iterable[str]) -> tuple[str, ...]:
    """The names, with those of the catalogues in the place of `ALL`."""
    return tuple(one for name in names for one in (CATALOGUE if name == ALL else [name]))


def any_factory(name: str, search_path: Sequence[str] = ()) -> AnyFactory:
    """The factory of a detector that may report starts and ends alone, by its name or as `detector_factory`."""
    if name in INTERVAL_DETECTORS:
        return INTERVAL_DETECTORS[name]
    return detector_factory(name, search_path, others=() if names_code(name) else tuple(INTERVAL_DETECTORS))


def detector_factory(name: str, search_path: Sequence[str] = (), *, others: Sequence[str] = ()) -> DetectorFactory:
    """The factory of a detector that reports instances.

    Args:
        name: a key of `detectors.carlson_lisper.catalogue.DETECTORS`; `mutant:NAME`; or `package.module:object`.
        search_path: folders in which modules are looked for after everything that Python finds by itself.
        others: further names to offer when there is no such detector.

    Raises:
        InputError: there is no such detector, or its import fails.
    """
    if name in (*DETECTORS, VERIFIED.name):
        return DETECTORS.get(name, VERIFIED)
    if name.startswith(MUTANT):
        from campaigns.carlson_lisper.mutants import MUTANTS  # reads their file, which other detectors do not need

        if name.removeprefix(MUTANT) not in MUTANTS:
            raise InputError(f"there is no {name}", remedy=f"There are {', '.join(MUTANTS)}.")
        return cast(DetectorFactory, MUTANTS[name.removeprefix(MUTANT)])
    return cast(DetectorFactory, imported(name, search_path, [*DETECTORS, *others]))
