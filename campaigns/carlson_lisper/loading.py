"""Detectors by name: those of the catalogues, the mutants, and any that Python can import."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

from campaigns.imports import MUTANT, imported, names_code
from detectors.carlson_lisper.catalogue import CATALOGUE, DETECTORS, INTERVAL_DETECTORS
from detectors.carlson_lisper.protocol import DetectorFactory
from semantics.errors import InputError

if TYPE_CHECKING:
    from detectors.carlson_lisper.adapters import AnyFactory

ALL = "all"
"""Stands for every detector of the catalogues."""


def named_detectors(names: Iterable[str]) -> tuple[str, ...]:
    """The names, with those of the catalogues in the place of `ALL`."""
    return tuple(one for name in names for one in (CATALOGUE if name == ALL else [name]))


def any_factory(name: str, search_path: Sequence[str] = ()) -> AnyFactory:
    """The factory that a name stands for, of a detector that may report starts and ends alone.

    Args:
        name: a key of `detectors.carlson_lisper.catalogue.INTERVAL_DETECTORS`, `mutant:NAME` for one of
            `campaigns.carlson_lisper.mutants.wrong_detectors.ALL`, or any name that `detector_factory` knows.

    Raises:
        InputError: there is no such detector, or its import fails.
    """
    if names_code(name):
        return detector_factory(name, search_path)
    if name.startswith(MUTANT):
        return _mutant(name.removeprefix(MUTANT))
    if name in INTERVAL_DETECTORS:
        return INTERVAL_DETECTORS[name]
    return detector_factory(name, search_path, others=tuple(INTERVAL_DETECTORS))


def _mutant(name: str) -> AnyFactory:
    from campaigns.carlson_lisper.mutants.wrong_detectors import (  # bring the judge, which other detectors do not need
        ALL,
        TELLING,
    )

    try:
        return ALL[name]
    except KeyError:
        raise InputError(
            f"no mutant is called {name!r}",
            remedy=f"Some of the mutants: {', '.join(TELLING)}. All: remora campaign power --list.",
        ) from None


def detector_factory(
    name: str, search_path: Sequence[str] = (), *, others: Sequence[str] = ()
) -> DetectorFactory:
    """The factory that a name stands for, of a detector that reports instances.

    Args:
        name: a key of `detectors.carlson_lisper.catalogue.DETECTORS`; `mutant:NAME` for a mutant that reports
            instances; or `package.module:object`, imported.
        search_path: folders in which modules are looked for after everything that Python finds by itself, so
            that a folder with names like ours does not hide our modules.
        others: further names to offer when there is no such detector.

    Raises:
        InputError: there is no such detector, or its import fails.
    """
    if name in DETECTORS:
        return DETECTORS[name]
    if name.startswith(MUTANT):
        return cast(DetectorFactory, _mutant(name.removeprefix(MUTANT)))
    return cast(DetectorFactory, imported(name, search_path, [*DETECTORS, *others]))
