"""Receipts of a wave: which files its workers wrote, with the checksum of each, so that an altered one is noticed.

The driver writes them when a wave has been judged. What is in a file follows from the settings and the numbers of its
cases, so a shard that is written twice has the same checksum, if the packages of the machines are of the same versions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from semantics.atomic_files import write_text
from semantics.errors import InputError

FILE = "_receipts.json"
"""The name of the file in the folder of a wave; readers of Parquet pass over names that begin so."""


class Receipt(NamedTuple):
    """What a worker answers: the file that it wrote, how many cases are in it, and its SHA-256."""

    file: str
    cases: int
    sha256: str


def checksum(path: Path) -> str:
    """The SHA-256 of a file, as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_receipts(folder: Path, receipts: Iterable[Receipt]) -> None:
    """Write the receipts of a wave into its folder, as a whole or not at all."""
    write_text(folder / FILE, json.dumps([each._asdict() for each in sorted(receipts)], indent=1) + "\n")


def read_receipts(folder: Path) -> tuple[Receipt, ...] | None:
    """The receipts in the folder of a wave; None if there are none, or none that can be read."""
    try:
        return tuple(Receipt(**record) for record in json.loads((folder / FILE).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def require_unaltered(folder: Path, receipts: Iterable[Receipt]) -> None:
    """Make sure that the files in the folder of a wave are those of its receipts; one may be missing.

    Raises:
        InputError: one was altered, or has no receipt.
    """
    known = {receipt.file: receipt.sha256 for receipt in receipts}
    for path in sorted(folder.glob("*.parquet")):
        if path.name not in known or checksum(path) != known[path.name]:
            said = "its checksum is not that of its receipt" if path.name in known else "it has no receipt"
            raise InputError(
                f"these rows are not those that the campaign wrote: {said}",
                place=str(path),
                remedy=f"Remove the folder {folder}: resuming judges its cases again.",
            )
