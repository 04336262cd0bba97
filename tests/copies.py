"""Copies of the project in which a test may change what it likes."""

import shutil
from pathlib import Path

from remora.terminal.packages import ROOMS

ROOT = Path(__file__).parent.parent


def copy_rooms(folder: Path) -> None:
    """Copy what the project consists of, without the record of its proofs.

    What Python has compiled comes along, which saves that work each time: it is left aside where a text was changed.
    """
    # Another process may be compiling a module; its draft is gone before it could be copied.
    ignored = shutil.ignore_patterns("obligations", "*.pyc.*")
    for room in ROOMS:
        shutil.copytree(ROOT / room, folder / room, ignore=ignored)
