"""Jobs on a Spark session: watched while they run, with the project and the user's own modules for their workers.

Each top-level package travels as an archive, which Spark unpacks where Python looks for modules: code that reads files
beside it finds them.
"""

import importlib
import os
import re
import sys
import threading
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType

from pyspark import SparkFiles
from pyspark.sql import SparkSession
from pyspark.sql.utils import is_remote

POLL = 0.5  # How often progress is looked at, in seconds


def processors(spark: SparkSession) -> int:
    """How many tasks can run at the same time; of Spark Connect, as its settings say, or as on this machine."""
    if is_remote():
        said = spark.conf.get("spark.default.parallelism", None)
        return int(said) if said else os.cpu_count() or 1
    return spark.sparkContext.defaultParallelism


def watched(spark: SparkSession, job: Callable[[], object]) -> Iterator[float]:
    """Run a Spark job in another thread; yields now and then which share of it is done, except on Spark Connect.

    A job that is no longer wanted, as after an interrupt, is cancelled.
    """
    problems: list[Exception] = []

    def run() -> None:
        try:
            job()
        except Exception as error:  # raised again below, in the thread that asked for the job
            problems.append(error)

    tracker = None if is_remote() else spark.sparkContext.statusTracker()
    thread = threading.Thread(target=run, name="remora-job", daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(POLL)
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()] if tracker else []
            tasks = [(info.numCompletedTasks, info.numTasks) for info in stages if info is not None]
            if thread.is_alive() and tasks:
                yield sum(done for done, _ in tasks) / max(1, sum(total for _, total in tasks))
    except BaseException:
        spark.interruptAll()
        raise
    if problems:
        raise problems[0]


@contextmanager
def shipped(spark: SparkSession, modules: Iterable[str]) -> Iterator[None]:
    """Make top-level modules, which can be imported here, importable in the workers of a session, inside the block."""
    with TemporaryDirectory(prefix="remora-shipped-") as folder:
        if not is_remote():
            # PySpark looks for modules where it unpacks the archives, here too: no place to load ours from.
            with suppress(ValueError):
                sys.path.remove(SparkFiles.getRootDirectory())
        for name in modules:
            place = module_place(importlib.import_module(name))
            if place.is_dir():
                archive = Path(folder, f"{name}.zip")
                with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
                    for path in sorted(place.rglob("*")):
                        if path.is_file() and "__pycache__" not in path.parts:
                            target.write(path, path.relative_to(place))
                spark.addArtifacts(f"{archive}#{name}", archive=True)
            else:  # as a "pyfile" of a session that is not remote it would change where Python looks here
                spark.addArtifacts(str(place), pyfile=is_remote(), file=not is_remote())
        yield


def own_modules(detectors: Iterable[str], folder: Path) -> tuple[str, ...]:
    """The top-level modules in a folder, all that are loaded, if a detector `package.module:object` is among them."""
    here = set()
    for name, module in list(sys.modules.items()):
        if "." not in name and name != "__main__":
            with suppress(LookupError):
                if module_place(module).parent == folder.resolve():
                    here.add(name)
    named = {name.partition(":")[0].partition(".")[0] for name in detectors if ":" in name}
    return tuple(sorted(here)) if named & here else ()


def module_place(module: ModuleType) -> Path:
    """The folder of a package, the file of any other module; `LookupError` for what is built into Python."""
    folders = list(getattr(module, "__path__", ()))
    file = folders[0] if folders else getattr(module, "__file__", None)
    if file is None or not Path(file).exists():
        raise LookupError(f"{module.__name__} has no file")
    return Path(file).resolve()


_MISSING = re.compile(r"ModuleNotFoundError: No module named '([^']+)'")
_VERSIONS = re.compile(r"Python in worker has different version: (\S+) than that in driver: (\d+\.\d+)")
_REMEDY = (
    "Every machine of the cluster needs a Python of the driver's version with the packages that Remora needs"
    " (docs/campaigns.md)"
)


def what_workers_lack(message: str) -> str:
    """Problem of the workers' Python in plain words, if an error of Spark says that; else ""."""
    if versions := _VERSIONS.search(message):
        return f"the workers run Python {versions[1]}, and this is Python {versions[2]}. {_REMEDY}"
    if missing := _MISSING.search(message):
        return f"the Python of the workers has no module {missing[1]}. {_REMEDY}"
    return ""
