"""Writing files whole or not at all, and where."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from semantics.errors import InputError


def write_text(path: Path, text: str) -> None:
    """Write a text file through a temporary one in the same folder, creating folders as needed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def prepare_folder(folder: Path) -> None:
    """Make the folder for results, and find out whether it can be written to before the work begins.

    Raises:
        InputError: it cannot.
    """
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
