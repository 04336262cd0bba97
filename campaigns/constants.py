"""Constants of the code under test: the integers in its text and in what it keeps, as fuzzers take them.

What is wrong for one bound, after some number of instants or once a queue has some length, is mostly wrong at a number
that stands in the code. So some of the cases take their bounds and lengths from there.
"""

from __future__ import annotations

import dis
import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice
from types import CodeType, ModuleType
from typing import Any

from campaigns.imports import MUTANT, is_foreign
from campaigns.systems import Factory

LEAST = 2
"""Smaller numbers are met anyway."""

GREATEST = 2**62
"""Greater ones are no times."""

MOST = 60
"""So many constants are taken: of the module of a detector first, then of those that it imports."""

MODULES = 200
"""So many modules are looked at."""

VALUES = 2_000
"""So many values of a container are looked at."""

_LOADS = frozenset(("LOAD_CONST", "LOAD_SMALL_INT", "RETURN_CONST"))
"""The instructions with a constant as their argument."""


def harvested(detectors: Mapping[str, Factory]) -> tuple[int, ...]:
    """The constants of the code of detectors, ascending.

    Looked at are the module of each detector and those that it imports, with what these import, as far as they belong
    to the same package or neither to Python, an installed package nor this project. Mutants are passed over.

    Args:
        detectors: the factories by name; their modules are imported.
    """
    begin = [
        module
        for name, factory in detectors.items()
        if not name.startswith(MUTANT)
        for module in _homes(name, factory)
    ]
    found: dict[int, None] = {}
    for module in _reached(begin):
        for number in _integers(module):
            if LEAST <= number <= GREATEST:
                found.setdefault(number)
            if len(found) == MOST:
                return tuple(sorted(found))
    return tuple(sorted(found))


def _homes(name: str, factory: Any) -> Iterator[ModuleType]:
    """The modules of a detector: the one that its name has, and the one in which its factory is defined."""
    while isinstance(factory, partial):
        factory = factory.func
    for home in (name.partition(":")[0], getattr(inspect.unwrap(factory), "__module__", None)):
        if home in sys.modules and home.partition(".")[0] not in sys.stdlib_module_names:
            yield sys.modules[home]


def _reached(begin: Iterable[ModuleType]) -> Iterator[ModuleType]:
    """The modules of code under test that some use, themselves first."""
    known = {module.__name__: module for module in begin}
    packages = {name.partition(".")[0] for name in known}
    pending = list(known.values())
    while pending and len(known) <= MODULES:
        module = pending.pop(0)
        yield module
        for value in list(vars(module).values()):
            home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None)
            other = sys.modules.get(home) if isinstance(home, str) else None
            if other is None or other.__name__ in known:
                continue
            if other.__name__.partition(".")[0] in packages or is_foreign(
                getattr(other, "__file__", None) or ""
            ):
                known[other.__name__] = other
                pending.append(other)


def _integers(module: ModuleType) -> Iterator[int]:
    """The integers in the text of a module, in order, then those among the values of its names and classes."""
    with suppress(OSError, TypeError, SyntaxError, ValueError):
        yield from _of_code(compile(inspect.getsource(module), "", "exec"))
    for name, value in list(vars(module).items()):
        if name.startswith("__"):
            continue
        if isinstance(value, type) and value.__module__ == module.__name__:
            for attribute in list(vars(value).values()):
                yield from _of_value(attribute)
        yield from _of_value(value)


def _of_code(code: CodeType) -> Iterator[int]:
    for instruction in dis.get_instructions(code):
        if instruction.opname in _LOADS:
            yield from _of_value(instruction.argval)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _of_code(constant)


def _of_value(value: object) -> Iterator[int]:
    """The integers that a value is or holds; numbers written as floats or strings are among them."""
    match value:
        case bool():
            return
        case int():
            yield int(value)
        case float() if value.is_integer():
            yield int(value)
        case str() if value.isdecimal() and len(value) <= len(str(GREATEST)):
            yield int(value)
        case dict():
            yield from _of_value([*islice(value.items(), VALUES)])
        case tuple() | list() | set() | frozenset():
            for each in islice(value, VALUES):
                yield from _of_value(each)
