"""Fork server of Spark's Python workers on this machine: `python -m cluster.daemon`.

Spark's own (`pyspark.daemon`) is next to empty, so each worker imports for itself what all of them need. It also looks
for every module in Spark's archives first, where Python has to compile the text of each anew. Here it is imported once,
from the folder that PySpark is installed in, before the first worker is forked; one that was lost is replaced at once.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import redirect_stdout, suppress
from importlib.machinery import PathFinder
from pathlib import Path

WORKERS_IMPORT = "REMORA_WORKERS_IMPORT"
"""The environment variable that names the modules that all workers need, with commas between them."""


def without_archives(path: Sequence[str]) -> list[str]:
    """Where to look for modules, without the archives inside an installed PySpark that hold the same once more.

    Args:
        path: as `sys.path`; it comes back as it is if PySpark is found in its archives only.
    """
    folders = [entry for entry in path if not Path(entry).is_file()]
    installed = PathFinder.find_spec("pyspark", folders)
    if installed is None or not installed.submodule_search_locations:
        return list(path)
    home = Path(next(iter(installed.submodule_search_locations)))
    return [entry for entry in path if entry in folders or home not in Path(entry).parents]


def preload(modules: Iterable[str]) -> None:
    """Import modules, and keep the garbage collector away from them, which would copy them into each worker.

    One that cannot be imported is passed over: the worker that needs it has somebody to tell. What they print does not
    go to standard output, where Spark expects the daemon's answer.
    """
    for module in modules:
        with suppress(Exception), redirect_stdout(sys.stderr):
            importlib.import_module(module)
    gc.freeze()


def main() -> None:
    """Be Spark's daemon, and never return."""
    sys.path[:] = without_archives(sys.path)
    preload(("pyspark.worker", *filter(None, os.environ.get(WORKERS_IMPORT, "").split(","))))
    from pyspark.daemon import manager

    manager()


if __name__ == "__main__":
    main()
