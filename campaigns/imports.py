"""Imports of objects by name: `package.module:object`."""

from __future__ import annotations

import importlib
import sys
import sysconfig
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from traceback import FrameSummary, extract_tb
from typing import Any

from semantics.errors import InputError

MUTANT = "mutant:"
"""The beginning of the name of a mutant of ours."""

_OURS = frozenset(
    ("semantics", "laws", "smt", "detectors", "proofs", "cluster", "campaigns", "reports", "remora")
)
_ROOT = Path(__file__).resolve().parents[1]
_LIBRARIES = frozenset(
    Path(place).resolve() for name, place in sysconfig.get_paths().items() if name.endswith(("lib", "stdlib"))
)


def is_ours(filename: str) -> bool:
    """Whether a file is of the packages of this project, and not somebody else's code."""
    with suppress(ValueError):
        return Path(filename).resolve().relative_to(_ROOT).parts[0] in _OURS
    return False


def is_foreign(filename: str) -> bool:
    """Whether a file is neither of this project, nor of Python or an installed package."""
    path = Path(filename)
    return (
        path.is_file() and not is_ours(filename) and not any(map(path.resolve().is_relative_to, _LIBRARIES))
    )


def raised_in(error: BaseException) -> FrameSummary | None:
    """Where somebody else's code raised an error, or called what did; None if there is none of it."""
    frames = [frame for frame in extract_tb(error.__traceback__) if is_foreign(frame.filename)]
    return frames[-1] if frames else None


def crash_text(error: BaseException) -> str:
    """An error that a detector raised, in one line, with the file and the line of its own code.

    Only the name of the file is given: where it lies differs from machine to machine.
    """
    text = " ".join(str(error).split())
    said = f"{type(error).__name__}: {text}" if text else type(error).__name__
    frame = raised_in(error)
    return said if frame is None else f"{said} ({Path(frame.filename).name}, line {frame.lineno})"


def names_code(name: str) -> bool:
    """Whether the name of a detector is that of code that is imported."""
    return ":" in name and not name.startswith(MUTANT)


def require_trust(names: Iterable[str], place: str, *, trusted: bool) -> None:
    """Make sure that code which a file names is imported because somebody wants it, and not because a file says so.

    Raises:
        InputError: it names some, and it is not trusted.
    """
    code = [name for name in names if names_code(name)]
    if code and not trusted:
        raise InputError(
            f"this names code that would be imported and run: {', '.join(code)}",
            place=place,
            remedy="If you know where the folder comes from: --trust.",
        )


def imported(name: str, search_path: Sequence[str] = (), known: Sequence[str] = ()) -> Callable[..., Any]:
    """The callable object that `package.module:object` names.

    Args:
        search_path: folders in which modules are looked for after everything that Python finds by itself, so
            that a folder with names like ours does not hide our modules.
        known: names that would have been understood otherwise, for the message.

    Raises:
        InputError: there is no such object, its import fails, or it cannot be called.
    """
    module, colon, path = name.partition(":")
    if not (colon and module and path):
        raise InputError(
            f"no detector is called {name!r}",
            remedy=f"Name one of {', '.join(known)}, or your own as package.module:object.",
        )
    sys.path.extend(folder for folder in search_path if folder not in sys.path)
    importlib.invalidate_caches()
    try:
        found: Any = importlib.import_module(module)
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
            remedy="A detector is made by a class or function that takes what is to be detected.",
        )
    return found  # type: ignore[no-any-return]  # callable
