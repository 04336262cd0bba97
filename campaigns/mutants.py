"""Wrong detectors as data: one text in a module is replaced by another one (`mutants.toml`), in private copies.

The altered module is loaded anew, and with it every module that uses it, however indirectly; all others are shared with
the rest of the program, which notices nothing.
"""

from __future__ import annotations

import builtins
import importlib
import linecache
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.abc import InspectLoader
from importlib.util import find_spec, module_from_spec, spec_from_loader
from pathlib import Path
from types import CodeType, MappingProxyType, ModuleType, SimpleNamespace
from typing import Any

PACKAGES = ("detectors", "semantics")  # Whose modules can be altered: evaluators, and definitions that some use

IMPORT = re.compile(r"^ *from ([\w.]+) import (\([^)]*\)|[^(\n]*)", re.MULTILINE)
"""An import statement, its module and what is taken from it; each process with a mutant goes through all modules, for
which their syntax would take twenty times as long."""


@dataclass(frozen=True)
class Mutant:
    """A wrong detector; calling it makes one, as calling any factory."""

    name: str
    catalogue: str  # the module with the table of detectors, in which `engine` is the one whose program is altered
    table: str
    engine: str
    module: str
    before: str  # the text that is replaced in `module`; it is there exactly once
    after: str
    what: str  # what is wrong, in one sentence
    of_state: bool = False  # whether it is wrong about a stored state alone
    operator: str = ""  # that of the altered step; "" where something else is altered
    syntax: str = ""  # the module by which detectors are told anew what to detect, as they use the altered one

    def modules(self) -> PrivateModules:
        """Private copies of the modules that the change reaches; `LookupError` if what it replaces is not there."""
        text = path_of(self.module).read_text("utf-8")
        if (count := text.count(self.before)) != 1:
            raise LookupError(f"{self.name}: {self.before!r} is {count} times in {self.module}")
        return PrivateModules(self.module, text.replace(self.before, self.after), f"mutant {self.name}")

    def make(self) -> Callable[..., Any]:
        """Load the altered program: the factory of wrong detectors."""
        modules = self.modules()
        make: Callable[..., Any] = getattr(modules.load(self.catalogue), self.table)[self.engine]
        if not self.syntax:
            return make
        parse = modules.load(self.syntax).parse
        return lambda told: make(parse(told.text))

    @property
    def unaltered(self) -> Callable[..., Any]:
        """The factory of detectors without the fault."""
        factory: Callable[..., Any] = getattr(importlib.import_module(self.catalogue), self.table)[self.engine]
        return factory

    def __call__(self, *told: Any) -> Any:
        """A fresh wrong detector."""
        return _loaded(self)(*told)


@lru_cache(maxsize=64)
def _loaded(mutant: Mutant) -> Callable[..., Any]:
    return mutant.make()


def mutants_in(path: Path, catalogue: str, table: str, syntax: str = "") -> Mapping[str, Mutant]:
    """The mutants of a file by name; what it says of a table applies to all that follow in it."""
    found = {}
    for of in tomllib.loads(path.read_text("utf-8"))["of"]:
        common = {name: value for name, value in of.items() if name != "mutants"}
        for name, (before, after, what) in of["mutants"].items():
            found[name] = Mutant(name, catalogue, table, before=before, after=after, what=what, syntax=syntax, **common)
    return MappingProxyType(found)


class PrivateModules(InspectLoader):
    """The modules that a change of one of them, by our own text, reaches, loaded when they are asked for."""

    def __init__(self, altered: str, text: str, origin: str) -> None:
        self._altered, self._text, self._origin = altered, text, f"<{origin}>"
        self._reached = reached(altered)
        self._loaded: dict[str, ModuleType] = {}

    def load(self, name: str) -> ModuleType:
        """The module of this name: a private copy, if the change reaches it."""
        if name not in self._reached:
            return importlib.import_module(name)
        if name not in self._loaded:
            importlib.import_module(name)  # data classes of the copy are resolved in the module of this name
            spec = spec_from_loader(name, self) if name == self._altered else find_spec(name)
            assert spec is not None and spec.loader is not None
            module = self._loaded[name] = module_from_spec(spec)
            vars(module)["__builtins__"] = {**vars(builtins), "__import__": self._import}
            spec.loader.exec_module(module)
        return self._loaded[name]

    def get_source(self, fullname: str) -> str:
        """The text of the altered module."""
        return self._text

    def get_code(self, fullname: str) -> CodeType:
        """Its program; the steps are specialised from their text, which is looked up by its origin."""
        linecache.cache[self._origin] = len(self._text), None, self._text.splitlines(keepends=True), self._origin
        return self.source_to_code(self._text, self._origin)

    def _import(
        self,
        name: str,
        globals_: Mapping[str, object] | None = None,
        locals_: Mapping[str, object] | None = None,
        wanted: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        if name in self._reached and wanted:
            return self.load(name)
        if any(f"{name}.{member}" in self._reached for member in wanted or ()):
            return SimpleNamespace(**{member: self.load(f"{name}.{member}") for member in wanted or ()})
        return builtins.__import__(name, globals_, locals_, wanted or (), level)


@cache
def reached(altered: str) -> frozenset[str]:
    """The modules of detectors and definitions that use a module, however indirectly, and the module itself."""
    packages = PACKAGES if altered.startswith(PACKAGES[1]) else PACKAGES[:1]
    uses = {name: used for package in packages for name, used in _uses(package).items()}
    found = {altered}
    while more := {name for name, used in uses.items() if name not in found and used & found}:
        found |= more
    return frozenset(found)


@cache
def _uses(package: str) -> Mapping[str, frozenset[str]]:
    folder = path_of(package).parent
    uses = {}
    for path in sorted(folder.rglob("*.py")):
        statements = IMPORT.findall(path.read_text("utf-8"))
        members = {f"{module}.{name}" for module, names in statements for name in re.findall(r"\w+", names)}
        name = ".".join((package, *path.relative_to(folder).with_suffix("").parts))
        uses[name] = frozenset(members | {module for module, _ in statements})
    return uses


def path_of(module: str) -> Path:
    """The file of a module; `LookupError` if there is no such module."""
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise LookupError(f"there is no module {module}")
    return Path(spec.origin)
