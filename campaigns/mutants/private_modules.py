"""Private copies of modules, one of them with another program: how a mutant is run.

The altered module is loaded anew, and with it every module of the detectors that uses it, however indirectly; all
others are shared with the rest of the program, which notices nothing.
"""

from __future__ import annotations

import builtins
import importlib
import linecache
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.abc import InspectLoader
from importlib.util import find_spec, module_from_spec, spec_from_loader
from itertools import chain
from pathlib import Path
from types import CodeType, ModuleType, SimpleNamespace
from typing import Any

PACKAGES = ("detectors", "semantics")
"""The packages whose modules can be altered: evaluators, and the definitions that some of them use."""

IMPORT = re.compile(r"^ *from ([\w.]+) import (\([^)]*\)|[^(\n]*)", re.MULTILINE)
"""An import statement: the module, and what is taken from it. Every process that runs a mutant looks for them in each
module of the detectors, for which their syntax would take twenty times as long."""

NAME = re.compile(r"\w+")


class PrivateModules:
    """The modules that a change of one of them reaches, loaded when they are asked for."""

    def __init__(self, altered: str, text: str, origin: str) -> None:
        """Put a text in the place of a module.

        Args:
            text: its program; of our own making, as everything that is imported.
            origin: what to call the text in tracebacks.
        """
        self._altered = altered
        self._origin = f"<{origin}>"
        self._text = text
        self._reached = reached(altered)
        self._loaded: dict[str, ModuleType] = {}

    def load(self, name: str) -> ModuleType:
        """The module of this name: a private copy, if the change reaches it."""
        if name not in self._reached:
            return importlib.import_module(name)
        if name not in self._loaded:
            importlib.import_module(name)  # data classes of the copy are resolved in the module of this name
            loader = Compiled(self._code(name))
            spec = spec_from_loader(name, loader)
            assert spec is not None
            module = self._loaded[name] = module_from_spec(spec)
            vars(module)["__builtins__"] = {**vars(builtins), "__import__": self._import}
            loader.exec_module(module)
        return self._loaded[name]

    def _code(self, name: str) -> CodeType:
        if name != self._altered:
            return _unaltered(name)
        # The steps are specialised from their text, which is looked up here.
        lines = self._text.splitlines(keepends=True)
        linecache.cache[self._origin] = len(self._text), None, lines, self._origin
        return compile(self._text, self._origin, "exec", dont_inherit=True)

    def _import(
        self,
        name: str,
        globals_: Mapping[str, object] | None = None,
        locals_: Mapping[str, object] | None = None,
        wanted: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        """The import statement within the copies."""
        if name in self._reached and wanted:
            return self.load(name)
        if any(f"{name}.{member}" in self._reached for member in wanted or ()):
            return SimpleNamespace(**{member: self.load(f"{name}.{member}") for member in wanted or ()})
        return builtins.__import__(name, globals_, locals_, wanted or (), level)


class Compiled(InspectLoader):
    """Loads a module from what was compiled already."""

    def __init__(self, code: CodeType) -> None:
        self._compiled = code

    def get_code(self, fullname: str) -> CodeType:
        """The compiled program, whatever its name."""
        return self._compiled

    def get_source(self, fullname: str) -> None:
        """There is none."""


@cache
def reached(altered: str) -> frozenset[str]:
    """The modules of detectors and definitions that use a module, however indirectly, and the module itself."""
    users: dict[str, set[str]] = {}
    packages = PACKAGES if altered.startswith(PACKAGES[1]) else PACKAGES[:1]
    for name, used in chain.from_iterable(_uses(package).items() for package in packages):
        for other in used:
            users.setdefault(other, set()).add(name)
    found = {altered}
    pending = [altered]
    while pending:
        for user in users.get(pending.pop(), set()) - found:
            found.add(user)
            pending.append(user)
    return frozenset(found)


@cache
def _uses(package: str) -> Mapping[str, frozenset[str]]:
    """For each module of a package, the others that it imports anywhere."""
    folder = path_of(package).parent
    uses = {}
    for path in sorted(folder.rglob("*.py")):
        found = set()
        for module, names in IMPORT.findall(path.read_text("utf-8")):
            found.add(module)
            found.update(f"{module}.{name}" for name in NAME.findall(names))
        uses[".".join((package, *path.relative_to(folder).with_suffix("").parts))] = frozenset(found)
    return uses


def path_of(module: str) -> Path:
    """The file of a module.

    Raises:
        LookupError: there is no such module.
    """
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise LookupError(f"there is no module {module}")
    return Path(spec.origin)


@cache
def _unaltered(name: str) -> CodeType:
    return compile(path_of(name).read_text("utf-8"), str(path_of(name)), "exec", dont_inherit=True)
