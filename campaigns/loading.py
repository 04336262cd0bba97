"""Detectors by name: those of the catalogues, the mutants, and any that Python can import."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from detectors.catalogue import DETECTORS
from detectors.protocol import DetectorFactory
from semantics.errors import InputError

if TYPE_CHECKING:
    from detectors.adapters import AnyFactory

MUTANT_PREFIX = "mutant:"


def any_factory(name: str, search_path: Sequence[str] = ()) -> AnyFactory:
    """The factory that a name stands for, of a detector that may report starts and ends alone.

    Args:
        name: a key of `detectors.interval_catalogue.INTERVAL_DETECTORS`, `mutant:NAME` for one of
            `campaigns.interval_mutants.INTERVAL_MUTANTS`, or any name that `detector_factory` knows.
        search_path: see there.

    Raises:
        InputError: there is no such detector, or its import fails.
    """
    if ":" in name and not name.startswith(MUTANT_PREFIX):
        return detector_factory(name, search_path)
    from campaigns.interval_mutants import INTERVAL_MUTANTS
    from detectors.interval_catalogue import INTERVAL_DETECTORS

    if name in INTERVAL_DETECTORS:
        named = INTERVAL_DETECTORS[name]
        named.warm_up()
        return named
    mutant = INTERVAL_MUTANTS.get(name.removeprefix(MUTANT_PREFIX))
    if name.startswith(MUTANT_PREFIX) and mutant is not None:
        return mutant
    return detector_factory(name, search_path, others=tuple(INTERVAL_DETECTORS))


def detector_factory(
    name: str, search_path: Sequence[str] = (), *, others: Sequence[str] = ()
) -> DetectorFactory:
    """The factory that a name stands for, of a detector that reports instances.

    Args:
        name: a key of `detectors.catalogue.DETECTORS`; `mutant:NAME` for one of `campaigns.mutants.MUTANTS`;
            or `package.module:object`, imported.
        search_path: folders in which modules are looked for after everything that Python finds by itself, so
            that a folder with names like ours does not hide our modules.
        others: further names to offer when there is no such detector.

    Raises:
        InputError: there is no such detector, or its import fails.
    """
    if name in DETECTORS:
        return DETECTORS[name]
    if name.startswith(MUTANT_PREFIX):
        from campaigns.mutants import MUTANTS  # brings the judge and NumPy, which other detectors do not need

        try:
            return MUTANTS[name.removeprefix(MUTANT_PREFIX)]
        except KeyError:
            raise InputError(
                f"no mutant is called {name.removeprefix(MUTANT_PREFIX)!r}",
                remedy=f"The mutants: {', '.join(MUTANTS)}.",
            ) from None
    module, colon, path = name.partition(":")
    if not (colon and module and path):
        raise InputError(
            f"no detector is called {name!r}",
            remedy=f"Name one of {', '.join([*DETECTORS, *others])}, or your own as package.module:object.",
        )
    return _imported(name, module, path, search_path)


def _imported(name: str, module: str, path: str, search_path: Sequence[str]) -> DetectorFactory:
    sys.path.extend(folder for folder in search_path if folder not in sys.path)
    importlib.invalidate_caches()
    try:
        found: object = importlib.import_module(module)
        for attribute in path.split("."):
            found = getattr(found, attribute)
    except Exception as error:  # an import runs any code
        raise InputError(
            f"the detector {name} cannot be imported: {type(error).__name__}: {error}",
            remedy=f"Looked for in {', '.join(search_path) or 'the folders where Python looks for modules'}.",
        ) from error
    if not callable(found):
        raise InputError(
            f"{name} is not callable, but a {type(found).__name__}",
            remedy="A detector is made by a class or function that takes the expression.",
        )
    return cast(DetectorFactory, found)
