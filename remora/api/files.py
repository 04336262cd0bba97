"""Files written whole or not at all, and where."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from semantics.errors import InputError


def prepare_folder(folder: Path) -> None:
    """Make the folder for results, and find out whether it can be written to before the work begins."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise InputError(
            f"nothing can be written to this folder: {error.strerror or error}",
            place=str(folder),
            remedy="Name another one with --out.",
        ) from None


def require_possible(folder: Path, remedy: str) -> None:
    """Find out whether a folder is there, or can be made, without making it."""
    there = next(place for place in (folder.absolute(), *folder.absolute().parents) if place.exists())
    if not there.is_dir():
        raise InputError(f"no folder can be here: {there} is a file", place=str(folder), remedy=remedy)
    if not os.access(there, os.W_OK):
        raise InputError(f"nothing may be written to {there}", place=str(folder), remedy=remedy)


@contextmanager
def hypothesis_files_elsewhere() -> Iterator[None]:
    """Keep Hypothesis from leaving a folder `.hypothesis` where the user happens to be."""
    from hypothesis.configuration import set_hypothesis_home_dir

    with tempfile.TemporaryDirectory(prefix="remora-") as folder:
        set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            set_hypothesis_home_dir(None)
