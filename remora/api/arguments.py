"""Arguments of functions and commands: what may be given for them, and folders that can be written to."""

import os
import tempfile
from collections.abc import Iterable
from operator import index
from pathlib import Path
from typing import Any, SupportsIndex

from remora.terminal.options import MAX_SEED
from semantics.errors import InputError


def brief(given: object) -> str:
    """Argument for a sentence: itself, or what it is where it takes more than a few words."""
    text = repr(given)
    return text if len(text) <= 60 and "\n" not in text else f"a {type(given).__name__}"


def require_whole(name: str, given: object, least: int) -> None:
    """Refuse what is no whole number, or too small a one."""
    if isinstance(given, bool) or not isinstance(given, SupportsIndex):
        raise InputError(f"{name}={brief(given)} is no whole number", remedy=f"Give {least} or more.")
    if index(given) < least:
        raise InputError(f"{name}={given} is less than {least}", remedy=f"Give {least} or more.")


def require_seed(seed: object) -> None:
    """Refuse a seed that a solver would choke on, which would cost a proof an engine."""
    if isinstance(seed, bool) or not isinstance(seed, SupportsIndex) or not 0 <= index(seed) <= MAX_SEED:
        remedy = f"Give a whole number from 0 to {MAX_SEED:,}."
        raise InputError(f"the seed {brief(seed)} is out of range", remedy=remedy)


def require_path(given: object) -> None:
    """Refuse what names no file."""
    if not isinstance(given, str | os.PathLike):
        raise InputError(f"{brief(given)} is no path", remedy="Give the path of a file or folder in quotes.")


def several(name: str, given: object, example: str) -> tuple[Any, ...]:
    """Arguments where several may be given: one path or text is one of them, not its letters."""
    if isinstance(given, str | os.PathLike):
        return (given,)
    if not isinstance(given, Iterable):
        raise InputError(f"{name}={brief(given)} is no list", remedy=f"Write {name}={example}.")
    return tuple(given)


def prepare_folder(folder: Path) -> None:
    """Make the folder for results, and find out whether it can be written to before the work begins."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = f"nothing can be written to this folder: {error.strerror or error}"
        raise InputError(reason, place=str(folder), remedy="Name another one with --out.") from None


def require_possible(folder: Path, remedy: str) -> None:
    """Find out whether a folder is there, or can be made, without making it."""
    there = next(place for place in (folder.absolute(), *folder.absolute().parents) if place.exists())
    if not there.is_dir():
        raise InputError(f"no folder can be here: {there} is a file", place=str(folder), remedy=remedy)
    if not os.access(there, os.W_OK):
        raise InputError(f"nothing may be written to {there}", place=str(folder), remedy=remedy)
