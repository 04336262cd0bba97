"""What is installed, what is missing and what that costs: nothing is imported that only has to be looked up."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, metadata, requires, version
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from laws.standings import ExitStatus
from remora.data import JsonObject
from remora.dependencies import DEPENDENCIES, Dependency

if TYPE_CHECKING:  # itself a package that may be missing
    from packaging.requirements import Requirement
    from packaging.specifiers import SpecifierSet

SCHEMA = "remora/doctor/1"

DISTRIBUTION = "remora"

State = Literal["ok", "limited", "missing", "unsupported", "broken", "unknown"]
"""`limited`: there, but less than usual. `unsupported`: a version that was never tried. `unknown`: not found out."""

Section = Literal["python", "packages", "programs", "machine", "checks"]

LITTLE_MEMORY = 2 << 30
"""With less, in bytes, Spark's Java and its workers hardly fit."""

LITTLE_SPACE = 1 << 30
"""With less room for temporary files, in bytes, a campaign of usual size may not end."""


@dataclass(frozen=True)
class Item:
    """One thing that was looked at.

    Attributes:
        section: what kind of thing it is.
        name: what it is called.
        state: how it is.
        required: whether it must be as it should.
        found: the version, the place or the size that was found; empty where there is none.
        wanted: what is supported, such as a range of versions; empty where there is no bound.
        reason: what it is for.
        cost: what does not work, or not as well, as things are; empty if all is well.
        remedy: what to do about it; empty if nothing has to be done, or can be.
    """

    section: Section
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
        """Whether it makes the installation a broken one: what is required is not there, or what is there is broken."""
        return self.state == "broken" or (
            self.required and self.state in ("missing", "unsupported", "unknown")
        )


def exit_status(items: Iterable[Item]) -> ExitStatus:
    """5 where one of them fails, otherwise 0."""
    return ExitStatus.INFRASTRUCTURE if any(item.fails for item in items) else ExitStatus.AS_CLAIMED


def looked_at() -> Iterator[Item]:
    """Everything that can be found out without trying whether it works."""
    try:
        texts = requires(DISTRIBUTION) or []
        yield from (_remora(), _python())
    except PackageNotFoundError:
        texts = None
        yield _never_installed()
    yield from packages(texts)
    yield from programs()
    yield from machine()


def _remora() -> Item:
    return Item("python", "remora", "ok", True, version(DISTRIBUTION), reason=str(Path(__file__).parents[1]))


def _never_installed() -> Item:
    return Item(
        "python",
        "remora",
        "limited",
        found=str(Path(__file__).parents[1]),
        cost="it runs from a source tree, so that nothing says which versions are supported",
        remedy="python -m pip install --editable .",
    )


def _python() -> Item:
    wanted = metadata(DISTRIBUTION)["Requires-Python"]
    found = platform.python_version()
    item = Item("python", "Python", "ok", True, found, wanted, platform.python_implementation())
    if _within(found, wanted) is False:
        return replace(item, state="unsupported", cost="it was never tried with this Python")
    return item


# -------------------------------------------------------------------------------------------------------- packages


def packages(
    texts: Sequence[str] | None,
    dependencies: Sequence[Dependency] = DEPENDENCIES,
    find: Callable[[str], str] = version,
) -> Iterator[Item]:
    """The packages that Remora uses, each with its version and the range that the metadata state.

    Args:
        texts: the requirements of the metadata; None where there are no metadata.
        dependencies: what is looked at.
        find: tells the version of a distribution.
    """
    try:
        stated = None if texts is None else _requirements(texts)
    except ImportError:  # `packaging` itself, which then is among what is missing
        stated = None
    for dependency in dependencies:
        key = (_normal(dependency.name), dependency.extra)
        fitting = [one for one in stated or () if (_normal(one.name), _extra(one)) == key]
        yield _package(dependency, None if stated is None else fitting, find)
    if stated is not None:
        yield from _old_metadata(stated, dependencies)


def _package(
    dependency: Dependency, stated: Sequence[Requirement] | None, find: Callable[[str], str]
) -> Item:
    """How a package is.

    Args:
        dependency: what it is for.
        stated: its requirements, one for each kind of platform; None if they are not known.
        find: tells the version of a distribution.
    """
    name = f"{dependency.name} [{dependency.extra}]" if dependency.extra else dependency.name
    applying = [
        one for one in stated or () if one.marker is None or one.marker.evaluate({"extra": dependency.extra})
    ]
    for_platform = stated is None or not stated or bool(applying)
    wanted = _range(applying[0].specifier) if applying else ""
    item = Item("packages", name, "ok", dependency.required, "", wanted, dependency.reason)
    absent = replace(item, state="missing", cost=dependency.cost)
    if for_platform:
        ours = f"--editable '.[{dependency.extra}]'" if dependency.extra else f"'{dependency.name}{wanted}'"
        absent = replace(absent, remedy=f"python -m pip install {ours}")
    else:
        absent = replace(
            absent, required=False, remedy="There is no package of it for this Python and platform."
        )
    try:
        item = replace(item, found=find(dependency.name))
    except PackageNotFoundError:
        return absent
    lacking = [part for one in applying for part in _of_its_extras(one, find)]
    if lacking:
        return replace(absent, found=item.found, cost=f"{', '.join(lacking)} missing: {dependency.cost}")
    if wanted and _within(item.found, wanted) is False:
        return replace(
            absent, state="unsupported", found=item.found, cost="it was never tried with this version"
        )
    return item


def _of_its_extras(requirement: Requirement, find: Callable[[str], str]) -> Iterator[str]:
    """The packages that a requirement such as `pyspark[connect]` asks for by its extras, and that are missing."""
    if not requirement.extras:
        return
    for one in _requirements(requires(requirement.name) or []):
        if one.marker is None or not any(
            one.marker.evaluate({"extra": extra}) for extra in requirement.extras
        ):
            continue
        try:
            find(one.name)
        except PackageNotFoundError:
            yield one.name


def _old_metadata(stated: Sequence[Requirement], dependencies: Sequence[Dependency]) -> Iterator[Item]:
    """A complaint about metadata that are not of this code, as after an update of an editable installation."""
    named = {_normal(one.name) for one in stated}
    used = {_normal(one.name) for one in dependencies}
    if named != used:
        yield Item(
            "packages",
            "metadata",
            "limited",
            found=", ".join(sorted(named ^ used)),
            reason="say which versions are supported",
            cost="what was installed is of another version of the code: it names other packages",
            remedy="Install Remora again; in a checkout: python -m pip install --editable .",
        )


def _requirements(texts: Iterable[str]) -> list[Requirement]:
    from packaging.requirements import Requirement

    return [Requirement(text) for text in texts]


def _extra(requirement: Requirement) -> str:
    """The extra that brings a requirement; empty if every installation does."""
    found = re.search(r"extra == [\"']([^\"']+)", str(requirement.marker or ""))
    return found[1] if found else ""


def _normal(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")


def _range(versions: SpecifierSet) -> str:
    """A range with its lower end first."""
    return ",".join(sorted(map(str, versions), reverse=True))


def _within(found: str, wanted: str) -> bool | None:
    """Whether a version lies in a range; None where that cannot be told."""
    try:
        from packaging.specifiers import SpecifierSet
    except ImportError:
        return None
    return SpecifierSet(wanted).contains(found, prereleases=True)


# -------------------------------------------------------------------------------------------------------- programs


def programs(which: Callable[[str], str | None] = shutil.which) -> Iterator[Item]:
    """The programs that are started: Java, the checker of certificates, git; and where the launcher of Java is kept."""
    yield from _java()
    for name, reason, cost, remedy in (
        (
            "ethos",
            "checks certificates independently of the solvers",
            "no certificate is checked, so nothing is certified",
            "Build it from github.com/cvc5/ethos, and name it: remora prove --checker PATH --signature Cpc.eo",
        ),
        (
            "git",
            "older versions of the record of proofs",
            "`remora prove --diff` does not run",
            "Install git.",
        ),
    ):
        place = which(name)
        if place is None:
            yield Item("programs", name, "missing", reason=reason, cost=cost, remedy=remedy)
        else:
            yield Item("programs", name, "ok", found=place, reason=reason)


def _java() -> Iterator[Item]:
    from cluster.java import SUITABLE_VERSIONS, JavaMissing, find_java, launcher_home

    wanted = ", ".join(map(str, SUITABLE_VERSIONS))
    item = Item("programs", "Java", "ok", True, "", wanted, "runs Spark")
    try:
        runtime = find_java()
    except JavaMissing as error:
        cost = f"no campaigns, no streams, no `remora verify`: {error.reason}"
        yield replace(item, state="missing", cost=cost, remedy=f"{error.remedy}.")
        return
    yield replace(item, found=f"{runtime.version}, {runtime.origin}", reason=f"runs Spark; {runtime.home}")
    place = launcher_home(runtime).parent
    kept = Item("machine", "cache", "ok", found="writable", reason=f"keeps what is made once; {place}")
    if place.is_relative_to(tempfile.gettempdir()):
        kept = replace(
            kept,
            state="limited",
            found="temporary",
            cost="no folder for caches can be written to and executed from: a temporary one is made by every run",
            remedy="Set XDG_CACHE_HOME to a folder of yours.",
        )
    yield kept


# --------------------------------------------------------------------------------------------------------- machine


def machine() -> Iterator[Item]:
    """Processors, memory, room for temporary files, and what the terminal can show."""
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    yield Item("machine", "cores", "ok", found=str(usable), reason="campaigns and solvers use all of them")
    yield _memory()
    yield temporary_folder()
    yield terminal(sys.stdout.encoding)


def _memory() -> Item:
    item = Item("machine", "memory", "ok", reason="Spark's Java and a worker for each core share it")
    total = memory()
    if total is None:
        return replace(item, state="unknown", cost="the system does not say how much there is")
    item = replace(item, found=_size(total))
    if total < LITTLE_MEMORY:
        cost = "Spark may be ended by the system"
        return replace(item, state="limited", cost=cost, remedy="Use --master 'local[1]'.")
    return item


def memory(limits: Sequence[Path] = (Path("/sys/fs/cgroup/memory.max"),)) -> int | None:
    """The bytes of memory that this process may use: the machine's, or the container's where that is less."""
    found = []
    with suppress(AttributeError, OSError, ValueError):  # not POSIX
        found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    for place in limits:
        try:
            found.append(int(place.read_text()))
        except (OSError, ValueError):  # none, or "max"
            continue
    return min(found, default=None)


def temporary_folder() -> Item:
    """The folder of temporary files: whether it can be written to, and how much room there is."""
    item = Item(
        "machine", "temporary files", "ok", True, reason="for every command that starts another process"
    )
    try:
        place = tempfile.gettempdir()
        with tempfile.TemporaryFile():
            pass
        free = shutil.disk_usage(place).free
    except OSError as error:
        cost = f"nothing that starts another process runs: {error.strerror or error}"
        return replace(
            item, state="broken", cost=cost, remedy="Set TMPDIR to a folder that can be written to."
        )
    item = replace(item, found=f"{_size(free)} free", reason=place)
    if free < LITTLE_SPACE:
        return replace(item, state="limited", cost="large campaigns may run out of room", remedy="Make room.")
    return item


def terminal(encoding: str | None) -> Item:
    """Whether the output can show the signs of mathematics and of drawings."""
    item = Item("machine", "terminal", "ok", found=encoding or "utf-8", reason="shows signs and drawings")
    if not item.found.lower().replace("_", "-").startswith("utf"):
        return replace(
            item,
            state="limited",
            cost="signs it does not have are replaced by similar ones",
            remedy="Set PYTHONIOENCODING=utf-8, or a locale such as C.UTF-8.",
        )
    return item


def _size(number: int) -> str:
    return f"{number / 2**30:.1f} GiB"


# ------------------------------------------------------------------------------------------------------------ data


def doctor_data(items: Sequence[Item], remora: str, checked: bool) -> JsonObject:
    """`{"schema": "remora/doctor/1", …}`: every item by its attributes, and what follows from them."""
    return {
        "schema": SCHEMA,
        "remora": remora,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "checked": checked,
        "exit_status": int(exit_status(items)),
        "items": [
            {
                "section": item.section,
                "name": item.name,
                "state": item.state,
                "required": item.required,
                "fails": item.fails,
                "found": item.found or None,
                "wanted": item.wanted or None,
                "reason": item.reason,
                "cost": item.cost or None,
                "remedy": item.remedy or None,
            }
            for item in items
        ],
    }
